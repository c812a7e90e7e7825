import type { INodeProperties } from 'n8n-workflow';

import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as update from './update.operation';

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['agent'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get an agent',
				description: 'Get one agent by ID',
				routing: get.routing,
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many agents',
				description: 'Get the agents of the tenant, many or those of one channel',
				routing: getAll.routing,
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update an agent',
				description: 'Change the default bot or the proxy email of an agent',
				routing: update.routing,
			},
		],
		default: 'getAll',
	},
	...get.description,
	...getAll.description,
	...update.description,
];
