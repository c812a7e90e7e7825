import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { seed } from '../../sandbox/control/seed.mts';
import { type FaultRule, startSandbox } from '../../sandbox/server.mts';

/** What the tenant has seen. */
export interface Traffic {
	requests: number;
	/** Requests that had arrived and were not yet answered, at the highest. */
	mostInFlight: number;
	/** Milliseconds in which it had at least one request to answer. */
	busy: number;
	/** Milliseconds from the arrival of the first request to the last answer. */
	span: number;
}

/** The sandbox, in another process than the nodes, so that its work is not counted as theirs. */
export async function startTenant() {
	const sandbox = await startSandbox({ record: false });
	const nothing: Traffic = { requests: 0, mostInFlight: 0, busy: 0, span: 0 };
	const seen = { ...nothing };
	let [inFlight, firstAt, busyAt] = [0, 0, 0];
	// Node.js itself tells of every request, so that the sandbox needs no change and no proxy slows it down.
	subscribe('http.server.request.start', (event) => {
		const { request, response } = event as { request: IncomingMessage; response: ServerResponse };
		if (!request.url?.startsWith('/third-party/')) return;
		if (seen.requests++ === 0) firstAt = performance.now();
		if (inFlight === 0) busyAt = performance.now();
		seen.mostInFlight = Math.max(seen.mostInFlight, ++inFlight);
		response.once('close', () => {
			if (--inFlight === 0) seen.busy += performance.now() - busyAt;
			seen.span = performance.now() - firstAt;
		});
	});
	return {
		url: sandbox.url,
		token: sandbox.token,
		baseUrl: `${sandbox.url}/third-party/v1`,
		/** Back to the demo data, with these faults and no others. */
		async reset(...faults: FaultRule[]) {
			await sandbox.reset();
			for (const rule of faults) sandbox.faults.add(rule);
		},
		seed: (profiles: number) => seed(sandbox.store, { profiles }),
		/** What has arrived since the last time this was asked. */
		traffic(): Traffic {
			const traffic = { ...seen };
			Object.assign(seen, nothing);
			return traffic;
		},
		stop: async () => await sandbox.close(),
	};
}

/** Answers every request later by so many milliseconds. */
export const latency = (ms: number): FaultRule[] => (ms > 0 ? [{ kind: 'latency', ms }] : []);
