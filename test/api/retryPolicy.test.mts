import {
	failureOf,
	hasOwnLimit,
	networkFailure,
	statusFailure,
	UNREADABLE,
} from '../../nodes/CustomerMessaging/api/failures.ts';
import {
	asksAll,
	type Attempted,
	decide,
	type FailedAttempt,
	waitAfter,
} from '../../nodes/CustomerMessaging/api/retryPolicy.ts';

const status = (code: number, retryAfter?: unknown): FailedAttempt => ({
	failure: statusFailure(code),
	status: code,
	retryAfter,
});
const network = (code?: string, syscall?: string): FailedAttempt => ({
	failure: networkFailure(code, syscall),
});

/** As a title shows it. */
const nameOf = ({ failure, status: code, retryAfter }: FailedAttempt) =>
	`${code ?? failure.message}${retryAfter === undefined ? '' : ` with Retry-After ${JSON.stringify(retryAfter)}`}`;

const NOW = Date.parse('2026-01-01T00:00:00Z');
const LIMITS = { maximumAttempts: 10, timeLeft: 120_000 };
const attempt = (method: string, more: Partial<Attempted> = {}): Attempted => ({
	method,
	path: '/tags/1',
	count: 1,
	mayBeDone: false,
	...more,
});

describe('how often a request is sent', () => {
	const lastOf = (method: string, outcome: FailedAttempt, maximumAttempts: number) => {
		const limits = { ...LIMITS, maximumAttempts, timeLeft: 3_600_000 };
		let count = 1;
		while (decide(attempt(method, { count }), outcome, limits, NOW, 1).next === 'again') count++;
		return count;
	};

	const COUNTS: Array<[FailedAttempt, reads: number, posts: number]> = [
		[status(429), 10, 10],
		[status(429, '0'), 10, 10],
		[status(503, '5'), 10, 1],
		[status(503), 4, 1],
		[status(500), 4, 1],
		[status(502), 4, 1],
		[status(429, '86401'), 1, 1],
		[status(503, '99999999999'), 1, 1],
		[network(), 4, 1],
		[network('ECONNRESET'), 4, 1],
		[network('EHALTED'), 4, 1],
		[network('ECONNREFUSED', 'connect'), 4, 4],
		[network('ETIMEDOUT', 'connect'), 4, 4],
		[network('ENOTFOUND', 'getaddrinfo'), 4, 4],
		[network('EPROTO', 'write'), 4, 1],
		[network('ERR_SSL_WRONG_VERSION_NUMBER'), 4, 1],
		[status(404), 1, 1],
		[status(422), 1, 1],
		[status(302), 1, 1],
		[network('CERT_HAS_EXPIRED'), 1, 1],
		[network('ERR_CANCELED'), 1, 1],
		[network('EFBIG'), 1, 1],
		[{ failure: UNREADABLE }, 1, 1],
	];

	it.each(COUNTS.map(([outcome, ...counts]) => [nameOf(outcome), ...counts, outcome] as const))(
		'after %s: what can be repeated %i times, a POST %i times',
		(_name, reads, posts, outcome) => {
			for (const method of ['GET', 'PATCH', 'DELETE']) {
				expect(lastOf(method, outcome, 10)).toBe(reads);
				expect(lastOf(method, outcome, 2)).toBe(Math.min(2, reads));
				expect(lastOf(method, outcome, 1)).toBe(1);
			}
			expect(lastOf('POST', outcome, 10)).toBe(posts);
			expect(lastOf('POST', outcome, 2)).toBe(Math.min(2, posts));
		},
	);

	it.each([
		[119_999, 'again'],
		[120_000, 'giveUp'],
	])('depends on the time left: with a wait of %i ms of 120,000 it is %s', (wait, next) => {
		const outcome = status(429, String(wait / 1000));
		expect(decide(attempt('GET'), outcome, LIMITS, NOW, 1).next).toBe(next);
	});
});

