import { DateTime } from 'luxon';

import { type Conversion, ValueProblem } from './conversion';
import { shown } from './text';

const REMEDY = 'Use YYYY-MM-DD or DD.MM.YYYY, e.g. 1990-05-17, or a date made by n8n.';

/** Maximum length of a text that may be a date. */
const MAX_LENGTH = 200;

const noDate = (value: unknown) => new ValueProblem(`"${shown(value)}" is not a date`, REMEDY);

/** Parses a day, with or without a time and a zone. Returns an invalid date for any other text. */
function dayOf(text: string): DateTime {
	const [, separator] = /^\d{4}-\d{2}-\d{2}($|[T ])/.exec(text) ?? [];
	if (separator === undefined) {
		const format = /\d [\d:]+$/.test(text) ? 'd.M.yyyy H:mm' : 'd.M.yyyy';
		return DateTime.fromFormat(text, /:\d+:/.test(text) ? `${format}:ss` : format);
	}
	return separator === ' '
		? DateTime.fromSQL(text, { setZone: true })
		: DateTime.fromISO(text, { setZone: true });
}

/**
 * Converts a calendar date to the format of the interface, `YYYY-MM-DD`.
 *
 * It accepts ISO 8601 with or without a time, `DD.MM.YYYY`, and the date objects of n8n's expressions. It keeps the day
 * as the text writes it.
 */
export const isoDate: Conversion<string> = (value) => {
	let day: DateTime;
	if (DateTime.isDateTime(value)) day = value;
	else if (value instanceof Date) day = DateTime.fromJSDate(value, { zone: 'utc' });
	else if (typeof value === 'string' && value.length > MAX_LENGTH) return noDate(value);
	else day = dayOf(String(value).trim());
	return day.toISODate() ?? noDate(value);
};
