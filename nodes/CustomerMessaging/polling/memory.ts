import { createHash } from 'node:crypto';
import { type IDataObject, jsonParse } from 'n8n-workflow';

import type { Position } from '../api/pages';
import type { RecordId } from '../values/ids';
import { stringOf } from '../values/text';
import type { Watch } from './events';

/** A record of a list, as a poll compares it. */
export interface Row {
	id: RecordId;
	record: IDataObject;
	/** Its number, its time in milliseconds since 1970, or the floor of the poll where the whole list is compared. */
	key: number;
	/** What is compared; undefined if only coming counts. */
	content?: IDataObject;
}

/** A difference between two polls, with what was compared before, as far as it is known. */
export type News = Row & { kind: 'came' | 'changed'; old?: IDataObject };

/** What a node remembers between two polls. */
export interface Memory {
	/** Tells what is read. If it is something else now, the node starts anew. */
	of: string;
	/** The member that orders the records; empty if the whole list is compared. Undefined while the list was always empty. */
	by?: string;
	/** The `order_by` with the newest first; empty if the service does not sort. Undefined while the list was one page. */
	order?: string;
	/** By how many milliseconds something may come late. */
	overlap: number;
	/** What is not known and below this key is old: it has come back, or was there before the first poll, without which it is undefined. */
	floor?: number;
	/** From this key on, nothing was forgotten. It is the floor from the next poll on. */
	since: number;
	/** The records by their marks, and the changes of consent that were told. */
	known: Map<string, { key: number; print: string; content?: IDataObject }>;
	/**
	 * How far the list was read, if the last poll had no time for all of it: up to a page, whose records the next poll reads again, to
	 * see that none is left out. The date is that of the first response, in milliseconds since 1970.
	 */
	scan?: { position: Position; page: string[]; date: number; isShown: boolean; isLast: boolean };
}

/** How many records are remembered: of a whole list, of one where something is compared, and by times and numbers. */
const [MOST_MEMBERS, MOST_COMPARED, MOST_LATEST, MOST_HIGHEST] = [6000, 3000, 2000, 50];

/** Maximum number of bytes of the records with their contents: the memory stays below 64 kB. */
const MAX_BYTES = 58_000;

/** 42 bits: a new one looks like one of 6,000 known ones once in a billion times. */
export const hash = (...parts: unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64').slice(0, 7);

/** Marks a record by a number that is as short as a hash, and any other ID by its hash. */
export const markOf = (id: RecordId) =>
	typeof id === 'number' && id < 36 ** 6 ? `-${id.toString(36)}` : hash(id);

/** Returns the IDs of the records from a key on, as far as they are numbers. */
export const idsFrom = (key: number, { known }: Memory): number[] =>
	[...known].flatMap(([mark, one]) =>
		one.key >= key && mark.startsWith('-') ? parseInt(mark.slice(1), 36) : [],
	);

/** Returns what has become of a record since the last poll; nothing if it is the same. From now on, it is known as it is. */
export function compare({ known, floor }: Memory, row: Row): News[] {
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
export function mostOf({ by, scan }: Memory, { compares }: Watch): number {
	if (by === '') return compares ? MOST_COMPARED : MOST_MEMBERS;
	return by === 'id' && scan?.isLast ? MOST_HIGHEST : MOST_LATEST;
}

/** Forgets the records with the lowest keys, as far as they are too many; and of a whole list, who has left it. */
export function forget(memory: Memory, watch: Watch): void {
	const { by, floor = 0, scan } = memory;
	if (by === '' && !scan?.isLast) return;
	const all = [...memory.known].sort(([, a], [, b]) => a.key - b.key);
	const left = by === '' && watch.forgets ? all.filter(([, { key }]) => key < floor).length : 0;
	const dropped = all.splice(0, Math.max(left, all.length - mostOf(memory, watch)));
	memory.known = new Map(all);
	memory.since = Math.max(memory.since, (dropped.at(-1)?.[1].key ?? 0) + 1);
}

/** Ends the reading of a list. Something may come late from now on, but not later than the response has told. */
export function endScan(memory: Memory): void {
	const { by, known, floor = 0, since, overlap, scan } = memory;
	const newest = by === 'id' ? 0 : ([...known.values()].at(-1)?.key ?? 0);
	memory.floor = by === '' ? floor + 1 : Math.max(since, Math.min(newest, scan?.date ?? 0) - overlap);
	memory.scan = undefined;
}

type Stored = Omit<Memory, 'known'> & { known: string; contents: Record<string, IDataObject> };

/** Returns the memory in the static data of a node; a new one if there is none, or one of something else. */
export function readMemory(staticData: IDataObject, of: string): Memory {
	const stored = jsonParse<Stored | null>(stringOf(staticData.polling), { fallbackValue: null });
	if (stored?.of !== of) return { of, overlap: 0, since: 1, known: new Map() };
	const { contents, ...memory } = stored;
	let key = 0;
	const known = (stored.known.match(/[^,]+/g) ?? []).map((entry) => {
		const [mark, print, above] = entry.split('.');
		key += parseInt(above || '0', 36);
		return [mark, { print, key, content: contents[print] }] as const;
	});
	return { ...memory, known: new Map(known) };
}

/** Puts the memory into the static data, in one step: a poll that fails before leaves it as it was. */
export function writeMemory(staticData: IDataObject, memory: Memory): void {
	const rows = [...memory.known];
	const entries = rows.map(([mark, { print, key }], index) => {
		const above = key - (rows[index - 1]?.[1].key ?? 0);
		return `${mark}.${print}.${above === 0 ? '' : above.toString(36)}`;
	});
	const known = entries.join(',');
	let left = MAX_BYTES - known.length;
	const contents: Record<string, IDataObject> = {};
	for (const [, { print, content }] of rows.reverse()) {
		if (!content || print in contents) continue;
		// n8n writes the text as text in JSON.
		left -= Buffer.byteLength(JSON.stringify(JSON.stringify([print, content])));
		if (left > 0) contents[print] = content;
	}
	staticData.polling = JSON.stringify({ ...memory, known, contents });
}
