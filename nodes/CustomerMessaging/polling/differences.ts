import { type IDataObject, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { isRefusedWith } from '../api/errors';
import { BEGINNING, type PagedList, pagesOf, readPage, unreadableList } from '../api/pages';
import { recordId } from '../values/ids';
import { isObject, objectsOf } from '../values/json';
import { stringOf } from '../values/text';
import { isGone } from './consent';
import type { Watch } from './events';
import { hash, idsOf, markOf, type Memory, type News, type Scan } from './memory';
import { requireFields, type Settings } from './settings';
import { isLocal, timeMember, timeOf } from './times';

/** How many records are remembered of a whole list (the half where something of them is compared), of times, and of numbers. */
const MAX_MEMBERS = 6000;
const MAX_LATEST = 2000;
const MAX_HIGHEST = 50;

/** Something may appear late, because its transaction took long, or because the clock of the service was set back by a minute. */
const OVERLAP_MS = 65_000;

/** A clock without a zone goes back by an hour in autumn. */
const LOCAL_OVERLAP_MS = OVERLAP_MS + 3_600_000;

/** Times of another zone are ahead by less than that. */
const DAY_MS = 86_400_000;

/** How many records the first poll reads of a sorted list, if they are not older. */
const FIRST_RECORDS = 100;

type Context = RunContext<IPollFunctions>;

/** Returns the key below which what is not known is old: it has come back, or was there before the first poll. */
export function floorOf({ by, since, newest, overlap }: Memory, date: number): number {
	if (by === '') return 0;
	return Math.max(1, since, by === 'id' ? 0 : Math.min(newest, date) - overlap);
}

/** Returns what has become of a record since the last poll; nothing if it is the same. From now on, it is known as it is. */
function compare({ known, contents, isBegun }: Memory, row: Omit<News, 'kind'>, floor: number): News[] {
	const { id, key, content } = row;
	const mark = markOf(id);
	const print = content ? hash(content) : '';
	const before = known.get(mark);
	known.delete(mark);
	known.set(mark, { key, print });
	if (content) contents.set(print, content);
	if (!isBegun || before?.print === print) return [];
	if (before) return [{ ...row, kind: 'changed', old: contents.get(before.print) }];
	return key >= floor ? [{ ...row, kind: 'came' }] : [];
}

/** Makes rows of records. Those without an ID are left out, and those with a text as ID where numbers order the list. */
const rowsOf = ({ watch, choice }: Settings, by: string, records: IDataObject[]) =>
	records.flatMap((record) => {
		const id = recordId(record.id ?? record.uuid);
		if (id === undefined || (by === 'id' && typeof id !== 'number')) return [];
		const key = Math.max(0, Math.floor((by === 'id' ? Number(id) : timeOf(record[by])) ?? 0));
		return [{ record, id, key, content: watch.compares?.(record, choice) }];
	});

/** Forgets the records with the lowest keys, if there are too many. Returns the highest key that was forgotten. */
function forget(memory: Memory, most: number): number {
	const all = [...memory.known].sort(([, a], [, b]) => a.key - b.key);
	const dropped = all.splice(0, Math.max(0, all.length - most));
	memory.known = new Map(all);
	const prints = new Set(all.map(([, { print }]) => print));
	for (const print of memory.contents.keys()) if (!prints.has(print)) memory.contents.delete(print);
	return dropped.at(-1)?.[1].key ?? 0;
}

/** Forgets what does not fit, where the list was not read to its end. */
export function pause(memory: Memory): void {
	const { scan, by } = memory;
	if (scan && by !== '') scan.dropped = Math.max(scan.dropped, forget(memory, MAX_LATEST));
}

const ordered = (list: PagedList, order = ''): PagedList =>
	order === '' ? list : { ...list, qs: { ...list.qs, order_by: order } };

/** Returns the `order_by` with the newest first; empty if the service does not sort: the opposite order begins with the same. */
async function findOrder({ api }: Context, { watch, choice }: Settings, by: string): Promise<string> {
	const orderTo = (direction: string) =>
		by === 'id' ? `id:${direction}` : `${by}:${direction},id:${direction}`;
	const firstIn = async (direction: string) =>
		await readPage(api, ordered(watch.list(choice), orderTo(direction)), BEGINNING).then(
			({ records: [first] }) => (isObject(first) ? recordId(first.id) : undefined),
			(error: unknown) => (isRefusedWith(error, 400, 422) ? undefined : Promise.reject(error)),
		);
	const [newest, oldest] = [await firstIn('desc'), await firstIn('asc')];
	return newest !== undefined && newest !== oldest ? orderTo('desc') : '';
}

const mostOf = ({ compares }: Watch) => (compares ? MAX_MEMBERS / 2 : MAX_MEMBERS);

const tooMany = (context: Context, watch: Watch) =>
	new NodeOperationError(context.getNode(), `There are more ${watch.noun}s than the trigger can compare`, {
		description: `Without a time, the trigger compares all records with what it remembers, which is at most ${mostOf(watch)}. Your account has more. ${watch.remedy}`,
	});

const unshown = (context: Context, { noun, shows: [what] = ['', Boolean] }: Watch) =>
	new NodeOperationError(context.getNode(), `The ${noun}s of your account do not show ${what}`, {
		description: `So nothing tells when this event happens. Choose another event, or ask the operator of the service to show ${what} in the list.`,
	});

/** Ends the reading of a list as a whole. Returns those that have left it, as far as the service has them no longer. */
async function goneOf(context: Context, watch: Watch, { known }: Memory, { records }: Scan): Promise<News[]> {
	const left = [...known.keys()].slice(0, known.size - records);
	const gone: News[] = [];
	for (const id of watch.goes ? idsOf(left) : [])
		if (await isGone(context, watch.goes?.(id) ?? ''))
			gone.push({ kind: 'gone', id, key: 0, record: { id } });
	for (const { id } of gone) known.delete(markOf(id));
	const excess = watch.forgets ? left.length : Math.max(0, known.size - mostOf(watch));
	for (const mark of left.slice(0, excess)) known.delete(mark);
	return gone;
}

/** Ends the reading of an ordered list, whose lowest key is `last` if it was not read to its end. */
function settle(context: Context, watch: Watch, memory: Memory, { date, ...scan }: Scan, last: number): void {
	const isById = memory.by === 'id';
	const dropped = Math.max(scan.dropped, forget(memory, isById ? MAX_HIGHEST : MAX_LATEST));
	if (!isById && dropped > date + DAY_MS) throw tooMany(context, watch);
	// The first poll does not know what is below.
	const unread = memory.isBegun ? 0 : last;
	if (dropped + unread > 0) memory.since = Math.max(memory.since, dropped + 1, unread + 1);
	const newest = [...memory.known.values()].at(-1)?.key ?? 0;
	memory.newest = Math.min(Math.max(memory.newest, newest), date);
	const told = `reads all ${watch.noun}s in each poll, because the service does not sort them`;
	if (!memory.isBegun && memory.order === '') context.logger.warn(`"${context.getNode().name}" ${told}`);
}

/**
 * Finds what is different from the last poll, page by page, and changes the memory. If the service sorts the list, it reads only
 * as far as there can be something new. Whoever stops asking before the last page leaves in the memory how far it came.
 *
 * @throws Failure when a request fails, or a response is not a list
 * @throws NodeOperationError when the list cannot be read to its end, see `pagesOf`; or when more is to be remembered than fits
 */
export async function* differences(
	context: Context,
	settings: Settings,
	memory: Memory,
): AsyncGenerator<News[]> {
	const { watch, choice } = settings;
	const before = memory.scan;
	const handled = new Set(before?.page);
	const list = ordered(watch.list(choice), memory.order);
	const news: News[] = [];
	let [scan, recent, top, last] = [before, 0, 0, Infinity];
	for await (const { records: all, hasNext, position, date } of pagesOf(
		context.api,
		list,
		before?.position,
	)) {
		const records = objectsOf(all);
		if (memory.by === undefined && all.length > 0) {
			if (watch.needs === 'fields') requireFields(context, choice, records);
			const isNumbered = records.some(({ id }) => typeof recordId(id) === 'number');
			memory.by = watch.by === 'time' ? timeMember(records, watch.times) : isNumbered ? watch.by : '';
			const isZoned = !records.some((record) => isLocal(record[(memory.by ??= '')]));
			memory.overlap = isZoned ? OVERLAP_MS : LOCAL_OVERLAP_MS;
		}
		const { by = '', isBegun } = memory;
		if (!scan && hasNext && memory.order === undefined && watch.isOfProfiles && by !== '') {
			memory.order = await findOrder(context, settings, by);
			// Now that it is sorted, it begins with the newest.
			if (memory.order !== '') return yield* differences(context, settings, memory);
		}
		const page = records.map(({ id, uuid }) => markOf(recordId(id ?? uuid) ?? ''));
		const isAgain = scan !== undefined && scan === before;
		// What was moved past the page that was read last would be left out.
		if (isAgain && !page.some((mark) => handled.has(mark))) throw unreadableList();
		const start = { dropped: 0, records: 0, isShown: false, isLast: false };
		scan = { ...(scan ?? { ...start, date: Date.parse(stringOf(date)) || Date.now() }), position, page };
		const floor = floorOf(memory, scan.date);
		const counted = records.filter((record) => watch.counts?.(record, choice) ?? true);
		const rows = rowsOf(settings, by, counted);
		if (counted.length > 0 && rows.length === 0) throw unreadableList();
		for (const { key } of rows.filter((row) => row.key > 0)) {
			if (key > last) memory.order &&= '';
			if (key <= scan.date) recent++;
			[top, last] = [Math.max(top, key), key];
		}
		const others = rows.filter(({ id }) => !handled.has(markOf(id)));
		news.push(...others.flatMap((row) => compare(memory, row, floor)));
		scan.records += others.length;
		if (by === '' && scan.records > mostOf(watch)) throw tooMany(context, watch);
		scan.isShown ||= records.some((record) => watch.shows?.[1](record));
		if (!hasNext && watch.shows && records.length > 0 && !scan.isShown) throw unshown(context, watch);
		const lowest = isBegun || by === 'id' ? floor : floorOf({ ...memory, newest: top }, scan.date);
		const isEnough = last < lowest || (!isBegun && recent >= FIRST_RECORDS);
		scan.isLast = !hasNext || (Boolean(memory.order) && isEnough);
		if (!hasNext) last = 0;
		memory.scan = scan;
		// Sorting all of them at times is cheap, but not for each page.
		if (memory.known.size > MAX_LATEST * 3) pause(memory);
		// A poll that reads the last page of the one before reads at least another.
		if (!isAgain || scan.isLast) yield news.splice(0);
		if (scan.isLast) break;
	}
	if (!scan) return;
	const gone = memory.by === '' ? await goneOf(context, watch, memory, scan) : [];
	if (memory.by !== '') settle(context, watch, memory, scan, last);
	Object.assign(memory, { scan: undefined, isBegun: true });
	if (gone.length > 0) yield gone;
}
