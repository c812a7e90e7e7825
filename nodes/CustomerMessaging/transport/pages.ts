import { type IHttpRequestOptions, UserError } from 'n8n-workflow';

import { isObject } from '../values/json';
import { unwrapped, whereNext } from './answer';
import { cancelSignalOf, itemIndexOf, type RequestContext } from './context';
import { unreadableError } from './errors';
import { nodeRunOf } from './nodeRun';
import { request } from './request';
import { wait } from './wait';

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

/** Makes the error about a list with content that is unreadable. */
export const unreadableList = (context: RequestContext) =>
	unreadableError(context.getNode(), { statusCode: 200 }, itemIndexOf(context));

/**
 * Reads the pages of a list that another request depends on, one by one.
 *
 * @throws NodeApiError when a response is not a list
 * @throws UserError when the list does not end
 */
export async function* pagesOf(
	context: RequestContext,
	first: IHttpRequestOptions,
): AsyncGenerator<{ records: unknown[]; body: unknown }> {
	const { pageDelay } = await nodeRunOf(context);
	const asked = new Set<string>();
	let page: IHttpRequestOptions | undefined = first;
	while (page) {
		const target = `${page.url} ${JSON.stringify(page.qs)}`;
		if (asked.has(target)) {
			throw new UserError('The service sent the same page of the list twice', {
				description: 'The list would never end. Tell the operator of the tenant.',
			});
		}
		asked.add(target);
		const { body } = await request(context, page);
		const records = unwrapped(body);
		if (!Array.isArray(records)) throw unreadableList(context);
		yield { records, body };
		page = await nextPage(context, page, body);
		if (page && pageDelay > 0) await wait(pageDelay, cancelSignalOf(context));
	}
}
