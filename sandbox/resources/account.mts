import { ADMIN_PERMISSIONS, PLAIN_PERMISSIONS, PLAIN_ROLE } from '../choices.mts';
import type { Operations } from './operation.mts';

/** The user behind the token. */
export const operations = {
	getCurrentUser({ user, bearer }) {
		return {
			data: {
				id: user.id,
				name: user.name,
				email: user.email,
				roles: [user.is_admin ? 'admin' : PLAIN_ROLE],
				permissions: user.is_admin ? ADMIN_PERMISSIONS : PLAIN_PERMISSIONS,
				uses_personal_access_token: bearer.personal,
			},
		};
	},
} satisfies Operations;
