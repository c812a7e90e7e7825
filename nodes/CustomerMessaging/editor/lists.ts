import { type IDataObject, isExpression } from 'n8n-workflow';

import type { EditorContext } from '../api/client';
import type { Endpoint } from '../contract/endpoints';
import {
	isApproved,
	templateLanguage,
	templateName,
	templateStatus,
	templateValue,
} from '../messages/template/templateChoice';
import { NAMES } from '../fields/byName';
import { numberOf } from '../fields/byPhone';
import { PHONE } from '../core/displayedFields';
import { BEGINNING, type PagedList, pagesOf, type Position, unreadableList } from '../api/pages';
import { storedDigits } from '../values/phoneNumber';
import { recordId } from '../values/ids';
import { isObject, ownMember } from '../values/json';
import { isBlank, stringOf } from '../values/text';

type ListEndpoint = Endpoint & `GET ${string}`;

export interface TenantList {
	endpoint: ListEndpoint;
	query?: Record<string, string>;
	/** Returns the values of the path parameters; undefined if they are not chosen yet. */
	path?: (context: EditorContext) => Record<string, string> | undefined;
	/** Whether the interface has `search` and `per_page` for the list. Otherwise the node searches all of its pages. */
	isSearchable?: boolean;
	/** A list with a search that finds the same people, if its records name them. */
	searchedBy?: TenantList;
	/** Returns the label of the record; undefined if it has none. Records with equal labels get their values too. */
	label: (record: IDataObject) => string | undefined;
	value: (record: IDataObject) => string | number | undefined;
}

/** Returns the first of these members that holds a text or a number, as text. The interface shows records only in part. */
const firstText = (record: IDataObject, names: readonly string[]) =>
	names.map((name) => stringOf(record[name])).find((one) => !isBlank(one));

/** Returns the phone number of a person with a plus, so that it does not look like an ID; undefined if there is none. */
function shownNumber(record: IDataObject): string | undefined {
	const { channel = 'chatapp', display_id: id } = record;
	const digits = storedDigits(numberOf(record) ?? (channel === 'chatapp' ? id : undefined));
	return digits && `+${digits}`;
}

/** Makes a list whose entries show a name, and what the sign returns, or else the ID where names are equal. */
const byName = (
	endpoint: ListEndpoint,
	names: string[],
	sign?: (record: IDataObject) => string | undefined,
): TenantList => ({
	endpoint,
	label: (record) => {
		const name = firstText(record, names);
		const mark = sign?.(record);
		if (name === undefined || name === mark) return mark ?? (name || stringOf(record.id));
		return sign ? `${name} (${mark ?? stringOf(record.id)})` : name;
	},
	value: ({ id }) => recordId(id),
});

const byMember = (endpoint: ListEndpoint, member: string, ...names: string[]): TenantList => ({
	endpoint,
	label: (record) => firstText(record, [...names, member]),
	value: (record) => firstText(record, [member]),
});

/** Returns the chosen profile as a path parameter, unless it is given by its phone number. */
function profilePath(context: EditorContext) {
	const given = context.getCurrentNodeParameter('profileId');
	const profileId = stringOf(ownMember(given, 'value') ?? given);
	return /^\d+$/.test(profileId) && ownMember(given, 'mode') !== PHONE ? { profileId } : undefined;
}

const join = (...words: Array<string | undefined>) => words.filter(Boolean).join(' · ') || undefined;

/** Makes the list of templates, each in one language, which people choose by its name. */
export const templatesIn = (languages: ReadonlyMap<string, string>): TenantList => ({
	endpoint: 'GET /templates',
	label: (template) => {
		const [name, code, status] = [templateName, templateLanguage, templateStatus].map((of) => of(template));
		const told = isApproved(status) ? undefined : status.toLowerCase();
		return name === '' ? undefined : join(name, languages.get(code) ?? code, told);
	},
	value: (template) => templateValue(templateName(template), templateLanguage(template)),
});

