import type { IExecutePaginationFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { cancelSignalOf, type RequestContext } from './context';
import { isObject, whereNext, unwrapped } from './envelope';
import { executionOf } from './execution';
import { wait } from './pace';
import { request } from './request';
import { received, sendWith } from './send';

/** Page size asked for where the interface has a parameter for it; its maximum is not shown. */
export const PAGE_SIZE = 100;

/**
 * The request for the page after this one, or undefined after the last.
 *
 * @throws UserError when a link leads out of the tenant
 */
export async function nextPage(
	context: RequestContext,
	options: IHttpRequestOptions,
	body: unknown,
): Promise<IHttpRequestOptions | undefined> {
	if (!isObject(body) || !Array.isArray(body.data) || body.data.length === 0) return undefined;
	const { baseUrl } = await executionOf(context);
	const next = whereNext(options, body, body.data.length, baseUrl);
	return next && { ...options, ...next, qs: { ...options.qs, ...next.qs } };
}

function endlessList(context: IExecutePaginationFunctions, read: number): NodeOperationError {
	return new NodeOperationError(context.getNode(), 'The service sent the same page of the list twice', {
		description: `Reading stopped after ${read} records, since the list would never end. Set a Limit of at most ${read}, and tell the operator of the tenant.`,
		itemIndex: context.getItemIndex(),
	});
}

/** Whether a page holds the same as the one before; an empty one does not. */
function repeats(page: unknown, previous: unknown): boolean {
	if (!Array.isArray(page) || !Array.isArray(previous) || page.length === 0) return false;
	const text = (value: unknown) => JSON.stringify(value);
	// Nearly all pages are told apart by their first record.
	return text(page[0]) === text(previous[0]) && text(page) === text(previous);
}

/**
 * Reads a list page by page, up to the operation's `limit`, or all of it with `returnAll`.
 *
 * @param pageSizeParameter query parameter for the page size, where the interface has one
 * @throws NodeOperationError when a page repeats, since the list would then never end
 */
export function sendPages(pageSizeParameter?: string) {
	return sendWith(async function (first, requestData) {
		const limit = this.getNodeParameter('returnAll', false)
			? Infinity
			: Number(this.getNodeParameter('limit', 50));
		const { pageDelay } = await executionOf(this);
		const items: INodeExecutionData[] = [];
		const asked = new Set<string>();
		let previous: unknown;
		let options: IHttpRequestOptions | undefined = pageSizeParameter
			? { ...first, qs: { ...first.qs, [pageSizeParameter]: Math.min(limit, PAGE_SIZE) } }
			: first;
		while (options && items.length < limit) {
			const target = `${options.url}?${String(new URLSearchParams(options.qs as Record<string, string>))}`;
			if (asked.has(target)) throw endlessList(this, items.length);
			asked.add(target);
			const response = await request(this, options);
			const content = unwrapped(response.body);
			if (repeats(content, previous)) throw endlessList(this, items.length);
			previous = content;
			for (const item of await received(this, requestData, response)) items.push(item);
			options = await nextPage(this, options, response.body);
			if (options && pageDelay > 0) await wait(pageDelay, cancelSignalOf(this));
		}
		return items.length > limit ? items.slice(0, limit) : items;
	});
}
