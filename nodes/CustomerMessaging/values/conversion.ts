/** The result of a conversion that cannot convert a value. */
export class ValueProblem {
	constructor(
		/** The problem. The text continues a sentence that starts with the parameter's label. */
		readonly problem: string,
		/** What the user can do. */
		readonly remedy: string,
	) {}
}

/** Converts an input value to the value that is sent. Never throws. */
export type Conversion<Value> = (value: unknown) => Value | ValueProblem;

/** Applies a function to a converted value. A problem stays the same. */
export function whenConverted<Value, Result>(
	value: Value | ValueProblem,
	make: (value: Value) => Result | ValueProblem,
): Result | ValueProblem {
	return value instanceof ValueProblem ? value : make(value);
}
