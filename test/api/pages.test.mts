import type { FastifyRequest } from 'fastify';
import type { IDataObject } from 'n8n-workflow';

import { type PagedList, pagesOf } from '../../nodes/CustomerMessaging/api/pages.ts';
import { asked, type Form, FORMS, WITHOUT_A_WAY } from '../engine/listForms.mts';
import { type Reply, TenantInMemory } from '../context/tenantInMemory.mts';
import { told } from '../context/told.mts';
import { VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();

const LIST: PagedList = { url: '/customers' };
const recordsTo = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Record ${index + 1}` }));
const idsTo = (count: number) => recordsTo(count).map(({ id }) => id);

const queryOf = (line: string) => new URL(line.split(' ')[1], 'http://x').searchParams;
const pageOf = (line: string) => Number(queryOf(line).get('page') ?? 1);

/** A tenant whose list has this form. */
function answerAs(form: Form, count: number): void {
	tenant.answer(({ request }) => {
		const url = `/third-party/v1${request.slice('GET '.length)}`;
		const { body, headers } = form(
			asked({ url, headers: { host: 'acme.example' } } as FastifyRequest, recordsTo(count)),
		);
		return { body: structuredClone(body), headers };
	});
}

/** How a list is read: the IDs of its records, and why it is not read to its end. */
async function read(list: PagedList, most = Infinity, advanced: IDataObject = {}) {
	const ids: unknown[] = [];
	const reading = async () => {
		for await (const { records } of pagesOf(
			tenant.run({ advanced: { maximumTries: 1, ...advanced } })().api,
			list,
		)) {
			ids.push(...records.map((record) => (record as IDataObject).id));
			if (ids.length >= most) return;
		}
	};
	const error = await time.until(reading().catch((caught: unknown) => told(caught)));
	return { ids: ids.slice(0, most), error: error ?? undefined };
}

const TWICE = 'The service sent the same page of the list twice';
const NO_WAY = 'The response has more pages, but no link to the next one';

describe('a list', () => {
	it.each(Object.keys(FORMS))(
		'as of %s is whole, with nobody twice, and no page is asked for without need',
		async (name) => {
			for (const count of [7, 6, 1, 0]) {
				answerAs(FORMS[name], count);
				expect(await read(LIST)).toEqual({ ids: idsTo(count) });
			}
			answerAs(FORMS[name], 7);
			tenant.asked.splice(0);
			for (const most of [1, 3]) expect(await read(LIST, most)).toEqual({ ids: idsTo(most) });
			expect(tenant.requests).toHaveLength(2);
			expect(await read(LIST, 4)).toEqual({ ids: idsTo(4) });
		},
	);

	it.each(Object.keys(WITHOUT_A_WAY))(
		'as of %s fails behind what came, and is whole where that is all',
		async (name) => {
			answerAs(WITHOUT_A_WAY[name], 3);
			expect(await read(LIST)).toEqual({ ids: [1, 2, 3] });
			answerAs(WITHOUT_A_WAY[name], 7);
			const { ids, error } = await read(LIST);
			expect(ids).toEqual([1, 2, 3]);
			expect([NO_WAY, 'The list has 7 records, but only 3 came']).toContain(error?.message);
			expect(error?.description).toMatch(/^Only 3 records could be read\. .*set a Limit of at most 3\.$/);
		},
	);

	it.each<[string, Reply, string]>([
		['a record', { body: { data: { id: 1 } } }, 'something other than a list (HTTP 200)'],
		['a list in another place', { body: { items: [{ id: 1 }] } }, 'something other than a list (HTTP 200)'],
		['no content', { status: 204 }, 'something other than JSON (HTTP 204)'],
		['a page', { body: '<html>log in</html>' }, 'a page in place of JSON (HTTP 200)'],
	])('that is %s is none', async (_what, reply, message) => {
		tenant.answerInTurn(reply);
		expect((await read(LIST)).error?.message).toBe(`The service answered with ${message}`);
	});
});

describe('the way to the next page', () => {
	/** What the second request of a list asks for, of which this is the first page, with 2 records. */
	async function second(body: object, headers = {}, list = LIST): Promise<string | undefined> {
		tenant.asked.splice(0);
		tenant.answerInTurn({ body: { data: recordsTo(2), ...body }, headers }, { body: { data: [] } });
		await read(list);
		return tenant.requests.at(1)?.slice('GET '.length);
	}

	const LINK = 'https://elsewhere.example/x?page=2#end';
	const FROM_CURSOR = '/customers?cursor=abc';
	const PAGE_2 = '/customers?page=2';

	it.each<[string, object, string]>([
		['links.next', { links: { next: LINK } }, PAGE_2],
		['next_page_url', { next_page_url: LINK }, PAGE_2],
		['meta.next_page_url', { meta: { next_page_url: LINK } }, PAGE_2],
		['next', { next: LINK }, PAGE_2],
		['_links.next.href', { _links: { next: { href: LINK } } }, PAGE_2],
		['meta.next_cursor', { meta: { next_cursor: 'abc' } }, FROM_CURSOR],
		['next_cursor', { next_cursor: 'abc' }, FROM_CURSOR],
		['a cursor that is a number', { next_cursor: 7 }, '/customers?cursor=7'],
		['meta.current_page and meta.last_page', { meta: { current_page: 1, last_page: 2 } }, PAGE_2],
		['current_page and last_page', { current_page: '1', last_page: '2' }, PAGE_2],
		['page and total_pages', { page: 1, total_pages: 2 }, PAGE_2],
		['offset and total', { offset: 4, total: 7 }, '/customers?offset=6'],
	])('is told by %s', async (_form, body, request) => {
		expect(await second(body)).toBe(request);
	});

	it.each([
		`<https://a.example/x?page=1>; rel="prev", <${LINK}>; rel="next"`,
		`<${LINK}>; title="more"; rel=next`,
		`<${LINK}>; title="more, and more"; rel="next"`,
		`<${LINK}>; rel="last next"`,
	])('is told by the header Link: %s', async (link) => {
		expect(await second({}, { link })).toBe(PAGE_2);
	});

	it('is the first of the table that fits', async () => {
		const all = { next_cursor: 'abc', current_page: 1, last_page: 9, offset: 0, total: 9 };
		expect(await second({ ...all, links: { next: '?page=2' }, next: '?page=3' })).toBe(PAGE_2);
		expect(
			await second({ ...all, links: { next: null }, next: '/page/2' }, { link: '<?page=2>; rel="next"' }),
		).toBe(PAGE_2);
		expect(await second({ ...all, links: [{ label: 'Next', url: '?page=3' }] })).toBe(FROM_CURSOR);
		expect(await second({ ...all, next_cursor: 0 })).toBe(PAGE_2);
		expect(await second({ ...all, next_cursor: null, current_page: 9 })).toBe('/customers?offset=2');
	});

	it.each<[string, object]>([
		['null as a link', { links: { next: null }, next_page_url: null }],
		['an empty cursor', { next_cursor: '' }],
		['the last page', { current_page: 2, last_page: 2 }],
		['a page behind the last', { page: 3, total_pages: 2 }],
		['a number that is null', { current_page: null, last_page: 2 }],
		['the end of all records', { offset: 0, total: 2 }],
		['all records', { total: 2 }],
		['no more', { has_more: false }],
		['nothing', {}],
	])('is nowhere after %s', async (_what, body) => {
		expect(await second(body)).toBeUndefined();
	});
});

