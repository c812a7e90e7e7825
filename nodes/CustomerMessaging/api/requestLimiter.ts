import { elapsed, wait } from './context';

/** Maximum number of requests in flight at the start. The limit grows while responses are fast. */
const FIRST_IN_FLIGHT = 6;

/** Lower bound of the limit for a slow or busy tenant, so that the runs still finish. */
const MIN_IN_FLIGHT = 4;

/** More requests in flight for each millisecond of the fastest response would not be answered sooner. */
const MOST_PER_MS = 2;

/** A response is slow if it takes longer than `SLOW_FACTOR` times the fastest response plus `NOISE_MS`. */
const SLOW_FACTOR = 3;
const NOISE_MS = 50;

/** Time in which the fastest response is forgotten by half, because a tenant may become slower for good. */
const HALF_LIFE_MS = 60_000;

/** After a halving, the limiter does not halve again for this time. So one slow moment halves the limit only once. */
const SETTLING_MS = 500;

/** So many refusals more than other responses are a limit of the tenant. Fewer are chance. */
const REFUSALS_OF_LIMIT = 4;

/** Maximum time of one pause. After it, a few requests find out whether the tenant still asks to wait. */
export const MAX_PAUSE_MS = 60_000;

const MAX_LEARNED_MS = 2000;
const MAX_REMEMBERED = 1000;

/** A pace grows by this first, and then by twice as much each time, until there is a refusal. */
const FIRST_STEP = 1 / 8;

/** Maximum time until the limiter notices that an execution was stopped, or that a request is too late. */
const WATCH_MS = 250;

export interface Quota {
	remaining: number;
	/** Milliseconds until the quota is renewed. */
	resetAfter: number;
}

export interface Asker {
	/** The run of a node. Runs take turns, however many requests each of them has. */
	run: object;
	/** Time of the process (see `elapsed`) after which the request must not begin. */
	deadline: number;
	/** Time of the process until which the run waits for a tenant that refuses everything. */
	patientUntil: (refusedSince: number) => number;
	/** Whether the request had a turn before. It then comes first, so that few attempts suffice. */
	isRepeat: boolean;
	signal?: AbortSignal;
}

/** Why a request begins or not: it has its turn, its deadline comes first, or its execution was stopped. */
export type Turn = 'now' | 'late' | 'stopped';

interface Waiter extends Asker {
	answer: (turn: Turn) => void;
}

/** So many requests in so many milliseconds are what a tenant takes, as refusals have shown. */
interface Pace {
	count: number;
	within: number;
	step: number;
}

/**
 * Bounds the requests in flight to one tenant, for all runs in this process, which take turns.
 *
 * Fast responses add to the limit, a slow one halves it. A refusal now and then concerns one request. After refusals in
 * a row, all requests wait, and then keep to the pace that the tenant has taken. They also wait when its quota is used
 * up.
 */
export class RequestLimiter {
	private limit = FIRST_IN_FLIGHT;

	/** Whether the limit grows by one for each round of requests, not for each response: the tenant was too busy before. */
	private isCareful = false;

	private inFlight = 0;
	private readonly repeats: Waiter[] = [];

	/** Requests that wait, by their run. The run whose turn is next comes first. */
	private readonly runs = new Map<object, Waiter[]>();

	private readonly fastest = new Map<string, { milliseconds: number; at: number }>();

	private readonly taken: number[] = [];

	/** Refusals without as many other responses behind them. */
	private refusals = 0;

	/** What the tenant still takes: as it tells, or by its pace. */
	private quota?: { remaining: number; resetAt: number; pace?: Pace };

	private settledAt = 0;

	/** Time of the process at which the pause ends; in the past without a pause. Only the limiter sets it. */
	pauseEnd = 0;

	/** Time of the process from which on the tenant has refused every request; infinite if it has not. */
	private refusedSince = Infinity;

	private isWatching = false;
	private usedAt = elapsed();

	/** @param maximum upper bound of the requests in flight, even if responses are fast */
	constructor(private maximum: number) {}

	allow(maximum: number): void {
		this.maximum = maximum;
		this.begin();
	}

	isSilentSince(time: number): boolean {
		return this.usedAt < time && this.inFlight === 0 && !this.hasWaiters;
	}

	/** Waits for the turn of a request. After the turn `now`, the request is in flight until `end`. */
	async turn(asker: Asker): Promise<Turn> {
		this.usedAt = elapsed();
		const isIdle = this.inFlight === 0 && !this.hasWaiters;
		if (isIdle && this.usedAt >= this.pauseEnd) this.refusedSince = Infinity;
		return await new Promise((answer) => {
			const waiter = { ...asker, answer };
			const ofRun = this.runs.get(asker.run);
			if (asker.isRepeat) this.repeats.push(waiter);
			else if (ofRun) ofRun.push(waiter);
			else this.runs.set(asker.run, [waiter]);
			this.begin();
			if (!this.hasWaiters) return;
			this.dismiss();
			void this.watch();
		});
	}

	end(): void {
		this.usedAt = elapsed();
		this.inFlight--;
		this.begin();
	}

