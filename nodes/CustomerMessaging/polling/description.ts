import { channelFilter } from '../fields/list';
import { group, tag } from '../fields/locators';
import { choice } from '../values/choices';
import { type NamedParameter, parameters } from '../values/field';
import { type EventName, EVENTS, type Watch } from './events';

const rows = Object.entries<Watch>(EVENTS);

/** Shows a parameter for the events of some rows. */
const showFor = (isOne: (watch: Watch) => boolean) => ({
	show: { event: rows.filter(([, watch]) => isOne(watch)).map(([name]) => name) },
});

const setFilter = (label: 'Group' | 'Tag', which: string): NamedParameter => ({
	displayName: `${label} Names or IDs`,
	name: `${label.toLowerCase()}Ids`,
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: `get${label}s` },
	default: [],
	description: `Only profiles ${which}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
});

const words = Object.fromEntries(rows.map(([name, watch]) => [name, watch.words]));
export const [eventName, event] = choice(words as Record<EventName, Watch['words']>, 'newCustomer', {
	name: 'event',
	required: true,
	description: 'The event that starts the workflow',
});

export const pollingProperties = parameters([
	event,
	{ ...group.parameter, displayOptions: showFor(({ needs }) => needs === 'group') },
	{ ...tag.parameter, displayOptions: showFor(({ needs }) => needs === 'tag') },
	{
		name: 'fields',
		displayOptions: showFor(({ needs }) => needs === 'fields'),
		placeholder: 'e.g. email, custom_1',
		description:
			'The fields whose changes start the workflow, separated by commas. Without names, all standard fields. A profile whose old values are unknown starts it once. If the workflow changes profiles, leave out the fields that it writes, or it would start itself again.',
	},
	{
		name: 'filters',
		type: 'collection',
		default: {},
		placeholder: 'Add Filter',
		displayOptions: showFor(({ isOfProfiles }) => isOfProfiles === true),
		description: 'Only events that pass all filters start the workflow',
		options: parameters([
			channelFilter.parameter,
			setFilter('Group', 'in one of these groups'),
			setFilter('Tag', 'with one of these tags'),
		]),
	},
]);
