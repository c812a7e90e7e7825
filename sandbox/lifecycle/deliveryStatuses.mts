import { DELIVERY_STATUSES, MESSAGE_SOURCE, MESSAGE_STATUS, type MessageStatus } from '../choices.mts';
import { seededRandom } from '../random.mts';
import { existing } from '../refusal.mts';
import type { Customer } from '../resources/customer.mts';
import type { Message, MessageError } from '../resources/message.mts';
import type { Plan } from '../resources/plan.mts';
import type { Tenant } from '../tenant.mts';

/** Whose messages fail, when, and why. */
export interface FailingDeliveries {
	/** Milliseconds after acceptance. */
	after: number;
	/** Display ids of customers whom no message reaches. */
	numbers: string[];
	/** Of all other messages, from 0 to 1. */
	probability: number;
	/** The same seed meets the same messages. */
	seed: number;
	/** What `latest_error` says. */
	type: string;
	message: string;
}

/** What becomes of an accepted message: milliseconds until each status, null for one that it never gets. */
export interface DeliveryStatusRules {
	sent: number | null;
	delivered: number | null;
	read: number | null;
	failing: FailingDeliveries;
}

/** Rules where only what differs from the usual ones is said. */
export type DeliveryStatusOptions = Partial<Omit<DeliveryStatusRules, 'failing'>> & {
	failing?: Partial<FailingDeliveries>;
};

type Reason = Pick<MessageError, 'type' | 'original_message' | 'user_friendly_message'>;

/** What `latest_error` says; without words, the usual ones. */
export function reasonOf(words: Partial<Pick<FailingDeliveries, 'type' | 'message'>>): Reason {
	const { type, message } = { ...DELIVERY_STATUSES.failing, ...words };
	return { type, original_message: message, user_friendly_message: message };
}

const STEPS = ['sent', 'delivered', 'read'] as const;

/** The statuses of messages after they were accepted. */
export class DeliveryStatuses {
	/** Undefined while messages stay as they were accepted. */
	rules?: DeliveryStatusRules;

	constructor(private readonly tenant: Tenant) {}

	/** What is planned for earlier messages stays. */
	switchOn({ failing, ...times }: DeliveryStatusOptions = {}): void {
		this.rules = {
			...DELIVERY_STATUSES,
			...times,
			failing: { ...DELIVERY_STATUSES.failing, ...failing },
		};
	}

	/** Messages keep the status that they have. */
	switchOff(): void {
		this.rules = undefined;
		this.tenant.store.plans.giveUp('message');
	}

	/** Plans what becomes of a message that was just accepted. */
	follow({ id, status }: Message, { display_id }: Customer): void {
		if (!this.rules || status !== MESSAGE_STATUS.created) return;
		const { failing } = this.rules;
		const isFailing =
			failing.numbers.includes(display_id) || seededRandom(failing.seed + id)() < failing.probability;
		const acceptedAt = this.tenant.store.clock.now();
		let latest = 0;
		const plan = (next: MessageStatus, after: number | null, detail: string | null = null) => {
			if (after === null) return;
			// A message is not delivered before it is sent.
			latest = Math.max(latest, after);
			const due_at = acceptedAt + latest;
			this.tenant.agenda.add({ kind: 'message', record_id: id, status: next, detail, due_at });
		};
		for (const step of isFailing ? STEPS.slice(0, 1) : STEPS) plan(step, this.rules[step]);
		if (isFailing) plan(MESSAGE_STATUS.failed, failing.after, JSON.stringify(reasonOf(failing)));
	}

	carryOut({ record_id, status, detail, due_at }: Plan): void {
		// Its customer may have been deleted meanwhile.
		if (!this.tenant.store.conversations.findMessage(record_id)) return;
		this.give(record_id, status, detail === null ? undefined : (JSON.parse(detail) as Reason), due_at);
	}

	/** Gives a message a status by hand: nothing that was planned for it happens any more. */
	set(id: number, status: MessageStatus, reason?: Reason): Message {
		this.tenant.store.plans.giveUp('message', id);
		return this.give(id, status, reason);
	}

	/** Where the message had the webhook told of itself, the webhook is told of the status too. */
	private give(id: number, status: string, reason?: Reason, at = this.tenant.store.clock.now()): Message {
		const { conversations, customers, plans } = this.tenant.store;
		if (status === MESSAGE_STATUS.failed) plans.giveUp('message', id);
		const message = conversations.setStatus(id, status, reason, at);
		this.tenant.events.emit('message', message);
		if (message.source === MESSAGE_SOURCE.automation) {
			const conversation = existing(conversations.find(message.conversation_id), 'Conversation');
			const customer = existing(customers.find(conversation.customer_id), 'Customer');
			this.tenant.deliveries.announce(message, conversation, customer, at);
		}
		return message;
	}
}
