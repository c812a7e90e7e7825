import type { FastifyRequest } from 'fastify';
import type { IDataObject } from 'n8n-workflow';

import { type PagedList, pagesOf } from '../../nodes/CustomerMessaging/api/pages.ts';
import { asked, type Form, FORMS, OTHER_PLACES } from '../engine/listForms.mts';
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
			tenant.run({ advanced: { maximumTries: 1, ...advanced } })(),
			list,
		)) {
			ids.push(...records.map((record) => (record as IDataObject).id));
			if (ids.length >= most) return;
		}
	};
	const error = await time.until(reading().catch((caught: unknown) => told(caught)));
	return { ids: ids.slice(0, most), error: error ?? undefined };
}

/** Whole, or an error behind a part of it, each record once. */
function expectWholeOrFailed({ ids, error }: Awaited<ReturnType<typeof read>>, whole: number[]): void {
	expect(ids).toEqual(error ? whole.slice(0, ids.length) : whole);
}

describe('a list', () => {
	it.each(Object.keys(FORMS).filter((name) => !OTHER_PLACES.includes(name)))(
		'as of %s is whole or fails, never short nor doubled, and no page is asked for without need',
		async (name) => {
			for (const count of [7, 6, 1]) {
				answerAs(FORMS[name], count);
				const all = await read(LIST);
				expectWholeOrFailed(all, idsTo(count));
				if (all.error) expect(all.ids.length).toBeGreaterThan(0);
			}
			answerAs(FORMS[name], 7);
			tenant.asked.splice(0);
			for (const most of [1, 3]) expect(await read(LIST, most)).toEqual({ ids: idsTo(most) });
			expect(tenant.requests).toHaveLength(2);
			expectWholeOrFailed(await read(LIST, 4), idsTo(4));
		},
	);

	it.each(OTHER_PLACES)('as of %s has its records elsewhere, and fails with what came', async (name) => {
		answerAs(FORMS[name], 7);
		const { ids, error } = await read(LIST);
		expect(ids).toEqual([]);
		expect(error?.message).toBe('The service answered with something other than a list (HTTP 200)');
	});

	it('without an envelope is one page', async () => {
		tenant.answer(() => ({ body: recordsTo(2) }));
		expect(await read(LIST)).toEqual({ ids: [1, 2] });
		expect(tenant.requests).toEqual(['GET /customers']);
	});

	it.each<[string, Reply, string]>([
		['a record', { body: { data: { id: 1 } } }, 'something other than a list (HTTP 200)'],
		['no content', { status: 204 }, 'something other than JSON (HTTP 204)'],
		['a page', { body: '<html>log in</html>' }, 'a page in place of JSON (HTTP 200)'],
	])('that is %s is none', async (_what, reply, message) => {
		tenant.answerInTurn(reply);
		expect((await read(LIST)).error?.message).toBe(`The service answered with ${message}`);
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

	it.each([{ url: 'http://h/x?page=2' }, 2])('is found where it is told as %j', async (next) => {
		tenant.answer(({ request }) => ({
			body: pageOf(request) === 1 ? { data: page(1), links: { next } } : { data: page(2) },
		}));
		expect(await read(LIST)).toEqual({ ids: [2, 3, 4, 5] });
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
		return { body: { data, current_page: pageOf(request), last_page: 3, total } };
	});
}

describe('a list that changes while it is read', () => {
	const SHORTER = 'Records were deleted while the list was read';
	const paths = () => tenant.requests.map(pageOf);

	it('has each ID once where somebody was created', async () => {
		answerPages({ ids: [5, 4] }, { ids: [4, 3] }, { ids: [2, 1] });
		expect(await read(LIST)).toEqual({ ids: [5, 4, 3, 2, 1] });
		answerPages({ ids: [5, 4] }, { ids: ['4', '03'] }, { ids: [3, 1] });
		expect(await read(LIST)).toEqual({ ids: [5, 4, '03', 1] });
	});

	it('has each ID once where the tenant itself repeats it', async () => {
		answerPages({ ids: [5, 5, 4], total: 9 }, { ids: [4, 4, 3] }, { ids: [5, 2, 1] });
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

	it('is read again where it got shorter, and has the record that had moved in its place', async () => {
		answerPages(
			{ ids: [1, 2], total: 6 },
			{ ids: [4, 5], total: 5 },
			{ ids: [2, 3], total: 5 },
			{ ids: [4, 5], total: 5 },
			{ ids: [6], total: 5 },
		);
		expect(await read(LIST)).toEqual({ ids: [1, 2, 3, 4, 5, 6] });
		expect(paths()).toEqual([1, 2, 1, 2, 3]);
		tenant.asked.splice(0);
		expect(await read(LIST, 3)).toEqual({ ids: [1, 2, 3] });
		expect(paths()).toEqual([1, 2, 1]);
		tenant.asked.splice(0);
		const begins: boolean[] = [];
		for await (const { isFirst } of pagesOf(tenant.run()(), LIST)) begins.push(isFirst);
		expect(begins).toEqual([true, true, false, false]);
	});

	it('fails where it gets shorter again, behind what was read', async () => {
		answerPages(
			{ ids: [1, 2], total: 6 },
			{ ids: [4, 5], total: 5 },
			{ ids: [2, 3], total: 5 },
			{ ids: [5, 6], total: 4 },
		);
		const { ids, error } = await read(LIST);
		expect(ids).toEqual([1, 2, 3]);
		expect(error?.message).toBe(SHORTER);
		expect(error?.description).toBe(
			'When a record is deleted, others move to a page that was read, and would be missing. Set a Limit of at most 3, or run it again when nobody deletes records.',
		);
		expect(paths()).toEqual([1, 2, 1, 2]);
	});

	it('fails at once where a record without an ID could come twice', async () => {
		const records = [{ id: 1 }, { name: 'Mira' }];
		answerPages({ ids: [], records, total: 6 }, { ids: [4, 5], total: 5 });
		const { ids, error } = await read(LIST);
		expect([ids, error?.message]).toEqual([[1, undefined], SHORTER]);
		expect(paths()).toEqual([1, 2]);
	});

	it('is not read again behind its Limit, nor where the total grows, is missing or is that of an empty list', async () => {
		answerPages({ ids: [1, 2], total: 6 }, { ids: [4, 5], total: 5 });
		expect(await read(LIST, 2)).toEqual({ ids: [1, 2] });
		answerPages({ ids: [1, 2], total: 5 }, { ids: [2, 3], total: 6 }, { ids: [4, 5] });
		expect(await read(LIST)).toEqual({ ids: [1, 2, 3, 4, 5] });
		answerPages({ ids: [1, 2], total: 2 }, { ids: [], total: 0 });
		expect(await read(LIST)).toEqual({ ids: [1, 2] });
		expect(paths()).toEqual([1, 2]);
	});

	it('is read again too where a page between tells no total', async () => {
		answerPages(
			{ ids: [1, 2], total: 7 },
			{ ids: [3, 4] },
			{ ids: [6, 7], total: 6 },
			{ ids: [2, 3], total: 6 },
			{ ids: [4, 5], total: 6 },
			{ ids: [6, 7], total: 6 },
		);
		expect(await read(LIST)).toEqual({ ids: [1, 2, 3, 4, 5, 6, 7] });
	});
});

describe('a cursor', () => {
	it.each([
		['a number', (at: number) => ({ next_cursor: at + 5 })],
		['a number in a part', (at: number) => ({ meta: { nextCursor: at + 5 } })],
		['a number below zero', (at: number) => ({ next_cursor: at - 1 })],
		['a number after the last one', (at: number) => ({ paging: { cursors: { after: at + 5 } } })],
	])('may be %s', async (_what, envelope) => {
		tenant.answer(({ request }) => {
			const query = queryOf(request);
			const at = Number(query.get('cursor') ?? query.get('after') ?? 0);
			const isLast = tenant.requests.length === 3;
			return { body: { data: [{ id: tenant.requests.length }], ...(!isLast && envelope(at)) } };
		});
		expect(await read(LIST)).toEqual({ ids: [1, 2, 3] });
		expect(new Set(tenant.requests).size).toBe(3);
	});

	it.each([{ next_cursor: { id: 5 } }, { next_cursor: [5] }, { meta: { next_cursor: true } }])(
		'that is none leaves the rest untold: %j',
		async (envelope) => {
			tenant.answer(() => ({ body: { data: [{ id: 1 }], ...envelope } }));
			const { ids, error } = await read(LIST);
			expect(ids).toEqual([1]);
			expect(error?.message).toBe('The service says that the list goes on, but not how to get the rest');
		},
	);

	it.each([0, '', null, false])('that is %j ends the list', async (cursor) => {
		tenant.answer(() => ({ body: { data: [{ id: 1 }], next_cursor: cursor } }));
		expect(await read(LIST)).toEqual({ ids: [1] });
		expect(tenant.asked.splice(0)).toHaveLength(1);
	});
});

describe('empty pages', () => {
	it.each<[string, (page: number) => object]>([
		['the number of the last page', (page) => ({ current_page: page, last_page: 3 })],
		['the number of pages', (page) => ({ meta: { pagination: { page, total_pages: 3 } } })],
		['the next page', (page) => ({ next_page: page < 3 ? page + 1 : null })],
		['the next page and a total', (page) => ({ next_page: page < 3 ? page + 1 : null, total: 2 })],
		['whether there is more', (page) => ({ page, has_more: page < 3 })],
		['the offset of each', (page) => ({ offset: page - 1, limit: 1, has_more: page < 3 })],
	])('are passed where the envelope tells %s', async (_what, envelope) => {
		for (const empty of [1, 2]) {
			tenant.answer(({ request }) => {
				const offset = queryOf(request).get('offset');
				const page = offset === null ? pageOf(request) : Number(offset) + 1;
				return { body: { data: page === empty ? [] : [{ id: page }], ...envelope(page) } };
			});
			expect(await read(LIST)).toEqual({ ids: [1, 2, 3].filter((id) => id !== empty) });
		}
	});

	it('are none where a page has fewer records than its limit: the list goes on', async () => {
		tenant.answer(({ request }) => {
			const page = pageOf(request);
			return { body: { data: [{ id: page }], page, limit: 100, total: 3 } };
		});
		expect(await read(LIST)).toEqual({ ids: [1, 2, 3] });
	});

	it('end a list whose total is reached, or that tells nothing', async () => {
		for (const envelope of [{ total: 1, last_page: 3 }, {}]) {
			tenant.answer(({ request }) => {
				const page = pageOf(request);
				const links = { next: page === 1 ? '?page=2' : undefined };
				return { body: { data: page === 1 ? [{ id: 1 }] : [], page, links, ...envelope } };
			});
			expect(await read(LIST)).toEqual({ ids: [1] });
			expect(tenant.asked.splice(0)).toHaveLength(2);
		}
	});

	it('do not make a list whole where it has more', async () => {
		for (const envelope of [{ has_more: true }, { offset: 0, has_more: true }, { total: 3 }]) {
			tenant.answer(() => ({ body: { data: [], ...envelope } }));
			const { error } = await read(LIST);
			expect(error?.message).toBe('The service says that the list goes on, but not how to get the rest');
		}
	});

	it.each([1, 2, 20])('%i in a row are passed while a link or a cursor leads on', async (gap) => {
		tenant.answer(({ request }) => {
			const number = pageOf(request);
			const next = number < gap + 2 ? `?page=${number + 1}` : null;
			const data = number === 1 ? recordsTo(3) : number === gap + 2 ? [{ id: 4 }] : [];
			return { body: { data, links: { next } } };
		});
		expect(await read(LIST)).toEqual({ ids: [1, 2, 3, 4] });
		tenant.answer(({ request }) => {
			const at = Number(queryOf(request).get('cursor') ?? 0);
			const data = at === 0 ? recordsTo(3) : at === gap + 1 ? [{ id: 4 }] : [];
			return { body: { data, next_cursor: at === gap + 1 ? null : String(at + 1) } };
		});
		expect(await read(LIST)).toEqual({ ids: [1, 2, 3, 4] });
	});

	it('do not make a list whole where 21 come in a row, and there is more', async () => {
		tenant.answer(({ request }) => ({ body: { data: [], links: { next: `?page=${pageOf(request) + 1}` } } }));
		expect(await read(LIST)).toEqual({
			ids: [],
			error: expect.objectContaining({
				message: 'The service sent 21 empty pages of the list in a row, and says that it goes on',
				description: expect.stringMatching(/\. Tell the operator of the service\.$/) as string,
			}) as Error,
		});
		expect(tenant.requests).toHaveLength(21);
	});
});

describe('a list that would not end well', () => {
	const TWICE = 'The service sent the same page of the list twice';

	it.each<[string, (line: string) => object, count: number]>([
		['the same page under every number', () => ({ data: [{ id: 1 }], page: 1, total_pages: 9 }), 1],
		[
			'a link to itself',
			(line) => ({ data: [{ id: tenant.requests.length }], next: line.slice('GET '.length) }),
			1,
		],
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
			`Reading stopped after ${count} records, since the list would never end. Set a Limit of at most ${count}, and tell the operator of the service.`,
		);
	});

	it.each<[string, object, string]>([
		['there is more but no way to it', { has_more: true }, 'Only 2 records could be read.'],
		[
			'there are more records than come',
			{ total: 9, page: 1, last_page: 1 },
			'Only 2 of 9 records could be read.',
		],
	])('says so where %s', async (_what, envelope, description) => {
		tenant.answer(() => ({ body: { data: [{ id: 1 }, { id: 2 }], ...envelope } }));
		const { ids, error } = await read(LIST);
		expect(ids).toEqual([1, 2]);
		expect(error?.message).toBe('The service says that the list goes on, but not how to get the rest');
		expect(error?.description).toContain(description);
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
	const requests = () => tenant.requests.map((line) => queryOf(line).get('per_page'));

	it('is asked for where the interface has a parameter for it', async () => {
		await read(SIZED);
		await read(LIST);
		expect(tenant.requests).toEqual(['GET /profiles?per_page=100', 'GET /customers']);
	});

	it.each([400, 422])('that is refused with %i is not asked for again in this run', async (status) => {
		tenant.answer(({ request }) =>
			request.includes('per_page') ? { status } : { body: { data: recordsTo(2) } },
		);
		const contexts = tenant.run();
		for (let item = 0; item < 3; item++) {
			const pages: unknown[] = [];
			for await (const { records } of pagesOf(contexts(item), SIZED)) pages.push(records);
			expect(pages).toEqual([recordsTo(2)]);
		}
		expect(requests()).toEqual(['100', null, null, null]);
		tenant.asked.splice(0);
		await read(SIZED);
		expect(requests()).toEqual(['100', null]);
	});

	it('is not given up because of another failure', async () => {
		tenant.answerInTurn({ status: 403, body: { message: 'No' } });
		expect((await read(SIZED)).error?.message).toBe('No');
		expect(requests()).toEqual(['100']);
	});
});
