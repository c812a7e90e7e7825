import { DISPLAY_ID } from '../choices.mts';
import { existing, invalid } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import { Links, type Slice, slice, Table, type Window } from '../store/table.mts';
import { importCustomers } from './bulkImport.mts';
import { type Call, DELETED, type OperationId, type Operations } from './operation.mts';
import { newProfile, type ProfileFields } from './profile.mts';
import type { User } from './user.mts';

export interface Customer {
	id: number;
	channel: string;
	display_id: string;
	name: string;
	created_at: string;
	updated_at: string;
}

export const tables = {
	customers: () => new Table<Customer>({ firstId: 101, isCounted: true, by: ['display_id'] }),
	/** Users of customers. */
	customer_users: () => new Links(),
};

/** Customers with the users attached to them. A customer and its profile exist only together. */
export class Records extends RecordStore {
	find(id: number): Customer | undefined {
		return this.tables.customers.find(id);
	}

	byDisplayId(channel: string, displayId: string): Customer | undefined {
		return this.tables.customers.by('display_id', displayId).find((customer) => customer.channel === channel);
	}

	/** Customers that `user` may see, by id. */
	list(user: User, channel: string | undefined, window?: Window): Slice<Customer> {
		const all = this.tables.customers.all();
		if (user.is_admin && channel === undefined) return slice(all, window);
		const found = all.filter(
			(one) =>
				(channel ?? one.channel) === one.channel && (user.is_admin || this.isAttached(user.id, one.id)),
		);
		return slice(found, window);
	}

	/** Creates a customer and its profile, which takes over the name, and the display id as phone number. */
	create(channel: string, display_id: string, name: string, fields: ProfileFields = {}): Customer {
		const customer = this.tables.customers.insert({ channel, display_id, name, ...this.born });
		const profile = this.tables.profiles.insert(newProfile(customer));
		this.tables.profiles.update(profile.id, fields);
		return customer;
	}

	/** Renames a customer with its profile, whose name is the same, and writes further fields of the profile. */
	rename(id: number, name: string, fields: ProfileFields = {}): void {
		this.tables.customers.update(id, { name, ...this.touched });
		for (const profile of this.tables.profiles.by('customer_id', id)) {
			this.tables.profiles.update(profile.id, { ...fields, name, ...this.touched });
		}
	}

	/** Removes a customer with everything that belongs to it. */
	delete({ id }: Customer): void {
		const { tables } = this;
		const [profile] = tables.profiles.by('customer_id', id);
		for (const activity of tables.activities.by('profile_id', profile.id))
			tables.activities.delete(activity.id);
		for (const conversation of tables.conversations.by('customer_id', id)) {
			const of = conversation.id;
			for (const message of tables.messages.by('conversation_id', of)) tables.messages.delete(message.id);
			for (const delivery of tables.deliveries.by('conversation_id', of))
				tables.deliveries.delete(delivery.id);
			tables.conversations.delete(of);
		}
		for (const links of [tables.profile_tags, tables.profile_groups]) links.forgetOwner(profile.id);
		tables.customer_users.forgetOwner(id);
		tables.profiles.delete(profile.id);
		tables.customers.delete(id);
	}

	isAttached(userId: number, customerId: number): boolean {
		return this.tables.customer_users.has(customerId, userId);
	}

	attach(userId: number, customerId: number): void {
		this.tables.customer_users.add(customerId, userId);
	}

	/** Attaches exactly these users. */
	syncUsers(customerId: number, userIds: number[]): void {
		this.tables.customer_users.sync(customerId, userIds);
	}

	/** Ids of the attached users without the admins, who reach every customer anyway. */
	attachedUserIds(customerId: number): number[] {
		const attached = this.tables.customer_users.of(customerId);
		return attached.filter((id) => this.tables.users.find(id)?.is_admin === false);
	}
}

/** The users attached to a customer; admins are not listed. */
const attachedUsers = ({ store }: Call<OperationId>, customer: Customer): User[] =>
	store.customers
		.attachedUserIds(customer.id)
		.map((id) => store.users.find(id))
		.filter((user) => user !== undefined);

export const operations = {
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
		const customer = store.customers.create(body.channel, body.display_id, body.name);
		if (!user.is_admin) store.customers.attach(user.id, customer.id);
		tenant.events.emit('customer');
		return customer;
	},

	getCustomer: (call) => ({ data: call.customer(call.params.id) }),

	deleteCustomer(call) {
		const customer = call.customer(call.params.id);
		call.store.customers.delete(customer);
		call.tenant.events.emit('customer');
		return DELETED;
	},

	listCustomerUsers: (call) => ({ data: attachedUsers(call, call.customer(call.params.id)) }),

	syncCustomerUsers(call) {
		const customer = call.customer(call.params.id);
		const missing = call.body.user_ids.filter((id) => !call.store.users.find(id));
		if (missing.length > 0) throw invalid({ user_ids: [`There is no user ${missing.join(', ')}.`] });
		call.store.customers.syncUsers(customer.id, call.body.user_ids);
		call.tenant.events.emit('customer');
		return { data: attachedUsers(call, customer) };
	},

	bulkImportCustomers(call) {
		const counts = importCustomers(call.store, call.user, call.body);
		call.tenant.events.emit('reset');
		return { data: counts };
	},

	bulkDeleteCustomers(call) {
		const { store, body } = call;
		const customers = [...new Set(body.ids)].map((id) => {
			if (!store.customers.find(id)) throw invalid({ ids: [`There is no customer ${id}.`] });
			return call.customer(id);
		});
		for (const customer of customers) store.customers.delete(customer);
		call.tenant.events.emit('reset');
		return DELETED;
	},
} satisfies Operations;

const PEOPLE = [
	{
		name: 'Mira Example',
		number: '491700000001',
		email: 'mira@mail.example',
		city: 'Lindenweg 3, Musterstadt',
	},
	{ name: 'Jonas Sample', number: '491700000002', email: 'jonas@mail.example', city: null },
	{ name: 'Test Tester', number: '447700900003', email: null, city: null },
];

/** All people are invented. The first one has everything that a profile can have. */
export function demo({ users, customers, profiles, tags, groups }: Store): void {
	const [mira, jonas] = PEOPLE.map(({ name, number, email, city }) => {
		const customer = customers.create('chatapp', number, name, { email, address: city });
		const profile = existing(profiles.ofCustomer(customer.id), 'Profile');
		profiles.addActivity(profile.id, 'first_contact');
		return { customer, profile };
	});
	const [, agent] = users.list().records;
	const tagged = (title: string) => ({ id: tags.byTitle(title)?.id });
	customers.attach(agent.id, mira.customer.id);
	profiles.update(mira.profile.id, { date_of_birth: '1990-04-12', custom_1: 'Prefers mornings' });
	profiles.setConsent(mira.profile.id, true);
	tags.sync('profile', mira.profile.id, [tagged('VIP'), tagged('Newsletter')]);
	tags.sync('profile', jonas.profile.id, [tagged('Returns')]);
	groups.attach(mira.profile.id, groups.list()[0].id);
}
