import { EventEmitter } from 'node:events';
import { type Choices, type MessageStatus } from './choices.mts';
import { Deliveries } from './deliveries.mts';
import { Arrivals } from './messages/arrivals.mts';
import type { Message, Reason } from './resources/message.mts';
import type { Store } from './store/store.mts';

/** What the inbox page is told live. */
export interface TenantEvents {
	/** A message is new, or its status. */
	message: [Message];
	delivery: [];
	/** Something else about a customer changed: tags, groups, consent, profile. */
	customer: [];
	/** Requests to the interface came, were answered or were forgotten. */
	request: [];
	/** The control plane was used: faults, clock, webhooks. */
	control: [];
	/** Everything may have changed. */
	reset: [];
}

/** A tenant at work: what it holds, in which forms it answers, whom it tells about messages. */
export class Tenant {
	readonly events = new EventEmitter<TenantEvents>();

	readonly deliveries: Deliveries;

	readonly arrivals: Arrivals;

	constructor(
		readonly store: Store,
		readonly choices: Choices,
		readonly pageSize: number,
		/** YAML to describe itself with, in place of the contract: for clients that read their tenant's own description. */
		public description?: string,
	) {
		this.events.setMaxListeners(0);
		this.deliveries = new Deliveries(store, () => this.events.emit('delivery'));
		this.arrivals = new Arrivals(this);
	}

	/** A message that is new, or whose status is. Webhooks are told of those with `from_automation`. */
	tell(message: Message): Message {
		this.events.emit('message', message);
		if (message.source === 'automation') this.deliveries.announce(message);
		return message;
	}

	/** Gives a message of an agent a status that the interface gives it later. */
	setStatus(id: number, status: MessageStatus, reason?: Reason): Message {
		return this.tell(this.store.conversations.setStatus(id, status, reason));
	}
}
