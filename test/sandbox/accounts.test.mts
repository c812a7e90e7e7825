import { type Choices, ENVELOPES, type EnvelopeKind, PROXIED_BASE } from '../../sandbox/choices.mts';
import { type Fields, startTenant, type TestTenant } from './tenant.mts';

type Page = Record<string, unknown> & { data: Fields[] };

/** How a client gets to the next page of each envelope: the query of it, or nothing at the end. */
const NEXT: Record<EnvelopeKind, (page: Page) => string | undefined> = {
	'length-aware': ({ links }) => (links as { next: string | null }).next?.split('?')[1],
	'next-page-url': ({ next_page_url }) => (next_page_url as string | null)?.split('?')[1],
	cursor: ({ next_page_url }) => (next_page_url as string | null)?.split('?')[1],
	offset: ({ data, offset, limit, total }) =>
		Number(offset) + data.length < Number(total)
			? `offset=${Number(offset) + Number(limit)}&per_page=20&search=mail.example`
			: undefined,
	headers: ({ link }) => /<[^>]*\?([^>]*)>; rel="next"/.exec(String(link))?.[1],
};

/** A page with its headers; records that stand alone get into `data`. */
async function pageOf(tenant: TestTenant, path: string): Promise<Page> {
	const { status, body, headers } = await tenant.ask('GET', path);
	expect([path, status]).toEqual([path, 200]);
	return Array.isArray(body) ? { data: body as Fields[], link: headers.link } : (body as Page);
}

describe.each(ENVELOPES)('envelope %s', (envelope) => {
	let tenant: TestTenant;
	beforeAll(async () => void (tenant = await startTenant({ envelope, pageSize: 10, seed: 42 })));
	afterAll(() => tenant.close());

	test('the pages of a list hold every record once and end, and per_page and search stay with their links', async () => {
		for (const [list, sizes] of [
			['/customers?per_page=20', [10, 10, 10, 10, 5]],
			['/profiles?per_page=20&search=mail.example', [20, 20, 4]],
		] as const) {
			const pages: Page[] = [];
			const [path] = list.split('?');
			for (
				let next = list.split('?').at(1);
				next !== undefined;
				next = NEXT[envelope](pages.at(-1) as Page)
			) {
				pages.push(await pageOf(tenant, `${path}?${next}`));
			}
			expect(pages.map(({ data }) => data.length)).toEqual(sizes);
			const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
			expect(new Set(ids).size).toBe(ids.length);
		}
	});
});

/** What is answered by an account that chooses so. */
async function having<Result>(
	choices: Partial<Choices>,
	run: (tenant: TestTenant) => Promise<Result>,
): Promise<Result> {
	const tenant = await startTenant({ choices, pageSize: 2 });
	return await run(tenant).finally(() => tenant.close());
}

test('ids as text are text wherever an answer has one, and are taken back in paths and bodies', async () => {
	await having({ ids: 'text' }, async (tenant) => {
		const [{ id }] = (await pageOf(tenant, '/profiles')).data;
		const [, tag] = (await pageOf(tenant, '/tags')).data;
		expect([id, tag.id]).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
		const set = await tenant.must('POST', `/profiles/${id}/tags`, { tags: [{ id: tag.id }] });
		expect(set).toMatchObject({ data: [{ id: tag.id }] });
	});
});

test.each<[Partial<Choices>, string, number]>([
	[{ created: '201' }, 'POST /tags', 201],
	[{ created: '201' }, 'GET /tags', 200],
	[{ deleted: '204' }, 'DELETE /tags/41', 204],
	[{ deleted: 'empty-body' }, 'DELETE /tags/41', 200],
	[{ orderBy: 'refused' }, 'GET /profiles?order_by=id:desc', 422],
])('with %j, %s is answered with %i', async (choices, request, status) => {
	const [method, path] = request.split(' ');
	const answer = await having(choices, (tenant) =>
		tenant.ask(method, path, method === 'POST' ? { title: 'New' } : undefined),
	);
	expect(answer.status).toBe(status);
	if (method === 'DELETE') expect(answer.body || '').toBe('');
});

test.each([
	['everywhere', [1, 1]],
	['ignored', [2, 2]],
	['where-shown', [1, 2]],
] as const)('per_page, %s', async (pageSize, expected) => {
	const sizes = await having({ pageSize }, async (tenant) => [
		(await pageOf(tenant, '/profiles?per_page=1')).data.length,
		(await pageOf(tenant, '/customers?per_page=1')).data.length,
	]);
	expect(sizes).toEqual(expected);
});

test('links that an account behind a proxy writes have another scheme, host and prefix', async () => {
	const { links } = await having({ links: 'proxied' }, (tenant) => pageOf(tenant, '/customers?a=1'));
	expect(links).toMatchObject({ next: `${PROXIED_BASE}/customers?a=1&page=2` });
});
