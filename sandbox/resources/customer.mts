import { DISPLAY_ID } from '../choices.mts';
import { existing, invalid } from '../refusal.mts';
import type { SqlValue } from '../store/database.mts';
import { RecordStore } from '../store/records.mts';
import type { Slice, Window } from '../store/slice.mts';
import type { Store } from '../store/store.mts';
import type { Tables } from '../store/tables.mts';
import { importCustomers } from './bulkImport.mts';
import { type Call, DELETED, type OperationId, type Operations } from './operation.mts';
import { PROFILE_TEXTS, type ProfileFields } from './profile.mts';
import type { User } from './user.mts';

export interface Customer {
	id: number;
	channel: string;
	display_id: string;
	name: string;
	created_at: string;
	updated_at: string;
}

/** What remains of a deleted customer. */
export interface Deletion {
	id: number;
	customer_id: number;
	profile_id: number | null;
	channel: string;
	display_id: string;
	deleted_by: number | null;
	deleted_at: string;
}

export const tables = {
	customers: {
		firstId: 101,
		isCounted: true,
		columns: `
			channel TEXT NOT NULL,
			display_id TEXT NOT NULL,
			name TEXT NOT NULL,
			created_at TEXT NOT NULL,
			updated_at TEXT NOT NULL,
			UNIQUE (channel, display_id)`,
	},
	customer_users: {
		columns: `
			user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
			customer_id INTEGER NOT NULL REFERENCES customers ON DELETE CASCADE,
			PRIMARY KEY (user_id, customer_id)`,
		indexes: ['(customer_id)'],
	},
	deletion_log: {
		firstId: 1,
		columns: `
			customer_id INTEGER NOT NULL,
			profile_id INTEGER,
			channel TEXT NOT NULL,
			display_id TEXT NOT NULL,
			deleted_by INTEGER,
			deleted_at TEXT NOT NULL`,
	},
} satisfies Tables;

const COLUMNS = 'id, channel, display_id, name, created_at, updated_at';

/** What a profile may start with beside what it takes over from its customer. */
const FIRST_FIELDS = ['email', 'date_of_birth', ...PROFILE_TEXTS] as const;

/** A customer to create; its profile takes over the name, and the display id as phone number. */
export interface NewCustomer extends Pick<Customer, 'channel' | 'display_id' | 'name'> {
	/** What else the profile starts with. */
	profile?: Omit<ProfileFields, 'name'>;
}

// One statement for all rows, which are lists: running one for each row, or looking up its members, takes an import longer.
const INSERT_CUSTOMERS = `INSERT INTO customers (id, channel, display_id, name, created_at, updated_at)
	SELECT ? + key, value ->> 0, value ->> 1, value ->> 2, ?, ? FROM json_each(?)`;
const INSERT_PROFILES = `INSERT INTO profiles
	(customer_id, channel, name, phone_number, created_at, updated_at, ${FIRST_FIELDS.join(', ')})
	SELECT customers.id, channel, name, display_id, created_at, updated_at, ${FIRST_FIELDS.map((_, place) => `value ->> ${place}`).join(', ')}
	FROM json_each(?) CROSS JOIN customers ON customers.id = ? + key`;

/** Customers with the users attached to them and the log of deletions. A customer and its profile exist only together. */
export class Records extends RecordStore {
	find(id: number): Customer | undefined {
		return this.database.get<Customer>(`SELECT ${COLUMNS} FROM customers WHERE id = ?`, id);
	}

	byDisplayId(channel: string, displayId: string): Customer | undefined {
		return this.database.get<Customer>(
			`SELECT ${COLUMNS} FROM customers WHERE channel = ? AND display_id = ?`,
			channel,
			displayId,
		);
	}

	/** Customers that `user` may see, by id. */
	list(user: User, channel: string | undefined, window?: Window): Slice<Customer> {
		const conditions: string[] = [];
		const values: SqlValue[] = [];
		if (channel !== undefined) {
			conditions.push('channel = ?');
			values.push(channel);
		}
		if (!user.is_admin) {
			conditions.push('id IN (SELECT customer_id FROM customer_users WHERE user_id = ?)');
			values.push(user.id);
		}
		const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
		return this.database.slice<Customer>(
			{ columns: COLUMNS, from: `customers ${where}`, order: 'id' },
			values,
			window,
		);
	}

