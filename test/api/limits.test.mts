import { sleep } from 'n8n-workflow';

import { type Reply, TenantInMemory } from '../context/tenantInMemory.mts';
import { VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();

const REFUSED: Reply = { status: 429, headers: { 'retry-after': '1' } };

/** Answers requests one by one, each within a millisecond. */
function oneByOne(reply: () => Reply): void {
	let freeAt = 0;
	tenant.answer(async () => {
		const found = reply();
		freeAt = Math.max(freeAt, time.now) + 1;
		await sleep(freeAt - time.now);
		return found;
	});
}

/** Takes so many requests per second from a bucket of as many, which is full at first. */
function perSecond(rate: number): () => Reply {
	let tokens = rate;
	let filledAt = time.now;
	return () => {
		tokens = Math.min(rate, tokens + ((time.now - filledAt) / 1000) * rate);
		filledAt = time.now;
		if (tokens < 1) return REFUSED;
		tokens--;
		return {};
	};
}

/** Refuses three in ten, always the same ones for a seed. */
function atRandom(seed: number): () => Reply {
	let state = seed;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
		return state / 2 ** 31 < 0.3 ? REFUSED : {};
	};
}

/**
 * Writes all items, none of which is lost.
 *
 * @param pause milliseconds between the executions of one item each. Without it, one execution writes 40 items at once
 * @returns the seconds from the first request to the last answer, and the number of requests
 */
async function write(count: number, pause?: number) {
	const startedAt = time.now;
	const run = tenant.run();
	const send = async (item: number, ofItem = run(item)) =>
		await ofItem.api.send({ method: 'POST', url: '/customers', body: { item } });
	let next = 0;
	const lane = async () => {
		while (next < count) await send(next++);
	};
	const later = async (item: number, milliseconds: number) => {
		await sleep(milliseconds);
		await send(item, tenant.run()());
	};
	const work =
		pause === undefined
			? Array.from({ length: 40 }, lane)
			: Array.from({ length: count }, async (_, item) => await later(item, item * pause));
	await time.until(Promise.all(work));
	return { seconds: (time.now - startedAt) / 1000, requests: tenant.asked.length };
}

describe('a tenant that takes 20 requests per second', () => {
	it('gets 100 writes in little more than the 4 seconds that they need, with 200 requests at most', async () => {
		oneByOne(perSecond(20));
		const { seconds, requests } = await write(100);
		expect(seconds).toBeLessThan(4 * 1.2);
		expect(requests).toBeLessThanOrEqual(200);
	});

	it.each([10, 25])('gets 200 executions that begin every %i ms with 400 requests at most', async (pause) => {
		oneByOne(perSecond(20));
		const { seconds, requests } = await write(200, pause);
		expect(seconds).toBeLessThan(9 * 1.2);
		expect(requests).toBeLessThanOrEqual(400);
	});
});

it.each([1, 2, 3, 4, 5])(
	'a tenant that refuses three in ten at random gets 300 writes in 25 seconds at most: %i',
	async (seed) => {
		oneByOne(atRandom(seed * 7919));
		const { seconds } = await write(300);
		expect(seconds).toBeLessThanOrEqual(25);
	},
);
