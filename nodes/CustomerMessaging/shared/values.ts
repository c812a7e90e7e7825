import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { parameterError } from '../transport/parameters';
import { preSend } from '../transport/preSend';

/** What a conversion gives for a value that cannot be what its parameter stands for. */
export class ValueProblem {
	constructor(
		/** Continues a sentence that starts with the parameter's label. */
		readonly problem: string,
		/** What to do about it. */
		readonly remedy: string,
	) {}
}

/** Makes the value that goes out from the value that came in. */
export type Conversion = (value: unknown) => unknown | ValueProblem;

/**
 * Converts one value of the current item.
 *
 * @param label the parameter's name as the editor shows it
 * @throws NodeOperationError that names the parameter and the item
 */
export function converted(
	context: IExecuteSingleFunctions,
	label: string,
	convert: Conversion,
	value: unknown,
): unknown {
	const result = convert(value);
	if (result instanceof ValueProblem) throw parameterError(context, label, result.problem, result.remedy);
	return result;
}

/**
 * Pre-send that converts one member of the body, if it is there.
 *
 * @param property name on the wire
 * @param label the parameter's name as the editor shows it
 */
export function convertBody(property: string, label: string, convert: Conversion) {
	return preSend((context, options) => {
		const body = options.body as IDataObject;
		const value = body[property];
		if (value === undefined || value === null || value === '') return options;
		return { ...options, body: { ...body, [property]: converted(context, label, convert, value) } };
	});
}

/**
 * A conversion to JSON of one kind, from text as typed or from what an expression gave.
 *
 * @param kind what the interface takes at this place
 * @param example shown in the error
 */
export function jsonOf(kind: 'array' | 'object', example: string): Conversion {
	const remedy = `Enter a JSON ${kind}, e.g. ${example}`;
	return (value) => {
		let parsed = value;
		if (typeof value === 'string') {
			try {
				parsed = JSON.parse(value);
			} catch (error) {
				return new ValueProblem(`is not valid JSON: ${(error as Error).message}`, remedy);
			}
		}
		const found = Array.isArray(parsed) ? 'array' : typeof parsed;
		return found === kind && parsed !== null ? parsed : new ValueProblem(`is not a JSON ${kind}`, remedy);
	};
}
