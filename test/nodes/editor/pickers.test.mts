import type { INodeListSearchItems, INodeParameters } from 'n8n-workflow';

import { editorOf } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { TestTenant } from '../../engine/tenant.mts';
import { http } from '../../http.mts';

const PEOPLE = 5000;

/** Milliseconds in which a person is to be found. */
const SOON = 2000;

async function search(
	{ credentials }: Pick<TestTenant, 'credentials'>,
	method: string,
	filter?: string,
	paginationToken?: string,
	parameters: INodeParameters = {},
) {
	const { methods, context } = await editorOf({ parameters, credentials });
	return (await methods.listSearch?.[method].call(context, filter, paginationToken)) ?? { results: [] };
}

/** Searches, and reads on as n8n does once the list can be scrolled. */
async function searchAll(tenant: Pick<TestTenant, 'credentials'>, method: string, filter: string) {
	const found: INodeListSearchItems[] = [];
	let token: string | undefined;
	do {
		const { results, paginationToken } = await search(tenant, method, filter, token);
		found.push(...results);
		token = paginationToken as string | undefined;
	} while (token);
	return found;
}

describe('among 5,000 customers', () => {
	const tenant = TestTenant.inEachTest();

	beforeEach(async () => {
		await http.post(`${tenant.sandbox.url}/sandbox/seed`, { profiles: PEOPLE });
		tenant.sandbox.clearRequests();
	});

	const last = () => {
		const { store } = tenant.sandbox;
		const customer = store.customers.byDisplayId('chatapp', String(4_915_200_000_000 + PEOPLE - 1));
		const profile = customer && store.profiles.ofCustomer(customer.id);
		if (!customer || !profile) throw new Error('Nobody was seeded');
		return { customer, profile };
	};

	it.each(['searchCustomers', 'searchProfiles'])(
		'%s finds a name, a number in any writing, and an ID within two seconds each',
		async (method) => {
			const { customer, profile } = last();
			const { id } = method === 'searchCustomers' ? customer : profile;
			const entry = { name: `${customer.name} (+${customer.display_id})`, value: id };
			for (const typed of [
				customer.name,
				customer.display_id,
				`+${customer.display_id}`,
				`00${customer.display_id.slice(0, 2)} ${customer.display_id.slice(2, 6)}/${customer.display_id.slice(6)}`,
				customer.display_id.slice(-6),
				String(id),
			]) {
				const startedAt = performance.now();
				const { results } = await search(tenant, method, typed);
				expect(performance.now() - startedAt).toBeLessThan(SOON);
				expect(results).toContainEqual(entry);
			}
			const { length } = tenant.sent();
			expect(length).toBeLessThan(12);
		},
	);

	it('the name Hugo Lindholm is found with all who have it, each with the own number', async () => {
		for (const method of ['searchCustomers', 'searchProfiles']) {
			const { results } = await search(tenant, method, 'Hugo Lindholm');
			const names = results.map(({ name }) => name);
			expect(names.length).toBeGreaterThan(5);
			expect(new Set(names).size).toBe(names.length);
			expect(names.every((name) => /^Hugo Lindholm \(\+49152\d+\)$/.test(name))).toBe(true);
		}
	});

	it('those beyond the first page of a search are found too, once each', async () => {
		const found = await searchAll(tenant, 'searchCustomers', 'Hugo');
		const { data } = await tenant.ask<{ data: unknown[] }>('/profiles?search=Hugo&per_page=1000');
		expect(found.length).toBeGreaterThan(200);
		expect(new Set(found.map(({ value }) => value)).size).toBe(found.length);
		expect(data.length).toBeLessThanOrEqual(found.length);
	});

	it('a multi-select says first that it is cut', async () => {
		const { methods, context } = await editorOf({ parameters: {}, credentials: tenant.credentials });
		const [first, ...others] = (await methods.loadOptions?.getCustomers.call(context)) ?? [];
		expect(first).toEqual({
			name: 'Only the first 1,000 are listed: give others by expression',
			value: '',
		});
		expect(others).toHaveLength(1000);
		expect(others[0]).toEqual({ name: 'Mira Example (+491700000001)', value: 101 });
	});

	it('activities are those of a profile that is given by phone number', async () => {
		const chosen = (value: string) => ({
			resource: 'profile',
			operation: 'getActivity',
			profileId: { __rl: true, mode: 'phone', value },
		});
		const { results } = await search(tenant, 'searchActivities', '', undefined, chosen('+49 170 0000001'));
		expect(results.length).toBeGreaterThan(0);
		expect(tenant.sent().map(({ path }) => path)).toEqual([
			'/third-party/v1/profiles',
			'/third-party/v1/profiles/500001/activities',
		]);
		await expect(
			search(tenant, 'searchActivities', '', undefined, chosen('+49 170 9999999')),
		).rejects.toThrow('Profile was not found: nobody has the phone number 491709999999');
		expect(await search(tenant, 'searchActivities', '', undefined, chosen('+49'))).toEqual({ results: [] });
	});
});

