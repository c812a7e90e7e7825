import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { nameAndId, searchList } from './searchList';

/** The tenant's agents of the chat app channel, which alone can send templates, for a From List. */
export async function searchChatAppAgents(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchList(
		this,
		{
			url: '/agents',
			qs: { channel: 'chatapp' },
			label: (agent) => nameAndId(agent, ['name', 'title', 'display_id', 'phone_number']),
		},
		filter,
		paginationToken,
	);
}
