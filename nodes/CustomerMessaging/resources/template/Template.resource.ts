import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { create } from './create.operation';
import { getAll } from './getAll.operation';

/** The operations by the name that workflows store. */
export const operations = { create, getAll };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['template'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create template',
				description: 'Create a message template',
				routing: create.routing,
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many templates',
				description: 'Get the message templates of the tenant',
				routing: getAll.routing,
			},
		],
		default: 'getAll',
	},
	...shownFor('template', operations),
];
