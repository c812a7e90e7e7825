import { DateTime } from 'luxon';

import { type Conversion, ValueProblem } from './conversion';

/** Maximum length of a value in an error message. */
const MAX_SHOWN = 40;

/** Shortens a value for an error message. */
export function shown(value: unknown): string {
	let words = 'this value';
	try {
		words = typeof value === 'object' ? JSON.stringify(value) : String(value);
	} catch {
		// JSON has no circles and no large integers.
	}
	return words.length > MAX_SHOWN ? `${words.slice(0, MAX_SHOWN - 1)}…` : words;
}

/** Converts to text: text stays the same; numbers, booleans and the dates of n8n's expressions become text. */
export const text: Conversion<string> = (value) => {
	const problem = new ValueProblem('is not text', 'Enter text, or an expression that gives text.');
	switch (typeof value) {
		case 'string':
			return value;
		case 'number':
			return Number.isFinite(value) ? String(value) : problem;
		case 'bigint':
		case 'boolean':
			return String(value);
	}
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? problem : value.toISOString();
	return DateTime.isDateTime(value) ? (value.toISO() ?? problem) : problem;
};

/** Converts text that may be missing. Missing text is empty. */
export const optionalText: Conversion<string> = (value) =>
	value === undefined || value === null ? '' : text(value);
