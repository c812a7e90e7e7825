import type { IDataObject } from 'n8n-workflow';

import type { RecordId } from '../values/ids';
import { isObject } from '../values/json';
import type { Row } from './rows';

/** Longer values are not remembered. */
const MAX_LENGTH = 500;

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** The values of profiles at the last poll, to tell the old ones. The profile that changed last comes last. */
export class KnownValues {
	private readonly values: Map<RecordId, IDataObject>;

	constructor(
		entries: Array<[RecordId, IDataObject]>,
		private readonly fields: readonly string[],
	) {
		this.values = new Map(entries);
	}

	/** Remembers the present values of a profile. Those that are empty are left out. */
	learn({ id, record }: Row): void {
		const values = this.fields.flatMap((field) => {
			const value = record[field] ?? null;
			return JSON.stringify(value).length > MAX_LENGTH ? [] : [[field, value] as const];
		});
		this.values.delete(id);
		this.values.set(id, Object.fromEntries(values) as IDataObject);
	}

	/** Returns the fields that have changed, with both values; undefined if an old value is not known. */
	changesOf({ id, record }: Row): IDataObject[] | undefined {
		const old = this.values.get(id);
		if (!isObject(old) || !this.fields.every((field) => Object.hasOwn(old, field))) return undefined;
		return this.fields
			.filter((field) => !isEqual(old[field], record[field]))
			.map((field) => ({ field, old: old[field], new: record[field] ?? null }));
	}

	entries(): Array<[RecordId, IDataObject]> {
		return [...this.values];
	}
}
