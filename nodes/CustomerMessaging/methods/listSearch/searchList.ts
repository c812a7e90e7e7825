import type {
	IDataObject,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

import { unwrapped } from '../../transport/envelope';
import { nextPage, PAGE_SIZE } from '../../transport/pages';
import { request } from '../../transport/request';

/** Where a From List comes from and how a record of it is shown. */
export interface ListSource {
	/** Path of the list in the interface. */
	url: string;
	/** Query sent with every page. */
	qs?: IDataObject;
	/** Query parameter for the page size, where the interface has one. */
	pageSizeParameter?: string;
	/** Query parameter for the typed text, where the service can search; else the page is filtered here. */
	searchParameter?: string;
	/** The record's label in the list; undefined leaves the record out. */
	label: (record: IDataObject) => string | undefined;
	/** The value stored in the workflow; the record's `id` unless given. */
	value?: (record: IDataObject) => string | number | undefined;
}

/**
 * One page of a From List.
 *
 * @param paginationToken the request for the page, as given out with the page before
 */
export async function searchList(
	context: ILoadOptionsFunctions,
	source: ListSource,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const typed = filter?.trim() ?? '';
	const first: IHttpRequestOptions = {
		url: source.url,
		qs: {
			...source.qs,
			...(source.pageSizeParameter && { [source.pageSizeParameter]: PAGE_SIZE }),
			...(source.searchParameter && typed && { [source.searchParameter]: typed }),
		},
	};
	const options = paginationToken ? jsonParse<IHttpRequestOptions>(paginationToken) : first;
	const { body } = await request(context, options);
	const records = unwrapped(body);
	const results: INodeListSearchItems[] = [];
	for (const record of Array.isArray(records) ? (records as IDataObject[]) : []) {
		const name = source.label(record);
		const value = source.value ? source.value(record) : (record.id as number | undefined);
		if (name === undefined || value === undefined) continue;
		const matches = source.searchParameter !== undefined || name.toLowerCase().includes(typed.toLowerCase());
		if (matches) results.push({ name, value });
	}
	const next = await nextPage(context, options, body);
	return { results, paginationToken: next && JSON.stringify({ url: next.url, qs: next.qs }) };
}

/** The first of these members that holds text or a number, as text; records are only partly shown by the interface. */
export function firstText(record: IDataObject, names: string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) return String(value);
	}
	return undefined;
}

/** A label of name and ID, such as "Jo Doe (42)"; the ID alone where the record shows no name. */
export function nameAndId(record: IDataObject, names: string[]): string {
	const name = firstText(record, names);
	return name === undefined ? String(record.id) : `${name} (${String(record.id)})`;
}
