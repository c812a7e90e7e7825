import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { get } from './get.operation';
import { update } from './update.operation';

/** The operations by the name that workflows store. */
export const operations = { get, update };

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
	...shownFor('settings', operations),
];
