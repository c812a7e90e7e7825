import { NodeOperationError } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { isRefusedWith } from '../api/errors';
import { BEGINNING, PAGE_SIZE, type PagedList, pagesOf, readPage, unreadableList } from '../api/pages';
import { objectsOf } from '../values/json';
import { type Feed, feedRecord, type FeedRecord, feedRecords, isMeant } from './feeds';
import { comparePlaces, MAX_MARKS, type Place, type PollState } from './pollState';

export const MAX_CHANGES = 1000;

export type Changes = Awaited<ReturnType<typeof readChanges>>;

/** A clock without a zone goes back by an hour in autumn. So this overlap, in milliseconds, tells that times have none. */
export const LOCAL_OVERLAP_MS = 3_660_000;

/** Maximum number of marks of records that have left the list. They may come back, for example to a user who sees them again. */
const MAX_GONE = 500;

/** Maximum number of pages in one poll, which nobody can stop. */
const MAX_PAGES = 10_000;

const byPlace = (rows: FeedRecord[]) => rows.sort(comparePlaces);

const tooLong = (context: RunContext, { noun, content, remedy }: Feed) =>
	new NodeOperationError(context.getNode(), `There are more ${noun}s than the trigger can compare`, {
		description: `Without a time, the trigger compares all records with what it remembers, which is at most ${MAX_MARKS / (content({}).length > 0 ? 2 : 1)}. Your account has more. ${remedy}`,
	});

const endless = (context: RunContext, { noun }: Feed) =>
	new NodeOperationError(context.getNode(), `The list of ${noun}s has more than ${MAX_PAGES} pages`, {
		description: 'The poll has stopped there, and tells no changes. Tell the operator of the service.',
	});

/** Makes the error about records that do not show what the event is about: the workflow would never start, without a word. */
export const unshown = (context: RunContext, { noun, shows }: Feed) =>
	new NodeOperationError(context.getNode(), `The ${noun}s of your account do not show ${shows?.what}`, {
		description: `So nothing tells when this event happens. Choose another event, or ask the operator of the service to show ${shows?.what} in the list.`,
	});

interface ChangeQuery {
	feed: Feed;
	state: PollState & { member: string };
	/** Whether nothing counts as changed, because the node begins now. */
	isFirst: boolean;
}

export const ordered = ({ list }: Feed, order = ''): PagedList =>
	order === '' ? list : { ...list, qs: { ...list.qs, order_by: order } };

/** Whether a tenant refuses what a request asks for. */
const isRefusal = (error: unknown) => isRefusedWith(error, 400, 422);

async function firstIn(context: RunContext, feed: Feed, member: string, order: string) {
	const page = await readPage(context.api, ordered(feed, order), BEGINNING).catch((error: unknown) => {
		if (!isRefusal(error)) throw error;
		return undefined;
	});
	return page && feedRecords(feed, member, page.records);
}

/** Whether numbers never get larger, or never smaller for the direction -1. */
const falls = (keys: number[], direction: 1 | -1) =>
	keys.every((key, index) => index === 0 || (keys[index - 1] - key) * direction >= 0);

/**
 * Returns the `order_by` with the newest first; empty if the tenant does not sort; undefined if nobody can tell. It
 * sorts if both directions give other records, each in its order. A list that only looks sorted would hide changes.
 */
export async function findOrder(
	context: RunContext,
	feed: Feed,
	member: string,
): Promise<string | undefined> {
	if (!feed.isSortable || member === '') return '';
	const orders = (direction: string) =>
		member === 'id'
			? [`id:${direction}`]
			: [`${member}:${direction},id:${direction}`, `${member}:${direction}`];
	for (const [index, newestFirst] of orders('desc').entries()) {
		const falling = await firstIn(context, feed, member, newestFirst);
		const rising = falling && (await firstIn(context, feed, member, orders('asc')[index]));
		if (!rising?.length || !falling?.length) continue;
		// A record that was never changed has no time, and stands at either end.
		const [down, up] = [falling, rising].map((found) => found.map(({ key }) => key).filter((key) => key > 0));
		const isOther = falling[0].id !== rising[0].id;
		if (isOther && falls(down, 1) && falls(up, -1) && (down[0] ?? 0) >= (up[0] ?? 0)) return newestFirst;
		if (!isOther && new Set([...down, ...up]).size < 2) return undefined;
	}
	return '';
}

/**
 * Reads the changes since the last poll. If the tenant sorts the list, it reads only as far as there is something new.
 *
 * @throws Failure when a request fails, or a response is not a list
 * @throws NodeOperationError when the list cannot be read to its end, see `pagesOf`; or when it has no order and more
 * records than the memory takes
 */
