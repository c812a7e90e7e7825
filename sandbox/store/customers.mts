import type { Clock } from '../clock.mts';
import type { Database, SqlValue } from './database.mts';
import type { ProfileFields } from './profiles.mts';
import { LIST_ALL, type Slice, type Window } from './slice.mts';
import type { User } from './users.mts';

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

const COLUMNS = 'id, channel, display_id, name, created_at, updated_at';

/** What a profile may start with beside what it takes over from its customer. */
const FIRST_FIELDS = [
	'email',
	'date_of_birth',
	'address',
	'custom_1',
	'custom_2',
	'custom_3',
	'custom_4',
	'custom_5',
] as const;

// Written out, because imports run them by the ten thousand: a statement that is put together for each row takes as
// long as its run.
const INSERT_CUSTOMER =
	'INSERT INTO customers (channel, display_id, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)';
const INSERT_PROFILE = `INSERT INTO profiles
	(customer_id, channel, name, phone_number, created_at, updated_at, ${FIRST_FIELDS.join(', ')})
	VALUES (?, ?, ?, ?, ?, ?${', ?'.repeat(FIRST_FIELDS.length)})`;

/** Customers with the users attached to them and the log of deletions. A customer and its profile exist only together. */
export class CustomerStore {
	constructor(
		private readonly database: Database,
		private readonly clock: Clock,
	) {}

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
	list(user: User, channel: string | undefined, window: Window = LIST_ALL): Slice<Customer> {
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
		return {
			records: this.database.all<Customer>(
				`SELECT ${COLUMNS} FROM customers ${where} ORDER BY id LIMIT ? OFFSET ?`,
				...values,
				window.limit,
				window.offset,
			),
			total:
				this.database.get<{ total: number }>(`SELECT count(*) AS total FROM customers ${where}`, ...values)
					?.total ?? 0,
		};
	}

	/**
	 * Creates a customer and its profile, which takes over the name, and the display id as phone number.
	 *
	 * @param fields what else the profile starts with
	 */
	create(
		channel: string,
		displayId: string,
		name: string,
		fields: Omit<ProfileFields, 'name'> = {},
	): Customer {
		const now = this.clock.iso();
		return this.database.transaction(() => {
			const { id } = this.database.run(INSERT_CUSTOMER, channel, displayId, name, now, now);
			const given = FIRST_FIELDS.map((field) => fields[field] ?? null);
			this.database.run(INSERT_PROFILE, id, channel, name, displayId, now, now, ...given);
			return { id, channel, display_id: displayId, name, created_at: now, updated_at: now };
		});
	}

	/** The name of customer and profile are one. */
	rename(id: number, name: string): void {
		const now = this.clock.iso();
		this.database.run('UPDATE customers SET name = ?, updated_at = ? WHERE id = ?', name, now, id);
		this.database.run('UPDATE profiles SET name = ?, updated_at = ? WHERE customer_id = ?', name, now, id);
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
