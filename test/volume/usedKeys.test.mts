import { KeyList, StoreFull } from '../../nodes/CustomerMessaging/messages/sendOnce.ts';
import { simulatedStore } from '../messages/simulatedStore.mts';

let now = 0;

beforeEach(() => {
	now = 1_700_000_000_000;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});

afterEach(() => jest.restoreAllMocks());

it('a full list loses what is older than the window, and takes nothing more where that is not half of it', async () => {
	const data = simulatedStore();
	const list = new KeyList(data, 10);
	data.fill(499_000);
	await list.take('a');
	data.fill(999_999);
	await data.checkProcessedAndRecord(list.entries('', now), 'node', {});
	// The list was half full in this window, so its older half may still count.
	await expect(list.take('b')).rejects.toThrow(StoreFull);
	now += 12.6 * 3_600_000;
	expect(await list.take('b')).toBeDefined();
	expect(data.size).toBeLessThan(500_100);
	expect(data.has('old 999998')).toBe(true);
	expect(data.has('old 499000')).toBe(false);
	expect(await list.take('b')).toBeUndefined();
	// It was half full a moment ago.
	for (let more = data.size; more < 999_998; more += 100_000)
		await data.checkProcessedAndRecord(
			Array.from({ length: Math.min(100_000, 999_998 - more) }, (_, index) => `new ${more + index}`),
			'node',
			{},
		);
	await expect(list.take('c')).rejects.toThrow(StoreFull);
});

it('a full list without end takes nothing more', async () => {
	const data = simulatedStore();
	data.fill(1_000_000);
	await expect(new KeyList(data, 0).take('a')).rejects.toThrow(StoreFull);
	expect(data.size).toBeLessThanOrEqual(1_000_001);
});
