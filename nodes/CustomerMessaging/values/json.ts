import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { InvalidValue, type Parse } from './parse';
import { checkText, emptyValue, hasLostDigits, messageOf, text } from './text';

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

/** Throws InvalidValue for the name of a member that n8n cannot send. */
export function checkName(name: string): void {
	if (LOST_NAMES.includes(name))
		throw new InvalidValue(`contains the name "${name}", which n8n cannot send`, 'Use another name.');
}

/** Limits of one JSON value. Within them, it takes less than 50 ms to check, and fits n8n's stack. */
const LIMITS = { levels: 1000, values: 30_000 };
const MAX_LENGTH = 10_000_000;

const tooManyValues = () =>
	new InvalidValue(`contains more than ${LIMITS.values / 1000},000 values`, 'Send it in several items.');

/** Throws InvalidValue if a part of a value, without its own parts, has no form in JSON, or has lost digits. */
function checkPart(part: unknown): void {
	if (typeof part === 'number' && !Number.isFinite(part))
		throw new InvalidValue(`contains ${part}, which is not a number in JSON`, 'Check the expression.');
	if (typeof part === 'bigint')
		throw new InvalidValue('contains a number that JSON does not have', 'Give the number as text.');
	if (typeof part === 'string') checkText(part);
	if (part instanceof Map || part instanceof Set)
		throw new InvalidValue('contains a value that JSON does not have', 'Give an object or an array.');
	if (hasLostDigits(part))
		throw new InvalidValue(
			`contains a number with too many digits, about ${part}`,
			'Write it as text, in quotes.',
		);
}

/** Throws InvalidValue if a value or one of its parts would be lost or become `null`, or has lost digits. */
function checkJson(value: unknown): void {
	// Each object is visited once, so that a circular value ends.
	const seen = new Set<object>();
	let left = LIMITS.values;
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > LIMITS.levels)
			throw new InvalidValue(`nests more than ${LIMITS.levels} levels deep`, 'Send a flatter value.');
		const next: unknown[] = [];
		for (const part of level) {
			checkPart(part);
			if (typeof part !== 'object' || part === null || seen.has(part)) continue;
			seen.add(part);
			if (isMoment(part)) {
				text(part);
				continue;
			}
			if (!Array.isArray(part)) LOST_NAMES.filter((name) => Object.hasOwn(part, name)).forEach(checkName);
			else if (part.length > left) throw tooManyValues();
			// Object.values takes three times as long for large objects.
			for (const name in part) {
				if (--left < 0) throw tooManyValues();
				next.push((part as Record<string, unknown>)[name]);
			}
		}
		level = next;
	}
}

const isMoment = (value: object) => value instanceof Date || DateTime.isDateTime(value);

/** Parses a value of any JSON type. Dates become text. Others that JSON does not have are refused. */
export const anyJson: Parse<unknown> = (value) => {
	if (typeof value === 'bigint') return String(value);
	if (typeof value === 'object' && value !== null && isMoment(value)) return text(value);
	if (value === undefined) throw emptyValue();
	checkJson(value);
	return value;
};

function parsed(value: unknown, kind: string, example: string): unknown {
	if (typeof value !== 'string') return value;
	if (value.length > MAX_LENGTH)
		throw new InvalidValue('has more than 10 million characters', 'Send it in several items.');
	let reason: string;
	try {
		return JSON.parse(value) as unknown;
	} catch (error) {
		reason = messageOf(error);
	}
	throw new InvalidValue(`is not valid JSON: ${reason}`, `Enter a JSON ${kind}, e.g. ${example}`);
}

/** Makes a parser of JSON text, or of the result of an expression. No number may have lost digits. */
function jsonOf<Value>(
	kind: string,
	example: string,
	isOfKind: (found: unknown) => found is Value,
): Parse<Value> {
	return (value) => {
		const found = parsed(value, kind, example);
		if (!isOfKind(found))
			throw new InvalidValue(`is not a JSON ${kind}`, `Enter a JSON ${kind}, e.g. ${example}`);
		checkJson(found);
		return found;
	};
}

/** Makes a parser of a JSON object. `example` is JSON text for the error message. */
export const jsonObject = (example: string): Parse<IDataObject> =>
	jsonOf('object', example, (found): found is IDataObject => isObject(found) && !isMoment(found));

export const jsonArray = (example: string): Parse<unknown[]> => jsonOf('array', example, Array.isArray);

export function jsonObjects(example: string): Parse<IDataObject[]> {
	const array = jsonArray(example);
	return (value) => {
		const found = array(value);
		if (found.every(isObject)) return found;
		throw new InvalidValue(
			'contains an element that is not a JSON object',
			`Enter an array of objects, e.g. ${example}`,
		);
	};
}

export const objectOrEmpty: Parse<IDataObject> = (value) => (isObject(value) ? value : {});
