import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import { isRefusedWith } from '../api/errors';
import { BEGINNING, type PagedList, pagesOf, readPage, unreadableList } from '../api/pages';
import { recordId, wholeId } from '../values/ids';
import { isObject, objectsOf } from '../values/json';
import { stringOf } from '../values/text';
import { hash, isLocal, markOf, type Memory, type News, type PolledRow, timeOf } from './memory';
import { type Poll, requireFields } from './settings';

/** How many records are remembered of a whole list (the half where something of them is compared), of times, and of numbers. */
const MAX_MEMBERS = 6000;
const MAX_LATEST = 2000;
const MAX_HIGHEST = 50;

/** Something may come late, because its transaction took long, or because the clock of the service was set back by a minute. */
const OVERLAP_MS = 65_000;

const idOf = ({ id, uuid }: IDataObject) => recordId(id ?? uuid);
const keyOf = (record: IDataObject, by: string) => (by === 'id' ? wholeId(record.id) : timeOf(record[by]));

/** Learns from the first records what tells new ones from old ones. */
function learn(poll: Poll, records: IDataObject[]): void {
	requireFields(poll, records);
	const { by = '' } = poll.watch;
	poll.memory.by = records.some((record) => keyOf(record, by) !== undefined) ? by : '';
	// A clock without a zone goes back by an hour in autumn.
	poll.memory.overlap = OVERLAP_MS + (records.some((record) => isLocal(record[by])) ? 3_600_000 : 0);
}

const ordered = (list: PagedList, order = ''): PagedList =>
	order === '' ? list : { ...list, qs: { ...list.qs, order_by: order } };

/** Returns the `order_by` if the service sorts a list: the opposite order begins with another record. Else, an empty text. */
async function findOrder({ context, watch, choice, memory }: Poll): Promise<string> {
	const orderTo = (direction: string) =>
		memory.by === 'id' ? `id:${direction}` : `${memory.by}:${direction},id:${direction}`;
	const firstIn = async (direction: string) =>
		await readPage(context.api, ordered(watch.list(choice), orderTo(direction)), BEGINNING).then(
			({ records: [first] }) => (isObject(first) ? idOf(first) : undefined),
			(error: unknown) => (isRefusedWith(error, 400, 422) ? undefined : Promise.reject(error)),
		);
	const [newest, oldest] = [await firstIn('desc'), await firstIn('asc')];
	if (newest !== undefined && newest !== oldest) return orderTo('desc');
	const words = `reads all ${watch.noun}s in each poll, because the service does not sort them`;
	context.logger.warn(`"${context.getNode().name}" ${words}`);
	return '';
}

/** Makes rows of records. Those without an ID are left out, and those with a text as ID where numbers order the list. */
function rowsOf({ watch, choice, memory }: Poll, records: IDataObject[]): PolledRow[] {
	const { by = '', floor = 0 } = memory;
	const counted = records.filter((record) => watch.counts?.(record, choice) ?? true);
	const rows = counted.flatMap((record) => {
		const [id, found] = [idOf(record), keyOf(record, by)];
		if (id === undefined || (by === 'id' && found === undefined)) return [];
		const key = by === '' ? floor : Number(found ?? 0);
		return [{ id, record, key, content: watch.compares?.(record, choice) }];
	});
	if (counted.length > 0 && rows.length === 0) throw unreadableList();
	return rows;
}

/** @throws NodeOperationError when no record shows what the event is about */
function requireShown({ context, watch }: Poll, isShown: boolean): void {
	const [what] = watch.shows ?? [];
	if (what === undefined || isShown) return;
	const description = `So the trigger cannot notice this event. Choose another event, or ask the operator of the service to show ${what} in the list.`;
	const message = `The ${watch.noun}s of your account do not show ${what}`;
	throw new NodeOperationError(context.getNode(), message, { description });
}

/** Remembers a record as it is. Returns what has become of it since the last poll; nothing if it is the same. */
function rememberRow({ known, floor }: Memory, row: PolledRow): News[] {
	const { id, key, content } = row;
	const mark = markOf(id);
	const print = content ? hash(content) : '';
	const before = known.get(mark);
	known.set(mark, { key, print, content });
	if (floor === undefined || before?.print === print) return [];
	if (before) return [{ ...row, kind: 'changed', old: before.content }];
	return key >= floor ? [{ ...row, kind: 'came' }] : [];
}

/** Returns how many records are remembered. Where a list is not read to its end, what was told may come again, on another page. */
function mostOf({ watch, memory: { by, scan } }: Poll): number {
	if (by === '') return watch.compares ? MAX_MEMBERS / 2 : MAX_MEMBERS;
	return by === 'id' && scan?.isLast ? MAX_HIGHEST : MAX_LATEST;
}

