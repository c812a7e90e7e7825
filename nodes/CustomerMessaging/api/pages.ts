import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import { type RecordId, recordId } from '../values/ids';
import { isObject } from '../values/json';
import { numericOf } from '../values/numbers';
import { stringOf } from '../values/text';
import type { Api } from './client';
import { wait } from './context';
import { unreadableError } from './errors';
import { NO_LIST, unreadable, UNREADABLE_LIST } from './failures';
import type { ServiceRequest, ServiceResponse } from './exchange';
import { memberAt, SIGNS_OF_MORE, TOTALS, unwrapped } from './responses';

/** Page size of the requests whose endpoint has a page size parameter. The interface does not document its maximum. */
export const PAGE_SIZE = 100;

export const unreadableList = () => unreadableError(undefined, 'GET', UNREADABLE_LIST);

export interface PagedList extends Pick<ServiceRequest, 'labels' | 'qs' | 'url'> {
	/** Records to ask for on a page; undefined if the interface has no parameter for it. */
	perPage?: number;
}

/** A way to the next page: undefined if the response does not have it, *unknown* if it has it without a query. */
type Way = (response: ServiceResponse, count: number) => IDataObject | 'unknown' | undefined;

/** Of a link, only its query counts. Its host and path never do, so the token goes nowhere else. */
const byLink =
	(linkOf: (response: ServiceResponse) => unknown): Way =>
	(response) => {
		const link = linkOf(response);
		const query = Object.fromEntries(new URLSearchParams(/\?([^#]*)/.exec(stringOf(link))?.[1]));
		if (Object.keys(query).length > 0) return query;
		return link ? 'unknown' : undefined;
	};

const byCursor =
	(path: string): Way =>
	({ body }) => {
		const cursor = memberAt(body, path);
		if (!cursor) return undefined;
		return typeof cursor === 'string' || typeof cursor === 'number' ? { cursor } : 'unknown';
	};

const byNumber =
	(current: string, last: string): Way =>
	({ body }) => {
		const page = numericOf(memberAt(body, current));
		return page < numericOf(memberAt(body, last)) ? { page: page + 1 } : undefined;
	};

const byOffset =
	(start: string, end: string): Way =>
	({ body }, count) => {
		const offset = numericOf(memberAt(body, start)) + count;
		return offset < numericOf(memberAt(body, end)) ? { offset } : undefined;
	};

const LINK_HEADER =
	/<([^<>]*)>(?:\s*;\s*[\w*-]+=(?:"[^"]*"|[^",;\s]*))*?\s*;\s*rel=(?:"[^"]*\bnext\b|next\b)/i;

/** What of the header tells of a next page, wherever it leads. */
const NEXT_RELATION = /\brel="?[^",;]*\bnext\b/i;

/** The ways to the next page, of which the first counts that leads on. Another form is one more row. */
const NEXT_PAGES: Way[] = [
	...['links.next', 'next_page_url', 'meta.next_page_url', 'next', '_links.next.href'].map((path) =>
		byLink(({ body }) => memberAt(body, path)),
	),
	byLink(({ headers: { link } }) =>
		(LINK_HEADER.exec(stringOf(link)) ?? NEXT_RELATION.exec(stringOf(link)))?.at(-1),
	),
	byCursor('meta.next_cursor'),
	byCursor('next_cursor'),
	byNumber('meta.current_page', 'meta.last_page'),
	byNumber('current_page', 'last_page'),
	byNumber('page', 'total_pages'),
	byOffset('offset', 'total'),
	({ body }) => (SIGNS_OF_MORE.some((path) => memberAt(body, path) === true) ? 'unknown' : undefined),
];

/** Returns what the query of the next page adds, behind a page of so many records. */
function nextPage(response: ServiceResponse, count: number): IDataObject | 'end' | 'unknown' {
	const ways = NEXT_PAGES.map((way) => way(response, count));
	return ways.find(isObject) ?? (ways.includes('unknown') ? 'unknown' : 'end');
}

