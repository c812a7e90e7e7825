import type { EditorContext } from '../api/client';
import { type IDataObject, type INodePropertyOptions, isExpression, UserError } from 'n8n-workflow';

import type { Answered, Endpoint } from '../contract/endpoints';
import { templateValue } from '../messages/template/templateChoice';
import {
	isApproved,
	templateLanguage,
	templateName,
	templateStatus,
} from '../messages/template/templateRecord';
import { profileByPhone } from '../fields/byPhone';
import { numberOf } from '../fields/profileSearch';
import { PHONE } from '../core/displayedFields';
import { pagesOf, unreadableList } from '../api/pages';
import { InvalidValue, orUndefinedIfInvalid } from '../values/parse';
import { phoneDigits, storedDigits } from '../values/phoneNumber';
import { recordId } from '../values/ids';
import { isObject, objectsOf, ownMember } from '../values/json';
import { stringOf } from '../values/text';

type ListEndpoint = Endpoint & `GET ${string}`;

/** A record of a list. Its values are `unknown`, because a tenant may send other values. */
type Listed = Partial<Record<string, unknown>>;

export interface TenantList {
	endpoint: ListEndpoint;
	query?: Record<string, string>;
	/** Returns the values of the path parameters; undefined if they are not chosen yet. */
	path?: (context: EditorContext) => Promise<Record<string, string> | undefined>;
	/** Whether the interface has `search` and `per_page` for the list. Otherwise the node filters each page. */
	isSearchable?: boolean;
	/** A list with a search that finds the same records, if its records name them. */
	searchedBy?: TenantList;
	/** Whether the records are people, whom a phone number finds in any writing. */
	isOfPeople?: boolean;
	/** Returns the label of the record; undefined if it has none. Records with equal labels get their values too. */
	label: (record: Listed) => string | undefined;
	value: (record: Listed) => string | number | undefined;
	/** Returns the word that the label has for a record that is listed only if the typed text contains this word. */
	hiddenBy?: (record: Listed) => string | undefined;
}

/** Returns the first of these members that holds text or a number, as text. The interface shows records only in part. */
const firstText = (record: Listed, names: readonly string[]) =>
	names
		.map((name) => record[name])
		.filter((value) => typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''))
		.map(String)
		.at(0);

/** Returns the phone number of a person with a plus, so that it does not look like an ID; undefined if there is none. */
function shownNumber(record: Listed): string | undefined {
	const { channel = 'chatapp', display_id: id } = record;
	const digits = storedDigits(numberOf(record as IDataObject) ?? (channel === 'chatapp' ? id : undefined));
	return digits && `+${digits}`;
}

/** Makes a list whose entries show a name, and what the sign returns, or else the ID where names are equal. */
const byName = (
	endpoint: ListEndpoint,
	names: string[],
	sign?: (record: Listed) => string | undefined,
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

/** Returns the chosen profile as a path parameter. Fails if its phone number does not tell it. */
async function profilePath(context: EditorContext) {
	const given = context.getCurrentNodeParameter('profileId');
	const value = stringOf(context.getCurrentNodeParameter('profileId', { extractValue: true }));
	if (ownMember(given, 'mode') !== PHONE) return /^\d+$/.test(value) ? { profileId: value } : undefined;
	const { countryCode } = await context.api.settings();
	const digits = orUndefinedIfInvalid((one) => phoneDigits(one, { countryCode }), value);
	if (digits === undefined) return undefined;
	const profileId = await profileByPhone(context, digits).catch((error: unknown) => {
		if (!(error instanceof InvalidValue)) throw error;
		throw new UserError(`Profile ${error.message}`, { description: error.hint });
	});
	return { profileId: String(profileId) };
}

/** Returns the status of a template that cannot be sent, as one word; undefined for another template. */
function unapproved(template: Listed): string | undefined {
	const status = templateStatus(template);
	return isApproved(status) ? undefined : status.toLowerCase().replace(/\s+/g, '_');
}

/** Makes the list of templates, each in one language, which people choose by its name. */
export const templatesIn = (languages: ReadonlyMap<string, string>): TenantList => ({
	endpoint: 'GET /templates',
	label: (template) => {
		const [name, code] = [templateName(template), templateLanguage(template)];
		const words = [name, languages.get(code) ?? code, unapproved(template)];
		return name === '' ? undefined : words.filter(Boolean).join(' · ');
	},
	value: (template) => templateValue(templateName(template), templateLanguage(template)),
	hiddenBy: unapproved,
});

const numberOrId = (record: Listed) => shownNumber(record) ?? firstText(record, ['display_id']);

const agents = byName('GET /agents', ['name', 'title'], numberOrId);

const profiles: TenantList = {
	...byName('GET /profiles', ['name'], (record) => shownNumber(record) ?? firstText(record, ['email'])),
	isSearchable: true,
	isOfPeople: true,
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
		isOfPeople: true,
		/** The interface does not document `customer_id`. */
		searchedBy: { ...profiles, value: ({ customer_id }) => recordId(customer_id) },
	},
	groups: byName('GET /groups', ['name', 'title']),
	/** The files behind the media library, with the kind of each. */
	headerFiles: {
		endpoint: 'GET /media',
		label: (record) =>
			[firstText(record, ['title', 'filename', 'name']), firstText(record, ['type'])]
				.filter(Boolean)
				.join(' · ') || undefined,
		value: (record) => firstText(record, ['internal_uuid']),
	},
	media: byName('GET /media', ['title', 'filename', 'name']),
	notifications: byMember('GET /me/notifications', 'uuid', 'title', 'message', 'text', 'type'),
	profiles,
	tags: byName('GET /tags', ['title']),
	/** Each language of a template is a record of its own. */
	templateRecords: {
		endpoint: 'GET /templates',
		label: (template) =>
			[templateName(template), templateLanguage(template)].filter(Boolean).join(' · ') || undefined,
		value: ({ id }) => recordId(id),
	},
	templateLanguages: {
		...byMember('GET /support/chatapp-template-languages', 'code'),
		label: (record) => {
			const [language, code] = [firstText(record, ['language']), firstText(record, ['code'])];
			return language && `${language} (${code})`;
		},
	},
	users: byName('GET /users', ['name'], (record) => firstText(record, ['email'])),
} satisfies Record<string, TenantList>;

