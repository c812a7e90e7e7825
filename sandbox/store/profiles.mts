import type { Clock } from '../clock.mts';
import { SEARCHED_PROFILE_FIELDS } from '../choices.mts';
import type { Database, SqlValue } from './database.mts';
import { LIST_ALL, type Slice, type Window } from './slice.mts';
import type { User } from './users.mts';

export interface Profile {
	id: number;
	customer_id: number;
	channel: string;
	name: string;
	phone_number: string;
	email: string | null;
	date_of_birth: string | null;
	address: string | null;
	custom_1: string | null;
	custom_2: string | null;
	custom_3: string | null;
	custom_4: string | null;
	custom_5: string | null;
	marketing_opt_in: number | null;
	created_at: string;
	updated_at: string;
}

/** Fields of a profile to write; those left out stay. */
export type ProfileFields = Partial<
	Pick<
		Profile,
		| 'name'
		| 'email'
		| 'date_of_birth'
		| 'address'
		| 'custom_1'
		| 'custom_2'
		| 'custom_3'
		| 'custom_4'
		| 'custom_5'
	>
>;

export interface Activity {
	id: number;
	profile_id: number;
	type: string;
	created_at: string;
}

export interface Consent {
	id: number;
	is_opted_in: boolean;
	latest_opt_in_at: string | null;
	latest_opt_out_at: string | null;
}

export interface ProfileQuery {
	search?: string;
	channel?: string;
	/** Column and direction pairs; the caller has checked the columns. */
	orderBy?: Array<[column: string, direction: 'asc' | 'desc']>;
}

/** Profiles with their activities and their marketing consent, which follows from the activities. */
export class ProfileStore {
	constructor(
		private readonly database: Database,
		private readonly clock: Clock,
	) {}

	/** The profile with this id, if `user` may see its customer. */
	find(id: number, user: User): Profile | undefined {
		return user.is_admin
			? this.database.get<Profile>('SELECT * FROM profiles WHERE id = ?', id)
			: this.database.get<Profile>(
					`SELECT * FROM profiles WHERE id = ?
					AND customer_id IN (SELECT customer_id FROM customer_users WHERE user_id = ?)`,
					id,
					user.id,
				);
	}

	ofCustomer(customerId: number): Profile | undefined {
		return this.database.get<Profile>('SELECT * FROM profiles WHERE customer_id = ?', customerId);
	}

	/** Profiles that `user` may see, searched, filtered and sorted. */
	list(
		user: User,
		{ search, channel, orderBy = [] }: ProfileQuery,
		window: Window = LIST_ALL,
	): Slice<Profile> {
		const conditions: string[] = [];
		const values: SqlValue[] = [];
		if (channel !== undefined) {
			conditions.push('channel = ?');
			values.push(channel);
		}
		if (search !== undefined && search !== '') {
			conditions.push(
				`(${SEARCHED_PROFILE_FIELDS.map((field) => `${field} LIKE ? ESCAPE '\\'`).join(' OR ')})`,
			);
			const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
			values.push(...SEARCHED_PROFILE_FIELDS.map(() => part));
		}
		if (!user.is_admin) {
			conditions.push('customer_id IN (SELECT customer_id FROM customer_users WHERE user_id = ?)');
			values.push(user.id);
		}
		const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
		const order = [
			...orderBy.map(
				([column, direction]) => `${column}${column === 'name' ? ' COLLATE NOCASE' : ''} ${direction}`,
			),
			'id',
		].join(', ');
		const records = this.database.all<Profile>(
			`SELECT * FROM profiles ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
			...values,
			window.limit,
			window.offset,
		);
		// A search reads every profile: it is not counted again when all that it found is on the first page.
		const isAll = window.offset === 0 && records.length < window.limit;
		const count = () =>
			this.database.get<{ total: number }>(`SELECT count(*) AS total FROM profiles ${where}`, ...values)
				?.total ?? 0;
		return { records, total: isAll ? records.length : count() };
	}

	/** Profiles in a group that `user` may see. */
	inGroup(groupId: number, user: User): Profile[] {
		const attached = user.is_admin
			? ''
			: 'AND customer_id IN (SELECT customer_id FROM customer_users WHERE user_id = ?)';
		return this.database.all<Profile>(
			`SELECT profiles.* FROM profile_groups JOIN profiles ON profiles.id = profile_id
			WHERE group_id = ? ${attached} ORDER BY profiles.id`,
			groupId,
			...(user.is_admin ? [] : [user.id]),
		);
	}

	update(id: number, fields: ProfileFields): void {
		this.database.update('profiles', id, { ...fields, updated_at: this.clock.iso() });
	}

	updateOfCustomer(customerId: number, fields: ProfileFields): void {
		const id = this.ofCustomer(customerId)?.id;
		if (id !== undefined) this.update(id, fields);
	}

	/** Where the profile stands: its latest opt-in has no opt-out after it. */
	consent(id: number): Consent {
		const latest = this.database.all<Activity>(
			`SELECT * FROM activities WHERE id IN (
				SELECT max(id) FROM activities
				WHERE profile_id = ? AND type IN ('marketing_opt_in', 'marketing_opt_out') GROUP BY type
			) ORDER BY id`,
			id,
		);
		return {
			id,
			is_opted_in: latest.at(-1)?.type === 'marketing_opt_in',
			latest_opt_in_at: latest.find(({ type }) => type === 'marketing_opt_in')?.created_at ?? null,
			latest_opt_out_at: latest.find(({ type }) => type === 'marketing_opt_out')?.created_at ?? null,
		};
	}

	/** Opts in or out. Only a change adds an activity; repeating the present state does nothing. */
	setConsent(id: number, optIn: boolean): void {
		this.database.transaction(() => {
			if (this.consent(id).is_opted_in === optIn) return;
			this.addActivity(id, optIn ? 'marketing_opt_in' : 'marketing_opt_out');
			this.database.update('profiles', id, { marketing_opt_in: optIn ? 1 : 0, updated_at: this.clock.iso() });
		});
	}

	addActivity(profileId: number, type: string): void {
		this.database.insert('activities', { profile_id: profileId, type, created_at: this.clock.iso() });
	}

	/** Activities of a profile, the newest first. */
	activities(profileId: number, window: Window = LIST_ALL): Slice<Activity> {
		return {
			records: this.database.all<Activity>(
				'SELECT * FROM activities WHERE profile_id = ? ORDER BY id DESC LIMIT ? OFFSET ?',
				profileId,
				window.limit,
				window.offset,
			),
			total:
				this.database.get<{ total: number }>(
					'SELECT count(*) AS total FROM activities WHERE profile_id = ?',
					profileId,
				)?.total ?? 0,
		};
	}

	activity(profileId: number, id: number): Activity | undefined {
		return this.database.get<Activity>(
			'SELECT * FROM activities WHERE profile_id = ? AND id = ?',
			profileId,
			id,
		);
	}
}
