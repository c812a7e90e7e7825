import {
	type IDataObject,
	type IExecuteFunctions,
	type IExecutePaginationFunctions,
	type IGetNodeParameterOptions,
	isExpression,
	isSafeObjectProperty,
} from 'n8n-workflow';

import type { RunContext } from '../api/client';
import type { ItemContext } from './field';
import { isObject, ownMember } from '../values/json';

// n8n takes up to 0.3 ms to evaluate any expression. Some expressions only name fields of the item. Their values can be
// read from the item instead, and are the same.

/** The place of a field in an expression: `{{ $json.a }}` or `{{ $json["a b"].c }}`. */
const PLACE = /\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:"[^"\\]*"|'[^'\\]*')\])+)\s*\}\}/g;

const PLAIN_TEXT = /^[^{}\\]*$/;

type Part = string[] | string;

function namesIn(path: string): string[] {
	const names = path.matchAll(/\.([A-Za-z_$][\w$]*)|\["([^"]*)"\]|\['([^']*)'\]/g);
	return [...names].map(([, a, b, c]) => a ?? b ?? c);
}

/** Returns the parts of an expression made of text and of places of fields; undefined for any other. */
export function plainParts(expression: string): Part[] | undefined {
	if (!expression.startsWith('=')) return undefined;
	const parts: Part[] = [];
	let end = 1;
	for (const { 0: place, 1: path, index } of expression.matchAll(PLACE)) {
		parts.push(expression.slice(end, index), namesIn(path));
		end = index + place.length;
	}
	parts.push(expression.slice(end));
	const isPlain = parts.every((part) => typeof part !== 'string' || PLAIN_TEXT.test(part));
	return isPlain && parts.length > 1 ? parts.filter((part) => part !== '') : undefined;
}

/** The value of an expression that n8n has to evaluate for this item. */
export const LEFT_TO_N8N = Symbol('left to n8n');

/** Reads own members of plain objects. Of all else, such as the length of a text, and of what n8n refuses, only n8n knows. */
export function fieldAt(fields: IDataObject, path: string[]): unknown {
	let value: unknown = fields;
	for (const name of path) {
		if (!isObject(value)) return LEFT_TO_N8N;
		// A plain object inherits from nothing but an `Object.prototype`, of whichever realm.
		const isPlain = Object.getPrototypeOf(Object.getPrototypeOf(value) ?? Object.prototype) === null;
		if (!isPlain || !(Object.hasOwn(value, name) || !(name in value))) return LEFT_TO_N8N;
		value = value[name];
	}
	return value;
}

/** Reads the value of a parameter from the fields of an item, or returns `LEFT_TO_N8N`. */
type FieldReader = (fields: IDataObject) => unknown;

/** Whether n8n writes a value into a text as JavaScript does. */
const isWord = (value: unknown): value is number | string =>
	typeof value === 'string' || Number.isFinite(value);

/**
 * Makes the reader of a parameter, as the workflow stores it. Only n8n knows the text of values other than text and
 * numbers.
 */
export function fieldReader(raw: unknown): FieldReader {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return () => raw;
	const parts = plainParts(raw);
	if (!parts?.flat().every(isSafeObjectProperty)) return () => LEFT_TO_N8N;
	const [path] = parts;
	if (parts.length === 1 && typeof path !== 'string') return (fields) => fieldAt(fields, path);
	return (fields) => {
		const values = parts.map((part) => (typeof part === 'string' ? part : fieldAt(fields, part)));
		return values.every(isWord) ? values.join('') : LEFT_TO_N8N;
	};
}

/**
 * Returns the same context that n8n's routing engine makes for an item.
 *
 * @param stored by the parameter, what the workflow stores, or the reader of it where it is an expression: the same for a run
 */
export function itemContext(
	batch: RunContext<IExecuteFunctions>,
	index: number,
	stored = new Map<string, unknown>(),
): ItemContext {
	const item = batch.getInputData()[index];
	const getNodeParameter = (name: string, fallback?: object, options?: IGetNodeParameterOptions) => {
		const { extractValue = false, ...others } = options ?? {};
		if (Object.keys(others).length === 0) {
			const key = `${extractValue ? 'value' : 'whole'} ${name}`;
			if (!stored.has(key)) {
				let raw = name.split('.').reduce<unknown>(ownMember, batch.getNode().parameters);
				// The modes of the locators in this package do not transform the value.
				if (extractValue && isObject(raw) && '__rl' in raw) raw = raw.value;
				stored.set(key, isExpression(raw) ? fieldReader(raw) : raw);
			}
			const known = stored.get(key);
			const value: unknown = typeof known === 'function' ? (known as FieldReader)(item.json) : known;
			// n8n evaluates all other expressions, and copies lists and objects.
			if (['string', 'number', 'boolean'].includes(typeof value)) return value;
		}
		// n8n would look for the parameter among those of all operations, and none of them has a type to validate.
		return batch.getNodeParameter(name, index, fallback, { ...options, skipValidation: true });
	};
	const helpers: Partial<IExecutePaginationFunctions['helpers']> = {
		assertBinaryData: (field) => batch.helpers.assertBinaryData(index, field),
	};
	const ownMembers = {
		getItemIndex: () => index,
		getInputData: () => item,
		getNodeParameter,
		evaluateExpression: (expression: string) => batch.evaluateExpression(expression, index),
		helpers: Object.assign(Object.create(batch.helpers) as object, helpers),
	};
	// All other members are the same for all items.
	return Object.assign(Object.create(batch) as ItemContext, ownMembers);
}
