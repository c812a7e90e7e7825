import { Envelope, type Next, whereNext } from '../../nodes/CustomerMessaging/transport/listEnvelope.ts';
import { unwrapped } from '../../nodes/CustomerMessaging/transport/responseBody.ts';
import { isObject } from '../../nodes/CustomerMessaging/values/json.ts';
import { ENVELOPES, type EnvelopeKind } from '../../sandbox/choices.mts';
import { wrap } from '../../sandbox/envelope.mts';
import type { Exchange } from './exchange.mts';

/** What the sandbox has no name for. */
export const OTHER = 'other';

/** All members beside the records of a page, by their path, such as `meta.current_page`. */
export function membersBeside(page: unknown, prefix = ''): Array<[path: string, value: unknown]> {
	const isPage = isObject(page) || (prefix !== '' && Array.isArray(page));
	return Object.entries(isPage ? page : {})
		.filter(([name]) => prefix !== '' || name !== 'data')
		.flatMap(([name, member]) => [
			[`${prefix}${name}`, member],
			...membersBeside(member, `${prefix}${name}.`),
		]);
}

const pathsBeside = (page: unknown) => membersBeside(page).map(([path]) => path);

/** What every page of an envelope has beside its records, as the sandbox makes it. */
const SIGNATURES = ENVELOPES.filter((kind) => kind !== 'headers').map((kind) => {
	const [first, ...others] = [0, 2, 4].map((offset) =>
		pathsBeside(wrap(kind, { records: [1, 2], total: 6 }, { offset, limit: 2 }, new URL('http://localhost'))),
	);
	return { kind, members: first.filter((name) => others.every((page) => page.includes(name))) };
});

/** The envelope that a page of a list has, by what stands beside its records. */
export function envelopeOf(page: unknown, headers: Record<string, string>): EnvelopeKind | typeof OTHER {
	if (Array.isArray(page)) return 'x-total-count' in headers || 'link' in headers ? 'headers' : OTHER;
	const members = pathsBeside(page);
	const fitting = SIGNATURES.filter((signature) => signature.members.every((name) => members.includes(name)));
	// The members of a small envelope can be among those of a larger one.
	fitting.sort((a, b) => b.members.length - a.members.length);
	return fitting[0]?.kind ?? OTHER;
}

/** The records of a list as the node finds them; undefined where it finds none. */
export function recordsOf(body: unknown): unknown[] | undefined {
	const found = unwrapped(body);
	return Array.isArray(found) ? (found as unknown[]) : undefined;
}

/** Where the node would go on after the first page of a list. */
export function nextOf(body: unknown, headers: Exchange['headers'], query: Exchange['query'] = {}): Next {
	const count = recordsOf(body)?.length ?? 0;
	const envelope = new Envelope(body, headers);
	const read = { query, count, records: count, pages: 1, countsFromZero: envelope.page === 0 };
	const next = whereNext(envelope, read);
	return next === 'end' && count < (envelope.totalBeside(count) ?? 0) ? 'untold' : next;
}

/** All links beside the records of a page, in its members and headers. */
export function linksOf(page: unknown, { link = '' }: Record<string, string>): string[] {
	const inHeader = Array.from(link.slice(0, 4000).matchAll(/<([^<>]*)>/g), ([, target]) => target);
	const values = [...membersBeside(page).map(([, member]) => member), ...inHeader];
	return values.filter(
		(text) => typeof text === 'string' && /^(https?:\/\/|\/[^?]*\?)/.test(text),
	) as string[];
}

/** The form of a failure's body. */
export function errorFormOf(body: unknown, contentType: string): 'laravel' | 'problem' | typeof OTHER {
	if (!isObject(body)) return OTHER;
	const isProblem = typeof body.title === 'string' && typeof body.status === 'number' && !('message' in body);
	if (contentType === 'application/problem+json' || isProblem) return 'problem';
	const areTexts = body.errors === undefined || isObject(body.errors);
	return typeof body.message === 'string' && areTexts ? 'laravel' : OTHER;
}
