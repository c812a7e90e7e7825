import { differences } from '../../nodes/CustomerMessaging/polling/differences.ts';
import { EVENTS, type EventName, type Watch } from '../../nodes/CustomerMessaging/polling/events.ts';
import { readMemory, writeMemory } from '../../nodes/CustomerMessaging/polling/memory.ts';
import type { Poll } from '../../nodes/CustomerMessaging/polling/settings.ts';
import { TenantInMemory } from '../context/tenantInMemory.mts';

const tenant = TenantInMemory.inEachTest();

/** Makes what polls the list of an event, as kinds and IDs of what is different. */
function polling(watch: Watch) {
	const choice = { channel: '', fields: [], id: 41, title: 'VIP' };
	const staticData = {};
	return async () => {
		const poll = { context: tenant.run()(), watch, choice, memory: readMemory(staticData, 'a test') };
		const told: string[] = [];
		for await (const news of differences(poll as never as Poll))
			told.push(...news.map(({ kind, id }) => `${kind} ${id}`));
		writeMemory(staticData, poll.memory);
		expect(Buffer.byteLength(JSON.stringify(staticData))).toBeLessThan(64 * 1024);
		return told;
	};
}

const listOf = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		...{ id: String(index + 1), uuid: `u-${index}`, tags: [{ id: 41 }], status: 'approved' },
	}));

describe('a list without times', () => {
	it.each<[EventName, number]>([
		['profileChanged', 3000],
		['consentChanged', 3000],
		['joinedGroup', 6000],
		['tagAdded', 6000],
		['templateChanged', 3000],
		['newNotification', 6000],
	])(
		'is compared for %s up to %i records, and says what helps where there is one more',
		async (event, most) => {
			const poll = polling(EVENTS[event]);
			tenant.answer(() => ({ body: { data: listOf(most) } }));
			expect(await poll()).toEqual([]);
			tenant.answer(() => ({ body: { data: listOf(most + 1) } }));
			await expect(poll()).rejects.toMatchObject({
				message: `There are more than ${most} ${EVENTS[event].noun}s to compare`,
				description: expect.stringContaining('Choose a channel, group or tag with fewer') as string,
			});
		},
	);
});
