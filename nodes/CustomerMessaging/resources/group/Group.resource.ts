import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getProfiles } from './getProfiles.operation';
import { update } from './update.operation';

/** The operations by the name that workflows store. */
export const operations = { create, delete: remove, get, getAll, getProfiles, update };

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
				action: 'Create group',
				description: 'Create a group of profiles',
				routing: create.routing,
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete group',
				description: 'Delete a group',
				routing: remove.routing,
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get group',
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
				action: 'Get profiles of group',
				description: 'Get the profiles that are in a group',
				routing: getProfiles.routing,
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update group',
				description: 'Change fields of a group',
				routing: update.routing,
			},
		],
		default: 'getAll',
	},
	...shownFor('group', operations),
];
