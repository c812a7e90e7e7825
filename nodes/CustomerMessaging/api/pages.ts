import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import { type RecordId, recordId } from '../values/ids';
import { isObject } from '../values/json';
import { cancelSignalOf, type RequestContext, wait } from './context';
import { isRefusedWith, unreadableError } from './errors';
import { NO_LIST, unreadable, UNREADABLE_LIST } from './failures';
import { Envelope, whereNext } from './listEnvelope';
import { nodeRunOf, ofRun } from './nodeRun';
import { request, type ServiceRequest, type ServiceResponse } from './request';
import { unwrapped } from './responseBody';

/** Page size of the requests whose endpoint has a page size parameter. The interface does not document its maximum. */
export const PAGE_SIZE = 100;

export const unreadableList = () => unreadableError({ statusCode: 200 }, 'GET', UNREADABLE_LIST);

interface ListPage {
	/** Those whose ID was on no page before. */
	records: unknown[];
	/** The response, with no other records than these. */
	response: ServiceResponse;
	/** Whether reading begins with this page, or begins again. */
	isFirst: boolean;
	hasNext: () => boolean;
}

export interface PagedList extends Pick<ServiceRequest, 'labels' | 'qs' | 'url'> {
	/** Records to ask for on a page; undefined if the interface has no parameter for it. */
	perPage?: number;
}

/** Whether a tenant refuses what a request asks for. */
export const isRefusal = (error: unknown) => isRefusedWith(error, 400, 422);

/** Asks for a page with a page size. If the tenant refuses it, the run gives it up and asks again. */
async function askForPage(
	context: RequestContext,
	{ perPage, ...list }: PagedList,
	way: IDataObject,
): Promise<ServiceResponse> {
	// The first request with a page size finds out whether the tenant takes one.
	const size = await ofRun(context, askForPage, (): { isTaken?: Promise<boolean> } => ({}));
	const ask = async (more: IDataObject) =>
		await request(context, { ...list, qs: { ...list.qs, ...more, ...way } });
	const known = size.isTaken;
	if (perPage === undefined || (known && !(await known))) return await ask({});
	const asking = ask({ per_page: perPage });
	const isRefused = (error: unknown) => isRefusal(error) && !('per_page' in way);
	size.isTaken ??= asking.then(
		() => true,
		(error: unknown) => !isRefused(error),
	);
	return await asking.catch(async (error: unknown) => {
		if (!isRefused(error)) throw error;
		// It may have been something else. Then this one is refused too.
		const response = await ask({});
		size.isTaken = Promise.resolve(false);
		return response;
	});
}

/** Maximum number of empty pages in a row. A list with links or cursors may have some. */
const MAX_EMPTY_PAGES = 20;

const MAX_COMPARED = 1_000_000;

function repeats(page: unknown[], previous: unknown[]): boolean {
	let compared = 0;
	const isEqual = (record: unknown, index: number) => {
		if (compared > MAX_COMPARED) return true;
		const words = JSON.stringify(record);
		compared += words.length;
		return words === JSON.stringify(previous[index]);
	};
	return page.length > 0 && page.length === previous.length && page.every(isEqual);
}

/**
 * Returns the ID of a record, by which a list knows it; undefined if it has none, or one that has lost digits. A `uuid` only
 * counts without an `id`: records of two people may share it.
 */
const idOf = (record: unknown) => (isObject(record) ? recordId(record.id ?? record.uuid) : undefined);

const TELL = 'and tell the operator of the service';

function incomplete(context: RequestContext, message: string, count: number, reason: string, rest = TELL) {
	const alone = rest.replace(/^\w+ (\w)/, (_, first: string) => first.toUpperCase());
	const way = count > 0 ? `Set a Limit of at most ${count}, ${rest}` : alone;
	return new NodeOperationError(context.getNode(), message, { description: `${reason} ${way}.` });
}

export interface Position {
	/** Query of the page, beside that of the list. */
	way: IDataObject;
	/** Whether the envelope did not tell the way. */
	isGuess: boolean;
	pages: number;
	records: number;
	/** Whether the first page has the number 0. */
	countsFromZero: boolean;
}

export const BEGINNING: Position = { way: {}, isGuess: false, pages: 0, records: 0, countsFromZero: false };

/**
 * Reads one page of a list: its records, where the next one is, and the number of records on all pages.
 *
 * @throws Failure when the request fails, or the response is not a list
 */
