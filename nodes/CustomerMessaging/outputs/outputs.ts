import type { IDataObject } from 'n8n-workflow';

import type { Output } from '../runner/operation';
import { unwrapped } from '../transport/answer';
import { unreadableError } from '../transport/errors';
import { isObject } from '../values/json';

/** One record: one item with the record's fields as the service sends them. */
export const record: Output = {
	reads: [],
	itemsOf: (answer, { context }) => {
		const found = unwrapped(answer.body);
		if (!isObject(found)) throw unreadableError(context.getNode(), answer, context.getItemIndex());
		return [{ json: found }];
	},
};

/** A list that is read: one item per record. */
export const list: Output = {
	reads: [],
	itemsOf: (answer, { context }) => {
		const found = unwrapped(answer.body);
		if (!Array.isArray(found)) throw unreadableError(context.getNode(), answer, context.getItemIndex());
		return found.map((one: unknown) => ({ json: isObject(one) ? one : { value: one as string } }));
	},
};

/** An ID as the service sends it: a number where it is one. */
const idOf = (segment: string) => (/^\d+$/.test(segment) ? Number(segment) : segment);

/**
 * A write that answers a set: one item with the set as an array, so that an empty set still carries the workflow on.
 *
 * @param owner output field for the ID of the record that has the set, the first in the path
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

/** A delete: one item with the ID. What the service answers carries nothing. */
export const deleted: Output = {
	reads: [],
	itemsOf: (_answer, { request }) => {
		const [id] = Object.values(request.path);
		return [{ json: { id: idOf(id), deleted: true } }];
	},
};

/** The interface's own description: one item with the text as it was sent. */
export const descriptionText: Output = {
	reads: [],
	itemsOf: ({ body }) => [{ json: { openapi: String(body) } }],
};
