import type { IDataObject } from 'n8n-workflow';

import { type Conversion, ValueProblem } from './conversion';

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; none where it is no list. */
export function objectsOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A member of its own of an object from outside, never one of JavaScript's. */
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
 * A conversion to a JSON object, from text as typed or from what an expression gave.
 *
 * @param example shown in the error
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
 * A conversion to a JSON array, from text as typed or from what an expression gave.
 *
 * @param example shown in the error
 */
export function jsonArray(example: string): Conversion<unknown[]> {
	return (value) => {
		const found = parsed(value, 'array', example);
		if (found instanceof ValueProblem || Array.isArray(found)) return found;
		return new ValueProblem('is not a JSON array', `Enter a JSON array, e.g. ${example}`);
	};
}
