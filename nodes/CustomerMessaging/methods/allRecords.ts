import type { IDataObject, IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';

import { unwrapped } from '../transport/envelope';
import { nextPage } from '../transport/pages';
import { request } from '../transport/request';

/** Options are shown all at once, so reading stops when a person could no longer scroll through them. */
const MOST = 1000;

/** The records of a list of the tenant, page by page. */
export async function allRecords(context: ILoadOptionsFunctions, url: string): Promise<IDataObject[]> {
	const found: IDataObject[] = [];
	let page: IHttpRequestOptions | undefined = { url };
	while (page && found.length < MOST) {
		const { body } = await request(context, page);
		const records = unwrapped(body);
		if (Array.isArray(records)) found.push(...(records as IDataObject[]));
		page = await nextPage(context, page, body);
	}
	return found;
}
