import type { Bench } from '../bench.mts';
import type { JobNode, TogetherResult } from '../engine/job.mts';
import { median, percentile, timesBetter, type Row, target } from '../figures.mts';
import { createWithHttpRequest, createWithOurs } from './createCustomers.mts';

const EXECUTIONS = 200;
const PER_SECOND = 20;
/** The default of Maximum in Flight. */
const LIMIT = 40;
const BULK_ITEMS = 10_000;
const SINGLES = 100;
const LATENCY_MS = 20;

/** The most that n8n's Retry On Fail can be set to try and to wait. */
const retryOnFail = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 };

interface Together extends TogetherResult {
	mostInFlight: number;
	requests: number;
	span: number;
}

/** Many executions of one item at once, while the tenant takes 20 requests per second. */
async function together(bench: Bench): Promise<Row[]> {
	const engine = await bench.engines.start();
	const executions = bench.scaled(EXECUTIONS);
	const run = async (node: JobNode, limit?: { quotaHeaders: boolean }): Promise<Together> => {
		await bench.tenant.reset();
		await bench.tenant.setLatency(0);
		if (limit) await bench.tenant.limitPerSecond(PER_SECOND, limit.quotaHeaders);
		await bench.tenant.traffic();
		const result = await engine.call('runTogether', bench.job([node], bench.newPeople(executions)));
		const { mostInFlight, requests, span } = await bench.tenant.traffic();
		return { ...result, mostInFlight, requests, span };
	};
	const nodes = { peer: createWithHttpRequest(bench, retryOnFail), ours: createWithOurs(bench) };
	const results = await bench.inTurns(
		{ seconds: 100, least: 2, warmUp: false },
		{
			peer: async () => await run(nodes.peer, { quotaHeaders: false }),
			ours: async () => await run(nodes.ours, { quotaHeaders: false }),
			oursWithQuota: async () => await run(nodes.ours, { quotaHeaders: true }),
			peerWithoutLimit: async () => await run(nodes.peer),
			oursWithoutLimit: async () => await run(nodes.ours),
		},
		({ failed, requests, mostInFlight, span, milliseconds }) =>
			`${failed} failed, ${requests} requests, ${mostInFlight} in flight, ${(span / 1_000).toFixed(1)} of ${(milliseconds / 1_000).toFixed(1)} s`,
	);
	await bench.engines.stop(engine);
	// The bucket is full at first.
	const least = ((executions - PER_SECOND) / PER_SECOND) * 1_000;
	const name = `${EXECUTIONS} executions at once, ${PER_SECOND} requests/s`;
	const peerName = 'HTTP Request, Retry On Fail';
	const row = (what: string, unit: string, of: (result: Together) => number, most: number): Row => ({
		measure: `${name}: ${what}`,
		unit,
		peer: { name: peerName, value: median(results.peer.map(of)) },
		ours: Math.max(...results.ours.map(of)),
		targets: [target.atMost(most)],
	});
	/** Pair by pair, by what neither the limit nor n8n allows to be shorter: it has to start all executions, also without a limit. */
	const timesLeast = (limited: Together[], free: Together[]) =>
		limited.map(({ span }, round) => span / Math.max(least, free[round].span));
	const seconds = (list: Together[]) => (median(list.map(({ span }) => span)) / 1_000).toFixed(1);
	const requests = (list: Together[]) => median(list.map((result) => result.requests));
	const { ours, peer, oursWithQuota: told, oursWithoutLimit: free, peerWithoutLimit: peerFree } = results;
	return [
		row('executions that fail', 'executions', ({ failed }) => failed, 0),
		row('most in flight', 'requests', ({ mostInFlight }) => mostInFlight, LIMIT),
		{
			measure: `${name}: time from the first request, by the least that the limit and the start of the executions allow`,
			unit: 'times',
			peer: { name: peerName, value: median(timesLeast(peer, peerFree)) },
			ours: Math.max(...timesLeast(ours, free)),
			targets: [target.atMost(1.2)],
			note: `${requests(ours)} requests in ${seconds(ours)} s. The limit allows ${least / 1_000} s, and n8n takes ${seconds(free)} s without it. Where the tenant tells its quota in headers ${requests(told)} requests, in ${median(timesLeast(told, free)).toFixed(2)} times the least, ${Math.max(...told.map(({ failed }) => failed))} failed`,
		},
	];
}

/** Single messages of other executions while 10,000 items go out. */
async function beside(bench: Bench): Promise<Row[]> {
	const engine = await bench.engines.start();
	await bench.tenant.reset();
	await bench.tenant.setLatency(LATENCY_MS);
	const during = async (node: JobNode) => {
		const result = await engine.call('runBeside', {
			main: bench.job([node], bench.newPeople(bench.scaled(BULK_ITEMS))),
			single: bench.job([node], bench.newPeople(SINGLES)),
		});
		if (result.failed > 0 || result.besideFailed > 0) {
			throw new Error(`${node.type}: ${result.failed} items and ${result.besideFailed} singles failed`);
		}
		return percentile(result.beside, 95);
	};
	const nodes = { peer: createWithHttpRequest(bench), ours: createWithOurs(bench) };
	const { peer, ours } = await bench.inTurns(
		{ seconds: 60, warmUp: false },
		{ peer: async () => await during(nodes.peer), ours: async () => await during(nodes.ours) },
		(milliseconds) => `p95 ${milliseconds.toFixed(0)} ms`,
	);
	await bench.engines.stop(engine);
	return [
		{
			measure: 'single execution during 10,000 items: p95',
			unit: 'ms',
			peer: { name: 'HTTP Request', value: median(peer) },
			ours: median(ours),
			ratio: timesBetter.whereLessIsBetter(ours, peer),
			targets: [target.timesBetter(1)],
		},
	];
}

/** How executions that run at the same time share a tenant. */
export async function pace(bench: Bench): Promise<Row[]> {
	return [...(await together(bench)), ...(await beside(bench))];
}
