import { isObject } from '../values/json';
import { isNothing } from '../values/messageSummary';
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
	'success ok status statuscode code type title detail message messages reason error errors errorcode errormsg errormessage errordescription data instance path timestamp requestid traceid meta took'.split(
		' ',
	),
);

/** Members by which a body is a record. */
const IDS = ['id', 'uuid', 'internaluuid'];

/** Members that count what was done, beside which errors are about the rest. */
const COUNTS = /count$|^(imported|created|updated|skipped|processed|inserted)$/;

const MAX_TOLD = 100;

const hasContent = (value: unknown) =>
	typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : !isNothing(value);

const isFalse = (value: unknown) => value === false || /^(false|0)$/.test(stringOf(value));

/** Whether a status tells of a failure: as a word, or as a number of HTTP. A 0 may as well tell that there is none. */
const isFailing = (status: unknown) =>
	/^(error|fail(ed|ure)?|false)$/i.test(stringOf(status)) ||
	(numericOf(status) >= 400 && numericOf(status) < 600);

/**
 * Whether a body tells of a failure, although the status says success: by `success` or `ok`, by its status or code, or by an
 * error. What else stands in an envelope does not count. A record may have such members of its own, and `data` tells of a failure
 * if it has no other members.
 *
 * @param isRead whether an error beside `data` counts, since a list is whole or fails
 */
export function tellsFailure(body: unknown, isRead = false, levels = MAX_PARTS): boolean {
	if (!isObject(body) || levels === 0) return false;
	const told = Object.entries(body).slice(0, MAX_TOLD);
	const members = new Map(told.map(([name, value]) => [plainName(name), value]));
	const some = (test: (value: unknown) => boolean, ...names: string[]) =>
		names.some((name) => test(members.get(name)));
	const isTold = (value: unknown) => !isNothing(value);
	const others = [...members.keys()].filter((name) => !FAILURE_NAMES.has(name) && !IDS.includes(name));
	const isIdentified = some((id) => id !== undefined && id !== null, ...IDS);
	const isOutermost = levels === MAX_PARTS;
	const data = members.get('data');
	const hasOwn = others.length > 0 || members.has('title');
	const isRecord = isOutermost
		? isIdentified && hasOwn && unwrapped(body) === body
		: isIdentified || others.length > 0;
	if (isRecord) return false;
	const isCounted = others.some((name) => COUNTS.test(name));
	// A 0 may be a count too.
	const isCount = isCounted && stringOf(members.get('success')) === '0';
	if (!isCount && some(isFalse, 'success', 'ok')) return true;
	// A failed message has an ID and a status too.
	const isStatus = !isIdentified && some(isFailing, 'status');
	const isCode = !isIdentified && some(isFailing, 'code', 'statuscode', 'errorcode');
	const isError = some(isTold, 'error', 'errors', 'errormsg', 'errormessage', 'errordescription');
	if (hasContent(data)) {
		if (isRead && (isStatus || isCode || isError)) return true;
		return (others.length === 0 && isStatus) || tellsFailure(data, isRead, levels - 1);
	}
	const isExplained =
		(others.length === 0 && isOutermost) || some(isTold, 'message', 'messages', 'reason', 'detail');
	return !isCounted && (isError || (isExplained && (isStatus || isCode)));
}

export const isEmpty = (content: unknown) => content === undefined || content === null || content === '';
