import type { OnError } from 'n8n-workflow';

import type { Bench } from '../bench.mts';
import type { JobNode, JobResult } from '../engine/job.mts';
import { median, type Row, target } from '../figures.mts';
import { createWithHttpRequest, createWithOurs } from './createCustomers.mts';

/** Enough to lose some. Each refusal makes all requests wait, and there is one in nearly every handful. */
const ITEMS = 300;
const PROBABILITY = 0.3;
const RETRY_AFTER_SECONDS = 1;

/** The most that n8n's Retry On Fail can be set to try. */
const retryOnFail = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1_000 };

interface Storm extends JobResult {
	requests: number;
}

/** 300 writes while the tenant answers part of the requests with 429. */
export async function rateLimit(bench: Bench): Promise<Row[]> {
	const engine = await bench.engines.start();
	const weather = async (node: JobNode, profile?: string): Promise<Storm> => {
		await bench.tenant.reset();
		await bench.tenant.limitRate(PROBABILITY, RETRY_AFTER_SECONDS);
		await bench.tenant.traffic();
		const input = bench.newPeople(bench.scaled(ITEMS));
		const result = await engine.call('run', { ...bench.job([node], input), profile });
		const { requests } = await bench.tenant.traffic();
		return { ...result, requests };
	};
	const carryOn: OnError = 'continueRegularOutput';
	const peers = {
		stops: createWithHttpRequest(bench, retryOnFail),
		continues: createWithHttpRequest(bench, { ...retryOnFail, onError: carryOn }),
	};
	const own = createWithOurs(bench, { onError: carryOn });
	const results = await bench.inTurns(
		{ seconds: 60, least: 2, warmUp: false },
		{
			peerThatStops: async (profile) => await weather(peers.stops, profile),
			peerThatContinues: async (profile) => await weather(peers.continues, profile),
			ours: async (profile) => await weather(own, profile),
		},
		({ failed, requests, milliseconds }) =>
			`${failed} failed, ${requests} requests, ${(milliseconds / 1_000).toFixed(1)} s`,
	);
	await bench.engines.stop(engine);

	const failed = (storms: Storm[]) => storms.map((storm) => storm.failed);
	const seconds = (storms: Storm[]) => median(storms.map(({ milliseconds }) => milliseconds / 1_000));
	const { ours, peerThatStops, peerThatContinues } = results;
	const row = (name: string, peer: Storm[]): Row => ({
		measure: '429 storm: items that fail',
		unit: 'items',
		peer: { name, value: median(failed(peer)) },
		ours: Math.max(...failed(ours)),
		targets: [target.atMost(0)],
		note: `in ${seconds(ours).toFixed(0)} s against ${seconds(peer).toFixed(0)} s, with ${median(ours.map(({ requests }) => requests))} requests against ${median(peer.map(({ requests }) => requests))}`,
	});
	return [
		row('HTTP Request, Retry On Fail', peerThatStops),
		row('HTTP Request, Retry On Fail and Continue', peerThatContinues),
	];
}
