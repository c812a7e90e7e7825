import { setTimeout } from 'node:timers/promises';

import { KeyList, UsedKeys } from '../../nodes/CustomerMessaging/messages/once/usedKeys.ts';
import { simulatedStore } from './simulatedStore.mts';

let now = 0;
let node = 0;

beforeEach(() => {
	now = 1_700_000_000_000;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});

afterEach(() => jest.restoreAllMocks());

it('whoever waits for a key that is being sent gets it when it is released, and not when it is kept', async () => {
	const keys = UsedKeys.of(`simulated ${++node}`);
	const data = simulatedStore();
	const list = new KeyList(data, 10);
	for (const isReleased of [true, false]) {
		const first = await keys.take(list, `${isReleased}`);
		const others = [1, 2].map(async () => {
			const claim = await keys.take(list, `${isReleased}`);
			claim?.keep();
			return claim !== undefined;
		});
		if (isReleased) await first?.release();
		else first?.keep();
		expect((await Promise.all(others)).filter(Boolean)).toHaveLength(isReleased ? 1 : 0);
	}
});

describe('several processes that take a key at the same instant', () => {
	/** Each has turns of its own, as the keys of a node have in each process of n8n. */
	const processes = (count: number) =>
		Array.from({ length: count }, () => UsedKeys.of(`simulated ${++node}`));

	let random = 1;
	const upTo = (most: number) =>
		Math.floor(((random = (random * 48_271) % 2_147_483_647) / 2_147_483_647) * most);

	/** Has processes take keys over one store without a lock, and tells which of them got each. */
	async function race(isShared: boolean, rounds: number) {
		const store = simulatedStore(async () => await setTimeout(upTo(40)));
		const list = () => new KeyList(store, 10, isShared);
		const [one, other, busy] = processes(3);
		const taken: number[] = [];
		for (let round = 0; round < rounds; round++) {
			const take = async (keys: UsedKeys, id: string) => {
				await setTimeout(upTo(30));
				return await keys.take(list(), id);
			};
			const claims = await Promise.all([
				...[one, other].map(async (keys) => await take(keys, `key ${round}`)),
				take(busy, `of somebody else ${round}`),
			]);
			const [, , others] = claims;
			expect(others).toBeDefined();
			for (const claim of claims) claim?.keep();
			taken.push(claims.slice(0, 2).filter(Boolean).length);
			// It stays used for all.
			for (const keys of [one, other]) expect(await keys.take(list(), `key ${round}`)).toBeUndefined();
		}
		return taken;
	}

	it('are one that gets it, and nobody else is left out', async () => {
		const races = await Promise.all(Array.from({ length: 40 }, async () => await race(true, 5)));
		expect(races.flat()).toEqual(Array.from({ length: 200 }, () => 1));
	});

	it('leave no mark in the list, whether they take, miss or release it', async () => {
		const store = simulatedStore();
		const [one, other] = processes(2);
		const list = new KeyList(store, 10, true);
		const before = await one.take(list, 'before');
		before?.keep();
		const { size } = store;
		const claim = await one.take(list, 'key');
		expect(store.size).toBe(size + 5);
		expect(await other.take(list, 'key')).toBeUndefined();
		expect(store.size).toBe(size + 5);
		await claim?.release();
		expect(store.size).toBe(size);
		expect(await other.take(list, 'key')).toBeDefined();
	});

	it('give up with an error where the list never keeps what they write', async () => {
		const store = {
			...simulatedStore(),
			checkProcessedAndRecord: async (given: unknown[]) => ({ new: given.map(String), processed: [] }),
		};
		jest.useFakeTimers({ doNotFake: ['Date'] });
		const [one] = processes(1);
		const taking = expect(one.take(new KeyList(store, 10, true), 'key')).rejects.toThrow('overwrite');
		await jest.advanceTimersByTimeAsync(60_000);
		await taking;
		jest.useRealTimers();
	});

	it('wait once for all keys that come together, and not at all where there is one process', async () => {
		const waited = async (isShared: boolean) => {
			const [one] = processes(1);
			const list = new KeyList(simulatedStore(), 10, isShared);
			const began = performance.now();
			await Promise.all(
				Array.from({ length: 500 }, async (_, index) => await one.take(list, `key ${index}`)),
			);
			return performance.now() - began;
		};
		expect(await waited(false)).toBeLessThan(250);
		const shared = await waited(true);
		expect(shared).toBeGreaterThanOrEqual(245);
		expect(shared).toBeLessThan(2000);
	});
});
