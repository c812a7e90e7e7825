/** The forms of docs/running.md, each read as the package is promised to read it. */

export type Fields = Record<string, unknown>;

export const isObject = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (value: unknown, path: string): unknown =>
	path.split('.').reduce((part, name) => (isObject(part) ? part[name] : undefined), value);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A record: the object itself, or its `data`. */
export const recordIn = (body: unknown): Fields | undefined =>
	isObject(body) ? (isObject(body.data) ? body.data : body) : undefined;

/** A list: an array, or `data` with an array. */
export function listIn(body: unknown): unknown[] | undefined {
	const list = isObject(body) ? body.data : body;
	return Array.isArray(list) ? (list as unknown[]) : undefined;
}

/** The number of records on all pages. */
export const totalIn = (body: unknown): number | undefined =>
	['total', 'meta.total'].map((path) => at(body, path)).find((total) => typeof total === 'number');

/** Whether a page says that another one follows. */
export const saysMore = (body: unknown): boolean =>
	['has_more', 'meta.has_more'].some((path) => at(body, path) === true);

/** How the next page is asked for, and which form tells it. */
export interface Next {
	form: string;
	query: Record<string, string>;
}

/** Of a link only its query counts. */
const queryOf = (link: string) => Object.fromEntries(new URLSearchParams(/\?([^#]*)/.exec(link)?.[1]));

const LINKS = ['links.next', 'next_page_url', 'meta.next_page_url', 'next', '_links.next.href'];
const CURSORS = ['meta.next_cursor', 'next_cursor'];
const PAGES = [
	['meta.current_page', 'meta.last_page'],
	['current_page', 'last_page'],
	['page', 'total_pages'],
];

/**
 * Finds the first form that leads to the next page.
 *
 * @param count of the records on this page
 * @returns undefined where no form leads on
 */
export function nextPage(body: unknown, linkHeader: string | null, count: number): Next | undefined {
	const header = /<([^<>]*)>[^,]*;\s*rel="?next\b/i.exec(linkHeader ?? '')?.[1];
	const links = [...LINKS.map((path) => [path, at(body, path)]), ['header Link', header]];
	const [form, link] =
		links.find(([, given]) => isText(given) && Object.keys(queryOf(given)).length > 0) ?? [];
	if (isText(form) && isText(link)) return { form, query: queryOf(link) };
	const cursor = CURSORS.find((path) => isText(at(body, path)));
	if (cursor) return { form: cursor, query: { cursor: String(at(body, cursor)) } };
	for (const pair of PAGES) {
		const [current, last] = pair.map((path) => Number(at(body, path) ?? NaN));
		if (current < last) return { form: pair.join(' and '), query: { page: String(current + 1) } };
	}
	const [offset, total] = ['offset', 'total'].map((path) => Number(at(body, path) ?? NaN));
	if (offset + count < total) return { form: 'offset and total', query: { offset: String(offset + count) } };
	return undefined;
}

/** Whether a success is told of as a failure. */
export const reportsFailure = (body: unknown): boolean => isObject(body) && body.success === false;

/** Which form the text of a failure has. */
export function errorForm(body: unknown): string | undefined {
	const text = ['message', 'error', 'error.message'].find((path) => isText(at(body, path)));
	if (text) return text;
	const errors = at(body, 'errors');
	const isTold = (told: unknown) => [told].flat().some(isText);
	if (isObject(errors)) return Object.values(errors).some(isTold) ? 'errors by field' : undefined;
	const rows = Array.isArray(errors) ? errors : [];
	return rows.some((row) => isText(at(row, 'message') ?? at(row, 'detail'))) ? 'errors as a list' : undefined;
}

/** What is wrong with an ID of a record, in words; undefined if nothing is. */
export function problemOfId(id: unknown): string | undefined {
	if (typeof id === 'string' && !/^\d+$/.test(id)) return 'text that is not a whole number';
	const isNumber = typeof id === 'number' || typeof id === 'string';
	if (isNumber && Number.isSafeInteger(Number(id))) return undefined;
	return isNumber ? 'a fraction, or a number above 2^53' : 'neither a number nor text';
}

export const isUuid = (id: unknown): boolean =>
	typeof id === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?(Z|[+-]\d\d(:?\d\d)?))?$/i;

/** The form of a time in ISO 8601; undefined if it has another one. */
export function timeForm(time: unknown): string | undefined {
	const found = typeof time === 'string' && TIME.exec(time);
	if (!found) return undefined;
	return found[4] ? 'ISO 8601 with a zone' : 'ISO 8601 without a zone, which is that of the workflow';
}

/** Seconds of a `Retry-After`, as a number or a date; undefined if it is neither. */
export function secondsOf(retryAfter: string): number | undefined {
	if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
	const until = Date.parse(retryAfter);
	return Number.isNaN(until) ? undefined : Math.max(0, (until - Date.now()) / 1000);
}
