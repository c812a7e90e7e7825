import { channel, emailAddress, name, phoneNumber } from '../customerImport/customerColumns';
import { importFields } from '../customerImport/importFields';
import { additionalFields, filters, options } from '../fields/collections';
import { channelFilter, howMany, readPages } from '../fields/list';
import { customer } from '../fields/locators';
import { profileFields } from '../fields/profileFields';
import { findCustomers, usersOfCustomer, writeUsers } from '../fields/sets';
import { deleted, list, record, setOf } from '../outputs/outputs';
import { batchOperation, operation } from '../runner/declare';
import { emptyCells } from '../runner/emptyCells';
import { ifEmpty } from '../runner/emptySet';
import { pathField, within } from '../runner/field';
import { confirmedCount, customerIds, deleteCustomers } from './customer/bulkDelete';
import { importCustomers } from './customer/bulkImport';
import { createCustomer, importCustomer, returnIds, tags } from './customer/writeCustomer';
import { separator } from '../tags/tagSet';
import { resource } from './resource';

const [address, custom1, custom2, custom3, custom4, custom5, dateOfBirth, email, marketingOptIn] =
	profileFields;

export const customerResource = resource(
	'customer',
	{ name: 'Customer', default: 'getAll', first: ['upsert', 'bulkImport'] },
	{
		addUsers: operation('POST /customers/{id}/users', {
			name: 'Add Users',
			action: 'Add users to customer',
			description: 'Attach users to a customer and keep those who are attached already',
			fields: [pathField('id', customer), usersOfCustomer],
			flow: writeUsers.add,
			output: setOf('customer_id', 'users'),
		}),
		bulkDelete: batchOperation('POST /customers/bulk-delete', {
			name: 'Bulk Delete',
			action: 'Bulk delete customers',
			description: 'Delete several customers with all their data for good',
			fields: [findCustomers, customerIds, confirmedCount],
			all: deleteCustomers,
		}),
		bulkImport: batchOperation('POST /customers/bulk-import', {
			name: 'Bulk Import',
			action: 'Bulk import customers',
			description:
				'Create or update customers from all input items, in a few requests. For one person, use Create or Update.',
			fields: importFields,
			all: importCustomers,
		}),
		create: operation('POST /customers', {
			name: 'Create',
			action: 'Create customer',
			description: 'Create a customer. If it may exist, use Create or Update.',
			fields: [channel, phoneNumber, name, options(returnIds)],
			flow: createCustomer,
			output: record,
		}),
		upsert: operation('POST /customers/bulk-import', {
			name: 'Create or Update',
			action: 'Create or update customer',
			description: 'Create a new customer, or update the current one if it already exists (upsert)',
			fields: [
				channel,
				phoneNumber,
				name,
				additionalFields(
					within('profile', address),
					within('profile', custom1),
					within('profile', custom2),
					within('profile', custom3),
					within('profile', custom4),
					within('profile', custom5),
					within('profile', dateOfBirth),
					within('profile', { ...email, convert: emailAddress }),
					within('profile', marketingOptIn),
					tags,
				),
				options(emptyCells, returnIds, separator),
			],
			flow: importCustomer,
			output: record,
		}),
		delete: operation('DELETE /customers/{id}', {
			name: 'Delete',
			action: 'Delete customer',
			description: 'Delete a customer with all its data for good',
			fields: [pathField('id', customer)],
			output: deleted,
		}),
		get: operation('GET /customers/{id}', {
			name: 'Get',
			action: 'Get customer',
			description: 'Get one customer, by ID or phone number',
			fields: [pathField('id', customer)],
			output: record,
		}),
		getAll: operation('GET /customers', {
			name: 'Get Many',
			action: 'Get many customers',
			description: 'Retrieve a list of customers, all or those of one channel',
			fields: [...howMany, filters(channelFilter)],
			flow: readPages,
			output: list,
		}),
		getUsers: operation('GET /customers/{id}/users', {
			name: 'Get Users',
			action: 'Get users of customer',
			description: 'Get the users attached to a customer; admins are not listed',
			fields: [pathField('id', customer), ...howMany],
			flow: readPages,
			output: list,
		}),
		removeUsers: operation('POST /customers/{id}/users', {
			name: 'Remove Users',
			action: 'Remove users from customer',
			description: 'Detach users from a customer and keep the others',
			fields: [pathField('id', customer), usersOfCustomer],
			flow: writeUsers.remove,
			output: setOf('customer_id', 'users'),
		}),
		setUsers: operation('POST /customers/{id}/users', {
			name: 'Set Users',
			action: 'Set users of customer',
			description:
				'Attach exactly the given users to a customer and detach all others. To keep them, use Add Users.',
			fields: [pathField('id', customer), usersOfCustomer, ifEmpty],
			flow: writeUsers.replace,
			output: setOf('customer_id', 'users'),
		}),
	},
);
