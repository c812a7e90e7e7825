import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { readRecord, wholeList } from '../api/records';
import { fieldError, findField, parseField } from '../core/fieldError';
import { findIn } from '../fields/byName';
import { comparableTitle, idSet, integerSegment, listed, recordId } from '../values/ids';
import { isObject, objectsOf } from '../values/json';
import { InvalidValue, type Parse } from '../values/parse';
import { quote, stringOf, trimmedText } from '../values/text';
import { profileUrl } from './consent';
import { eventName } from './description';
import { type Choice, EVENTS, PROFILE_FIELDS, type Watch } from './events';
import { hash, type News, readMemory } from './memory';

/** Checks the names of fields against profiles, since a misspelt one would never start the workflow. */
export function requireFields({ context, choice }: Poll, profiles: IDataObject[]): void {
	const known = new Set([...PROFILE_FIELDS, ...profiles.flatMap((profile) => Object.keys(profile))]);
	const unknown = choice.fields.find((field) => !known.has(field));
	if (unknown === undefined) return;
	const hint = `Correct or remove it. Profiles have these fields: ${[...known].join(', ')}.`;
	const problem = new InvalidValue(`contains "${quote(unknown)}", which no profile has`, hint);
	throw fieldError(context, 'Fields', problem);
}

/** Reads the filters, and the IDs of names. One that is there and has no value, such as an expression that gives nothing, is an error. */
async function filtersOf(context: RunContext<IPollFunctions>) {
	const given: unknown = context.getNodeParameter('filters', {});
	const filter = <Value>(label: string, name: string, parse: Parse<Value>, none: Value) =>
		isObject(given) && name in given ? parseField(context, label, parse, given[name]) : none;
	const ids = async (label: string, name: string, list: 'groups' | 'tags') => {
		const find = filter(label, name, findIn(list, { isSet: true }), undefined);
		if (!find) return filter(label, name, idSet, []);
		return parseField(context, label, idSet, await findField(context, label, find(context)));
	};
	return {
		channel: filter('Channel Name or ID', 'channel', trimmedText, ''),
		groups: await ids('Group Names or IDs', 'groupIds', 'groups'),
		tags: await ids('Tag Names or IDs', 'tagIds', 'tags'),
	};
}

/** What one poll works with. */
export type Poll = Awaited<ReturnType<typeof pollOf>>;

/** Reads the parameters, and what was remembered. A tag that was deleted fails. @throws NodeOperationError when one is unusable */
export async function pollOf(context: RunContext<IPollFunctions>, staticData: IDataObject) {
	const name = parseField(context, 'Event', eventName, context.getNodeParameter('event', 'newCustomer'));
	const watch: Watch = EVENTS[name];
	// n8n gives no value for a parameter that is not shown.
	const filters = await filtersOf(context);
	const names = listed(context.getNodeParameter('fields', '')).map((one) => stringOf(one).trim());
	const fields = names.some(Boolean) ? names.filter(Boolean) : PROFILE_FIELDS;
	const choice: Choice = { channel: filters.channel, fields };
	if (watch.needs === 'group' || watch.needs === 'tag') {
		const given: unknown = context.getNodeParameter(`${watch.needs}Id`, '', { extractValue: true });
		choice.id = Number(parseField(context, watch.needs === 'tag' ? 'Tag' : 'Group', integerSegment, given));
		const path = { id: choice.id };
		const { title } = watch.needs === 'tag' ? await readRecord(context.api, 'GET /tags/{id}', { path }) : {};
		choice.title = comparableTitle(stringOf(title));
	}
	const { baseUrl } = await context.api.settings();
	// Tells what is read, so that the memory of something else does not count.
	const of = hash(name, baseUrl, filters.channel, fields, choice.id);
	return { context, name, watch, choice, filters, memory: readMemory(staticData, of) };
}

/** Whether a profile passes the filters for groups and tags. It asks the service if the record does not tell. */
export async function passesFilters({ context, filters }: Poll, { id, record }: News) {
	for (const name of ['groups', 'tags'] as const) {
		if (filters[name].length === 0) continue;
		const own = record[name];
		const isTold = Array.isArray(own) && own.every(isObject);
		const elements = isTold ? own : await wholeList(context.api, `${profileUrl(id)}/${name}`);
		const ids = objectsOf(elements).map((element) => recordId(element.id));
		if (!filters[name].some((wanted) => ids.includes(wanted))) return false;
	}
	return true;
}
