import pLimit from 'p-limit';

import { wait } from './wait';

/** Requests in flight at the start; more come while answers stay quick. */
const FIRST_IN_FLIGHT = 10;

/** Requests in flight that a slow or busy tenant is left with, so that the run comes to its end. */
const MIN_IN_FLIGHT = 4;

/** Answers count as slow when they take so many times as long as the quickest, plus what is lost in the noise. */
const SLOW_FACTOR = 3;
const NOISE_MS = 50;

/** How long the limit is kept after it was halved, so that one slow moment halves it once. */
const SETTLING_MS = 500;

/**
 * An adaptive concurrency limit: how many requests of one run of a node are in flight, and when the next may go out.
 *
 * It adds one with each quick answer and halves when answers slow down or the tenant says that it is too much (additive
 * increase, multiplicative decrease). In the second case all requests of the run wait together.
 */
export class ConcurrencyLimiter {
	private readonly queue = pLimit(FIRST_IN_FLIGHT);

	private limit: number;

	private quickest = Infinity;

	private settledAt = 0;

	private pausedUntil = 0;

	/** @param maximum requests in flight, however quick the answers are */
	constructor(readonly maximum: number) {
		this.limit = Math.min(FIRST_IN_FLIGHT, maximum);
		this.queue.concurrency = this.limit;
	}

	/** Runs a request when its turn comes and no pause is on. */
	async run<T>(request: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
		return await this.queue(async () => {
			await this.waitForPause(signal);
			const startedAt = Date.now();
			const result = await request();
			// An answer that asked for a pause says nothing about the limit.
			if (Date.now() >= this.pausedUntil) this.answered(Date.now() - startedAt);
			return result;
		});
	}

	/** The tenant said that it is too much: all wait, and half as many go on. */
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
