import type { IDataObject } from 'n8n-workflow';

import type { RecordId } from '../values/ids';
import type { Row } from './rows';

/** A profile with a longer value is not remembered. */
const MAX_LENGTH = 500;

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The values of profiles at the last poll, to tell the old ones. The profile that changed last comes last. */
export class KnownValues {
	private readonly values: Map<RecordId, IDataObject>;

	constructor(
		entries: Array<[RecordId, IDataObject]>,
		private readonly fields: readonly string[],
	) {
		this.values = new Map(entries);
	}

	/** Remembers the present values of a profile. Empty ones are left out. */
	learn({ id, record }: Row): void {
		const values = this.fields
			.map((field) => [field, record[field] ?? null] as const)
			.filter(([, value]) => value !== null);
		this.values.delete(id);
		if (values.some(([, value]) => JSON.stringify(value).length > MAX_LENGTH)) return;
		this.values.set(id, Object.fromEntries(values) as IDataObject);
	}

	/** Returns the fields that have changed, with both values; undefined if the old values are not known. */
	changesOf({ id, record }: Row): IDataObject[] | undefined {
		const old = this.values.get(id);
		if (!old) return undefined;
		const own = (values: IDataObject, field: string) =>
			Object.hasOwn(values, field) ? (values[field] ?? null) : null;
		return this.fields
			.filter((field) => !isEqual(own(old, field), own(record, field)))
			.map((field) => ({ field, old: own(old, field), new: own(record, field) }));
	}

	entries(): Array<[RecordId, IDataObject]> {
		return [...this.values];
	}
}
