import { type IDataObject, type IHttpRequestOptions, UserError } from 'n8n-workflow';

import { isObject } from '../values/json';
import { urlWithinTenant } from './tenantUrl';

/**
 * What an answer carries, out of its `data` wrapper where it has one (conventions 2 to 6 of the interface). A record
 * that comes without a wrapper is told apart by its own `id`.
 */
export function unwrapped(body: unknown): unknown {
	return isObject(body) && 'data' in body && !('id' in body) ? body.data : body;
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

/** A page of a list: its path below the base URL where it is not that of the page before, and its query. */
export interface NextPage {
	url?: string;
	qs: IDataObject;
}

/**
 * Where the next page is, by link, page number, offset or cursor, whichever the envelope speaks of.
 *
 * The envelope's members besides `data` are not shown by the interface, so the usual ones are understood.
 *
 * @param count records on this page
 * @throws UserError when a link leads out of the tenant, or there is more but no way to it
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
	const total = numberOf(member(body, ['total', 'total_count']));
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
