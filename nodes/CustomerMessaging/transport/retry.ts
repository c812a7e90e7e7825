/** Methods that may be sent again without doing anything twice: what they ask for is the same each time. */
const REPEATABLE = ['DELETE', 'GET', 'PATCH'];

/** Wait before the second try when the service does not say how long; doubled for each further one. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** How a try ended that gave no usable answer. */
export interface FailedTry {
	/** Undefined when there was no answer. */
	status: number | undefined;
	/** Value of the answer's Retry-After header. */
	retryAfter: unknown;
	/** Whether the service certainly has not carried the request out. */
	neverSent: boolean;
}

/**
 * Whether a request may be sent again: only when that cannot do anything twice. A POST is repeated after 429, or when it
 * never reached the service.
 */
export function mayRetry(method: string, { status, neverSent }: FailedTry): boolean {
	if (status === 429 || neverSent) return true;
	if (!REPEATABLE.includes(method)) return false;
	return status === undefined || status >= 500;
}

/** Tries where nothing tells that the service will soon be well: a person waits for the error. */
const MOST_TRIES_UNASKED = 4;

/**
 * How often a request may go out at most.
 *
 * @param maximum as the node's limits say; reached only where the service asks to come back
 */
export function mostTries({ status, retryAfter }: FailedTry, maximum: number): number {
	const isAsked = status === 429 || retryAfter !== undefined;
	return isAsked ? maximum : Math.min(MOST_TRIES_UNASKED, maximum);
}

/** The wait that a Retry-After header asks for, in seconds or as a date; undefined without one. */
function askedWait(retryAfter: unknown, now: number): number | undefined {
	if (typeof retryAfter !== 'string' || retryAfter.trim() === '') return undefined;
	const seconds = Number(retryAfter);
	const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - now;
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/**
 * Milliseconds to wait before the next try: what the service asks for, else longer each time, with jitter so that many
 * do not come back at once.
 *
 * @param tries tries so far, from 1
 * @param now milliseconds since 1970
 * @param random from 0 to 1
 */
export function waitBefore(tries: number, { retryAfter }: FailedTry, now: number, random: number): number {
	const backOff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
	return askedWait(retryAfter, now) ?? backOff * (0.5 + random / 2);
}
