import type { EditorContext } from '../api/context';
import { type IDataObject, type INodeListSearchResult, UserError } from 'n8n-workflow';

import { keptReading } from '../tenantDescription/describedFields';
import { BEGINNING, PAGE_SIZE, type Position, readPage } from '../api/pages';
import { pathOf } from '../api/records';
import { isObject } from '../values/json';
import { numericOf } from '../values/numbers';
import { searchText } from '../values/phoneNumber';
import { cut, stringOf } from '../values/text';
import {
	distinct,
	lists,
	note,
	type Option,
	optionOf,
	optionsOf,
	readOptions,
	templatesIn,
	type TenantList,
} from './lists';
import { searchMessageTypes } from './messageTypes';
import { searchTenantFields } from './resourceMapping';

/** Maximum number of records of a page that are shown at once. The others come as if they were the next page. */
const MAX_RECORDS = 1000;

/** Where a call begins: at a page, behind a number of its records that were shown already. */
interface Start {
	position: Position;
	from: number;
	/** What the page before began with, to know it when it comes again. */
	previous: string;
	isUnsearched: boolean;
}

const FIRST: Start = { position: BEGINNING, from: 0, previous: '', isUnsearched: false };

const MAX_MARK = 500;

const markOf = ([first]: unknown[]) => cut(JSON.stringify(first ?? ''), MAX_MARK);

const unfinished = () =>
	new UserError('The response has more pages, but no link to the next one', {
		description: 'Enter the record by its ID, and tell the operator of the service.',
	});

const MAX_TOKEN = 10_000;
const MAX_PARAMETERS = 20;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && numericOf(value) >= 0;

/** Whether a value is a query that this package may have written. */
const isQuery = (value: unknown): value is IDataObject =>
	isObject(value) &&
	Object.keys(value).length <= MAX_PARAMETERS &&
	Object.values(value).every((one) => ['string', 'number'].includes(typeof one));

/** Reads a pagination token, or fails. The browser could send anything, so it holds the query of a page and nothing else. */
function startOf(token: string): Start {
	try {
		const given: unknown = token.length > MAX_TOKEN ? undefined : JSON.parse(token);
		const { position, from, previous, isUnsearched } = isObject(given) ? given : {};
		const { pageQuery, records, total } = isObject(position) ? position : {};
		if (isQuery(pageQuery) && isCount(records) && isCount(total) && isCount(from)) {
			return {
				position: { pageQuery, records, total },
				from,
				previous: stringOf(previous),
				isUnsearched: isUnsearched === true,
			};
		}
	} catch {
		// Not JSON.
	}
	throw new UserError('The list cannot be continued from here', {
		description: 'Close the list and open it again.',
	});
}

interface ListPart {
	options: Option[];
	next?: Start;
	count: number;
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
	{ position, from, previous, isUnsearched }: Start,
): Promise<ListPart> {
	const { query, isSearchable = false } = list;
	const qs = { ...query, ...(isSearchable && typed && { search: typed }) };
	const paged = { url, qs, perPage: isSearchable ? PAGE_SIZE : undefined };
	const { records, next } = await readPage(context.api, paged, position);
	const mark = markOf(records);
	if (from === 0 && mark === previous) throw unfinished();
	const shown = records.slice(from, from + MAX_RECORDS);
	const options = optionsOf(list, shown);
	const isWhole = records.length <= from + MAX_RECORDS;
	const following = isWhole ? next : position;
	const count = position.records + from + shown.length;
	if (following === 'end') return { options, count };
	if (following === 'unknown') throw unfinished();
	const start = { position: following, from: isWhole ? 0 : from + MAX_RECORDS, previous: mark, isUnsearched };
	return { options, next: start, count };
}

const ENOUGH = 20;
const MAX_PAGES = 100;
const MAX_SEARCH_MS = 8000;

const MAX_WORDS = 5;

async function readOn(
	context: EditorContext,
	list: TenantList,
	url: string,
	typed: string,
	start: Start,
	matches: (option: Option) => boolean,
	enough = ENOUGH,
): Promise<ListPart> {
	const until = Date.now() + MAX_SEARCH_MS;
	const options: Option[] = [];
	let next: Start | undefined = start;
	let count = 0;
	for (let pages = 0; next && options.length < enough; pages++) {
		if (pages === MAX_PAGES || Date.now() > until) {
			const searched = `Only the first ${count.toLocaleString('en')} were searched`;
			return { options: [...options, note(`${searched}: type more, or enter it yourself`)], count };
		}
		const part = await readPart(context, list, url, typed, next);
		options.push(...part.options.filter(matches));
		({ next, count } = part);
	}
	return { options, next, count };
}