describe('the next page', () => {
	const page = (n: number) => [{ id: 2 * n }, { id: 2 * n + 1 }];

	it('may begin like the one before', async () => {
		const pages = [
			[1, 2],
			[1, 3],
			[4, 3],
		];
		tenant.answer(({ request }) => {
			const number = pageOf(request);
			return {
				body: {
					data: pages[number - 1].map((id) => ({ id })),
					current_page: number,
					last_page: pages.length,
				},
			};
		});
		expect(await read(LIST)).toEqual({ ids: [1, 2, 3, 4] });
	});

	it('is asked for with all that the links before have added to the query', async () => {
		const links = ['?page=2&snapshot=abc', '?page=3', null];
		tenant.answer(({ request }) => ({
			body: { data: page(pageOf(request)), links: { next: links[pageOf(request) - 1] } },
		}));
		await read({ url: '/profiles', qs: { search: 'x', order_by: 'name:desc' }, perPage: 2 });
		const own = 'GET /profiles?search=x&order_by=name%3Adesc&per_page=2';
		expect(tenant.requests).toEqual([own, `${own}&page=2&snapshot=abc`, `${own}&page=3&snapshot=abc`]);
	});

	it.each([
		'https://acme.example.com/third-party/v1/customers',
		'http://10.0.0.1:9999/x',
		'//evil.example/y',
		'http://a:b@evil.example/z',
		'/elsewhere',
		'',
	])('is the query of a link to "%s", and the own tenant is asked', async (address) => {
		tenant.answer(({ request }) => {
			const number = pageOf(request);
			const next = number < 3 ? `${address}?page=${number + 1}` : null;
			return { body: { data: page(number), links: { next } } };
		});
		expect(await read(LIST)).toEqual({ ids: [2, 3, 4, 5, 6, 7] });
		expect(tenant.requests).toEqual(['', '?page=2', '?page=3'].map((query) => `GET /customers${query}`));
	});

	it.each([
		['without a page delay', 0],
		['after a page delay', 600],
	])('is asked for %s, and nothing is waited for behind the last', async (_what, pageDelay) => {
		tenant.answer(({ request }) => ({
			body: { data: page(pageOf(request)), current_page: pageOf(request), last_page: 3 },
		}));
		await read(LIST, Infinity, { pageDelay });
		expect(tenant.gaps).toEqual([pageDelay, pageDelay]);
		expect(time.now).toBe(tenant.asked[2].at);
	});
});