export async function readPage(context: RequestContext, list: PagedList, position: Position) {
	const { way, pages, records: before } = position;
	const response = await askForPage(context, list, way);
	const records = unwrapped(response.body);
	if (!Array.isArray(records)) throw unreadableError(response, 'GET', unreadable(response.body, NO_LIST));
	const envelope = new Envelope(response.body, response.headers);
	const countsFromZero = pages === 0 ? envelope.page === 0 : position.countsFromZero;
	const told = envelope.totalBeside(records.length);
	const total = told ?? 0;
	const read = { pages: pages + 1, records: before + records.length, countsFromZero };
	// Only evaluated on demand, since the caller may need no further page.
	const next = (): Position | 'end' | 'untold' => {
		const query = { ...list.qs, per_page: list.perPage, ...way };
		const found = whereNext(envelope, { ...read, count: records.length, query });
		// An empty page ends a list, except where the envelope says that it goes on: this user may not see what is there.
		const isGuess = typeof found === 'object' && found.isGuess === true;
		const isAll = isGuess || (told !== undefined && read.records >= told);
		const isEnd = found === 'end' || (records.length === 0 && isAll);
		if (isEnd) return read.records < total ? 'untold' : 'end';
		if (found === 'untold') return found;
		return { ...read, way: { ...way, ...found.query }, isGuess };
	};
	return { records: records as unknown[], response, next, total };
}

class Found {
	private readonly ids = new Set<RecordId>();
	count = 0;
	untold = 0;

	add(records: unknown[]): unknown[] {
		const added = records.filter((record) => {
			const id = idOf(record);
			if (id === undefined) this.untold++;
			return id === undefined || this.ids.size < this.ids.add(id).size;
		});
		this.count += added.length;
		return added;
	}
}

/** Reads a list from its beginning. Returns whether it got shorter meanwhile, and then ends in front of the page. */
async function* reading(
	context: RequestContext,
	list: PagedList,
	found: Found,
): AsyncGenerator<ListPage, boolean> {
	const { pageDelay } = await nodeRunOf(context);
	const asked = new Set<string>();
	let previous: unknown[] = [];
	let emptyPages = 0;
	let total = 0;
	const unfinished = () => {
		const rest = total > found.count ? `${found.count} of ${total} records` : `${found.count} records`;
		const message = 'The service says that the list goes on, but not how to get the rest';
		return incomplete(context, message, found.count, `Only ${rest} could be read.`);
	};
	const stopped = (message: string, why: string) =>
		incomplete(context, message, found.count, `Reading stopped after ${found.count} records, since ${why}.`);
	const endless = () =>
		stopped('The service sent the same page of the list twice', 'the list would never end');
	let position = BEGINNING;
	for (;;) {
		const { way, isGuess, pages } = position;
		asked.add(JSON.stringify(way));
		const page = await readPage(context, list, position);
		if (page.total > 0 && page.total < total) return true;
		total = page.total || total;
		if (repeats(page.records, previous)) throw isGuess ? unfinished() : endless();
		previous = page.records;
		const records = found.add(page.records);
		const isWhole = records.length === page.records.length;
		const response = isWhole ? page.response : { ...page.response, body: records };
		yield { records, response, isFirst: pages === 0, hasNext: () => page.next() !== 'end' };
		emptyPages = page.records.length === 0 ? emptyPages + 1 : 0;
		const next = page.next();
		if (next === 'untold') throw unfinished();
		if (next === 'end') return false;
		if (emptyPages > MAX_EMPTY_PAGES) {
			const message = `The service sent ${emptyPages} empty pages of the list in a row, and says that it goes on`;
			throw stopped(message, 'there may be no end of empty pages');
		}
		if (asked.has(JSON.stringify(next.way))) throw endless();
		position = next;
		if (pageDelay > 0) await wait(pageDelay, cancelSignalOf(context));
	}
}

/**
 * Reads the pages of a list one by one, each when the caller needs it. Each ID comes once: pages move while records are
 * created. They move the other way while records are deleted, so a list whose total falls is read again, once, for what
 * was missing.
 *
 * @throws Failure when a request fails, or a response is not a list
 * @throws NodeOperationError when the list does not end, goes on without a way to the rest, or gets shorter again
 */
export async function* pagesOf(context: RequestContext, list: PagedList): AsyncGenerator<ListPage> {
	const found = new Found();
	if (!(yield* reading(context, list, found))) return;
	// Without all IDs, another reading does not tell what is new.
	if (found.untold === 0 && !(yield* reading(context, list, found))) return;
	const reason = 'When a record is deleted, others move to a page that was read, and would be missing.';
	const rest = 'or run it again when nobody deletes records';
	throw incomplete(context, 'Records were deleted while the list was read', found.count, reason, rest);
}
