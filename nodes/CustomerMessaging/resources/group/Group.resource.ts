import type { INodeProperties } from 'n8n-workflow';

import * as create from './create.operation';
import * as remove from './delete.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as getProfiles from './getProfiles.operation';
import * as update from './update.operation';

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['group'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create a group',
				description: 'Create a group of profiles',
				routing: create.routing,
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a group',
				description: 'Delete a group',
				routing: remove.routing,
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get a group',
				description: 'Get one group by ID',
				routing: get.routing,
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many groups',
				description: 'Get the groups of the tenant',
				routing: getAll.routing,
			},
			{
				name: 'Get Profiles',
				value: 'getProfiles',
				action: 'Get the profiles of a group',
				description: 'Get the profiles that are in a group',
				routing: getProfiles.routing,
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a group',
				description: 'Change fields of a group',
				routing: update.routing,
			},
		],
		default: 'getAll',
	},
	...create.description,
	...remove.description,
	...get.description,
	...getAll.description,
	...getProfiles.description,
	...update.description,
];
