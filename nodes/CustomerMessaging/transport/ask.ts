import { type IDataObject, type IHttpRequestOptions, NodeApiError } from 'n8n-workflow';

import type { Answered, Endpoint, PathPlace, Query } from '../contract/endpoints';
import { isObject } from '../values/json';
import { unwrapped } from './answer';
import { itemIndexOf, type RequestContext } from './context';
import { nodeError, unreadableError } from './errors';
import { request } from './request';

/** The inputs of a read request: values of the path parameters, and a query. */
type Question<E extends Endpoint> = ([PathPlace<E>] extends [never]
	? { path?: undefined }
	: { path: Record<PathPlace<E>, unknown> }) & { query?: { [Name in keyof Query<E>]?: string | number } };

/** Makes the request for an endpoint that reads. */
function questionOf<E extends Endpoint & `GET ${string}`>(
	endpoint: E,
	{ path, query }: Question<E>,
): IHttpRequestOptions {
	const values: Partial<Record<string, unknown>> = path ?? {};
	const url = endpoint
		.slice('GET '.length)
		.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(String(values[place])));
	return { url, ...(query && { qs: query as IDataObject }) };
}

/**
 * Reads one record that another operation needs.
 *
 * @returns the members of the record as the tenant sent them
 * @throws NodeApiError when the request fails, or the response is not a record
 */
export async function ask<E extends Endpoint & `GET ${string}`>(
	context: RequestContext,
	endpoint: E,
	question: Question<E>,
): Promise<Answered<E>> {
	const answer = await request(context, questionOf(endpoint, question));
	const found = unwrapped(answer.body);
	if (!isObject(found)) throw unreadableError(context.getNode(), answer, itemIndexOf(context));
	return found as Answered<E>;
}

/** Returns undefined if the tenant does not show the record to this user, or does not have it. */
export async function unlessHidden<T>(
	context: RequestContext,
	reading: Promise<T>,
): Promise<T | undefined> {
	try {
		return await reading;
	} catch (error) {
		const failure = nodeError(context.getNode(), error, itemIndexOf(context));
		if (failure instanceof NodeApiError && ['403', '404'].includes(failure.httpCode ?? '')) return undefined;
		throw failure;
	}
}
