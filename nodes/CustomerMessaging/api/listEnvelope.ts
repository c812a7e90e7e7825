import type { IDataObject } from 'n8n-workflow';

import { boolean } from '../values/choices';
import { isObject, ownMember } from '../values/json';
import { stringOf } from '../values/text';

import { isAddress, MAX_PARTS, numberOf, PAGING_PART, plainName } from './responseBody';

const NEXT_LINK = /^next(page)?(url|link)?$/;

/** Names of the number of records on all pages, the best first. */
const TOTALS = [
	'total',
	...['count', 'elements', 'results', 'entries', 'items'].map((what) => `total${what}`),
];

const MAX_MEMBERS = 300;

/** What a response tells of a list, wherever it stands. */
export class Envelope {
	/** Members of the envelope and its parts by their plain names; outer ones come first. */
	private readonly members = new Map<string, unknown>();

	/** Whether a page comes next, in a member that is not understood. */
	private hasOtherNext = false;

	/** @param headers of the response, by lower-case names */
	constructor(body: unknown, headers: Partial<Record<string, unknown>>) {
		this.learn(isObject(body) ? body : {}, MAX_PARTS);
		this.learnHeaders(headers);
	}

	/** Returns the number of records on all pages, beside so many on this one. */
	totalBeside(count: number): number | undefined {
		const total = this.number(...TOTALS);
		const counted = this.number('count');
		return total ?? (counted !== undefined && counted > count ? counted : undefined);
	}

	/** The link to the next page: an address, or a part of one. */
	get link(): string | undefined {
		for (const [name, given] of this.members) {
			if (!NEXT_LINK.test(name)) continue;
			const link = isObject(given) ? (given.href ?? given.url ?? given.link) : given;
			if (typeof link === 'string' && link !== '') return link;
		}
		return undefined;
	}

	get page(): number | undefined {
		return this.number('currentpage', 'page', 'pagenumber', 'number');
	}

	/** Whether another page comes next, as far as a member says so. */
	get hasMore(): boolean | undefined {
		for (const [name, value] of this.members) {
			// Beside its name alone, a number may be that of a page.
			const flag = typeof value === 'boolean' || /^(has|is)/.test(name) ? boolean(value) : undefined;
			if (typeof flag !== 'boolean') continue;
			if (/^(has)?(more|next)/.test(name)) return flag;
			if (/^(is)?last(page)?$/.test(name)) return !flag;
		}
		return this.hasOtherNext || undefined;
	}

	/** Returns the first of these members that is there and not null. */
	member(...names: string[]): unknown {
		return names.map((name) => this.members.get(name)).find((value) => value !== undefined && value !== null);
	}

	number(...names: string[]): number | undefined {
		return names.map((name) => numberOf(this.members.get(name))).find((number) => number !== undefined);
	}

	private learn(part: IDataObject, levels: number): void {
		const parts: IDataObject[] = [];
		for (const name in part) {
			if (this.members.size >= MAX_MEMBERS) return;
			const value = part[name];
			const known = plainName(name);
			if (known === 'data' || value === undefined) continue;
			if (known === 'links' && Array.isArray(value)) this.set('next', nextInList(value));
			else this.set(known, value);
			if (isObject(value) && PAGING_PART.test(known)) parts.push(value);
		}
		if (levels > 1) for (const inner of parts) this.learn(inner, levels - 1);
	}

	private set(name: string, value: unknown): void {
		if (value === undefined) return;
		const known = this.members.get(name);
		// A part may have the name of a member: `page` with its number.
		if (known === undefined || known === null || (isObject(known) && !isObject(value)))
			this.members.set(name, value);
		const isKnown =
			NEXT_LINK.test(name) || (name === 'nextcursor' && typeof value !== 'object' && value !== true);
		const isOther = name.startsWith('next') && !isKnown;
		if (isOther && value !== null && value !== '' && value !== false) this.hasOtherNext = true;
	}

	private learnHeaders(headers: Partial<Record<string, unknown>>): void {
		const { link, 'x-pagination': pagination, 'content-range': range } = headers;
		this.set('next', nextInHeader(link));
		for (const name in headers) {
			const [, rest] = /^x-(?:pagination-)?(.+)$/.exec(name) ?? [];
			if (rest && HEADERS.has(plainName(rest))) this.set(plainName(rest), headers[name]);
		}
		this.set('total', numberOf(/\/(\d+)$/.exec(stringOf(range))?.[1]));
		try {
			const parsed: unknown = JSON.parse(stringOf(pagination).slice(0, MAX_HEADER));
			if (isObject(parsed)) this.learn(parsed, 1);
		} catch {
			// Not JSON.
		}
	}
}

const MAX_HEADER = 16_000;

