import type { IDataObject } from 'n8n-workflow';

import type { Cluster } from './cluster.mts';

/** An event as the tenant reports it, about a customer of its own. */
export type AgentMessageEvent = IDataObject & { message: { id: number } };

const phoneOf = (id: number) => `49170${String(id).padStart(7, '0')}`;

let lastId = 0;

/** An event with a message and a customer that no other event has. */
export function nextEvent(): AgentMessageEvent {
	const id = ++lastId;
	const message = { id, conversation_id: 3, from: 'agent', source: 'automation', status: 'created' };
	return {
		event: 'new-agent-message',
		occurred_at: '2026-03-01T12:00:00Z',
		message,
		customer: { id, display_id: phoneOf(id), name: 'Mira Example' },
	};
}

/** How often the customers of events were sent a template: what the sandbox has recorded since it was cleared. */
export function timesSent({ sandbox }: Cluster, events: AgentMessageEvent[]): number[] {
	const times = new Map<number, number>();
	for (const { path, body } of sandbox.requests()) {
		if (!path.endsWith('/chatapp/send-template')) continue;
		const { phone_number } = JSON.parse(Buffer.from(body, 'base64').toString()) as { phone_number: number };
		times.set(phone_number, (times.get(phone_number) ?? 0) + 1);
	}
	return events.map(({ message }) => times.get(Number(phoneOf(message.id))) ?? 0);
}
