import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { firstText, searchList } from './searchList';

/** The user's notifications for a From List. */
export async function searchNotifications(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchList(
		this,
		{
			url: '/me/notifications',
			label: (notification) => firstText(notification, ['title', 'message', 'text', 'type', 'uuid']),
			value: (notification) => firstText(notification, ['uuid']),
		},
		filter,
		paginationToken,
	);
}
