import { randomUUID } from 'node:crypto';

import { startCluster } from '../../n8n/queue/cluster.mts';
import { nextEvent } from '../../n8n/queue/events.mts';
import { Sender } from '../../n8n/queue/sender.mts';
import { type Published, publishSteps, type Step, trigger, webhook } from '../../n8n/queue/workflows.mts';
import type { Bench } from '../bench.mts';
import { median, type Row, target, timesBetter } from '../figures.mts';
import { untilExecuted } from './webhooks.mts';

const DELIVERIES = 150;
const AT_ONCE = 20;

interface Throughput {
	/** Deliveries answered per second. */
	answered: number;
	/** Executions ended per second. */
	executed: number;
}

const nothing: Step = { name: 'Nothing', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

/** A trigger with nothing but n8n's engine. */
function bareTrigger(): Step {
	const webhookId = randomUUID();
	return {
		name: 'Bare',
		type: 'CUSTOM.bareTrigger',
		typeVersion: 1,
		webhookId,
		parameters: {},
		path: `${webhookId}/webhook`,
	};
}

/** Deliveries to n8n in queue mode: two webhook processors and two workers, all workflows published in the same n8n. */
export async function queueMode(bench: Bench): Promise<Row[]> {
	const cluster = await startCluster({ env: { N8N_CUSTOM_EXTENSIONS: await bench.place.bareTrigger() } });
	try {
		const peer = await publishSteps(cluster, 'Webhook', [webhook('onReceived'), nothing]);
		const ours = await publishSteps(cluster, 'Trigger', [trigger('onReceived'), nothing]);
		const bare = await publishSteps(cluster, 'Bare', [bareTrigger(), nothing]);
		const deliver = async ({ id, urls }: Published): Promise<Throughput> => {
			const count = bench.scaled(DELIVERIES);
			const before = await cluster.rest.successesOf(id);
			const startedAt = performance.now();
			const perSecond = () => (count / (performance.now() - startedAt)) * 1_000;
			await new Sender(urls).all(Array.from({ length: count }, nextEvent), AT_ONCE);
			const answered = perSecond();
			await untilExecuted(cluster.rest, id, before, count);
			return { answered, executed: perSecond() };
		};
		const results = await bench.inTurns(
			{ seconds: 80 },
			{
				peer: async () => await deliver(peer),
				ours: async () => await deliver(ours),
				bare: async () => await deliver(bare),
			},
			({ answered, executed }) => `${answered.toFixed(0)} answered and ${executed.toFixed(0)} executed per s`,
		);
		const row = (what: keyof Throughput): Row => {
			const of = (list: Throughput[]) => list.map((one) => one[what]);
			return {
				measure: `Deliveries in queue mode, in the same n8n: ${what}`,
				unit: 'per s',
				peer: { name: 'Webhook node', value: median(of(results.peer)) },
				ours: median(of(results.ours)),
				ratio: timesBetter.whereMoreIsBetter(of(results.ours), of(results.peer)),
				targets: [target.timesBetter(0.9)],
				note: `a trigger with nothing but n8n's engine: ${median(of(results.bare)).toFixed(1)} (${timesBetter.whereMoreIsBetter(of(results.bare), of(results.peer)).median.toFixed(2)})`,
			};
		};
		return [row('answered'), row('executed')];
	} finally {
		await cluster.stop();
	}
}