	/** Adapts the limit to a response. Requests of one kind take similar times. */
	answered(kind: string, milliseconds: number): void {
		const now = elapsed();
		this.refusedSince = Infinity;
		this.refusals = Math.max(0, this.refusals - 1);
		this.taken.push(now);
		if (this.taken.length > MAX_REMEMBERED) this.taken.shift();
		// A response from before a pause says nothing about the time after it.
		if (now < this.pauseEnd) return;
		const known = this.fastest.get(kind);
		const fastest = known ? known.milliseconds * 2 ** ((now - known.at) / HALF_LIFE_MS) : milliseconds;
		if (!known || milliseconds <= fastest) this.fastest.set(kind, { milliseconds, at: now });
		if (milliseconds > fastest * SLOW_FACTOR + NOISE_MS) this.halve();
		else if (this.limit < fastest * MOST_PER_MS)
			this.limit = Math.min(this.maximum, this.limit + (this.isCareful ? 1 / this.limit : 1));
	}

	/**
	 * Adapts to *Too Many Requests*, after which the tenant asks to wait for milliseconds. The request itself waits in any
	 * case.
	 */
	refused(milliseconds: number): void {
		const now = elapsed();
		this.refusedSince = Math.min(this.refusedSince, now);
		const takenSince = (time: number) => this.taken.filter((at) => at > time).length;
		// A request that was in flight when the pause began belongs to the refusals before.
		if (now >= this.pauseEnd) {
			const { pace, resetAt = 0 } = this.quota ?? {};
			if (pace) {
				Object.assign(pace, { count: Math.max(1, pace.count - 1), step: FIRST_STEP });
				// A refusal long before the pace is reached has nothing to do with it.
				if (takenSince(resetAt - pace.within) < pace.count / 2) this.quota = undefined;
			}
			if (++this.refusals < REFUSALS_OF_LIMIT) return;
			this.refusals = 0;
		}
		this.halve();
		this.isCareful = true;
		this.pause(milliseconds);
		const count = milliseconds > MAX_LEARNED_MS ? 0 : takenSince(now - milliseconds);
		this.quota = undefined;
		if (count > 0) this.keepPace({ count, within: milliseconds, step: FIRST_STEP });
	}

	/** Takes over what the tenant says about its quota. Requests in flight may not be counted in it yet. */
	keepTo({ remaining, resetAfter }: Quota): void {
		const resetAt = elapsed() + Math.min(resetAfter, MAX_PAUSE_MS);
		this.quota = { remaining: remaining - this.inFlight + 1, resetAt };
	}

	pause(milliseconds: number): void {
		this.pauseEnd = Math.max(this.pauseEnd, elapsed() + Math.min(milliseconds, MAX_PAUSE_MS));
		this.dismiss();
	}

	private keepPace(pace: Pace): void {
		const resetAt = Math.max(elapsed(), this.pauseEnd) + pace.within;
		this.quota = { remaining: Math.floor(pace.count), resetAt, pace };
	}

	private get hasWaiters(): boolean {
		return this.repeats.length > 0 || this.runs.size > 0;
	}

	private halve(): void {
		if (elapsed() < this.settledAt) return;
		this.settledAt = elapsed() + SETTLING_MS;
		this.limit = Math.max(MIN_IN_FLIGHT, this.limit / 2);
	}

	private begin(): void {
		while (
			this.hasWaiters &&
			this.inFlight < Math.floor(Math.min(this.limit, this.maximum)) &&
			elapsed() >= this.pauseEnd &&
			this.hasQuota()
		) {
			const waiter = this.next();
			const turn = this.turnAtPauseEnd(waiter);
			if (turn === 'now') {
				this.inFlight++;
				if (this.quota) this.quota.remaining--;
			}
			waiter.answer(turn);
		}
	}

	/** Whether the quota allows a request. One that is used up becomes a pause when no response can tell of more. */
	private hasQuota(): boolean {
		if (!this.quota) return true;
		const { remaining, resetAt, pace } = this.quota;
		const rest = resetAt - elapsed();
		if (rest <= 0) {
			this.quota = undefined;
			// A pace that was used up is tried a little faster. One that was not is not needed any more.
			if (pace && remaining <= 0)
				this.keepPace({ ...pace, count: pace.count + pace.step, step: pace.step * 2 });
			return true;
		}
		if (remaining > 0) return true;
		if (pace || this.inFlight === 0) this.pause(rest);
		return false;
	}

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
		const now = elapsed();
		const beginsAt = Math.max(now, this.pauseEnd);
		const isPatient = beginsAt === now || beginsAt < patientUntil(this.refusedSince);
		return isPatient && beginsAt < deadline ? 'now' : 'late';
	}

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

	private async watch(): Promise<void> {
		if (this.isWatching) return;
		this.isWatching = true;
		while (this.hasWaiters) {
			const rest = this.pauseEnd - elapsed();
			await wait(rest > 0 ? Math.min(rest, WATCH_MS) : WATCH_MS, undefined);
			this.dismiss();
			this.begin();
		}
		this.isWatching = false;
	}
}

const KEPT_MS = 5 * 60_000;

/** Runs of all workflows share what a tenant bears, so this map must be. */
const limiters = new Map<string, RequestLimiter>();

/** Returns the limiter of a tenant and token, for all nodes and executions of this process, with the latest upper bound. */
export function limiterOf(tenantKey: string, maximum: number): RequestLimiter {
	const silent = elapsed() - KEPT_MS;
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
