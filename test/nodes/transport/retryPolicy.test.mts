import { setTimeout as delay } from 'node:timers/promises';

import {
	networkFailure,
	statusFailure,
	UNREADABLE,
} from '../../../nodes/CustomerMessaging/transport/failures.ts';
import {
	type Attempt,
	decide,
	type Outcome,
	waitAfter,
} from '../../../nodes/CustomerMessaging/transport/retryPolicy.ts';
import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { byId } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();

const status = (code: number, retryAfter?: string): Outcome => ({
	failure: statusFailure(code),
	status: code,
	retryAfter,
});
const network = (code?: string): Outcome => ({ failure: networkFailure(code) });

const NOW = Date.parse('2026-01-01T00:00:00Z');
const LIMITS = { maximumAttempts: 10, deadline: NOW + 120_000 };
const attempt = (method: string, more: Partial<Attempt> = {}): Attempt => ({
	method,
	path: '/tags/1',
	count: 1,
	mayBeDone: false,
	...more,
});

describe('after a first attempt', () => {
	test.each<[string, Outcome, string]>([
		['GET', status(429), 'again'],
		['POST', status(429), 'again'],
		['POST', network('ECONNREFUSED'), 'again'],
		['POST', network('ENOTFOUND'), 'again'],
		['POST', network(), 'giveUp'],
		['POST', network('ECONNRESET'), 'giveUp'],
		['POST', status(500), 'giveUp'],
		['POST', status(503), 'giveUp'],
		['GET', network(), 'again'],
		['GET', status(503), 'again'],
		['PATCH', status(502), 'again'],
		['DELETE', network(), 'again'],
		['GET', status(404), 'giveUp'],
		['PATCH', status(422), 'giveUp'],
		['GET', status(302), 'giveUp'],
		['GET', network('CERT_HAS_EXPIRED'), 'giveUp'],
		['GET', network('ERR_CANCELED'), 'giveUp'],
		['GET', { failure: UNREADABLE }, 'giveUp'],
	])('%s after %j: %s', (method, outcome, next) => {
		expect(decide(attempt(method), outcome, LIMITS, NOW, 1).next).toBe(next);
	});

	it('all requests wait after 429, and after 503 with a time', () => {
		expect(decide(attempt('GET'), status(429), LIMITS, NOW, 1)).toMatchObject({ forAll: true });
		expect(decide(attempt('GET'), status(503, '1'), LIMITS, NOW, 1)).toMatchObject({ forAll: true });
		for (const other of [status(503), status(503, 'soon'), status(500, '1')])
			expect(decide(attempt('GET'), other, LIMITS, NOW, 1)).toMatchObject({ forAll: false });
	});
});

describe('the last attempt', () => {
	const lastOf = (outcome: Outcome, maximumAttempts: number) => {
		const limits = { ...LIMITS, maximumAttempts, deadline: Infinity };
		let count = 1;
		while (decide(attempt('GET', { count }), outcome, limits, NOW, 1).next === 'again') count++;
		return count;
	};
	test.each([
		[status(429), 10],
		[status(503, '5'), 10],
		[status(503), 4],
		[network('ECONNREFUSED'), 4],
	])('after %j is number %i', (outcome, expected) => {
		expect(lastOf(outcome, 10)).toBe(expected);
		expect(lastOf(outcome, 2)).toBe(2);
	});

	it.each([
		[119_999, 'again'],
		[120_000, 'giveUp'],
	])('begins before the deadline: a wait of %i ms', (wait, next) => {
		const outcome = status(429, String(wait / 1000));
		expect(decide(attempt('GET'), outcome, LIMITS, NOW, 1).next).toBe(next);
	});
});

describe('a record that is gone', () => {
	const gone = status(404);
	it.each([
		['DELETE', '/tags/1', true, 'done'],
		['DELETE', '/tags/1', false, 'giveUp'],
		['DELETE', '/profiles/1/tags/2', true, 'giveUp'],
		['PATCH', '/tags/1', true, 'giveUp'],
	])('%s %s, which may be done before: %s, is %s', (method, path, mayBeDone, next) => {
		expect(decide(attempt(method, { path, mayBeDone, count: 2 }), gone, LIMITS, NOW, 1).next).toBe(next);
	});
});

