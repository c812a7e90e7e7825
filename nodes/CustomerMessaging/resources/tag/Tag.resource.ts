import type { INodeProperties } from 'n8n-workflow';

import * as create from './create.operation';
import * as remove from './delete.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as update from './update.operation';

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['tag'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create a tag',
				description: 'Create a tag that profiles and media can carry',
				routing: create.routing,
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a tag',
				description: 'Delete a tag',
				routing: remove.routing,
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get a tag',
				description: 'Get one tag by ID',
				routing: get.routing,
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many tags',
				description: 'Get the tags of the tenant, sorted by title',
				routing: getAll.routing,
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a tag',
				description: 'Change the title of a tag',
				routing: update.routing,
			},
		],
		default: 'getAll',
	},
	...create.description,
	...remove.description,
	...get.description,
	...getAll.description,
	...update.description,
];
