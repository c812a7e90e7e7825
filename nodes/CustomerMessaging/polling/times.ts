import type { IDataObject } from 'n8n-workflow';

/** Usual names of the time at which a record was changed or created. The interface documents none of them. */
export const CHANGED = ['updated_at', 'updatedAt', 'modified_at', 'modifiedAt', 'changed_at', 'changedAt'];
export const CREATED = ['created_at', 'createdAt'];

const MIN_MILLISECONDS = 1e11;
const ZONE = /(Z|[+-]\d\d:?\d\d)$/i;

/** Returns a time in milliseconds since 1970. A text without a zone counts as UTC: times of an account are only compared. */
export function timeOf(value: unknown): number | undefined {
	if (typeof value === 'number' && value > 0) return value < MIN_MILLISECONDS ? value * 1000 : value;
	const text = typeof value === 'string' ? value.trim().replace(' ', 'T') : '';
	const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(ZONE.test(text) ? text : `${text}Z`) : NaN;
	return Number.isNaN(time) ? undefined : time;
}

/** Whether a text is a time without a zone, whose clock goes back for an hour in autumn. */
export const isLocal = (value: unknown) =>
	typeof value === 'string' && timeOf(value) !== undefined && !ZONE.test(value.trim());

export const timeMember = (records: IDataObject[], names: string[] = []): string | undefined =>
	names.find((name) => records.some((record) => timeOf(record[name]) !== undefined));

/** Returns the time of a record as the service writes it. */
export const writtenTime = (record: IDataObject, names?: string[]) =>
	record[timeMember([record], names) ?? ''];
