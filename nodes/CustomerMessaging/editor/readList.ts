import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';

import type { Answered, Endpoint } from '../contract/endpoints';
import { unwrapped } from '../transport/answer';
import { nextPage } from '../transport/pages';
import { request } from '../transport/request';
import { objectsOf } from '../values/json';

/** Maximum number of options. n8n shows all options at once, and nobody can scroll through more. */
const MAX_RECORDS = 1000;

/** The endpoint of a list that needs no query. */
export type ListEndpoint = Endpoint & `GET ${string}`;

/**
 * Reads the records of a list of the tenant, page by page, up to `MAX_RECORDS`.
 *
 * @throws NodeApiError when a request fails
 */
export async function readList<E extends ListEndpoint>(
	context: ILoadOptionsFunctions,
	endpoint: E,
): Promise<Array<Answered<E>>> {
	const found: Array<Answered<E>> = [];
	let page: IHttpRequestOptions | undefined = { url: endpoint.slice('GET '.length) };
	while (page && found.length < MAX_RECORDS) {
		const { body } = await request(context, page);
		found.push(...(objectsOf(unwrapped(body)) as Array<Answered<E>>));
		page = await nextPage(context, page, body);
	}
	return found;
}