export interface Position {
	/** Query of the page, beside that of the list. */
	pageQuery: IDataObject;
	/** The number of records on the pages before. */
	records: number;
	/** The largest number of records on all pages that the service has named. */
	total: number;
}

export const BEGINNING: Position = { pageQuery: {}, records: 0, total: 0 };

/**
 * Reads one page of a list: its records, and where the next one is.
 *
 * @throws Failure when the request fails, or the response is not a list
 */
export async function readPage(
	api: Api,
	{ perPage, ...list }: PagedList,
	{ pageQuery, records: before, total: known }: Position,
) {
	const qs = { ...list.qs, ...(perPage !== undefined && { per_page: perPage }), ...pageQuery };
	const response = await api.respond({ ...list, qs });
	const records = unwrapped(response.body);
	if (!Array.isArray(records))
		throw unreadableError(response.body, 'GET', unreadable(response.body, NO_LIST), response.statusCode);
	const totals = TOTALS.map((path) => numericOf(memberAt(response.body, path)) || 0);
	const read = { records: before + records.length, total: Math.max(known, ...totals) };
	const found = nextPage(response, records.length);
	let next: Position | 'end' | 'unknown' = read.records < read.total ? 'unknown' : 'end';
	if (found === 'unknown') next = found;
	if (isObject(found)) next = { ...read, pageQuery: { ...pageQuery, ...found } };
	return { records: records as unknown[], next, total: read.total, date: response.headers.date };
}

/** Whether a page comes twice. Of most pages, only the first records are compared. */
const isSame = (page: unknown[], previous: unknown[] | undefined) =>
	page.length === previous?.length &&
	page.every((record, index) => JSON.stringify(record) === JSON.stringify(previous[index]));

/**
 * Returns the ID of a record, by which a list knows it; undefined if it has none, or one that has lost digits. A `uuid` only
 * counts without an `id`: records of two people may share it.
 */
const idOf = (record: unknown) => (isObject(record) ? recordId(record.id ?? record.uuid) : undefined);

/**
 * Reads the pages of a list one by one, each when the caller needs it, from a position on that it has told before. Each ID comes
 * once: pages move while records are created.
 *
 * @throws Failure when a request fails, or a response is not a list
 * @throws NodeOperationError when a page comes twice, the list has fewer records than the service says, or goes on
 * without a way to the rest
 */
export async function* pagesOf(api: Api, list: PagedList, from = BEGINNING) {
	const { pageDelay } = await api.settings();
	const ids = new Set<RecordId>();
	const asked = new Set<string>();
	const queryOf = ({ pageQuery }: Position) => JSON.stringify({ ...list.qs, ...pageQuery });
	let previous: unknown[] | undefined;
	let count = from.records;
	let first = from.total;
	const incomplete = (message: string, remedy = 'Tell the operator of the service.') => {
		const limit = count > 0 ? ` Or set a Limit of at most ${count}.` : '';
		const description = `Only ${count} records could be read. ${remedy}${limit}`;
		return new NodeOperationError(api.getNode(), message, { description });
	};
	const TWICE = 'The service sent the same page of the list twice';
	for (let position = from; ; ) {
		asked.add(queryOf(position));
		const { records: all, next, total, date } = await readPage(api, list, position);
		if (isSame(all, previous)) throw incomplete(TWICE);
		previous = all;
		if (position.records === 0) first = total;
		const records = all.filter((record) => {
			const id = idOf(record);
			return id === undefined || ids.size < ids.add(id).size;
		});
		count += records.length;
		yield { records, hasNext: next !== 'end', position, date };
		// Records that are created meanwhile move others to the next page, which then has them twice.
		const told = next === 'end' ? first : total;
		if (typeof next === 'string' && told > count)
			throw incomplete(
				`The list has ${told} records, but only ${count} came`,
				'Records may have been deleted meanwhile: run it again. If it stays so, tell the operator of the service.',
			);
		if (next === 'end') return;
		if (next === 'unknown') throw incomplete('The response has more pages, but no link to the next one');
		if (asked.has(queryOf(next))) throw incomplete(TWICE);
		position = next;
		if (pageDelay > 0) await wait(pageDelay, api.signal);
	}
}
