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

/** A numbered page: the records of it and the numbers around it. */
function numbered({ records, query, self }: Asked, { name = 'page', first = 1, size = SIZE } = {}) {
	const current = Number(query.get(name) ?? first);
	const begin = (current - first) * size;
	const data = records.slice(begin, begin + size);
	const pages = Math.max(1, Math.ceil(records.length / size));
	const isLast = current - first + 1 >= pages;
	const at = (page: number) => {
		const next = new URLSearchParams(query);
		next.set(name, String(page));
		return `${self}?${next}`;
	};
	return {
		data,
		current,
		pages,
		isLast,
		total: records.length,
		size,
		next: isLast ? null : at(current + 1),
		previous: current > first ? at(current - 1) : null,
		first: at(first),
		last: at(pages - 1 + first),
	};
}

/** A page with its numbers in `meta.pagination`. @param more beside them */
const inPagination = (asked: Asked, more = {}): Page => {
	const { data, current, pages, total, size } = numbered(asked);
	const numbers = { total, count: data.length, per_page: size, current_page: current, total_pages: pages };
	return { body: { data, meta: { pagination: { ...numbers, ...more } } } };
};

/** A page after a key. */
function after({ records, query, self }: Asked, { name = 'cursor', size = SIZE } = {}) {
	const key = query.get(name);
	const found = records.findIndex(({ id }) => `c${String(id)}` === key);
	const begin = key ? (found < 0 ? records.length : found + 1) : 0;
	const data = records.slice(begin, begin + size);
	const hasMore = begin + size < records.length;
	const cursor = hasMore ? `c${String(data.at(-1)?.id)}` : null;
	const next = new URLSearchParams(query);
	next.set(name, String(cursor));
	return { data, hasMore, cursor, next: hasMore ? `${self}?${next}` : null };
}

function byOffset({ records, query, self }: Asked, { name = 'offset', size = SIZE } = {}) {
	const offset = Number(query.get(name) ?? 0);
	const data = records.slice(offset, offset + size);
	const hasMore = offset + size < records.length;
	const next = new URLSearchParams(query);
	next.set(name, String(offset + size));
	return { data, offset, hasMore, total: records.length, size, next: hasMore ? `${self}?${next}` : null };
}

const words = (numbers: Record<string, unknown>) =>
	Object.fromEntries(
		Object.entries(numbers).map(([key, value]) => [key, value === null ? null : String(value)]),
	);

