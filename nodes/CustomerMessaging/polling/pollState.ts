import { createHash } from 'node:crypto';
import { type IDataObject, jsonParse } from 'n8n-workflow';

import type { RecordId } from '../values/ids';
import { stringOf } from '../values/text';

/** Length of a mark: 42 bits. A new record looks like one of 6,000 known ones once in a billion times. */
const MARK_LENGTH = 7;

/** Maximum number of marks of records and of consents. The memory of a node stays below 64 kB. */
export const MAX_MARKS = 6000;
const MAX_ANNOUNCED = 2500;
const MAX_VALUES = 12_000;

export const markOf = (...parts: unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64').slice(0, MARK_LENGTH);

/** The place of a record in the order of its list: by its time or number, then by its ID. */
export interface Place {
	key: number;
	id: RecordId | null;
}

export function comparePlaces(a: Place, b: Place): number {
	if (a.key !== b.key) return a.key - b.key;
	if (a.id === b.id) return 0;
	if (a.id === null || b.id === null) return a.id === null ? -1 : 1;
	if (typeof a.id === 'number' && typeof b.id === 'number') return a.id - b.id;
	return String(a.id) < String(b.id) ? -1 : 1;
}

/** What a node remembers between two polls. n8n stores it as JSON. */
export interface PollState {
	/** Tells what was read. If it is something else now, the node starts anew. */
	of: string;
	/** The member that orders the records; empty if there is none. Undefined while the list was always empty. */
	member?: string;
	/** How far a late record may stand below the newest one: in milliseconds, or in records where numbers order them. */
	overlap: number;
	/** The sort order that the tenant follows; empty if it follows none. Undefined if that is not known yet. */
	order?: string;
	floor?: Place;
	seen: string[];
	/** Marks of the changes of consent that have started the workflow, the oldest first. */
	announced: string[];
	/** Values of the profiles that changed last, the newest last. */
	values: Array<[RecordId, IDataObject]>;
}

const split = (marks: unknown) => stringOf(marks).match(new RegExp(`.{${MARK_LENGTH}}`, 'g')) ?? [];

/** Returns the state in the static data of a node; undefined if there is none, or one of something else. */
export function readState(staticData: IDataObject, of: string): PollState | undefined {
	const { polling } = staticData;
	if (typeof polling !== 'string') return undefined;
	const stored = jsonParse<PollState | null>(polling, { fallbackValue: null });
	return stored?.of === of
		? { ...stored, seen: split(stored.seen), announced: split(stored.announced) }
		: undefined;
}

/** Puts the state into the static data, in one step: a poll that fails before leaves it as it was. */
export function writeState(staticData: IDataObject, state: PollState): void {
	const seen = state.seen.join('');
	const announced = state.announced.slice(-MAX_ANNOUNCED).join('');
	let bytes = 0;
	const tooMany = state.values.findLastIndex(
		(entry) => (bytes += Buffer.byteLength(JSON.stringify(entry)) + 1) > MAX_VALUES,
	);
	const values = state.values.slice(tooMany + 1);
	staticData.polling = JSON.stringify({ ...state, seen, announced, values });
}

const valueOf = (values: IDataObject, field: string) =>
	Object.hasOwn(values, field) ? (values[field] ?? null) : null;

/** The values of profiles at the last poll, to tell the old ones. The profile that changed last comes last. */
export class KnownValues {
	private readonly values: Map<RecordId, IDataObject>;

	constructor(
		entries: PollState['values'],
		private readonly fields: readonly string[],
	) {
		this.values = new Map(entries);
	}

	learn(id: RecordId, profile: IDataObject): void {
		const values = this.fields
			.map((field) => [field, valueOf(profile, field)] as const)
			.filter(([, value]) => value !== null);
		this.values.delete(id);
		this.values.set(id, Object.fromEntries(values));
	}

	/** Returns the fields that have changed, with both values; undefined if the old values are not known. */
	changesOf(id: RecordId, profile: IDataObject): IDataObject[] | undefined {
		const before = this.values.get(id);
		const changes =
			before &&
			this.fields.map((field) => ({ field, old: valueOf(before, field), new: valueOf(profile, field) }));
		return changes?.filter((change) => JSON.stringify(change.old) !== JSON.stringify(change.new));
	}

	entries(): PollState['values'] {
		return [...this.values];
	}
}
