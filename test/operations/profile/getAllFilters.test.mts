import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { refusal, ScriptedTenant } from '../../engine/scriptedTenant.mts';
import { byId, TestTenant } from '../../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

const LIST = 'GET /profiles';
const GROUP = 'GET /groups/3/profiles';
const profiles = (...ids: number[]) => ids.map((id) => ({ id, name: `Person ${id}` }));
const tags = (id: number) => `GET /profiles/${id}/tags`;
const consent = (id: number) => `GET /profiles/${id}/marketing-opt-in`;

/** A tenant of five people whose list shows neither tags nor consent. Those with odd IDs have the tag 7 and agree. */
const hidden = {
	[LIST]: () => ({ data: profiles(1, 2, 3, 4, 5) }),
	...Object.fromEntries(
		[1, 2, 3, 4, 5].map((id) => [tags(id), () => ({ data: [{ id: id % 2 === 1 ? 7 : 8 }] })]),
	),
	...Object.fromEntries(
		[1, 2, 3, 4, 5].map((id) => [consent(id), () => ({ data: { is_opted_in: id % 2 === 1 } })]),
	),
};

async function found(filters: INodeParameters, more: INodeParameters = {}) {
	const { items, error, run } = await tenant.run({
		...{ resource: 'profile', operation: 'getAll', simple: false, returnAll: true },
		filters,
		...more,
	});
	const hints = run.data.resultData.runData.Node.at(-1)?.hints ?? [];
	return { ids: items.map(({ json }) => json.id), error, hints: hints.map(({ message }) => message) };
}

describe('profile: getAll: Tag', () => {
	it('takes the tags that the list shows, without a further request', async () => {
		const shown = [
			{ id: 1, tags: [{ id: 7 }, { id: 8 }] },
			{ id: 2, tags: [] },
			{ id: 3, tags: [{ id: '7' }] },
		];
		tenant.answer({ [LIST]: () => ({ data: shown }) });

		expect(await found({ tag: byId(7) })).toEqual({ ids: [1, 3], error: undefined, hints: [] });
		expect(tenant.requests).toEqual([`${LIST}?per_page=100`]);
	});

	it.each([
		['not there', {}],
		['titles in a text', { tags: 'VIP, Newsletter' }],
		['records without IDs', { tags: [{ title: 'VIP' }] }],
	])(
		'looks them up for each profile where they are %s, and tells how many requests it took',
		async (_how, more) => {
			tenant.answer({
				...hidden,
				[LIST]: () => ({ data: profiles(1, 2, 3).map((one) => ({ ...one, ...more })) }),
			});

			expect(await found({ tag: byId(7) })).toEqual({
				ids: [1, 3],
				error: undefined,
				hints: [expect.stringMatching(/^The filters took 3 requests .* for 3 of its records\.$/)],
			});
			expect(tenant.requests).toEqual([`${LIST}?per_page=100`, tags(1), tags(2), tags(3)]);
		},
	);

	it('ends as soon as the limit is reached', async () => {
		tenant.answer(hidden);
		const { ids, hints } = await found({ tag: byId(7) }, { returnAll: false, limit: 2 });
		expect(ids).toEqual([1, 3]);
		expect(hints).toContain(
			'The list ended at Limit, and there may be more. To get everything, switch on Return All.',
		);
		expect(tenant.requests.slice(1)).toEqual([tags(1), tags(2), tags(3)]);
	});

	it('leaves out who was deleted meanwhile, but nobody whose tags the service refuses', async () => {
		tenant.answer({
			...hidden,
			[tags(2)]: refusal(404),
			[tags(3)]: refusal(404),
			'GET /profiles/3': () => ({ data: { id: 3 } }),
		});
		const { ids, error } = await found({ tag: byId(7) });
		expect(ids).toEqual([]);
		expect(error).toMatchObject({ httpCode: '404' });
		expect(tenant.requests.filter((one) => /\/profiles\/[23]/.test(one)).sort()).toEqual([
			'GET /profiles/2',
			tags(2),
			'GET /profiles/3',
			tags(3),
		]);
	});

	it('fails for a profile without an ID, whose tags nobody can look up', async () => {
		tenant.answer({ [LIST]: () => ({ data: [{ name: 'Nobody' }] }) });
		expect((await found({ tag: byId(7) })).error?.message).toMatch(/list/);
	});

	it('that is chosen but empty is an error, and not everyone', async () => {
		expect((await found({ tag: byId('') })).error?.message).toBe('Tag is empty');
		expect(tenant.requests).toEqual([]);
	});
});

