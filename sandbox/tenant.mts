import { EventEmitter } from 'node:events';
import type { Choices } from './choices.mts';
import { Deliveries } from './deliveries.mts';
import { Arrivals } from './messages/arrivals.mts';
import { Agenda } from './lifecycle/agenda.mts';
import { DeliveryStatuses } from './lifecycle/deliveryStatuses.mts';
import { TemplateReview } from './lifecycle/templateReview.mts';
import type { Message } from './resources/message.mts';
import { Snapshots } from './store/snapshots.mts';
import type { Store } from './store/store.mts';
import type { Delivery } from './resources/webhook.mts';

/** What the inbox page is told live. */
export interface TenantEvents {
	message: [Message];
	delivery: [Delivery];
	/** Something else about a customer changed: tags, groups, consent, profile. */
	customer: [customerId: number];
	/** Requests to the interface came, were answered or were forgotten. */
	request: [];
	/** The control plane was used: faults, clock, snapshots, webhooks. */
	control: [];
	/** Everything may have changed. */
	reset: [];
}

/** A tenant at work: what it holds, in which forms it answers, whom it tells about messages. */
export class Tenant {
	readonly events = new EventEmitter<TenantEvents>();

	readonly deliveries: Deliveries;

	readonly snapshots: Snapshots;

	readonly arrivals: Arrivals;

	/** What becomes of messages and templates after they were accepted; off unless switched on. */
	readonly deliveryStatuses = new DeliveryStatuses(this);

	readonly templateReview = new TemplateReview(this);

	readonly agenda: Agenda;

	/** YAML to describe itself with, in place of the contract: for clients that read their tenant's own description. */
	description: string | undefined;

	/** Whether hooks still prepare it. */
	isStarting = false;

	constructor(
		readonly store: Store,
		readonly choices: Choices,
		readonly pageSize: number,
	) {
		this.events.setMaxListeners(0);
		this.deliveries = new Deliveries(store, (delivery) => this.events.emit('delivery', delivery));
		this.snapshots = new Snapshots(this);
		this.arrivals = new Arrivals(this);
		this.agenda = new Agenda(store, {
			message: (plan) => this.deliveryStatuses.carryOut(plan),
			template: (plan) => this.templateReview.carryOut(plan),
		});
	}
}
