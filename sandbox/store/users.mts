import type { Clock } from '../clock.mts';
import { PIN_FAILURES_ALLOWED, PIN_LOCKOUT_SECONDS } from '../choices.mts';
import type { Database } from './database.mts';
import { LIST_ALL, type Slice, type Window } from './slice.mts';

/** A user as the interface answers it: the PIN is never part of it. */
export interface User {
	id: number;
	name: string;
	email: string;
	is_admin: boolean;
	external_id: string | null;
	external_group: string | null;
	created_at: string;
	updated_at: string;
}

/** Who is behind a token. */
export interface Bearer {
	user: User;
	personal: boolean;
}

/** Fields of a user to write; those left out stay. */
export interface UserFields {
	name?: string;
	email?: string;
	is_admin?: boolean;
	external_id?: string | null;
	external_group?: string | null;
	/** Six digits. */
	pin?: string | null;
}

type UserRow = Omit<User, 'is_admin'> & { is_admin: number };

const COLUMNS = 'id, name, email, is_admin, external_id, external_group, created_at, updated_at';

const toUser = (row: UserRow): User => ({ ...row, is_admin: row.is_admin === 1 });

/** Users, their access tokens and PINs. */
export class UserStore {
	constructor(
		private readonly database: Database,
		private readonly clock: Clock,
	) {}

	/** The user behind an access token, or undefined for an unknown token. */
	byToken(token: string): Bearer | undefined {
		const row = this.database.get<UserRow & { personal: number }>(
			`SELECT ${COLUMNS}, personal FROM tokens JOIN users ON users.id = user_id WHERE token = ?`,
			token,
		);
		if (!row) return undefined;
		const { personal, ...user } = row;
		return { user: toUser(user), personal: personal === 1 };
	}

	addToken(token: string, userId: number, personal: boolean): void {
		this.database.insert('tokens', { token, user_id: userId, personal: personal ? 1 : 0 });
	}

	find(id: number): User | undefined {
		const row = this.database.get<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = ?`, id);
		return row && toUser(row);
	}

	list(window: Window = LIST_ALL): Slice<User> {
		return {
			records: this.database
				.all<UserRow>(
					`SELECT ${COLUMNS} FROM users ORDER BY id LIMIT ? OFFSET ?`,
					window.limit,
					window.offset,
				)
				.map(toUser),
			total: this.database.get<{ total: number }>('SELECT count(*) AS total FROM users')?.total ?? 0,
		};
	}

	/** Whether somebody else than `exceptId` has this email; upper and lower case are the same. */
	emailTaken(email: string, exceptId = 0): boolean {
		return (
			this.database.get('SELECT 1 FROM users WHERE email = ? AND id <> ?', email, exceptId) !== undefined
		);
	}

	create(fields: UserFields & { name: string; email: string }): User {
		const now = this.clock.iso();
		const id = this.database.insert('users', {
			...this.columns(fields),
			is_admin: fields.is_admin ? 1 : 0,
			created_at: now,
			updated_at: now,
		});
		return this.existing(id);
	}

	/** Changes a user; `is_admin` is settable on create only. */
	update(id: number, fields: Omit<UserFields, 'is_admin'>): User {
		this.database.update('users', id, { ...this.columns(fields), updated_at: this.clock.iso() });
		return this.existing(id);
	}

	isLastAdmin(user: User): boolean {
		if (!user.is_admin) return false;
		const row = this.database.get<{ admins: number }>(
			'SELECT count(*) AS admins FROM users WHERE is_admin = 1',
		);
		return row?.admins === 1;
	}

	delete(id: number): void {
		this.database.run('DELETE FROM users WHERE id = ?', id);
	}

	/**
	 * Compares a PIN. After too many wrong ones in a row every attempt is refused for a while.
	 * @returns `valid`, or `retryAfter` in seconds while locked.
	 */
	verifyPin(id: number, pin: string): { valid: boolean } | { retryAfter: number } {
		const now = this.clock.now();
		const attempts = this.database.get<{ failures: number; locked_until: number }>(
			'SELECT failures, locked_until FROM pin_attempts WHERE user_id = ?',
			id,
		);
		if (attempts && attempts.locked_until > now) {
			return { retryAfter: Math.ceil((attempts.locked_until - now) / 1000) };
		}
		const stored = this.database.get<{ pin: string | null }>('SELECT pin FROM users WHERE id = ?', id)?.pin;
		if (stored !== null && stored === pin) {
			this.database.run('DELETE FROM pin_attempts WHERE user_id = ?', id);
			return { valid: true };
		}
		const before = attempts && attempts.locked_until === 0 ? attempts.failures : 0;
		const failures = before + 1;
		const lockedUntil = failures >= PIN_FAILURES_ALLOWED ? now + PIN_LOCKOUT_SECONDS * 1000 : 0;
		this.database.run(
			'INSERT OR REPLACE INTO pin_attempts (user_id, failures, locked_until) VALUES (?, ?, ?)',
			id,
			failures,
			lockedUntil,
		);
		return { valid: false };
	}

	private columns({ name, email, external_id, external_group, pin }: UserFields) {
		return { name, email, external_id, external_group, pin };
	}

	private existing(id: number): User {
		const user = this.find(id);
		if (!user) throw new Error(`User ${id} vanished`);
		return user;
	}
}
