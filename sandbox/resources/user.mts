import { ADMIN_TOKEN, PIN_FAILURES_ALLOWED, PIN_LOCKOUT_SECONDS, STATUS, USER_TOKEN } from '../choices.mts';
import { existing, invalid, Refusal } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import { type Slice, slice, Table, type Window } from '../store/table.mts';
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

interface UserRow extends User {
	pin: string | null;
	/** Wrong PINs in a row. */
	failures: number;
	/** Milliseconds since 1970. */
	locked_until: number;
}

/** A user to create. A PIN has six digits. */
type NewUser = Pick<User, 'email' | 'name'> &
	Partial<Pick<UserRow, 'external_group' | 'external_id' | 'is_admin' | 'pin'>>;

export const tables = {
	users: () => new Table<UserRow>({ firstId: 1, isCounted: true }),
	tokens: () => new Table<{ token: string; user_id: number; personal: boolean }>({ key: 'token' }),
};

const toUser = ({ id, name, email, is_admin, ...row }: UserRow): User => {
	const { external_id, external_group, created_at, updated_at } = row;
	return { id, name, email, is_admin, external_id, external_group, created_at, updated_at };
};

/** Users, their access tokens and PINs. */
export class Records extends RecordStore {
	/** The user behind an access token, or undefined for an unknown token. */
	byToken(token: string): Bearer | undefined {
		const known = this.tables.tokens.find(token);
		const user = known && this.find(known.user_id);
		return user && { user, personal: known.personal };
	}

	addToken(token: string, user_id: number, personal: boolean): void {
		this.tables.tokens.insert({ token, user_id, personal });
	}

	find(id: number): User | undefined {
		const row = this.tables.users.find(id);
		return row && toUser(row);
	}

	list(window?: Window): Slice<User> {
		return slice(this.tables.users.all().map(toUser), window);
	}

	/** Whether somebody else than `exceptId` has this email; upper and lower case are the same. */
	emailTaken(email: string, exceptId = 0): boolean {
		return this.tables.users
			.all()
			.some((user) => user.id !== exceptId && user.email.toLowerCase() === email.toLowerCase());
	}

	create({ name, email, is_admin = false, external_id, external_group, pin }: NewUser): User {
		const external = { external_id: external_id ?? null, external_group: external_group ?? null };
		const secret = { pin: pin ?? null, failures: 0, locked_until: 0 };
		return toUser(this.tables.users.insert({ name, email, is_admin, ...external, ...this.born, ...secret }));
	}

	/** Changes a user; `is_admin` is settable on create only. */
	update(id: number, { name, email, external_id, external_group, pin }: Partial<NewUser>): User {
		const fields = { name, email, external_id, external_group, pin, ...this.touched };
		return toUser(existing(this.tables.users.update(id, fields), 'User'));
	}

	isLastAdmin(user: User): boolean {
		return user.is_admin && this.tables.users.all().filter(({ is_admin }) => is_admin).length === 1;
	}

	delete(id: number): void {
		this.tables.users.delete(id);
		this.tables.customer_users.forget(id);
		for (const conversation of this.tables.conversations.by('user_id', id)) {
			this.tables.conversations.update(conversation.id, { user_id: null });
		}
	}

	/**
	 * Compares a PIN. After too many wrong ones in a row every attempt is refused for a while.
	 * @returns `valid`, or `retryAfter` in seconds while locked.
	 */
	verifyPin(id: number, given: string): { valid: boolean } | { retryAfter: number } {
		const now = this.clock.now();
		const { pin, failures, locked_until } = existing(this.tables.users.find(id), 'User');
		if (locked_until > now) return { retryAfter: Math.ceil((locked_until - now) / 1000) };
		const valid = pin !== null && pin === given;
		const wrong = valid ? 0 : (locked_until === 0 ? failures : 0) + 1;
		const isLocked = wrong >= PIN_FAILURES_ALLOWED;
		const until = isLocked ? now + PIN_LOCKOUT_SECONDS * 1000 : 0;
		this.tables.users.update(id, { failures: wrong, locked_until: until });
		return { valid };
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

export function demo({ users }: Store): void {
	const admin = users.create({
		name: 'Ada Admin',
		email: 'ada@tenant.example',
		is_admin: true,
		external_group: 'office',
		pin: '246810',
	});
	const agent = users.create({ name: 'Sam Service', email: 'sam@tenant.example', external_id: 'crm-7' });
	users.create({ name: 'Kim Counter', email: 'kim@tenant.example', external_id: 'crm-8' });
	users.addToken(ADMIN_TOKEN, admin.id, true);
	users.addToken(USER_TOKEN, agent.id, false);
}
