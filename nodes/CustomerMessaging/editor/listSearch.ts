import { type INodeListSearchResult, UserError } from 'n8n-workflow';

import type { EditorContext } from '../api/client';
import { BEGINNING, PAGE_SIZE, type Position, readPage } from '../api/pages';
import { pathOf } from '../api/records';
import { searchText } from '../values/phoneNumber';
import {
	distinct,
	lists,
	note,
	type Option,
	optionsOf,
	readOptions,
	templatesIn,
	type TenantList,
} from './lists';
import { searchMessageTypes } from './messageTypes';
import { searchTenantFields } from './resourceMapping';

interface ListPart {
	options: Option[];
	next?: Position;
}

/** Returns the URL of a list; undefined if a path parameter is not chosen yet. */
async function urlOf(context: EditorContext, { endpoint, path }: TenantList) {
	const values = path ? await path(context) : {};
	return values && pathOf(endpoint, values);
}

async function readPart(
	context: EditorContext,
	list: TenantList,
	url: string,
	typed: string,
	position: Position,
): Promise<ListPart> {
	const { query, isSearchable = false } = list;
	const qs = { ...query, ...(isSearchable && typed && { search: typed }) };
	const paged = { url, qs, perPage: isSearchable ? PAGE_SIZE : undefined };
	const { records, next } = await readPage(context.api, paged, position);
	if (next === 'unknown')
		throw new UserError('The response has more pages, but no link to the next one', {
			description: 'Enter the record by its ID, and tell the operator of the service.',
		});
	return {
		options: optionsOf(list, records),
		next: next === 'end' ? undefined : next,
	};
}

/** Reads a list that the service cannot search, and returns the options that match. */
async function readMatches(
	context: EditorContext,
	list: TenantList,
	url: string,
	typed: string,
): Promise<ListPart> {
	const { options, count, isCut } = await readOptions(context, list, url);
	const wanted = typed.toLowerCase();
	const words = list.hiddenBy ? wanted.split(/\s+/) : [wanted];
	const hidden = new Set<string>();
	const matching = options.filter(({ name, value, hiddenBy = '' }) => {
		const text = `${name} ${value} ${hiddenBy}`.toLowerCase();
		const isFound = words.every((word) => text.includes(word));
		const isHidden = hiddenBy !== '' && !words.includes(hiddenBy);
		if (isFound && isHidden) hidden.add(hiddenBy);
		return isFound && !isHidden;
	});
	const statuses = [...hidden].join(', ');
	if (statuses) matching.push(note(`Not approved, so hidden: ${statuses}. Type the status to list them`));
	const searched = `Only the first ${count.toLocaleString('en')} were searched`;
	if (isCut) matching.push(note(`${searched}: type more, or enter it yourself`));
	return { options: matching };
}

/**
 * Makes the search method of a *From List*. Without a typed text, each call returns one page. A typed text is searched by
 * the service, or in all pages.
 */
function searchOf(list: TenantList) {
	return async function (
		this: EditorContext,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const given = filter.trim();
		const typed = list.isOfPeople ? searchText(given, await this.api.settings()) : given;
		const position = paginationToken ? (JSON.parse(paginationToken) as Position) : BEGINNING;
		const url = await urlOf(this, list);
		if (url === undefined) return { results: [] };
		const searchBy = async (other: TenantList) => {
			const reading = readPart(this, other, other.endpoint.slice('GET '.length), typed, position);
			// It cannot search for this list if, for example, its records do not name those of this one.
			return await (paginationToken ? reading : reading.catch(() => undefined));
		};
		const found = list.searchedBy && typed ? await searchBy(list.searchedBy) : undefined;
		const isReadWhole = list.hiddenBy !== undefined || (typed !== '' && list.isSearchable !== true);
		const { options, next } =
			found ??
			(isReadWhole
				? await readMatches(this, list, url, typed)
				: await readPart(this, list, url, typed, position));
		const byValue = new Map(options.map(({ name, value }) => [value, { name, value }]));
		return {
			results: distinct([...byValue.values()]),
			...(next && { paginationToken: JSON.stringify(next) }),
		};
	};
}

/** Searches the templates. The names of their languages come from another list, if there is one. */
const searchTemplates: ReturnType<typeof searchOf> = async function (...typed) {
	const reading = readOptions(this, lists.templateLanguages).catch(() => ({ options: [] }));
	const languages = (await reading).options.map(({ name, value }) => [String(value), name] as const);
	return await searchOf(templatesIn(new Map(languages))).apply(this, typed);
};

export const listSearch = {
	searchActivities: searchOf(lists.activities),
	searchAgents: searchOf(lists.agents),
	searchChatAppAgents: searchOf(lists.chatAppAgents),
	searchCustomers: searchOf(lists.customers),
	searchGroups: searchOf(lists.groups),
	searchHeaderFiles: searchOf(lists.headerFiles),
	searchMedia: searchOf(lists.media),
	searchMessageTypes,
	searchNotifications: searchOf(lists.notifications),
	searchProfiles: searchOf(lists.profiles),
	searchTags: searchOf(lists.tags),
	searchTemplates,
	searchTenantFields,
	searchUsers: searchOf(lists.users),
};
