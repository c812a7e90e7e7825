/** What a conversion gives for a value that cannot be what its parameter stands for. */
export class ValueProblem {
	constructor(
		/** Continues a sentence that starts with the parameter's label. */
		readonly problem: string,
		/** What to do about it. */
		readonly remedy: string,
	) {}
}

/** Makes the value that goes out from the value that came in. Never throws. */
export type Conversion<Value> = (value: unknown) => Value | ValueProblem;