describe('profile: getAll: Marketing Consent', () => {
	it.each<[string, number[]]>([
		['optedIn', [1, 5]],
		['notOptedIn', [2, 3]],
	])('%s takes what the list shows, and asks about the others only', async (marketingConsent, ids) => {
		const shown: IDataObject[] = [
			{ id: 1, marketing_opt_in: 1 },
			{ id: 2, marketing_opt_in: 0 },
			{ id: 3, marketing_opt_in: null },
			{ id: 5 },
		];
		tenant.answer({ ...hidden, [LIST]: () => ({ data: shown }) });
		expect(await found({ marketingConsent })).toMatchObject({ ids, error: undefined });
		expect(tenant.requests.slice(1)).toEqual([consent(5)]);
	});

	it('fails where the service does not tell it', async () => {
		tenant.answer({ ...hidden, [consent(1)]: () => ({ data: {} }) });
		const { error } = await found({ marketingConsent: 'optedIn' });
		expect(error?.message).toBe('The service does not tell the marketing consent of profile 1');
	});
});

describe('profile: getAll: Group', () => {
	it('takes the list of the group, in one request', async () => {
		tenant.answer({ [GROUP]: () => ({ data: profiles(4, 2) }) });
		expect((await found({ group: byId(3) })).ids).toEqual([4, 2]);
		expect((await found({ group: byId(3) }, { returnAll: false, limit: 1 })).ids).toEqual([4]);
		expect(tenant.requests).toEqual([GROUP, GROUP]);
	});

	it('searches and sorts in the list of all profiles, until the whole group has come', async () => {
		const pages = [profiles(1, 2), profiles(3, 4), profiles(5)];
		tenant.answer({
			[GROUP]: () => ({ data: profiles(4, 2) }),
			[LIST]: ({ request }) => {
				const page = Number(/[?&]page=(\d)/.exec(request)?.[1] ?? 1);
				return { data: pages[page - 1], current_page: page, last_page: 3 };
			},
		});
		const orderBy = { sort: [{ field: 'id', direction: 'asc' }] };
		expect((await found({ group: byId(3), search: 'Person' }, { orderBy })).ids).toEqual([2, 4]);
		const query = 'search=Person&order_by=id%3Aasc&per_page=100';
		expect(tenant.requests.map((one) => decodeURIComponent(one))).toEqual(
			[GROUP, `${LIST}?${query}`, `${LIST}?${query}&page=2`].map(decodeURIComponent),
		);
	});

	it('of nobody gives nobody, and asks no further', async () => {
		tenant.answer({ [GROUP]: () => ({ data: [] }) });
		expect((await found({ group: byId(3), search: 'a' })).ids).toEqual([]);
		expect(tenant.requests).toEqual([GROUP]);
	});
});

describe('profile: getAll: several filters', () => {
	it('look up a second thing only about those who pass the first', async () => {
		tenant.answer({
			...hidden,
			[GROUP]: () => ({ data: profiles(1, 2, 5).map((one) => ({ ...one, marketing_opt_in: 1 })) }),
		});
		expect(await found({ group: byId(3), tag: byId(7), marketingConsent: 'optedIn' })).toMatchObject({
			ids: [1, 5],
		});
		expect(tenant.requests).toEqual([GROUP, tags(1), tags(2), tags(5)]);

		tenant.arrived.splice(0);
		tenant.answer(hidden);
		expect(await found({ tag: byId(7), marketingConsent: 'notOptedIn' })).toMatchObject({ ids: [] });
		expect(tenant.requests.filter((one) => one.endsWith('/tags')).sort()).toEqual([tags(2), tags(4)]);
	});

	describe('in the sandbox', () => {
		const sandbox = TestTenant.inEachTest();

		it('give exactly those to whom all apply, many at a time', async () => {
			const { data: all } = await sandbox.ask<{ data: IDataObject[] }>('/tags');
			const { items, error } = await sandbox.run({
				...{ resource: 'profile', operation: 'getAll', returnAll: true },
				filters: { tag: byId(all[0].id as number) },
			});
			expect(error).toBeUndefined();
			const { data: people } = await sandbox.ask<{ data: IDataObject[] }>('/profiles');
			const ofEach = await Promise.all(
				people.map(
					async ({ id }) => await sandbox.ask<{ data: IDataObject[] }>(`/profiles/${Number(id)}/tags`),
				),
			);
			const expected = people.filter((_, index) => ofEach[index].data.some(({ id }) => id === all[0].id));
			expect(expected.length).toBeGreaterThan(0);
			expect(items.map(({ json }) => json.id)).toEqual(expected.map(({ id }) => id));
		});
	});
});
