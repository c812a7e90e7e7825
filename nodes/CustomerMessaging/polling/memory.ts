import { createHash } from 'node:crypto';
import { type IDataObject, jsonParse } from 'n8n-workflow';

import type { Position } from '../api/pages';
import type { RecordId } from '../values/ids';
import { stringOf } from '../values/text';

/** A record of a list, as a poll compares it. */
export interface PolledRow {
	id: RecordId;
	record: IDataObject;
	/** Its number, its time in milliseconds since 1970, or the floor of the poll where the whole list is compared. */
	key: number;
	/** What is compared; undefined if only coming counts. */
	content?: IDataObject;
}

/** A difference between two polls, with what was compared before, as far as it is known. */
export type News = PolledRow & { kind: 'came' | 'changed'; old?: IDataObject };

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

const ZONE = /(Z|[+-]\d\d:?\d\d)$/i;

/** Returns a time in milliseconds since 1970. One without a zone counts as UTC: times of an account are only compared. */
export function timeOf(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim().replace(' ', 'T') : '';
	const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(ZONE.test(text) ? text : `${text}Z`) : NaN;
	return Number.isNaN(time) ? undefined : time;
}

/** Whether a value is a time without a zone, whose clock goes back for an hour in autumn. */
export const isLocal = (value: unknown) =>
	typeof value === 'string' && timeOf(value) !== undefined && !ZONE.test(value.trim());
