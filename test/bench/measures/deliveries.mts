import { randomUUID } from 'node:crypto';

import pLimit from 'p-limit';

import { TRIGGER_TYPE, WEBHOOK_CREDENTIAL_TYPE, WEBHOOK_PATH } from '../../n8n/e2e/tenantAndN8n.mts';
import { freePort } from '../../n8n/ports.mts';
import { type Cluster, startCluster } from '../../n8n/queue/cluster.mts';
import { nextEvent } from '../../n8n/queue/events.mts';
import { json, Sender } from '../../n8n/queue/sender.mts';
import { publishSteps, type Step, trigger, webhook } from '../../n8n/queue/workflows.mts';
import { N8nRest } from '../../n8n/rest.mts';
import { startN8n } from '../../n8n/server.mts';
import { ownerSettings } from '../../n8n/settings.mts';
import { waitFor } from '../../n8n/waitFor.mts';
import type { Bench } from '../bench.mts';
import { type Row, row } from '../rows.mts';

const DELIVERIES = 150;

const SECRET = { name: 'X-Webhook-Secret', value: 'a-secret-of-the-benchmark' };

/** Delivers events to workflows of a trigger and a step that does nothing, both published in the same n8n. */
async function deliver(
	bench: Bench,
	n8n: Pick<Cluster, 'rest'> & { webhooks: Array<{ url: string }> },
	steps: Record<'peer' | 'ours', Step>,
	{ seconds, atOnce }: { seconds: number; atOnce: number },
) {
	const nothing: Step = { name: 'Nothing', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	const published = {
		peer: await publishSteps(n8n, 'Peer', [steps.peer, nothing]),
		ours: await publishSteps(n8n, 'Ours', [steps.ours, nothing]),
	};
	const to = async ({ id, urls }: typeof published.ours) => {
		const count = bench.scaled(DELIVERIES);
		const before = await n8n.rest.successesOf(id);
		const [sender, limit] = [new Sender(urls), pLimit(atOnce)];
		const startedAt = performance.now();
		const perSecond = () => (count / (performance.now() - startedAt)) * 1_000;
		const one = async () => {
			const { headers, body } = json(nextEvent());
			await sender.untilHeard({ headers: { ...headers, [SECRET.name]: SECRET.value }, body });
		};
		await Promise.all(Array.from({ length: count }, () => limit(one)));
		const answered = perSecond();
		// None of one side shall disturb the other.
		const executed = async () => (await n8n.rest.successesOf(id)) - before;
		await waitFor(`${count} executions`, async () => (await executed()) >= count || undefined);
		const executedPerSecond = perSecond();
		if ((await executed()) !== count)
			throw new Error(`${count} deliveries led to ${await executed()} executions`);
		return { answered, executed: executedPerSecond };
	};
	const { peer, ours } = await bench.inTurns(
		{ seconds },
		{ peer: async () => await to(published.peer), ours: async () => await to(published.ours) },
		({ answered, executed }) => `${answered.toFixed(0)} answered and ${executed.toFixed(0)} executed per s`,
	);
	type Results = typeof ours;
	return (measure: string, what: 'answered' | 'executed', timesBetter: number): Row => {
		const of = (results: Results) => results.map((result) => result[what]);
		return row(measure, 'per s', of(ours), ['Webhook node', of(peer)], { better: 'more', timesBetter });
	};
}

/** Deliveries that a real n8n accepts, each with a secret that its trigger checks. */
export async function webhooks(bench: Bench): Promise<Row[]> {
	const { installation, userFolder } = bench.place;
	const n8n = await startN8n({ installation, userFolder, port: await freePort(), env: ownerSettings() });
	try {
		const rest = await N8nRest.logIn(n8n.url);
		const ofPeer = await rest.createCredential({ name: 'Peer', type: 'httpHeaderAuth', data: SECRET });
		const ofOurs = await rest.createCredential({
			name: 'Ours',
			type: WEBHOOK_CREDENTIAL_TYPE,
			data: { method: 'headerSecret', headerName: SECRET.name, secret: SECRET.value },
		});
		const [path, webhookId] = [randomUUID(), randomUUID()];
		const peer: Step = {
			name: 'Peer',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			webhookId: path,
			path,
			parameters: { httpMethod: 'POST', path, authentication: 'headerAuth', options: {} },
			credentials: { httpHeaderAuth: ofPeer },
		};
		const ours: Step = {
			name: 'Ours',
			type: TRIGGER_TYPE,
			typeVersion: 1,
			webhookId,
			parameters: {},
			path: `${webhookId}/${WEBHOOK_PATH}`,
			credentials: { [WEBHOOK_CREDENTIAL_TYPE]: ofOurs },
		};
		const turns = { seconds: 70, atOnce: 8 };
		const rowOf = await deliver(bench, { rest, webhooks: [n8n] }, { peer, ours }, turns);
		return [rowOf('Accepted webhook deliveries, in the same n8n', 'answered', 0.95)];
	} finally {
		await n8n.stop();
	}
}

/** Deliveries to n8n in queue mode, with two webhook processors and two workers. */
export async function queueMode(bench: Bench): Promise<Row[]> {
	const cluster = await startCluster();
	try {
		const steps = { peer: webhook('onReceived'), ours: trigger('onReceived') };
		const rowOf = await deliver(bench, cluster, steps, { seconds: 80, atOnce: 20 });
		const name = 'Deliveries in queue mode, in the same n8n';
		return [rowOf(`${name}: answered`, 'answered', 0.9), rowOf(`${name}: executed`, 'executed', 0.9)];
	} finally {
		await cluster.stop();
	}
}
