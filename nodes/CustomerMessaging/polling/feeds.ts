import { type IDataObject, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { PAGE_SIZE, type PagedList } from '../transport/pages';
import { recordId, type RecordId } from '../values/ids';
import { isObject } from '../values/json';
import { cut, shown, stringOf } from '../values/text';
import { markOf, type Place } from './pollState';
import { CHANGED, CREATED, timeMember, timeOf, writtenTime } from './times';

/** The events of the node, by the names that workflows store. */
export type EventName = 'newCustomer' | 'profileChanged' | 'consentChanged' | 'newNotification';

/** The list of the tenant in which an event shows. */
export interface Feed {
	list: PagedList;
	/** Name of the record for people. */
	noun: string;
	/** Member with the key of a record. */
	id: 'id' | 'uuid';
	/** Whether the interface lets a client choose the order. */
	isSortable: boolean;
	/** Returns the member that orders the records; undefined if they have none. */
	memberOf: (records: IDataObject[]) => string | undefined;
	/** Members with the time of the event. */
	times: string[];
	/** Members whose value tells two states of a record apart. */
	content: readonly string[];
	/** What a person can do if the list is too long to compare. */
	remedy: string;
}

/** A record of a feed with its place in it. */
export interface FeedRecord extends Place {
	record: IDataObject;
	id: RecordId;
	/** The ID as the tenant writes it, for the path of a request. `007` and 7 are one ID, but not one path. */
	writtenId: string;
	/** The time of the event in milliseconds since 1970, if the tenant tells it. */
	time?: number;
	/** One for the record and its state. Before it, one for the record alone, if it may be new rather than changed. */
	marks: string[];
}

/** The fields of a profile that the interface documents. */
export const PROFILE_FIELDS = [
	...(['name', 'phone_number', 'email', 'date_of_birth', 'address'] as const),
	...(['custom_1', 'custom_2', 'custom_3', 'custom_4', 'custom_5', 'marketing_opt_in'] as const),
] as const;

/** Returns a name without capitals and separators: `custom_1` and *Custom 1* are one. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '');

/** Returns the field of the interface that a name means, in whatever capitals; otherwise the name, a field of the tenant's own. */
export const fieldOf = (name: string): string =>
	PROFILE_FIELDS.find((field) => plain(field) === plain(name)) ?? name;

/**
 * Checks the names of fields against profiles, since a misspelt one would never start the workflow.
 *
 * @throws NodeOperationError when a name is no field of the interface, and none of the profiles has it
 */
export function requireFields(
	context: IPollFunctions,
	fields: readonly string[],
	profiles: IDataObject[],
): void {
	const members = new Set<string>(profiles.flatMap((profile) => Object.keys(profile)));
	const known = new Set<string>([...PROFILE_FIELDS, ...members]);
	const unknown = fields.find((field) => !known.has(field));
	if (unknown === undefined || profiles.length === 0) return;
	const alike = [...known].find((field) => plain(field) === plain(unknown));
	throw new NodeOperationError(
		context.getNode(),
		`Fields contains "${shown(unknown)}", which no profile has`,
		{
			description: `${alike ? `Write it as ${alike}.` : 'Correct or remove it.'} Profiles have these fields: ${cut([...known].join(', '), MAX_SHOWN)}.`,
		},
	);
}

const MAX_SHOWN = 500;

/** Numbers order the records if most have one. The others are left out then, see `feedRecord`. */
const byNumber = (records: IDataObject[]) =>
	records.filter(({ id }) => typeof recordId(id) === 'number').length * 2 > records.length ? 'id' : undefined;

/** Returns the list in which an event shows: of a channel, or of all if it is empty. The fields tell states of a profile apart. */
export function feedOf(event: EventName, channel: string, fields: readonly string[]): Feed {
	if (event === 'newNotification') {
		return {
			list: { url: '/me/notifications' },
			noun: 'notification',
			id: 'uuid',
			isSortable: false,
			memberOf: (records) => timeMember(records, CREATED),
			times: CREATED,
			content: [],
			remedy: 'Ask the operator of the tenant for a field such as created_at.',
		};
	}
	// A new customer always has a profile, and only the list of profiles can be sorted.
	const isNew = event === 'newCustomer';
	const times = isNew ? CREATED : CHANGED;
	return {
		list: { url: '/profiles', perPage: PAGE_SIZE, ...(channel !== '' && { qs: { channel } }) },
		noun: isNew ? 'customer' : 'profile',
		id: 'id',
		isSortable: true,
		memberOf: isNew ? byNumber : (records) => timeMember(records, times),
		times,
		content: isNew ? [] : event === 'consentChanged' ? ['marketing_opt_in'] : fields,
		remedy: `Limit the trigger to a channel, or ask the operator of the tenant for ${isNew ? 'numbers as IDs' : 'a field such as updated_at'}.`,
	};
}

/** Whether a record that was not known is new, and not changed. */
export const isNew = ({ marks }: FeedRecord, seen: Set<string>) => marks.length > 1 && !seen.has(marks[0]);

/**
 * Finds the place of a record. Undefined if it has no ID, or a text where numbers order the list: nothing tells it from
 * others, or whether it is new.
 *
 * @param member the member that orders the records; empty if there is none
 * @param since the key from which on records are new since the last poll
 */
export function feedRecord(feed: Feed, member: string, value: unknown, since = 0): FeedRecord | undefined {
	const id = isObject(value) ? recordId(value[feed.id]) : undefined;
	if (!isObject(value) || id === undefined || (member === 'id' && typeof id !== 'number')) return undefined;
	const given = member === 'id' ? Number(id) : timeOf(value[member]);
	const key = given !== undefined && given > 0 ? given : 0;
	const content = feed.content.map((name) => value[name] ?? null);
	const created = timeOf(writtenTime(value, CREATED));
	// A record that was never changed may have no time of change.
	const mayBeNew = member === '' || (given === undefined ? Number(created) >= since : created === given);
	const marks = mayBeNew || content.length === 0 ? [markOf(id)] : [];
	if (content.length > 0) marks.push(markOf(id, given, content));
	const writtenId = stringOf(value[feed.id]).trim();
	return { record: value, id, writtenId, key, time: timeOf(writtenTime(value, feed.times)), marks };
}

/** Finds the places of the records of a page. Those without one are left out. */
export const feedRecords = (feed: Feed, member: string, records: unknown[]): FeedRecord[] =>
	records.flatMap((record) => feedRecord(feed, member, record) ?? []);
