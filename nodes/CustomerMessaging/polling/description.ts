import { channelFilter } from '../fields/list';
import { group, tag } from '../fields/locators';
import { choice } from '../values/choices';
import { type NamedParameter, parameters } from '../values/parameter';
import { type EventName, PROFILE_EVENTS } from './feeds';

const showFor = (...event: EventName[]) => ({ show: { event } });

const setFilter = (label: 'Group' | 'Tag', which: string): NamedParameter => ({
	displayName: `${label} Names or IDs`,
	name: `${label.toLowerCase()}Ids`,
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: `get${label}s` },
	default: [],
	description: `Only profiles ${which}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
});

export const [eventName, event] = choice<EventName, { name: 'event'; required: true; description: string }>(
	{
		joinedGroup: ['Joined a Group', 'A profile was added to the group'],
		consentChanged: [
			'Marketing Consent Changed',
			'A person has given or withdrawn the consent to marketing messages',
		],
		newCustomer: 'A customer was created, with a profile',
		newNotification: 'The user behind the access token has a new notification',
		profileChanged: 'Fields of a profile have changed',
		tagAdded: 'A profile got the tag',
		templateStatus: ['Template Approved or Rejected', 'The review of a template has ended'],
	},
	'newCustomer',
	{ name: 'event', required: true, description: 'The event that starts the workflow' },
);

export const pollingProperties = parameters([
	{
		displayName:
			'If the service sorts its profiles, a poll reads only the newest page. Otherwise it reads all, one request for each 100, and the log says so.',
		name: 'costNotice',
		type: 'notice',
		default: '',
		displayOptions: showFor('newCustomer', 'profileChanged', 'consentChanged'),
	},
	{
		displayName:
			'Each poll reads all profiles, one request for each 100, since the interface has no list of the profiles with a tag. If your account does not show tags in its profiles, the first poll fails and says so.',
		name: 'tagNotice',
		type: 'notice',
		default: '',
		displayOptions: showFor('tagAdded'),
	},
	event,
	{ ...group.parameter, displayOptions: showFor('joinedGroup') },
	{ ...tag.parameter, displayOptions: showFor('tagAdded') },
	{
		name: 'fields',
		displayOptions: showFor('profileChanged'),
		placeholder: 'e.g. email, custom_1',
		description:
			'Names of fields, separated by commas: only their changes start the workflow. Without names, those of the interface count. A profile whose old values are not known starts it once. If the workflow changes profiles, leave out the fields that it writes: it would start itself again.',
	},
	{
		name: 'filters',
		type: 'collection',
		default: {},
		placeholder: 'Add Filter',
		displayOptions: showFor(...PROFILE_EVENTS),
		description: 'Only events that pass all of these start the workflow',
		options: parameters([
			{
				...channelFilter.parameter,
				description: channelFilter.parameter.description?.replace('records', 'profiles'),
			},
			setFilter('Group', 'in one of these groups'),
			setFilter('Tag', 'with one of these tags'),
		]),
	},
]);
