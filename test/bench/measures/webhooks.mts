import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { http } from '../../http.mts';
import { freePort } from '../../n8n/ports.mts';
import { N8nRest } from '../../n8n/rest.mts';
import { startN8n } from '../../n8n/server.mts';
import { ownerSettings } from '../../n8n/settings.mts';
import { waitFor } from '../../n8n/waitFor.mts';
import type { Bench } from '../bench.mts';
import { median, timesBetter, type Row, target } from '../figures.mts';

const DELIVERIES = 150;
const CONCURRENCY = 8;
const SECRET = { name: 'X-Webhook-Secret', value: 'a-secret-of-the-benchmark' };

let lastMessageId = 0;

/** An event as the tenant reports it, never the same twice. */
function nextEvent(): string {
	return JSON.stringify({
		event: 'new-agent-message',
		occurred_at: '2026-03-01T12:00:00Z',
		message: {
			id: ++lastMessageId,
			conversation_id: 3,
			from: 'agent',
			source: 'automation',
			contents: [{ type: 'text', text: { content: 'Your parcel is on its way.' } }],
			status: 'created',
			sent_at: '2026-03-01T12:00:00Z',
		},
		conversation: { id: 3, agent_id: 1 },
		customer: { id: 7, channel: 'chatapp', display_id: '491601234567', name: 'Mira Example' },
	});
}

/** Delivers events over a few connections, each one as soon as the one before is answered. @returns deliveries per second */
async function deliver(url: string, deliveries: number): Promise<number> {
	let left = deliveries;
	const startedAt = performance.now();
	const caller = async () => {
		while (left-- > 0) {
			const { status, data } = await http.post<unknown>(url, nextEvent(), {
				headers: { 'content-type': 'application/json', [SECRET.name]: SECRET.value },
			});
			if (status !== 200) throw new Error(`A delivery was not accepted: ${status} ${JSON.stringify(data)}`);
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, caller));
	return (deliveries / (performance.now() - startedAt)) * 1_000;
}

/**
 * Waits until n8n has executed all deliveries, so that none of one side disturbs the other.
 *
 * @param before the executions before them, see `successesOf`
 */
export async function untilExecuted(
	rest: N8nRest,
	workflowId: string,
	before: number,
	deliveries: number,
): Promise<void> {
	const isReached = async () => (await rest.successesOf(workflowId)) >= before + deliveries || undefined;
	await waitFor(`${deliveries} executions`, isReached);
	const executed = (await rest.successesOf(workflowId)) - before;
	if (executed !== deliveries) throw new Error(`${deliveries} deliveries led to ${executed} executions`);
}

/** A published workflow of a trigger and a step that does nothing. */
async function publish(
	rest: N8nRest,
	trigger: Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>,
) {
	const webhookId = randomUUID();
	const nodes: INode[] = [
		{ ...trigger, id: 'trigger', name: 'Trigger', position: [0, 0], webhookId },
		{
			id: 'nothing',
			name: 'Nothing',
			type: 'n8n-nodes-base.noOp',
			typeVersion: 1,
			position: [200, 0],
			parameters: {},
		},
	];
	const connections = {
		Trigger: { main: [[{ node: 'Nothing', type: NodeConnectionTypes.Main, index: 0 }]] },
	};
	const workflow = await rest.createWorkflow({ name: trigger.type, nodes, connections });
	await rest.publish(workflow);
	return { webhookId, workflowId: workflow.id };
}

/** Deliveries that a real n8n accepts: both workflows published on the same instance. */
export async function webhooks(bench: Bench): Promise<Row[]> {
	const { installation, userFolder } = bench.place;
	const extensions = await bench.place.bareTrigger();
	const env = { ...ownerSettings(), N8N_CUSTOM_EXTENSIONS: extensions };
	const n8n = await startN8n({ installation, userFolder, port: await freePort(), env });
	try {
		const rest = await N8nRest.logIn(n8n.url);
		const webhookPath = randomUUID();
		const peer = await publish(rest, {
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			parameters: { httpMethod: 'POST', path: webhookPath, authentication: 'headerAuth', options: {} },
			credentials: {
				httpHeaderAuth: await rest.createCredential({ name: 'Peer', type: 'httpHeaderAuth', data: SECRET }),
			},
		});
		const ours = await publish(rest, {
			type: 'n8n-nodes-customer-messaging.customerMessagingTrigger',
			typeVersion: 1,
			parameters: {},
			credentials: {
				customerMessagingWebhookApi: await rest.createCredential({
					name: 'Ours',
					type: 'customerMessagingWebhookApi',
					data: { method: 'headerSecret', headerName: SECRET.name, secret: SECRET.value },
				}),
			},
		});
		const bare = await publish(rest, { type: 'CUSTOM.bareTrigger', typeVersion: 1, parameters: {} });
		const to = async (path: string, workflowId: string) => {
			const deliveries = bench.scaled(DELIVERIES);
			const before = await rest.successesOf(workflowId);
			const perSecond = await deliver(`${n8n.url}/webhook/${path}`, deliveries);
			await untilExecuted(rest, workflowId, before, deliveries);
			return perSecond;
		};
		const results = await bench.inTurns(
			{ seconds: 70 },
			{
				peer: async () => await to(webhookPath, peer.workflowId),
				ours: async () => await to(`${ours.webhookId}/webhook`, ours.workflowId),
				bare: async () => await to(`${bare.webhookId}/webhook`, bare.workflowId),
			},
			(perSecond) => `${perSecond.toFixed(0)} per s`,
		);
		return [
			{
				measure: 'Accepted webhook deliveries, in the same n8n',
				unit: 'per s',
				peer: { name: 'Webhook node', value: median(results.peer) },
				ours: median(results.ours),
				ratio: timesBetter.whereMoreIsBetter(results.ours, results.peer),
				targets: [target.timesBetter(0.95)],
				note: `a trigger with nothing but n8n's engine: ${median(results.bare).toFixed(1)} (${timesBetter.whereMoreIsBetter(results.bare, results.peer).median.toFixed(2)})`,
			},
		];
	} finally {
		await n8n.stop();
	}
}
