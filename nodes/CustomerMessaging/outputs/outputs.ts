import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Output } from '../runner/operation';
import { isEmpty } from '../api/responses';
import { UNREAD } from '../runner/runItem';
import { unreadableError } from '../api/errors';
import { recordId } from '../values/ids';
import { isObject } from '../values/json';

type Answering = Parameters<Output['itemsOf']>[1];

const outputOf = (itemsOf: Output['itemsOf']): Output => ({ itemsOf });

const unreadable = (content: unknown, { request }: Answering) => unreadableError(content, request.method);

/** Returns the ID in the path, in the type that the service uses: a number if it has only digits, and a number keeps them. */
function idOf({ request }: Answering) {
	const [segment] = Object.values(request.path);
	return recordId(segment) ?? segment;
}

/**
 * Makes the item of a write that is done, although the response does not show what was written. A failure would invite
 * people to do it again.
 *
 * @throws NodeApiError when the request only reads
 */
function done(content: unknown, item: Answering): INodeExecutionData[] {
	if (item.request.method === 'GET') throw unreadable(content, item);
	if (!isEmpty(content)) item.context.api.note(UNREAD);
	const id = idOf(item);
	// What a POST writes is not the record of its path.
	const isOfRecord = id !== undefined && item.request.method !== 'POST';
	return [{ json: { ...(isOfRecord && { id }), success: true } }];
}

export const record = outputOf((found, item) => {
	const isShown = isObject(found) && (item.request.method === 'GET' || Object.keys(found).length > 0);
	return isShown ? [{ json: found }] : done(found, item);
});

export const list = outputOf((found, item) => {
	if (!Array.isArray(found)) return done(found, item);
	// A member that an item gets later takes 32 bytes more, which counts for 100,000 of them: the runner links each item.
	return found.map((one: unknown) => ({
		json: isObject(one) ? one : { value: one as string },
		pairedItem: undefined,
	}));
});

/** The records that a write has changed: one item per record. If there were none, one item, so that the workflow goes on. */
export const listOrDone = outputOf((found, item) => {
	const items = list.itemsOf(found, item);
	return items.length > 0 ? items : [{ json: { success: true } }];
});

/**
 * One item with the set as an array, so that the workflow continues even if it is empty.
 *
 * @param owner output field for the ID of the record that has the set, which is the first path parameter
 */
export const setOf = (owner: string, set: string) =>
	outputOf((found, item) => {
		const json = { [owner]: idOf(item) };
		if (!Array.isArray(found)) return done(found, item).map(() => ({ json: { ...json, success: true } }));
		return [{ json: { ...json, [set]: found as IDataObject[] } }];
	});

/** A delete: one item with the ID. The response may have any content. */
export const deleted = outputOf((_found, item) => [{ json: { id: idOf(item), deleted: true } }]);

/** The tenant's OpenAPI description: one item with its text. A description in JSON is also there as an object. */
export const descriptionText = outputOf((found, item) => {
	if (typeof found === 'string') return [{ json: { openapi: found } }];
	if (!isObject(found)) throw unreadable(found, item);
	return [{ json: { openapi: JSON.stringify(found, null, 2), document: found } }];
});
