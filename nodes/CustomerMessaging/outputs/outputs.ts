import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Output } from '../runner/operation';
import { isEmpty, isPage, unwrapped } from '../api/responseBody';
import { unreadableError } from '../api/errors';
import { noteOutcome, UNREAD } from '../api/nodeRun';
import type { ServiceResponse } from '../api/request';
import { recordId } from '../values/ids';
import { isObject } from '../values/json';

type Answering = Parameters<Output['itemsOf']>[1];

const outputOf = (itemsOf: Output['itemsOf']): Output => ({ itemsOf });

const unreadable = (answer: ServiceResponse, { request }: Answering) =>
	unreadableError(answer, request.method);

/** Returns the ID in the path, in the type that the service uses: a number if it has only digits, and a number keeps them. */
function idOf({ request }: Answering) {
	const [segment] = Object.values(request.path);
	return recordId(segment) ?? segment;
}

/**
 * Makes the item of a write that is done, although the response does not show what was written. A failure would invite
 * people to do it again.
 *
 * @throws Failure when a page came, such as that of a login, or when the request only reads
 */
function done(answer: ServiceResponse, item: Answering): INodeExecutionData[] {
	if (item.request.method === 'GET' || isPage(answer.body)) throw unreadable(answer, item);
	if (!isEmpty(answer)) void noteOutcome(item.context, UNREAD);
	const id = idOf(item);
	// What a POST writes is not the record of its path.
	const isOfRecord = id !== undefined && item.request.method !== 'POST';
	return [{ json: { ...(isOfRecord && { id }), success: true } }];
}

export const record = outputOf((answer, item) => {
	const found = unwrapped(answer.body);
	const isShown = isObject(found) && (item.request.method === 'GET' || Object.keys(found).length > 0);
	return isShown ? [{ json: found }] : done(answer, item);
});

export const list = outputOf((answer, item) => {
	const found = unwrapped(answer.body);
	if (!Array.isArray(found)) return done(answer, item);
	// A member that an item gets later takes 32 bytes more, which counts for 100,000 of them: the runner links each item.
	return found.map((one: unknown) => ({
		json: isObject(one) ? one : { value: one as string },
		pairedItem: undefined,
	}));
});

/** The records that a write has changed: one item per record. If there were none, one item, so that the workflow goes on. */
export const listOrDone = outputOf((answer, item) => {
	const items = list.itemsOf(answer, item);
	return items.length > 0 ? items : [{ json: { success: true } }];
});

/**
 * One item with the set as an array, so that the workflow continues even if it is empty.
 *
 * @param owner output field for the ID of the record that has the set, which is the first path parameter
 */
export const setOf = (owner: string, set: string) =>
	outputOf((answer, item) => {
		const found = unwrapped(answer.body);
		const json = { [owner]: idOf(item) };
		if (!Array.isArray(found)) return done(answer, item).map(() => ({ json: { ...json, success: true } }));
		return [{ json: { ...json, [set]: found as IDataObject[] } }];
	});

/** A delete: one item with the ID. The response may have any content but a page, such as that of a login. */
export const deleted = outputOf((answer, item) => {
	if (isPage(answer.body)) throw unreadable(answer, item);
	return [{ json: { id: idOf(item), deleted: true } }];
});

/** The tenant's OpenAPI description: one item with its text. A description in JSON is also there as an object. */
export const descriptionText = outputOf((answer, item) => {
	const found = unwrapped(answer.body);
	if (typeof found === 'string' && !isPage(found)) return [{ json: { openapi: found } }];
	if (!isObject(found)) throw unreadable(answer, item);
	return [{ json: { openapi: JSON.stringify(found, null, 2), document: found } }];
});
