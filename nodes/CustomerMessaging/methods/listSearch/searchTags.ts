import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { nameAndId, searchList } from './searchList';

/** The tenant's tags for a From List. */
export async function searchTags(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchList(
		this,
		{ url: '/tags', label: (tag) => nameAndId(tag, ['title']) },
		filter,
		paginationToken,
	);
}
