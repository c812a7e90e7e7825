import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

/** The operations by the name that workflows store. */
export const operations = { create, delete: remove, get, getAll, update };

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
				action: 'Create tag',
				description: 'Create a tag that profiles and media can carry',
				routing: create.routing,
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete tag',
				description: 'Delete a tag',
				routing: remove.routing,
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get tag',
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
				action: 'Update tag',
				description: 'Change the title of a tag',
				routing: update.routing,
			},
		],
		default: 'getAll',
	},
	...shownFor('tag', operations),
];
