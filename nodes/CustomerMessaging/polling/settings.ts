import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { readRecord, wholeList } from '../api/records';
import { fieldError, findField, parseField } from '../core/fieldError';
import { findIn } from '../fields/byName';
import { channelFilter } from '../fields/list';
import { group, tag } from '../fields/locators';
import { choice } from '../values/choices';
import { parameters, type Setting, setting } from '../values/field';
import { comparableTitle, idSet, toList, recordId } from '../values/ids';
import { isObject, objectsOf } from '../values/json';
import { InvalidValue, type Parse } from '../values/parse';
import { quote, stringOf } from '../values/text';
import { type Choice, type EventName, EVENTS, PROFILE_FIELDS, profileUrl, type Watch } from './events';
import { hash, type News, readMemory } from './memory';

const rows = Object.entries<Watch>(EVENTS);

const words = Object.fromEntries(rows.map(([name, watch]) => [name, watch.words]));
export const [eventName, event] = choice(words as Record<EventName, Watch['words']>, 'newCustomer', {
	name: 'event',
	required: true,
	description: 'The event that starts the workflow',
});

/** Shows a parameter for the events of some rows. */
const showFor = (isOne: (watch: Watch) => boolean) => ({
	displayOptions: { show: { event: rows.filter(([, watch]) => isOne(watch)).map(([name]) => name) } },
});

const setFilter = (label: 'Group' | 'Tag', which: string) =>
	setting(`${label.toLowerCase()}Ids`, idSet, {
		displayName: `${label} Names or IDs`,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: `get${label}s` },
		description: `Only profiles ${which}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
	});

const FILTERS = {
	channel: setting('channel', channelFilter.parse, channelFilter.parameter),
	groups: setFilter('Group', 'in one of these groups'),
	tags: setFilter('Tag', 'with one of these tags'),
};

/** The parameters that say what an event is about. */
const NEEDS = { group, tag };

export const pollingProperties = parameters([
	event,
	...Object.entries(NEEDS).map(([name, { parameter }]) => ({
		...parameter,
		...showFor(({ needs }) => needs === name),
	})),
	{
		name: 'fields',
		...showFor(({ needs }) => needs === 'fields'),
		placeholder: 'e.g. email, custom_1',
		description:
			'The fields whose changes start the workflow, separated by commas. Without names, all standard fields. A profile whose old values are unknown starts it once. If the workflow changes profiles, leave out the fields that it writes, or it would start itself again.',
	},
	{
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		...showFor(({ isOfProfiles }) => isOfProfiles === true),
		description: 'Only events that pass all filters start the workflow',
		options: Object.values(FILTERS).map(({ parameter }) => parameter),
	},
]);

/** Checks the names of fields against profiles, since a misspelt one would never start the workflow. */
export function requireFields({ context, choice: { fields } }: Poll, profiles: IDataObject[]): void {
	const known = new Set([...PROFILE_FIELDS, ...profiles.flatMap((profile) => Object.keys(profile))]);
	const unknown = fields.find((field) => !known.has(field));
	if (unknown === undefined) return;
	const hint = `Correct or remove it. Profiles have these fields: ${[...known].join(', ')}.`;
	const problem = new InvalidValue(`contains "${quote(unknown)}", which no profile has`, hint);
	throw fieldError(context, 'Fields', problem);
}

/** What one poll works with. */
export type Poll = Awaited<ReturnType<typeof pollOf>>;

/** Reads the parameters, and what was remembered. A tag that was deleted fails. @throws NodeOperationError when one is unusable */
export async function pollOf(context: RunContext<IPollFunctions>, staticData: IDataObject) {
	const name = parseField(context, 'Event', eventName, context.getNodeParameter('event', 'newCustomer'));
	const watch: Watch = EVENTS[name];
	// n8n gives no value for a parameter that is not shown.
	const given: unknown = context.getNodeParameter('filters', {});
	/** A filter that is there and has no value, such as an expression that gives nothing, is an error. */
	const filterOf = <Value>({ parameter }: Setting, parse: Parse<Value>): Value | undefined =>
		isObject(given) && parameter.name in given
			? parseField(context, parameter.displayName, parse, given[parameter.name])
			: undefined;
	const idsOf = async (list: 'groups' | 'tags') => {
		const find = filterOf(FILTERS[list], findIn(list, { isSet: true }));
		if (!find) return filterOf(FILTERS[list], idSet);
		const { displayName } = FILTERS[list].parameter;
		return parseField(context, displayName, idSet, await findField(context, displayName, find(context)));
	};
	const channel = filterOf(FILTERS.channel, FILTERS.channel.parse) ?? '';
	const filters = { groups: await idsOf('groups'), tags: await idsOf('tags') };
	const names = toList(context.getNodeParameter('fields', '')).map((one) => stringOf(one).trim());
	const fields = names.some(Boolean) ? names.filter(Boolean) : PROFILE_FIELDS;
	const chosen: Choice = { channel, fields };
	if (watch.needs === 'group' || watch.needs === 'tag') {
		const { parameter, parse } = NEEDS[watch.needs];
		const value: unknown = context.getNodeParameter(parameter.name, '', { extractValue: true });
		chosen.id = Number(parseField(context, parameter.displayName, parse, value));
		const { title } =
			watch.needs === 'tag' ? await readRecord(context.api, 'GET /tags/{id}', { id: chosen.id }) : {};
		chosen.title = comparableTitle(stringOf(title));
	}
	const { baseUrl } = await context.api.settings;
	// Tells what is read, so that the memory of something else does not count.
	const of = hash(name, baseUrl, channel, fields, chosen.id);
	return { context, name, watch, choice: chosen, filters, memory: readMemory(staticData, of) };
}

/** Whether a profile passes the filters for groups and tags. It asks the service if the record does not tell. */
export async function passesFilters({ context, filters }: Poll, { id, record }: News) {
	for (const name of ['groups', 'tags'] as const) {
		const wanted = filters[name] ?? [];
		if (wanted.length === 0) continue;
		const own = record[name];
		const isTold = Array.isArray(own) && own.every(isObject);
		const elements = isTold ? own : await wholeList(context.api, `${profileUrl(id)}/${name}`);
		const ids = objectsOf(elements).map((element) => recordId(element.id));
		if (!wanted.some((one) => ids.includes(one))) return false;
	}
	return true;
}
