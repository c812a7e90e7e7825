/** Thrown by a parser. The message continues the label of the parameter; the hint says what to do. */
export class InvalidValue extends Error {
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
	}
}

/** How values are read that mean different things in different places. */
export interface Reading {
	timeZone?: string;
	/** What comes first in a date such as 04/12/1990. Nobody guesses it unless it is said. */
	ambiguousDates?: 'dayFirst' | 'monthFirst' | 'refuse';
	/** What stands between titles in text, if it is not one of the usual characters. */
	separator?: string;
	/** The country code of phone numbers that are written without one; an empty text if such numbers are refused. */
	countryCode?: string;
}

/** Turns what a person or an expression gives into what the service takes. Throws InvalidValue. */
export type Parse<Value> = (value: unknown, reading?: Reading) => Value;

function invalidOf(thrown: unknown): InvalidValue {
	if (thrown instanceof InvalidValue) return thrown;
	throw thrown;
}

/** Returns the InvalidValue that a parser throws, where it does not fail the item. */
export function orInvalid<Value>(parse: () => Value): InvalidValue | Value {
	try {
		return parse();
	} catch (thrown) {
		return invalidOf(thrown);
	}
}

/** Returns undefined for a value that a parser does not take. */
export function orUndefinedIfInvalid<Value>(parse: Parse<Value>, value: unknown): Value | undefined {
	const parsed = orInvalid(() => parse(value));
	return parsed instanceof InvalidValue ? undefined : parsed;
}

/** Parses a part of a value. An error names its place in front of what is wrong. */
export function nestedIn<Value>(place: string, parse: () => Value): Value {
	const value = orInvalid(parse);
	if (value instanceof InvalidValue) throw new InvalidValue(`${place} ${value.message}`, value.hint);
	return value;
}
