import type { IDataObject } from 'n8n-workflow';

import type { Output } from '../runner/operation';
import { unwrapped } from '../transport/answer';
import { unreadableError } from '../transport/errors';
import { isObject } from '../values/json';

/** One record: one item with the record's fields, unchanged. */
export const record: Output = {
	reads: [],
	itemsOf: (answer, { context }) => {
		const found = unwrapped(answer.body);
		if (!isObject(found)) throw unreadableError(context.getNode(), answer, context.getItemIndex());
		return [{ json: found }];
	},
};

/** A list: one item per record. */
export const list: Output = {
	reads: [],
	itemsOf: (answer, { context }) => {
		const found = unwrapped(answer.body);
		if (!Array.isArray(found)) throw unreadableError(context.getNode(), answer, context.getItemIndex());
		return found.map((one: unknown) => ({ json: isObject(one) ? one : { value: one as string } }));
	},
};

/** Converts an ID to the type that the service uses: a number if it has only digits. */
const idOf = (segment: string) => (/^\d+$/.test(segment) ? Number(segment) : segment);

/**
 * Makes the output of a write that returns a set: one item with the set as an array. So the workflow continues even if
 * the set is empty.
 *
 * @param owner output field for the ID of the record that has the set, which is the first path parameter
 * @param set output field of the set
 */
export function setOf(owner: string, set: string): Output {
	return {
		reads: [],
		itemsOf: (answer, { context, request }) => {
			const found = unwrapped(answer.body);
			if (!Array.isArray(found)) throw unreadableError(context.getNode(), answer, context.getItemIndex());
			const [id] = Object.values(request.path);
			return [{ json: { [owner]: idOf(id), [set]: found as IDataObject[] } }];
		},
	};
}

/** A delete: one item with the ID. It ignores the content of the response. */
export const deleted: Output = {
	reads: [],
	itemsOf: (_answer, { request }) => {
		const [id] = Object.values(request.path);
		return [{ json: { id: idOf(id), deleted: true } }];
	},
};

/** The tenant's OpenAPI description: one item with the unchanged text. */
export const descriptionText: Output = {
	reads: [],
	itemsOf: ({ body }) => [{ json: { openapi: String(body) } }],
};
