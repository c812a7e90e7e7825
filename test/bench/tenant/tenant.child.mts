import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { seed } from '../../../sandbox/control/seed.mts';
import { type FaultRule, startSandbox } from '../../../sandbox/server.mts';
import { answerCalls } from '../calls.mts';

/** What the tenant has seen since the last reset of the counts. */
export interface Traffic {
	requests: number;
	/** Requests that had arrived and were not yet answered, at the highest. */
	mostInFlight: number;
	/** In which it had at least one request to answer. */
	milliseconds: number;
	/** From the arrival of the first request to the last answer. */
	span: number;
}

const nothing: Traffic = { requests: 0, mostInFlight: 0, milliseconds: 0, span: 0 };
const traffic = { ...nothing };
let inFlight = 0;
let firstAt = 0;
/** Since when there is something to answer. */
let busyAt = 0;

// Node.js itself tells of every request, so that the sandbox needs no change and no proxy slows it down.
subscribe('http.server.request.start', (event) => {
	const { request, response } = event as { request: IncomingMessage; response: ServerResponse };
	if (!request.url?.startsWith('/third-party/')) return;
	if (traffic.requests++ === 0) firstAt = performance.now();
	if (inFlight === 0) busyAt = performance.now();
	traffic.mostInFlight = Math.max(traffic.mostInFlight, ++inFlight);
	response.once('close', () => {
		if (--inFlight === 0) traffic.milliseconds += performance.now() - busyAt;
		traffic.span = performance.now() - firstAt;
	});
});

const running = startSandbox({ record: false });

const api = {
	async address() {
		const { url, token } = await running;
		return { url, token };
	},
	/** Back to the demo data, without faults. */
	async reset() {
		await (await running).reset();
	},
	async seed(profiles: number) {
		seed((await running).store, { profiles });
	},
	/** Replaces all faults. */
	async faults(rules: FaultRule[]) {
		const { faults } = await running;
		faults.clear();
		for (const rule of rules) faults.add(rule);
	},
	/** What has arrived since the last time this was asked. */
	traffic(): Traffic {
		const seen = { ...traffic };
		Object.assign(traffic, nothing);
		return seen;
	},
};

export type TenantApi = typeof api;

answerCalls(api);
