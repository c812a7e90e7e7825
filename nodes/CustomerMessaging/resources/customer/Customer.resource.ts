import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { addUsers } from './addUsers.operation';
import { bulkDelete } from './bulkDelete.operation';
import { bulkImport } from './bulkImport.operation';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getUsers } from './getUsers.operation';
import { removeUsers } from './removeUsers.operation';
import { setUsers } from './setUsers.operation';
import { upsert } from './upsert.operation';

/** The operations by the name that workflows store. */
export const operations = {
	addUsers,
	bulkDelete,
	bulkImport,
	create,
	delete: remove,
	get,
	getAll,
	getUsers,
	removeUsers,
	setUsers,
	upsert,
};

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['customer'] } },
		options: [
			{
				name: 'Add Users',
				value: 'addUsers',
				action: 'Add users to customer',
				description: 'Attach users to a customer and keep those who are attached already',
				routing: addUsers.routing,
			},
			{
				name: 'Bulk Delete',
				value: 'bulkDelete',
				action: 'Delete many customers',
				description: 'Delete several customers with all their data for good',
				routing: bulkDelete.routing,
			},
			{
				name: 'Bulk Import',
				value: 'bulkImport',
				action: 'Import many customers',
				description:
					'Create or update customers from all input items, in a few requests. For one person, use Create or Update.',
				routing: bulkImport.routing,
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create customer',
				description: 'Create a customer. If it may exist, use Create or Update.',
				routing: create.routing,
			},
			{
				name: 'Create or Update',
				value: 'upsert',
				action: 'Create or update customer',
				description: 'Create a new customer, or update the current one if it already exists (upsert)',
				routing: upsert.routing,
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete customer',
				description: 'Delete a customer with all its data for good',
				routing: remove.routing,
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get customer',
				description: 'Get one customer, by ID or phone number',
				routing: get.routing,
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many customers',
				description: 'Get the customers of the tenant, many or those of one channel',
				routing: getAll.routing,
			},
			{
				name: 'Get Users',
				value: 'getUsers',
				action: 'Get users of customer',
				description: 'Get the users attached to a customer; admins are not listed',
				routing: getUsers.routing,
			},
			{
				name: 'Remove Users',
				value: 'removeUsers',
				action: 'Remove users from customer',
				description: 'Detach users from a customer and keep the others',
				routing: removeUsers.routing,
			},
			{
				name: 'Set Users',
				value: 'setUsers',
				action: 'Set users of customer',
				description:
					'Attach exactly the given users to a customer and detach all others. To keep them, use Add Users.',
				routing: setUsers.routing,
			},
		],
		default: 'getAll',
	},
	...shownFor('customer', operations),
];
