import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { nameAndId, searchList } from './searchList';

/** The tenant's agents for a From List. */
export async function searchAgents(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchList(
		this,
		{ url: '/agents', label: (agent) => nameAndId(agent, ['name', 'title', 'display_id', 'phone_number']) },
		filter,
		paginationToken,
	);
}
