import { DateTime } from 'luxon';

import { type Conversion, ValueProblem } from './conversion';

/** How much of a value an error repeats. */
const MAX_SHOWN = 40;

/** A value as an error shows it, shortened. */
export function shown(value: unknown): string {
	const words = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return words.length > MAX_SHOWN ? `${words.slice(0, MAX_SHOWN - 1)}…` : words;
}

/** Text: as it is, or made from a number, a boolean or a date of n8n's expressions. */
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
