import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import type { Answered, Endpoint, PathPlace, Query } from '../contract/endpoints';
import { type RecordId, wholeId } from '../values/ids';
import { isObject } from '../values/json';
import { isBlank, shown, stringOf } from '../values/text';
import type { Api } from './client';
import { isRefusedWith, unreadableError } from './errors';
import { pagesOf, unreadableList } from './pages';
import type { ServiceRequest } from './exchange';

type ReadInputs<E extends Endpoint> = ([PathPlace<E>] extends [never]
	? { path?: undefined }
	: { path: Record<PathPlace<E>, unknown> }) & { query?: { [Name in keyof Query<E>]?: string | number } };

export const pathOf = (endpoint: string, values: Partial<Record<string, unknown>> = {}): string =>
	endpoint
		.replace(/^[A-Z]+ /, '')
		.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(stringOf(values[place])));

/** Reads one record. Throws a Failure when the request fails, or the response is not a record. */
export async function readRecord<E extends Endpoint & `GET ${string}`>(
	api: Api,
	endpoint: E,
	{ path, query }: ReadInputs<E>,
	isRecord: (found: unknown) => boolean = isObject,
): Promise<Answered<E>> {
	const url = pathOf(endpoint, path);
	const found = await api.send({ url, ...(query && { qs: query as IDataObject }) });
	if (!isRecord(found)) throw unreadableError(found);
	return found as Answered<E>;
}

/** Reads a record that may be missing: undefined for null and an empty list, as which PHP writes an empty map. */
export async function readMap<E extends Endpoint & `GET ${string}`>(
	api: Api,
	endpoint: E,
	inputs: ReadInputs<E>,
): Promise<Answered<E> | undefined> {
	const found = await readRecord(api, endpoint, inputs, (one) => isObject(one) || isBlank(one));
	return isBlank(found) ? undefined : found;
}

/** Returns undefined if the tenant does not show the record to this user, or does not have it. */
export async function orUndefinedIfForbidden<T>(reading: Promise<T>): Promise<T | undefined> {
	return await reading.catch((error: unknown) =>
		isRefusedWith(error, 403, 404) ? undefined : Promise.reject(error),
	);
}

/** Makes the error about an ID that cannot go back to the service, because another record could be meant. */
export const unusableId = (api: Api, given: unknown) =>
	new NodeOperationError(api.getNode(), `The service gave "${shown(given)}" as an ID`, {
		description:
			'It is not a whole number up to 9007199254740991. Nothing was changed, because another record could be meant. Tell the operator of the service.',
	});

/** Reads all pages of a list, or throws as `pagesOf`: a record that is not read would be detached or created again. */
export async function wholeList(api: Api, url: string): Promise<unknown[]> {
	const all: unknown[] = [];
	// A loop, because a page may have more records than a call takes arguments.
	for await (const { records } of pagesOf(api, { url })) for (const record of records) all.push(record);
	return all;
}

/** Reads the IDs of a set, before a changed one is written back. Throws where one is missing, or no whole number. */
export async function attachedIds(api: Api, url: string): Promise<RecordId[]> {
	return (await wholeList(api, url)).map((record) => {
		if (!isObject(record) || record.id === undefined) throw unreadableList();
		const id = wholeId(record.id);
		if (id === undefined) throw unusableId(api, record.id);
		return id;
	});
}

/** Returns the path of the set that a request changes. */
export const setUrlOf = ({ method, url }: ServiceRequest): string =>
	method === 'DELETE' ? url.slice(0, url.lastIndexOf('/')) : url;

/**
 * Sends a request that changes a set and returns the set. If the response does not show it, it reads the set. If that fails,
 * it returns the content of the response, because the change is done.
 */
export async function writeSet(api: Api, options: ServiceRequest): Promise<unknown> {
	const content = await api.send(options);
	if (Array.isArray(content)) return content;
	return (await wholeList(api, setUrlOf(options)).catch(() => undefined)) ?? content;
}
