import { RecordStore } from '../store/records.mts';
import type { Tables } from '../store/tables.mts';

/** How deliveries to a webhook prove where they come from. */
export interface WebhookProtection {
	/** A fixed secret in a header. */
	secretHeader?: { name: string; value: string };
	/** HTTP basic authentication. */
	basicAuth?: { user: string; password: string };
	/** An HMAC over the raw body, or over `<timestamp>.<body>` when a timestamp header is named. */
	signature?: {
		secret: string;
		header?: string;
		algorithm?: (typeof SIGNATURE_ALGORITHMS)[number];
		encoding?: 'hex' | 'base64';
		prefix?: string;
		timestampHeader?: string;
	};
}

/** The algorithms of signatures that the trigger node takes. */
export const SIGNATURE_ALGORITHMS = ['sha1', 'sha256', 'sha384', 'sha512'] as const;

export interface WebhookRegistration extends WebhookProtection {
	url: string;
}

export interface Webhook extends WebhookRegistration {
	id: number;
}

/** One POST to a webhook and how it went; `status`, `answer` and `error` are null while it is under way. */
export interface Delivery {
	id: number;
	webhook_id: number | null;
	url: string;
	event: string;
	conversation_id: number | null;
	message_id: number | null;
	/** The exact body that was sent. */
	body: string;
	headers: Record<string, string>;
	attempt: number;
	status: number | null;
	/** Start of what the receiver answered. */
	answer: string | null;
	/** Why there is no answer. */
	error: string | null;
	duration_ms: number | null;
	created_at: string;
	finished_at: string | null;
}

type DeliveryRow = Omit<Delivery, 'headers'> & { headers: string };

export const tables = {
	webhooks: { firstId: 1, columns: 'url TEXT NOT NULL, protection TEXT NOT NULL' },
	deliveries: {
		firstId: 1,
		columns: `
			webhook_id INTEGER,
			url TEXT NOT NULL,
			event TEXT NOT NULL,
			conversation_id INTEGER,
			message_id INTEGER,
			body TEXT NOT NULL,
			headers TEXT NOT NULL,
			attempt INTEGER NOT NULL,
			status INTEGER,
			answer TEXT,
			error TEXT,
			duration_ms REAL,
			created_at TEXT NOT NULL,
			finished_at TEXT`,
		indexes: ['(conversation_id)'],
	},
} satisfies Tables;

const toDelivery = (row: DeliveryRow): Delivery => ({
	...row,
	headers: JSON.parse(row.headers) as Record<string, string>,
});

/** Registered webhooks and the record of every delivery. */
export class Records extends RecordStore {
	list(): Webhook[] {
		return this.database
			.all<{ id: number; url: string; protection: string }>('SELECT * FROM webhooks ORDER BY id')
			.map(({ id, url, protection }) => ({ ...(JSON.parse(protection) as WebhookProtection), id, url }));
	}

	find(id: number): Webhook | undefined {
		return this.list().find((webhook) => webhook.id === id);
	}

	add({ url, ...protection }: WebhookRegistration): Webhook {
		const id = this.database.insert('webhooks', { url, protection: JSON.stringify(protection) });
		return { ...protection, id, url };
	}

	/** @returns false if there is no such webhook. */
	delete(id: number): boolean {
		return this.database.run('DELETE FROM webhooks WHERE id = ?', id).changes > 0;
	}

	addDelivery(
		delivery: Pick<
			Delivery,
			'webhook_id' | 'url' | 'event' | 'conversation_id' | 'message_id' | 'body' | 'attempt' | 'created_at'
		>,
	): number {
		return this.database.insert('deliveries', { ...delivery, headers: '{}' });
	}

	setHeaders(id: number, headers: Record<string, string>): void {
		this.database.update('deliveries', id, { headers: JSON.stringify(headers) });
	}

	finishDelivery(
		id: number,
		outcome: Pick<Delivery, 'status' | 'answer' | 'error' | 'duration_ms' | 'finished_at'>,
	): void {
		this.database.update('deliveries', id, { ...outcome });
	}

	/** For data from another time: what was under way then is not any more. */
	abandonDeliveries(): void {
		this.database.run(
			"UPDATE deliveries SET error = 'It was under way when this was saved.', finished_at = ? WHERE finished_at IS NULL",
			this.clock.iso(),
		);
	}

	findDelivery(id: number): Delivery | undefined {
		const row = this.database.get<DeliveryRow>('SELECT * FROM deliveries WHERE id = ?', id);
		return row && toDelivery(row);
	}

	/** The newest first. */
	deliveries(limit = 100): Delivery[] {
		return this.database
			.all<DeliveryRow>('SELECT * FROM deliveries ORDER BY id DESC LIMIT ?', limit)
			.map(toDelivery);
	}

	/** Deliveries about one conversation, the newest first. */
	deliveriesOf(conversationId: number): Delivery[] {
		return this.database
			.all<DeliveryRow>(
				'SELECT * FROM deliveries WHERE conversation_id = ? ORDER BY id DESC LIMIT 100',
				conversationId,
			)
			.map(toDelivery);
	}
}
