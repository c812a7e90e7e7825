// Measures how many webhook executions per second n8n gets through with one and with two workers, and prints a table for
// docs/maintainers/benchmarks.md. Each execution sends a template to the sandbox.
import { cpus } from 'node:os';

import { waitFor } from '../waitFor.mts';
import { chatAppAgentId, startCluster } from './cluster.mts';
import { nextEvent, timesSent } from './events.mts';
import { Sender } from './sender.mts';
import { publishSteps, sendStep, trigger } from './workflows.mts';

const EVENTS = 1_000;
const WARM_UP = 50;

interface Throughput {
	/** Deliveries answered per second. */
	answered: number;
	/** Executions ended per second. */
	executed: number;
}

async function measure(workers: number): Promise<Throughput> {
	const cluster = await startCluster({ workers });
	try {
		const steps = [trigger('onReceived'), sendStep(cluster, await chatAppAgentId(cluster))];
		const { urls } = await publishSteps(cluster, 'Measured', steps);
		const run = async (count: number): Promise<Throughput> => {
			const events = Array.from({ length: count }, nextEvent);
			cluster.sandbox.clearRequests();
			const started = Date.now();
			const perSecond = () => Math.round((count / (Date.now() - started)) * 10_000) / 10;
			await new Sender(urls).all(events, 20);
			const answered = perSecond();
			const areSent = () => timesSent(cluster, events).every((times) => times > 0) || undefined;
			await waitFor('all executions', areSent);
			return { answered, executed: perSecond() };
		};
		await run(WARM_UP);
		return await run(EVENTS);
	} finally {
		await cluster.stop();
	}
}

async function main(): Promise<void> {
	console.log(`${EVENTS} deliveries, 20 at once, 2 webhook processors; ${cpus().length} cores`);
	console.log('| Workers | Answered per second | Executed per second |\n|---|---|---|');
	for (const workers of [1, 2]) {
		const { answered, executed } = await measure(workers);
		console.log(`| ${workers} | ${answered} | ${executed} |`);
	}
}

void main();
