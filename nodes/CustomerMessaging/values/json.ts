import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { type Conversion, ValueProblem, whenConverted } from './conversion';
import { EMPTY, hasLostDigits, messageOf, text, textProblem } from './text';

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

export function nameProblem(name: string): ValueProblem | undefined {
	return LOST_NAMES.includes(name)
		? new ValueProblem(`contains the name "${name}", which n8n cannot send`, 'Use another name.')
		: undefined;
}

/** Limits of one JSON value. Within them, it takes less than 50 ms to check, and fits n8n's stack. */
const LIMITS = { levels: 1000, values: 30_000 };
const MAX_LENGTH = 10_000_000;

const EXCESSES = {
	levels: new ValueProblem(`nests more than ${LIMITS.levels} levels deep`, 'Send a flatter value.'),
	length: new ValueProblem('has more than 10 million characters', 'Send it in several items.'),
	values: new ValueProblem(
		`contains more than ${LIMITS.values / 1000},000 values`,
		'Send it in several items.',
	),
};

/** Returns a problem if a part of a value, without its own parts, has no form in JSON. */
function partProblem(part: unknown): ValueProblem | undefined {
	if (typeof part === 'number' && !Number.isFinite(part))
		return new ValueProblem(`contains ${part}, which is not a number in JSON`, 'Check the expression.');
	if (typeof part === 'bigint')
		return new ValueProblem('contains a number that JSON does not have', 'Give the number as text.');
	if (typeof part === 'string') return textProblem(part);
	return part instanceof Map || part instanceof Set
		? new ValueProblem('contains a value that JSON does not have', 'Give an object or an array.')
		: undefined;
}

/** Returns a problem if a value or one of its parts would be lost or become `null`, or has lost digits. */
function jsonProblem(value: unknown): ValueProblem | undefined {
	// Each object is visited once, so that a circular value ends.
	const seen = new Set<object>();
	let left = LIMITS.values;
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > LIMITS.levels) return EXCESSES.levels;
		const next: unknown[] = [];
		for (const part of level) {
			const problem = partProblem(part);
			if (problem) return problem;
			if (hasLostDigits(part))
				return new ValueProblem(
					`contains a number with more digits than a number keeps, about ${part}`,
					'Write it as text, in quotes.',
				);
			if (typeof part !== 'object' || part === null || seen.has(part)) continue;
			seen.add(part);
			if (isMoment(part)) {
				const moment = text(part);
				if (moment instanceof ValueProblem) return moment;
				continue;
			}
			const lost = Array.isArray(part) ? undefined : LOST_NAMES.find((name) => Object.hasOwn(part, name));
			if (lost !== undefined) return nameProblem(lost);
			if (Array.isArray(part) && part.length > left) return EXCESSES.values;
			// Object.values takes three times as long for large objects.
			for (const name in part) {
				if (--left < 0) return EXCESSES.values;
				next.push((part as Record<string, unknown>)[name]);
			}
		}
		level = next;
	}
	return undefined;
}

const isMoment = (value: object) => value instanceof Date || DateTime.isDateTime(value);

/** Converts a value of any JSON type. Dates become text. Others that JSON does not have are refused. */
export const anyJson: Conversion<unknown> = (value) => {
	if (typeof value === 'bigint') return String(value);
	if (typeof value === 'object' && value !== null && isMoment(value)) return text(value);
	if (typeof value === 'string') return textProblem(value) ?? value;
	if (value === undefined) return EMPTY;
	return jsonProblem(value) ?? value;
};

function parsed(value: unknown, kind: string, example: string): unknown {
	if (typeof value !== 'string') return value;
	if (value.length > MAX_LENGTH) return EXCESSES.length;
	try {
		return JSON.parse(value) as unknown;
	} catch (error) {
		const reason = messageOf(error);
		return new ValueProblem(`is not valid JSON: ${reason}`, `Enter a JSON ${kind}, e.g. ${example}`);
	}
}

/** Makes a conversion of JSON text, or of the result of an expression. No number may have lost digits. */
function jsonOf<Value>(
	kind: string,
	example: string,
	isOfKind: (found: unknown) => found is Value,
): Conversion<Value> {
	return (value) => {
		const found = parsed(value, kind, example);
		if (found instanceof ValueProblem) return found;
		return isOfKind(found)
			? (jsonProblem(found) ?? found)
			: new ValueProblem(`is not a JSON ${kind}`, `Enter a JSON ${kind}, e.g. ${example}`);
	};
}

/** Makes a conversion to a JSON object. `example` is JSON text for the error message. */
export const jsonObject = (example: string): Conversion<IDataObject> =>
	jsonOf('object', example, (found): found is IDataObject => isObject(found) && !isMoment(found));

export const jsonArray = (example: string): Conversion<unknown[]> => jsonOf('array', example, Array.isArray);

export function jsonObjects(example: string): Conversion<IDataObject[]> {
	const array = jsonArray(example);
	return (value) =>
		whenConverted(array(value), (found) =>
			found.every(isObject)
				? found
				: new ValueProblem(
						'contains an element that is not a JSON object',
						`Enter an array of objects, e.g. ${example}`,
					),
		);
}

export const objectOrEmpty: Conversion<IDataObject> = (value) => (isObject(value) ? value : {});
