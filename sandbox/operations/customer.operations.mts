import { DISPLAY_ID } from '../choices.mts';
import { invalid } from '../refusal.mts';
import type { Customer } from '../store/customers.mts';
import type { User } from '../store/users.mts';
import { importCustomers } from './bulkImport.mts';
import { type Call, DELETED, type OperationId, type Operations } from './operation.mts';

/** The users attached to a customer; admins are not listed. */
const attachedUsers = ({ store }: Call<OperationId>, customer: Customer): User[] =>
	store.customers
		.attachedUserIds(customer.id)
		.map((id) => store.users.find(id))
		.filter((user) => user !== undefined);

export const customerOperations: Operations<
	| 'listCustomers'
	| 'createCustomer'
	| 'getCustomer'
	| 'deleteCustomer'
	| 'listCustomerUsers'
	| 'syncCustomerUsers'
	| 'bulkImportCustomers'
	| 'bulkDeleteCustomers'
> = {
	listCustomers: (call) =>
		call.page((window) => call.store.customers.list(call.user, call.query.channel, window)),

	createCustomer({ store, tenant, user, body }) {
		if (body.name.trim() === '') throw invalid({ name: ['The name may not be empty.'] });
		if (!DISPLAY_ID.test(body.display_id)) {
			throw invalid({
				display_id: [
					'The display id must be a phone number in international format: digits only, without +.',
				],
			});
		}
		if (store.customers.byDisplayId(body.channel, body.display_id)) {
			throw invalid({ display_id: ['The display id has already been taken.'] });
		}
		const customer = store.database.transaction(() => {
			const created = store.customers.create(body.channel, body.display_id, body.name);
			if (!user.is_admin) store.customers.attach(user.id, created.id);
			return created;
		});
		tenant.events.emit('customer', customer.id);
		return customer;
	},

	getCustomer: (call) => ({ data: call.customer(call.params.id) }),

	deleteCustomer(call) {
		const customer = call.customer(call.params.id);
		call.store.customers.delete(customer, call.user.id);
		call.tenant.events.emit('customer', customer.id);
		return DELETED;
	},

	listCustomerUsers: (call) => ({ data: attachedUsers(call, call.customer(call.params.id)) }),

	syncCustomerUsers(call) {
		const customer = call.customer(call.params.id);
		const missing = call.body.user_ids.filter((id) => !call.store.users.find(id));
		if (missing.length > 0) throw invalid({ user_ids: [`There is no user ${missing.join(', ')}.`] });
		call.store.customers.syncUsers(customer.id, call.body.user_ids);
		call.tenant.events.emit('customer', customer.id);
		return { data: attachedUsers(call, customer) };
	},

	bulkImportCustomers(call) {
		const counts = importCustomers(call.store, call.user, call.body);
		call.tenant.events.emit('reset');
		return { data: counts };
	},

	bulkDeleteCustomers(call) {
		const { store, user, body } = call;
		const customers = [...new Set(body.ids)].map((id) => {
			if (!store.customers.find(id)) throw invalid({ ids: [`There is no customer ${id}.`] });
			return call.customer(id);
		});
		store.database.transaction(() => {
			for (const customer of customers) store.customers.delete(customer, user.id);
		});
		call.tenant.events.emit('reset');
		return DELETED;
	},
};