/** Maximum length of a *Link* header. The search in it takes the square of its length where it has only spaces. */
const MAX_LINKS = 4000;

/** Headers about pages, without `X-` and `X-Pagination-`. */
const HEADERS = new Set(
	'total totalcount totalpages pagecount page currentpage perpage nextpage nextcursor'.split(' '),
);

function nextInHeader(header: unknown): string | undefined {
	const text = (Array.isArray(header) ? header : [header]).map(stringOf).join(', ').slice(0, MAX_LINKS);
	const links = text.matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g);
	for (const [, target, parameters] of links) {
		const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
		if ((quoted ?? bare ?? '').toLowerCase().split(/\s+/).includes('next')) return target;
	}
	return undefined;
}

/** Returns the link to the next page in a list of links: to numbered pages, or by their relation. */
function nextInList(links: unknown[]): unknown {
	const next = links
		.slice(0, 100)
		.find((link) => isObject(link) && (/^next\b/i.test(stringOf(link.label)) || link.rel === 'next'));
	return ownMember(next, 'url') ?? ownMember(next, 'href');
}

export interface ReadSoFar {
	query: Partial<Record<string, unknown>>;
	count: number;
	records: number;
	pages: number;
	/** Whether the first page has the number 0. */
	countsFromZero: boolean;
}

/** Where a list goes on: a query, nowhere, or somewhere that is not told. A guess is a query that works with most services. */
export type Next = { query: IDataObject; isGuess?: true } | 'end' | 'untold';

/** Returns what the query of a link adds to the request. Its host and path never count, so the token goes nowhere else. */
function queryOf(link: string, own: ReadSoFar['query']): IDataObject {
	const query = Object.create(null) as IDataObject;
	const at = link.indexOf('?');
	if (at < 0) return query;
	const parameters = new URLSearchParams(link.slice(at + 1).split('#')[0]);
	const isRepeated = new Set<string>();
	for (const [name, value] of parameters) {
		// A parameter with several values is a filter, which the request has already.
		if (name in query) isRepeated.add(name);
		if (stringOf(own[name]) !== value) query[name] = value;
	}
	for (const name of isRepeated) delete query[name];
	return query;
}

/** The text of a cursor; undefined if it is none. The number 0 stands for no cursor. */
const cursorOf = (value: unknown): string | undefined =>
	(typeof value === 'number' && value !== 0) || typeof value === 'string'
		? String(value) || undefined
		: undefined;

/** Returns where a list goes on, by link, cursor, page number, offset or total. The envelope decides which of them applies. */
export function whereNext(envelope: Envelope, read: ReadSoFar): Next {
	const { count, records, query: own, pages, countsFromZero } = read;
	const { link, page, hasMore } = envelope;
	const total = envelope.totalBeside(count);
	const query = link === undefined ? {} : queryOf(link, own);
	if (Object.keys(query).length > 0) return { query };
	if (hasMore === false) return 'end';
	const following = (page ?? (countsFromZero ? pages - 1 : pages)) + 1;
	// A number as text may be a cursor, but not that of the next page.
	if (link !== undefined && Number(link) === following) return { query: { page: following } };
	const cursor = cursorOf(envelope.member('nextcursor') ?? (link && !isAddress(link) ? link : undefined));
	if (cursor !== undefined) return { query: { cursor } };
	const after = cursorOf(envelope.member('after', 'endcursor'));
	if (after !== undefined) return { query: { after } };
	const nextPage = envelope.number('nextpage', 'next');
	if (nextPage !== undefined) return { query: { page: nextPage } };

	const last = envelope.number('lastpage', 'totalpages', 'pagecount', 'pages');
	const size = envelope.number('perpage', 'pagesize', 'size');
	if (page !== undefined && last !== undefined)
		return page < (countsFromZero ? last - 1 : last) ? { query: { page: page + 1 } } : 'end';
	const offset = envelope.number('offset', 'skip');
	if (offset !== undefined && (total !== undefined || hasMore === true)) {
		if (hasMore !== true && offset + count >= (total ?? 0)) return 'end';
		const step = count || (size ?? envelope.number('limit') ?? 0);
		return step > 0 ? { query: { offset: offset + step } } : 'untold';
	}
	if (page !== undefined && hasMore === true) return { query: { page: page + 1 } };
	if (page !== undefined && size !== undefined && total !== undefined)
		return (countsFromZero ? page + 1 : page) * size < total ? { query: { page: page + 1 } } : 'end';
	if (hasMore === true) return 'untold';
	// The same request again, which the reader of the list refuses.
	if (link && isAddress(link)) return { query: {} };
	return total !== undefined && records < total ? { query: { page: pages + 1 }, isGuess: true } : 'end';
}
