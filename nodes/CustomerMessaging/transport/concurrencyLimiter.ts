import pLimit from 'p-limit';

import { wait } from './wait';

/** Maximum number of requests in flight at the start. The limit grows while responses are fast. */
const FIRST_IN_FLIGHT = 10;

/** Lower bound of the limit for a slow or busy tenant, so that the run still finishes. */
const MIN_IN_FLIGHT = 4;

/** A response is slow if it takes longer than `SLOW_FACTOR` times the fastest response plus `NOISE_MS`. */
const SLOW_FACTOR = 3;
const NOISE_MS = 50;

/** After a halving, the limiter does not halve again for this time. So one slow moment halves the limit only once. */
const SETTLING_MS = 500;

/**
 * A concurrency limiter: it bounds the requests in flight of one run of a node, and it can pause all of them.
 *
 * The limit adapts by additive increase and multiplicative decrease. Each fast response adds one. A slow response or a
 * *Too Many Requests* halves the limit. After *Too Many Requests*, all requests of the run wait.
 */
export class ConcurrencyLimiter {
	private readonly queue = pLimit(FIRST_IN_FLIGHT);

	private limit: number;

	private quickest = Infinity;

	private settledAt = 0;

	private pausedUntil = 0;

	/** @param maximum upper bound of the requests in flight, even if responses are fast */
	constructor(readonly maximum: number) {
		this.limit = Math.min(FIRST_IN_FLIGHT, maximum);
		this.queue.concurrency = this.limit;
	}

	/** Runs a request as soon as the limit allows it and no pause is active. */
	async run<T>(request: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
		return await this.queue(async () => {
			await this.waitForPause(signal);
			const startedAt = Date.now();
			const result = await request();
			// A response that started a pause does not change the limit.
			if (Date.now() >= this.pausedUntil) this.answered(Date.now() - startedAt);
			return result;
		});
	}

	/** Makes all requests wait, and halves the limit. The tenant has answered *Too Many Requests*. */
	pause(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + milliseconds);
		this.halve();
	}

	private async waitForPause(signal: AbortSignal | undefined): Promise<void> {
		while (Date.now() < this.pausedUntil && !signal?.aborted)
			await wait(this.pausedUntil - Date.now(), signal);
	}

	private answered(milliseconds: number): void {
		this.quickest = Math.min(this.quickest, milliseconds);
		if (milliseconds > this.quickest * SLOW_FACTOR + NOISE_MS) this.halve();
		else this.setLimit(this.limit + 1);
	}

	private halve(): void {
		if (Date.now() < this.settledAt) return;
		this.settledAt = Date.now() + SETTLING_MS;
		this.setLimit(this.limit / 2);
	}

	private setLimit(requests: number): void {
		this.limit = Math.min(this.maximum, Math.max(MIN_IN_FLIGHT, requests));
		this.queue.concurrency = Math.floor(this.limit);
	}
}
