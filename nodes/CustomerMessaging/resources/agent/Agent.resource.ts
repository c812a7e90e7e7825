import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

/** The operations by the name that workflows store. */
export const operations = { get, getAll, update };

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
				action: 'Get agent',
				description: 'Get one agent by ID',
				routing: get.routing,
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many agents',
				description: 'Get the agents of the tenant',
				routing: getAll.routing,
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update agent',
				description: 'Change the default bot or the proxy email of an agent',
				routing: update.routing,
			},
		],
		default: 'getAll',
	},
	...shownFor('agent', operations),
];
