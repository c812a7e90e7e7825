import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { templateName } from '../messaging/templateRecord';
import { unreadableList } from '../transport/pages';
import { recordId } from '../values/ids';
import { isObject } from '../values/json';
import { cut } from '../values/text';
import type { ListEndpoint } from './readList';

/** A record of a list. Its values are `unknown`, because a tenant may send other values. */
type Listed = Partial<Record<string, unknown>>;

/** A list of the tenant from which a person chooses a record. */
export interface TenantList {
	endpoint: ListEndpoint;
	/** Query of every page. */
	query?: Record<string, string>;
	/** Returns the values of the path parameters; undefined if they are not chosen yet. */
	path?: (context: ILoadOptionsFunctions) => Record<string, string> | undefined;
	/** Query parameter for the page size, if the interface has one. */
	pageSize?: 'per_page';
	/** Query parameter for the search text, if the service can search. Otherwise the node filters each page. */
	search?: 'search';
	/** Returns the label of the record. A record without a label is left out. */
	label: (record: Listed) => string | undefined;
	/** Returns the value that the workflow stores. */
	value: (record: Listed) => string | number | undefined;
}

/** Maximum length of a label. */
export const MAX_LABEL = 200;

/**
 * Returns the first of these members that holds text or a number, as text. The interface documents records only in
 * part.
 */
function firstText(record: Listed, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) return String(value);
	}
	return undefined;
}

/**
 * Makes a list whose entries show a name and the ID, such as "Jo Doe (42)". A record without a name shows only the ID.
 */
function byName(endpoint: ListEndpoint, ...names: string[]): TenantList {
	return {
		endpoint,
		label: (record) => {
			const name = firstText(record, names);
			const id = String(record.id);
			return name === undefined ? id : `${name} (${id})`;
		},
		value: ({ id }) => recordId(id),
	};
}

/** Makes a list whose records have another key than `id`. */
function byMember(endpoint: ListEndpoint, member: string, ...names: string[]): TenantList {
	return {
		endpoint,
		label: (record) => firstText(record, [...names, member]),
		value: (record) => firstText(record, [member]),
	};
}

/** Returns the path parameters for the activities of the chosen profile. */
function profilePath(context: ILoadOptionsFunctions) {
	const profileId = String(context.getCurrentNodeParameter('profileId', { extractValue: true }) ?? '');
	return /^\d+$/.test(profileId) ? { profileId } : undefined;
}

const nameOfTemplate = (template: Listed) => templateName(template) || undefined;

const AGENT_NAMES = ['name', 'title', 'display_id', 'phone_number'];

/** The lists of the interface from which people choose. */
export const lists = {
	activities: { ...byName('GET /profiles/{profileId}/activities', 'type'), path: profilePath },
	activityTypes: byMember('GET /support/activity-types', 'type', 'label'),
	agents: byName('GET /agents', ...AGENT_NAMES),
	channels: byMember('GET /support/channels', 'channel', 'label'),
	/** Only agents of the chat app can send templates. */
	chatAppAgents: { ...byName('GET /agents', ...AGENT_NAMES), query: { channel: 'chatapp' } },
	customers: byName('GET /customers', 'name', 'display_id'),
	groups: byName('GET /groups', 'name', 'title'),
	media: byName('GET /media', 'title', 'filename', 'name'),
	notifications: byMember('GET /me/notifications', 'uuid', 'title', 'message', 'text', 'type'),
	profiles: {
		...byName('GET /profiles', 'name', 'email', 'phone_number'),
		pageSize: 'per_page',
		search: 'search',
	},
	tags: byName('GET /tags', 'title'),
	/**
	 * The value is the template name that the send request takes. The user chooses the language separately, and n8n shows
	 * each value once.
	 */
	templates: { endpoint: 'GET /templates', label: nameOfTemplate, value: nameOfTemplate },
	templateLanguages: {
		endpoint: 'GET /support/chatapp-template-languages',
		label: (record) => {
			const [language, code] = [firstText(record, ['language']), firstText(record, ['code'])];
			return language && `${language} (${code})`;
		},
		value: (record) => firstText(record, ['code']),
	},
	users: byName('GET /users', 'name', 'email'),
} satisfies Record<string, TenantList>;

/**
 * Makes the option of a record.
 *
 * @throws NodeApiError when the record has no usable name or value. Without it, the list would look complete.
 */
export function optionOf(context: ILoadOptionsFunctions, list: TenantList, record: unknown) {
	const [name, value] = isObject(record) ? [list.label(record), list.value(record)] : [];
	if (name === undefined || value === undefined) throw unreadableList(context);
	return { name: cut(name, MAX_LABEL), value };
}
