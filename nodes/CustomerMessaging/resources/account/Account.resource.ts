import type { INodeProperties } from 'n8n-workflow';

import * as get from './get.operation';

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['account'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get the account',
				description: 'Get the user behind the access token, with roles and permissions',
				routing: get.routing,
			},
		],
		default: 'get',
	},
	...get.description,
];