/** A tenant that gives pages one after another, under numbers, each with a total if it is given. */
function answerPages(...pages: Array<{ ids: unknown[]; total?: number; records?: object[] }>): void {
	tenant.asked.splice(0);
	tenant.answer(({ request }) => {
		const { ids, total, records } = pages[tenant.requests.length - 1];
		const data = records ?? ids.map((id) => ({ id }));
		return { body: { data, current_page: pageOf(request), last_page: pages.length, total } };
	});
}

describe('a list that changes while it is read', () => {
	it('has each ID once where somebody was created', async () => {
		answerPages({ ids: [5, 4] }, { ids: [4, 3] }, { ids: [2, 1] });
		expect(await read(LIST)).toEqual({ ids: [5, 4, 3, 2, 1] });
		answerPages({ ids: [5, 4] }, { ids: ['4', '03'] }, { ids: [3, 1] });
		expect(await read(LIST)).toEqual({ ids: [5, 4, '03', 1] });
	});

	it('has each ID once where the tenant itself repeats it', async () => {
		answerPages({ ids: [5, 5, 4] }, { ids: [4, 4, 3] }, { ids: [5, 2, 1] });
		expect(await read(LIST)).toEqual({ ids: [5, 4, 3, 2, 1] });
	});

	it('has all records without an ID, and those whose ID has lost digits', async () => {
		const records = [{ id: null }, { id: 2 ** 53 }, { name: 'Mira' }, { id: '' }, { id: {} }];
		answerPages({ ids: [], records }, { ids: [], records: [...records].reverse() }, { ids: [] });
		expect((await read(LIST)).ids).toHaveLength(10);
	});

	it('knows records by their ID, whatever UUID they share or change', async () => {
		answerPages(
			{ ids: [], records: [7, 8].map((id) => ({ id, uuid: 'a' })) },
			{ ids: [], records: [8, 9].map((id) => ({ id, uuid: 'b' })) },
			{ ids: [], records: [2 ** 53, {}].map((id) => ({ id, uuid: 'b' })) },
		);
		expect(await read(LIST)).toEqual({ ids: [7, 8, 9, 2 ** 53, {}] });
	});

	it('knows records without an ID by their UUID', async () => {
		const notices = (...uuids: string[]) => ({ ids: [], records: uuids.map((uuid) => ({ uuid })) });
		answerPages(notices('a', 'b'), notices('b', 'c'), notices('d'));
		expect((await read(LIST)).ids).toHaveLength(4);
	});

	it('is whole where somebody was created, and the total grew', async () => {
		answerPages({ ids: [4, 3], total: 4 }, { ids: [3, 2], total: 5 }, { ids: [1], total: 5 });
		expect(await read(LIST)).toEqual({ ids: [4, 3, 2, 1] });
	});

	it('fails where one comes twice in the place of another, as where a database sorts what is equal', async () => {
		answerPages({ ids: [1, 2], total: 4 }, { ids: [2, 4], total: 4 });
		const { ids, error } = await read(LIST);
		expect(ids).toEqual([1, 2, 4]);
		expect(error?.message).toBe('The list has 4 records, but only 3 came');
	});

	it('fails where somebody was deleted, since the record that moved is missing', async () => {
		answerPages({ ids: [1, 2], total: 5 }, { ids: [4, 5], total: 4 });
		const { ids, error } = await read(LIST);
		expect(ids).toEqual([1, 2, 4, 5]);
		expect(error?.message).toBe('The list has 5 records, but only 4 came');
		expect(error?.description).toBe(
			'Only 4 records could be read. Records may have been deleted meanwhile: run it again. If it stays so, tell the operator of the service. Or set a Limit of at most 4.',
		);
		expect(tenant.requests.map(pageOf)).toEqual([1, 2]);
		tenant.asked.splice(0);
		expect(await read(LIST, 4)).toEqual({ ids: [1, 2, 4, 5] });
	});
});

