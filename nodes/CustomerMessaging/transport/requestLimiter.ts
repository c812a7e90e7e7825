import { wait } from './context';

/** Maximum number of requests in flight at the start. The limit grows while responses are fast. */
const FIRST_IN_FLIGHT = 10;

/** Lower bound of the limit for a slow or busy tenant, so that the runs still finish. */
const MIN_IN_FLIGHT = 4;

/** A response is slow if it takes longer than `SLOW_FACTOR` times the fastest response plus `NOISE_MS`. */
const SLOW_FACTOR = 3;
const NOISE_MS = 50;

/** Time in which the fastest response is forgotten by half, because a tenant may become slower for good. */
const HALF_LIFE_MS = 60_000;

/** After a halving, the limiter does not halve again for this time. So one slow moment halves the limit only once. */
const SETTLING_MS = 500;

/** Maximum time of one pause. After it, a few requests find out whether the tenant still asks to wait. */
export const MAX_PAUSE_MS = 60_000;

/** Maximum time until the limiter notices that an execution was stopped, or that a request is too late. */
const WATCH_MS = 250;

/** The number of requests that a tenant still takes, and when it takes more. */
export interface Quota {
	remaining: number;
	/** Milliseconds until the quota is renewed. */
	resetAfter: number;
}

/** A request that asks for its turn. */
export interface Asker {
	/** The run of a node. Runs take turns, however many requests each of them has. */
	run: object;
	/** Milliseconds since 1970 after which the request must not begin. */
	deadline: number;
	/** Milliseconds since 1970 until which the run waits for a tenant that refuses everything. */
	patientUntil: (refusedSince: number) => number;
	/** Whether the request had a turn before. It then comes first, so that few attempts suffice. */
	isRepeat: boolean;
	/** Aborts when the execution is stopped. */
	signal?: AbortSignal;
}

/** Why a request begins or not: it has its turn, its deadline comes first, or its execution was stopped. */
export type Turn = 'now' | 'late' | 'stopped';

interface Waiter extends Asker {
	answer: (turn: Turn) => void;
}

/**
 * Bounds the requests in flight to one tenant, for all runs of nodes in this process, and pauses them.
 *
 * The limit adapts by additive increase and multiplicative decrease. Each fast response adds one, or a part of one where
 * the tenant was too busy before. A slow response or a *Too Many Requests* halves the limit. After *Too Many Requests*,
 * and when the tenant's quota is used up, all requests wait. The runs take
 * turns, so a single request does not wait for the thousands of another run.
 */
export class RequestLimiter {
	private limit = FIRST_IN_FLIGHT;

	/** From here on, the limit grows by one for each round of requests, not for each response. */
	private carefulFrom = Infinity;

	private inFlight = 0;

	/** Requests with an earlier turn, the oldest first. */
	private readonly repeats: Waiter[] = [];

	/** Requests that wait, by their run. The run whose turn is next comes first. */
	private readonly runs = new Map<object, Waiter[]>();

	/** The fastest response of each kind of request, and when it was. */
	private readonly fastest = new Map<string, { milliseconds: number; at: number }>();

	private quota?: { remaining: number; resetAt: number };

	private settledAt = 0;

	private pausedFrom = 0;

	private pausedUntil = 0;

	private pausedBefore = 0;

	/** Milliseconds since 1970 from which on the tenant has refused every request; infinite if it has not. */
	private refusedSince = Infinity;

	private isWatching = false;

	private usedAt = Date.now();

	/** @param maximum upper bound of the requests in flight, even if responses are fast */
	constructor(private maximum: number) {}

	/** Milliseconds since 1970 at which the pause ends; in the past without a pause. */
	get pauseEnd(): number {
		return this.pausedUntil;
	}

	/** Milliseconds of all pauses so far. */
	get paused(): number {
		return this.pausedBefore + Math.max(0, Math.min(Date.now(), this.pausedUntil) - this.pausedFrom);
	}

	/** Sets the upper bound of the requests in flight. */
	allow(maximum: number): void {
		this.maximum = maximum;
		this.begin();
	}

	/** Whether no request was in flight or waiting since a time, in milliseconds since 1970. */
	isSilentSince(time: number): boolean {
		return this.usedAt < time && this.inFlight === 0 && !this.hasWaiters;
	}

	/**
	 * Waits for the turn of a request. After the turn `now`, the request is in flight until `end`.
	 */
	async turn(asker: Asker): Promise<Turn> {
		this.usedAt = Date.now();
		const isFirst = !this.hasWaiters;
		if (isFirst && this.inFlight === 0 && this.usedAt >= this.pausedUntil) this.refusedSince = Infinity;
		const turn = this.turnAtPauseEnd(asker);
		if (turn !== 'now') return turn;
		if (isFirst && this.isOpen()) {
			this.take();
			return turn;
		}
		return await new Promise((answer) => {
			const waiter = { ...asker, answer };
			const ofRun = this.runs.get(asker.run);
			if (asker.isRepeat) this.repeats.push(waiter);
			else if (ofRun) ofRun.push(waiter);
			else this.runs.set(asker.run, [waiter]);
			this.begin();
			if (this.hasWaiters) void this.watch();
		});
	}

	/** Ends a request that was in flight. */
	end(): void {
		this.usedAt = Date.now();
		this.inFlight--;
		if (this.hasWaiters) this.begin();
	}