/** Returns the entry of the record with the typed ID, if the service gives one by ID and there is one. */
export async function entryOf(context: EditorContext, list: TenantList, typed: string): Promise<Option[]> {
	if (!list.hasRecords || !/^\d{1,16}$/.test(typed)) return [];
	const reading = context.api.send({ url: `${list.endpoint.slice('GET '.length)}/${typed}` });
	const found = reading.then((record) => optionOf(list, record));
	// A failure tells of no ID, or of nobody. The list itself tells what is wrong with the tenant.
	const option = await found.catch(() => undefined);
	return option && String(option.value) === typed ? [option] : [];
}

/**
 * Makes the search method of a *From List*. Without a typed text, each call returns one page; a very long page is shown
 * in several parts. A typed text is searched by the service, or by reading on until enough entries match.
 */
function searchOf(list: TenantList) {
	return async function (
		this: EditorContext,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const given = filter.trim();
		const typed = list.isOfPeople ? stringOf(searchText(given)) : given;
		const start = paginationToken ? startOf(paginationToken) : FIRST;
		const url = await urlOf(this, list);
		if (url === undefined) return { results: [] };
		const isFirst = start === FIRST && typed !== '';
		// Another list cannot search for this one if, for example, its records do not name those of this list.
		const searchBy = async (other: TenantList) => {
			const reading = readPart(this, other, other.endpoint.slice('GET '.length), typed, start);
			return await (isFirst ? reading.catch(() => undefined) : reading);
		};
		const [byId, bySearch] = await Promise.all([
			isFirst ? entryOf(this, list, given) : [],
			list.searchedBy && typed && !start.isUnsearched ? searchBy(list.searchedBy) : undefined,
		]);
		const wanted = typed.toLowerCase();
		const words = list.hiddenBy ? wanted.split(/\s+/) : [wanted];
		const hidden = new Set<string>();
		const matches = ({ name, value, hiddenBy = '' }: Option) => {
			const text = `${name} ${value} ${hiddenBy}`.toLowerCase();
			const isFound = words.every((word) => text.includes(word));
			const isAskedFor =
				words.includes(hiddenBy) || hiddenBy.split('_').every((word) => words.includes(word));
			const isHidden = hiddenBy !== '' && !isAskedFor;
			if (isFound && isHidden) hidden.add(hiddenBy);
			return isFound && !isHidden;
		};
		const read = async (): Promise<ListPart> =>
			list.hiddenBy || (typed && !list.isSearchable)
				? await readOn(
						this,
						list,
						url,
						typed,
						{ ...start, isUnsearched: true },
						matches,
						byId.length || ENOUGH,
					)
				: await readPart(this, list, url, typed, start);
		// Whoever is found by ID is there, whatever becomes of the list.
		const orNone = (error: unknown): ListPart => {
			if (byId.length === 0) throw error;
			return { options: [], count: 0 };
		};
		const { options, next } = bySearch ?? (await read().catch(orNone));
		const byValue = new Map([...byId, ...options].map(({ name, value }) => [value, { name, value }]));
		const statuses = [...hidden].slice(0, MAX_WORDS).join(', ');
		const notes = statuses
			? [note(`Not approved, so hidden: ${statuses}. Type the status to list them`)]
			: [];
		const results = distinct([...byValue.values(), ...notes]);
		return { results, ...(next && { paginationToken: JSON.stringify(next) }) };
	};
}

async function readLanguages(context: EditorContext) {
	const { options } = await readOptions(context, lists.templateLanguages);
	// Without the note, which has no value.
	return new Map(options.flatMap(({ name, value }) => (value === '' ? [] : [[String(value), name]])));
}

/** Searches the templates. The names of their languages come from another list, which is read once, if there is one. */
const searchTemplates: ReturnType<typeof searchOf> = async function (...typed) {
	const [, token] = typed;
	if (token) startOf(token);
	const read = async () => await readLanguages(this).catch(() => undefined);
	const known = await keptReading('template languages', this, read, (found) => !found);
	return await searchOf(templatesIn(known ?? new Map())).apply(this, typed);
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
