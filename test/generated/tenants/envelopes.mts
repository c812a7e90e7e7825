import type { Json, StoredRecord } from './records.mts';
import { BASE_PATH } from './tenantServer.mts';

/** How a link to the next page is written. */
type LinkForm =
	| 'own'
	| 'absolute path'
	| 'relative to the folder'
	| 'another scheme'
	| 'another host'
	| 'another path';

/** How an envelope says that no page follows, where it has a member for that. */
export const END_FORMS = ['null', 'absent', 'empty text'] as const;

export type EndForm = (typeof END_FORMS)[number];

/** By which query parameter a tenant gives another page. */
type PageParameter = 'page' | 'page[number]' | 'cursor' | 'offset' | 'none';

/**
 * What is right for a list of several pages, apart from the records on its first page, which can always be given.
 *
 * - whole: the answer shows a way on that is supported
 * - reason: it says that there is more, in no way that is supported
 */
export type Expectation = 'whole' | 'reason';

/** One page of a tenant's list, in the terms that envelopes speak of. */
export class Page {
	constructor(
		private readonly place: { origin: string; foreignOrigin: string; path: string },
		private readonly parameter: PageParameter,
		private readonly end: EndForm,
		/** Index of the page's first record. */
		readonly start: number,
		/** Records on a full page. */
		readonly size: number,
		/** Records of the whole list. */
		readonly total: number,
		/** Records on this page. */
		readonly count: number,
		/** Index of the record with which the next page begins. */
		private readonly nextStart: number,
	) {}

	/** Number of this page, counted from 1. */
	get number(): number {
		return Math.floor(this.start / this.size) + 1;
	}

	/** Number of the last page; an empty list has one page too. */
	get last(): number {
		return Math.max(1, Math.ceil(this.total / this.size));
	}

	get hasNext(): boolean {
		return this.nextStart < this.total;
	}

	/** A value that is only there while another page follows. */
	next(value: Json): Json | undefined {
		if (this.hasNext) return value;
		return { null: null, absent: undefined, 'empty text': '' }[this.end];
	}

	get cursor(): string {
		return `c-${this.nextStart}`;
	}

	get nextCursor(): Json | undefined {
		return this.next(this.cursor);
	}

	private get nextQuery(): string {
		const number = Math.floor(this.nextStart / this.size) + 1;
		const byParameter: Record<PageParameter, string> = {
			page: `page=${number}`,
			'page[number]': `page%5Bnumber%5D=${number}`,
			cursor: `cursor=${this.cursor}`,
			offset: `offset=${this.nextStart}&limit=${this.size}`,
			none: '',
		};
		return byParameter[this.parameter];
	}

	/** The link to the next page, whether there is one or not. */
	href(form: LinkForm): string {
		const { origin, foreignOrigin, path } = this.place;
		const target = `${path}?${this.nextQuery}`;
		const byForm: Record<LinkForm, string> = {
			own: `${origin}${BASE_PATH}${target}`,
			'absolute path': `${BASE_PATH}${target}`,
			'relative to the folder': target.slice(path.lastIndexOf('/') + 1),
			'another scheme': `${origin.replace('http:', 'https:')}${BASE_PATH}${target}`,
			'another host': `${foreignOrigin}${BASE_PATH}${target}`,
			'another path': `${origin}/internal/api${target}`,
		};
		return byForm[form];
	}

	link(form: LinkForm): Json | undefined {
		return this.next(this.href(form));
	}
}

/** Members of an answer; those that are undefined do not go out. */
type Members = { [name: string]: Json | undefined | Members };

/** The form in which a tenant gives out a list. */
export interface Envelope {
	parameter: PageParameter;
	expectation: Expectation;
	/** What stands beside `data`. */
	beside: (page: Page) => Members;
	headers?: (page: Page) => Record<string, string>;
	/** Whether the records stand alone, in no `data` member. */
	isBare?: true;
	/** Whether all records are on one page. */
	isComplete?: true;
}

const lengths = (page: Page) => ({
	current_page: page.number,
	last_page: page.last,
	per_page: page.size,
	total: page.total,
});

/** An envelope whose way on is a number of a page, unless it says otherwise. */
const by = (
	parameter: PageParameter,
	expectation: Expectation,
	beside: (page: Page) => Members,
	more: Partial<Envelope> = {},
): Envelope => ({ parameter, expectation, beside, ...more });

/** A link of this form, and nothing else. */
const linkAlone = (form: LinkForm, expectation: Expectation) =>
	by('page', expectation, (page) => ({ next_page_url: page.link(form) }));

const header = (page: Page) =>
	(page.hasNext ? { link: `<${page.href('own')}>; rel="next"` } : {}) as Record<string, string>;

