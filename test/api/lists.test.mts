import type { INodeParameters } from 'n8n-workflow';

import { ScriptedTenant } from '../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const getAll = { resource: 'customer', operation: 'getAll' };
const pageOf = (request: string) => Number(/[?&]page=(\d+)/.exec(request)?.[1] ?? 1);

/** A list of so many records on pages of three. */
const pagesTo = (count: number) => (arrived: { request: string }) => {
	const page = pageOf(arrived.request);
	const data = Array.from({ length: count }, (_, index) => ({ id: index + 1 })).slice(3 * page - 3, 3 * page);
	return { data, current_page: page, last_page: Math.ceil(count / 3) };
};

const ids = async (parameters: INodeParameters) => {
	const { items, error } = await tenant.run(parameters);
	expect(error).toBeUndefined();
	return items.map(({ json }) => json.id);
};

describe('a list of the node', () => {
	beforeEach(() => tenant.answer({ 'GET /customers': pagesTo(7), 'GET /profiles': pagesTo(7) }));

	it('has all records with Return All, each linked to its item', async () => {
		const { items } = await tenant.run({ ...getAll, returnAll: true });
		expect(items).toEqual([1, 2, 3, 4, 5, 6, 7].map((id) => ({ json: { id }, pairedItem: { item: 0 } })));
		expect(tenant.requests).toEqual([
			'GET /customers',
			'GET /customers?page=2',
			'GET /customers?page=3',
			'GET /me',
		]);
	});

	it('has all records with Return All, however many there are', async () => {
		const data = Array.from({ length: 1001 }, (_, index) => ({ id: index + 1 }));
		tenant.answer({
			'GET /customers': ({ request }) => ({
				data: pageOf(request) === 1 ? data : [{ id: 1002 }],
				current_page: pageOf(request),
				last_page: 2,
			}),
		});
		expect(await ids({ ...getAll, returnAll: true })).toHaveLength(1002);
	});

	it.each([
		[1, [1], 1],
		[3, [1, 2, 3], 1],
		[4, [1, 2, 3, 4], 2],
		[6, [1, 2, 3, 4, 5, 6], 2],
	])('has no more than its Limit, %i, and is not read on behind it', async (limit, expected, pages) => {
		expect(await ids({ ...getAll, limit })).toEqual(expected);
		expect(tenant.requests).toHaveLength(pages);
	});

	it.each([
		[1, 1],
		[99, 99],
		[100, 100],
		[101, 100],
		[1000, 100],
	])('asks for pages of the right size: with the Limit %i of %i records', async (limit, size) => {
		await tenant.run({ resource: 'profile', operation: 'getAll', limit });
		expect(tenant.requests[0]).toBe(`GET /profiles?per_page=${size}`);
	});

	it('keeps filters and order on every page, and asks for nothing that is empty', async () => {
		const orderBy = { sort: [{ field: 'name', direction: 'desc' }] };
		await tenant.run({
			...{ resource: 'profile', operation: 'getAll', returnAll: true },
			filters: { search: 'Seeded', channel: '' },
			orderBy,
		});
		const query = 'search=Seeded&order_by=name%3Adesc';
		const requests = tenant.requests.filter((request) => request !== 'GET /me');
		for (const request of requests) {
			expect(request.split('?')[1].split('&').sort()).toEqual(
				expect.arrayContaining([...query.split('&'), 'per_page=100']),
			);
			expect(request).not.toContain('channel');
		}
		expect(requests).toHaveLength(3);
	});

	it('is one of its own for each item, with its own Limit', async () => {
		const { items } = await tenant.run(
			{ ...getAll, limit: '={{ $json.limit }}' },
			{ items: [{ json: { limit: 2 } }, { json: { limit: 4 } }] },
		);
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			...[1, 2].map((id) => [id, { item: 0 }]),
			...[1, 2, 3, 4].map((id) => [id, { item: 1 }]),
		]);
	});

	it('takes no more records than its Limit from a page of any size', async () => {
		tenant.answer({
			'GET /customers': () => ({ data: Array.from({ length: 20_000 }, (_, index) => index) }),
		});
		const { items } = await tenant.run({ ...getAll, limit: 2 });
		expect(items.map(({ json }) => json)).toEqual([{ value: 0 }, { value: 1 }]);
	});

	it('tells in its error what was read', async () => {
		tenant.answer({ 'GET /customers': () => ({ data: [{ id: 1 }, { id: 2 }], has_more: true }) });
		const { error, items } = await tenant.run({ ...getAll, returnAll: true });
		expect(items).toEqual([]);
		const told = { count: 2 };
		expect(error?.context.read).toEqual(told);
		const more = await tenant.run({ ...getAll, returnAll: true }, { onError: 'continueRegularOutput' });
		expect(more.items[0].json.details).toMatchObject({ read: told });
		expect(await ids({ ...getAll, limit: 2 })).toEqual([1, 2]);
	});
});

it.each<[string, (page: number) => object]>([
	['links', (page) => ({ links: { next: page === 1 ? '?page=2' : null } })],
	['page numbers', (page) => ({ current_page: page, last_page: 2 })],
])('a list without a Limit, such as the channels of Support, is whole: by %s', async (_way, envelope) => {
	const channels = [['a', 'b'], ['c']];
	tenant.answer({
		'GET /support/channels': ({ request }) => ({
			data: channels[pageOf(request) - 1].map((channel) => ({ channel })),
			...envelope(pageOf(request)),
		}),
	});
	const { items, error } = await tenant.run({ resource: 'support', operation: 'getChannels' });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.channel)).toEqual(['a', 'b', 'c']);
});
