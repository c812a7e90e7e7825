import { importFields } from '../customers/importFields';
import { additionalFields, filters, options } from '../core/field';
import { channelFilter, howMany, pages } from '../fields/list';
import { writeUsers } from '../sets/idSets';
import { wholeSet } from '../core/outputs';
import { batchOperation } from '../core/declare';
import { emptyCells, ifEmpty } from '../core/emptyValues';
import { separator, usersOfCustomer } from '../fields/sets';
import { confirmedCount, customerIds, deleteCustomers, findCustomers } from '../customers/bulkDelete';
import { importCustomers } from '../customers/bulkImport';
import {
	channel,
	createCustomer,
	displayId,
	importCustomer,
	name,
	ofProfile,
	returnIds,
	tags,
} from '../customers/writeCustomer';
import { operation, resource } from './resource';

export const customerResource = resource(
	'customer',
	{
		addUsers: operation(
			'POST /customers/{id}/users',
			'Attach users to a customer and keep those already attached',
			{ fields: [usersOfCustomer], run: writeUsers.add, output: wholeSet },
		),
		bulkDelete: batchOperation(
			'POST /customers/bulk-delete',
			'Permanently delete several customers with all their data',
			{
				action: 'Bulk delete customers',
				fields: [findCustomers, customerIds, confirmedCount],
				all: deleteCustomers,
			},
		),
		bulkImport: batchOperation(
			'POST /customers/bulk-import',
			'Create or update customers from all items. For one person, use Create or Update.',
			{ action: 'Bulk import customers', fields: importFields, all: importCustomers },
		),
		create: operation('POST /customers', 'Create a customer. If it may exist, use Create or Update.', {
			fields: [channel, displayId, name, options(returnIds)],
			run: createCustomer,
		}),
		upsert: operation(
			'POST /customers/bulk-import',
			'Create a new customer, or update the current one if it already exists (upsert)',
			{
				name: 'Create or Update',
				fields: [
					channel,
					displayId,
					name,
					additionalFields(...ofProfile, tags),
					options(emptyCells, returnIds, separator),
				],
				run: importCustomer,
			},
		),
		delete: operation('DELETE /customers/{id}', 'Permanently delete a customer'),
		get: operation('GET /customers/{id}', 'Get one customer'),
		getAll: operation('GET /customers', 'Retrieve a list of customers', {
			...pages,
			fields: [...howMany, filters(channelFilter)],
		}),
		getUsers: operation(
			'GET /customers/{id}/users',
			'Get the users attached to a customer, without admins',
			pages,
		),
		removeUsers: operation('POST /customers/{id}/users', 'Detach users from a customer and keep the others', {
			fields: [usersOfCustomer],
			run: writeUsers.remove,
			output: wholeSet,
		}),
		setUsers: operation(
			'POST /customers/{id}/users',
			'Attach exactly the given users to a customer and detach all others. To keep them, use Add Users.',
			{ fields: [usersOfCustomer, ifEmpty], run: writeUsers.replace, output: wholeSet },
		),
	},
	{ first: ['upsert', 'bulkImport'] },
);