/** The envelopes that a list may have of which the interface says that it is paginated. */
export const PAGED = {
	'length-aware': by('page', 'whole', lengths),
	'length-aware, next_page_url': by('page', 'whole', (page) => ({
		...lengths(page),
		next_page_url: page.link('own'),
	})),
	'length-aware in meta': by('page', 'whole', (page) => ({ meta: lengths(page) })),
	'length-aware in meta, links.next': by('page', 'whole', (page) => ({
		links: { first: null, last: null, prev: null, next: page.link('own') },
		meta: { ...lengths(page), path: page.href('own') },
	})),
	'next_page_url alone': linkAlone('own', 'whole'),
	'next_page_url alone, without a host': linkAlone('absolute path', 'whole'),
	'next_page_url alone, relative to the folder': linkAlone('relative to the folder', 'whole'),
	'next_page_url alone, with another scheme': linkAlone('another scheme', 'whole'),
	'next_page_url alone, to another host': linkAlone('another host', 'whole'),
	'next_page_url alone, to another path': linkAlone('another path', 'whole'),
	'meta.next_page_url': by('page', 'whole', (page) => ({ meta: { next_page_url: page.link('own') } })),
	next: by('page', 'whole', (page) => ({ next: page.link('own') })),
	'links.next': by('page', 'whole', (page) => ({ links: { next: page.link('own') } })),
	'_links.next.href': by('page', 'whole', (page) => ({
		_links: { next: page.next({ href: page.href('own') }) ?? null },
	})),
	'links.next with page[number]': by('page[number]', 'whole', (page) => ({
		links: { next: page.link('own') },
		meta: { total: page.total },
	})),
	'links.next with a cursor': by('cursor', 'whole', (page) => ({ links: { next: page.link('own') } })),
	'page and total_pages': by('page', 'whole', (page) => ({ page: page.number, total_pages: page.last })),
	next_cursor: by('cursor', 'whole', (page) => ({ next_cursor: page.nextCursor, has_more: page.hasNext })),
	'meta.next_cursor': by('cursor', 'whole', (page) => ({
		meta: { path: page.href('own'), per_page: page.size, next_cursor: page.nextCursor, prev_cursor: null },
	})),
	'next_cursor and next_page_url': by('cursor', 'whole', (page) => ({
		per_page: page.size,
		next_cursor: page.nextCursor,
		next_page_url: page.link('own'),
	})),
	'offset, limit and total': by('offset', 'whole', (page) => ({
		offset: page.start,
		limit: page.size,
		total: page.total,
	})),
	'Link header': by('page', 'whole', () => ({}), { headers: header }),
	'bare array, Link header': by('page', 'whole', () => ({}), { headers: header, isBare: true }),
	'total, and no way on': by('none', 'reason', (page) => ({ total: page.total })),
	'has_more, and no way on': by('none', 'reason', (page) => ({ has_more: page.hasNext })),
	'bare array of all': by('none', 'whole', () => ({}), { isBare: true, isComplete: true }),
	'data alone, of all': by('none', 'whole', () => ({}), { isComplete: true }),
	'data and total, of all': by('none', 'whole', ({ total }) => ({ total }), { isComplete: true }),
} satisfies Record<string, Envelope>;

/** The forms that a list may have of which the interface says that it is `{data: ...}`. */
export const UNPAGED = {
	'data alone': by('none', 'whole', () => ({}), { isComplete: true }),
	'data and count': by('none', 'whole', ({ count }) => ({ count, total: count }), { isComplete: true }),
	'data and meta.total': by('none', 'whole', ({ total }) => ({ meta: { total } }), { isComplete: true }),
	'data, and links that lead nowhere': by(
		'none',
		'whole',
		(page) => ({ links: { self: page.href('own'), next: page.next('') }, next_page_url: page.next('') }),
		{ isComplete: true },
	),
	'data, as the only page': by(
		'none',
		'whole',
		(page) => ({ ...lengths(page), next_page_url: page.next('') }),
		{
			isComplete: true,
		},
	),
	'bare array': by('none', 'whole', () => ({}), { isBare: true, isComplete: true }),
} satisfies Record<string, Envelope>;

export type PagedKind = keyof typeof PAGED;

export type UnpagedKind = keyof typeof UNPAGED;

export const ENVELOPES: Record<PagedKind | UnpagedKind, Envelope> = { ...PAGED, ...UNPAGED };

export type EnvelopeKind = keyof typeof ENVELOPES;

/** What may stand beside `data` and says nothing about pages. */
export const WORDS_BESIDE = {
	nothing: {},
	'success and message': { success: true, status: 'ok', message: 'OK', error: null, errors: [] },
	'the time it took': { took: 12, server: { name: 'a', length: 3 } },
	'an ID of the answer': { id: 'answer-7' },
} satisfies Record<string, StoredRecord>;

export type WordsBeside = keyof typeof WORDS_BESIDE;

export const WORDS_BESIDE_KINDS = Object.keys(WORDS_BESIDE) as WordsBeside[];