describe('an empty page', () => {
	it.each<[string, (page: number) => object]>([
		['the number of the last page', (page) => ({ current_page: page, last_page: 3 })],
		['a link', (page) => ({ next: page < 3 ? `?page=${page + 1}` : null })],
	])('is passed where %s leads on', async (_what, envelope) => {
		for (const empty of [1, 2]) {
			tenant.answer(({ request }) => {
				const page = pageOf(request);
				return { body: { data: page === empty ? [] : [{ id: page }], ...envelope(page) } };
			});
			expect(await read(LIST)).toEqual({ ids: [1, 2, 3].filter((id) => id !== empty) });
		}
	});

	it('that comes twice fails the list, which may have no end', async () => {
		tenant.answer(({ request }) => ({ body: { data: [], links: { next: `?page=${pageOf(request) + 1}` } } }));
		const { ids, error } = await read(LIST);
		expect([ids, error?.message]).toEqual([[], TWICE]);
		expect(error?.description).toBe('Only 0 records could be read. Tell the operator of the service.');
		expect(tenant.requests).toHaveLength(2);
	});
});

describe('a list that would not end well', () => {
	it.each<[string, (line: string) => object, count: number]>([
		['the same page under every number', () => ({ data: [{ id: 1 }], page: 1, total_pages: 9 }), 1],
		['a link to itself', () => ({ data: [{ id: tenant.requests.length }], next: '?page=2' }), 2],
		[
			'two pages that lead to each other',
			(line) => ({ data: [{ id: tenant.requests.length }], next: `?page=${pageOf(line) === 2 ? 3 : 2}` }),
			3,
		],
	])('stops at %s', async (_what, envelope, count) => {
		tenant.answer(({ request }) => ({ body: envelope(request) }));
		const { error } = await read(LIST);
		expect(error?.message).toBe(TWICE);
		expect(error?.description).toBe(
			`Only ${count} records could be read. Tell the operator of the service. Or set a Limit of at most ${count}.`,
		);
	});

	it.each([403, 500])('hands on the error of a later page, behind what was read: %i', async (status) => {
		tenant.answer(({ request }) =>
			pageOf(request) === 2
				? { status, body: { message: 'No more' } }
				: { body: { data: recordsTo(3), links: { next: '?page=2' } } },
		);
		const { ids, error } = await read(LIST);
		expect(ids).toEqual([1, 2, 3]);
		expect(error?.message).toBe('No more');
	});
});

describe('a page size', () => {
	const SIZED: PagedList = { url: '/profiles', perPage: 100 };

	it('is asked for where the interface has a parameter for it', async () => {
		await read(SIZED);
		await read(LIST);
		expect(tenant.requests).toEqual(['GET /profiles?per_page=100', 'GET /customers']);
	});
});
