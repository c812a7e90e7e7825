import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { Failure } from '../api/errors';
import { PAGE_SIZE, type PagedList, pagesOf } from '../api/pages';
import { readRecord } from '../api/records';
import { comparableTitle, recordId, type RecordId } from '../values/ids';
import { isObject, objectsOf } from '../values/json';
import { numericOf } from '../values/numbers';
import { stringOf } from '../values/text';
import { hash, type Memory, timeOf } from './memory';

interface ConsentChange {
	time: number;
	event: IDataObject;
}

/** The activities that a change of consent generates ("Events" 2 of the interface). */
const TYPES = ['marketing_opt_out', 'marketing_opt_in'];

/** Whether the service refuses this one request. After 401, 408 and 429, another request would fare no better. */
export const isRefusal = (error: unknown) =>
	error instanceof Failure && /^(4(?!01|08|29)\d\d|501)$/.test(String(error.told.status));

export const profileUrl = (id: RecordId) => `/profiles/${encodeURIComponent(id)}`;

const changeTo = (isIn: boolean, at: unknown, activity?: unknown): ConsentChange => ({
	time: timeOf(at) ?? 0,
	event: { is_opted_in: isIn, at, ...(activity !== undefined && { activity_id: activity }) } as IDataObject,
});

async function lastChanges({ api }: RunContext, id: RecordId): Promise<ConsentChange[]> {
	const last = await readRecord(api, 'GET /profiles/{id}/marketing-opt-in', { id });
	return [changeTo(false, last.latest_opt_out_at), changeTo(true, last.latest_opt_in_at)];
}

/** Reads the changes since a time from the activities; undefined if the service does not tell their times. */
async function activitiesSince({ api }: RunContext, id: RecordId, since: number) {
	const changes: ConsentChange[] = [];
	for await (const { records } of pagesOf(api, { url: `${profileUrl(id)}/activities` })) {
		const all = objectsOf(records);
		const times = all.map(({ created_at: at }) => timeOf(at) ?? 0);
		const own = all.filter(({ type }) => TYPES.includes(stringOf(type)));
		changes.push(...own.map((one) => changeTo(one.type === TYPES[1], one.created_at, one.id)));
		if (changes.some(({ time }) => time === 0)) return undefined;
		const isFalling = times.every((time, index) => index === 0 || time <= times[index - 1]);
		if (isFalling && (times.at(-1) ?? 0) < since) break;
	}
	return changes;
}

/** Returns the changes of consent of a profile that are new and not known, the oldest first. */
async function consentChanges(context: RunContext, memory: Memory, id: RecordId) {
	const { by, known, floor = 0 } = memory;
	const activities = await activitiesSince(context, id, floor).catch((error: unknown) =>
		isRefusal(error) ? undefined : Promise.reject(error),
	);
	const all = activities ?? (await lastChanges(context, id));
	// Activities of the same moment come in the order of their IDs.
	const idOf = ({ event }: ConsentChange) => numericOf(event.activity_id) || 0;
	const counted = all.filter(({ time }) => time > 0 && time >= floor);
	counted.sort((a, b) => a.time - b.time || idOf(a) - idOf(b));
	// Without a time of the profile, only its last change can be the new one.
	return counted.slice(by === '' ? -1 : 0).filter(({ time, event }) => {
		const mark = hash(id, event.is_opted_in, event.activity_id ?? time);
		const isNew = !known.has(mark);
		known.set(mark, { key: by === '' ? 0 : time, print: '' });
		return isNew;
	});
}

/** What the parameters of a node choose: the ID and the title are of a group or a tag. */
export interface Choice {
	channel: string;
	fields: string[];
	id?: RecordId;
	title?: string;
}

