import { STATUS } from '../choices.mts';
import { invalid, notFound, Refusal } from '../refusal.mts';
import type { Store } from '../store/store.mts';
import type { User } from '../store/users.mts';
import { isEmail } from './email.mts';
import { DELETED, type Operations } from './operation.mts';

function existing(store: Store, id: number): User {
	const user = store.users.find(id);
	if (!user) throw notFound('User');
	return user;
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

export const userOperations: Operations<
	'listUsers' | 'createUser' | 'getUser' | 'updateUser' | 'deleteUser' | 'verifyUserPin'
> = {
	listUsers: (call) => call.page((window) => call.store.users.list(window)),

	createUser({ store, body }) {
		check(store, body);
		const { name, email, is_admin, external_id, external_group, pin } = body;
		return store.users.create({ name, email, is_admin, external_id, external_group, pin: toPin(pin) });
	},

	getUser: ({ store, params }) => ({ data: existing(store, params.id) }),

	updateUser({ store, params, body }) {
		existing(store, params.id);
		check(store, body, params.id);
		const { name, email, external_id, external_group, pin } = body;
		return {
			data: store.users.update(params.id, { name, email, external_id, external_group, pin: toPin(pin) }),
		};
	},

	deleteUser({ store, params }) {
		const user = existing(store, params.id);
		if (store.users.isLastAdmin(user)) {
			throw new Refusal(STATUS.lastAdmin, 'The last admin user cannot be deleted.');
		}
		store.users.delete(user.id);
		return DELETED;
	},

	verifyUserPin({ store, params, body }) {
		existing(store, params.id);
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
};
