import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { templateName } from '../messaging/templateRecord';
import type { ListEndpoint } from './readList';

/** A record of a list; what a tenant answers has to be looked at. */
type Listed = Partial<Record<string, unknown>>;

/** A list of the tenant from which a person chooses. */
export interface TenantList {
	endpoint: ListEndpoint;
	/** Query sent with every page. */
	query?: Record<string, string>;
	/** Values for the places of the path; undefined while they are not chosen. */
	path?: (context: ILoadOptionsFunctions) => Record<string, string> | undefined;
	/** Query parameter for the page size, where the interface has one. */
	pageSize?: 'per_page';
	/** Query parameter for the typed text, where the service can search; else each page is filtered here. */
	search?: 'search';
	/** What a person reads; undefined leaves the record out. */
	label: (record: Listed) => string | undefined;
	/** What the workflow stores. */
	value: (record: Listed) => string | number | undefined;
}

/** The first of these members that holds text or a number, as text; records are only partly shown by the interface. */
function firstText(record: Listed, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) return String(value);
	}
	return undefined;
}

/** A list whose entries show a name and the ID, such as "Jo Doe (42)"; the ID alone where the record shows no name. */
function byName(endpoint: ListEndpoint, ...names: string[]): TenantList {
	return {
		endpoint,
		label: (record) => {
			const name = firstText(record, names);
			return name === undefined ? String(record.id) : `${name} (${String(record.id)})`;
		},
		value: ({ id }) => id as number | undefined,
	};
}

/** A list whose records are told apart by another member than an ID. */
function byMember(endpoint: ListEndpoint, member: string, ...names: string[]): TenantList {
	return {
		endpoint,
		label: (record) => firstText(record, [...names, member]),
		value: (record) => firstText(record, [member]),
	};
}

/** The activities of the chosen profile. */
function profilePath(context: ILoadOptionsFunctions) {
	const profileId = String(context.getCurrentNodeParameter('profileId', { extractValue: true }) ?? '');
	return /^\d+$/.test(profileId) ? { profileId } : undefined;
}

const AGENT_NAMES = ['name', 'title', 'display_id', 'phone_number'];

/** The lists of the interface from which people choose. */
export const lists = {
	activities: { ...byName('GET /profiles/{profileId}/activities', 'type'), path: profilePath },
	activityTypes: byMember('GET /support/activity-types', 'type', 'label'),
	agents: byName('GET /agents', ...AGENT_NAMES),
	channels: byMember('GET /support/channels', 'channel', 'label'),
	/** Those that alone can send templates. */
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
	/** By the name that sending takes: the language is chosen apart, and n8n shows each value once. */
	templates: { endpoint: 'GET /templates', label: templateName, value: templateName },
	users: byName('GET /users', 'name', 'email'),
} satisfies Record<string, TenantList>;
