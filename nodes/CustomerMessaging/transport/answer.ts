import type { IDataObject } from 'n8n-workflow';

import { isObject, ownMember } from '../values/json';

/** Members that stand beside the content of an envelope, and in no record together with `data`, in small letters. */
const ENVELOPE_NAMES = new Set(
	'id success status ok code message error errors meta links pagination paging cursor cursors pageinfo total totalcount count page pages perpage pagesize currentpage lastpage totalpages pagecount from to path limit offset skip next prev nextpage prevpage nextcursor prevcursor nextpageurl prevpageurl firstpageurl lastpageurl nexturl nextlink hasmore hasmorepages hasnext hasnextpage endcursor requestid timestamp took'.split(
		' ',
	),
);

const isOfEnvelope = (name: string) => ENVELOPE_NAMES.has(name.replaceAll('_', '').toLowerCase());

/**
 * Returns the content of a response, without its `data` envelope (conventions 2 to 6 of the interface). A body that has
 * its own `id` is a record without an envelope, unless all its other members are those of an envelope.
 */
export function unwrapped(body: unknown): unknown {
	if (!isObject(body) || !Object.hasOwn(body, 'data')) return body;
	const isRecord =
		Object.hasOwn(body, 'id') && Object.keys(body).some((name) => name !== 'data' && !isOfEnvelope(name));
	return isRecord || (Object.hasOwn(body, 'id') && !isContent(body.data)) ? body : body.data;
}

/** Whether a value is a list or a record, and not a member of one. */
const isContent = (value: unknown) =>
	Array.isArray(value) || (isObject(value) && Object.keys(value).length > 0);

/** Whether a body is a page in place of the interface's JSON, such as the page of a login. */
export const isPage = (body: unknown) => typeof body === 'string' && body.trimStart().startsWith('<');