describe('at other tenants', () => {
	const odd = OddTenant.inEachTest();

	/** Answers with pages of a list, and with what stands under the other paths. */
	function answer(lists: Record<string, (index: number) => object>, total: number, pageSize = 10): void {
		odd.answer(async ({ query, url }, reply) => {
			const path = url.slice('/third-party/v1'.length).split('?')[0];
			const recordOf = lists[path] as ((index: number) => object) | undefined;
			if (!recordOf) return await reply.code(404).send({ message: 'Nobody' });
			const page = Number((query as { page?: string }).page ?? 1);
			const first = (page - 1) * pageSize;
			const count = Math.max(0, Math.min(pageSize, total - first));
			return {
				data: Array.from({ length: count }, (_, index) => recordOf(first + index)),
				current_page: page,
				last_page: Math.ceil(total / pageSize),
			};
		});
	}

	const customer = (index: number) => ({
		id: index + 1,
		name: `N${index}`,
		display_id: `4915200000${index}`,
	});
	const profile = (index: number) => ({
		id: index + 900,
		name: `N${index}`,
		phone_number: `4915200000${index}`,
	});

	it.each<[string, Record<string, (index: number) => object>]>([
		['whose profiles do not name their customers', { '/profiles': profile, '/customers': customer }],
		['that show no profiles', { '/customers': customer }],
	])('%s, customers are read until somebody matches', async (_what, lists) => {
		answer(lists, 300);
		const { results } = await search(odd, 'searchCustomers', 'n299');
		expect(results).toEqual([{ name: 'N299 (+4915200000299)', value: 300 }]);
		expect(odd.asked.filter((asked) => asked.includes('/customers'))).toHaveLength(30);
	});

	it('a search that reads customers goes on in the customers', async () => {
		answer({ '/profiles': profile, '/customers': customer }, 300);
		const found = await searchAll(odd, 'searchCustomers', 'n1');
		expect(found).toHaveLength(111);
		expect(new Set(found.map(({ value }) => value)).size).toBe(111);
		expect(odd.asked.filter((asked) => asked.includes('/profiles'))).toHaveLength(1);
	});

	it.each([
		['searchUsers', '/users'],
		['searchAgents', '/agents'],
		['searchTemplates', '/templates'],
	])('%s finds a name on page 30, which the service cannot search', async (method, path) => {
		answer({ [path]: (index) => ({ id: index + 1, name: `N${index}` }) }, 300);
		const { results, paginationToken } = await search(odd, method, 'n299');
		expect(results).toHaveLength(1);
		expect(results[0].name).toMatch(/^N299/);
		expect(paginationToken).toBeUndefined();
	});

	it('a list without an end is read for 100 pages, and says so', async () => {
		answer({ '/users': (index) => ({ id: index + 1, name: `N${index}` }) }, 1_000_000);
		const { results, paginationToken } = await search(odd, 'searchUsers', 'hugo');
		expect(results).toEqual([
			{ name: 'Only the first 1,000 were searched: type more, or enter it yourself', value: '' },
		]);
		expect(paginationToken).toBeUndefined();
		expect(odd.asked).toHaveLength(100);
	});

	it('an ID is found on whatever page it is, and once', async () => {
		const users = Array.from({ length: 10 }, (_, index) => ({ id: index + 1, name: `N${index}` }));
		odd.answer(({ url }) =>
			url.includes('/users/')
				? { data: { id: Number(url.split('/').at(-1)), name: 'Hugo' } }
				: { data: users, current_page: 1, last_page: 1000 },
		);
		const [found] = (await search(odd, 'searchUsers', '4711')).results;
		expect(found).toEqual({ name: 'Hugo (4711)', value: 4711 });
		const values = (await search(odd, 'searchUsers', '7')).results.map(({ value }) => value);
		expect(values.filter((value) => value === 7)).toHaveLength(1);
	});

	it('an ID that is answered with another record finds nobody', async () => {
		odd.answer(({ url }) =>
			url.includes('/users/') ? { data: { id: 1, name: 'Another' } } : { data: [], current_page: 1 },
		);
		expect((await search(odd, 'searchUsers', '4711')).results).toEqual([]);
	});

	it('records of one name are told apart by their IDs, and only those', async () => {
		odd.answer(() => ({
			data: [
				{ id: 1, title: 'VIP' },
				{ id: 2, title: 'VIP' },
				{ id: 3, title: 'New' },
			],
		}));
		const named = [
			{ name: 'VIP (1)', value: 1 },
			{ name: 'VIP (2)', value: 2 },
			{ name: 'New', value: 3 },
		];
		expect((await search(odd, 'searchTags')).results).toEqual(named);
		const { methods, context } = await editorOf({ parameters: {}, credentials: odd.credentials });
		expect(await methods.loadOptions?.getTags.call(context)).toEqual(named);
	});

	it.each<[string, object, string]>([
		['a name alone', { id: 5, name: 'Jo' }, 'Jo (5)'],
		['a number alone', { id: 5, display_id: '491711234567' }, '+491711234567'],
		['neither', { id: 5 }, '5'],
		['the name of another channel', { id: 5, name: 'Jo', channel: 'chat', display_id: 'jo1' }, 'Jo (jo1)'],
		[
			'a number that is the name',
			{ id: 5, name: '+491711234567', display_id: '491711234567' },
			'+491711234567',
		],
	])('a customer with %s is shown with what there is', async (_what, record, name) => {
		odd.answer(() => ({ data: [record] }));
		expect((await search(odd, 'searchCustomers')).results).toEqual([{ name, value: 5 }]);
	});
});
