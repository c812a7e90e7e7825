import type { Endpoint, PathPlace, ResponseRecord } from '../contract/endpoints';
import { isObject } from '../values/json';
import { stringOf } from '../values/text';
import type { Api } from './client';
import { isRefusedWith, unreadableError } from './errors';
import { pagesOf } from './pages';

export const pathOf = (endpoint: string, values: Partial<Record<string, unknown>> = {}): string =>
	endpoint
		.replace(/^[A-Z]+ /, '')
		.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(stringOf(values[place])));

/** Reads one record. Throws a Failure when the request fails, or the response is not a record. */
export async function readRecord<E extends Endpoint & `GET ${string}`>(
	api: Api,
	endpoint: E,
	path: Record<PathPlace<E>, unknown>,
): Promise<ResponseRecord<E>> {
	const { content: found } = await api.send({ url: pathOf(endpoint, path) });
	if (!isObject(found)) throw unreadableError(found);
	return found as ResponseRecord<E>;
}

/** Returns undefined if the tenant does not show the record to this user, or does not have it. */
export async function orUndefinedIfForbidden<T>(reading: Promise<T>): Promise<T | undefined> {
	return await reading.catch((error: unknown) =>
		isRefusedWith(error, 403, 404) ? undefined : Promise.reject(error),
	);
}

/** Reads all pages of a list, or throws as `pagesOf`: a record that is not read would be detached or created again. */
export async function wholeList(api: Api, url: string): Promise<unknown[]> {
	const all: unknown[] = [];
	// A loop, because a page may have more records than a call takes arguments.
	for await (const { records } of pagesOf(api, { url })) for (const record of records) all.push(record);
	return all;
}
