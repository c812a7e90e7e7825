import { DateTime } from 'luxon';

import { InvalidValue, type Parse, type Reading } from './parse';
import { quote, stringOf } from './text';

const REMEDY = 'Use YYYY-MM-DD or DD.MM.YYYY, e.g. 1990-05-17, or a date made by n8n.';

const noDate = (value: unknown, problem = 'is not a date') =>
	new InvalidValue(`"${quote(value)}" ${problem}`, REMEDY);

/** A day in numbers, and the time behind it. */
const IN_NUMBERS = /^(\d{1,4})([-./]) ?(\d{1,2})\2 ?(\d{1,4})(?:,? +(.+))?$/;

/** Days since 1900, from 1927 on. */
const SERIAL = /^[1-6]\d{4}(?:[.,]\d+)?$/;

const TIME = /^(?:[01]?\d|2[0-3])(?::[0-5]\d){1,2}(?: [ap]m)?$/i;

const mayBeMonth = (number: number) => number >= 1 && number <= 12;

function dayInNumbers(text: string, ambiguousDates: Reading['ambiguousDates']): DateTime {
	const [, first = '', separator, second, last, time] = IN_NUMBERS.exec(text) ?? [];
	if (SERIAL.test(text))
		throw noDate(text, 'is a day as Excel counts them: format the column as a date, and save the file again');
	const isYearFirst = first.length === 4;
	const year = isYearFirst ? last : first;
	if (first === '' || year.length > 2 || (time !== undefined && !TIME.test(time))) throw noDate(text);
	if (!isYearFirst && last.length === 2) throw noDate(text, 'has a year without its century');
	if (!isYearFirst && last.length !== 4) throw noDate(text);
	const [one, two] = [Number(first), Number(second)];
	if (isYearFirst) return DateTime.utc(one, two, Number(last));
	const isEither = separator !== '.' && mayBeMonth(one) && mayBeMonth(two) && one !== two;
	if (isEither && (ambiguousDates ?? 'refuse') === 'refuse')
		throw noDate(text, 'is ambiguous: day or month first?');
	const isMonthFirst = separator !== '.' && (isEither ? ambiguousDates === 'monthFirst' : two > 12);
	const [day, month] = isMonthFirst ? [two, one] : [one, two];
	return DateTime.utc(Number(last), month, day);
}

/** The zone of a text: letters or a sign behind day and time, such as `Z`, `+02:00` or `Europe/Berlin`. */
const WITH_ZONE = /^\d{4}-\d{2}-\d{2}[T ].*[a-z+-]/i;

/** The day of an instant: in UTC if it is midnight there, as databases give days, or else in the workflow's zone. */
function dayAt(instant: DateTime, timeZone: string): DateTime {
	const inUtc = instant.toUTC();
	return inUtc.equals(inUtc.startOf('day')) ? inUtc : instant.setZone(timeZone);
}

function dayOf(text: string, { timeZone = 'utc', ambiguousDates }: Reading): DateTime {
	const [, separator] = /^\d{4}-\d{2}-\d{2}($|[T ])/.exec(text) ?? [];
	if (separator === undefined) return dayInNumbers(text, ambiguousDates);
	const whole =
		separator === ' ' ? DateTime.fromSQL(text, { setZone: true }) : DateTime.fromISO(text, { setZone: true });
	if (WITH_ZONE.test(text)) return dayAt(whole, timeZone);
	// 24:00 is another day for luxon, but not in the text.
	return whole.isValid && separator !== '' ? DateTime.fromISO(text.slice(0, 'YYYY-MM-DD'.length)) : whole;
}

/**
 * Parses a date to `YYYY-MM-DD`: ISO 8601 with or without a time, `DD.MM.YYYY`, other dates in numbers that have one
 * reading, and the objects of n8n's expressions. A text without a zone is the day that it says. One with time and zone is
 * an instant, as a `Date` and a `DateTime` are: see `dayAt`.
 */
export const isoDate: Parse<string> = (value, reading = {}) => {
	const instant = value instanceof Date ? DateTime.fromJSDate(value) : value;
	const isInstant = DateTime.isDateTime(instant);
	if (!isInstant && typeof value === 'object') throw noDate(value);
	const day = isInstant ? dayAt(instant, reading.timeZone ?? 'utc') : dayOf(stringOf(value).trim(), reading);
	const date = day.toISODate();
	if (date === null) throw noDate(value);
	return date;
};

const MILLISECONDS_PER_DAY = 86_400_000;

/** Parses a day of birth. Programs write years such as 1604 where they know none. */
export const birthDate: Parse<string> = (value, reading) => {
	const day = isoDate(value, reading);
	if (day < '1900') throw noDate(value, 'is before 1900, as programs write a day without a year');
	// Only days since yesterday need a look at the zone, which takes longer than all else.
	const mayBeAhead = Date.parse(day) > Date.now() - MILLISECONDS_PER_DAY;
	const today = mayBeAhead ? String(DateTime.now().setZone(reading?.timeZone).toISODate()) : day;
	if (day > today) throw noDate(value, 'is in the future');
	return day;
};

/** A day and a time in ISO 8601, and the zone if it has one. */
const POINT_IN_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}[\d:.]*)(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * Parses a point in time to ISO 8601 with its zone. A text without a zone is in the workflow's time zone; the editor's
 * calendar writes such texts.
 */
export const isoDateTime: Parse<string> = (value, { timeZone = 'utc' } = {}) => {
	let at: string | null | undefined;
	if (DateTime.isDateTime(value)) at = value.toISO();
	else if (value instanceof Date) at = DateTime.fromJSDate(value, { zone: 'utc' }).toISO();
	else if (typeof value === 'string') {
		const [, day, time, zone] = POINT_IN_TIME.exec(value.trim()) ?? [];
		const typed = `${day}T${time}${zone ?? ''}`;
		const point = DateTime.fromISO(typed, { zone: timeZone });
		// As it is typed, because a tenant may read its zone.
		at = point.isValid && zone ? typed : point.toISO();
	}
	if (typeof at === 'string') return at;
	throw new InvalidValue(
		`"${quote(value)}" is not a date and time`,
		'Use YYYY-MM-DDTHH:MM, e.g. 2026-05-17T14:30, or a date made by n8n.',
	);
};
