import { createHash } from 'node:crypto';
import { type IDataObject, jsonParse } from 'n8n-workflow';

import type { Position } from '../api/pages';
import type { RecordId } from '../values/ids';
import { stringOf } from '../values/text';

/** A difference between two polls. */
export interface News {
	kind: 'changed' | 'came' | 'gone';
	id: RecordId;
	record: IDataObject;
	/** Its number, or its time in milliseconds since 1970. */
	key: number;
	/** What is compared, now and before; undefined if that is not known any more. */
	content?: IDataObject;
	old?: IDataObject;
}

/** How far a list has been read: up to a page, whose records the next poll reads again, to see that none is left out. */
export interface Scan {
	position: Position;
	page: string[];
	/** The time of the first response. */
	date: number;
	/** The highest key that the memory had no place for. */
	dropped: number;
	records: number;
	isShown: boolean;
	isLast: boolean;
}

/** What a node remembers between two polls. */
export interface Memory {
	/** Tells what is read. If it is something else now, the node starts anew. */
	of: string;
	/** Whether the first poll has remembered what was there, so that differences count. */
	isBegun: boolean;
	/** The member that orders the records; empty if the whole list is compared. Undefined while the list was always empty. */
	by?: string;
	/** The `order_by` with the newest first; empty if the service does not sort. Undefined while the list was one page. */
	order?: string;
	/** The newest time, never later than the response that told it; and by how many milliseconds something may come later. */
	newest: number;
	overlap: number;
	/** From this key on, all records are known. */
	since: number;
	/** The records with the highest keys, or all of them, by their marks; and the changes of consent that were told. */
	known: Map<string, { key: number; print: string }>;
	/** What was compared, by its hash. */
	contents: Map<string, IDataObject>;
	/** Where the last poll had no time for the whole list. */
	scan?: Scan;
}

/** Maximum number of bytes of the records with their contents: the memory stays below 64 kB. */
const MAX_BYTES = 58_000;

/** 42 bits: a new one looks like one of 6,000 known ones once in a billion times. */
export const hash = (...parts: unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64').slice(0, 7);

/** Marks a record by a number that is as short as a hash, and any other ID by its hash. */
export const markOf = (id: RecordId) =>
	typeof id === 'number' && id < 36 ** 6 ? `-${id.toString(36)}` : hash(id);

/** Returns the IDs of marks, without those of hashes. */
export const idsOf = (marks: string[]) =>
	marks.filter((mark) => mark.startsWith('-')).map((mark) => parseInt(mark.slice(1), 36));

/** Returns the memory in the static data of a node; a new one if there is none, or one of something else. */
export function readMemory(staticData: IDataObject, of: string, by?: string): Memory {
	const text = stringOf(staticData.polling);
	const stored = jsonParse<(Memory & { known: string }) | null>(text, { fallbackValue: null });
	const none = { of, isBegun: false, by, overlap: 0, newest: 0, since: 0 };
	if (stored?.of !== of) return { ...none, known: new Map(), contents: new Map() };
	let key = 0;
	const known = (stored.known.match(/[^,]+/g) ?? []).map((entry) => {
		const [mark, print, above] = entry.split('.');
		key += parseInt(above || '0', 36);
		return [mark, { print, key }] as const;
	});
	return { ...stored, known: new Map(known), contents: new Map(Object.entries(stored.contents)) };
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
	for (const [, { print }] of rows.reverse()) {
		const content = memory.contents.get(print);
		if (!content || print in contents) continue;
		// n8n writes the text as text in JSON.
		left -= Buffer.byteLength(JSON.stringify(JSON.stringify([print, content])));
		if (left > 0) contents[print] = content;
	}
	staticData.polling = JSON.stringify({ ...memory, known, contents });
}
