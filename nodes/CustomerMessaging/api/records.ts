import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import type { Answered, Endpoint, PathPlace, Query } from '../contract/endpoints';
import { type RecordId, wholeId } from '../values/ids';
import { isObject } from '../values/json';
import { isBlank, shown, stringOf } from '../values/text';
import type { RequestContext } from './context';
import { isRefusedWith, unreadableError } from './errors';
import { pagesOf, unreadableList } from './pages';
import { request, type ServiceRequest, type ServiceResponse } from './request';
import { isPage, unwrapped } from './responseBody';

type ReadInputs<E extends Endpoint> = ([PathPlace<E>] extends [never]
	? { path?: undefined }
	: { path: Record<PathPlace<E>, unknown> }) & { query?: { [Name in keyof Query<E>]?: string | number } };

export const pathOf = (endpoint: string, values: Partial<Record<string, unknown>> = {}): string =>
	endpoint
		.replace(/^[A-Z]+ /, '')
		.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(stringOf(values[place])));

async function read<E extends Endpoint & `GET ${string}`>(
	context: RequestContext,
	endpoint: E,
	{ path, query }: ReadInputs<E>,
) {
	const response = await request(context, {
		url: pathOf(endpoint, path),
		...(query && { qs: query as IDataObject }),
	});
	return { found: unwrapped(response.body), unreadable: () => unreadableError(response) };
}

/**
 * Reads a map, of which PHP writes an empty one as a list; undefined for null and an empty list.
 *
 * @throws Failure when the request fails, or the response is anything else
 */
export async function readMap<E extends Endpoint & `GET ${string}`>(
	context: RequestContext,
	endpoint: E,
	inputs: ReadInputs<E>,
): Promise<Answered<E> | undefined> {
	const { found, unreadable } = await read(context, endpoint, inputs);
	if (isBlank(found)) return undefined;
	if (!isObject(found)) throw unreadable();
	return found as Answered<E>;
}

/**
 * Reads one record.
 *
 * @throws Failure when the request fails, or the response is not a record
 */
export async function readRecord<E extends Endpoint & `GET ${string}`>(
	context: RequestContext,
	endpoint: E,
	inputs: ReadInputs<E>,
): Promise<Answered<E>> {
	const { found, unreadable } = await read(context, endpoint, inputs);
	if (!isObject(found)) throw unreadable();
	return found as Answered<E>;
}

/** Returns undefined if the tenant does not show the record to this user, or does not have it. */
export async function unlessHidden<T>(reading: Promise<T>): Promise<T | undefined> {
	return await reading.catch((error: unknown) => {
		return isRefusedWith(error, 403, 404) ? undefined : Promise.reject(error);
	});
}

/** Makes the error about an ID that cannot go back to the service, because another record could be meant. */
export const unusableId = (context: RequestContext, given: unknown) =>
	new NodeOperationError(context.getNode(), `The service gave "${shown(given)}" as an ID`, {
		description:
			'It is not a whole number. Nothing was changed, because another record could be meant. Tell the operator of the service.',
	});

/**
 * Reads all pages of a list. A record that is not read would be detached or created again.
 *
 * @throws Failure when a response is not a list
 * @throws NodeOperationError when the list cannot be read to its end, see `pagesOf`
 */
export async function wholeList(context: RequestContext, url: string): Promise<unknown[]> {
	const all: unknown[] = [];
	// A loop, because a page may have more records than a call takes arguments.
	for await (const { records } of pagesOf(context, { url })) for (const record of records) all.push(record);
	return all;
}

/**
 * Reads the IDs of a set, before a changed one is written back.
 *
 * @throws Failure when the response is not a list of records with IDs
 * @throws NodeOperationError when an ID is no whole number
 */
export async function attachedIds(context: RequestContext, url: string): Promise<RecordId[]> {
	return (await wholeList(context, url)).map((record) => {
		if (!isObject(record) || record.id === undefined) throw unreadableList();
		const id = wholeId(record.id);
		if (id === undefined) throw unusableId(context, record.id);
		return id;
	});
}

/** Reads a set to which nothing is to change, as the answer to a write of it. */
export const readSet = async (context: RequestContext, url: string): Promise<ServiceResponse> => ({
	statusCode: 200,
	headers: {},
	body: { data: await wholeList(context, url) },
});

/** Returns the path of the set that a request changes. */
export const setUrlOf = ({ method, url }: ServiceRequest): string =>
	method === 'DELETE' ? url.slice(0, url.lastIndexOf('/')) : url;

/**
 * Sends a request that changes a set and returns the set. If the response does not show it, it reads the set. If that fails,
 * it returns the response, because the change is done.
 */
export async function writeSet(context: RequestContext, options: ServiceRequest): Promise<ServiceResponse> {
	const response = await request(context, options);
	if (Array.isArray(unwrapped(response.body)) || isPage(response.body)) return response;
	const now = await wholeList(context, setUrlOf(options)).catch(() => undefined);
	return now ? { ...response, body: { data: now } } : response;
}
