import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';

import type { Answered, Endpoint } from '../contract/endpoints';
import { unwrapped } from '../transport/answer';
import { nextPage } from '../transport/pages';
import { request } from '../transport/request';
import { objectsOf } from '../values/json';

/** Options are shown all at once, so reading stops when a person could no longer scroll through them. */
const MAX_RECORDS = 1000;

/** A list of the tenant that is read without a question. */
export type ListEndpoint = Endpoint & `GET ${string}`;

/** The records of a list of the tenant, page by page. */
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
