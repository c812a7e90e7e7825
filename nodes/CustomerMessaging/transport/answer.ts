import { type IDataObject, type IHttpRequestOptions, UserError } from 'n8n-workflow';

import { isObject } from '../values/json';
import { urlWithinTenant } from '../credential/tenantUrl';

/**
 * Returns the content of a response, without its `data` envelope (conventions 2 to 6 of the interface). A body that has
 * its own `id` is a record without an envelope.
 */
export function unwrapped(body: unknown): unknown {
	return isObject(body) && 'data' in body && !('id' in body) ? body.data : body;
}

/** Whether a body is a page in place of the interface's JSON, such as the page of a login. */
export const isPage = (body: unknown) => typeof body === 'string' && body.trimStart().startsWith('<');

/** Returns the first present member with one of these names, at the top of an envelope or in one of its usual parts. */
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

/** Returns the number of records of a list on all its pages, if the envelope tells it. */
export const totalOf = (body: IDataObject) => numberOf(member(body, ['total', 'total_count']));

/** The next page of a list: its query, and its path below the base URL if the path changes. */
interface NextPage {
	url?: string;
	qs: IDataObject;
}

/**
 * Returns the location of the next page by link, page number, offset or cursor. The envelope decides which of them
 * applies.
 *
 * The interface documents only the member `data` of an envelope. So this function reads the usual names.
 *
 * @param count number of records on this page
 * @returns undefined after the last page
 * @throws UserError when a link points outside the tenant, or when the list continues without a usable link, number or
 * cursor
 */
export function whereNext(
	options: IHttpRequestOptions,
	body: IDataObject,
	count: number,
	baseUrl: string,
): NextPage | undefined {
	const link = member(body, ['next_page_url', 'next']);
	const href = isObject(link) ? link.href : link;
	if (typeof href === 'string' && /^(https?:)?\/|^\?/.test(href)) {
		const next = new URL(urlWithinTenant(baseUrl, new URL(href, `${baseUrl}${options.url}`).href));
		return {
			url: next.pathname.slice(new URL(baseUrl).pathname.length),
			qs: Object.fromEntries(next.searchParams),
		};
	}
	const cursor = member(body, ['next_cursor', 'after']) ?? (typeof href === 'string' ? href : undefined);
	if (typeof cursor === 'string' && cursor !== '') return { qs: { cursor } };

	const page = numberOf(member(body, ['current_page', 'page']));
	const lastPage = numberOf(member(body, ['last_page', 'total_pages', 'page_count']));
	if (page !== undefined && lastPage !== undefined)
		return page < lastPage ? { qs: { page: page + 1 } } : undefined;

	const offset = numberOf(member(body, ['offset']));
	const total = totalOf(body);
	if (offset !== undefined && total !== undefined) {
		return offset + count < total ? { qs: { offset: offset + count } } : undefined;
	}
	if (member(body, ['has_more', 'hasMore', 'has_more_pages']) === true) {
		throw new UserError('The service says that the list goes on, but not how to get the rest', {
			description: `Set a Limit of at most ${count}, and tell the operator of the tenant.`,
		});
	}
	return undefined;
}
