import { stringOf } from '../values/text';
import type { Quota } from './requestLimiter';
import { MAX_ASKED_MS } from './retryPolicy';

/** Values of a reset from here on are a time and not a duration: seconds since 1970. */
const FIRST_TIME_S = 1_000_000_000;

const FIRST_TIME_MS = FIRST_TIME_S * 1000;

/** Wait for a quota whose renewal the tenant does not tell. */
const UNKNOWN_RESET_MS = 1_000;

const PREFIXES = ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-'];

function amountOf(value: unknown): number {
	const amount = Number(stringOf(value).trim() || NaN);
	return amount >= 0 && amount < Infinity ? amount : NaN;
}

function untilReset(value: unknown, now: number): number {
	const amount = amountOf(value);
	const time = Number.isNaN(amount) ? Date.parse(stringOf(value)) : amount;
	const until = amount < FIRST_TIME_S ? amount * 1000 : (time < FIRST_TIME_MS ? time * 1000 : time) - now;
	return until <= MAX_ASKED_MS ? Math.max(0, until) : UNKNOWN_RESET_MS;
}

/** Returns the quotas of one `RateLimit` header: `remaining=5, reset=30`, or `"hour";r=5;t=30, "day";r=90;t=3600`. */
function combined(header: string): Array<{ remaining: unknown; reset: unknown }> {
	const policies = header.includes(';') ? header.split(',') : [header];
	return policies.map((policy) => {
		const { remaining, r, reset, t }: Partial<Record<string, string>> = Object.fromEntries(
			[...policy.matchAll(/\b(\w+)\s*=\s*(\d+)/g)].map(([, name, value]) => [name, value]),
		);
		return { remaining: remaining ?? r, reset: reset ?? t };
	});
}

/**
 * Returns the tenant's quota that is used up first. The interface describes no headers, so it reads the usual ones:
 * `RateLimit`, `RateLimit-Remaining` and `X-RateLimit-Remaining` with their `-Reset`.
 */
export function quotaOf(headers: Partial<Record<string, unknown>>, now: number): Quota | undefined {
	if (!Object.keys(headers).some((name) => /rate-?limit/.test(name))) return undefined;
	const quotas = [
		...combined(stringOf(headers.ratelimit)),
		...PREFIXES.map((prefix) => ({
			remaining: headers[`${prefix}remaining`],
			reset: headers[`${prefix}reset`],
		})),
	];
	return quotas
		.map(({ remaining, reset }) => ({
			remaining: Math.floor(amountOf(remaining)),
			resetAfter: untilReset(reset, now),
		}))
		.filter(({ remaining }) => !Number.isNaN(remaining))
		.sort((one, other) => one.remaining - other.remaining)[0];
}
