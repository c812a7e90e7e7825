import { type IDataObject, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { readRecord, wholeList } from '../api/records';
import { fieldError, parseField } from '../core/fieldError';
import { comparableTitle, idSet, integerSegment, listed, recordId } from '../values/ids';
import { isObject, objectsOf } from '../values/json';
import type { Parse } from '../values/parse';
import { absentValue, quote, stringOf, trimmedText } from '../values/text';
import { profileUrl, unlessDeleted } from './consent';
import { eventName } from './description';
import { type Choice, EVENTS, PROFILE_FIELDS, type Watch } from './events';
import { hash, type News } from './memory';

type Context = RunContext<IPollFunctions>;

/** Returns a name without capitals and separators: `custom_1` and *Custom 1* are one. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '');

/** Returns the fields that are meant: of the interface in whatever capitals, and of the account by their names. */
function fieldsOf(given: unknown): string[] {
	const names = listed(given).flatMap((name) => stringOf(name).trim() || []);
	const fields = names.map((name) => PROFILE_FIELDS.find((field) => plain(field) === plain(name)) ?? name);
	return [...new Set(fields.length > 0 ? fields : PROFILE_FIELDS)];
}

/**
 * Checks the names of fields against profiles, since a misspelt one would never start the workflow.
 *
 * @throws NodeOperationError when a name is no field of the interface, and none of the profiles has it
 */
export function requireFields(context: Context, { fields }: Choice, profiles: IDataObject[]): void {
	const known = new Set<string>([...PROFILE_FIELDS, ...profiles.flatMap((profile) => Object.keys(profile))]);
	const unknown = fields.find((field) => !known.has(field));
	if (unknown === undefined) return;
	const alike = [...known].find((field) => plain(field) === plain(unknown));
	const remedy = alike ? `Write it as ${alike}.` : 'Correct or remove it.';
	const message = `Fields contains "${quote(unknown)}", which no profile has`;
	const description = `${remedy} Profiles have these fields: ${[...known].join(', ')}.`;
	throw new NodeOperationError(context.getNode(), message, { description });
}

/** Reads the filters. One that is there and has no value, such as an expression that gives nothing, is an error. */
function filtersOf(context: Context) {
	const given: unknown = context.getNodeParameter('filters', {});
	const filter = <Value>(label: string, name: string, parse: Parse<Value>, none: Value) => {
		if (!isObject(given) || !(name in given)) return none;
		if (given[name] === undefined) throw fieldError(context, label, absentValue());
		return parseField(context, label, parse, given[name]);
	};
	return {
		channel: filter('Channel Name or ID', 'channel', trimmedText, ''),
		groups: filter('Group Names or IDs', 'groupIds', idSet, []),
		tags: filter('Tag Names or IDs', 'tagIds', idSet, []),
	};
}

/** What the node looks at. */
export type Settings = Awaited<ReturnType<typeof settingsOf>>;

/** Reads the parameters. A tag that was deleted fails. @throws NodeOperationError when one is unusable */
export async function settingsOf(context: Context) {
	const name = parseField(context, 'Event', eventName, context.getNodeParameter('event', 'newCustomer'));
	const watch: Watch = EVENTS[name];
	const { needs } = watch;
	const filters = watch.isOfProfiles ? filtersOf(context) : { channel: '', groups: [], tags: [] };
	const fields = fieldsOf(needs === 'fields' ? context.getNodeParameter('fields', '') : '');
	const choice: Choice = { channel: filters.channel, fields };
	if (needs === 'group' || needs === 'tag') {
		const given: unknown = context.getNodeParameter(`${needs}Id`, '', { extractValue: true });
		choice.id = Number(parseField(context, needs === 'tag' ? 'Tag' : 'Group', integerSegment, given));
		const path = { id: choice.id };
		const { title } = needs === 'tag' ? await readRecord(context.api, 'GET /tags/{id}', { path }) : {};
		choice.title = comparableTitle(stringOf(title));
	}
	const { baseUrl } = await context.api.settings();
	// Tells what is read, so that the memory of something else does not count.
	const of = hash(name, baseUrl, filters.channel, fields, choice.id);
	return { name, watch, choice, filters, of };
}

/** Whether a profile passes the filters for groups and tags. It asks the service if the record does not tell. */
export async function passesFilters(context: Context, { id, record }: News, { filters }: Settings) {
	for (const name of ['groups', 'tags'] as const) {
		if (filters[name].length === 0) continue;
		const own = record[name];
		const isTold = Array.isArray(own) && own.every(isObject);
		const read = async () => await wholeList(context.api, `${profileUrl(id)}/${name}`);
		const elements = objectsOf(isTold ? own : await unlessDeleted(context, id, name, read()));
		const ids = elements.map((element) => recordId(element.id));
		if (!filters[name].some((wanted) => ids.includes(wanted))) return false;
	}
	return true;
}
