import { isObject } from '../values/json';
import { numericOf } from '../values/numbers';
import { stringOf } from '../values/text';

// The interface documents only the member `data` of an envelope. What stands beside it is read by what it is; names are
// hints (see docs/values.md).

export const MAX_PARTS = 4;

/** Returns a name in the spelling in which names are compared: `nextpage` for `next_page`, `nextPage` and `x:nextPage`. */
export const plainName = (name: string) =>
	name
		.slice(0, MAX_NAME)
		.toLowerCase()
		.replace(/^.*[.:]|[^a-z]/g, '');

const MAX_NAME = 40;

export const PAGING_PART = /^(next|view)$|meta|link|pag|cursor|data$/;

/** Whether the text is an address, and not a cursor. */
export const isAddress = (link: string) => /^([a-z][a-z0-9+.-]*:)?\/|\?/i.test(link);

export function numberOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && value !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Whether a member is words of a record, and not a number, a link, a cursor or what an envelope says. */
const isWords = (name: string, value: unknown) =>
	typeof value === 'string' &&
	numberOf(value) === undefined &&
	!isAddress(value) &&
	!/^(id|code|error|message|requestid|status|timestamp)$/.test(plainName(name)) &&
	!PAGING_PART.test(plainName(name));

/**
 * Returns the content of a response, without its `data` envelope (conventions 2 to 6 of the interface). A body that has
 * its own `id` is a record without an envelope if it has words too, or if its `data` is neither a list nor a record.
 */
export function unwrapped(body: unknown): unknown {
	if (!isObject(body) || !Object.hasOwn(body, 'data')) return body;
	const { data } = body;
	if (!Object.hasOwn(body, 'id')) return data;
	const isContent = Array.isArray(data) || (isObject(data) && Object.keys(data).length > 0);
	const hasWords = Object.entries(body).some(([name, value]) => name !== 'data' && isWords(name, value));
	return isContent && !hasWords ? data : body;
}

/** Whether a body is a page in place of the interface's JSON, such as the page of a login. */
export const isPage = (body: unknown) => typeof body === 'string' && body.trimStart().startsWith('<');

/** Whether a body is JSON that was cut off on its way. */
export const isBroken = (body: unknown) => typeof body === 'string' && /^\s*[[{]/.test(body);

export const FAILURE_NAMES = new Set(
	'success ok status statuscode code type title detail message messages error errors errorcode errormessage errordescription data instance path timestamp requestid traceid meta took'.split(
		' ',
	),
);

/** Whether a member tells of a failure, and not that there is none. */
const hasContent = (value: unknown) =>
	value === true ||
	(typeof value === 'string' && value.trim() !== '') ||
	(typeof value === 'object' && value !== null && Object.keys(value).length > 0);

const isFalse = (value: unknown) => value === false || value === 0 || value === 'false';

/** Whether a status tells of a failure: as a word, or as a number of HTTP. A 0 may as well tell that there is none. */
const isFailing = (status: unknown) =>
	/^(error|fail(ed|ure)?|false)$/i.test(stringOf(status)) ||
	(numericOf(status) >= 400 && numericOf(status) < 600);

const MAX_TOLD = 100;

/**
 * Whether a body tells of a failure, although the status says success: it has nothing but members about that and `data`,
 * or `data` tells of it. Whatever else stands in an envelope, it fails by `success` or `ok`, and by an error in place of `data`. A
 * record may have such members of its own.
 *
 * @param isRead whether an error beside `data` counts, since a list is whole or fails
 */
export function tellsFailure(body: unknown, isRead = false, levels = MAX_PARTS): boolean {
	if (!isObject(body) || levels === 0) return false;
	const told = Object.entries(body).slice(0, MAX_TOLD);
	const members = new Map(told.map(([name, value]) => [plainName(name), value]));
	const [success, ok, status, data] = ['success', 'ok', 'status', 'data'].map((name) => members.get(name));
	const has = (...names: string[]) => names.some((name) => hasContent(members.get(name)));
	const fails = (...names: string[]) => names.some((name) => isFailing(members.get(name)));
	const others = [...members].filter(([name]) => !FAILURE_NAMES.has(name));
	if (others.length === 0) {
		if (isFalse(success) || isFalse(ok) || isFailing(status)) return true;
		if (hasContent(data)) return (isRead && has('error', 'errors')) || tellsFailure(data, isRead, levels - 1);
		return fails('code', 'statuscode') || has('error', 'errors');
	}
	if (levels < MAX_PARTS || IDS.some((name) => members.has(name))) return false;
	if ([success, ok].some((flag) => flag === false || flag === 'false')) return true;
	if (hasContent(data)) return isRead && has('error', 'errors');
	// Beside what was done, errors are about the rest.
	const isPart = others.some(([, value]) => typeof value === 'number');
	return has('error') || (has('errors') && !isPart) || (isFailing(status) && has('message'));
}

/** Members by which a body is a record. */
const IDS = ['id', 'uuid', 'internaluuid'];

export const isEmpty = ({ body }: { body?: unknown }) => body === undefined || body === null || body === '';
