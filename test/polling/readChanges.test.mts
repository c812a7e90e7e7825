import { type EventName, feedOf, PROFILE_FIELDS } from '../../nodes/CustomerMessaging/polling/feeds.ts';
import { readChanges } from '../../nodes/CustomerMessaging/polling/readChanges.ts';
import { TenantInMemory } from '../context/tenantInMemory.mts';

const tenant = TenantInMemory.inEachTest();

/** What the first poll of a list finds that shows no times, all of it on one page. */
async function firstRead(event: EventName, count: number) {
	const data = Array.from({ length: count }, (_, index) => ({ id: index + 1, uuid: `u-${index}` }));
	tenant.answer(() => ({ body: { data } }));
	const question = {
		feed: feedOf(event, '', PROFILE_FIELDS),
		memory: { of: '', member: '', overlap: 0, seen: [], told: [], values: [] },
		isFirst: true,
		catchUp: Infinity,
	};
	return await readChanges(tenant.run()(), question);
}

describe('a list without times', () => {
	it.each<[EventName, number]>([
		['profileChanged', 3000],
		['consentChanged', 3000],
		['newNotification', 6000],
	])('is compared for %s up to %i records, and says so where there is one more', async (event, most) => {
		expect((await firstRead(event, most)).known).toHaveLength(most);
		await expect(firstRead(event, most + 1)).rejects.toMatchObject({
			message: expect.stringMatching(/^The tenant does not tell when a \w+ changed$/),
			description: expect.stringContaining(`which is at most ${most}.`),
		});
	});
});
