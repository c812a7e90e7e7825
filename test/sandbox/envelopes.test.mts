import { ENVELOPES, type EnvelopeKind } from '../../sandbox/choices.mts';
import { seed } from '../../sandbox/control/seed.mts';
import { type Fields, startTenant, type TestTenant } from './tenant.mts';

type Page = Record<string, unknown> & { data: Fields[] };

/** How a client gets to the next page of each envelope: the query of it, or nothing at the end. */
const NEXT: Record<EnvelopeKind, (page: Page, pagesRead: number) => string | undefined> = {
	'length-aware': ({ links }) => (links as { next: string | null }).next?.split('?')[1],
	'next-page-url': ({ next_page_url }) => (next_page_url as string | null)?.split('?')[1],
	cursor: ({ next_cursor }) => (next_cursor === null ? undefined : `cursor=${String(next_cursor)}`),
	offset: ({ data, offset, limit, total }) =>
		Number(offset) + data.length < Number(total) ? `offset=${Number(offset) + Number(limit)}` : undefined,
	'meta-pagination': ({ meta }) =>
		(meta as { pagination: { links: { next?: string } } }).pagination.links.next?.split('?')[1],
	total: ({ total, per_page }, pagesRead) =>
		pagesRead * Number(per_page) < Number(total) ? `page=${pagesRead + 1}` : undefined,
	'camel-case': ({ currentPage, lastPage }) =>
		Number(currentPage) < Number(lastPage) ? `page=${Number(currentPage) + 1}` : undefined,
	headers: ({ link }) => /<[^>]*\?([^>]*)>; rel="next"/.exec(String(link))?.[1],
};

/** Envelopes that say where a list goes on without a link. */
const WITHOUT_LINKS: EnvelopeKind[] = ['offset', 'total', 'camel-case'];

/** A page with its headers; records that stand alone get into `data`. */
async function pageOf(tenant: TestTenant, path: string): Promise<Page> {
	const { status, body, headers } = await tenant.ask('GET', path);
	expect(status).toBe(200);
	return Array.isArray(body)
		? { data: body as Fields[], link: headers.link, total: headers['x-total-count'] }
		: (body as Page);
}

describe.each(ENVELOPES)('envelope %s', (envelope) => {
	let tenant: TestTenant;
	beforeAll(async () => {
		tenant = await startTenant({ envelope, pageSize: 10 });
		seed(tenant.store, { profiles: 42 });
	});
	afterAll(() => tenant.close());

	/** All pages of a list, following the envelope. */
	async function pages(path: string, query = ''): Promise<Page[]> {
		const all: Page[] = [];
		for (
			let next: string | undefined = query;
			next !== undefined;
			next = NEXT[envelope](all.at(-1) as Page, all.length)
		) {
			all.push(await pageOf(tenant, `${path}?${next}`));
			if (all.length > 20) throw new Error('No end of pages');
		}
		return all;
	}

	test('the pages of a list hold every record once and end', async () => {
		const all = await pages('/customers');
		const ids = all.flatMap(({ data }) => data.map(({ id }) => id));
		expect(all.map(({ data }) => data.length)).toEqual([10, 10, 10, 10, 5]);
		expect(new Set(ids).size).toBe(45);
	});

	test('per_page counts on profiles, where the interface has it, and nowhere else', async () => {
		const sizes = async (path: string) => (await pageOf(tenant, `${path}?per_page=20`)).data.length;
		expect(await sizes('/profiles')).toBe(20);
		expect(await sizes('/customers')).toBe(10);
	});

	test('every paginated list has the envelope', async () => {
		const keys = Object.keys(await pageOf(tenant, '/customers')).sort();
		for (const path of ['/users', '/agents', '/profiles', '/templates', '/profiles/102/activities']) {
			expect(Object.keys(await pageOf(tenant, path)).sort()).toEqual(keys);
		}
	});

	test('a page behind the end, or one that makes no sense, is answered all the same', async () => {
		for (const query of [
			'page=99',
			'page=-1',
			'page=x',
			'cursor=x',
			'cursor=e30',
			'offset=9999',
			'offset=-1',
			'limit=0',
		]) {
			expect([query, (await tenant.ask('GET', `/customers?${query}`)).status]).toEqual([query, 200]);
		}
	});

	test('search, order and page size stay with the links to other pages', async () => {
		const first = await pageOf(tenant, '/profiles?search=mail.example&order_by=id:desc&per_page=15');
		const link = JSON.stringify(first).match(/[?][^"<>]*\b(page=2|cursor=[\w-]+)\b/)?.[0];
		if (WITHOUT_LINKS.includes(envelope)) {
			expect([link, first.total]).toEqual([undefined, 44]);
			return;
		}
		const second = await pageOf(tenant, `/profiles${link}`);
		expect(second.data).toHaveLength(15);
		expect(second.data[0].id).toBe(first.data[14].id - 1);
	});
});

describe('the members of each envelope', () => {
	const members = async (envelope: EnvelopeKind) => {
		const tenant = await startTenant({ envelope, pageSize: 2 });
		const page = await pageOf(tenant, '/customers');
		await tenant.close();
		return JSON.parse(
			JSON.stringify({ ...page, data: page.data.length }).replaceAll(tenant.url, ''),
		) as object;
	};
	const path = '/third-party/v1/customers';

	test('length-aware', async () => {
		expect(await members('length-aware')).toEqual({
			data: 2,
			links: { first: `${path}?page=1`, last: `${path}?page=2`, prev: null, next: `${path}?page=2` },
			meta: { current_page: 1, from: 1, last_page: 2, path, per_page: 2, to: 2, total: 3 },
		});
	});

	test('next-page-url', async () => {
		expect(await members('next-page-url')).toEqual({
			current_page: 1,
			data: 2,
			first_page_url: `${path}?page=1`,
			from: 1,
			last_page: 2,
			last_page_url: `${path}?page=2`,
			next_page_url: `${path}?page=2`,
			path,
			per_page: 2,
			prev_page_url: null,
			to: 2,
			total: 3,
		});
	});

	test('cursor', async () => {
		expect(await members('cursor')).toEqual({
			data: 2,
			path,
			per_page: 2,
			next_cursor: expect.any(String),
			next_page_url: expect.stringContaining(`${path}?cursor=`),
			prev_cursor: null,
			prev_page_url: null,
		});
	});

	test('offset', async () => {
		expect(await members('offset')).toEqual({ data: 2, offset: 0, limit: 2, total: 3 });
	});

	test('meta-pagination', async () => {
		const links = { next: `${path}?page=2` };
		const pagination = { total: 3, count: 2, per_page: 2, current_page: 1, total_pages: 2, links };
		expect(await members('meta-pagination')).toEqual({ data: 2, meta: { pagination } });
	});

	test('total', async () => {
		expect(await members('total')).toEqual({ data: 2, total: 3, per_page: 2 });
	});

	test('camel-case', async () => {
		const camelCase = { currentPage: 1, lastPage: 2, perPage: 2, total: 3 };
		expect(await members('camel-case')).toEqual({ data: 2, ...camelCase });
	});

	test('headers', async () => {
		const link = [1, 2, 2].map(
			(page, index) => `<${path}?page=${page}>; rel="${['first', 'next', 'last'][index]}"`,
		);
		expect(await members('headers')).toEqual({ data: 2, link: link.join(', '), total: '3' });
	});
});
