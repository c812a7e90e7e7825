import { DEFAULT_PAGE_SIZE, type EnvelopeKind, MAX_PAGE_SIZE } from './choices.mts';
import type { Slice } from './store/table.mts';
import { stringOf } from './texts.mts';

/** The query of a list request, as it arrived. */
export type PageQuery = Record<string, unknown>;

/** Which part of a list is asked for. */
export interface Page {
	offset: number;
	limit: number;
}

/** A paginated answer; only `data` is shown by the interface. */
export interface Envelope<Item> {
	data: Item[];
	[member: string]: unknown;
}

const positive = (value: unknown): number | undefined => {
	const number = typeof value === 'number' ? value : Number(typeof value === 'string' ? value : Number.NaN);
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

const encodeCursor = (offset: number) => Buffer.from(String(offset)).toString('base64url');
const decodeCursor = (cursor: unknown) =>
	positive(Buffer.from(stringOf(cursor), 'base64url').toString()) ?? 0;

/**
 * Reads which part of a list is asked for. A page that makes no sense is the first one.
 * @param pageSize size of a page unless `query.per_page` (or `limit` of the offset kind) says otherwise.
 */
export function readWindow(kind: EnvelopeKind, query: PageQuery, pageSize = DEFAULT_PAGE_SIZE): Page {
	const asked = positive(query.per_page) ?? (kind === 'offset' ? positive(query.limit) : undefined);
	const limit = Math.min(asked ?? pageSize, Math.max(MAX_PAGE_SIZE, pageSize));
	switch (kind) {
		case 'cursor':
			return { limit, offset: decodeCursor(query.cursor) };
		case 'offset':
			return { limit, offset: positive(query.offset) ?? 0 };
		default:
			return { limit, offset: ((positive(query.page) ?? 1) - 1) * limit };
	}
}

/**
 * Wraps a part of a list.
 * @param url absolute address of the request; links to other pages keep its other parameters.
 */
export function wrap<Item>(
	kind: EnvelopeKind,
	{ records, total }: Slice<Item>,
	window: Page,
	url: URL,
): Envelope<Item> {
	const link = (parameters: Record<string, string | number>): string => {
		const other = new URL(url);
		for (const [name, value] of Object.entries(parameters)) other.searchParams.set(name, String(value));
		return other.href;
	};
	const { limit, offset } = window;
	const path = `${url.origin}${url.pathname}`;
	const from = records.length > 0 ? offset + 1 : null;
	const to = records.length > 0 ? offset + records.length : null;
	const hasMore = offset + records.length < total;

	if (kind === 'offset') return { data: records, offset, limit, total };

	if (kind === 'cursor') {
		const next = hasMore ? encodeCursor(offset + limit) : null;
		const previous = offset > 0 ? encodeCursor(Math.max(0, offset - limit)) : null;
		return {
			data: records,
			path,
			per_page: limit,
			next_cursor: next,
			next_page_url: next === null ? null : link({ cursor: next }),
			prev_cursor: previous,
			prev_page_url: previous === null ? null : link({ cursor: previous }),
		};
	}

	const page = Math.floor(offset / limit) + 1;
	const lastPage = Math.max(1, Math.ceil(total / limit));
	const first = link({ page: 1 });
	const last = link({ page: lastPage });
	const previous = page > 1 ? link({ page: page - 1 }) : null;
	const next = hasMore ? link({ page: page + 1 }) : null;

	if (kind === 'headers') {
		const links = Object.entries({ first, prev: previous, next, last }).filter(([, href]) => href !== null);
		const link = links.map(([relation, href]) => `<${href}>; rel="${relation}"`).join(', ');
		return { data: records, headers: { 'x-total-count': String(total), link } };
	}
	if (kind === 'next-page-url') {
		return {
			current_page: page,
			data: records,
			first_page_url: first,
			from,
			last_page: lastPage,
			last_page_url: last,
			next_page_url: next,
			path,
			per_page: limit,
			prev_page_url: previous,
			to,
			total,
		};
	}
	return {
		data: records,
		links: { first, last, prev: previous, next },
		meta: { current_page: page, from, last_page: lastPage, path, per_page: limit, to, total },
	};
}