/** An entry of a list in the editor, and the word by which only its like are found. */
export type Option = { name: string; value: string | number; hiddenBy?: string };

/** Makes an entry that tells something. Its value is none, so that it cannot be used by mistake. */
export const note = (name: string): Option => ({ name, value: '' });

/** Makes the option of a record; undefined if it has no name or value. */
export function optionOf(list: TenantList, record: unknown): Option | undefined {
	const [name, value] = isObject(record) ? [list.label(record), list.value(record)] : [];
	if (name === undefined || value === undefined) return undefined;
	return { name, value, hiddenBy: list.hiddenBy?.(record as IDataObject) };
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

/** Reads a list as options, up to the limit of `readList`. */
export async function readOptions(context: EditorContext, list: TenantList, url?: string) {
	const { records, isCut } = await readList(context, list.endpoint, url, list.query);
	return { options: optionsOf(list, records), count: records.length, isCut };
}

export function distinct<T extends INodePropertyOptions>(options: T[]): T[] {
	const values = new Map<string, Set<unknown>>();
	for (const { name, value } of options) values.set(name, (values.get(name) ?? new Set()).add(value));
	return options.map((option) =>
		(values.get(option.name)?.size ?? 0) > 1
			? { ...option, name: `${option.name} (${String(option.value)})` }
			: option,
	);
}

/** Makes a label of which n8n makes no expression. It stores labels with the workflow, and computes what begins with `=`. */
export const literal = (label: string): string => (isExpression(label) ? ` ${label}` : label);

/** Leaves the entries out of which n8n would make expressions, of whatever a method of the editor gives. A last one tells of them. */
export function withoutExpressions(given: object): object {
	if ('results' in given) return { ...given, results: withoutExpressions(given.results as Option[]) };
	if (!Array.isArray(given)) return given;
	const options = (given as Option[]).filter(({ value }) => !isExpression(value));
	const left = given.length - options.length;
	const shown = options.map((option) => ({ ...option, name: literal(option.name) }));
	if (left === 0) return shown;
	return [
		...shown,
		note(`${left.toLocaleString('en')} more with a value that begins with = cannot be listed`),
	];
}

/** Maximum number of requests for one list. */
const MAX_REQUESTS = 100;

/** Reads the records of a list up to this limit, and tells whether the tenant has more of them. */
export async function readList<E extends ListEndpoint>(
	context: EditorContext,
	endpoint: E,
	url = endpoint.slice('GET '.length),
	qs?: TenantList['query'],
): Promise<{ records: Array<Answered<E>>; isCut: boolean }> {
	const records: Array<Answered<E>> = [];
	let requests = 0;
	for await (const page of pagesOf(context.api, { url, qs })) {
		records.push(...(objectsOf(page.records) as Array<Answered<E>>));
		if (++requests === MAX_REQUESTS) return { records, isCut: page.hasNext };
	}
	return { records, isCut: false };
}
