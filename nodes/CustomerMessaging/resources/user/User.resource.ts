import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';
import { verifyPin } from './verifyPin.operation';

/** The operations by the name that workflows store. */
export const operations = { create, delete: remove, get, getAll, update, verifyPin };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['user'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create user',
				description: 'Create a user who can work in the tenant',
				routing: create.routing,
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete user',
				description: 'Delete a user; the last admin cannot be deleted',
				routing: remove.routing,
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get user',
				description: 'Get one user by ID',
				routing: get.routing,
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many users',
				description: 'Get the users of the tenant',
				routing: getAll.routing,
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update user',
				description: 'Change fields of a user',
				routing: update.routing,
			},
			{
				name: 'Verify PIN',
				value: 'verifyPin',
				action: 'Verify PIN of user',
				description: 'Check a PIN for switching users; the service limits failed attempts',
				routing: verifyPin.routing,
			},
		],
		default: 'getAll',
	},
	...shownFor('user', operations),
];