describe('all requests wait', () => {
	const ASKING: Array<[string, FailedAttempt, boolean]> = [
		['GET /tags/1', status(429), true],
		['GET /tags/1', status(503, '1'), true],
		['GET /tags/1', status(503, '99999999999'), true],
		['GET /tags/1', status(503), false],
		['GET /tags/1', status(503, 'soon'), false],
		['GET /tags/1', status(500, '1'), false],
		['POST /user/7/verify-pin', status(429, '900'), false],
		['GET /user/7/verify-pin', status(429), true],
		['POST /users/7/verify-pin', status(429), true],
		['POST /user/7/verify-pin/more', status(429), true],
	];

	it.each(ASKING.map(([request, outcome, forAll]) => [request, nameOf(outcome), forAll, outcome] as const))(
		'%s after %s: %s',
		(request, _name, forAll, outcome) => {
			const [method, path] = request.split(' ');
			expect(asksAll(method, path, outcome, NOW)).toBe(forAll);
			expect(hasOwnLimit(method, path)).toBe(request === 'POST /user/7/verify-pin');
			if (request === 'POST /user/7/verify-pin')
				expect(
					decide(
						attempt(method, { path }),
						{ ...outcome, failure: failureOf(method, path, 429) ?? outcome.failure },
						LIMITS,
						NOW,
						1,
					),
				).toEqual({ next: 'giveUp' });
		},
	);
});

describe('a record that is gone', () => {
	it.each([
		['DELETE', '/tags/1', true, 'done'],
		['DELETE', '/customers/9007199254740993', true, 'done'],
		['DELETE', '/tags/1', false, 'giveUp'],
		['DELETE', '/profiles/1/tags/2', true, 'giveUp'],
		['PATCH', '/tags/1', true, 'giveUp'],
	])('%s %s, which may be done before: %s, is %s', (method, path, mayBeDone, next) => {
		expect(decide(attempt(method, { path, mayBeDone, count: 2 }), status(404), LIMITS, NOW, 1).next).toBe(
			next,
		);
	});
});

describe('the wait before the next attempt', () => {
	const WAITS: Array<[number, FailedAttempt, number]> = [
		[1, status(500), 500],
		[2, status(500), 1000],
		[4, status(500), 4000],
		[6, status(500), 16_000],
		[7, status(500), 30_000],
		[20, status(500), 30_000],
		[1, status(429, '7'), 7000],
		[1, status(429, ' 7 '), 7000],
		[3, status(503, '0'), 2000],
		[1, status(429, 'Thu, 01 Jan 2026 00:00:30 GMT'), 30_000],
		[1, status(429, 'Thursday, 01-Jan-26 00:00:30 GMT'), 30_000],
		[1, status(429, '2026-01-01T00:00:30Z'), 30_000],
		[1, status(429, 'Wed, 31 Dec 2025 00:00:00 GMT'), 500],
		[5, status(429, '-1'), 8000],
		[5, status(429, '0.2'), 200],
		[1, status(429, 'soon'), 500],
		[1, status(429, ' '), 500],
		[1, status(429, ''), 500],
		[1, status(429, ['1', '2']), 500],
		[1, status(429, '9'.repeat(400)), Infinity],
		[1, status(429, 'Sat, 03 Jan 2026 00:00:00 GMT'), 2 * 86_400_000],
		[1, status(429, 'Thu, 99 Foo 2026 00:00:30 GMT'), 500],
	];

	it.each(WAITS.map(([count, outcome, expected]) => [count, nameOf(outcome), expected, outcome] as const))(
		'after attempt %i and %s is %i ms',
		(count, _name, expected, outcome) => {
			expect(waitAfter(count, outcome, NOW, 1)).toBe(expected);
		},
	);

	it('is spread over the second half of it, so that not all come back at once', () => {
		expect([0, 0.5, 1].map((random) => waitAfter(2, status(500), NOW, random))).toEqual([500, 750, 1000]);
	});
});
