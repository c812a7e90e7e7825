import type {
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

import { unwrapped } from '../transport/answer';
import { nextPage, PAGE_SIZE } from '../transport/pages';
import { request } from '../transport/request';
import { objectsOf } from '../values/json';
import { cut } from '../values/text';
import { lists, MAX_LABEL, type TenantList } from './lists';
import { searchMessageTypes } from './messageTypes';

/** Maximum number of records of a page that are shown at once. The others come as if they were the next page. */
const MAX_RECORDS = 1000;

/** What a call starts with: the request of a page, and the number of its records that were shown already. */
interface Start {
	page: IHttpRequestOptions;
	from: number;
}

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Makes the request for the first page; undefined if a required path parameter is not chosen yet. */
function firstPage(
	context: ILoadOptionsFunctions,
	{ endpoint, path, query, pageSize, search }: TenantList,
	typed: string,
): IHttpRequestOptions | undefined {
	const values = path ? path(context) : {};
	if (!values) return undefined;
	return {
		url: endpoint
			.slice('GET '.length)
			.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(values[place])),
		qs: {
			...query,
			...(pageSize && { [pageSize]: PAGE_SIZE }),
			...(search && typed && { [search]: typed }),
		},
	};
}

/**
 * Makes the search method of a *From List*. Each call returns one page.
 *
 * The pagination token is the request for the next page. A very long page is shown in several parts.
 */
function searchOf(list: TenantList): ListSearch {
	return async function (filter, paginationToken) {
		const typed = filter?.trim() ?? '';
		const first = firstPage(this, list, typed);
		const start = paginationToken ? jsonParse<Start>(paginationToken) : first && { page: first, from: 0 };
		if (!start) return { results: [] };
		const { page, from } = start;
		const { body } = await request(this, page);
		const found = unwrapped(body);
		const records = Array.isArray(found) ? found.slice(from, from + MAX_RECORDS) : [];
		const results = objectsOf(records).flatMap((record): INodeListSearchItems[] => {
			const name = list.label(record);
			const value = list.value(record);
			if (name === undefined || value === undefined) return [];
			const matches = list.search !== undefined || name.toLowerCase().includes(typed.toLowerCase());
			return matches ? [{ name: cut(name, MAX_LABEL), value }] : [];
		});
		const isWhole = !Array.isArray(found) || found.length <= from + MAX_RECORDS;
		const next = isWhole ? await nextPage(this, page, body) : page;
		const rest = next && {
			page: { url: next.url, qs: next.qs },
			from: isWhole ? 0 : from + MAX_RECORDS,
		};
		return { results, paginationToken: rest && JSON.stringify(rest) };
	};
}

/** The search methods of the resource locators, by the names that the fields use. */
export const listSearch = {
	searchActivities: searchOf(lists.activities),
	searchAgents: searchOf(lists.agents),
	searchChatAppAgents: searchOf(lists.chatAppAgents),
	searchCustomers: searchOf(lists.customers),
	searchGroups: searchOf(lists.groups),
	searchMedia: searchOf(lists.media),
	searchMessageTypes,
	searchNotifications: searchOf(lists.notifications),
	searchProfiles: searchOf(lists.profiles),
	searchTags: searchOf(lists.tags),
	searchTemplates: searchOf(lists.templates),
	searchUsers: searchOf(lists.users),
};
