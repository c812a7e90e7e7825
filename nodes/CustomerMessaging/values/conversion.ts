/** The result of a conversion that cannot convert a value. */
export class ValueProblem {
	constructor(
		/** The problem. The text continues a sentence that starts with the parameter's label. */
		readonly problem: string,
		readonly remedy: string,
	) {}
}

/** How values are read that mean different things in different places. */
export interface Reading {
	timeZone?: string;
	/** What comes first in a date such as 04/12/1990. Nobody guesses it unless it is said. */
	ambiguousDates?: 'dayFirst' | 'monthFirst' | 'refuse';
	/** What stands between titles in text, if it is not one of the usual characters. */
	separator?: string;
}

/** Converts an input value to the value that is sent. Never throws. */
export type Conversion<Value> = (value: unknown, reading?: Reading) => Value | ValueProblem;

/** Applies a function to a converted value. A problem stays the same. */
export function whenConverted<Value, Result>(
	value: Value | ValueProblem,
	make: (value: Value) => Result | ValueProblem,
): Result | ValueProblem {
	return value instanceof ValueProblem ? value : make(value);
}
