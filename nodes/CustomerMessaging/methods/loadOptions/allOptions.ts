import type {
	IDataObject,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodePropertyOptions,
} from 'n8n-workflow';

import { unwrapped } from '../../transport/envelope';
import { nextPage } from '../../transport/pages';
import { request } from '../../transport/request';

/** Options are shown all at once, so reading stops when a person could no longer scroll through them. */
const MOST = 1000;

/** A list of the tenant as options, page by page. */
export async function allOptions(
	context: ILoadOptionsFunctions,
	url: string,
	option: (record: IDataObject) => INodePropertyOptions,
): Promise<INodePropertyOptions[]> {
	const options: INodePropertyOptions[] = [];
	let page: IHttpRequestOptions | undefined = { url };
	while (page && options.length < MOST) {
		const { body } = await request(context, page);
		const records = unwrapped(body);
		for (const record of Array.isArray(records) ? (records as IDataObject[]) : [])
			options.push(option(record));
		page = await nextPage(context, page, body);
	}
	return options;
}
