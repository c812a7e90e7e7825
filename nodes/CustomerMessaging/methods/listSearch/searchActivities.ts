import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { nameAndId, searchList } from './searchList';

/** The chosen profile's activities for a From List. */
export async function searchActivities(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const profileId = String(this.getCurrentNodeParameter('profileId', { extractValue: true }) ?? '');
	if (!/^\d+$/.test(profileId)) return { results: [] };
	return await searchList(
		this,
		{
			url: `/profiles/${encodeURIComponent(profileId)}/activities`,
			label: (activity) => nameAndId(activity, ['type']),
		},
		filter,
		paginationToken,
	);
}
