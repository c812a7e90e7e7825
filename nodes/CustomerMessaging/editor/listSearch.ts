import type { INodeListSearchResult } from 'n8n-workflow';

import type { EditorContext } from '../api/client';
import { BEGINNING, PAGE_SIZE, type Position } from '../api/pages';
import { pathOf } from '../api/records';
import { searchText } from '../values/phoneNumber';
import { objectsOf } from '../values/json';
import { stringOf } from '../values/text';
import {
	distinct,
	lists,
	matching,
	note,
	type Option,
	optionsOf,
	readList,
	readOptions,
	templatesIn,
	type TenantList,
} from './lists';
import { tenantFields } from './resourceMapping';

/**
 * Reads the next page of a list. Where something is typed that the service cannot search for, or entries are hidden, it searches
 * all pages.
 */
async function read(context: EditorContext, list: TenantList, typed: string, from: Position) {
	const { endpoint, path, query, isSearchable = false, hiddenBy } = list;
	const values = path ? await path(context) : {};
	// A record in its path is not chosen yet.
	if (!values) return { options: [] as Option[] };
	const isSearched = hiddenBy !== undefined || (typed !== '' && !isSearchable);
	const qs = { ...query, ...(isSearchable && typed && { search: typed }) };
	const paged = { url: pathOf(endpoint, values), qs, perPage: isSearchable ? PAGE_SIZE : undefined };
	const { records, next } = await readList(context, paged, isSearched ? undefined : 1, from);
	const options = optionsOf(list, records);
	if (!isSearched) return { options, next };
	const searched = `Only the first ${records.length.toLocaleString('en')} were searched`;
	const cut = next ? [note(`${searched}: type more, or enter it yourself`)] : [];
	const wanted = typed.toLowerCase();
	return { options: [...matching(options, hiddenBy ? wanted.split(/\s+/) : [wanted]), ...cut] };
}

/** Makes the search method of a *From List* of records. */
function searchOf(list: TenantList) {
	return async function (
		this: EditorContext,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const { searchedBy } = list;
		const isOfPeople = list.isSearchable === true || searchedBy !== undefined;
		const typed = isOfPeople ? stringOf(searchText(filter.trim())) : filter.trim();
		const position = paginationToken ? (JSON.parse(paginationToken) as Position) : BEGINNING;
		const reading = searchedBy && typed ? read(this, searchedBy, typed, position) : undefined;
		// It cannot search for this list if, for example, its records do not name those of this one.
		const found = await (paginationToken ? reading : reading?.catch(() => undefined));
		const { options, next } = found ?? (await read(this, list, typed, position));
		return { results: distinct(options), ...(next && { paginationToken: JSON.stringify(next) }) };
	};
}

/** Makes the search method of a *From List* whose entries come at once. */
const searchAmong = (entries: (context: EditorContext) => Promise<Option[]>) =>
	async function (this: EditorContext, filter = ''): Promise<INodeListSearchResult> {
		return { results: matching(await entries(this), [filter.trim().toLowerCase()]) };
	};

/** Searches the templates. The names of their languages come from another list, if there is one. */
const searchTemplates: ReturnType<typeof searchOf> = async function (...typed) {
	const { templateLanguages } = lists;
	const languages = await readOptions(this, templateLanguages).catch(() => ({ options: [] }));
	const names = new Map(languages.options.map(({ name, value }) => [String(value), name]));
	return await searchOf(templatesIn(names)).apply(this, typed);
};

/** The types of messages whose members the interface documents. Tenants may have more. */
const MESSAGE_TYPES = ['audio', 'contact', 'document', 'image', 'location', 'text', 'video'];

/** Returns the types of messages: of the channels, or else those of the interface. */
async function messageTypes(context: EditorContext): Promise<Option[]> {
	const { records } = await readList(context, { url: '/support/channels' }).catch(() => ({ records: [] }));
	const found = objectsOf(records).flatMap(({ message_type: accepted }) =>
		Array.isArray(accepted) ? (accepted as unknown[]) : [],
	);
	const types = found.length > 0 ? [...new Set(found.map(stringOf))].sort() : MESSAGE_TYPES;
	return types.map((type) => ({ name: type, value: type }));
}

export const listSearch = {
	searchActivities: searchOf(lists.activities),
	searchAgents: searchOf(lists.agents),
	searchChatAppAgents: searchOf(lists.chatAppAgents),
	searchCustomers: searchOf(lists.customers),
	searchGroups: searchOf(lists.groups),
	searchHeaderFiles: searchOf(lists.headerFiles),
	searchMedia: searchOf(lists.media),
	searchMessageTypes: searchAmong(messageTypes),
	searchNotifications: searchOf(lists.notifications),
	searchProfiles: searchOf(lists.profiles),
	searchTags: searchOf(lists.tags),
	searchTemplates,
	searchTenantFields: searchAmong(tenantFields),
	searchUsers: searchOf(lists.users),
};
