import { differences } from '../../nodes/CustomerMessaging/polling/differences.ts';
import { EVENTS, type EventName, type Watch } from '../../nodes/CustomerMessaging/polling/events.ts';
import { readMemory, writeMemory } from '../../nodes/CustomerMessaging/polling/memory.ts';
import type { Settings } from '../../nodes/CustomerMessaging/polling/settings.ts';
import { TenantInMemory } from '../context/tenantInMemory.mts';

const tenant = TenantInMemory.inEachTest();

/** Makes what polls the list of an event, as kinds and IDs of what is different. */
function polling(watch: Watch) {
	const settings = { watch, choice: { channel: '', fields: [], id: 41, title: 'VIP' } };
	const staticData = {};
	return async () => {
		const memory = readMemory(staticData, 'a test', watch.by ? undefined : '');
		const told: string[] = [];
		for await (const news of differences(tenant.run()() as never, settings as never as Settings, memory))
			told.push(...news.map(({ kind, id }) => `${kind} ${id}`));
		writeMemory(staticData, memory);
		return told;
	};
}

const listOf = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		...{ id: String(index + 1), uuid: `u-${index}`, tags: [{ id: 41 }], status: 'approved' },
	}));

describe('a list without times', () => {
	const CHANNEL = 'Limit the trigger to a channel, or ask the operator of the service for';

	it.each<[EventName, number, string]>([
		['profileChanged', 3000, `${CHANNEL} a field such as updated_at.`],
		['consentChanged', 3000, `${CHANNEL} a field such as updated_at.`],
		['joinedGroup', 6000, 'Choose a group of fewer profiles.'],
		['tagAdded', 6000, 'Choose a tag that fewer profiles have, or limit the trigger to a channel.'],
		['templateChanged', 3000, 'Delete templates that nobody needs.'],
		['newNotification', 6000, 'Ask the operator of the service for a field such as created_at.'],
	])(
		'is compared for %s up to %i records, and says what helps where there is one more',
		async (event, most, remedy) => {
			const poll = polling(EVENTS[event]);
			tenant.answer(() => ({ body: { data: listOf(most) } }));
			expect(await poll()).toEqual([]);
			tenant.answer(() => ({ body: { data: listOf(most + 1) } }));
			await expect(poll()).rejects.toMatchObject({
				message: expect.stringMatching(/^There are more \w+s than the trigger can compare$/) as string,
				description: `Without a time, the trigger compares all records with what it remembers, which is at most ${most}. Your account has more. ${remedy}`,
			});
		},
	);
});

it('another event is one row: Customer Deleted tells those whom the service has no longer (404), and not those it hides (403)', async () => {
	const poll = polling({
		words: ['Customer Deleted', 'A customer was deleted'],
		...{ noun: 'customer', remedy: 'Compare lists.' },
		list: () => ({ url: '/customers' }),
		goes: (id) => `/customers/${id}`,
	});
	let there = [1, 2, 3, 4];
	const statuses: Record<string, number> = { '2': 404, '3': 403 };
	tenant.answer(({ request }) => {
		const [, id] = /\/customers\/(\d+)/.exec(request) ?? [];
		return id
			? { status: statuses[id] ?? 200, body: {} }
			: { body: { data: there.map((one) => ({ id: one })) } };
	});
	expect(await poll()).toEqual([]);
	there = [1];
	expect(await poll()).toEqual(['gone 2']);
	expect(await poll()).toEqual([]);
	statuses['3'] = 404;
	expect(await poll()).toEqual(['gone 3']);
	there = [1, 2];
	expect(await poll()).toEqual(['came 2']);
});
