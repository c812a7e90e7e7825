import { randomUUID } from 'node:crypto';
import { existing } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import type { Tables } from '../store/tables.mts';
import type { Operations } from './operation.mts';

export interface Notification {
	uuid: string;
	title: string;
	body: string;
	read_at: string | null;
	created_at: string;
}

export const tables = {
	notifications: {
		columns: `
			uuid TEXT PRIMARY KEY,
			user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
			title TEXT NOT NULL,
			body TEXT NOT NULL,
			read_at TEXT,
			created_at TEXT NOT NULL`,
		indexes: ['(user_id)'],
	},
} satisfies Tables;

const COLUMNS = 'uuid, title, body, read_at, created_at';

export class Records extends RecordStore {
	/** Notifications of a user, the newest first. */
	of(userId: number): Notification[] {
		return this.database.all<Notification>(
			`SELECT ${COLUMNS} FROM notifications WHERE user_id = ? ORDER BY created_at DESC, rowid DESC`,
			userId,
		);
	}

	find(userId: number, uuid: string): Notification | undefined {
		return this.database.get<Notification>(
			`SELECT ${COLUMNS} FROM notifications WHERE user_id = ? AND uuid = ?`,
			userId,
			uuid,
		);
	}

	add(userId: number, title: string, body: string): void {
		this.database.insert('notifications', {
			uuid: randomUUID(),
			user_id: userId,
			title,
			body,
			created_at: this.clock.iso(),
		});
	}

	/** Marks one, or without `uuid` all, as read; what was read before keeps its time. */
	markRead(userId: number, uuid?: string): void {
		const now = this.clock.iso();
		if (uuid === undefined) {
			this.database.run(
				'UPDATE notifications SET read_at = ? WHERE user_id = ? AND read_at IS NULL',
				now,
				userId,
			);
		} else {
			this.database.run(
				'UPDATE notifications SET read_at = ? WHERE user_id = ? AND uuid = ? AND read_at IS NULL',
				now,
				userId,
				uuid,
			);
		}
	}
}

export const operations = {
	listNotifications: ({ store, user }) => ({ data: store.notifications.of(user.id) }),

	markAllNotificationsRead({ store, user }) {
		store.notifications.markRead(user.id);
		return { data: store.notifications.of(user.id) };
	},

	markNotificationRead({ store, user, params }) {
		store.notifications.markRead(user.id, params.uuid);
		return { data: existing(store.notifications.find(user.id, params.uuid), 'Notification') };
	},
} satisfies Operations;

export function demo({ users, notifications }: Store): void {
	const [admin, agent] = users.list().records;
	notifications.add(admin.id, 'Template approved', 'The template "welcome" can be sent now.');
	notifications.add(admin.id, 'New device', 'Somebody signed in from a new device.');
	notifications.add(agent.id, 'Customer attached', 'You can now see the conversation with Mira Example.');
}
