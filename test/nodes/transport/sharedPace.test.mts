import { setTimeout as delay } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { byId } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();
const get = { resource: 'tag', operation: 'get', tagId: byId(1) };

const run = async (parameters: INodeParameters, items = 1, credentials = odd.credentials) =>
	await runNode({
		parameters,
		items: Array.from({ length: items }, (_, index) => ({ json: { index } })),
		credentials,
	});

describe('executions at the same time', () => {
	it('share the requests in flight to a tenant', async () => {
		let inFlight = 0;
		let most = 0;
		odd.answer(async () => {
			most = Math.max(most, ++inFlight);
			await delay(20);
			inFlight--;
			return { data: { id: 1 } };
		});
		const limits = { requestLimits: { maximumInFlight: 7 } };
		const runs = await Promise.all(Array.from({ length: 30 }, async () => await run({ ...get, ...limits })));
		expect(runs.map(({ items }) => items.length)).toEqual(runs.map(() => 1));
		expect(most).toBe(7);
	});

	it('do not share them with another token', async () => {
		let inFlight = 0;
		let most = 0;
		odd.answer(async () => {
			most = Math.max(most, ++inFlight);
			await delay(50);
			inFlight--;
			return { data: { id: 1 } };
		});
		const limited = { ...get, requestLimits: { maximumInFlight: 1 } };
		const other = { ...odd.credentials, accessToken: 'the-token-of-another-user' };
		await Promise.all([run(limited), run(limited, 1, other)]);
		expect(most).toBe(2);
	});

	it('take turns: a single item does not wait for the many of another execution', async () => {
		const order: string[] = [];
		odd.answer(async ({ url }) => {
			order.push(url.endsWith('/2') ? 'single' : 'bulk');
			await delay(10);
			return { data: { id: 1 } };
		});
		const limits = { requestLimits: { maximumInFlight: 2 } };
		const bulk = run({ ...get, ...limits }, 60);
		await delay(100);
		await run({ ...get, ...limits, tagId: byId(2) });
		const before = order.indexOf('single');
		await bulk;
		expect(before).toBeGreaterThan(0);
		expect(before).toBeLessThan(order.length - 10);
	});

	it('all wait when one of them meets Too Many Requests', async () => {
		const at: Array<[string, number]> = [];
		odd.answer(async ({ url }, reply) => {
			at.push([url, Date.now()]);
			return at.length === 1
				? await reply.code(429).header('retry-after', '1').send({})
				: { data: { id: 1 } };
		});
		const first = run(get);
		while (at.length === 0) await delay(5);
		await delay(50);
		await Promise.all([first, run({ ...get, tagId: byId(2) })]);
		const [[, refusedAt], ...others] = at;
		expect(others.map(([url]) => url).sort()).toEqual(['/third-party/v1/tags/1', '/third-party/v1/tags/2']);
		for (const [, time] of others) expect(time - refusedAt).toBeGreaterThanOrEqual(990);
	});

	it('do not wait when the check of a PIN is refused, which has a limit of its own', async () => {
		odd.answer(async ({ url }, reply) =>
			url.endsWith('/verify-pin')
				? await reply.code(429).header('retry-after', '900').send({ message: 'Too many wrong PINs' })
				: { data: { id: 1 } },
		);
		const verify = { resource: 'user', operation: 'verifyPin', userId: byId(1), pin: '123456' };
		expect((await run(verify)).error).toMatchObject({ message: 'Too many wrong PINs' });
		expect(odd.asked).toHaveLength(1);
		expect((await run(get)).error).toBeUndefined();
	});

	it('send no more than the quota that the tenant tells', async () => {
		let left = 3;
		let refused = 0;
		const renewal = delay(1_000).then(() => (left = 100));
		odd.answer(async (_request, reply) => {
			await delay(20);
			if (left === 0) refused++;
			if (left > 0) left--;
			return await reply
				.headers({ 'x-ratelimit-remaining': String(left), 'x-ratelimit-reset': '1' })
				.send({ data: { id: 1 } });
		});
		await run(get);
		await Promise.all(Array.from({ length: 10 }, async () => await run(get)));
		await renewal;
		expect(refused).toBe(0);
		expect(odd.asked).toHaveLength(11);
	});
});

