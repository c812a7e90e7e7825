import type { IDataObject } from 'n8n-workflow';

import { simulatedStore } from '../messages/simulatedStore.mts';
import { oneOf, upTo } from './chance.mts';
import { useLimits } from './tinyLimits.mts';

const KEPT = 4;
const WINDOW = 60;

const take = useLimits({
	'trigger/seenKeys.ts': { MAX_IN_PROCESS: 6, MAX_KEPT: KEPT, WINDOW_SECONDS: WINDOW },
	'messages/sendOnce.ts': { MAX_ENTRIES: 60 },
});

afterEach(() => jest.restoreAllMocks());

describe('where few deliveries are remembered', () => {
	const { SeenKeys } =
		take<typeof import('../../nodes/CustomerMessaging/trigger/seenKeys.ts')>('trigger/seenKeys.ts');

	it('each starts at once, and the last ones start nothing again, also after a restart', () => {
		let [now, restarts] = [1000, 0];
		const staticData: IDataObject = {};
		/** When each key has started last, the newest last. */
		const started = new Map<string, number>();
		for (let step = 0; step < 1000; step++) {
			now += upTo(12);
			if (upTo(10) === 0) restarts++;
			const key = `delivery-${upTo(9)}`;
			jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
			const seen = new SeenKeys(`tiny ${restarts}`, staticData);
			const isStarted = seen.accept([key]);
			const isKnown = now - (started.get(key) ?? -Infinity) <= WINDOW;
			const isOfTheLast = [...started.keys()].slice(-KEPT).includes(key);
			if (!isKnown || isOfTheLast)
				expect({ step, key, isStarted }).toEqual({ step, key, isStarted: !isKnown });
			if (!isStarted) continue;
			// The sender repeats what n8n has answered with an error.
			if (upTo(8) === 0) {
				seen.settle(500);
				started.delete(key);
				continue;
			}
			seen.keep();
			// n8n writes it.
			staticData.deliveries = JSON.parse(JSON.stringify(staticData.deliveries));
			started.delete(key);
			started.set(key, now);
		}
	});
});

describe('where the list of used keys holds few', () => {
	const { KeyList, StoreFull } =
		take<typeof import('../../nodes/CustomerMessaging/messages/sendOnce.ts')>('messages/sendOnce.ts');

	it('no key is used again within its hours, and each is after a quarter more: what does not fit fails', async () => {
		const store = simulatedStore();
		const list = new KeyList(store, 10);
		const sentAt = new Map<string, number>();
		const outcomes = { sent: 0, skipped: 0, full: 0 };
		let now = 1_700_000_000_000;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		for (let step = 0; step < 600; step++) {
			now += upTo(oneOf([100_000, 5_000_000]));
			const id = `key ${upTo(14)}`;
			const hours = (now - (sentAt.get(id) ?? -Infinity)) / 3_600_000;
			const claim = await list.take(id).catch((error: Error) => error);
			expect(store.size).toBeLessThanOrEqual(60);
			if (claim instanceof Error) {
				expect(claim).toBeInstanceOf(StoreFull);
				outcomes.full++;
			} else if (claim) {
				expect({ step, id, hours: hours >= 10 || hours }).toEqual({ step, id, hours: true });
				if (upTo(5) === 0) {
					await list.release(claim);
					continue;
				}
				outcomes.sent++;
				sentAt.set(id, now);
			} else {
				expect(hours).toBeLessThanOrEqual(12.5);
				outcomes.skipped++;
			}
		}
		expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(5);
	});
});
