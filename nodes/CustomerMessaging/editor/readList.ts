import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Answered, Endpoint } from '../contract/endpoints';
import { pagesOf } from '../transport/pages';
import { objectsOf } from '../values/json';

/** Maximum number of options. n8n shows all options at once, and nobody can scroll through more. */
const MAX_RECORDS = 1000;

/** Maximum number of requests for one list, also if the tenant's pages are short. */
const MAX_REQUESTS = 100;

/** The endpoint of a list that needs no query. */
export type ListEndpoint = Endpoint & `GET ${string}`;

/** The records of a list. */
interface ReadList<E extends ListEndpoint> {
	records: Array<Answered<E>>;
	/** Whether the tenant has more of them. */
	isCut: boolean;
}

/**
 * Reads the records of a list of the tenant, page by page, up to `MAX_RECORDS` with `MAX_REQUESTS`.
 *
 * @throws NodeApiError when a request fails
 */
export async function readList<E extends ListEndpoint>(
	context: ILoadOptionsFunctions,
	endpoint: E,
): Promise<ReadList<E>> {
	const records: Array<Answered<E>> = [];
	let requests = 0;
	for await (const page of pagesOf(context, { url: endpoint.slice('GET '.length) })) {
		const left = MAX_RECORDS - records.length;
		records.push(...(objectsOf(page.records.slice(0, left)) as Array<Answered<E>>));
		if (page.records.length > left) return { records, isCut: true };
		if (records.length === MAX_RECORDS || ++requests === MAX_REQUESTS)
			return { records, isCut: page.hasNext() };
	}
	return { records, isCut: false };
}
