import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { nameAndId, searchList } from './searchList';

/** The tenant's groups for a From List. */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchList(
		this,
		{ url: '/groups', label: (group) => nameAndId(group, ['name', 'title']) },
		filter,
		paginationToken,
	);
}
