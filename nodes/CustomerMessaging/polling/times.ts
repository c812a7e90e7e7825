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