	/**
	 * Adapts the limit to a response.
	 *
	 * @param kind requests of one kind take similar times
	 */
	answered(kind: string, milliseconds: number): void {
		const now = Date.now();
		this.refusedSince = Infinity;
		// A response from before a pause says nothing about the time after it.
		if (now < this.pausedUntil) return;
		const known = this.fastest.get(kind);
		const fastest = known ? known.milliseconds * 2 ** ((now - known.at) / HALF_LIFE_MS) : milliseconds;
		if (!known || milliseconds <= fastest) this.fastest.set(kind, { milliseconds, at: now });
		if (milliseconds > fastest * SLOW_FACTOR + NOISE_MS) this.halve();
		else
			this.limit = Math.min(this.maximum, this.limit + (this.limit < this.carefulFrom ? 1 : 1 / this.limit));
	}

	/** Makes all requests wait, and halves the limit. The tenant has answered *Too Many Requests*. */
	pause(milliseconds: number): void {
		this.refusedSince = Math.min(this.refusedSince, Date.now());
		this.waitAll(milliseconds);
		this.halve();
		this.carefulFrom = this.limit;
	}

	/** Takes over what the tenant says about its quota. Requests in flight may not be counted in it yet. */
	keepTo({ remaining, resetAfter }: Quota): void {
		this.quota = { remaining: remaining - this.inFlight + 1, resetAt: Date.now() + resetAfter };
	}

	private get hasWaiters(): boolean {
		return this.repeats.length > 0 || this.runs.size > 0;
	}

	private waitAll(milliseconds: number): void {
		const now = Date.now();
		if (now >= this.pausedUntil) {
			this.pausedBefore = this.paused;
			this.pausedFrom = now;
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(milliseconds, MAX_PAUSE_MS));
		this.dismiss();
	}

	private halve(): void {
		if (Date.now() < this.settledAt) return;
		this.settledAt = Date.now() + SETTLING_MS;
		this.limit = Math.max(MIN_IN_FLIGHT, this.limit / 2);
	}

	/** Whether the quota allows a request. A quota that is used up becomes a pause when no response can tell of more. */
	private hasQuota({ remaining, resetAt }: { remaining: number; resetAt: number }): boolean {
		if (remaining > 0) return true;
		const rest = resetAt - Date.now();
		if (rest > 0 && this.inFlight > 0) return false;
		this.quota = undefined;
		if (rest > 0) this.waitAll(rest);
		return rest <= 0;
	}

	/** Begins requests as long as the limit, the pause and the quota allow it. */
	private begin(): void {
		while (this.hasWaiters && this.isOpen()) {
			const waiter = this.next();
			const turn = this.turnAtPauseEnd(waiter);
			if (turn === 'now') this.take();
			waiter.answer(turn);
		}
	}

	/** Whether the limit, the pause and the quota allow a request. */
	private isOpen(): boolean {
		return (
			this.inFlight < Math.floor(Math.min(this.limit, this.maximum)) &&
			Date.now() >= this.pausedUntil &&
			(!this.quota || this.hasQuota(this.quota))
		);
	}

	private take(): void {
		this.inFlight++;
		if (this.quota) this.quota.remaining--;
	}

	/** Takes the next request out of the queue: repeated ones first, then the runs take turns. */
	private next(): Waiter {
		const repeated = this.repeats.shift();
		if (repeated) return repeated;
		const [[run, [waiter, ...others]]] = this.runs;
		this.runs.delete(run);
		if (others.length > 0) this.runs.set(run, others);
		return waiter;
	}

	/**
	 * Returns the best turn that a request can have after the pause. If the tenant refuses everything for longer than a
	 * run is patient, the rest of the run does not wait any more. Otherwise each of its requests would wait as long.
	 */
	private turnAtPauseEnd({ signal, deadline, patientUntil }: Asker): Turn {
		if (signal?.aborted) return 'stopped';
		const now = Date.now();
		const beginsAt = Math.max(now, this.pausedUntil);
		const isPatient = beginsAt === now || beginsAt < patientUntil(this.refusedSince);
		return isPatient && beginsAt < deadline ? 'now' : 'late';
	}

	/** Ends the waiting of requests that cannot have their turn any more. */
	private dismiss(): void {
		const stays = (waiter: Waiter) => {
			const turn = this.turnAtPauseEnd(waiter);
			if (turn !== 'now') waiter.answer(turn);
			return turn === 'now';
		};
		this.repeats.splice(0, Infinity, ...this.repeats.filter(stays));
		for (const [run, waiters] of this.runs) {
			const left = waiters.filter(stays);
			if (left.length > 0) this.runs.set(run, left);
			else this.runs.delete(run);
		}
	}

	/** Looks after the requests that wait, until none is left. */
	private async watch(): Promise<void> {
		if (this.isWatching) return;
		this.isWatching = true;
		while (this.hasWaiters) {
			const rest = this.pausedUntil - Date.now();
			await wait(rest > 0 ? Math.min(rest, WATCH_MS) : WATCH_MS, undefined);
			this.dismiss();
			this.begin();
		}
		this.isWatching = false;
	}
}

/** Time after the last request for which a limiter keeps what it has learned. */
const KEPT_MS = 5 * 60_000;

/** Runs of all workflows share what a tenant bears, so this map must be. */
const limiters = new Map<string, RequestLimiter>();

/**
 * Returns the limiter of a tenant and token, which all nodes and executions of this process share. It forgets those
 * without a request for five minutes.
 *
 * @param tenantKey see `NodeRun`
 * @param maximum upper bound of the requests in flight; the latest one holds
 */
export function limiterOf(tenantKey: string, maximum: number): RequestLimiter {
	const silent = Date.now() - KEPT_MS;
	for (const [key, limiter] of limiters) if (limiter.isSilentSince(silent)) limiters.delete(key);
	const known = limiters.get(tenantKey);
	if (known) {
		known.allow(maximum);
		return known;
	}
	const limiter = new RequestLimiter(maximum);
	limiters.set(tenantKey, limiter);
	return limiter;
}