describe('waitAfter', () => {
	test.each([
		[1, status(429, '7'), 7000],
		[3, status(503, '0'), 0],
		[1, status(429, 'Thu, 01 Jan 2026 00:00:30 GMT'), 30_000],
		[1, status(429, 'Wed, 31 Dec 2025 00:00:00 GMT'), 0],
		[1, status(429, 'soon'), 500],
		[1, status(500), 500],
		[2, status(500), 1000],
		[4, status(500), 4000],
		[20, status(500), 30_000],
	])('attempt %i after %j: %i ms', (count, outcome, expected) => {
		expect(waitAfter(count, outcome, NOW, 1)).toBe(expected);
	});

	it.each([
		['no wait', '0', 3, 0],
		['no wait again and again', '0', 5, 1_000],
		['a time that is over for a clock that is late', new Date(NOW - 10_000).toUTCString(), 5, 1_000],
		['less than a second', '0.6', 4, 600],
		['a second', '1', 9, 1_000],
		['more than a day', '1e12', 1, 500],
		['a list, which nobody can obey', '1, 1', 5, 8_000],
	])('obeys a tenant that asks for %s within reason', (_, retryAfter, count, expected) => {
		expect(waitAfter(count, { ...status(429), retryAfter }, NOW, 1)).toBe(expected);
	});

	it('spreads those that back off', () => {
		expect(waitAfter(2, status(500), NOW, 0)).toBe(500);
	});
});

describe('trying again', () => {
	const get = { resource: 'tag', operation: 'get', tagId: byId(1) };
	const remove = { resource: 'tag', operation: 'delete', tagId: byId(1) };
	const create = { resource: 'tag', operation: 'create', title: 'VIP' };

	/** Fails so many times in this way, then answers. */
	function failing(times: number, fail: Parameters<OddTenant['answer']>[0]) {
		let left = times;
		odd.answer(async (request, reply) =>
			left-- > 0 ? await fail(request, reply) : { data: { id: 1, title: 'VIP' } },
		);
	}
	const answering = (code: number, headers = {}): Parameters<OddTenant['answer']>[0] => {
		return async (_request, reply) => await reply.code(code).headers(headers).send({});
	};
	const drop: Parameters<OddTenant['answer']>[0] = (request, reply) => {
		reply.hijack();
		request.raw.socket.destroy();
	};

	it.each([
		['429 for a write', create, answering(429, { 'retry-after': '0' }), 2],
		['429 without a word for a read', get, answering(429), 1],
		['503 for a read', get, answering(503, { 'retry-after': '0' }), 2],
		['500 for a delete', remove, answering(500, { 'retry-after': '0' }), 1],
		['a dropped connection for a read', get, drop, 1],
	])('%s', async (_, parameters, fail, times) => {
		failing(times, fail);
		const { error } = await runNode({ parameters, credentials: odd.credentials });
		expect(error).toBeUndefined();
		expect(odd.asked).toHaveLength(times + 1);
	});

	it.each([
		['500', answering(500)],
		['503 with Retry-After', answering(503, { 'retry-after': '0' })],
		['a dropped connection', drop],
	])('never sends a write again after %s', async (_, fail) => {
		failing(1, fail);
		const { error } = await runNode({ parameters: create, credentials: odd.credentials });
		expect(error?.description).toContain('may have been carried out');
		expect(odd.asked).toHaveLength(1);
	});

	it('stops after Maximum Tries', async () => {
		failing(99, answering(429, { 'retry-after': '0' }));
		const { error } = await runNode({
			parameters: { ...get, requestLimits: { maximumTries: 3 } },
			credentials: odd.credentials,
		});
		expect(error).toMatchObject({ httpCode: '429' });
		expect(odd.asked).toHaveLength(3);
	});

	it('does not wait longer than Try For allows', async () => {
		failing(1, answering(429, { 'retry-after': '3600' }));
		const { error } = await runNode({ parameters: get, credentials: odd.credentials });
		expect(error).toMatchObject({ httpCode: '429' });
		expect(odd.asked).toHaveLength(1);
	});

	it('a delete whose first answer was lost is done when the record is gone', async () => {
		let tries = 0;
		odd.answer(async (request, reply) =>
			++tries === 1
				? (drop(request, reply) as undefined)
				: await reply.code(404).send({ message: 'No such tag' }),
		);
		const { items, error } = await runNode({ parameters: remove, credentials: odd.credentials });
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { id: 1, deleted: true } }]);
	});

	it('a delete of what was never there is an error', async () => {
		odd.answer(answering(404));
		const { error } = await runNode({ parameters: remove, credentials: odd.credentials });
		expect(error).toMatchObject({ httpCode: '404' });
	});
});

