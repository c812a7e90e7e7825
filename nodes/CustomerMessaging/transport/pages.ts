import type { IDataObject, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { RequestContext } from './context';
import { executionOf } from './execution';
import { request } from './request';
import { received, sendWith } from './send';
import { urlWithinTenant } from './tenantUrl';

/** Page size asked for where the interface has a parameter for it; its maximum is not shown. */
export const PAGE_SIZE = 100;

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first member of that name that is present, at the top of an envelope or in one of its usual parts. */
function member(body: IDataObject, names: string[]): unknown {
	const parts = [
		body,
		body.meta,
		body.links,
		body._links,
		body.pagination,
		body.paging,
		body.cursor,
		body.cursors,
	];
	for (const part of parts) {
		if (!isObject(part)) continue;
		for (const name of names) if (part[name] !== undefined) return part[name];
	}
	return undefined;
}

function numberOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && value !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The query of the next page by link, page number, offset or cursor, whichever the envelope speaks of. */
function nextQuery(
	options: IHttpRequestOptions,
	body: IDataObject,
	count: number,
	baseUrl: string,
): IDataObject | undefined {
	const link = member(body, ['next_page_url', 'next']);
	const href = isObject(link) ? link.href : link;
	if (typeof href === 'string' && /^(https?:)?\/|^\?/.test(href)) {
		const absolute = urlWithinTenant(baseUrl, new URL(href, `${baseUrl}${options.url}`).href);
		return Object.fromEntries(new URL(absolute).searchParams);
	}
	const cursor = member(body, ['next_cursor', 'after']) ?? (typeof href === 'string' ? href : undefined);
	if (typeof cursor === 'string' && cursor !== '') return { cursor };

	const page = numberOf(member(body, ['current_page', 'page']));
	const lastPage = numberOf(member(body, ['last_page', 'total_pages', 'page_count']));
	if (page !== undefined && lastPage !== undefined) return page < lastPage ? { page: page + 1 } : undefined;

	const offset = numberOf(member(body, ['offset']));
	const total = numberOf(member(body, ['total', 'total_count']));
	if (offset !== undefined && total !== undefined) {
		return offset + count < total ? { offset: offset + count } : undefined;
	}
	return undefined;
}

/**
 * The request for the page after this one, or undefined after the last. The envelope is not shown by the interface, so
 * the usual ones are understood.
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
	const query = nextQuery(options, body, body.data.length, baseUrl);
	return query && { ...options, qs: { ...options.qs, ...query } };
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
		const items: INodeExecutionData[] = [];
		let previous = '';
		let options: IHttpRequestOptions | undefined = pageSizeParameter
			? { ...first, qs: { ...first.qs, [pageSizeParameter]: Math.min(limit, PAGE_SIZE) } }
			: first;
		while (options && items.length < limit) {
			const response = await request(this, options);
			const page = await received(this, requestData, response);
			const fingerprint = JSON.stringify(page);
			if (page.length > 0 && fingerprint === previous) {
				throw new NodeOperationError(this.getNode(), 'The service sent the same page of the list twice', {
					description: `Reading stopped after ${items.length} records, since the list would never end. Set a Limit of at most ${items.length}, and tell the operator of the tenant.`,
					itemIndex: this.getItemIndex(),
				});
			}
			previous = fingerprint;
			for (const item of page) items.push(item);
			options = await nextPage(this, options, response.body);
		}
		return items.length > limit ? items.slice(0, limit) : items;
	});
}