/** Lists as services give them, with the records under `data` (or alone) as the interface has it. */
export const FORMS: Record<string, Form> = {
	'links.next, and numbers in meta': (asked) => {
		const { data, next, previous, first, last, current, pages, total, size } = numbered(asked);
		return {
			body: {
				data,
				links: { first, last, prev: previous, next },
				meta: {
					current_page: current,
					from: 1,
					last_page: pages,
					links: [],
					path: asked.self,
					per_page: size,
					to: 3,
					total,
				},
			},
		};
	},
	'next_page_url and numbers': (asked) => {
		const { data, next, previous, current, pages, total, size } = numbered(asked);
		return {
			body: {
				current_page: current,
				data,
				last_page: pages,
				next_page_url: next,
				prev_page_url: previous,
				per_page: size,
				total,
			},
		};
	},
	'numbers as text': (asked) => {
		const { data, current, pages, total, size } = numbered(asked);
		return { body: { data, ...words({ current_page: current, last_page: pages, per_page: size, total }) } };
	},
	'next_page_url, and a number without a last': (asked) => {
		const { data, next, previous, current, size } = numbered(asked);
		return {
			body: {
				current_page: current,
				data,
				from: 1,
				next_page_url: next,
				path: asked.self,
				per_page: size,
				prev_page_url: previous,
				to: 3,
			},
		};
	},
	'links.next, and a number in meta without a last': (asked) => {
		const { data, next, previous, first, current, size } = numbered(asked);
		return {
			body: {
				data,
				links: { first, last: null, prev: previous, next },
				meta: { current_page: current, per_page: size, from: 1, to: 3, path: asked.self },
			},
		};
	},
	'next_cursor and next_page_url': (asked) => {
		const { data, cursor, next } = after(asked);
		return {
			body: {
				data,
				path: asked.self,
				per_page: SIZE,
				next_cursor: cursor,
				next_page_url: next,
				prev_cursor: null,
				prev_page_url: null,
			},
		};
	},
	'links.next and meta.next_cursor': (asked) => {
		const { data, cursor, next } = after(asked);
		return {
			body: {
				data,
				links: { first: null, last: null, prev: null, next },
				meta: { path: asked.self, per_page: SIZE, next_cursor: cursor, prev_cursor: null },
			},
		};
	},
	'numbers in meta': (asked) => {
		const { data, current, pages, total, size } = numbered(asked);
		return { body: { data, meta: { current_page: current, last_page: pages, per_page: size, total } } };
	},
	'links in meta.pagination, an empty list at the end': (asked) => {
		const { next } = numbered(asked);
		return inPagination(asked, { links: next ? { next } : [] });
	},
	'numbers in meta.pagination': (asked) => inPagination(asked),
	'meta.cursor.next': (asked) => {
		const { data, cursor } = after(asked);
		return {
			body: {
				data,
				meta: {
					cursor: { current: asked.query.get('cursor'), prev: null, next: cursor, count: data.length },
				},
			},
		};
	},
	'links.next with page[number]': (asked) => {
		const { data, next, first, last, pages, total } = numbered(asked, { name: 'page[number]' });
		return {
			body: {
				jsonapi: { version: '1.1' },
				data,
				links: { self: asked.self, first, last, next, prev: null },
				meta: { total, pages },
			},
		};
	},
	'links.next.href': (asked) => {
		const { data, next } = numbered(asked, { name: 'page[number]' });
		return {
			body: { data, links: { self: { href: asked.self }, next: next ? { href: next, meta: {} } : null } },
		};
	},
	'links.next, left out at the end': (asked) => {
		const { data, next } = numbered(asked, { name: 'page[number]' });
		return { body: { data, links: { self: asked.self, ...(next && { next }) } } };
	},
	'numbers in meta.page': (asked) => {
		const { data, current, pages, total, size } = numbered(asked);
		return {
			body: { data, meta: { page: { currentPage: current, perPage: size, lastPage: pages, total } } },
		};
	},
	'next and count': (asked) => {
		const { data, next, previous, total } = numbered(asked);
		return { body: { count: total, next, previous, data } };
	},
	'results in place of data': (asked) => {
		const { data, next, previous, total } = numbered(asked);
		return { body: { count: total, next, previous, results: data } };
	},
	'next alone': (asked) => {
		const { data, next } = after(asked);
		return { body: { next, previous: null, data } };
	},
	'number from 0, totalPages and last': (asked) => {
		const { data, current, pages, total, size, isLast } = numbered(asked, { first: 0 });
		return {
			body: {
				data,
				totalElements: total,
				totalPages: pages,
				number: current,
				size,
				first: current === 0,
				last: isLast,
				numberOfElements: data.length,
				empty: data.length === 0,
			},
		};
	},
	'content in place of data': (asked) => {
		const { data, current, pages, total, size, isLast } = numbered(asked, { first: 0 });
		return {
			body: { content: data, totalElements: total, totalPages: pages, number: current, size, last: isLast },
		};
	},
	'number from 0 in page': (asked) => {
		const { data, current, pages, total, size } = numbered(asked, { first: 0 });
		return { body: { data, page: { size, number: current, totalElements: total, totalPages: pages } } };
	},
	'number from 0 and last': (asked) => {
		const { data, current, size, isLast } = numbered(asked, { first: 0 });
		return {
			body: {
				data,
				number: current,
				size,
				numberOfElements: data.length,
				first: current === 0,
				last: isLast,
				empty: data.length === 0,
			},
		};
	},
	'endCursor and hasNextPage in pageInfo': (asked) => {
		const { data, cursor, hasMore } = after(asked, { name: 'after' });
		return {
			body: {
				data,
				pageInfo: {
					hasNextPage: hasMore,
					endCursor: cursor ?? 'cEnd',
					hasPreviousPage: false,
					startCursor: null,
				},
			},
		};
	},
	'Link header, bare array': (asked) => {
		const { data, next, last, first } = numbered(asked);
		const link = [next && `<${next}>; rel="next"`, next && `<${last}>; rel="last"`, `<${first}>; rel="first"`]
			.filter(Boolean)
			.join(', ');
		return { body: data, headers: { link } };
	},
	'Link header, unquoted rel, more parameters': (asked) => {
		const { data, next } = numbered(asked);
		return {
			body: data,
			headers: next
				? {
						link: `<${asked.self}?a=1,2;b>; title="x, y; rel=next"; rel=prev, <${next}>; title="next, page"; rel=next`,
					}
				: {},
		};
	},
	'Link header, several rels in one': (asked) => {
		const { data, next } = numbered(asked);
		return { body: data, headers: next ? { link: `<${next}>; rel="last next"` } : {} };
	},
	'Link header, relative and upper case': (asked) => {
		const { data, next } = numbered(asked);
		return { body: data, headers: next ? { link: `<${next.slice(next.indexOf('?'))}>; REL="NEXT"` } : {} };
	},
	'Link header and data': (asked) => {
		const { data, next } = numbered(asked);
		return { body: { data }, headers: next ? { link: `<${next}>; rel="next"` } : {} };
	},
	'X-Total-Count alone, bare': (asked) => {
		const { data, total } = numbered(asked);
		return { body: data, headers: { 'x-total-count': String(total) } };
	},
	'X-Total-Count and X-Per-Page': (asked) => {
		const { data, total, size } = numbered(asked);
		return { body: data, headers: { 'x-total-count': String(total), 'x-per-page': String(size) } };
	},
	'X-Next-Page and X-Total-Pages headers': (asked) => {
		const { data, total, size, pages, current, isLast } = numbered(asked);
		return {
			body: data,
			headers: {
				'x-total': String(total),
				'x-total-pages': String(pages),
				'x-per-page': String(size),
				'x-page': String(current),
				'x-next-page': isLast ? '' : String(current + 1),
				'x-prev-page': '',
			},
		};
	},
	'X-Pagination header as JSON': (asked) => {
		const { data, total, size, pages, current } = numbered(asked);
		return {
			body: data,
			headers: {
				'x-pagination': JSON.stringify({
					CurrentPage: current,
					TotalPages: pages,
					PageSize: size,
					TotalCount: total,
					HasNext: current < pages,
				}),
			},
		};
	},
	'X-Pagination headers, one for each number': (asked) => {
		const { data, total, size, pages, current } = numbered(asked);
		return {
			body: data,
			headers: {
				'x-pagination-total-count': String(total),
				'x-pagination-page-count': String(pages),
				'x-pagination-current-page': String(current),
				'x-pagination-per-page': String(size),
			},
		};
	},
	'_meta and _links.next.href': (asked) => {
		const { data, total, size, pages, current, next } = numbered(asked);
		return {
			body: {
				data,
				_links: { self: { href: asked.self }, ...(next && { next: { href: next } }) },
				_meta: { totalCount: total, pageCount: pages, currentPage: current, perPage: size },
			},
		};
	},
	'Content-Range header': (asked) => {
		const { data, offset, total } = byOffset(asked);
		return {
			body: data,
			headers: { 'content-range': `items ${offset}-${offset + data.length - 1}/${total}` },
		};
	},
	'has_more, the last ID is the way on': (asked) => {
		const key = asked.query.get('starting_after');
		const begin = key ? asked.records.findIndex(({ id }) => String(id) === key) + 1 : 0;
		return {
			body: {
				object: 'list',
				url: '/v1/customers',
				has_more: begin + SIZE < asked.records.length,
				data: asked.records.slice(begin, begin + SIZE),
			},
		};
	},
	'has_more and page': (asked) => {
		const { data, isLast, current } = numbered(asked);
		return { body: { data, page: current, has_more: !isLast } };
	},
	'has_more alone': (asked) => {
		const { data, isLast } = numbered(asked);
		return { body: { data, has_more: !isLast } };
	},
	'hasMore in meta': (asked) => {
		const { data, isLast } = numbered(asked);
		return { body: { data, meta: { hasMore: !isLast } } };
	},
	'hasNextPage with page and limit': (asked) => {
		const { data, isLast, current, total, pages, size } = numbered(asked);
		return {
			body: {
				data,
				totalDocs: total,
				limit: size,
				totalPages: pages,
				page: current,
				hasNextPage: !isLast,
				nextPage: isLast ? null : current + 1,
			},
		};
	},
	'response_metadata.next_cursor, empty at the end': (asked) => {
		const { data, cursor } = after(asked);
		return { body: { ok: true, data, response_metadata: { next_cursor: cursor ?? '' } } };
	},
	'paging.next and paging.cursors.after, a cursor at the end too': (asked) => {
		const { data, next, cursor } = after(asked, { name: 'after' });
		return {
			body: { data, paging: { cursors: { before: 'b', after: cursor ?? 'cEnd' }, ...(next && { next }) } },
		};
	},
	'paging.next.link': (asked) => {
		const { data, cursor, next } = after(asked, { name: 'after' });
		return { body: { data, ...(next && { paging: { next: { after: cursor, link: next } } }) } };
	},
	'nextLink and count with a prefix': (asked) => {
		const { data, next } = numbered(asked, { name: '$skiptoken' });
		return {
			body: {
				'@list.context': '$metadata',
				'@list.count': asked.records.length,
				data,
				...(next && { '@list.nextLink': next }),
			},
		};
	},
	'value in place of data': (asked) => {
		const { data, next } = numbered(asked, { name: '$skiptoken' });
		return { body: { '@list.context': '$metadata', value: data, ...(next && { '@list.nextLink': next }) } };
	},
	__next: (asked) => {
		const { data, next } = numbered(asked, { name: '$skiptoken' });
		return { body: { data, ...(next && { __next: next }) } };
	},
	'_embedded in place of data': (asked) => {
		const { data, next, total } = numbered(asked);
		return {
			body: {
				_embedded: { customers: data },
				_links: { self: { href: asked.self }, ...(next && { next: { href: next } }) },
				total,
			},
		};
	},
	'links.next, has_more in meta': (asked) => {
		const { data, next, cursor, hasMore } = after(asked, { name: 'page[after]' });
		return {
			body: {
				data,
				meta: { has_more: hasMore, after_cursor: cursor, before_cursor: null },
				links: { prev: null, next },
			},
		};
	},
	'next_page as a link, and count': (asked) => {
		const { data, next, previous, total } = numbered(asked);
		return { body: { data, next_page: next, previous_page: previous, count: total } };
	},
	'links.next, has_more in meta, a link at the end too': (asked) => {
		const { data, hasMore } = after(asked, { name: 'page[after]' });
		const cursor = `c${String(data.at(-1)?.id ?? 'End')}`;
		return {
			body: {
				data,
				meta: { has_more: hasMore, after_cursor: cursor },
				links: { next: `${asked.self}?page[after]=${cursor}` },
			},
		};
	},
	nextPageToken: (asked) => {
		const { data, cursor } = after(asked, { name: 'pageToken' });
		return { body: { data, ...(cursor && { nextPageToken: cursor }) } };
	},
	'next_cursor for another parameter': (asked) => {
		const { data, cursor, hasMore } = after(asked, { name: 'start_cursor' });
		return { body: { object: 'list', data, has_more: hasMore, next_cursor: cursor } };
	},
	'pages.next for another parameter': (asked) => {
		const { data, cursor } = after(asked, { name: 'starting_after' });
		return {
			body: {
				type: 'list',
				data,
				total_count: asked.records.length,
				pages: {
					type: 'pages',
					page: 1,
					per_page: SIZE,
					total_pages: Math.ceil(asked.records.length / SIZE),
					...(cursor && { next: { page: 2, starting_after: cursor } }),
				},
			},
		};
	},
	'next_page and total_pages in meta': (asked) => {
		const { data, current, pages, total, isLast } = numbered(asked);
		return {
			body: {
				data,
				meta: {
					current_page: current,
					next_page: isLast ? null : current + 1,
					prev_page: null,
					total_pages: pages,
					total_count: total,
				},
			},
		};
	},
	'current_page, per_page and total_entries': (asked) => {
		const { data, current, total, size } = numbered(asked);
		return { body: { data, current_page: current, per_page: size, total_entries: total } };
	},
	'view.next and totalItems with a prefix': (asked) => {
		const { data, next, total } = numbered(asked);
		return {
			body: {
				data,
				'list:totalItems': total,
				'list:view': { '@id': asked.self, ...(next && { 'list:next': next }) },
			},
		};
	},
	'offset, limit, total': (asked) => {
		const { data, offset, total, size } = byOffset(asked);
		return { body: { data, offset, limit: size, total } };
	},
	'offset, limit, total as text': (asked) => {
		const { data, offset, total, size } = byOffset(asked);
		return { body: { data, ...words({ offset, limit: size, total }) } };
	},
	'offset in meta': (asked) => {
		const { data, offset, total, size } = byOffset(asked);
		return { body: { data, meta: { offset, limit: size, total_count: total } } };
	},
	'next_start in additional_data.pagination': (asked) => {
		const { data, offset, size, hasMore } = byOffset(asked, { name: 'start' });
		return {
			body: {
				success: true,
				data,
				additional_data: {
					pagination: {
						start: offset,
						limit: size,
						more_items_in_collection: hasMore,
						...(hasMore && { next_start: offset + size }),
					},
				},
			},
		};
	},
	'skip and top': (asked) => {
		const { data, offset, size, total } = byOffset(asked, { name: 'skip' });
		return { body: { data, skip: offset, limit: size, total } };
	},
	'total and per_page': (asked) => {
		const { data, total, size } = numbered(asked);
		return { body: { data, total, per_page: size } };
	},
	'total as text and per_page': (asked) => {
		const { data, total, size } = numbered(asked);
		return { body: { data, total: String(total), per_page: String(size) } };
	},
	'total alone': (asked) => {
		const { data, total } = numbered(asked);
		return { body: { data, total } };
	},
	'totalCount alone': (asked) => {
		const { data, total } = numbered(asked);
		return { body: { data, totalCount: total } };
	},
	'count is the total, alone': (asked) => {
		const { data, total } = numbered(asked);
		return { body: { data, count: total } };
	},
	'count is of the page, no further page': ({ records }) => ({
		body: { data: records, count: records.length },
	}),
	'page and pages': (asked) => {
		const { data, current, pages } = numbered(asked);
		return { body: { data, page: current, pages } };
	},
	'page and pages, zero-based': (asked) => {
		const { data, current, pages } = numbered(asked, { first: 0 });
		return { body: { data, page: current, pages } };
	},
	'pagination, camelCase': (asked) => {
		const { data, current, pages, total, size } = numbered(asked);
		return {
			body: {
				data,
				pagination: { currentPage: current, totalPages: pages, pageSize: size, totalItems: total },
			},
		};
	},
	'camelCase, pageIndex zero-based': (asked) => {
		const { data, current, pages, total, size } = numbered(asked, { name: 'pageIndex', first: 0 });
		return { body: { data, pageIndex: current, pageSize: size, totalPages: pages, totalCount: total } };
	},
	'meta current_page zero-based': (asked) => {
		const { data, current, total, size, pages } = numbered(asked, { first: 0 });
		return { body: { data, meta: { current_page: current, total_pages: pages, per_page: size, total } } };
	},
	'pageNumber and hasNext for another parameter': (asked) => {
		const { data, current, pages, total, size, isLast } = numbered(asked, { name: 'pageNumber' });
		return {
			body: {
				pageNumber: current,
				pageSize: size,
				totalPages: pages,
				totalRecords: total,
				hasNext: !isLast,
				data,
			},
		};
	},
	'meta.pagination for another parameter': (asked) => {
		const { data, current, pages, total, size } = numbered(asked, { name: 'pagination[page]' });
		return {
			body: { data, meta: { pagination: { page: current, pageSize: size, pageCount: pages, total } } },
		};
	},
	'two totals in meta': (asked) => {
		const { data, total } = numbered(asked);
		return { body: { data, meta: { total_count: total, filter_count: total } } };
	},
	'next as number': (asked) => {
		const { data, isLast, current } = numbered(asked);
		return { body: { data, next: isLast ? null : current + 1 } };
	},
	'next_page as number': (asked) => {
		const { data, isLast, current } = numbered(asked);
		return { body: { data, next_page: isLast ? null : current + 1 } };
	},
	'next in meta, path only': (asked) => {
		const { data, next } = numbered(asked);
		return { body: { data, meta: { next: next && new URL(next).pathname + new URL(next).search } } };
	},
	'next_page_url relative': (asked) => {
		const { data, next } = numbered(asked);
		return { body: { data, next_page_url: next && next.slice(next.indexOf('customers')) } };
	},
	'links.next query only': (asked) => {
		const { data, next } = numbered(asked);
		return { body: { data, links: { next: next && new URL(next).search } } };
	},
	'links as a list of rel and href': (asked) => {
		const { data, next } = numbered(asked);
		return {
			body: {
				data,
				links: [{ rel: 'self', href: asked.self }, ...(next ? [{ rel: 'next', href: next }] : [])],
			},
		};
	},
	'links as a list of url and label': (asked) => {
		const { data, next, current } = numbered(asked);
		return {
			body: {
				data,
				links: [
					{ url: null, label: '&laquo; Previous', active: false },
					{ url: asked.self, label: String(current), active: true },
					{ url: next, label: 'Next &raquo;', active: false },
				],
			},
		};
	},
	'data within data': (asked) => {
		const { data, next, current, pages, total, size } = numbered(asked);
		return {
			body: {
				data: { current_page: current, data, last_page: pages, next_page_url: next, per_page: size, total },
			},
		};
	},
	'success wrapper': (asked) => {
		const { data, next, current, pages } = numbered(asked);
		return {
			body: {
				success: true,
				data,
				pagination: { current_page: current, last_page: pages, next_page_url: next },
			},
		};
	},
	'startIndex and totalResults': (asked) => {
		const begin = Number(asked.query.get('startIndex') ?? 1);
		const data = asked.records.slice(begin - 1, begin - 1 + SIZE);
		return { body: { data, totalResults: asked.records.length, startIndex: begin, itemsPerPage: SIZE } };
	},
	'cursor in meta.next': (asked) => {
		const { data, cursor } = after(asked);
		return { body: { data, meta: { next: cursor } } };
	},
	'cursor object': (asked) => {
		const { data, cursor } = after(asked);
		return { body: { data, cursor: { next: cursor } } };
	},
	'cursors.after': (asked) => {
		const { data, cursor } = after(asked, { name: 'after' });
		return { body: { data, cursors: { after: cursor } } };
	},
	nextCursor: (asked) => {
		const { data, cursor } = after(asked);
		return { body: { data, nextCursor: cursor } };
	},
	'X-Next-Cursor header': (asked) => {
		const { data, cursor } = after(asked);
		return { body: { data }, headers: cursor ? { 'x-next-cursor': cursor } : {} };
	},
	'nothing told, all at once': ({ records }) => ({ body: { data: records } }),
};

/** Forms without a list under `data`, which the interface rules out. */
export const OTHER_PLACES = Object.keys(FORMS).filter((name) => /in place of data$|^data within/.test(name));
