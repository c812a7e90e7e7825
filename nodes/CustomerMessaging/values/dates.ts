import { DateTime } from 'luxon';

import { type Conversion, ValueProblem } from './conversion';
import { shown } from './text';

const REMEDY = 'Use YYYY-MM-DD or DD.MM.YYYY, e.g. 1990-05-17, or a date made by n8n.';

/** Parses the day in a text and ignores the time after it. Returns an invalid date if there is no day. */
function dayOf(text: string): DateTime {
	const [, iso] = /^(\d{4}-\d{2}-\d{2})(?:$|[T ])/.exec(text) ?? [];
	return iso ? DateTime.fromFormat(iso, 'yyyy-MM-dd') : DateTime.fromFormat(text, 'd.M.yyyy');
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
	else day = dayOf(String(value).trim());
	return day.toISODate() ?? new ValueProblem(`"${shown(value)}" is not a date`, REMEDY);
};