export async function readChanges(context: RunContext, { feed, state, isFirst }: ChangeQuery) {
	const { member, order, floor, overlap } = state;
	const seen = new Set(state.seen);
	let read = 0;
	let count = 0;
	let unplaced = 0;
	let marks = 0;
	let top = 0;
	let isShown = feed.shows === undefined;
	const found = {
		known: [] as FeedRecord[],
		isCut: false,
		pages: 0,
		isPart: false,
		isSorted: Boolean(order),
	};
	let changed: FeedRecord[] = [];
	let last = Infinity;
	for await (const { records } of pagesOf(context.api, ordered(feed, order))) {
		count += records.length;
		isShown ||= objectsOf(records).some((record) => feed.shows?.isIn(record));
		for (const record of records.filter((one) => isMeant(feed, one))) {
			const row = feedRecord(feed, member, record);
			read++;
			if (!row) {
				unplaced++;
				continue;
			}
			if (member !== '' && row.key === 0) {
				// A record without the time of the others was never changed.
				if (isFirst) found.known.push(row);
				continue;
			}
			if (row.key > last) found.isSorted = false;
			last = row.key;
			top = Math.max(top, row.key);
			if (floor && comparePlaces(row, floor) < 0) continue;
			marks += row.marks.length;
			if (isFirst || row.marks.every((mark) => seen.has(mark))) found.known.push(row);
			else changed.push(row);
		}
		// It does not read on for an error.
		if (member === '' && marks > MAX_MARKS) throw tooLong(context, feed);
		if (++found.pages > MAX_PAGES) throw endless(context, feed);
		if (changed.length > MAX_CHANGES * 4) {
			changed = byPlace(changed).slice(0, MAX_CHANGES);
			found.isCut = true;
		}
		// The first poll notes what something late could follow, but no more than a page of it.
		const isEnough = read >= PAGE_SIZE || (member === 'id' ? read >= overlap : last < top - overlap);
		found.isPart =
			found.isSorted && (isFirst ? isEnough && last < Infinity : floor !== undefined && last < floor.key);
		if (found.isPart) break;
	}
	if (count > 0 && !isShown) throw unshown(context, feed);
	if (read > 0 && unplaced === read) throw unreadableList();
	const inOrder = byPlace(changed);
	return {
		...found,
		changed: inOrder.slice(0, MAX_CHANGES),
		isCut: found.isCut || inOrder.length > MAX_CHANGES,
	};
}

/** Returns the lowest place from which on changes may still come late. The rows are the oldest first. */
function floorAfter({ state, isFirst }: ChangeQuery, changes: Changes, rows: FeedRecord[]): Place {
	const { changed, isCut, isPart } = changes;
	const taken = isCut ? rows.filter((row) => comparePlaces(row, changed[changed.length - 1]) <= 0) : rows;
	const key =
		state.member === 'id'
			? // A number that is far ahead would hide the next ones. So the newest are known by their marks.
				(taken[taken.length - state.overlap]?.key ?? 0)
			: (taken[taken.length - 1]?.key ?? 0) - state.overlap;
	const low: Place = { key: Math.max(0, key), id: null };
	if (state.floor && comparePlaces(state.floor, low) > 0) return state.floor;
	// The first poll does not know what is below.
	const [lowest] = isFirst && isPart ? rows : [];
	return lowest && comparePlaces(lowest, low) > 0 ? { key: lowest.key, id: lowest.id } : low;
}

const marksOf = (rows: FeedRecord[]) => rows.flatMap(({ marks }) => marks);

/** Returns how far everything is known after a poll, and the marks from there on. */
export function afterwards(query: ChangeQuery, changes: Changes): Pick<PollState, 'floor' | 'seen'> {
	const { state } = query;
	const { known, changed, isCut } = changes;
	const all = byPlace([...known, ...changed]);
	if (state.member === '') return { seen: marksOf(all) };
	const rows = all.filter(({ key }) => key > 0);
	if (rows.length === 0) return { floor: state.floor, seen: state.seen };
	const read = new Set(marksOf(rows));
	const gone = state.seen.filter((mark) => !read.has(mark)).slice(-MAX_GONE);
	const floor = floorAfter(query, changes, rows);
	const kept = rows.filter((row) => comparePlaces(row, floor) >= 0);
	let count = gone.length;
	const full = kept.findLastIndex(({ marks }) => (count += marks.length) > MAX_MARKS);
	if (full < 0) return { floor, seen: [...marksOf(kept), ...gone] };
	const seen = [...marksOf(kept.slice(full + 1)), ...gone];
	// What was not taken in this poll must stay above the floor.
	const last = isCut ? changed[changed.length - 1] : undefined;
	const { key, id } = last && comparePlaces(kept[full], last) > 0 ? last : kept[full + 1];
	return { floor: { key, id }, seen };
}
