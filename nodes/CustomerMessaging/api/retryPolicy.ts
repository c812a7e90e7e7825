import { stringOf } from '../values/text';
import { type FailureKind, hasOwnLimit } from './failures';

/** Methods that are safe to send again: repeated requests have the same result as one request. */
const REPEATABLE = ['DELETE', 'GET', 'PATCH'];

/** Wait before the second attempt if the service gives no Retry-After. It doubles with each further attempt. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** Maximum number of attempts if the service does not ask for a retry. It is small, because a person waits for the error. */
const MAX_ATTEMPTS_UNASKED = 4;

/** A request whose last attempt has failed. */
export interface Attempted {
	method: string;
	path: string;
	/** Number of attempts so far, from 1. */
	count: number;
	/** Whether the service may have carried out an earlier attempt. */
	mayBeDone: boolean;
}

export interface FailedAttempt {
	failure: FailureKind;
	status?: number;
	retryAfter?: unknown;
}

export interface Limits {
	/** Maximum number of attempts. It applies in full only if the service asks for a retry. */
	maximumAttempts: number;
	timeLeft: number;
}

/** The next step. It is *done* where the result that the request asks for is already there. */
type Decision = { next: 'again'; after: number } | { next: 'done' } | { next: 'giveUp' };

/** Returns the milliseconds of a valid Retry-After header, of seconds or a date. */
export function askedWait(retryAfter: unknown, now: number): number | undefined {
	const given = stringOf(retryAfter).trim();
	const wait = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now;
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Whether the tenant asks for fewer requests of any kind, or says when it will be there again. */
export const asksAll = (method: string, path: string, { status, retryAfter }: FailedAttempt, now: number) =>
	!hasOwnLimit(method, path) &&
	(status === 429 || (status === 503 && askedWait(retryAfter, now) !== undefined));

/**
 * Returns the milliseconds before the next attempt: the service's Retry-After, or without one, or with one that is over, exponential
 * ones, with jitter (by a number from 0 to 1) so that requests do not return all at once.
 */
export function waitAfter(count: number, failed: FailedAttempt, now: number, random: number): number {
	const backOff = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - 1)) * (0.5 + random / 2);
	return askedWait(failed.retryAfter, now) || backOff;
}

/**
 * Decides the next step after a failed attempt. Another one follows only if the action cannot happen twice: the method
 * is safe to repeat, or the service certainly did not carry out the request.
 */
export function decide(
	attempt: Attempted,
	failed: FailedAttempt,
	{ maximumAttempts, timeLeft }: Limits,
	now: number,
	random: number,
): Decision {
	const { method, path, count, mayBeDone } = attempt;
	const { failure, status, retryAfter } = failed;
	// An earlier attempt may have deleted the record itself, not something attached to one. It does not exist, so that is done.
	if (mayBeDone && status === 404 && /^DELETE \/\w+\/[^/]+$/.test(`${method} ${path}`))
		return { next: 'done' };
	if (failure.isFinal || !(failure.isNotDone || REPEATABLE.includes(method))) return { next: 'giveUp' };
	const isAsked = status === 429 || retryAfter !== undefined;
	const attempts = isAsked ? maximumAttempts : Math.min(MAX_ATTEMPTS_UNASKED, maximumAttempts);
	const after = waitAfter(count, failed, now, random);
	return count < attempts && after < timeLeft ? { next: 'again', after } : { next: 'giveUp' };
}