/** Whether a body is JSON that was cut off on its way. */
export const isBroken = (body: unknown) => typeof body === 'string' && /^\s*[[{]/.test(body);

/** The only members of a body that tells of a failure. */
const FAILURE_NAMES = new Set(
	'success ok status code message messages error errors error_description errorMessage data title detail'.split(
		' ',
	),
);

/** Whether a member tells of a failure, and not that there is none. */
const isTold = (value: unknown) =>
	value === true ||
	(typeof value === 'string' && value.trim() !== '') ||
	(typeof value === 'object' && value !== null && Object.keys(value).length > 0);

/** Whether a body tells of a failure, although the status says success: it has nothing but that. */
export function tellsFailure(body: unknown): boolean {
	if (!isObject(body)) return false;
	const names = Object.keys(body);
	if (!names.every((name) => FAILURE_NAMES.has(name)) || isTold(body.data)) return false;
	return (
		body.success === false ||
		body.ok === false ||
		/^(error|fail(ed|ure)?)$/i.test(String(body.status)) ||
		isTold(body.error) ||
		isTold(body.errors)
	);
}

/** Returns the name in the other usual spelling: `nextPage` for `next_page`. */
const camelCase = (name: string) => name.replace(/(?!^)_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The parts of an envelope that tell of its pages. */
function partsOf(body: IDataObject): unknown[] {
	const { meta, links, _links, pagination, paging, cursor, cursors, pageInfo, page_info } = body;
	const ofMeta = ownMember(meta, 'pagination');
	return [
		body,
		meta,
		links,
		_links,
		pagination,
		paging,
		cursor,
		cursors,
		pageInfo,
		page_info,
		ofMeta,
		ownMember(ofMeta, 'links'),
		ownMember(pagination, 'links'),
		ownMember(paging, 'cursors'),
	];
}

/** What a response tells of a list, wherever it stands. */
export class Envelope {
	private readonly parts: unknown[];

	private readonly body: IDataObject;

	/** @param headers of the response, by lower-case names */
	constructor(
		body: unknown,
		private readonly headers: Partial<Record<string, unknown>>,
	) {
		this.body = isObject(body) ? body : {};
		this.parts = partsOf(this.body);
	}

	/** Number of records on all pages. */
	get total(): number | undefined {
		return this.number('total', 'total_count') ?? numberOf(this.headers['x-total-count']);
	}

	/** The link to the next page: an address, or a part of one. */
	get link(): string | undefined {
		const [, inHeader] = /<([^<>]{1,8000})>\s*;[^,<]{0,200}\brel="?next\b/i.exec(this.linkHeader) ?? [];
		const given = this.member('next_page_url', 'next_url', 'next_link', 'next') ?? this.linkInList;
		const href = isObject(given) ? given.href : given;
		return typeof href === 'string' && href !== '' ? href : inHeader;
	}

	/** The first present member with one of these names, in either spelling. */
	member(...names: string[]): unknown {
		const spelled = names.flatMap((name) => [name, camelCase(name)]);
		for (const part of this.parts) {
			for (const name of spelled) {
				const value = ownMember(part, name);
				if (value !== undefined) return value;
			}
		}
		return undefined;
	}

	number(...names: string[]): number | undefined {
		return numberOf(this.member(...names));
	}

	private get linkHeader(): string {
		const { link } = this.headers;
		return String(Array.isArray(link) ? link.join(', ') : (link ?? '')).slice(0, 16_000);
	}

	/** The link behind the active one in a list of links to pages. */
	private get linkInList(): unknown {
		const { links } = this.body;
		if (!Array.isArray(links)) return undefined;
		const next = links.slice(0, 100).find((link) => isObject(link) && /^next\b/i.test(String(link.label)));
		return ownMember(next, 'url');
	}
}

function numberOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && value !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** What has been read of a list so far. */
export interface ReadSoFar {
	/** Query of the last request. */
	query: Partial<Record<string, unknown>>;
	/** Records of the last response. */
	count: number;
	/** Records of all responses. */
	records: number;
	/** Number of responses. */
	pages: number;
	/** Whether the first page has the number 0. */
	countsFromZero: boolean;
}

/**
 * Where a list goes on: the query of its next page, nowhere, or somewhere that the envelope does not tell. A guess is a
 * query that works with most services.
 */
export type Next = { query: IDataObject; isGuess?: true } | 'end' | 'untold';

/**
 * Returns the query of a link, as far as it differs from the request. Scheme, host and path of a link never count, so the
 * token goes nowhere else.
 */
function queryOf(link: string, own: ReadSoFar['query']): IDataObject {
	const query = Object.create(null) as IDataObject;
	const at = link.indexOf('?');
	if (at < 0) return query;
	const parameters = new URLSearchParams(link.slice(at + 1).split('#')[0]);
	const isRepeated = new Set<string>();
	for (const [name, value] of parameters) {
		// A parameter with several values is a filter, which the request has already.
		if (name in query) isRepeated.add(name);
		if (String(own[name]) !== value) query[name] = value;
	}
	for (const name of isRepeated) delete query[name];
	return query;
}

/** Whether the text is an address, and not a cursor. */
const isAddress = (link: string) => /^([a-z][a-z0-9+.-]*:)?\/|\?/i.test(link);

/**
 * Returns where a list goes on, by link, cursor, page number, offset or total. The envelope decides which of them applies.
 *
 * The interface documents only the member `data` of an envelope. So this function reads the usual names.
 */
export function whereNext(envelope: Envelope, read: ReadSoFar): Next {
	const { count, records, query: own, pages, countsFromZero } = read;
	const { link, total } = envelope;
	const query = link === undefined ? {} : queryOf(link, own);
	if (Object.keys(query).length > 0) return { query };
	const cursor = envelope.member('next_cursor') ?? (link && !isAddress(link) ? link : undefined);
	if (typeof cursor === 'string' && cursor !== '') return { query: { cursor } };
	const more = envelope.member('has_more', 'has_more_pages', 'has_next_page', 'has_next');
	if (more === false) return 'end';
	const after = envelope.member('after', 'end_cursor');
	if (typeof after === 'string' && after !== '') return { query: { after } };
	const nextPage = envelope.number('next_page');
	if (nextPage !== undefined) return { query: { page: nextPage } };

	const page = envelope.number('current_page', 'page', 'page_number');
	const last = envelope.number('last_page', 'total_pages', 'page_count', 'pages');
	const size = envelope.number('per_page', 'page_size');
	if (page !== undefined && last !== undefined)
		return page < (countsFromZero ? last - 1 : last) ? { query: { page: page + 1 } } : 'end';
	const offset = envelope.number('offset', 'skip');
	if (offset !== undefined && (total !== undefined || more === true))
		return more === true || offset + count < (total ?? 0) ? { query: { offset: offset + count } } : 'end';
	if (page !== undefined && more === true) return { query: { page: page + 1 } };
	if (page !== undefined && size !== undefined && total !== undefined)
		return (countsFromZero ? page + 1 : page) * size < total ? { query: { page: page + 1 } } : 'end';
	if (more === true) return 'untold';
	// The same request again, which the reader of the list refuses.
	if (link && isAddress(link)) return { query: {} };
	return total !== undefined && records < total ? { query: { page: pages + 1 }, isGuess: true } : 'end';
}