const codeOf = (record: IDataObject) => firstText(record, ['code']);

const numberOrId = (record: IDataObject) => shownNumber(record) ?? firstText(record, ['display_id']);

const agents = byName('GET /agents', NAMES.agents, numberOrId);

const profiles: TenantList = {
	...byName('GET /profiles', ['name'], (record) => shownNumber(record) ?? firstText(record, ['email'])),
	isSearchable: true,
};

export const lists = {
	activities: {
		...byName('GET /profiles/{profileId}/activities', ['type'], () => undefined),
		path: profilePath,
	},
	activityTypes: byMember('GET /support/activity-types', 'type', 'label'),
	agents,
	channels: byMember('GET /support/channels', 'channel', 'label'),
	/** Only agents of the chat app can send templates. */
	chatAppAgents: { ...agents, query: { channel: 'chatapp' } },
	customers: {
		...byName('GET /customers', ['name'], numberOrId),
		/** The interface does not document `customer_id`. */
		searchedBy: { ...profiles, value: ({ customer_id }) => recordId(customer_id) },
	},
	groups: byName('GET /groups', NAMES.groups),
	/** The files behind the media library, with the kind of each. */
	headerFiles: {
		...byMember('GET /media', 'internal_uuid'),
		label: (record) => join(firstText(record, ['title', 'filename', 'name']), firstText(record, ['type'])),
	},
	media: byName('GET /media', ['title', 'filename', 'name']),
	notifications: byMember('GET /me/notifications', 'uuid', 'title', 'message', 'text', 'type'),
	profiles,
	tags: byName('GET /tags', NAMES.tags),
	templateLanguages: {
		endpoint: 'GET /support/chatapp-template-languages',
		label: (record) => join(...new Set([firstText(record, ['language']), codeOf(record)])),
		value: codeOf,
	},
	users: byName('GET /users', NAMES.users, (record) => firstText(record, ['email'])),
} satisfies Record<string, TenantList>;

/** An entry of a list in the editor. */
export type Option = { name: string; value: string | number };

/** Makes an entry that tells something. Its value is none, so that it cannot be used by mistake. */
export const note = (name: string): Option => ({ name, value: '' });

/** Makes the option of a record; undefined if it has no name or value. */
export function optionOf(list: TenantList, record: unknown): Option | undefined {
	const [name, value] = isObject(record) ? [list.label(record), list.value(record)] : [];
	return name === undefined || value === undefined ? undefined : { name, value };
}

/**
 * Makes the options of records. A last one tells of records without a name or a value, because the list would look complete
 * without them.
 *
 * @throws Failure when there is no other record
 */
export function optionsOf(list: TenantList, records: unknown[]): Option[] {
	const options = records.flatMap((record) => optionOf(list, record) ?? []);
	const missing = records.length - options.length;
	if (missing === 0) return options;
	if (options.length === 0) throw unreadableList();
	return [...options, note(`${missing.toLocaleString('en')} more without a name or an ID cannot be listed`)];
}

/** Makes a label of which n8n makes no expression. It stores labels with the workflow, and computes what begins with `=`. */
export const literal = (label: string): string => (isExpression(label) ? ` ${label}` : label);

/** Maximum number of requests for one list. */
const MAX_REQUESTS = 100;

/** Reads the records of a list, with so many requests at most, and tells what comes after them. */
export async function readList(
	{ api }: EditorContext,
	list: PagedList,
	requests = MAX_REQUESTS,
	from = BEGINNING,
): Promise<{ records: unknown[]; next?: Position }> {
	const records: unknown[] = [];
	for await (const { records: page, next } of pagesOf(api, list, from)) {
		records.push(...page);
		// If it is not known how the list goes on, reading on says so.
		if (--requests <= 0 && typeof next !== 'string') return { records, next };
	}
	return { records };
}
