import { sleep } from 'n8n-workflow';
import pLimit from 'p-limit';

/** Requests in flight at the start; more come while answers stay quick. */
const FIRST_IN_FLIGHT = 10;

/** Requests in flight that a slow or busy tenant is left with, so that the run comes to its end. */
const LEAST_IN_FLIGHT = 4;

/** Answers count as slow when they take so many times as long as the quickest, plus what is lost in the noise. */
const SLOW_FACTOR = 3;
const NOISE_MS = 50;

/** How long the pace is kept after it was halved, so that one slow moment halves it once. */
const SETTLING_MS = 500;

/** Longest uninterrupted wait, after which a stopped execution is noticed. */
const SLICE_MS = 250;

/** Waits, but no longer than the execution goes on. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = Date.now() + milliseconds;
	while (Date.now() < end && !signal?.aborted) await sleep(Math.min(SLICE_MS, end - Date.now()));
}

/**
 * How many requests of one run of a node are in flight, and when the next may go out.
 *
 * It finds out what the tenant bears: more with each quick answer, half when answers slow down or the tenant says that it
 * is too much; then all requests of the run wait together.
 */
export class Pace {
	private readonly limit = pLimit(FIRST_IN_FLIGHT);

	/** Requests that may be in flight. */
	private allowed: number;

	private quickest = Infinity;

	private settledAt = 0;

	private pausedUntil = 0;

	/** @param most requests in flight, however quick the answers are */
	constructor(readonly most: number) {
		this.allowed = Math.min(FIRST_IN_FLIGHT, most);
		this.limit.concurrency = this.allowed;
	}

	/** Runs a request when its turn comes and no pause is on. */
	async run<T>(request: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
		return await this.limit(async () => {
			await this.pauseOver(signal);
			const startedAt = Date.now();
			const result = await request();
			// An answer that asked for a pause says nothing about the pace.
			if (Date.now() >= this.pausedUntil) this.answered(Date.now() - startedAt);
			return result;
		});
	}

	/** The tenant said that it is too much: all wait, and half as many go on. */
	pause(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + milliseconds);
		this.halve();
	}

	private async pauseOver(signal: AbortSignal | undefined): Promise<void> {
		while (Date.now() < this.pausedUntil && !signal?.aborted)
			await wait(this.pausedUntil - Date.now(), signal);
	}

	private answered(milliseconds: number): void {
		this.quickest = Math.min(this.quickest, milliseconds);
		if (milliseconds > this.quickest * SLOW_FACTOR + NOISE_MS) this.halve();
		else this.allow(this.allowed + 1);
	}

	private halve(): void {
		if (Date.now() < this.settledAt) return;
		this.settledAt = Date.now() + SETTLING_MS;
		this.allow(this.allowed / 2);
	}

	private allow(requests: number): void {
		this.allowed = Math.min(this.most, Math.max(LEAST_IN_FLIGHT, requests));
		this.limit.concurrency = Math.floor(this.allowed);
	}
}
