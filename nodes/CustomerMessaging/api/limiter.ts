import { sleep } from 'n8n-workflow';

import { WATCH_MS } from './context';

/** Maximum number of requests in flight at the start, so that not all of them fail where the first one does. */
const FIRST_IN_FLIGHT = 6;

/** So many refusals more than successes are a limit of the tenant. Fewer are chance, and concern one request each. */
const REFUSALS_OF_LIMIT = 6;

/** Maximum time of one pause. After it, requests find out whether the tenant still asks to wait. */
const MAX_PAUSE_MS = 60_000;

export interface Asker {
	/** The run of a node. Runs take turns, however many requests each of them has. */
	run: object;
	/** Time of the process (`performance.now()`) after which the request must not begin. */
	deadline: number;
	/** Time of the process until which the run waits for a tenant that refuses everything. */
	giveUpAt: (refusedSince: number) => number;
	/** Whether the request had a turn before. It then comes first, so that few attempts suffice. */
	isRepeat: boolean;
	signal?: AbortSignal;
}

/** Why a request begins or not: it has its turn, its time is over, or its execution was stopped. */
export type Turn = 'now' | 'late' | 'stopped';
type Waiter = Asker & { settle: (turn: Turn) => void };

/**
 * Bounds the requests in flight to one tenant: half as many after a refusal, and one more after a success. After many refusals,
 * all requests wait as long as the tenant asks.
 */
export class Limiter {
	private limit = FIRST_IN_FLIGHT;
	private inFlight = 0;
	private refusals = 0;

	/** Requests that wait, by their run, or repeats by `this`. The run whose turn is next comes first. */
	private readonly queues = new Map<object, Waiter[]>();

	/** Time of the process at which the pause ends; in the past without a pause. Only the limiter sets it. */
	pauseEnd = 0;

	/** Time of the process from which on the tenant has refused every request; infinite if it has not. */
	private refusedSince = Infinity;

	private isWatching = false;

	constructor(public maximum: number) {}

	/** Waits for the turn of a request. After the turn `now`, the request is in flight until `end`. */
	async turn(asker: Asker): Promise<Turn> {
		const now = performance.now();
		const isFree = this.inFlight < Math.min(this.limit, this.maximum) && this.queues.size === 0;
		const isWelcome = this.refusedSince === Infinity && now >= this.pauseEnd;
		if (isFree && isWelcome && now < asker.deadline && !asker.signal?.aborted) {
			this.inFlight++;
			return 'now';
		}
		return await new Promise((settle) => {
			const key = asker.isRepeat ? this : asker.run;
			this.queues.set(key, [...(this.queues.get(key) ?? []), { ...asker, settle }]);
			this.advance();
			void this.watch();
		});
	}

	/** Ends a request, and adapts to its response if that is no refusal. */
	end(isTaken: boolean): void {
		this.inFlight--;
		if (isTaken) {
			this.refusedSince = Infinity;
			this.refusals = Math.max(0, this.refusals - 1);
			this.limit = Math.min(this.maximum, this.limit + 1);
		}
		if (this.queues.size > 0) this.advance();
	}

	/** Adapts to a refusal. Its request waits in any case. @param milliseconds Retry-After, if the tenant gives it */
	refused(milliseconds: number | undefined): void {
		const now = performance.now();
		this.refusedSince = Math.min(this.refusedSince, now);
		// A request that was in flight when the pause began belongs to the refusals before.
		if (now < this.pauseEnd) return;
		this.limit = Math.max(1, Math.floor(this.limit / 2));
		if (++this.refusals < REFUSALS_OF_LIMIT || milliseconds === undefined) return;
		this.refusals = 0;
		this.pauseEnd = now + Math.min(milliseconds, MAX_PAUSE_MS);
	}

	/** Lets go the requests whose time is over, and then begins those whose turn it is. */
	private advance(): void {
		const isLeft = (waiter: Waiter) => !this.dismisses(waiter);
		for (const [key, waiters] of [...this.queues]) this.keep(key, waiters.filter(isLeft));
		while (this.inFlight < Math.min(this.limit, this.maximum) && performance.now() >= this.pauseEnd) {
			const [key] = this.queues.has(this) ? [this] : this.queues.keys();
			const [waiter, ...others] = this.queues.get(key) ?? [];
			if (!waiter) return;
			this.keep(key, others);
			this.inFlight++;
			waiter.settle('now');
		}
	}

	/** Puts what still waits of a run at the end of the line. */
	private keep(key: object, waiters: Waiter[]): void {
		this.queues.delete(key);
		if (waiters.length > 0) this.queues.set(key, waiters);
	}

	/** Whether a request has waited in vain. A run whose patience with refusals is over does not wait for each of its requests. */
	private dismisses({ signal, deadline, giveUpAt, settle }: Waiter): boolean {
		const beginsAt = Math.max(performance.now(), this.pauseEnd);
		const isLate = beginsAt >= Math.min(deadline, giveUpAt(this.refusedSince));
		if (signal?.aborted) settle('stopped');
		else if (isLate) settle('late');
		return isLate || signal?.aborted === true;
	}

	private async watch(): Promise<void> {
		if (this.isWatching) return;
		this.isWatching = true;
		for (; this.queues.size > 0; this.advance()) {
			const rest = this.pauseEnd - performance.now();
			await sleep(rest > 0 ? Math.min(rest, WATCH_MS) : WATCH_MS);
		}
		this.isWatching = false;
	}
}

/** By tenant and token: runs of all workflows share what a tenant bears. There are no more than credentials. */
export const limiters = new Map<string, Limiter>();
