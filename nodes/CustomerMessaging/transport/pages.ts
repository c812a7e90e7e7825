import type { IHttpRequestOptions } from 'n8n-workflow';

import { isObject } from '../values/json';
import { whereNext } from './answer';
import type { RequestContext } from './context';
import { nodeRunOf } from './nodeRun';

/** Page size asked for where the interface has a parameter for it; its maximum is not shown. */
export const PAGE_SIZE = 100;

/**
 * The request for the page after this one, or undefined after the last.
 *
 * @throws UserError when a link leads out of the tenant
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
