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
import { lists, type TenantList } from './lists';
import { searchMessageTypes } from './messageTypes';

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
 * The pagination token is the request for the next page.
 */
function searchOf(list: TenantList): ListSearch {
	return async function (filter, paginationToken) {
		const typed = filter?.trim() ?? '';
		const page = paginationToken
			? jsonParse<IHttpRequestOptions>(paginationToken)
			: firstPage(this, list, typed);
		if (!page) return { results: [] };
		const { body } = await request(this, page);
		const results = objectsOf(unwrapped(body)).flatMap((record): INodeListSearchItems[] => {
			const name = list.label(record);
			const value = list.value(record);
			if (name === undefined || value === undefined) return [];
			const matches = list.search !== undefined || name.toLowerCase().includes(typed.toLowerCase());
			return matches ? [{ name, value }] : [];
		});
		const next = await nextPage(this, page, body);
		return { results, paginationToken: next && JSON.stringify({ url: next.url, qs: next.qs }) };
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