/** Forgets the records with the lowest keys, as far as they are too many; and of a whole list, who has left it. */
function forget(poll: Poll): void {
	const { watch, memory } = poll;
	const { by, floor = 0, scan } = memory;
	if (by === '' && !scan?.isLast) return;
	const all = [...memory.known].sort(([, a], [, b]) => a.key - b.key);
	const left = by === '' && watch.forgets ? all.filter(([, { key }]) => key < floor).length : 0;
	const dropped = all.splice(0, Math.max(left, all.length - mostOf(poll)));
	memory.known = new Map(all);
	memory.since = Math.max(memory.since, (dropped.at(-1)?.[1].key ?? 0) + 1);
}

/** Ends the reading of a list. Something may come late from now on, but not later than the response has told. */
function endScan(memory: Memory): void {
	const { by, known, floor = 0, since, overlap, scan } = memory;
	const newest = by === 'id' ? 0 : ([...known.values()].at(-1)?.key ?? 0);
	memory.floor = by === '' ? floor + 1 : Math.max(since, Math.min(newest, scan?.date ?? 0) - overlap);
	memory.scan = undefined;
}

/** @throws NodeOperationError when a whole list has more records than are remembered */
function requirePlace(poll: Poll): void {
	const { context, watch, memory } = poll;
	const most = mostOf(poll);
	const read = [...memory.known.values()].filter(({ key }) => key === (memory.floor ?? 0));
	if (read.length <= most) return;
	const description =
		'The trigger cannot remember more. Choose a channel, group or tag with fewer. Or ask the operator of the service for IDs that are numbers, and for created_at and updated_at.';
	const message = `There are more than ${most} ${watch.noun}s to compare`;
	throw new NodeOperationError(context.getNode(), message, { description });
}

/** Reads what a poll compares, page by page; of a list that the service sorts only as far as there can be something new. */
async function* readNewest(poll: Poll): AsyncGenerator<PolledRow[]> {
	const { context, watch, choice, memory } = poll;
	const begin = memory.scan?.position ?? BEGINNING;
	const readBefore = new Set(memory.scan?.page);
	const list = ordered(watch.list(choice), memory.order);
	const rows: PolledRow[] = [];
	let lowest = Infinity;
	for await (const { records: all, hasNext, position, date } of pagesOf(context.api, list, begin)) {
		const records = objectsOf(all);
		const page = records.map((record) => markOf(idOf(record) ?? ''));
		const isAgain = position === begin && readBefore.size > 0;
		// What was moved past the page that was read last would be left out.
		if (isAgain && !page.some((mark) => readBefore.has(mark))) throw unreadableList();
		if (memory.by === undefined && all.length > 0) learn(poll, records);
		if (hasNext && watch.isOfProfiles && memory.by !== '' && memory.order === undefined && !memory.scan) {
			memory.order = await findOrder(poll);
			// Now that it is sorted, it begins with the newest.
			if (memory.order !== '') return yield* readNewest(poll);
		}
		const scan = memory.scan ?? { date: Date.parse(stringOf(date)) || Date.now(), isShown: false };
		const isShown = scan.isShown || records.some((record) => watch.shows?.[1](record));
		if (!hasNext && records.length > 0) requireShown(poll, isShown);
		const found = rowsOf(poll, records);
		rows.push(...found.filter(({ id }) => !readBefore.has(markOf(id))));
		lowest = found.filter(({ key }) => key > 0).at(-1)?.key ?? lowest;
		// The first poll has no floor: it reads a page, and what may come late.
		const firstFloor = memory.by === 'id' ? Infinity : scan.date - memory.overlap;
		const isLast = !hasNext || (Boolean(memory.order) && lowest < (memory.floor ?? firstFloor));
		if (memory.floor === undefined && isLast && hasNext) memory.since = lowest + 1;
		memory.scan = { ...scan, position, page, isShown, isLast };
		// A poll that reads the last page of the one before reads at least another.
		if (!isAgain || isLast) yield rows.splice(0);
		if (isLast) return;
	}
}

/**
 * Finds what is different from the last poll, page by page, and changes the memory. Whoever stops asking before the last page leaves
 * in the memory how far it came.
 *
 * @throws Failure when a request fails, or a response is not a list
 * @throws NodeOperationError when the list does not show what is needed, cannot be read to its end, or has more than is remembered
 */
export async function* differences(poll: Poll): AsyncGenerator<News[]> {
	const { memory } = poll;
	try {
		for await (const rows of readNewest(poll)) {
			const news: News[] = [];
			for (const row of rows) news.push(...rememberRow(memory, row));
			if (memory.by === '') requirePlace(poll);
			yield news;
		}
	} finally {
		// Also where nobody asks for the next page.
		forget(poll);
	}
	endScan(memory);
}
