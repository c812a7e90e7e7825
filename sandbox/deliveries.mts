import { createHash, createHmac } from 'node:crypto';

import axios from 'axios';
import pLimit from 'p-limit';

import { WEBHOOK_EVENT, WEBHOOK_HEADERS, WEBHOOK_TIMEOUT_MS } from './choices.mts';
import { existing } from './refusal.mts';
import type { Message } from './resources/message.mts';
import type { Store } from './store/store.mts';
import type { Delivery, NewDelivery, Webhook } from './resources/webhook.mts';
import { stringOf } from './texts.mts';

/** How many deliveries go out at the same time; the others wait their turn. */
const MAX_IN_FLIGHT = 20;

/** How much of a receiver's answer is kept, in characters. */
const MAX_ANSWER = 2_000;

/** The headers that prove a delivery, as the webhook's registration asks for them. */
export function protectionHeaders(
	webhook: Webhook,
	body: string,
	unixSeconds: number,
): Record<string, string> {
	const headers: Record<string, string> = {};
	if (webhook.secretHeader) headers[webhook.secretHeader.name] = webhook.secretHeader.value;
	if (webhook.basicAuth) {
		const { user, password } = webhook.basicAuth;
		headers.authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
	}
	if (webhook.signature) {
		const {
			secret,
			header = WEBHOOK_HEADERS.signature,
			encoding = 'hex',
			prefix = '',
			timestampHeader,
		} = webhook.signature;
		const signed = timestampHeader === undefined ? body : `${unixSeconds}.${body}`;
		if (timestampHeader !== undefined) headers[timestampHeader] = String(unixSeconds);
		headers[header] = prefix + createHmac('sha256', secret).update(signed).digest(encoding);
	}
	if (webhook.standardWebhooks) {
		const key = Buffer.from(webhook.standardWebhooks.secret.replace('whsec_', ''), 'base64');
		// The same for a redelivery, whose body is the same.
		const id = `msg_${createHash('sha256').update(body).digest('hex').slice(0, 24)}`;
		const signature = createHmac('sha256', key).update(`${id}.${unixSeconds}.${body}`).digest('base64');
		headers['webhook-id'] = id;
		headers['webhook-timestamp'] = String(unixSeconds);
		headers['webhook-signature'] = `v1,${signature}`;
	}
	return headers;
}

/** Sends webhook events to every registered address and records how it went. */
export class Deliveries {
	private readonly underWay = new Set<Promise<void>>();

	private readonly limit = pLimit(MAX_IN_FLIGHT);

	private closed = false;

	/** Counts how often the tenant's data became other data, in which the ids of deliveries are used anew. */
	private generation = 0;

	constructor(
		private readonly store: Store,
		private readonly onChange: () => void,
	) {}

	/** Tells every webhook of an agent's message, or of its new status, without waiting for the receivers. */
	announce(message: Message): void {
		const conversation = existing(this.store.conversations.find(message.conversation_id), 'Conversation');
		const customer = existing(this.store.customers.find(conversation.customer_id), 'Customer');
		const { id, channel, display_id, name } = customer;
		// The shape of the payload is the sandbox's own choice.
		const payload = {
			event: WEBHOOK_EVENT,
			occurred_at: this.store.clock.iso(),
			message,
			conversation: { id: conversation.id, agent_id: conversation.agent_id },
			customer: { id, channel, display_id, name },
		};
		for (const webhook of this.store.webhooks.list()) {
			this.start(webhook, {
				webhook_id: webhook.id,
				url: webhook.url,
				event: WEBHOOK_EVENT,
				conversation_id: conversation.id,
				message_id: message.id,
				body: JSON.stringify(payload),
				attempt: 1,
			});
		}
	}

	/** Sends a recorded delivery once more, the same bytes to the same webhook. */
	redeliver(delivery: Delivery): Delivery | undefined {
		const { webhook_id, url, event, conversation_id, message_id, body, attempt } = delivery;
		const webhook = this.store.webhooks.find(webhook_id);
		const again = { webhook_id, url, event, conversation_id, message_id, body, attempt: attempt + 1 };
		return webhook && this.start(webhook, again);
	}

	/** Resolves when nothing is under way any more. */
	async settled(): Promise<void> {
		while (this.underWay.size > 0) await Promise.all(this.underWay);
	}

	/** What is under way belongs to data that is gone: it is not noted. */
	forget(): void {
		this.generation++;
	}

	close(): void {
		this.closed = true;
	}

	private start(webhook: Webhook, fields: NewDelivery): Delivery {
		const delivery = this.store.webhooks.addDelivery(fields);
		this.onChange();
		const { generation } = this;
		const isGone = () => this.closed || generation !== this.generation;
		const work = this.limit(async () => {
			if (!isGone()) await this.deliver(webhook, delivery, isGone);
		}).finally(() => this.underWay.delete(work));
		this.underWay.add(work);
		return delivery;
	}

	private async deliver(webhook: Webhook, { id, body }: Delivery, isGone: () => boolean): Promise<void> {
		const headers = {
			'content-type': 'application/json',
			'user-agent': 'customer-messaging-sandbox',
			[WEBHOOK_HEADERS.event]: WEBHOOK_EVENT,
			[WEBHOOK_HEADERS.delivery]: String(id),
			...protectionHeaders(webhook, body, Math.floor(this.store.clock.now() / 1000)),
		};
		this.store.webhooks.updateDelivery(id, { headers });
		const startedAt = performance.now();
		const outcome: Pick<Delivery, 'status' | 'answer' | 'error'> = {
			status: null,
			answer: null,
			error: null,
		};
		try {
			// As bytes, since axios would trim the text of a redelivery that was signed before.
			const { status, data } = await axios.post<string>(webhook.url, Buffer.from(body), {
				headers,
				responseType: 'text',
				validateStatus: () => true,
				maxRedirects: 0,
				proxy: false,
				signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
			});
			outcome.status = status;
			outcome.answer = data.slice(0, MAX_ANSWER);
		} catch (error) {
			outcome.error = reason(error);
		}
		if (isGone()) return;
		const duration_ms = Math.round((performance.now() - startedAt) * 10) / 10;
		const finished = { ...outcome, duration_ms, finished_at: this.store.clock.iso() };
		const delivery = this.store.webhooks.updateDelivery(id, finished);
		if (delivery) this.onChange();
	}
}

function reason(error: unknown): string {
	if (axios.isCancel(error)) return `No answer within ${WEBHOOK_TIMEOUT_MS / 1_000} seconds`;
	// A host with several addresses that all fail has no message, only a code.
	const { message, code } = error as { message?: string; code?: string };
	return message || code || stringOf(error);
}
