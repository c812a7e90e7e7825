import { DateTime } from 'luxon';

import { type Conversion, ValueProblem } from './conversion';
import { shown } from './text';

const REMEDY = 'Use YYYY-MM-DD or DD.MM.YYYY, e.g. 1990-05-17, or a date made by n8n.';

/** The day that a text writes, whatever the time behind it; invalid where it writes none. */
function dayOf(text: string): DateTime {
	const [, iso] = /^(\d{4}-\d{2}-\d{2})(?:$|[T ])/.exec(text) ?? [];
	return iso ? DateTime.fromFormat(iso, 'yyyy-MM-dd') : DateTime.fromFormat(text, 'd.M.yyyy');
}

/**
 * A calendar date as the interface takes it, `YYYY-MM-DD`.
 *
 * Takes ISO 8601 with or without a time (the day as written counts), `DD.MM.YYYY`, and the date objects of n8n's
 * expressions.
 */
export const isoDate: Conversion<string> = (value) => {
	let day: DateTime;
	if (DateTime.isDateTime(value)) day = value;
	else if (value instanceof Date) day = DateTime.fromJSDate(value, { zone: 'utc' });
	else day = dayOf(String(value).trim());
	return day.toISODate() ?? new ValueProblem(`"${shown(value)}" is not a date`, REMEDY);
};
