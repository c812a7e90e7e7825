import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { get } from './get.operation';

/** The operations by the name that workflows store. */
export const operations = { get };

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
				action: 'Get account',
				description: 'Get the user behind the token',
				routing: get.routing,
			},
		],
		default: 'get',
	},
	...shownFor('account', operations),
];
