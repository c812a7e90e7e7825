import type { IDataObject } from 'n8n-workflow';

import { type Conversion, ValueProblem } from './conversion';

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects in a list; an empty array if the value is not a list. */
export function objectsOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns an own member of an external object, never an inherited one. */
export function ownMember(value: unknown, name: string): unknown {
	return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function parsed(value: unknown, kind: string, example: string): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return new ValueProblem(`is not valid JSON: ${reason}`, `Enter a JSON ${kind}, e.g. ${example}`);
	}
}

const isDateTime = (value: object) => 'toISODate' in value || value instanceof Date;

/**
 * Makes a conversion to a JSON object. The input is JSON text or the result of an expression.
 *
 * @param example JSON text for the error message
 */
export function jsonObject(example: string): Conversion<IDataObject> {
	return (value) => {
		const found = parsed(value, 'object', example);
		if (found instanceof ValueProblem) return found;
		return isObject(found) && !isDateTime(found)
			? found
			: new ValueProblem('is not a JSON object', `Enter a JSON object, e.g. ${example}`);
	};
}

/**
 * Makes a conversion to a JSON array. The input is JSON text or the result of an expression.
 *
 * @param example JSON text for the error message
 */
export function jsonArray(example: string): Conversion<unknown[]> {
	return (value) => {
		const found = parsed(value, 'array', example);
		if (found instanceof ValueProblem || Array.isArray(found)) return found;
		return new ValueProblem('is not a JSON array', `Enter a JSON array, e.g. ${example}`);
	};
}
