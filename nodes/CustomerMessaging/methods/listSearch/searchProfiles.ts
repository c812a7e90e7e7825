import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { nameAndId, searchList } from './searchList';

/** The tenant's profiles for a From List. */
export async function searchProfiles(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchList(
		this,
		{
			url: '/profiles',
			pageSizeParameter: 'per_page',
			searchParameter: 'search',
			label: (profile) => nameAndId(profile, ['name', 'email', 'phone_number']),
		},
		filter,
		paginationToken,
	);
}
