import { KeyList, UsedKeys } from '../../nodes/CustomerMessaging/messaging/once/usedKeys.ts';
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
	const list = new KeyList(data, 10);
	const sentAt = new Map<string, number>();
	let random = 42;
	const next = () => (random = (random * 48_271) % 2_147_483_647) / 2_147_483_647;
	let sent = 0;
	let skipped = 0;
	for (let round = 0; round < 1000; round++) {
		now += Math.floor(next() * 2_000_000);
		const id = `k${Math.floor(next() * 8)}`;
		const claim = await keys.take(list, id);
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
			claim.keep();
			await keys.end(list);
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
