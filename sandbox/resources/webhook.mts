import { RecordStore } from '../store/records.mts';
import { Table } from '../store/table.mts';

/** How deliveries to a webhook prove where they come from. */
export interface WebhookProtection {
	/** A fixed secret in a header. */
	secretHeader?: { name: string; value: string };
	/** HTTP basic authentication. */
	basicAuth?: { user: string; password: string };
	/** An HMAC-SHA256 over the raw body, or over `<timestamp>.<body>` when a timestamp header is named. */
	signature?: {
		secret: string;
		header?: string;
		encoding?: 'hex' | 'base64';
		prefix?: string;
		timestampHeader?: string;
	};
	/** The symmetric signature of Standard Webhooks, by a secret `whsec_…`. */
	standardWebhooks?: { secret: string };
}

export interface WebhookRegistration extends WebhookProtection {
	url: string;
}

/** A delivery that is to be made. */
export type NewDelivery = Pick<
	Delivery,
	'attempt' | 'body' | 'conversation_id' | 'event' | 'message_id' | 'url' | 'webhook_id'
>;

export interface Webhook extends WebhookRegistration {
	id: number;
}

/** One POST to a webhook and how it went; `status`, `answer` and `error` are null while it is under way. */
export interface Delivery {
	id: number;
	webhook_id: number;
	url: string;
	event: string;
	conversation_id: number;
	message_id: number;
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

export const tables = {
	webhooks: () => new Table<Webhook>({ firstId: 1 }),
	deliveries: () => new Table<Delivery>({ firstId: 1, by: ['conversation_id'] }),
};

/** Registered webhooks and the record of every delivery. */
export class Records extends RecordStore {
	list(): Webhook[] {
		return this.tables.webhooks.all();
	}

	find(id: number): Webhook | undefined {
		return this.tables.webhooks.find(id);
	}

	add(registration: WebhookRegistration): Webhook {
		return this.tables.webhooks.insert(registration);
	}

	/** @returns false if there is no such webhook. */
	delete(id: number): boolean {
		return this.tables.webhooks.delete(id) !== undefined;
	}

	addDelivery(delivery: NewDelivery): Delivery {
		const unknown = { status: null, answer: null, error: null, duration_ms: null };
		const created_at = this.clock.iso();
		return this.tables.deliveries.insert({
			...delivery,
			headers: {},
			...unknown,
			created_at,
			finished_at: null,
		});
	}

	/** @returns the delivery as it is then, if it is still there */
	updateDelivery(id: number, fields: Partial<Delivery>): Delivery | undefined {
		return this.tables.deliveries.update(id, fields);
	}

	findDelivery(id: number): Delivery | undefined {
		return this.tables.deliveries.find(id);
	}

	/** The newest first. */
	deliveries(limit = 100): Delivery[] {
		return this.tables.deliveries.all().toReversed().slice(0, limit);
	}

	/** Deliveries about one conversation, the newest first. */
	deliveriesOf(conversationId: number): Delivery[] {
		return this.tables.deliveries.by('conversation_id', conversationId).reverse().slice(0, 100);
	}
}
