import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type ItemRequest, type Output, UNREAD } from './item';
import type { Api } from '../api/client';
import { unreadableError } from '../api/errors';
import { recordId } from '../values/ids';
import { isObject } from '../values/json';

const outputOf = (itemsOf: Output['itemsOf']): Output => ({ itemsOf });

/** Returns the ID in the path, in the type that the service uses: a number if it has only digits, and a number keeps them. */
function idOf({ path }: ItemRequest<object>) {
	const [segment] = Object.values(path);
	return recordId(segment) ?? segment;
}

/**
 * Makes the item of a write that is done, although the response does not show what was written. A failure would invite
 * people to do it again.
 *
 * @throws NodeApiError when the request only reads
 */
function done(content: unknown, api: Api, request: ItemRequest<object>): INodeExecutionData[] {
	if (request.method === 'GET') throw unreadableError(content);
	if (content !== undefined && content !== null && content !== '') api.note(UNREAD);
	const id = idOf(request);
	// What a POST writes is not the record of its path.
	const isOfRecord = id !== undefined && request.method !== 'POST';
	return [{ json: { ...(isOfRecord && { id }), success: true } }];
}

/** One item with the record. */
export const record = outputOf((found, { api }, request) => {
	const isShown = isObject(found) && (request.method === 'GET' || Object.keys(found).length > 0);
	return isShown ? [{ json: found }] : done(found, api, request);
});

/** One item for each record of the list. */
export const list = outputOf((found, { api }, request) => {
	if (!Array.isArray(found)) return done(found, api, request);
	const items: INodeExecutionData[] = [];
	// A member that an item gets later takes 32 bytes more, which counts for 100,000 of them: the runner links each item.
	for (const one of found as unknown[])
		items.push({ json: isObject(one) ? one : { value: one as string }, pairedItem: undefined });
	return items;
});

/** The records that a write has changed: one item per record. If there were none, one item, so that the workflow goes on. */
export const listOrDone = outputOf((found, item, request) => {
	const items = list.itemsOf(found, item, request);
	return items.length > 0 ? items : [{ json: { success: true } }];
});

/**
 * One item with a set as an array, so that the workflow continues even if it is empty: `{ profile_id: 7, tags: [] }` of the path
 * `/profiles/7/tags`.
 */
export const wholeSet = outputOf((found, { api }, request) => {
	const [, collection, , set] = request.url.split('/');
	const json = { [`${collection.replace(/s$/, '')}_id`]: idOf(request) };
	if (!Array.isArray(found))
		return done(found, api, request).map(() => ({ json: { ...json, success: true } }));
	return [{ json: { ...json, [set]: found as IDataObject[] } }];
});

/** A delete: one item with the ID. The response may have any content. */
export const deleted = outputOf((_found, _item, request) => [{ json: { id: idOf(request), deleted: true } }]);

/** The tenant's OpenAPI description: one item with its text. A description in JSON is also there as an object. */
export const descriptionText = outputOf((found) => {
	if (typeof found === 'string') return [{ json: { openapi: found } }];
	if (!isObject(found)) throw unreadableError(found);
	return [{ json: { openapi: JSON.stringify(found, null, 2), document: found } }];
});
