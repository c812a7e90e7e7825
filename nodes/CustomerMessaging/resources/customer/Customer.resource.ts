import type { INodeProperties } from 'n8n-workflow';

import * as create from './create.operation';

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['customer'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create a customer',
				description: 'Create a customer together with its profile',
				routing: create.routing,
			},
		],
		default: 'create',
	},
	...create.description,
];
