import { setTimeout as delay } from 'node:timers/promises';

import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { pixelBinary } from '../../engine/pixel.mts';
import { byId } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();

describe('items that change the same set', () => {
	let sets: Map<string, number[]>;
	let inFlight = 0;
	let most = 0;
	let fails = 0;

	beforeEach(() => {
		sets = new Map();
		[inFlight, most, fails] = [0, 0, 0];
		odd.answer(async ({ method, url, body }, reply) => {
			most = Math.max(most, ++inFlight);
			const before = sets.get(url) ?? [];
			await delay(10);
			inFlight--;
			if (fails-- > 0) return await reply.code(422).send({ message: 'Not now' });
			if (method === 'POST') sets.set(url, (body as { user_ids: number[] }).user_ids);
			return { data: (method === 'POST' ? (sets.get(url) ?? []) : before).map((id) => ({ id })) };
		});
	});

	const add = async (customers: number[], onError?: 'continueRegularOutput') =>
		await runNode({
			parameters: {
				resource: 'customer',
				operation: 'addUsers',
				customerId: byId('={{ $json.customer }}'),
				userIds: '={{ [$json.user] }}',
			},
			items: customers.map((customer, index) => ({ json: { customer, user: index + 1 } })),
			onError,
			credentials: odd.credentials,
		});

	it('come one after another, so that no change is lost', async () => {
		const { error } = await add([7, 7, 7, 7]);
		expect(error).toBeUndefined();
		expect(most).toBe(1);
		expect([...sets.values()]).toEqual([[1, 2, 3, 4]]);
	});

	it('go on after one that fails', async () => {
		fails = 1;
		const { items } = await add([7, 7, 7], 'continueRegularOutput');
		expect(items.map(({ json }) => json.error)).toEqual(['Not now', undefined, undefined]);
		expect([...sets.values()]).toEqual([[2, 3]]);
	});

	it('of different records do not wait for each other', async () => {
		await add([1, 2, 3, 4]);
		expect(most).toBeGreaterThan(1);
		expect([...sets.values()]).toEqual([[1], [2], [3], [4]]);
	});
});

describe('what the items of a run share', () => {
	const titles = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ json: { title: `T ${index}` } }));
	const create = { resource: 'tag', operation: 'create', title: '={{ $json.title }}' };

	it('is the pause that one of them was asked to make', async () => {
		const at: number[] = [];
		odd.answer(async (_request, reply) => {
			at.push(Date.now());
			if (at.length === 1) return await reply.code(429).header('retry-after', '1').send({});
			await delay(100);
			return { id: 1, title: 'T' };
		});
		const { items } = await runNode({ parameters: create, items: titles(30), credentials: odd.credentials });
		expect(items).toHaveLength(30);
		expect(at.filter((time) => time - at[0] < 900)).toHaveLength(10);
	});

	const send = {
		resource: 'message',
		operation: 'send',
		conversationId: '1',
		messageType: 'image',
		mediaSource: 'binary',
		requestLimits: { maximumInFlight: 1, maximumTries: 1 },
	};
	const pictures = Array.from({ length: 3 }, () => ({ json: {}, binary: { data: pixelBinary } }));

	function answerUploads(refusals: number) {
		let left = refusals;
		odd.answer(async ({ url }, reply) => {
			if (!url.includes('/support/')) return { data: { id: 1, internal_uuid: 'u' } };
			if (url.includes('/allowed-mime-types') && left-- > 0)
				return await reply.code(503).send({ message: 'Not now' });
			return { data: {} };
		});
	}
	const lookUps = () => odd.asked.filter((line) => line.includes('/support/allowed-mime-types')).length;

	it('is what was looked up, once', async () => {
		answerUploads(0);
		const { error } = await runNode({ parameters: send, items: pictures, credentials: odd.credentials });
		expect(error).toBeUndefined();
		expect(lookUps()).toBe(1);
	});

	it('is looked up again by the next item where it failed', async () => {
		answerUploads(1);
		const { items } = await runNode({
			parameters: send,
			items: pictures,
			onError: 'continueRegularOutput',
			credentials: odd.credentials,
		});
		expect(items.map(({ json }) => json.error)).toEqual(['Not now', undefined, undefined]);
		expect(lookUps()).toBe(2);
	});

	it('is not shared with the next run', async () => {
		answerUploads(0);
		await runNode({ parameters: send, items: pictures, credentials: odd.credentials });
		await runNode({ parameters: send, items: pictures, credentials: odd.credentials });
		expect(lookUps()).toBe(2);
	});
});

describe('an execution that is stopped while it waits to try again', () => {
	it.each([
		['after Too Many Requests', 429],
		['after a server error', 503],
	])('sends nothing more: %s', async (_, status) => {
		let stop = () => {};
		odd.answer(async (_request, reply) => {
			setTimeout(stop, 100);
			return await reply.code(status).header('retry-after', '1').send({});
		});
		await runNode({
			parameters: { resource: 'tag', operation: 'get', tagId: byId(1) },
			credentials: odd.credentials,
			onStart: (given) => {
				stop = given;
			},
		});
		await delay(1_300);
		expect(odd.asked).toHaveLength(1);
	});
});
