import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import { type RecordId, recordId } from '../values/ids';
import { isObject, ownMember } from '../values/json';
import { numericOf } from '../values/numbers';
import { stringOf } from '../values/text';
import type { Api } from './client';
import { wait } from './context';
import { unreadableError } from './errors';
import { NO_LIST, unreadable, UNREADABLE_LIST } from './failures';
import type { ServiceRequest, ServiceResponse } from './exchange';

/** Page size of the requests whose endpoint has a page size parameter. The interface does not document its maximum. */
export const PAGE_SIZE = 100;
export const unreadableList = () => unreadableError(undefined, 'GET', UNREADABLE_LIST);

export interface PagedList extends Pick<ServiceRequest, 'labels' | 'qs' | 'url'> {
	/** Records to ask for on a page; undefined if the interface has no parameter for it. */
	perPage?: number;
}

/** Returns the member at a dot-path, such as `meta.total`; undefined if there is none. */
const memberAt = (body: unknown, path: string): unknown => path.split('.').reduce(ownMember, body);

const LINK_HEADER =
	/<([^<>]*)>(?:\s*;\s*[\w*-]+=(?:"[^"]*"|[^",;\s]*))*?\s*;\s*rel=(?:"[^"]*\bnext\b|next\b)/i;

/** The ways to the next page, of which the first counts that leads on. Another form is one more row. */
const NEXT_PAGES: Array<{ by: 'cursor' | 'link' | 'more' | 'offset' | 'page'; path: string; end?: string }> =
	[
		{ by: 'link', path: 'links.next' },
		{ by: 'link', path: 'next_page_url' },
		{ by: 'link', path: 'meta.next_page_url' },
		{ by: 'link', path: 'next' },
		{ by: 'link', path: '_links.next.href' },
		{ by: 'link', path: 'header Link' },
		{ by: 'cursor', path: 'meta.next_cursor' },
		{ by: 'cursor', path: 'next_cursor' },
		{ by: 'page', path: 'meta.current_page', end: 'meta.last_page' },
		{ by: 'page', path: 'current_page', end: 'last_page' },
		{ by: 'page', path: 'page', end: 'total_pages' },
		{ by: 'offset', path: 'offset', end: 'total' },
		{ by: 'more', path: 'has_more' },
		{ by: 'more', path: 'meta.has_more' },
	];

/** Returns what the query of the next page adds, behind a page of so many records; *unknown* if only a sign of more is there. */
function nextPage({ headers, body }: ServiceResponse, count: number): IDataObject | 'end' | 'unknown' {
	const link = LINK_HEADER.exec(stringOf(headers.link))?.[1];
	let isMore = false;
	for (const { by, path, end } of NEXT_PAGES) {
		const value = path === 'header Link' ? link : memberAt(body, path);
		if (end !== undefined) {
			const start = numericOf(value) + (by === 'offset' ? count : 0);
			if (start < numericOf(memberAt(body, end))) return { [by]: by === 'page' ? start + 1 : start };
		} else if (by === 'cursor' && value && (typeof value === 'string' || typeof value === 'number'))
			return { cursor: value };
		else if (value && (by !== 'more' || value === true)) {
			// Of a link, only its query counts. Its host and path never do, so the token goes nowhere else.
			const query = new URLSearchParams(by === 'link' ? /\?([^#]*)/.exec(stringOf(value))?.[1] : '');
			if (query.size > 0) return Object.fromEntries(query);
			isMore = true;
		}
	}
	return isMore ? 'unknown' : 'end';
}

/** Where a page begins: its query beside that of the list, the records before it, and the largest total that was named. */
export interface Position {
	pageQuery: IDataObject;
	records: number;
	total: number;
}

export const BEGINNING: Position = { pageQuery: {}, records: 0, total: 0 };

/** Reads one page of a list: its records, and where the next one is. Throws a Failure when the response is not a list. */
export async function readPage(
	api: Api,
	{ perPage, ...list }: PagedList,
	{ pageQuery, records: before, total: known }: Position,
) {
	const qs = { ...list.qs, ...(perPage !== undefined && { per_page: perPage }), ...pageQuery };
	const response = await api.send({ ...list, qs });
	const { body, content: records, statusCode } = response;
	if (!Array.isArray(records)) throw unreadableError(body, 'GET', unreadable(body, NO_LIST), statusCode);
	const [total, inMeta] = [numericOf(memberAt(body, 'total')), numericOf(memberAt(body, 'meta.total'))];
	const read = { records: before + records.length, total: Math.max(known, total || 0, inMeta || 0) };
	const found = nextPage(response, records.length);
	let next: Position | 'end' | 'unknown' = read.records < read.total ? 'unknown' : 'end';
	if (found !== 'end')
		next = found === 'unknown' ? found : { ...read, pageQuery: { ...pageQuery, ...found } };
	return { records: records as unknown[], next, total: read.total, date: response.headers.date };
}

/** Whether a page comes twice. Of most pages, only the first records are compared. */
const isSame = (page: unknown[], previous: unknown[]) =>
	page.length === previous.length &&
	page.every((record, index) => JSON.stringify(record) === JSON.stringify(previous[index]));

/**
 * Reads the pages of a list one by one, each when the caller needs it, from a position on that it has told before. Each ID comes
 * once: pages move while records are created.
 *
 * @throws Failure when a request fails, or a response is not a list
 * @throws NodeOperationError when a page comes twice, records are missing, or the list goes on without a way to the rest
 */
export async function* pagesOf(api: Api, list: PagedList, from = BEGINNING) {
	const { pageDelay } = await api.settings;
	const ids = new Set<RecordId>();
	const asked = new Set<string>();
	let [count, first] = [from.records, from.total];
	let previous: unknown[] | undefined;
	const incomplete = (message: string, remedy = 'Tell the operator of the service.') => {
		const limit = count > 0 ? ` Or set a Limit of at most ${count}.` : '';
		const description = `Only ${count} records could be read. ${remedy}${limit}`;
		return new NodeOperationError(api.context.getNode(), message, { description });
	};
	for (let position = from; ; ) {
		const query = JSON.stringify({ ...list.qs, ...position.pageQuery });
		const page = asked.has(query) ? undefined : await readPage(api, list, position);
		asked.add(query);
		if (!page || (previous && isSame(page.records, previous)))
			throw incomplete('The service sent the same page of the list twice');
		const { next, total, date } = page;
		previous = page.records;
		if (position.records === 0) first = total;
		const records: unknown[] = [];
		for (const record of page.records) {
			// A `uuid` only counts without an `id`: records of two people may share it. What has lost digits is no ID.
			const id = isObject(record) ? recordId(record.id ?? record.uuid) : undefined;
			if (id === undefined || !ids.has(id)) records.push(record);
			if (id !== undefined) ids.add(id);
		}
		count += records.length;
		yield { records, hasNext: next !== 'end', next, position, date };
		// Records that are created meanwhile move others to the next page, which then has them twice.
		const told = next === 'end' ? first : total;
		if (typeof next === 'string' && told > count)
			throw incomplete(
				`The list has ${told} records, but only ${count} came`,
				'Records may have been deleted meanwhile: run it again. If it stays so, tell the operator of the service.',
			);
		if (next === 'end') return;
		if (next === 'unknown') throw incomplete('The response has more pages, but no link to the next one');
		position = next;
		if (pageDelay > 0) await wait(pageDelay, api.signal);
	}
}
