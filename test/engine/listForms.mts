import type { FastifyRequest } from 'fastify';

/** What a form is given: all records, and the request's query. */
export interface Asked {
	records: Array<Record<string, unknown>>;
	query: URLSearchParams;
	/** Address of the list as the client asked for it, without the query. */
	self: string;
}

export interface Page {
	body: unknown;
	headers?: Record<string, string | undefined>;
}

export type Form = (asked: Asked) => Page;

const SIZE = 3;

export function asked(request: FastifyRequest, records: Asked['records']): Asked {
	const url = new URL(request.url, `http://${request.headers.host}`);
	return { records, query: url.searchParams, self: `${url.origin}${url.pathname}` };
}

/** The page that a query asks for by its number, and what stands beside it. */
function numbered({ records, query, self }: Asked) {
	const page = Number(query.get('page') ?? 1);
	const data = records.slice((page - 1) * SIZE, page * SIZE);
	const last = Math.max(1, Math.ceil(records.length / SIZE));
	const next = new URLSearchParams(query);
	next.set('page', String(page + 1));
	return { data, page, last, total: records.length, next: page < last ? `${self}?${next}` : null };
}

/** The page behind a cursor, and the cursor behind it. */
function after({ records, query }: Asked) {
	const begin = Number(query.get('cursor')?.slice(1) ?? 0);
	const end = begin + SIZE;
	return { data: records.slice(begin, end), cursor: end < records.length ? `c${end}` : null };
}

/** A form whose link to the next page stands in this place. */
const linked =
	(beside: (link: string | null) => object): Form =>
	(asked) => {
		const { data, next } = numbered(asked);
		return { body: { data, ...beside(next) } };
	};

const numbers =
	(beside: (page: number, last: number, total: number) => object): Form =>
	(asked) => {
		const { data, page, last, total } = numbered(asked);
		return { body: { data, ...beside(page, last, total) } };
	};

const linkHeader = (next: string | null) => ({
	link: `<https://a.example/x?page=1>; rel="first"${next ? `, <${next}>; rel="next"` : ''}`,
});

/** The forms of a list that an account may have, one for each row of the table, and usual mixtures of them. */
export const FORMS: Record<string, Form> = {
	'links.next': linked((next) => ({ links: { next } })),
	'links.next, left out at the end': linked((next) => (next ? { links: { next } } : {})),
	'links.next, and numbers in meta': (asked) => {
		const { data, next, page, last, total } = numbered(asked);
		const meta = { current_page: page, last_page: last, per_page: SIZE, total };
		return { body: { data, links: { first: asked.self, prev: null, next }, meta } };
	},
	'links.next and meta.next_cursor': (asked) => {
		const { data, cursor } = after(asked);
		const next = cursor && `${asked.self}?cursor=${cursor}`;
		return { body: { data, links: { next }, meta: { next_cursor: cursor } } };
	},
	next_page_url: linked((next) => ({ next_page_url: next })),
	'next_page_url and numbers': (asked) => {
		const { data, next, page, last, total } = numbered(asked);
		return { body: { data, current_page: page, last_page: last, next_page_url: next, total } };
	},
	'meta.next_page_url': linked((next) => ({ meta: { next_page_url: next } })),
	next: linked((next) => ({ next })),
	'_links.next.href': linked((href) => ({ _links: { next: href && { href } } })),
	'Link header': (asked) => {
		const { data, next } = numbered(asked);
		return { body: { data }, headers: linkHeader(next) };
	},
	'Link header, bare array': (asked) => {
		const { data, next } = numbered(asked);
		return { body: data, headers: linkHeader(next) };
	},
	'meta.next_cursor': (asked) => {
		const { data, cursor } = after(asked);
		return { body: { data, meta: { next_cursor: cursor } } };
	},
	'next_cursor and has_more': (asked) => {
		const { data, cursor } = after(asked);
		return { body: { data, next_cursor: cursor, has_more: cursor !== null } };
	},
	'numbers in meta': numbers((page, last, total) => ({
		meta: { current_page: page, last_page: last, total },
	})),
	numbers: numbers((page, last) => ({ current_page: page, last_page: last })),
	'numbers as text': numbers((page, last) => ({ current_page: String(page), last_page: String(last) })),
	'page and total_pages': numbers((page, last) => ({ page, total_pages: last })),
	'offset and total': ({ records, query }) => {
		const offset = Number(query.get('offset') ?? 0);
		return {
			body: { data: records.slice(offset, offset + SIZE), offset, limit: SIZE, total: records.length },
		};
	},
	'nothing told, all at once': ({ records }) => ({ body: { data: records } }),
	'bare array, all at once': ({ records }) => ({ body: records }),
};

/** Forms that say that there is more, but in no way of the table how to get it. */
export const WITHOUT_A_WAY: Record<string, Form> = {
	'has_more alone': (asked) => {
		const { data, last, page } = numbered(asked);
		return { body: { data, has_more: page < last } };
	},
	'meta.has_more alone': (asked) => {
		const { data, last, page } = numbered(asked);
		return { body: { data, meta: { has_more: page < last } } };
	},
	'total alone': numbers((_page, _last, total) => ({ total })),
	'meta.total alone': numbers((_page, _last, total) => ({ meta: { total } })),
	'links.next.href': linked((href) => ({ links: { next: href && { href } } })),
	'a link without a query': linked((next) => ({ next: next && '/third-party/v1/customers/page/2' })),
	'a cursor that is an object': (asked) => {
		const { data, cursor } = after(asked);
		return { body: { data, next_cursor: cursor && { id: cursor } } };
	},
};
