import { type Conversion, ValueProblem } from './values';

const REMEDY = 'Use YYYY-MM-DD or DD.MM.YYYY, e.g. 1990-05-17, or a date made by n8n.';

interface DateTimeLike {
	toISODate(): string | null;
}

function isDateTime(value: unknown): value is DateTimeLike {
	return (
		typeof value === 'object' &&
		value !== null &&
		'toISODate' in value &&
		typeof value.toISODate === 'function'
	);
}

/** Whether year, month and day make a day of the calendar. */
function exists(isoDate: string): boolean {
	const date = new Date(`${isoDate}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(isoDate);
}

/**
 * A calendar date as the interface takes it, `YYYY-MM-DD`.
 *
 * Takes ISO 8601 with or without a time (the day as written counts), `DD.MM.YYYY`, and the date objects of n8n's
 * expressions.
 */
export const isoDate: Conversion = (value) => {
	const text = isDateTime(value)
		? (value.toISODate() ?? '')
		: value instanceof Date
			? Number.isNaN(value.getTime())
				? ''
				: value.toISOString()
			: String(value).trim();
	const iso = /^(\d{4})-(\d{2})-(\d{2})($|[T ])/.exec(text);
	const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
	const parts =
		iso?.slice(1, 4) ?? (german && [german[3], german[2].padStart(2, '0'), german[1].padStart(2, '0')]);
	const date = parts?.join('-');
	return date && exists(date) ? date : new ValueProblem(`"${text}" is not a date`, REMEDY);
};
