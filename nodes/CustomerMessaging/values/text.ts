import { DateTime } from 'luxon';

import { InvalidValue, type Parse } from './parse';

const MAX_SHOWN = 40;

/** Cuts a text for people. An ellipsis is its last character then. */
export const cut = (words: string, limit: number) =>
	words.length > limit ? `${words.slice(0, limit - 1)}…` : words;

/** Joins sentences, some of which have no point yet, or are empty. */
export const sentences = (parts: string[]) =>
	parts.flatMap((part) => (part && !/[.!?”]$/.test(part) ? `${part}.` : part || [])).join(' ');

/**
 * Returns a text, a number or a boolean as text; an empty text for any other value. Never throws: `String` does for an
 * object with a member `toString`, which any tenant and sender can answer with.
 */
export const stringOf = (value: unknown): string =>
	['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value as string) : '';

export const messageOf = (thrown: unknown): string =>
	typeof thrown === 'object' && thrown !== null && 'message' in thrown
		? stringOf(thrown.message)
		: stringOf(thrown);

/** Returns a value as people read it in an error. Never throws: JSON has no circles and no large integers. */
export function quote(value: unknown): string {
	if (typeof value !== 'object') return cut(value === undefined ? 'undefined' : stringOf(value), MAX_SHOWN);
	try {
		return cut(JSON.stringify(value), MAX_SHOWN);
	} catch {
		return 'this value';
	}
}

const noDate = () =>
	new InvalidValue('is a date that does not exist', 'Check the expression that gives the date.');

/** Stands for bytes that are none of UTF-8, or is a quote or dash of Windows-1252 read as Latin1. U+0085 ends lines. */
const LOST_LETTER = /[\ufffd\u0080-\u0084\u0086-\u009f]/;

/** Whether a whole number has too many digits for a number: the last ones are others now. */
export const hasLostDigits = (value: unknown): boolean =>
	Number.isInteger(value) && !Number.isSafeInteger(value);

const noText = (value: unknown) =>
	new InvalidValue(`"${quote(value)}" is not text`, 'Enter text, or an expression that gives text.');

const INVISIBLE = /[\u200b\u2060\ufeff]/g;

/**
 * Makes a parser to text: text stays the same; numbers, booleans and the dates of n8n's expressions become text. Half of a
 * character, where a text was cut, becomes the replacement character, because UTF-8 cannot hold it. A number that has
 * lost digits is refused.
 *
 * @param isTrimmed whether spaces and what nobody sees go from a text. One that has nothing else is empty.
 */
const textParser =
	(isTrimmed: boolean): Parse<string> =>
	(value) => {
		if (typeof value === 'string') {
			// n8n makes this of a date that does not exist.
			if (value === 'Invalid Date' || value === 'Invalid DateTime') throw noDate();
			if (LOST_LETTER.test(value))
				throw new InvalidValue(
					`"${quote(value)}" has lost letters; read the file as Windows-1252`,
					'For a CSV file, that is Encoding: Latin1 in the options of Extract from File. Signs such as ’ and € need a file that was saved as UTF-8.',
				);
			const kept = isTrimmed ? value.replace(INVISIBLE, '').trim() : value;
			if (kept === '' && !isBlank(value)) throw emptyValue();
			return kept.toWellFormed();
		}
		if (hasLostDigits(value))
			throw new InvalidValue(
				`"${quote(value)}" has too many digits for a number`,
				'Write it as text, in quotes, where it comes from.',
			);
		if (typeof value === 'number' && !Number.isFinite(value)) throw noText(value);
		if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
			return String(value);
		const date = value instanceof Date ? DateTime.fromJSDate(value).toUTC() : value;
		if (!DateTime.isDateTime(date)) throw noText(value);
		const moment = date.toISO();
		if (moment === null) throw noDate();
		return moment;
	};

export const text = textParser(false);

export const trimmedText = textParser(true);

export const optionalText: Parse<string> = (value) => (isBlank(value) ? '' : text(value));

/** Returns a text without what nobody sees, such as signs that come along from a page. What joins others stays. */
export const withoutInvisible = (words: string) => words.replace(INVISIBLE, '');

/** Whether a value is no value, text without a visible character, or an empty list. */
export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** What databases, spreadsheets and libraries for tables write for nothing, in their own capitals: Null may be a name. */
const NOTHING = new Set(['NULL', 'null', '\\N', '#N/A', '#NV', 'NaN', 'nan', 'NaT', '<NA>']);

export const isWordForNothing = (value: string) => NOTHING.has(value.trim());

export const textOrNothing = (value: unknown) =>
	typeof value === 'string' && !isBlank(value) ? value : undefined;

export const emptyValue = () =>
	new InvalidValue(
		'is empty',
		'Enter a value. If it comes from an expression, check that the input item has that field.',
	);

/** For a value that cannot be left out, because that would do something else. */
export const absentValue = () =>
	new InvalidValue(
		'has no value',
		'Check that the input item has that field. An empty text leaves the parameter out: {{ $json.field ?? "" }}.',
	);
