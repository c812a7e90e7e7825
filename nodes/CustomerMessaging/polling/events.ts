import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE, type PagedList } from '../api/pages';
import { comparableTitle, recordId, type RecordId } from '../values/ids';
import { isObject } from '../values/json';
import { stringOf } from '../values/text';
import { consentChanges } from './consent';
import { CHANGED, CREATED, timeOf, writtenTime } from './times';

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
	/** What a record is, for people, and what helps where there are more than can be compared. */
	noun: string;
	remedy: string;
	/** The parameter that says what it is about. */
	needs?: 'fields' | 'group' | 'tag';
	list: (choice: Choice) => PagedList;
	/** Whether the list is that of all profiles, which can be filtered and sorted. */
	isOfProfiles?: boolean;
	/** What tells new records from old ones: their number, or these times. Where none is shown, the whole list is compared. */
	by?: 'id' | 'time';
	times?: string[];
	/** Which records count, and what they show: if none did, the workflow would never start, without a word. */
	counts?: (record: IDataObject, choice: Choice) => boolean;
	shows?: readonly [what: string, isIn: (record: IDataObject) => boolean];
	/** What is compared; without it, only coming and going counts. */
	compares?: (record: IDataObject, choice: Choice) => IDataObject;
	/** What starts the workflow: records that come, changes, and records that the service has no longer (404), by their path. */
	comes?: (record: IDataObject) => boolean;
	changes?: true;
	goes?: (id: RecordId) => string;
	/** Whether a record that has left the list and comes back has come. */
	forgets?: true;
	/** Finds the events that a difference stands for. Without it, each is one event. */
	expand?: typeof consentChanges;
}

export const PROFILE_FIELDS = [
	...(['name', 'phone_number', 'email', 'date_of_birth', 'address'] as const),
	...(['custom_1', 'custom_2', 'custom_3', 'custom_4', 'custom_5', 'marketing_opt_in'] as const),
] as const;

/** Whether a profile has a tag. Some accounts show the tags with their IDs, others only the titles, as in an import. */
const hasTag = ({ tags }: IDataObject, { id, title }: Choice) =>
	(Array.isArray(tags) ? tags : stringOf(tags).split(',')).some((tag: unknown) =>
		isObject(tag) || typeof tag === 'number'
			? recordId(isObject(tag) ? tag.id : tag) === id
			: comparableTitle(stringOf(tag)) === title,
	);

/** Whether a profile has changed since it was new. */
function isChanged(profile: IDataObject): boolean {
	const [changed, created] = [CHANGED, CREATED].map((names) => timeOf(writtenTime(profile, names)));
	return changed !== undefined && changed !== created;
}

const statusOf = ({ status, template_status: other }: IDataObject) => stringOf(status ?? other).trim();
const categoryOf = ({ category, template_category: other }: IDataObject) =>
	stringOf(category ?? other).trim();

const profiles = {
	noun: 'profile',
	list: ({ channel }: Choice): PagedList => ({
		...{ url: '/profiles', perPage: PAGE_SIZE },
		...(channel !== '' && { qs: { channel } }),
	}),
	isOfProfiles: true,
	remedy:
		'Limit the trigger to a channel, or ask the operator of the service for a field such as updated_at.',
};

/** The events, in the order of the editor. Another one is one more row, and its place in the documents. */
export const EVENTS = {
	joinedGroup: {
		words: ['Joined a Group', 'A profile was added to the group'],
		noun: 'profile',
		needs: 'group',
		list: ({ id = '' }) => ({ url: `/groups/${encodeURIComponent(id)}/profiles` }),
		comes: () => true,
		forgets: true,
		remedy: 'Choose a group of fewer profiles.',
	},
	consentChanged: {
		...profiles,
		words: ['Marketing Consent Changed', 'A person has given or withdrawn the consent to marketing messages'],
		by: 'time',
		times: CHANGED,
		compares: (profile) => ({ in: profile.marketing_opt_in, at: writtenTime(profile, CHANGED) }),
		comes: () => true,
		changes: true,
		expand: consentChanges,
	},
	newCustomer: {
		...profiles,
		words: ['New Customer', 'A customer was created, with a profile'],
		// A new customer always has a profile, and only the list of profiles can be sorted.
		noun: 'customer',
		by: 'id',
		times: CREATED,
		comes: () => true,
		remedy: 'Limit the trigger to a channel, or ask the operator of the service for numbers as IDs.',
	},
	newNotification: {
		words: ['New Notification', 'The user behind the access token has a new notification'],
		noun: 'notification',
		list: () => ({ url: '/me/notifications' }),
		by: 'time',
		times: CREATED,
		comes: () => true,
		remedy: 'Ask the operator of the service for a field such as created_at.',
	},
	profileChanged: {
		...profiles,
		words: ['Profile Changed', 'Fields of a profile have changed'],
		needs: 'fields',
		by: 'time',
		times: CHANGED,
		compares: (profile, { fields }) =>
			Object.fromEntries(fields.flatMap((name) => (profile[name] == null ? [] : [[name, profile[name]]]))),
		comes: isChanged,
		changes: true,
	},
	tagAdded: {
		...profiles,
		words: ['Tag Added', 'A profile got the tag'],
		needs: 'tag',
		counts: hasTag,
		shows: ['their tags', ({ tags }) => tags !== undefined],
		comes: () => true,
		forgets: true,
		remedy: 'Choose a tag that fewer profiles have, or limit the trigger to a channel.',
	},
	templateChanged: {
		words: ['Template Changed', 'The status or the category of a template has changed'],
		noun: 'template',
		list: () => ({ url: '/templates' }),
		compares: (template) => ({ status: statusOf(template), category: categoryOf(template) }),
		shows: ['their status or category', (template) => statusOf(template) + categoryOf(template) !== ''],
		// A new one that was already decided on has changed since it was written.
		comes: (template) => /^(approved|rejected)\b/i.test(statusOf(template)),
		changes: true,
		remedy: 'Delete templates that nobody needs.',
	},
} satisfies Record<string, Watch>;

export type EventName = keyof typeof EVENTS;
