import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { nameAndId, searchList } from './searchList';

/** The tenant's media library for a From List. */
export async function searchMedia(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchList(
		this,
		{ url: '/media', label: (media) => nameAndId(media, ['title', 'filename', 'name']) },
		filter,
		paginationToken,
	);
}
