import type { INodeProperties } from 'n8n-workflow';

import * as get from './get.operation';
import * as update from './update.operation';

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['settings'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get settings',
				description: 'Get one category of the tenant settings',
				routing: get.routing,
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update settings',
				description: 'Change fields in one category of the tenant settings',
				routing: update.routing,
			},
		],
		default: 'get',
	},
	...get.description,
	...update.description,
];
