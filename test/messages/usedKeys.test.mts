import { sleep } from 'n8n-workflow';

import { KeyList } from '../../nodes/CustomerMessaging/messages/sendOnce.ts';
import { VirtualTime } from '../context/virtualTime.mts';
import { simulatedStore } from './simulatedStore.mts';

const time = VirtualTime.inEachTest();

describe('several processes that take a key at the same instant', () => {
	let random = 1;
	const upTo = (most: number) =>
		Math.floor(((random = (random * 48_271) % 2_147_483_647) / 2_147_483_647) * most);

	/** Milliseconds within which a process writes what it has read: half of what the others wait. */
	const MAX_STEP = 125;

	/** Has processes take keys over one store without a lock, and tells how many of them got each. */
	async function race(rounds: number) {
		const store = simulatedStore(async () => await sleep(upTo(MAX_STEP)));
		const [one, other, busy] = [1, 2, 3].map(() => new KeyList(store, 10, true));
		const taken: number[] = [];
		for (let round = 0; round < rounds; round++) {
			const take = async (list: KeyList, id: string) => {
				await sleep(upTo(30));
				return await list.take(id);
			};
			const claims = await Promise.all([
				...[one, other].map(async (list) => await take(list, `key ${round}`)),
				take(busy, `of somebody else ${round}`),
			]);
			const [, , others] = claims;
			expect(others).toBeDefined();
			taken.push(claims.slice(0, 2).filter(Boolean).length);
			// It stays used for all.
			for (const list of [one, other]) expect(await list.take(`key ${round}`)).toBeUndefined();
		}
		return taken;
	}

	it('are one that gets it, and nobody else is left out', async () => {
		const races = await time.until(Promise.all(Array.from({ length: 40 }, async () => await race(5))));
		expect(races.flat()).toEqual(Array.from({ length: 200 }, () => 1));
	});

	it('leave no mark in the list, whether they take, miss or release it', async () => {
		const store = simulatedStore();
		const [one, other] = [1, 2].map(() => new KeyList(store, 10, true));
		const take = async (list: KeyList, id: string) => await time.until(list.take(id));
		await take(one, 'before');
		const { size } = store;
		const claim = await take(one, 'key');
		expect(store.size).toBe(size + 5);
		expect(await take(other, 'key')).toBeUndefined();
		expect(store.size).toBe(size + 5);
		await time.until(one.release(claim ?? []));
		expect(store.size).toBe(size);
		expect(await take(other, 'key')).toBeDefined();
	});

	it('give up with an error where the list never keeps what they write', async () => {
		const store = {
			...simulatedStore(),
			checkProcessedAndRecord: async (given: unknown[]) => ({ new: given.map(String), processed: [] }),
		};
		const taking = time.until(new KeyList(store, 10, true).take('key'));
		await expect(taking).rejects.toThrow('overwrite');
	});

	it('wait once for all keys that come together, and not at all where there is one process', async () => {
		const waited = async (isShared: boolean) => {
			const list = new KeyList(simulatedStore(), 10, isShared);
			const began = time.now;
			await time.until(
				Promise.all(Array.from({ length: 500 }, async (_, index) => await list.take(`key ${index}`))),
			);
			return time.now - began;
		};
		expect(await waited(false)).toBe(0);
		expect(await waited(true)).toBe(250);
	});
});
