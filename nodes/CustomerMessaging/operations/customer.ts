import { importFields } from '../customers/importFields';
import { additionalFields, filters, options, pathField } from '../core/field';
import { channelFilter, howMany, pages } from '../fields/list';
import { customer } from '../fields/locators';
import { writeUsers } from '../sets/idSets';
import { deleted, setOf } from '../core/outputs';
import { batchOperation, operation } from '../core/declare';
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
import { resource } from './resource';

export const customerResource = resource(
	'customer',
	{ name: 'Customer', default: 'getAll', first: ['upsert', 'bulkImport'] },
	{
		addUsers: operation('POST /customers/{id}/users', {
			description: 'Attach users to a customer and keep those already attached',
			fields: [pathField('id', customer), usersOfCustomer],
			run: writeUsers.add,
			output: setOf('customer_id', 'users'),
		}),
		bulkDelete: batchOperation('POST /customers/bulk-delete', {
			action: 'Bulk delete customers',
			description: 'Permanently delete several customers with all their data',
			fields: [findCustomers, customerIds, confirmedCount],
			all: deleteCustomers,
		}),
		bulkImport: batchOperation('POST /customers/bulk-import', {
			action: 'Bulk import customers',
			description: 'Create or update customers from all items. For one person, use Create or Update.',
			fields: importFields,
			all: importCustomers,
		}),
		create: operation('POST /customers', {
			description: 'Create a customer. If they may exist, use Create or Update.',
			fields: [channel, displayId, name, options(returnIds)],
			run: createCustomer,
		}),
		upsert: operation('POST /customers/bulk-import', {
			name: 'Create or Update',
			description: 'Create a new customer, or update the current one if it already exists (upsert)',
			fields: [
				channel,
				displayId,
				name,
				additionalFields(...ofProfile, tags),
				options(emptyCells, returnIds, separator),
			],
			run: importCustomer,
		}),
		delete: operation('DELETE /customers/{id}', {
			description: 'Permanently delete a customer',
			fields: [pathField('id', customer)],
			output: deleted,
		}),
		get: operation('GET /customers/{id}', {
			description: 'Get one customer',
			fields: [pathField('id', customer)],
		}),
		getAll: operation('GET /customers', {
			description: 'Retrieve a list of customers',
			fields: [...howMany, filters(channelFilter)],
			...pages,
		}),
		getUsers: operation('GET /customers/{id}/users', {
			description: 'Get the users attached to a customer, without admins',
			fields: [pathField('id', customer), ...howMany],
			...pages,
		}),
		removeUsers: operation('POST /customers/{id}/users', {
			description: 'Detach users from a customer and keep the others',
			fields: [pathField('id', customer), usersOfCustomer],
			run: writeUsers.remove,
			output: setOf('customer_id', 'users'),
		}),
		setUsers: operation('POST /customers/{id}/users', {
			description:
				'Attach exactly the given users to a customer and detach all others. To keep them, use Add Users.',
			fields: [pathField('id', customer), usersOfCustomer, ifEmpty],
			run: writeUsers.replace,
			output: setOf('customer_id', 'users'),
		}),
	},
);