describe('the concurrency limit', () => {
	const create = { resource: 'tag', operation: 'create', title: '={{ $json.title }}' };
	const titles = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ json: { title: `T ${index}` } }));

	/** Answers when `release` is called, and counts how many requests wait at the same time. */
	function counting() {
		let inFlight = 0;
		const state = { most: 0 };
		odd.answer(async () => {
			state.most = Math.max(state.most, ++inFlight);
			await delay(5);
			inFlight--;
			return { id: 1, title: 'T' };
		});
		return state;
	}

	it.each([1, 5, 40])('never has more than %i in flight', async (maximumInFlight) => {
		const state = counting();
		const { error, items } = await runNode({
			parameters: { ...create, requestLimits: { maximumInFlight } },
			items: titles(300),
			credentials: odd.credentials,
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(300);
		expect(state.most).toBeLessThanOrEqual(maximumInFlight);
		expect(state.most).toBeGreaterThanOrEqual(Math.min(maximumInFlight, 2));
	});

	it('a storm of 429 fails no item', async () => {
		let asked = 0;
		odd.answer(async (_request, reply) =>
			++asked % 3 === 0
				? await reply.code(429).header('retry-after', '0').send({ message: 'Slow down' })
				: { id: asked, title: 'T' },
		);
		const { error, items } = await runNode({
			parameters: { ...create, requestLimits: { maximumTries: 20 } },
			items: titles(300),
			credentials: odd.credentials,
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(300);
	});

	it('all wait together when one is told to', async () => {
		const at: number[] = [];
		odd.answer(async (_request, reply) => {
			at.push(Date.now());
			return at.length === 1
				? await reply.code(429).header('retry-after', '1').send({})
				: { id: 1, title: 'T' };
		});
		await runNode({
			parameters: { ...create, requestLimits: { maximumInFlight: 1 } },
			items: titles(3),
			credentials: odd.credentials,
		});
		expect(at).toHaveLength(4);
		expect(at[1] - at[0]).toBeGreaterThanOrEqual(990);
	});

	// n8n hands its stop signal to operations that take all items; declarative ones get none (n8n-core 2.41).
	it.each([
		['while a request is under way', true],
		['while it waits after a 429', false],
	])('a stopped bulk import sends nothing more, %s', async (_, answers) => {
		let stop = () => {};
		odd.answer(async (_request, reply) => {
			if (odd.asked.length === 2) stop();
			return answers || odd.asked.length < 2
				? { data: { created_count: 500 } }
				: await reply.code(429).header('retry-after', '60').send({});
		});
		await runNode({
			parameters: {
				resource: 'customer',
				operation: 'bulkImport',
				columns: { mappingMode: 'autoMapInputData', value: null },
			},
			items: Array.from({ length: 3000 }, (_row, index) => ({
				json: { displayId: String(491_710_000_000 + index), name: 'N' },
			})),
			credentials: odd.credentials,
			onStart: (given) => {
				stop = given;
			},
		});
		await delay(100);
		expect(odd.asked).toHaveLength(2);
	});

	it('refuses an answer that is larger than any can be', async () => {
		odd.answer(
			async (_request, reply) =>
				await reply.type('application/json').send(Buffer.alloc(65 * 1024 * 1024, '1')),
		);
		const { error } = await runNode({
			parameters: { resource: 'tag', operation: 'get', tagId: byId(1) },
			credentials: odd.credentials,
		});
		expect(error?.message).toBe('The answer of the service is larger than 64 MB');
	});
});
