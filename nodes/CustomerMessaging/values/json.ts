import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { type Conversion, ValueProblem } from './conversion';
import { EMPTY, isFailedDate, text } from './text';

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

/** Names that n8n's HTTP client removes from a body. */
const LOST_NAMES = ['__proto__', 'constructor', 'prototype'];

/** Returns a problem if a member name does not arrive at the service. */
export function nameProblem(name: string): ValueProblem | undefined {
	return LOST_NAMES.includes(name)
		? new ValueProblem(`contains the name "${name}", which n8n cannot send`, 'Use another name.')
		: undefined;
}

/** Returns a problem if a value has no form in JSON: it or one of its parts would be lost or become `null`. */
function jsonProblem(value: unknown): ValueProblem | undefined {
	// The set grows during the loop. Each part is in it once, so that a circular value ends.
	const parts = new Set<unknown>([value]);
	for (const part of parts) {
		if (typeof part === 'number' && !Number.isFinite(part))
			return new ValueProblem(`contains ${part}, which is not a number in JSON`, 'Check the expression.');
		if (typeof part === 'bigint')
			return new ValueProblem('contains a number that JSON does not have', 'Give the number as text.');
		if (typeof part === 'string' && isFailedDate(part)) return text(part) as ValueProblem;
		if (typeof part !== 'object' || part === null) continue;
		if (isMoment(part)) {
			const moment = text(part);
			if (moment instanceof ValueProblem) return moment;
			continue;
		}
		if (part instanceof Map || part instanceof Set)
			return new ValueProblem('contains a value that JSON does not have', 'Give an object or an array.');
		for (const [name, member] of Object.entries(part)) {
			const problem = Array.isArray(part) ? undefined : nameProblem(name);
			if (problem) return problem;
			parts.add(member);
		}
	}
	return undefined;
}

const isMoment = (value: object) => value instanceof Date || DateTime.isDateTime(value);

/**
 * Converts a value of any JSON type. Dates become text.
 *
 * It rejects values that JSON does not have, because they would be sent as `null` or not at all.
 */
export const anyJson: Conversion<unknown> = (value) => {
	if (typeof value === 'bigint') return String(value);
	if (typeof value === 'object' && value !== null && isMoment(value)) return text(value);
	if (typeof value === 'string') return isFailedDate(value) ? text(value) : value;
	if (value === undefined) return EMPTY;
	return jsonProblem(value) ?? value;
};

/** Parses JSON text. It rejects numbers that would lose digits. */
function parsed(value: unknown, kind: string, example: string): unknown {
	if (typeof value !== 'string') return value;
	let lost: number | undefined;
	const checked = (_name: string, part: unknown) => {
		if (typeof part === 'number' && Number.isInteger(part) && !Number.isSafeInteger(part)) lost ??= part;
		return part;
	};
	try {
		const found = JSON.parse(value, checked) as unknown;
		return lost === undefined
			? found
			: new ValueProblem(
					`contains a number with more digits than a number keeps, about ${lost}`,
					'Write it as text, in quotes.',
				);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return new ValueProblem(`is not valid JSON: ${reason}`, `Enter a JSON ${kind}, e.g. ${example}`);
	}
}

/**
 * Makes a conversion to a JSON object. The input is JSON text or the result of an expression.
 *
 * @param example JSON text for the error message
 */
export function jsonObject(example: string): Conversion<IDataObject> {
	return (value) => {
		const found = parsed(value, 'object', example);
		if (found instanceof ValueProblem) return found;
		return isObject(found) && !isMoment(found)
			? (jsonProblem(found) ?? found)
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
		if (found instanceof ValueProblem) return found;
		return Array.isArray(found)
			? (jsonProblem(found) ?? found)
			: new ValueProblem('is not a JSON array', `Enter a JSON array, e.g. ${example}`);
	};
}

/**
 * Makes a conversion to a JSON array of objects. The input is JSON text or the result of an expression.
 *
 * @param example JSON text for the error message
 */
export function jsonObjects(example: string): Conversion<IDataObject[]> {
	const array = jsonArray(example);
	return (value) => {
		const found = array(value);
		if (found instanceof ValueProblem || found.every(isObject)) return found as IDataObject[] | ValueProblem;
		return new ValueProblem(
			'contains an element that is not a JSON object',
			`Enter an array of objects, e.g. ${example}`,
		);
	};
}
