import type { Failure } from './failures';

/** Methods that may be sent again without doing anything twice: what they ask for is the same each time. */
const REPEATABLE = ['DELETE', 'GET', 'PATCH'];

/** Wait before the second attempt when the service does not say how long; doubled for each further one. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/** Attempts where nothing tells that the service will soon be well: a person waits for the error. */
const MAX_ATTEMPTS_UNASKED = 4;

/** A delete of a record itself, not of what is attached to one. */
const DELETES_RECORD = /^DELETE \/\w+\/[^/]+$/;

/** A request that has failed. */
export interface Attempt {
	method: string;
	/** Path of the interface, filled in. */
	path: string;
	/** Attempts so far, from 1. */
	count: number;
	/** Whether an attempt before this one may have been carried out. */
	mayBeDone: boolean;
}

/** How an attempt ended that gave no usable answer. */
export interface Outcome {
	failure: Failure;
	/** Undefined when there was no answer. */
	status?: number;
	/** Value of the answer's Retry-After header. */
	retryAfter?: unknown;
}

/** How far attempts may go. */
export interface Limits {
	/** Attempts; as many are only made where the service asks to come back. */
	maximumAttempts: number;
	/** Milliseconds since 1970 after which no attempt begins. */
	deadline: number;
}

/** What to do after a failed attempt. */
export type Decision =
	| {
			next: 'again';
			/** Milliseconds until the next attempt. */
			after: number;
			/** Whether the tenant has too much to do, so that all requests to it wait. */
			forAll: boolean;
	  }
	| { next: 'giveUp' }
	/** What the request asks for has been reached. */
	| { next: 'done' };

/** The wait that a Retry-After header asks for, in seconds or as a date; undefined without one. */
function askedWait(retryAfter: unknown, now: number): number | undefined {
	if (typeof retryAfter !== 'string' || retryAfter.trim() === '') return undefined;
	const seconds = Number(retryAfter);
	const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - now;
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Whether the tenant asks for fewer requests. */
export const isTooMuch = ({ status }: Outcome) => status === 429;

/** Whether the service has certainly not done what a request asks for. */
export const isNotDone = (outcome: Outcome) => outcome.failure.isNotDone || isTooMuch(outcome);

/**
 * Milliseconds to wait before the next attempt: what the service asks for, else longer each time, with jitter so that many
 * do not come back at once.
 *
 * @param count attempts so far, from 1
 * @param now milliseconds since 1970
 * @param random from 0 to 1
 */
export function waitAfter(count: number, { retryAfter }: Outcome, now: number, random: number): number {
	const backOff = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - 1));
	return askedWait(retryAfter, now) ?? backOff * (0.5 + random / 2);
}

/**
 * Decides what comes after a failed attempt. A request is sent again only where that cannot do anything twice: what changes
 * something for the second time only when it was certainly not done before.
 *
 * @param now milliseconds since 1970
 * @param random from 0 to 1
 */
export function decide(
	attempt: Attempt,
	outcome: Outcome,
	{ maximumAttempts, deadline }: Limits,
	now: number,
	random: number,
): Decision {
	const { method, path, count, mayBeDone } = attempt;
	const { failure, status, retryAfter } = outcome;
	// A record that an unanswered attempt may have deleted, and that is gone now, is deleted.
	if (mayBeDone && status === 404 && DELETES_RECORD.test(`${method} ${path}`)) return { next: 'done' };
	if (failure.isFinal || !(isNotDone(outcome) || REPEATABLE.includes(method))) return { next: 'giveUp' };
	const isAsked = isTooMuch(outcome) || retryAfter !== undefined;
	const attempts = isAsked ? maximumAttempts : Math.min(MAX_ATTEMPTS_UNASKED, maximumAttempts);
	const after = waitAfter(count, outcome, now, random);
	if (count >= attempts || now + after >= deadline) return { next: 'giveUp' };
	return { next: 'again', after, forAll: isTooMuch(outcome) };
}
