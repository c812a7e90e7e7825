import type { EnvelopeKind } from '../../../sandbox/server.mts';
import { type NodeRun, runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { TestTenant } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();
const all = { resource: 'profile', operation: 'getAll', returnAll: true, simple: false };

const ids = ({ items }: NodeRun) => items.map(({ json }) => json.id);

const KINDS: EnvelopeKind[] = ['length-aware', 'next-page-url', 'cursor', 'offset'];
describe.each(KINDS)('a tenant with the envelope "%s"', (envelope) => {
	const tenant = TestTenant.inEachTest({ envelope, pageSize: 7 });

	beforeEach(async () => {
		await tenant.tell('/customers/bulk-import', {
			duplicates: 'skip',
			customers: Array.from({ length: 40 }, (_, index) => ({
				channel: 'chatapp',
				display_id: String(4_917_000_000_000 + index),
				name: `Seeded ${String(index).padStart(2, '0')}`,
				profile: {},
			})),
		});
		tenant.sandbox.clearRequests();
	});

	it.each([
		['customer', 'getAll'],
		['profile', 'getAll'],
	])('%s: %s with Return All gives every record once', async (resource, operation) => {
		const run = await tenant.run({ resource, operation, returnAll: true, simple: false });
		expect(run.error).toBeUndefined();
		expect(new Set(ids(run)).size).toBe(43);
		expect(run.items).toHaveLength(43);
		expect(run.items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
	});

	it('never gives more than the limit, nor reads on behind it', async () => {
		const run = await tenant.run({ resource: 'customer', operation: 'getAll', limit: 10 });
		expect(run.items).toHaveLength(10);
		expect(tenant.sent()).toHaveLength(2);
	});

	it('keeps filters and order on every page', async () => {
		const run = await tenant.run({
			...all,
			filters: { search: 'Seeded', orderBy: { sort: [{ field: 'name', direction: 'desc' }] } },
		});
		expect(run.items.map(({ json }) => json.name)).toEqual(
			Array.from({ length: 40 }, (_, index) => `Seeded ${String(39 - index).padStart(2, '0')}`),
		);
		for (const { query } of tenant.sent()) {
			expect(query).toMatchObject({ search: 'Seeded', order_by: 'name:desc', per_page: '100' });
		}
	});

	it('reads each input item its own list, with its own limit', async () => {
		const run = await tenant.run(
			{ resource: 'customer', operation: 'getAll', limit: '={{ $json.limit }}' },
			{ items: [{ json: { limit: 3 } }, { json: { limit: 9 } }] },
		);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([
			...Array.from({ length: 3 }, () => ({ item: 0 })),
			...Array.from({ length: 9 }, () => ({ item: 1 })),
		]);
	});
});

describe('envelopes of other services', () => {
	const page = (n: number) => [{ id: 2 * n }, { id: 2 * n + 1 }];
	const pageOf = (url: string) => Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);

	it.each<[string, (n: number, url: string) => object]>([
		['page and total_pages', (n) => ({ data: page(n), page: n, total_pages: 3 })],
		['pagination.current_page', (n) => ({ data: page(n), pagination: { current_page: n, last_page: 3 } })],
		['numbers as text', (n) => ({ data: page(n), meta: { current_page: String(n), last_page: '3' } })],
		[
			'a relative link',
			(n, url) => ({ data: page(n), next: n < 3 ? `${url.split('?')[0]}?page=${n + 1}` : null }),
		],
		['a query alone as link', (n) => ({ data: page(n), links: { next: n < 3 ? `?page=${n + 1}` : null } })],
		[
			'HAL links',
			(n, url) => ({
				data: page(n),
				_links: { next: n < 3 ? { href: `${url.split('?')[0]}?page=${n + 1}` } : undefined },
			}),
		],
		[
			'an empty page at the end',
			(n, url) => ({ data: n > 3 ? [] : page(n), next: `${url.split('?')[0]}?page=${n + 1}` }),
		],
	])('%s', async (_, envelope) => {
		odd.answer(({ url }) => envelope(pageOf(url), url));
		const run = await runNode({ parameters: all, credentials: odd.credentials });
		expect(run.error).toBeUndefined();
		expect(ids(run)).toEqual([2, 3, 4, 5, 6, 7]);
	});

	it('a cursor without a link', async () => {
		odd.answer(({ query }) => {
			const at = Number((query as { cursor?: string }).cursor ?? 1);
			return { data: page(at), meta: { next_cursor: at < 3 ? String(at + 1) : null } };
		});
		expect(ids(await runNode({ parameters: all, credentials: odd.credentials }))).toEqual([2, 3, 4, 5, 6, 7]);
	});

	it('a list without an envelope is one page', async () => {
		odd.answer(() => [{ id: 1 }, { id: 2 }]);
		expect(ids(await runNode({ parameters: all, credentials: odd.credentials }))).toEqual([1, 2]);
		expect(odd.asked).toHaveLength(1);
	});
});

describe('lists that would not end well', () => {
	it.each<[string, (url: string) => object]>([
		['the same page under every number', () => ({ data: [{ id: 1 }], page: 1, total_pages: 9 })],
		['a link to itself', (url) => ({ data: [{ id: Math.random() }], next: url })],
	])('stops at %s', async (_, envelope) => {
		odd.answer(({ url }) => envelope(url));
		const { error } = await runNode({ parameters: all, credentials: odd.credentials });
		expect(error?.message).toBe('The service sent the same page of the list twice');
		expect(error?.description).toContain('Reading stopped after 1 records');
		expect(odd.asked.length).toBeLessThanOrEqual(2);
	});

	it('says so when there is more but no way to it', async () => {
		odd.answer(() => ({ data: [{ id: 1 }], has_more: true }));
		const { error } = await runNode({ parameters: all, credentials: odd.credentials });
		expect(error?.message).toContain('the list goes on, but not how to get the rest');
	});

	it.each([
		'http://127.0.0.1:1/third-party/v1/profiles?page=2',
		'https://evil.example/third-party/v1/profiles?page=2',
		'/elsewhere?page=2',
	])('never follows a link to %s, and asks the own tenant for that page', async (next) => {
		odd.answer(({ url }) => (url.includes('page=2') ? { data: [{ id: 2 }] } : { data: [{ id: 1 }], next }));
		const run = await runNode({ parameters: all, credentials: odd.credentials });
		expect(run.error).toBeUndefined();
		expect(ids(run)).toEqual([1, 2]);
		expect(odd.asked[1]).toBe(`${odd.asked[0]}${odd.asked[0].includes('?') ? '&' : '?'}page=2`);
	});

	it('keeps in the error what was read', async () => {
		odd.answer(() => ({ data: [{ id: 1 }, { id: 2 }], has_more: true }));
		const { items } = await runNode({
			parameters: all,
			credentials: odd.credentials,
			onError: 'continueRegularOutput',
		});
		expect(items[0].json.details).toMatchObject({ read: [{ id: 1 }, { id: 2 }] });
	});

	it('is not asked for more than is wanted, whatever the envelope says', async () => {
		odd.answer(() => ({ data: [{ id: 1 }, { id: 2 }], has_more: true, total: 9 }));
		const one = { ...all, returnAll: false, limit: 1 };
		const run = await runNode({ parameters: one, credentials: odd.credentials });
		expect(run.error).toBeUndefined();
		expect(ids(run)).toEqual([1]);
		expect(odd.asked).toHaveLength(1);
	});

	it('says what came when it is no list', async () => {
		odd.answer(() => ({ data: { id: 1 } }));
		const { error } = await runNode({ parameters: all, credentials: odd.credentials });
		expect(error?.message).toContain('something other than a list');
	});
});
