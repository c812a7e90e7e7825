import { isObject } from '../values/json';

/** Returns the content of a response: its `data`, or the body itself (conventions 2 to 6 of the interface). */
export const unwrapped = (body: unknown): unknown =>
	isObject(body) && Object.hasOwn(body, 'data') ? body.data : body;

/** Whether a body is a page in place of the interface's JSON, such as the page of a login. */
export const isPage = (body: unknown) => typeof body === 'string' && body.trimStart().startsWith('<');

export const isEmpty = (body: unknown) => body === undefined || body === null || body === '';
