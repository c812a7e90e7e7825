import { stringOf } from '../values/text';
import type { Quota } from './requestLimiter';
import { MAX_ASKED_MS } from './retryPolicy';

/** Values of a reset from here on are a time and not a duration: seconds since 1970. */
const FIRST_TIME_S = 1_000_000_000;

/** Values from here on are milliseconds since 1970. */
const FIRST_TIME_MS = FIRST_TIME_S * 1000;

/** Wait for a quota whose renewal the tenant does not tell. */
const UNKNOWN_RESET_MS = 1_000;

/** Prefixes of the headers `…remaining` and `…reset`. */
const PREFIXES = ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-'];

/** Returns a count or duration; undefined without a number that is not negative. */
function numberOf(value: unknown): number | undefined {
	const text = stringOf(value).trim();
	const number = Number(text);
	return text !== '' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** Returns the milliseconds until a reset, which is a duration in seconds or a time. */
function untilReset(value: unknown, now: number): number {
	const number = numberOf(value);
	const time = number === undefined ? Date.parse(stringOf(value)) : number;
	if (Number.isNaN(time)) return UNKNOWN_RESET_MS;
	const isDuration = number !== undefined && number < FIRST_TIME_S;
	const until = isDuration ? number * 1000 : (time < FIRST_TIME_MS ? time * 1000 : time) - now;
	return until > MAX_ASKED_MS ? UNKNOWN_RESET_MS : Math.max(0, until);
}

/** Returns the quotas of one `RateLimit` header: `remaining=5, reset=30`, or `"hour";r=5;t=30, "day";r=90;t=3600`. */
function combined(header: string): Array<{ remaining: unknown; reset: unknown }> {
	const policies = header.includes(';') ? header.split(',') : [header];
	return policies.map((policy) => {
		const parameters = Object.fromEntries(
			[...policy.matchAll(/\b(\w+)\s*=\s*(\d+)/g)].map(([, name, value]) => [name, value]),
		);
		return {
			remaining: parameters.remaining ?? parameters.r,
			reset: parameters.reset ?? parameters.t,
		};
	});
}

/**
 * Reads what a response's headers say about the tenant's quota. The interface does not describe any, so it reads the
 * usual ones: `RateLimit`, `RateLimit-Remaining` and `X-RateLimit-Remaining` with their `-Reset`.
 *
 * @param now milliseconds since 1970
 * @returns the quota that is used up first, or undefined without a usable header
 */
export function quotaOf(headers: Partial<Record<string, unknown>>, now: number): Quota | undefined {
	if (!Object.keys(headers).some((name) => name.includes('ratelimit') || name.includes('rate-limit')))
		return undefined;
	const quotas = [
		...combined(stringOf(headers.ratelimit)),
		...PREFIXES.map((prefix) => ({
			remaining: headers[`${prefix}remaining`],
			reset: headers[`${prefix}reset`],
		})),
	];
	let least: Quota | undefined;
	for (const { remaining, reset } of quotas) {
		const left = numberOf(remaining);
		if (left === undefined || (least && left >= least.remaining)) continue;
		least = { remaining: Math.floor(left), resetAfter: untilReset(reset, now) };
	}
	return least;
}
