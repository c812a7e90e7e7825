import { STATUS_CODES } from 'node:http';
import { ENVELOPES, type EnvelopeKind } from '../../sandbox/choices.mts';
import { wrap } from '../../sandbox/envelope.mts';

/** What the sandbox has no name for. */
export const OTHER = 'other';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of all members beside the records, such as `meta.current_page`. */
export function membersBeside(page: unknown, prefix = ''): string[] {
	if (!isRecord(page)) return [];
	return Object.entries(page)
		.filter(([name]) => prefix !== '' || name !== 'data')
		.flatMap(([name, member]) => [`${prefix}${name}`, ...membersBeside(member, `${prefix}${name}.`)]);
}

/** What every page of an envelope has beside its records, as the sandbox makes it. */
const SIGNATURES = ENVELOPES.filter((kind) => kind !== 'headers').map((kind) => {
	const pages = [0, 2, 4].map((offset) =>
		membersBeside(
			wrap(kind, { records: [1, 2], total: 6 }, { offset, limit: 2 }, new URL('http://localhost')),
		),
	);
	return { kind, members: pages[0].filter((name) => pages.every((page) => page.includes(name))) };
});

/** The envelope that a page of a list has, by what stands beside its records. */
export function envelopeOf(page: unknown, headers: Record<string, string>): EnvelopeKind | typeof OTHER {
	if (Array.isArray(page)) return 'x-total-count' in headers || 'link' in headers ? 'headers' : OTHER;
	const members = membersBeside(page);
	const fitting = SIGNATURES.filter((signature) => signature.members.every((name) => members.includes(name)));
	// The members of a small envelope can be among those of a larger one.
	fitting.sort((a, b) => b.members.length - a.members.length);
	return fitting[0]?.kind ?? OTHER;
}

/** The records of a page or list; undefined where there are none. */
export function recordsOf(answer: unknown): unknown[] | undefined {
	const data = isRecord(answer) ? answer.data : answer;
	return Array.isArray(data) ? data : undefined;
}

/** All links beside the records of a page, in its members and headers. */
export function linksOf(page: unknown, { link = '' }: Record<string, string>): string[] {
	const inHeader = [...link.matchAll(/<([^>]*)>/g)].map(([, href]) => href);
	if (!isRecord(page)) return inHeader;
	const strings = (value: unknown): string[] => {
		if (typeof value === 'string') return [value];
		return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
	};
	const beside = Object.entries(page).filter(([name]) => name !== 'data');
	return [...beside.flatMap(([, member]) => strings(member)), ...inHeader].filter((text) =>
		/^https?:\/\//.test(text),
	);
}

/** The link or cursor to the next page, as query parameters. */
export function nextQuery(page: unknown, headers: Record<string, string>): URLSearchParams | undefined {
	const [, inHeader] = /<([^>]*)>\s*;[^,]*rel="?next"?/.exec(headers.link ?? '') ?? [];
	const body = isRecord(page) ? page : {};
	const meta = isRecord(body.meta) ? body.meta : {};
	const pagination = isRecord(meta.pagination) ? meta.pagination : {};
	const links = [body.links, meta.links, pagination.links, body._links].filter(isRecord);
	const href = [body.next_page_url, body.nextPageUrl, ...links.map(({ next }) => next), inHeader]
		.map((link) => (isRecord(link) ? link.href : link))
		.find((link): link is string => typeof link === 'string' && link !== '');
	if (href !== undefined && URL.canParse(href, 'http://localhost')) {
		return new URL(href, 'http://localhost').searchParams;
	}
	const cursor = [body.next_cursor, body.nextCursor, meta.next_cursor, meta.nextCursor].find(
		(value) => typeof value === 'string' && value !== '',
	);
	return cursor === undefined ? undefined : new URLSearchParams({ cursor: String(cursor) });
}

/** The form of a failure's body. */
export function errorFormOf(body: unknown, contentType: string): 'laravel' | 'problem' | typeof OTHER {
	if (!isRecord(body)) return OTHER;
	const isProblem = typeof body.title === 'string' && typeof body.status === 'number' && !('message' in body);
	if (contentType === 'application/problem+json' || isProblem) return 'problem';
	const areTexts = body.errors === undefined || isRecord(body.errors);
	return typeof body.message === 'string' && areTexts ? 'laravel' : OTHER;
}

/** A status with its name. */
export const statusText = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`.trim();
