import type { OnError } from 'n8n-workflow';

import type { FaultRule } from '../../../sandbox/server.mts';
import type { Bench } from '../bench.mts';
import type { JobNode } from '../engine.mts';
import { highest, median, percentile, type Row, row } from '../rows.mts';
import { latency } from '../tenant.mts';
import { createWithHttpRequest, createWithOurs, LIMIT } from './singleWrites.mts';

/** The most that n8n's Retry On Fail can be set to try. */
const retryOnFail = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1_000 };

/** 300 writes while the tenant answers part of the requests with 429: enough to lose some. */
export async function rateLimit(bench: Bench): Promise<Row[]> {
	const onError: OnError = 'continueRegularOutput';
	const nodes = {
		peerThatStops: createWithHttpRequest(bench, retryOnFail),
		peerThatContinues: createWithHttpRequest(bench, { ...retryOnFail, onError }),
		ours: createWithOurs(bench, { onError }),
	};
	const results = await bench.withEngine(async (engine) => {
		const run = (node: JobNode) => async () => {
			await bench.tenant.reset({ kind: 'rate-limit', probability: 0.3, retryAfter: 1 });
			return await bench.write(engine, node, 300);
		};
		return await bench.inTurns(
			{ seconds: 60, least: 2, warmUp: false },
			{
				peerThatStops: run(nodes.peerThatStops),
				peerThatContinues: run(nodes.peerThatContinues),
				ours: run(nodes.ours),
			},
			({ failed, requests, milliseconds }) =>
				`${failed} failed, ${requests} requests, ${(milliseconds / 1_000).toFixed(1)} s`,
		);
	});
	const { ours, peerThatStops, peerThatContinues } = results;
	const seconds = (storms: typeof ours) =>
		(median(storms.map(({ milliseconds }) => milliseconds)) / 1_000).toFixed(0);
	const requests = (storms: typeof ours) => median(storms.map((storm) => storm.requests));
	const failed = (storms: typeof ours) => storms.map((storm) => storm.failed);
	const failures = (name: string, peer: typeof ours): Row =>
		row('429 storm: items that fail', 'items', failed(ours), [name, failed(peer)], {
			of: highest,
			ofPeer: median,
			atMost: 0,
			note: `in ${seconds(ours)} s against ${seconds(peer)} s, with ${requests(ours)} requests against ${requests(peer)}`,
		});
	return [
		failures('HTTP Request, Retry On Fail', peerThatStops),
		failures('HTTP Request, Retry On Fail and Continue', peerThatContinues),
	];
}

const EXECUTIONS = 200;
const PER_SECOND = 20;

/** Many executions of one item at once, while the tenant takes 20 requests per second. */
async function together(bench: Bench): Promise<Row[]> {
	const nodes = {
		peer: createWithHttpRequest(bench, { ...retryOnFail, waitBetweenTries: 5_000 }),
		ours: createWithOurs(bench),
	};
	const results = await bench.withEngine(async (engine) => {
		const limit: FaultRule = { kind: 'rate-limit', perSecond: PER_SECOND };
		const run =
			(node: JobNode, ...faults: FaultRule[]) =>
			async () => {
				await bench.tenant.reset(...faults);
				bench.tenant.traffic();
				const result = await engine.call('runTogether', bench.job([node], bench.newPeople(EXECUTIONS)));
				return { ...result, ...bench.tenant.traffic() };
			};
		return await bench.inTurns(
			{ seconds: 100, least: 2, warmUp: false },
			{
				peer: run(nodes.peer, limit),
				ours: run(nodes.ours, limit),
				peerWithoutLimit: run(nodes.peer),
				oursWithoutLimit: run(nodes.ours),
			},
			({ failed, requests, mostInFlight, span, milliseconds }) =>
				`${failed} failed, ${requests} requests, ${mostInFlight} in flight, ${(span / 1_000).toFixed(1)} of ${(milliseconds / 1_000).toFixed(1)} s`,
		);
	});
	const { ours, peer, oursWithoutLimit: free, peerWithoutLimit: peerFree } = results;
	type Together = (typeof ours)[number];
	// The bucket is full at first.
	const least = ((bench.scaled(EXECUTIONS) - PER_SECOND) / PER_SECOND) * 1_000;
	/** By what neither the limit nor n8n allows to be shorter: it has to start all executions, also without a limit. */
	const timesLeast = (limited: Together[], without: Together[]) =>
		limited.map(({ span }, round) => span / Math.max(least, without[round].span));
	const seconds = (list: Together[]) => (median(list.map(({ span }) => span)) / 1_000).toFixed(1);
	const requests = (list: Together[]) => median(list.map((result) => result.requests));
	const name = `${EXECUTIONS} executions at once, ${PER_SECOND} requests/s`;
	const peerName = 'HTTP Request, Retry On Fail';
	const count = (what: string, unit: string, of: (one: Together) => number, atMost: number) =>
		row(`${name}: ${what}`, unit, ours.map(of), [peerName, peer.map(of)], {
			of: highest,
			ofPeer: median,
			atMost,
		});
	const time =
		'time from the first request, by the least that the limit and the start of the executions allow';
	const times = timesLeast(ours, free);
	return [
		count('executions that fail', 'executions', ({ failed }) => failed, 0),
		count('most in flight', 'requests', ({ mostInFlight }) => mostInFlight, LIMIT),
		row(`${name}: ${time}`, 'times', times, [peerName, timesLeast(peer, peerFree)], {
			atMost: 1.2,
			note: `${requests(ours)} requests in ${seconds(ours)} s. The limit allows ${least / 1_000} s, and n8n takes ${seconds(free)} s without it.`,
		}),
	];
}

/** Single executions while one of 10,000 items runs. */
async function beside(bench: Bench): Promise<Row[]> {
	const { peer, ours } = await bench.withEngine(async (engine) => {
		await bench.tenant.reset(...latency(20));
		const during = (node: JobNode) => async () => {
			const main = bench.job([node], bench.newPeople(10_000));
			const single = bench.job([node], bench.newPeople(100));
			const result = await engine.call('runBeside', { main, single });
			if (result.failed > 0) throw new Error(`${node.type}: ${result.failed} items failed`);
			return percentile(result.beside, 95);
		};
		return await bench.inTurns(
			{ seconds: 60, warmUp: false },
			{ peer: during(createWithHttpRequest(bench)), ours: during(createWithOurs(bench)) },
			(milliseconds) => `p95 ${milliseconds.toFixed(0)} ms`,
		);
	});
	const measure = 'single execution during 10,000 items: p95';
	return [row(measure, 'ms', ours, ['HTTP Request', peer], { better: 'less', timesBetter: 1 })];
}

/** How executions that run at the same time share a tenant. */
export const pace = async (bench: Bench): Promise<Row[]> => [
	...(await together(bench)),
	...(await beside(bench)),
];
