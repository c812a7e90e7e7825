import type { INodeParameters } from 'n8n-workflow';

import { TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();
const getAll = { resource: 'profile', operation: 'getAll', simple: false };

const BY_ID = { sort: [{ field: 'id', direction: 'asc' }] };

async function addProfiles(count: number): Promise<void> {
	const items = Array.from({ length: count }, (_, index) => ({
		json: { phone: String(4_917_000_000_000 + index), name: `Seeded ${index}` },
	}));
	const { error } = await tenant.run(
		{ resource: 'customer', operation: 'create', displayId: '={{ $json.phone }}', name: '={{ $json.name }}' },
		{ items },
	);
	expect(error).toBeUndefined();
	tenant.sandbox.clearRequests();
}

describe('profile: getAll', () => {
	it('gives one item per profile, all linked to the item they were asked for', async () => {
		const { items, error } = await tenant.run(getAll, { items: [{ json: {} }, { json: {} }] });

		expect(error).toBeUndefined();
		const { data } = await tenant.ask<{ data: unknown[] }>('/profiles');
		expect(items.map(({ json }) => json)).toEqual([...data, ...data]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			...data.map(() => ({ item: 0 })),
			...data.map(() => ({ item: 1 })),
		]);
	});

	it('gives the main fields alone with Simplify, which is on unless switched off', async () => {
		const { items } = await tenant.run({ resource: 'profile', operation: 'getAll', limit: 1 });
		expect(Object.keys(items[0].json)).toEqual([
			'id',
			'customer_id',
			'name',
			'phone_number',
			'email',
			'date_of_birth',
			'address',
			'marketing_opt_in',
		]);
	});

	it('tells with Simplify whether people agree to marketing: true, false, or null where nobody has decided', async () => {
		const optIns = async (simple: boolean) => {
			const { items } = await tenant.run({ ...getAll, simple, orderBy: BY_ID });
			return items.map(({ json }) => json.marketing_opt_in);
		};
		const raw = await optIns(false);
		expect(new Set(raw)).toEqual(new Set([1, null]));
		expect(await optIns(true)).toEqual(raw.map((one) => (one === null ? null : one === 1)));
	});

	it('searches, and asks for no more than the limit', async () => {
		await addProfiles(4);
		const { items } = await tenant.run({ ...getAll, limit: 2, filters: { search: 'Seeded' } });

		expect(items.map(({ json }) => json.name)).toEqual(['Seeded 0', 'Seeded 1']);
		expect(tenant.sent()).toMatchObject([
			{
				method: 'GET',
				path: '/third-party/v1/profiles',
				query: { search: 'Seeded', per_page: '2' },
				body: '',
			},
		]);
	});

	it.each([
		['a list that Limit ends', { limit: 3 }, 1],
		['each of two', { limit: 3 }, 2],
		['none that ends there by itself', { limit: 4 }, 0],
		['none that is read to its end', { returnAll: true }, 0],
	])('a hint tells of %s', async (_which, howMany, cut) => {
		await addProfiles(4);
		const items = Array.from({ length: Math.max(cut, 1) }, () => ({ json: {} }));
		const { run } = await tenant.run({ ...getAll, ...howMany, filters: { search: 'Seeded' } }, { items });
		expect(run.data.resultData.runData.Node[0].hints?.map(({ message }) => message) ?? []).toEqual(
			cut === 0 ? [] : [expect.stringContaining(cut === 1 ? 'The list ended at Limit' : '2 lists ended')],
		);
	});

	it('follows the pages with the same filters until all are there', async () => {
		await addProfiles(130);
		const { items, error } = await tenant.run({ ...getAll, returnAll: true, filters: { search: 'Seeded' } });

		expect(error).toBeUndefined();
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(130);
		expect(tenant.sent().map(({ path, query }) => [path, query.search, query.per_page])).toEqual([
			['/third-party/v1/profiles', 'Seeded', '100'],
			['/third-party/v1/profiles', 'Seeded', '100'],
			['/third-party/v1/me', undefined, undefined],
		]);
	});

	it('gives no item when nothing is found', async () => {
		const { items, error } = await tenant.run({ ...getAll, filters: { search: 'nobody has this name' } });
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
	});
});

describe('profile: getAll: Search', () => {
	const searching = async (search: unknown) => {
		const { error } = await tenant.run({ ...getAll, filters: { search } as INodeParameters });
		return error ? error.message : tenant.sent().map(({ query }) => query.search);
	};

	it.each([
		['+49 171 1234567', '491711234567'],
		['0049 (0)171 / 123-45-67', '491711234567'],
		['(+49) 171.1234567', '491711234567'],
		['tel:+49-171-1234567', '491711234567'],
		['+4512 345678', '4512345678'],
		['491711234567', '491711234567'],
		['={{ 491711234567 }}', '491711234567'],
	])('takes the phone number %s', async (typed, sent) => {
		expect(await searching(typed)).toEqual([sent]);
	});

	it.each([
		'Nathan Smith',
		'0171 1234567',
		'1990-05-17',
		'17.05.1990',
		'jo+49@mail.example',
		'+49',
		'B-4711',
	])('takes %s as it is', async (typed) => {
		expect(await searching(typed)).toEqual([typed]);
	});

	it.each(['={{ undefined }}', '={{ $json.nobody }}', '={{ null }}'])(
		'that is %s is an error, and not everyone',
		async (typed) => {
			expect(await searching(typed)).toMatch(/^Search (has no value|cannot be null)$/);
			expect(tenant.sent()).toEqual([]);
		},
	);
});

describe('profile: getAll: Order By', () => {
	it.each<[string, unknown, string | undefined]>([
		['one field', [{ field: 'name', direction: 'asc' }], 'name:asc'],
		['a field that is not in the list', [{ field: 'custom_7', direction: 'desc' }], 'custom_7:desc'],
		[
			'several, in their order',
			[
				{ field: 'name', direction: 'desc' },
				{ field: 'created_at', direction: 'asc' },
			],
			'name:desc,created_at:asc',
		],
		['an expression', [{ field: '={{ "na" + "me" }}', direction: '={{ "desc" }}' }], 'name:desc'],
		['no field', [], undefined],
	])('asks for %s', async (_name, sort, order) => {
		await tenant.run({ ...getAll, orderBy: { sort } as INodeParameters });
		expect(tenant.sent()[0].query.order_by).toBe(order);
	});
});