	/** Those of these display ids that there are. */
	byDisplayIds(channel: string, displayIds: string[]): Array<Pick<Customer, 'id' | 'display_id'>> {
		return this.database.all(
			`SELECT id, display_id FROM customers
			WHERE channel = ? AND display_id IN (SELECT value FROM json_each(?))`,
			channel,
			JSON.stringify(displayIds),
		);
	}

	/**
	 * Creates customers and their profiles.
	 * @returns the id of the first one; the others follow in their order
	 */
	createAll(customers: NewCustomer[]): number {
		const now = this.clock.iso();
		const rows = customers.map(({ channel, display_id, name }) => [channel, display_id, name]);
		const profiles = customers.map(({ profile = {} }) => FIRST_FIELDS.map((field) => profile[field]));
		return this.database.transaction(() => {
			const last = this.database.get<{ seq: number }>(
				"SELECT seq FROM sqlite_sequence WHERE name = 'customers'",
			);
			const first = existing(last, 'Sequence of customers').seq + 1;
			this.database.run(INSERT_CUSTOMERS, first, now, now, JSON.stringify(rows));
			this.database.run(INSERT_PROFILES, JSON.stringify(profiles), first);
			return first;
		});
	}

	/** Creates one customer and its profile. */
	create(channel: string, displayId: string, name: string, profile: NewCustomer['profile'] = {}): Customer {
		const id = this.createAll([{ channel, display_id: displayId, name, profile }]);
		return existing(this.find(id), 'Customer');
	}

	/** Renames a customer with its profile, whose name is the same, and writes further fields of the profile. */
	rename(id: number, name: string, profile: ProfileFields = {}): void {
		const named = { name, updated_at: this.clock.iso() };
		this.database.update('customers', id, named);
		this.database.update('profiles', id, { ...profile, ...named }, 'customer_id');
	}

	/** Removes a customer with everything that belongs to it, and notes that in the deletion log. */
	delete(customer: Customer, deletedBy: number): void {
		this.database.transaction(() => {
			const profile = this.database.get<{ id: number }>(
				'SELECT id FROM profiles WHERE customer_id = ?',
				customer.id,
			);
			this.database.run(
				'DELETE FROM deliveries WHERE conversation_id = (SELECT id FROM conversations WHERE customer_id = ?)',
				customer.id,
			);
			this.database.run('DELETE FROM customers WHERE id = ?', customer.id);
			this.database.insert('deletion_log', {
				customer_id: customer.id,
				profile_id: profile?.id ?? null,
				channel: customer.channel,
				display_id: customer.display_id,
				deleted_by: deletedBy,
				deleted_at: this.clock.iso(),
			});
		});
	}

	deletions(): Deletion[] {
		return this.database.all<Deletion>('SELECT * FROM deletion_log ORDER BY id');
	}

	isAttached(userId: number, customerId: number): boolean {
		return (
			this.database.get(
				'SELECT 1 FROM customer_users WHERE user_id = ? AND customer_id = ?',
				userId,
				customerId,
			) !== undefined
		);
	}

	attach(userId: number, customerId: number): void {
		this.database.run(
			'INSERT OR IGNORE INTO customer_users (user_id, customer_id) VALUES (?, ?)',
			userId,
			customerId,
		);
	}

	/** Attaches exactly these users. */
	syncUsers(customerId: number, userIds: number[]): void {
		this.database.transaction(() => {
			this.database.run('DELETE FROM customer_users WHERE customer_id = ?', customerId);
			for (const userId of userIds) this.attach(userId, customerId);
		});
	}

	/** Ids of the attached users without the admins, who reach every customer anyway. */
	attachedUserIds(customerId: number): number[] {
		return this.database
			.all<{ id: number }>(
				`SELECT users.id FROM customer_users JOIN users ON users.id = user_id
				WHERE customer_id = ? AND is_admin = 0 ORDER BY users.id`,
				customerId,
			)
			.map(({ id }) => id);
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
