import type { IDataObject } from 'n8n-workflow';

/** Usual names of the time at which a record was changed or created. The interface documents none of them. */
export const CHANGED = ['updated_at', 'updatedAt', 'modified_at', 'modifiedAt', 'changed_at', 'changedAt'];
export const CREATED = ['created_at', 'createdAt'];

const MIN_MILLISECONDS = 1e11;
const ZONE = /(Z|[+-]\d\d:?\d\d)$/i;

/** Whether a text is a time without a zone, whose clock goes back for an hour in autumn. */
export const isLocal = (value: unknown) =>
	typeof value === 'string' && timeOf(value) !== undefined && !ZONE.test(value.trim());

/**
 * Returns a time in milliseconds since 1970: of ISO 8601, of SQL, or of a number. A text without a zone counts as UTC,
 * because times of a tenant are only compared with each other.
 */
export function timeOf(value: unknown): number | undefined {
	if (typeof value === 'number' && value > 0) return value < MIN_MILLISECONDS ? value * 1000 : value;
	if (typeof value !== 'string') return undefined;
	const text = value.trim().replace(' ', 'T');
	if (!/^\d{4}-\d\d-\d\dT/.test(text)) return undefined;
	const time = Date.parse(ZONE.test(text) ? text : `${text}Z`);
	return Number.isNaN(time) ? undefined : time;
}

export function timeMember(records: IDataObject[], names: string[]): string | undefined {
	return names.find((name) => records.some((record) => timeOf(record[name]) !== undefined));
}

export function writtenTime(record: IDataObject, names: string[]) {
	const name = timeMember([record], names);
	return name === undefined ? undefined : record[name];
}