describe('after an item has failed without Continue', () => {
	const send = { resource: 'message', operation: 'send', conversationId: '={{ $json.index }}', text: 'Hi' };
	const isFirst = (url: string) => url.includes('/conversations/0/');

	it('nothing more is sent, and the error is that of the item', async () => {
		let failedAt = Infinity;
		const late: string[] = [];
		odd.answer(async ({ url }, reply) => {
			if (Date.now() > failedAt + 100) late.push(url);
			await delay(isFirst(url) ? 50 : 400);
			if (!isFirst(url)) return { data: { id: 1 } };
			failedAt = Date.now();
			return await reply.code(422).send({ message: 'No such conversation' });
		});
		const { error } = await run(send, 100);
		expect(error).toMatchObject({ message: 'No such conversation', context: { itemIndex: 0 } });
		expect(late).toEqual([]);
		// Ten are in flight at first.
		expect(odd.asked).toHaveLength(10);
	});

	it('what the tenant had refused is not sent again', async () => {
		odd.answer(async ({ url }, reply) => {
			if (!isFirst(url)) return await reply.code(429).header('retry-after', '1').send({});
			await delay(300);
			return await reply.code(422).send({ message: 'No such conversation' });
		});
		const { error } = await run(send, 3);
		expect(error).toMatchObject({ message: 'No such conversation' });
		expect(odd.asked).toHaveLength(3);
	});

	it('the run does not wait for the time at which other items would begin', async () => {
		odd.answer(async (_request, reply) => await reply.code(422).send({ message: 'No' }));
		const batching = { batch: { batchSize: 1, batchInterval: 40_000 } };
		const { error } = await run({ ...send, requestOptions: { batching } }, 3);
		expect(error).toMatchObject({ message: 'No' });
		expect(odd.asked).toHaveLength(1);
	}, 20_000);

	it('a retry of the node sends again', async () => {
		let asked = 0;
		odd.answer(async (_request, reply) =>
			++asked === 1 ? await reply.code(422).send({ message: 'Not yet' }) : { data: { id: 1 } },
		);
		const { items, error } = await runNode({
			parameters: get,
			items: [{ json: {} }, { json: {} }],
			credentials: odd.credentials,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(2);
	});
});

describe('a request that cannot be sent in time', () => {
	const refusing = (retryAfter: string) =>
		odd.answer(async (_request, reply) => await reply.code(429).header('retry-after', retryAfter).send({}));
	const short = { requestLimits: { tryForSeconds: 2 } };

	it('fails before it is sent, and says for how long the tenant takes none', async () => {
		refusing('40');
		const first = await run({ ...get, ...short });
		expect(first.error).toMatchObject({ httpCode: '429' });
		const { error } = await run({ ...get, ...short });
		expect(error?.message).toMatch(/^The tenant takes no requests for another (39|40) s$/);
		expect(error?.description).toBe(
			'Nothing was sent. Run it again later, or let it wait longer: tryForSeconds under Request Limits in the credential is 2.',
		);
		expect(error?.context.itemIndex).toBe(0);
		expect(odd.asked).toHaveLength(1);
	});

	it('counts from when its item asks: what waited behind others says so', async () => {
		odd.answer(async () => {
			await delay(1_500);
			return { data: { id: 1 } };
		});
		const limits = { requestLimits: { maximumInFlight: 1, tryForSeconds: 1 } };
		const [first, second] = await Promise.all([run({ ...get, ...limits }), run({ ...get, ...limits })]);
		expect([first.error, second.error].filter(Boolean)).toMatchObject([
			{
				message: 'Other requests to the tenant took longer than 1 s',
				description:
					'Nothing was sent. Run less at once, or let it wait longer: tryForSeconds under Request Limits in the credential is 1.',
			},
		]);
		expect(odd.asked).toHaveLength(1);
	});

	it('says after the last attempt what it waited for', async () => {
		refusing('1');
		const { error } = await run({ ...get, requestLimits: { maximumTries: 3 } });
		expect(error).toMatchObject({ httpCode: '429' });
		expect(error?.description).toMatch(
			/It was tried 3 times and waited 2 s for the tenant and 0 s behind other requests\.$/,
		);
	});
});
