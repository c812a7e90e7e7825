import { createHash } from 'node:crypto';
import { type IDataObject, jsonParse } from 'n8n-workflow';

import type { RecordId } from '../values/ids';

/** Length of a mark: 42 bits. A new record looks like one of 6,000 known ones once in a billion times. */
const MARK_LENGTH = 7;

/** Maximum number of marks of records and of consents. The memory of a node stays below 64 kB. */
export const MAX_MARKS = 6000;
const MAX_TOLD = 2500;

/** Maximum bytes of the values that are remembered to tell the old ones. */
const MAX_VALUES = 12_000;

/** Makes a short text that tells two states of a record apart. */
export const markOf = (...parts: unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64').slice(0, MARK_LENGTH);

/** The place of a record in the order of its list: by its time or number, then by its ID. */
export interface Place {
	key: number;
	/** Null for the beginning of a key. */
	id: RecordId | null;
}

/** Compares two places, the earlier one first. */
export function comparePlaces(a: Place, b: Place): number {
	if (a.key !== b.key) return a.key - b.key;
	if (a.id === b.id) return 0;
	if (a.id === null || b.id === null) return a.id === null ? -1 : 1;
	if (typeof a.id === 'number' && typeof b.id === 'number') return a.id - b.id;
	return String(a.id) < String(b.id) ? -1 : 1;
}

/** What a node remembers between two polls. n8n stores it as JSON. */
export interface Memory {
	/** Tells what was read. If it is something else now, the node starts anew. */
	of: string;
	/** The member that orders the records; empty if there is none. Undefined while the list was always empty. */
	member?: string;
	/** How far a late record may stand below the newest one. */
	overlap: number;
	/** The sort order that the tenant follows; empty if it follows none. Undefined if that is not known yet. */
	order?: string;
	/** Everything before this place is known. */
	floor?: Place;
	/** Marks of the known records from this place on. */
	seen: string[];
	/** Marks of the changes of consent that have started the workflow, the oldest first. */
	told: string[];
	/** Values of the profiles that changed last, the newest last. */
	values: Array<[RecordId, IDataObject]>;
}

const split = (marks: unknown) => String(marks).match(new RegExp(`.{${MARK_LENGTH}}`, 'g')) ?? [];

/**
 * Returns the memory in the static data of a node; undefined if there is none, or one of something else.
 *
 * @param of tells what the node reads
 */
export function recall(staticData: IDataObject, of: string): Memory | undefined {
	const { polling } = staticData;
	if (typeof polling !== 'string') return undefined;
	const stored = jsonParse<Memory | null>(polling, { fallbackValue: null });
	return stored?.of === of ? { ...stored, seen: split(stored.seen), told: split(stored.told) } : undefined;
}

/** Keeps the newest values within the limit. */
function trimmedValues(values: Memory['values']): Memory['values'] {
	let bytes = 0;
	const last = values.findLastIndex((entry) => {
		bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
		return bytes > MAX_VALUES;
	});
	return values.slice(last + 1);
}

/** Puts the memory into the static data, in one step: a poll that fails before leaves it as it was. */
export function keep(staticData: IDataObject, memory: Memory): void {
	const seen = memory.seen.join('');
	const told = memory.told.slice(-MAX_TOLD).join('');
	staticData.polling = JSON.stringify({ ...memory, seen, told, values: trimmedValues(memory.values) });
}
