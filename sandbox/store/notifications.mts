import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.mts';
import type { Database } from './database.mts';

export interface Notification {
	uuid: string;
	title: string;
	body: string;
	read_at: string | null;
	created_at: string;
}

const COLUMNS = 'uuid, title, body, read_at, created_at';

export class NotificationStore {
	constructor(
		private readonly database: Database,
		private readonly clock: Clock,
	) {}

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
