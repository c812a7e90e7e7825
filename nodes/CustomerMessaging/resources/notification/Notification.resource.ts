import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { getAll } from './getAll.operation';
import { markAllRead } from './markAllRead.operation';
import { markRead } from './markRead.operation';

/** The operations by the name that workflows store. */
export const operations = { getAll, markAllRead, markRead };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['notification'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many notifications',
				description: 'Get the notifications of the user behind the access token',
				routing: getAll.routing,
			},
			{
				name: 'Mark All as Read',
				value: 'markAllRead',
				action: 'Mark all notifications as read',
				description: 'Mark all notifications of the user behind the access token as read',
				routing: markAllRead.routing,
			},
			{
				name: 'Mark as Read',
				value: 'markRead',
				action: 'Mark notification as read',
				description: 'Mark one notification as read',
				routing: markRead.routing,
			},
		],
		default: 'getAll',
	},
	...shownFor('notification', operations),
];
