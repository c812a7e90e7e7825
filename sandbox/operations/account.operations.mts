import { ADMIN_PERMISSIONS, PLAIN_PERMISSIONS, PLAIN_ROLE } from '../choices.mts';
import { notFound } from '../refusal.mts';
import type { Operations } from './operation.mts';

/** The user behind the token and that user's notifications. */
export const accountOperations: Operations<
	'getCurrentUser' | 'listNotifications' | 'markAllNotificationsRead' | 'markNotificationRead'
> = {
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

	listNotifications: ({ store, user }) => ({ data: store.notifications.of(user.id) }),

	markAllNotificationsRead({ store, user }) {
		store.notifications.markRead(user.id);
		return { data: store.notifications.of(user.id) };
	},

	markNotificationRead({ store, user, params }) {
		store.notifications.markRead(user.id, params.uuid);
		const notification = store.notifications.find(user.id, params.uuid);
		if (!notification) throw notFound('Notification');
		return { data: notification };
	},
};
