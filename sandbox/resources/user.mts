import { PIN_FAILURES_ALLOWED, PIN_LOCKOUT_SECONDS, STATUS, tokensOf } from '../choices.mts';
import { existing, invalid, Refusal } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Slice, Window } from '../store/slice.mts';
import type { Store } from '../store/store.mts';
import type { Tables } from '../store/tables.mts';
import { isEmail } from '../values.mts';
import { DELETED, type Operations } from './operation.mts';

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

export const tables = {
	users: {
		firstId: 1,
		isCounted: true,
		columns: `
			name TEXT NOT NULL,
			email TEXT NOT NULL COLLATE NOCASE UNIQUE,
			is_admin INTEGER NOT NULL DEFAULT 0,
			external_id TEXT,
			external_group TEXT,
			pin TEXT,
			created_at TEXT NOT NULL,
			updated_at TEXT NOT NULL`,
	},
	tokens: {
		columns: `
			token TEXT PRIMARY KEY,
			user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
			personal INTEGER NOT NULL`,
	},
	pin_attempts: {
		columns: `
			user_id INTEGER PRIMARY KEY REFERENCES users ON DELETE CASCADE,
			failures INTEGER NOT NULL,
			locked_until INTEGER NOT NULL`,
	},
} satisfies Tables;

const COLUMNS = 'id, name, email, is_admin, external_id, external_group, created_at, updated_at';

const toUser = (row: UserRow): User => ({ ...row, is_admin: row.is_admin === 1 });

/** Users, their access tokens and PINs. */
export class Records extends RecordStore {
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

	list(window?: Window): Slice<User> {
		const { records, total } = this.database.slice<UserRow>(
			{ columns: COLUMNS, from: 'users', order: 'id' },
			[],
			window,
		);
		return { records: records.map(toUser), total };
	}

	/** Whether somebody else than `exceptId` has this email; upper and lower case are the same. */
	emailTaken(email: string, exceptId = 0): boolean {
		return this.database.count('users WHERE email = ? AND id <> ?', email, exceptId) > 0;
	}

	create(fields: UserFields & { name: string; email: string }): User {
		const now = this.clock.iso();
		const id = this.database.insert('users', {
			...this.columns(fields),
			is_admin: fields.is_admin ? 1 : 0,
			created_at: now,
			updated_at: now,
		});
		return existing(this.find(id), 'User');
	}

	/** Changes a user; `is_admin` is settable on create only. */
	update(id: number, fields: Omit<UserFields, 'is_admin'>): User {
		this.database.update('users', id, { ...this.columns(fields), updated_at: this.clock.iso() });
		return existing(this.find(id), 'User');
	}

	isLastAdmin(user: User): boolean {
		return user.is_admin && this.database.count('users WHERE is_admin = 1') === 1;
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
}

/** @throws 422 for an empty name, an address that is none, or one that another user has. */
function check(store: Store, { name, email }: { name?: string; email?: string }, id?: number): void {
	if (name !== undefined && name.trim() === '') throw invalid({ name: ['The name may not be empty.'] });
	if (email === undefined) return;
	if (!isEmail(email)) throw invalid({ email: ['The email must be a valid address.'] });
	if (store.users.emailTaken(email, id)) throw invalid({ email: ['The email has already been taken.'] });
}

/** A PIN is a number of six digits; it is kept as text. */
const toPin = (pin: number | string | null | undefined): string | null | undefined =>
	pin == null ? pin : String(pin);

export const operations = {
	listUsers: (call) => call.page((window) => call.store.users.list(window)),

	createUser({ store, body }) {
		check(store, body);
		const { name, email, is_admin, external_id, external_group, pin } = body;
		return store.users.create({ name, email, is_admin, external_id, external_group, pin: toPin(pin) });
	},

	getUser: ({ store, params }) => ({ data: existing(store.users.find(params.id), 'User') }),

	updateUser({ store, params, body }) {
		existing(store.users.find(params.id), 'User');
		check(store, body, params.id);
		const { name, email, external_id, external_group, pin } = body;
		return {
			data: store.users.update(params.id, { name, email, external_id, external_group, pin: toPin(pin) }),
		};
	},

	deleteUser({ store, params }) {
		const user = existing(store.users.find(params.id), 'User');
		if (store.users.isLastAdmin(user)) {
			throw new Refusal(STATUS.lastAdmin, 'The last admin user cannot be deleted.');
		}
		store.users.delete(user.id);
		return DELETED;
	},

	verifyUserPin({ store, params, body }) {
		existing(store.users.find(params.id), 'User');
		const outcome = store.users.verifyPin(params.id, String(body.pin));
		if ('retryAfter' in outcome) {
			throw new Refusal(
				STATUS.tooManyAttempts,
				`Too many wrong PINs. Try again in ${outcome.retryAfter} seconds.`,
				undefined,
				{ 'retry-after': String(outcome.retryAfter) },
			);
		}
		return { data: outcome };
	},
} satisfies Operations;

export function demo({ users, name }: Store): void {
	const tokens = tokensOf(name);
	const admin = users.create({
		name: 'Ada Admin',
		email: 'ada@tenant.example',
		is_admin: true,
		external_group: 'office',
		pin: '246810',
	});
	const agent = users.create({ name: 'Sam Service', email: 'sam@tenant.example', external_id: 'crm-7' });
	users.create({ name: 'Kim Counter', email: 'kim@tenant.example', external_id: 'crm-8' });
	users.addToken(tokens.admin, admin.id, true);
	users.addToken(tokens.agent, agent.id, false);
}