/** One event: in which list it shows, and which difference between two polls it is. */
export interface Watch {
	words: readonly [label: string, description: string];
	/** What a record is, for people. */
	noun: string;
	/** The parameter that says what it is about. */
	needs?: 'fields' | 'group' | 'tag';
	list: (choice: Choice) => PagedList;
	/** Whether the list is that of all profiles, which can be filtered and sorted. */
	isOfProfiles?: boolean;
	/** What tells new records from old ones. Without it, or where no record shows it, the whole list is compared. */
	by?: 'created_at' | 'id' | 'updated_at';
	/** Which records count, and what they show: if none did, the workflow would never start, without a word. */
	counts?: (record: IDataObject, choice: Choice) => boolean;
	shows?: readonly [what: string, isIn: (record: IDataObject) => boolean];
	/** What is compared, so that its changes start the workflow; without it, only coming does. */
	compares?: (record: IDataObject, choice: Choice) => IDataObject;
	/** Whether a record that comes starts the workflow, if not each one does. */
	comes?: (record: IDataObject) => boolean;
	/** Whether a record that has left the list and comes back has come. */
	forgets?: true;
	/** Finds the events that a difference stands for. Without it, each is one event. */
	expand?: typeof consentChanges;
}

export const PROFILE_FIELDS = [
	...['name', 'phone_number', 'email', 'date_of_birth', 'address', 'marketing_opt_in'],
	...['custom_1', 'custom_2', 'custom_3', 'custom_4', 'custom_5'],
];

/** Whether a profile has a tag. Some accounts show the tags with their IDs, others only the titles, as in an import. */
const hasTag = ({ tags }: IDataObject, { id, title }: Choice) =>
	(Array.isArray(tags) ? tags : stringOf(tags).split(',')).some((tag: unknown) =>
		isObject(tag) || typeof tag === 'number'
			? recordId(isObject(tag) ? tag.id : tag) === id
			: comparableTitle(stringOf(tag)) === title,
	);

const wordOf = (template: IDataObject, name: 'category' | 'status') =>
	stringOf(template[name] ?? template[`template_${name}`]).trim();

const profiles = {
	noun: 'profile',
	list: ({ channel }: Choice): PagedList => {
		return { url: '/profiles', perPage: PAGE_SIZE, qs: channel === '' ? {} : { channel } };
	},
	isOfProfiles: true,
};

/** The events, in the order of the editor. Another one is one more row, and its place in the documents. */
export const EVENTS = {
	joinedGroup: {
		words: ['Group Joined', 'A profile was added to the group'],
		noun: 'profile',
		needs: 'group',
		list: ({ id = '' }) => ({ url: `/groups/${encodeURIComponent(id)}/profiles` }),
		forgets: true,
	},
	consentChanged: {
		...profiles,
		words: ['Marketing Consent Changed', 'A person has given or withdrawn the consent to marketing messages'],
		by: 'updated_at',
		compares: ({ marketing_opt_in: isIn, updated_at: at }) => ({ in: isIn, at: timeOf(at) }),
		expand: consentChanges,
	},
	newCustomer: {
		...profiles,
		words: ['New Customer', 'A customer was created, with a profile'],
		// A new customer always has a profile, and only the list of profiles can be sorted.
		noun: 'customer',
		by: 'id',
	},
	newNotification: {
		words: ['New Notification', 'The user behind the access token has a new notification'],
		noun: 'notification',
		list: () => ({ url: '/me/notifications' }),
		by: 'created_at',
	},
	profileChanged: {
		...profiles,
		words: ['Profile Changed', 'Fields of a profile have changed'],
		needs: 'fields',
		by: 'updated_at',
		compares: (profile, { fields }) =>
			Object.fromEntries(fields.flatMap((name) => (profile[name] == null ? [] : [[name, profile[name]]]))),
		// One whose times are equal is new.
		comes: ({ updated_at: at, created_at: from }) => timeOf(at) !== undefined && timeOf(at) !== timeOf(from),
	},
	tagAdded: {
		...profiles,
		words: ['Tag Added', 'A profile got the tag'],
		needs: 'tag',
		counts: hasTag,
		shows: ['their tags', ({ tags }) => tags !== undefined],
		forgets: true,
	},
	templateChanged: {
		words: ['Template Changed', 'The status or the category of a template has changed'],
		noun: 'template',
		list: () => ({ url: '/templates' }),
		compares: (template) => ({ status: wordOf(template, 'status'), category: wordOf(template, 'category') }),
		shows: ['their status or category', (one) => wordOf(one, 'status') + wordOf(one, 'category') !== ''],
		// A new one that was already decided on has changed since it was written.
		comes: (template) => /^(approved|rejected)\b/i.test(wordOf(template, 'status')),
	},
} satisfies Record<string, Watch>;

export type EventName = keyof typeof EVENTS;
