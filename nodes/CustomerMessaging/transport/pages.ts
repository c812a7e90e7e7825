import type { IHttpRequestOptions } from 'n8n-workflow';

import { isObject } from '../values/json';
import { whereNext } from './answer';
import type { RequestContext } from './context';
import { nodeRunOf } from './nodeRun';

/** Page size of the requests whose endpoint has a page size parameter. The interface does not document its maximum. */
export const PAGE_SIZE = 100;

/**
 * Returns the request for the next page, or undefined after the last page.
 *
 * @throws UserError when a link points outside the tenant, or when the list continues without a usable link, number or
 * cursor
 */
export async function nextPage<Options extends IHttpRequestOptions>(
	context: RequestContext,
	options: Options,
	body: unknown,
): Promise<Options | undefined> {
	if (!isObject(body) || !Array.isArray(body.data) || body.data.length === 0) return undefined;
	const { baseUrl } = await nodeRunOf(context);
	const next = whereNext(options, body, body.data.length, baseUrl);
	return next && { ...options, ...next, qs: { ...options.qs, ...next.qs } };
}
