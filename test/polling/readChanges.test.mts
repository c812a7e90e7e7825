import {
	type EventName,
	type FeedChoice,
	feedOf,
	PROFILE_FIELDS,
} from '../../nodes/CustomerMessaging/polling/feeds.ts';
import { comparePlaces } from '../../nodes/CustomerMessaging/polling/pollState.ts';
import { readChanges } from '../../nodes/CustomerMessaging/polling/readChanges.ts';
import { TenantInMemory } from '../context/tenantInMemory.mts';

const tenant = TenantInMemory.inEachTest();

const CHOSEN: Partial<Record<EventName, Partial<FeedChoice>>> = {
	joinedGroup: { group: 61 },
	tagAdded: { tag: { id: 41, title: 'VIP' } },
};

/** What the first poll of a list finds that shows no times, all of it on one page. */
async function firstRead(event: EventName, count: number, isFirst = true) {
	const more = { tags: [{ id: 41 }], status: 'approved' };
	const data = Array.from({ length: count }, (_, index) => ({ id: index + 1, uuid: `u-${index}`, ...more }));
	tenant.answer(() => ({ body: { data } }));
	const query = {
		feed: feedOf(event, { channel: '', fields: PROFILE_FIELDS, ...CHOSEN[event] }),
		state: { of: '', member: '', overlap: 0, seen: [], announced: [], values: [] },
		isFirst,
	};
	return await readChanges(tenant.run()(), query);
}

describe('a list without times', () => {
	const CHANNEL = 'Limit the trigger to a channel, or ask the operator of the service for';

	it.each<[EventName, number, string]>([
		['profileChanged', 3000, `${CHANNEL} a field such as updated_at.`],
		['consentChanged', 3000, `${CHANNEL} a field such as updated_at.`],
		['newCustomer', 6000, `${CHANNEL} numbers as IDs.`],
		['joinedGroup', 6000, 'Choose a group of fewer profiles.'],
		['tagAdded', 6000, 'Choose a tag that fewer profiles have, or limit the trigger to a channel.'],
		['templateStatus', 3000, 'Delete templates that nobody needs.'],
		['newNotification', 6000, 'Ask the operator of the service for a field such as created_at.'],
	])(
		'is compared for %s up to %i records, and says what helps where there is one more',
		async (event, most, remedy) => {
			expect((await firstRead(event, most)).known).toHaveLength(most);
			await expect(firstRead(event, most + 1)).rejects.toMatchObject({
				message: expect.stringMatching(/^There are more \w+s than the trigger can compare$/),
				description: `Without a time, the trigger compares all records with what it remembers, which is at most ${most}. Your account has more. ${remedy}`,
			});
		},
	);
});

it('a list without times fails too where all of its records are new', async () => {
	await expect(firstRead('joinedGroup', 6001, false)).rejects.toMatchObject({
		message: 'There are more profiles than the trigger can compare',
	});
});

it('a list that goes on and on ends a poll, which nobody could stop', async () => {
	let page = 0;
	tenant.answer(() => {
		const id = ++page;
		const meta = { current_page: id, last_page: id + 1 };
		return { body: { data: [{ id, updated_at: '2026-01-01T00:00:00Z' }], meta } };
	});
	const query = {
		feed: feedOf('profileChanged', { channel: '', fields: PROFILE_FIELDS }),
		state: { of: '', member: 'updated_at', overlap: 0, seen: [], announced: [], values: [] },
		...{ isFirst: true },
	};
	await expect(readChanges(tenant.run()(), query)).rejects.toMatchObject({
		message: 'The list of profiles has more than 10000 pages',
	});
});

it.each<[Array<number | string | null>, string]>([
	[[9, 10, 100], 'numbers by their size'],
	[['10', '100', '9'], 'texts by their letters'],
	[[null, '10', '9'], 'none before all others'],
	[[10, '9'], 'a number and a text as texts'],
])('records of one moment are in the order of their IDs: %j, %s', (ids) => {
	const places = ids.map((id) => ({ key: 1, id }));
	expect([...places].reverse().sort(comparePlaces)).toEqual(places);
	expect(comparePlaces({ key: 1, id: 9 }, { key: 2, id: 1 })).toBeLessThan(0);
});
