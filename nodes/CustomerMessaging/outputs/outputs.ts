import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Item, Output } from '../runner/operation';
import { isEmpty, isPage, unwrapped } from '../transport/responseBody';
import { unreadableError } from '../transport/errors';
import { noteOutcome, UNREAD } from '../transport/nodeRun';
import type { ServiceResponse } from '../transport/request';
import { recordId } from '../values/ids';
import { isObject } from '../values/json';

/** Makes the error about a response that the interface does not allow. */
const unreadable = (
	answer: ServiceResponse,
	{ context, request }: Pick<Item<never>, 'context' | 'request'>,
) => unreadableError(context, answer, request.method);

/** Converts an ID to the type that the service uses: a number if it has only digits, and a number keeps them. */
const idOf = (segment: string) => recordId(segment) ?? segment;

/**
 * Makes the item of a write that is done, although the response does not show what was written. A failure would invite
 * people to do it again.
 *
 * @throws NodeApiError when a page came, such as that of a login, or when the request only reads
 */
function done(answer: ServiceResponse, item: Pick<Item<never>, 'context' | 'request'>): INodeExecutionData[] {
	if (item.request.method === 'GET' || isPage(answer.body)) throw unreadable(answer, item);
	if (!isEmpty(answer)) void noteOutcome(item.context, UNREAD);
	const [id] = Object.values(item.request.path);
	// What a POST writes is not the record of its path.
	const isOfRecord = id !== undefined && item.request.method !== 'POST';
	return [{ json: { ...(isOfRecord && { id: idOf(id) }), success: true } }];
}

/** One record: one item with the record's fields, unchanged. */
export const record: Output = {
	reads: [],
	itemsOf: (answer, item) => {
		const found = unwrapped(answer.body);
		const isWritten = item.request.method !== 'GET' && isObject(found) && Object.keys(found).length === 0;
		return isObject(found) && !isWritten ? [{ json: found }] : done(answer, item);
	},
};

/** A list: one item per record. */
export const list: Output = {
	reads: [],
	itemsOf: (answer, item) => {
		const found = unwrapped(answer.body);
		if (!Array.isArray(found)) return done(answer, item);
		return found.map((one: unknown) => ({ json: isObject(one) ? one : { value: one as string } }));
	},
};

/** The records that a write has changed: one item per record. If there were none, one item, so that the workflow goes on. */
export const listOrDone: Output = {
	reads: [],
	itemsOf: (answer, item) => {
		const items = list.itemsOf(answer, item);
		return items.length > 0 ? items : [{ json: { success: true } }];
	},
};

/**
 * Makes the output of a write that returns a set: one item with the set as an array. So the workflow continues even if
 * the set is empty. If the tenant does not tell the set, the item has only the ID of its owner.
 *
 * @param owner output field for the ID of the record that has the set, which is the first path parameter
 * @param set output field of the set
 */
export function setOf(owner: string, set: string): Output {
	return {
		reads: [],
		itemsOf: (answer, item) => {
			const found = unwrapped(answer.body);
			const [id] = Object.values(item.request.path);
			if (!Array.isArray(found)) return done(answer, item).map(() => ({ json: { [owner]: idOf(id) } }));
			return [{ json: { [owner]: idOf(id), [set]: found as IDataObject[] } }];
		},
	};
}

/** A delete: one item with the ID. The response may have any content but a page, such as that of a login. */
export const deleted: Output = {
	reads: [],
	itemsOf: (answer, item) => {
		if (isPage(answer.body)) throw unreadable(answer, item);
		const [id] = Object.values(item.request.path);
		return [{ json: { id: idOf(id), deleted: true } }];
	},
};

/** The tenant's OpenAPI description: one item with its text. A description in JSON is also there as an object. */
export const descriptionText: Output = {
	reads: [],
	itemsOf: (answer, { context }) => {
		const found = unwrapped(answer.body);
		if (typeof found === 'string' && !isPage(found)) return [{ json: { openapi: found } }];
		if (!isObject(found)) throw unreadableError(context, answer);
		return [{ json: { openapi: JSON.stringify(found, null, 2), document: found } }];
	},
};
