import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { InvalidValue, type Parse } from './parse';
import { emptyValue, hasLostDigits, messageOf, quote, text } from './text';

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

/** Throws InvalidValue if a part of a value, without its own parts, has no form in JSON, or has lost digits. */
function checkPart(part: unknown): void {
	if (typeof part === 'number' && !Number.isFinite(part))
		throw new InvalidValue(`contains ${part}, which is not a number in JSON`, 'Check the expression.');
	if (typeof part === 'string' || isMoment(part)) text(part);
	if (hasLostDigits(part))
		throw new InvalidValue(
			`contains a number with too many digits, about ${quote(part)}`,
			'Write it as text, in quotes.',
		);
}

/** Throws InvalidValue if a value or one of its parts would be lost or become `null`, or has lost digits. */
function checkJson(value: unknown): void {
	let invalid: InvalidValue;
	try {
		JSON.stringify(value, function (this: Record<string, unknown>, name, part: unknown) {
			// As it is, and not as JSON writes it.
			checkPart(this[name]);
			return part;
		});
		return;
	} catch (error) {
		const problem = `cannot be written as JSON: ${messageOf(error)}`;
		invalid = error instanceof InvalidValue ? error : new InvalidValue(problem, 'Check the expression.');
	}
	throw invalid;
}

const isMoment = (value: unknown) => value instanceof Date || DateTime.isDateTime(value);

/** Parses a value of any JSON type. Dates become text. Others that JSON does not have are refused. */
export const anyJson: Parse<unknown> = (value) => {
	if (isMoment(value)) return text(value);
	if (value === undefined) throw emptyValue();
	checkJson(value);
	return value;
};

/** Makes a parser of JSON text, or of the result of an expression. No number may have lost digits. */
function jsonOf<Value>(
	kind: string,
	example: string,
	isOfKind: (found: unknown) => found is Value,
): Parse<Value> {
	const hint = `Enter a JSON ${kind}, e.g. ${example}`;
	return (value) => {
		let found = value;
		let problem = `is not a JSON ${kind}`;
		try {
			if (typeof value === 'string') found = JSON.parse(value);
		} catch (error) {
			problem = `is not valid JSON: ${messageOf(error)}`;
		}
		if (!isOfKind(found)) throw new InvalidValue(problem, hint);
		checkJson(found);
		return found;
	};
}

/** Makes a parser of a JSON object. `example` is JSON text for the error message. */
export const jsonObject = (example: string): Parse<IDataObject> =>
	jsonOf('object', example, (found): found is IDataObject => isObject(found) && !isMoment(found));

export const jsonArray = (example: string): Parse<unknown[]> => jsonOf('array', example, Array.isArray);

export const jsonObjects = (example: string): Parse<IDataObject[]> =>
	jsonOf(
		'array of objects',
		example,
		(found): found is IDataObject[] => Array.isArray(found) && found.every(isObject),
	);

export const objectOrEmpty: Parse<IDataObject> = (value) => (isObject(value) ? value : {});
