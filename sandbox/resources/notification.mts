import { randomUUID } from 'node:crypto';
import { existing } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import { Table } from '../store/table.mts';
import { compare } from '../values.mts';
import type { Operations } from './operation.mts';

export interface Notification {
	uuid: string;
	title: string;
	body: string;
	read_at: string | null;
	created_at: string;
}

interface Row extends Notification {
	user_id: number;
}

export const tables = { notifications: () => new Table<Row>({ key: 'uuid', by: ['user_id'] }) };

const toNotification = ({ uuid, title, body, read_at, created_at }: Row): Notification => ({
	...{ uuid, title, body, read_at, created_at },
});

export class Records extends RecordStore {
	/** Notifications of a user, the newest first. */
	of(userId: number): Notification[] {
		const all = this.tables.notifications.by('user_id', userId).reverse();
		return all.map(toNotification).sort((one, other) => compare(other.created_at, one.created_at));
	}

	add(user_id: number, title: string, body: string): void {
		const created_at = this.clock.iso();
		this.tables.notifications.insert({ uuid: randomUUID(), title, body, read_at: null, created_at, user_id });
	}

	/** Marks one, or without `uuid` all, as read; what was read before keeps its time. */
	markRead(userId: number, uuid?: string): void {
		for (const notification of this.of(userId)) {
			if (notification.read_at !== null || uuid !== (uuid && notification.uuid)) continue;
			this.tables.notifications.update(notification.uuid, { read_at: this.clock.iso() });
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
		return {
			data: existing(
				store.notifications.of(user.id).find(({ uuid }) => uuid === params.uuid),
				'Notification',
			),
		};
	},
} satisfies Operations;

export function demo({ users, notifications }: Store): void {
	const [admin, agent] = users.list().records;
	notifications.add(admin.id, 'Template approved', 'The template "welcome" can be sent now.');
	notifications.add(admin.id, 'New device', 'Somebody signed in from a new device.');
	notifications.add(agent.id, 'Customer attached', 'You can now see the conversation with Mira Example.');
}
