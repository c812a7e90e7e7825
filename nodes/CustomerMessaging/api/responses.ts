import { isObject, ownMember } from '../values/json';

/** Where responses say something about a list, as dot-paths. Another form is one more path. */
export const TOTALS = ['total', 'meta.total'];
export const SIGNS_OF_MORE = ['has_more', 'meta.has_more'];

/** Returns the member at a dot-path, such as `meta.total`; undefined if there is none. */
export const memberAt = (body: unknown, path: string): unknown => path.split('.').reduce(ownMember, body);

/** Returns the content of a response: its `data`, or the body itself (conventions 2 to 6 of the interface). */
export const unwrapped = (body: unknown): unknown =>
	isObject(body) && Object.hasOwn(body, 'data') ? body.data : body;

/** Whether a body is a page in place of the interface's JSON, such as the page of a login. */
export const isPage = (body: unknown) => typeof body === 'string' && body.trimStart().startsWith('<');

export const isEmpty = (body: unknown) => body === undefined || body === null || body === '';
