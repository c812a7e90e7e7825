import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { nameAndId, searchList } from './searchList';

/** The tenant's users for a From List. */
export async function searchUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchList(
		this,
		{ url: '/users', label: (user) => nameAndId(user, ['name', 'email']) },
		filter,
		paginationToken,
	);
}
