import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	UserError,
} from 'n8n-workflow';

import { BEGINNING, PAGE_SIZE, type PagedList, type Position, readPage } from '../transport/pages';
import { isObject } from '../values/json';
import { cut } from '../values/text';
import { lists, optionOf, type TenantList } from './lists';
import { searchMessageTypes } from './messageTypes';

/** Maximum number of records of a page that are shown at once. The others come as if they were the next page. */
const MAX_RECORDS = 1000;

/** Where a call begins: at a page, behind a number of its records that were shown already. */
interface Start {
	position: Position;
	from: number;
	/** What the page before began with, to know it when it comes again. */
	previous: string;
}

const FIRST: Start = { position: BEGINNING, from: 0, previous: '' };

/** Makes a short text that tells two pages apart. */
const markOf = ([first]: unknown[]) => cut(JSON.stringify(first ?? ''), MAX_MARK);

const MAX_MARK = 500;

const unfinished = () =>
	new UserError('The service says that the list goes on, but not how to get the rest', {
		description: 'Enter the record by its ID, and tell the operator of the tenant.',
	});

/** Limits of a token, which comes from the browser and is part of a request. */
const MAX_TOKEN = 10_000;
const MAX_PARAMETERS = 20;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Whether a value is a query that this package may have written. */
function isQuery(value: unknown): value is IDataObject {
	if (!isObject(value)) return false;
	const values = Object.values(value);
	const isPlain = values.every((one) => typeof one === 'string' || typeof one === 'number');
	return isPlain && values.length <= MAX_PARAMETERS;
}

/**
 * Reads a pagination token. The browser could send anything. So the token holds the query of the page and nothing else of
 * a request: the path comes from the list.
 *
 * @throws UserError when this package has not written the token
 */
function startOf(token: string): Start {
	try {
		const given: unknown = token.length > MAX_TOKEN ? undefined : JSON.parse(token);
		const { position, from, previous } = isObject(given) ? given : {};
		const { way, isGuess, pages, records, countsFromZero } = isObject(position) ? position : {};
		if (isQuery(way) && isCount(pages) && isCount(records) && isCount(from)) {
			const flags = { isGuess: isGuess === true, countsFromZero: countsFromZero === true };
			return { position: { way, pages, records, ...flags }, from, previous: String(previous) };
		}
	} catch {
		// Not JSON.
	}
	throw new UserError('The list cannot be continued from here', {
		description: 'Close the list and open it again.',
	});
}

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Returns the list to read; undefined if a required path parameter is not chosen yet. */
function pagedList(
	context: ILoadOptionsFunctions,
	{ endpoint, path, query, pageSize, search }: TenantList,
	typed: string,
): PagedList | undefined {
	const values = path ? path(context) : {};
	if (!values) return undefined;
	return {
		url: endpoint
			.slice('GET '.length)
			.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(values[place])),
		qs: { ...query, ...(search && typed && { [search]: typed }) },
		perPage: pageSize && PAGE_SIZE,
	};
}

/**
 * Makes the search method of a *From List*. Each call returns one page. A very long page is shown in several parts.
 */
function searchOf(list: TenantList): ListSearch {
	return async function (filter, paginationToken) {
		const typed = filter?.trim() ?? '';
		const { position, from, previous } = paginationToken ? startOf(paginationToken) : FIRST;
		const paged = pagedList(this, list, typed);
		if (!paged) return { results: [] };
		const { records, next } = await readPage(this, paged, position);
		const mark = markOf(records);
		if (position.isGuess && mark === previous) throw unfinished();
		const options = records.slice(from, from + MAX_RECORDS).map((record) => optionOf(this, list, record));
		const wanted = typed.toLowerCase();
		const results = options.filter(
			({ name }) => list.search !== undefined || name.toLowerCase().includes(wanted),
		);
		const isWhole = records.length <= from + MAX_RECORDS;
		const following = isWhole ? next() : position;
		if (following === 'end') return { results };
		if (following === 'untold') throw unfinished();
		const start: Start = { position: following, from: isWhole ? 0 : from + MAX_RECORDS, previous: mark };
		return { results, paginationToken: JSON.stringify(start) };
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
