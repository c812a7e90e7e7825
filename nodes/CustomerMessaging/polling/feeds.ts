import { type IDataObject, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { PAGE_SIZE, type PagedList } from '../api/pages';
import { comparableTitle, recordId, type RecordId } from '../values/ids';
import { isObject } from '../values/json';
import { quote, stringOf } from '../values/text';
import { markOf, type Place } from './pollState';
import { CHANGED, CREATED, timeMember, timeOf, writtenTime } from './times';

export type EventName =
	| 'consentChanged'
	| 'joinedGroup'
	| 'newCustomer'
	| 'newNotification'
	| 'profileChanged'
	| 'tagAdded'
	| 'templateStatus';

export const PROFILE_EVENTS: EventName[] = ['newCustomer', 'profileChanged', 'consentChanged', 'tagAdded'];

export interface FeedChoice {
	channel: string;
	fields: readonly string[];
	group?: RecordId;
	tag?: { id: RecordId; title: string };
}

/** The list of the tenant in which an event shows. */
export interface Feed {
	list: PagedList;
	noun: string;
	/** Returns the ID of a record as the tenant wrote it. */
	idOf: (record: IDataObject) => unknown;
	/** Whether the interface lets a client choose the order. */
	isSortable: boolean;
	memberOf: (records: IDataObject[]) => string | undefined;
	times: string[];
	content: (record: IDataObject) => unknown[];
	remedy: string;
	/** Whether a record shows what the event is about, and what is missing if none does. */
	shows?: { isIn: (record: IDataObject) => boolean; what: string };
	/** Whether a record is one of those whose coming is the event; all are if it is undefined. */
	includes?: (record: IDataObject) => boolean;
	more?: (record: IDataObject) => IDataObject;
}

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
		`Fields contains "${quote(unknown)}", which no profile has`,
		{
			description: `${alike ? `Write it as ${alike}.` : 'Correct or remove it.'} Profiles have these fields: ${[...known].join(', ')}.`,
		},
	);
}

/** Numbers order the records if most have one. The others are left out then, see `feedRecord`. */
const byNumber = (records: IDataObject[]) =>
	records.filter(({ id }) => typeof recordId(id) === 'number').length * 2 > records.length ? 'id' : undefined;

const NO_CONTENT = () => [];

const idOf = ({ id }: IDataObject) => id;

/** A list of profiles that is compared as a whole with who was in it before. */
const COMPARED = {
	...{ noun: 'profile', idOf, isSortable: false },
	...{ memberOf: () => undefined, times: [], content: NO_CONTENT },
};

/** Whether a profile has a tag. Some tenants show the tags with their IDs, others only the titles, as in an import. */
function hasTag({ tags }: IDataObject, { id, title }: NonNullable<FeedChoice['tag']>): boolean {
	const elements: unknown[] = Array.isArray(tags) ? tags : stringOf(tags).split(',');
	return elements.some((tag) =>
		isObject(tag) || typeof tag === 'number'
			? recordId(isObject(tag) ? tag.id : tag) === id
			: comparableTitle(stringOf(tag)) === title,
	);
}

const statusOf = ({ status, template_status }: IDataObject) =>
	stringOf(status ?? template_status)
		.trim()
		.toLowerCase();

/** Returns how the review of a template has ended; undefined if it has not. */
const decisionOf = (template: IDataObject) => /^(approved|rejected)\b/.exec(statusOf(template))?.[1];

/** Returns the list in which an event shows, and how it does. */
export function feedOf(event: EventName, { channel, fields, group, tag }: FeedChoice): Feed {
	const profiles = { url: '/profiles', perPage: PAGE_SIZE, ...(channel !== '' && { qs: { channel } }) };
	if (event === 'newNotification') {
		return {
			list: { url: '/me/notifications' },
			noun: 'notification',
			idOf: ({ uuid }) => uuid,
			isSortable: false,
			memberOf: (records) => timeMember(records, CREATED),
			times: CREATED,
			content: NO_CONTENT,
			remedy: 'Ask the operator of the service for a field such as created_at.',
		};
	}
	if (event === 'templateStatus') {
		return {
			...COMPARED,
			list: { url: '/templates' },
			noun: 'template',
			idOf: ({ id, name, language }) => id ?? `${stringOf(name)} ${stringOf(language)}`,
			content: (template) => [decisionOf(template)],
			remedy: 'Delete templates that nobody needs.',
			shows: { isIn: (template) => statusOf(template) !== '', what: 'their status' },
			includes: (template) => decisionOf(template) !== undefined,
			more: (template) => ({ status: decisionOf(template) }),
		};
	}
	if (group !== undefined) {
		return {
			...COMPARED,
			list: { url: `/groups/${encodeURIComponent(group)}/profiles` },
			remedy: 'Choose a group of fewer profiles.',
			more: () => ({ group_id: group }),
		};
	}
	if (tag !== undefined) {
		return {
			...COMPARED,
			list: profiles,
			remedy: 'Choose a tag that fewer profiles have, or limit the trigger to a channel.',
			shows: { isIn: ({ tags }) => tags !== undefined, what: 'their tags' },
			includes: (profile) => hasTag(profile, tag),
			more: () => ({ tag_id: tag.id }),
		};
	}
	// A new customer always has a profile, and only the list of profiles can be sorted.
	const isNew = event === 'newCustomer';
	const times = isNew ? CREATED : CHANGED;
	const names = isNew ? [] : event === 'consentChanged' ? ['marketing_opt_in'] : fields;
	return {
		list: profiles,
		noun: isNew ? 'customer' : 'profile',
		idOf,
		isSortable: true,
		memberOf: isNew ? byNumber : (records) => timeMember(records, times),
		times,
		content: (profile) => names.map((name) => profile[name] ?? null),
		remedy: `Limit the trigger to a channel, or ask the operator of the service for ${isNew ? 'numbers as IDs' : 'a field such as updated_at'}.`,
	};
}

/** Whether a record that was not known is new, and not changed. */
export const isNew = ({ marks }: FeedRecord, seen: Set<string>) => marks.length > 1 && !seen.has(marks[0]);

/**
 * Finds the place of a record. Undefined if it has no ID, or a text where numbers order the list.
 *
 * @param member the member that orders the records; empty if there is none
 */
export function feedRecord(feed: Feed, member: string, value: unknown): FeedRecord | undefined {
	const id = isObject(value) ? recordId(feed.idOf(value)) : undefined;
	if (!isObject(value) || id === undefined || (member === 'id' && typeof id !== 'number')) return undefined;
	const given = member === 'id' ? Number(id) : timeOf(value[member]);
	const key = given !== undefined && given > 0 ? given : 0;
	const content = feed.content(value);
	const created = timeOf(writtenTime(value, CREATED));
	const mayBeNew = member === '' || created === given;
	const marks = mayBeNew || content.length === 0 ? [markOf(id)] : [];
	if (content.length > 0) marks.push(markOf(id, given, content));
	const writtenId = stringOf(feed.idOf(value)).trim();
	return { record: value, id, writtenId, key, time: timeOf(writtenTime(value, feed.times)), marks };
}

/** Whether a record is one that an event is about. */
export const isMeant = ({ includes }: Feed, record: unknown) =>
	includes === undefined || (isObject(record) && includes(record));

/** Finds the places of the records of a page that are meant. Those without a place are left out. */
export const feedRecords = (feed: Feed, member: string, records: unknown[]): FeedRecord[] =>
	records.filter((one) => isMeant(feed, one)).flatMap((record) => feedRecord(feed, member, record) ?? []);
