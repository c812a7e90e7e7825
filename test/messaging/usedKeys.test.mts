import { KeyList, UsedKeys, Window } from '../../nodes/CustomerMessaging/messaging/once/usedKeys.ts';
import { simulatedStore } from './simulatedStore.mts';

const HOUR = 3_600_000;

let now = 0;
let node = 0;

beforeEach(() => {
	now = 1_700_000_000_000;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});

afterEach(() => jest.restoreAllMocks());

it('no key is used again before its hours are over, and each is after a quarter more', async () => {
	const keys = UsedKeys.of(`simulated ${++node}`);
	const data = simulatedStore();
	const list = new KeyList(data, new Window(10));
	const sentAt = new Map<string, number>();
	let random = 42;
	const next = () => (random = (random * 48_271) % 2_147_483_647) / 2_147_483_647;
	let sent = 0;
	let skipped = 0;
	for (let round = 0; round < 1000; round++) {
		now += Math.floor(next() * 2_000_000);
		const id = `k${Math.floor(next() * 8)}`;
		const claim = await keys.take(list, id, data);
		const age = now - (sentAt.get(id) ?? -Infinity);
		if (!claim) {
			expect(age).toBeLessThanOrEqual(12.5 * HOUR);
			skipped++;
			continue;
		}
		expect(age).toBeGreaterThanOrEqual(10 * HOUR);
		now += Math.floor(next() * 1000);
		if (next() < 0.2) await claim.release();
		else {
			const kept = claim.keep();
			await keys.record(list, () => kept);
			sentAt.set(id, now);
			sent++;
		}
	}
	expect(sent).toBeGreaterThan(70);
	expect(skipped).toBeGreaterThan(300);
});

it('whoever waits for a key that is being sent gets it when it is released, and not when it is kept', async () => {
	const keys = UsedKeys.of(`simulated ${++node}`);
	const data = simulatedStore();
	const list = new KeyList(data, new Window(10));
	for (const isReleased of [true, false]) {
		const first = await keys.take(list, `${isReleased}`, data);
		const others = [1, 2].map(async () => {
			const claim = await keys.take(list, `${isReleased}`, data);
			claim?.keep();
			return claim !== undefined;
		});
		if (isReleased) await first?.release();
		else first?.keep();
		expect((await Promise.all(others)).filter(Boolean)).toHaveLength(isReleased ? 1 : 0);
	}
});

it.each([
	[4, 'is still its own: nobody else could send for it'],
	[5, 'is not: another process may have sent for it meanwhile'],
])('a key that was recorded ahead %i quarters of its hours ago %s', async (quarters) => {
	const data = simulatedStore();
	const list = new KeyList(data, new Window(10));
	const otherProcess = UsedKeys.of(`simulated ${++node}`);
	const keys = UsedKeys.of(`simulated ${++node}`);
	// The beginning of a quarter.
	now = Math.ceil(now / (2.5 * HOUR)) * 2.5 * HOUR;
	await keys.recordAhead(list, ['k'], data);
	now += quarters * 2.5 * HOUR;
	const others = await otherProcess.take(list, 'k', data);
	others?.keep();
	expect((await keys.take(list, 'k', data)) !== undefined).toBe(others === undefined);
	expect(others === undefined).toBe(quarters === 4);
});
