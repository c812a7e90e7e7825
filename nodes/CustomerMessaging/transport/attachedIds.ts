import { isObject } from '../values/json';
import { unwrapped } from './answer';
import type { RequestContext } from './context';
import { unreadableError } from './errors';
import { request } from './request';

/**
 * Reads the IDs of the records that are attached to a record now, before a changed set is written back.
 *
 * @param url path of the set
 * @throws NodeApiError when the answer is no list of records with IDs: what was not read would be detached
 */
export async function attachedIds(context: RequestContext, url: string): Promise<number[]> {
	const answer = await request(context, { url });
	const found = unwrapped(answer.body);
	const ids = Array.isArray(found)
		? found.map((one: unknown) => (isObject(one) ? one.id : undefined))
		: [undefined];
	if (!ids.every((id) => typeof id === 'number' || typeof id === 'string'))
		throw unreadableError(context.getNode(), answer);
	return ids as number[];
}
