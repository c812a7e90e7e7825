import { Envelope, type ReadSoFar, whereNext } from '../../nodes/CustomerMessaging/api/listEnvelope.ts';
import { tellsFailure, unwrapped } from '../../nodes/CustomerMessaging/api/responseBody.ts';

const BASE = 'https://acme.example/third-party/v1';

const next = (body: object, count = 2, read: Partial<ReadSoFar> = {}, headers = {}) =>
	whereNext(new Envelope(body, headers), {
		query: {},
		count,
		records: count,
		pages: 1,
		countsFromZero: false,
		...read,
	});

describe('what an answer carries', () => {
	it.each<[string, unknown, unknown]>([
		['a wrapped record', { data: { id: 1 } }, { id: 1 }],
		['a wrapped list', { data: [{ id: 1 }] }, [{ id: 1 }]],
		['a wrapped nothing', { data: null }, null],
		['a bare record', { id: 1, title: 'VIP' }, { id: 1, title: 'VIP' }],
		['a bare record that has data of its own', { id: 1, data: 'x' }, { id: 1, data: 'x' }],
		['a bare list', [{ id: 1 }], [{ id: 1 }]],
		['text', 'openapi: 3.1.0', 'openapi: 3.1.0'],
		['nothing', undefined, undefined],
		['null', null, null],
	])('is found in %s', (_, body, expected) => {
		expect(unwrapped(body)).toEqual(expected);
	});
});

describe('where the next page is', () => {
	const second = { page: '2' };

	it.each<[string, object, object]>([
		['a link at the top', { next_page_url: `${BASE}/profiles?page=2` }, second],
		['a link called next', { next: `${BASE}/profiles?page=2` }, second],
		['a link among links', { links: { next: `${BASE}/profiles?page=2` } }, second],
		['a link in meta', { meta: { next_page_url: `${BASE}/profiles?page=2` } }, second],
		['a link with an href', { _links: { next: { href: `${BASE}/profiles?page=2` } } }, second],
		['a link from the root', { next: '/third-party/v1/profiles?page=2' }, second],
		['a link without a scheme', { next: '//acme.example/third-party/v1/profiles?page=2' }, second],
		['a query alone', { next: '?page=2' }, second],
		['a cursor', { next_cursor: 'abc' }, { cursor: 'abc' }],
		['a cursor in meta', { meta: { next_cursor: 'abc' } }, { cursor: 'abc' }],
		['a cursor that is a number', { next_cursor: 5 }, { cursor: '5' }],
		['a number called after', { paging: { cursors: { after: 5 } } }, { after: '5' }],
		['a cursor called after', { paging: { cursors: { after: 'abc' } } }, { after: 'abc' }],
		['a cursor among cursors', { cursors: { after: 'abc' } }, { after: 'abc' }],
		['a cursor in the member cursor', { cursor: { next: 'abc' } }, { cursor: 'abc' }],
		['a page number', { current_page: 1, last_page: 2 }, { page: 2 }],
		['a page number of total pages', { page: 3, total_pages: 4 }, { page: 4 }],
		['a page number of a page count', { page: 3, page_count: 4 }, { page: 4 }],
		['a page number by its whole name', { page_number: 3, total_pages: 4 }, { page: 4 }],
		['a page number in meta', { meta: { current_page: 1, last_page: 2 } }, { page: 2 }],
		['a page number in pagination', { pagination: { page: 1, last_page: 2 } }, { page: 2 }],
		['a page number as text', { current_page: '1', last_page: '2' }, { page: 2 }],
		['an offset and a total', { offset: 4, total: 7 }, { offset: 6 }],
		['an offset and a total count', { meta: { offset: 0, total_count: 3 } }, { offset: 2 }],
	])('is told by %s', (_, body, expected) => {
		expect(next(body)).toEqual({ query: expected });
	});

	it.each<[string, object, object]>([
		['a link in camel case', { nextPageUrl: `${BASE}/profiles?page=2` }, second],
		[
			'a link within a pagination in meta',
			{ meta: { pagination: { links: { next: '/x?page=2' } } } },
			second,
		],
		['a page number in camel case', { currentPage: 1, lastPage: 2 }, { page: 2 }],
		[
			'a page number within a pagination in meta',
			{ meta: { pagination: { current_page: 1, total_pages: 2 } } },
			{ page: 2 },
		],
		['a page number, its size and a total', { page: 1, per_page: 2, total: 3 }, { page: 2 }],
		['a page number, another name of its size and a total', { page: 1, page_size: 2, total: 3 }, { page: 2 }],
		['a page number, a size and a total', { page: 1, size: 2, total: 3 }, { page: 2 }],
		['a next page', { next_page: 7 }, { page: 7 }],
		['a next page in camel case', { meta: { nextPage: 7 } }, { page: 7 }],
		['a page number and that there is more', { page: 3, has_more: true }, { page: 4 }],
		['a page number and that there is more, in a word', { page: '3', has_more: 'true' }, { page: 4 }],
		['a page number and that there is more, as 1', { meta: { page: 3, hasNext: 1 } }, { page: 4 }],
		['a page number and that it is not the last', { page: 3, is_last: false }, { page: 4 }],
		['the number of the next page as text', { next_page: '2' }, { page: 2 }],
		['the number of the next page as text, beside that of this', { page: 6, next: '7' }, { page: 7 }],
		['a number as text that is not that of the next page', { next: '70' }, { cursor: '70' }],
		['an offset and that there is more', { offset: 4, has_more: true }, { offset: 6 }],
		['a cursor in camel case', { nextCursor: 'abc' }, { cursor: 'abc' }],
		['page information', { pageInfo: { hasNextPage: true, endCursor: 'abc' } }, { after: 'abc' }],
		[
			'a list of links',
			{
				links: [
					{ url: null, label: 'Previous' },
					{ url: '?page=2', label: 'Next &raquo;' },
				],
			},
			second,
		],
		['a link relative to the folder', { next: 'profiles?page=2' }, second],
	])('is told by %s too', (_, body, expected) => {
		expect(next(body)).toEqual({ query: expected });
	});

	it('is told by a header', () => {
		const link = '<https://acme.example/a?page=1>; rel="prev", <https://acme.example/a?page=2>; rel="next"';
		for (const body of [{}, [{ id: 1 }]]) expect(next(body, 1, {}, { link })).toEqual({ query: second });
		const spaced = '<https://acme.example/a?page=2> ; rel = next';
		expect(next({}, 1, {}, { link: spaced })).toEqual({ query: second });
	});

	it('is looked for in the first 4,000 characters of a header', () => {
		const link = (spaces: number) => `${' '.repeat(spaces)}<https://acme.example/a?page=2>; rel="next"`;
		expect(next({}, 1, {}, { link: link(4000 - link(0).length) })).toEqual({ query: second });
		expect(next({}, 1, {}, { link: link(4001 - link(0).length) })).toBe('end');
	});

	it('is told by headers, which are text', () => {
		expect(next([], 2, {}, { 'x-page': '1', 'x-next-page': '2' })).toEqual({ query: { page: 2 } });
	});

	it('is guessed where only the number of all records is told', () => {
		const guess = { query: { page: 3 }, isGuess: true };
		expect(next({ total: 9 }, 2, { pages: 2, records: 4 })).toEqual(guess);
		expect(next([{ id: 1 }], 2, { pages: 2, records: 4 }, { 'x-total-count': '9' })).toEqual(guess);
		expect(next({ total: 4 }, 2, { pages: 2, records: 4 })).toBe('end');
	});

	it.each(['total_count', 'totalElements', 'total_results', 'totalEntries', 'total-items'])(
		'is guessed from the number of all records in %s',
		(name) => expect(next({ [name]: 9 }, 2, { pages: 2, records: 4 })).toMatchObject({ isGuess: true }),
	);

	it('is counted from 0 where the first page was', () => {
		const counted = (page: number) => next({ page, total_pages: 3 }, 2, { countsFromZero: true });
		expect([counted(0), counted(1), counted(2)]).toEqual([
			{ query: { page: 1 } },
			{ query: { page: 2 } },
			'end',
		]);
	});

	it('is taken from a link without what the request has already, such as its filters', () => {
		const query = { search: 'x', per_page: 100, 'tag[]': ['a', 'b'] };
		const link = '/profiles?search=x&tag%5B%5D=a&tag%5B%5D=b&per_page=100&page=2#top';
		expect(next({ next: link }, 2, { query })).toEqual({ query: second });
	});

	it.each<[string, object]>([
		['a link that is null', { next_page_url: null }],
		['an empty cursor', { next_cursor: '' }],
		['a last page', { current_page: 2, last_page: 2 }],
		['a page behind the last', { current_page: 3, last_page: 2 }],
		['a last page, which a part contradicts', { current_page: 2, last_page: 2, meta: { last_page: 3 } }],
		['an offset at the end', { offset: 5, total: 7 }],
		['an offset behind the end', { offset: 7, total: 7 }],
		['a total alone', { total: 2 }],
		['a page number alone', { current_page: 1 }],
		['empty text for a number', { current_page: '', last_page: '2' }],
		['words for a number', { current_page: 'one', last_page: 'two' }],
		['an envelope that says that it ends', { has_more: false }],
		['an envelope that says in a word that it ends', { has_more: 'false', next_cursor: 'abc' }],
		['an envelope that says that it is the last page', { isLastPage: true, page: 3, last_page: 4 }],
		['an envelope that says that it ends beside a cursor', { has_more: false, next_cursor: 'abc' }],
		['an envelope that says that it ends beside the last ID', { has_more: false, next_cursor: 5 }],
		['a last page whose cursor is told too', { page_info: { end_cursor: 'abc', has_next_page: false } }],
		['the number 0 as a cursor', { next_cursor: 0 }],
		['data alone', {}],
	])('is nowhere after %s', (_, body) => {
		expect(next(body)).toBe('end');
	});

	it('is not asked of a member that is no envelope', () => {
		expect(next({ meta: 'next', links: ['next'], pagination: null })).toBe('end');
		expect(next({ preview: { next_page: 7 } })).toBe('end');
	});

	it('is looked for in four levels', () => {
		const within = (levels: number) =>
			Array.from({ length: levels }).reduce<object>((meta) => ({ meta }), { next_page: 7 });
		expect(next(within(3))).toEqual({ query: { page: 7 } });
		expect(next(within(4))).toBe('end');
	});

	it.each(['has_more', 'hasMore', 'has_more_pages'])('has to be told by more than %s', (name) => {
		expect(next({ [name]: true })).toBe('untold');
		expect(next({ meta: { [name]: true } })).toBe('untold');
	});

	it('is the same page by a link without anything new', () => {
		expect(next({ next: 'https://acme.example/profiles/page/2' })).toEqual({ query: {} });
		expect(next({ next: '/profiles?page=1' }, 2, { query: { page: 1 } })).toEqual({ query: {} });
	});

	it.each([
		'https://evil.example/third-party/v1/profiles?page=2',
		'http://acme.example/third-party/v1/profiles?page=2',
		'https://acme.example/elsewhere?page=2',
		'https://acme.example:444/third-party/v1/profiles?page=2',
		'javascript:alert(1)?page=2',
	])('is the query of %s, and the token goes to the own tenant', (link) => {
		expect(next({ next: link })).toEqual({ query: second });
	});
});

describe('a failure that is told with a status of success', () => {
	it.each<[unknown]>([
		[{ success: false }],
		[{ success: 0 }],
		[{ ok: 'false' }],
		[{ success: false, message: 'No', data: [] }],
		[{ success: false, message: 'Not allowed', data: { id: 5 } }],
		[{ success: 'false', data: [{ id: 1 }] }],
		[{ status: 'fail', data: { title: 'In use' } }],
		[{ code: 422, message: 'No' }],
		[{ statusCode: 500, message: 'No' }],
		[{ status: 'error', message: 'No' }],
		[{ status: 'Failed' }],
		[{ status: false, message: 'No' }],
		[{ status: 'false' }],
		[{ error: 'No' }],
		[{ error: { code: 7 } }],
		[{ errors: { id: ['No'] } }],
		[{ ok: false, data: null }],
		[{ errors: [{ title: 'No way' }] }],
		[{ success: false, message: 'No way', request_id: 'r1' }],
		[{ success: false, message: 'No way', timestamp: '2030-01-01T00:00:00Z' }],
		[{ success: false, error: { message: 'No way' }, meta: {} }],
		[{ success: false, message: 'No way', error_code: 17 }],
		[{ data: { success: false, message: 'No way' } }],
		[{ timestamp: 1, status: 422, error: 'Unprocessable Entity', message: 'No way', path: '/x' }],
		[{ success: false, message: 'blocked', hint: 'x' }],
		[{ success: false, message: 'no', data: null, links: null }],
		[{ success: false, message: 'quota', retry_in: 5 }],
		[{ success: false, message: 'shard down', data: [], total: 0 }],
		[{ success: false, data: [{ id: 1 }], total: 1 }],
		[{ success: false, reason: 'blocked' }],
		[{ ok: false, error_code: 400, description: 'Bad Request' }],
		[{ errors: [{ message: 'No' }], extensions: {} }],
		[{ Success: false, Message: 'No', Hint: 'x' }],
		[{ status: 'error', message: 'No', docs: 'https://acme.example' }],
		[{ error: 'blocked', hint: 'x' }],
		[{ success: false, message: 'blocked', id: null }],
		[{ success: false, message: 'blocked', id: 'req-7' }],
		[{ success: false, message: 'x', id: 'req-7', data: [{ id: 1 }] }],
		[{ id: 'err_1', error: { message: 'No' } }],
		[{ success: '0', message: 'No' }],
		[{ success: 0, message: 'No', data: [], total: 0 }],
		[{ success: false, message: 'No', updated_count: 0 }],
		[{ error: 1, message: 'No' }],
		[{ error_code: 400, message: 'No' }],
		[{ errorMessage: 'No' }],
		[{ success: 0, error_msg: 'No' }],
		[{ code: 400, message: 'No', hint: 'x' }],
		[{ status: 'error', reason: 'No', docs: 'x' }],
		[{ errors: ['No'], retry_in: 5 }],
		[{ data: { success: false, message: 'No', reason: 'x' } }],
	])('is %j', (body) => expect(tellsFailure(body)).toBe(true));

	it.each<[unknown]>([
		[{ success: true, message: 'OK', error: null, errors: [] }],
		[{ success: true, data: [{ id: 1 }] }],
		[{ code: 0, message: 'OK' }],
		[{ id: 7, status: 'error' }],
		[{ imported: 3, errors: [{ row: 2 }] }],
		[{ valid: false }],
		[{ id: 7, success: false, name: 'x' }],
		[{ id: 7, title: 'x', success: false, data: false }],
		[{ id: 7, title: 'x', success: false, data: true }],
		[{ id: 7, title: 'x', success: false, data: { kept: 1 } }],
		[{ uuid: 'a', ok: false, name: 'x' }],
		[{ data: { ok: false, sync: true } }],
		[{ status: 'failed', conversation_id: 7, latest_error: { id: 1 } }],
		[{ success: 0, skipped: 3 }],
		[{ created_count: '1', updated_count: '0', skipped_count: '0', errors: ['a row'] }],
		[{ data: { title: 'Shop', code: '404' } }],
		[{ data: [{ id: 1 }], total: 1, status: 'error', message: 'x' }],
		[{ data: [{ id: 1 }], errors: [{ message: 'No' }] }],
		[{ data: [{ id: 1 }], total: 2, errors: [{ message: 'No' }] }],
		[{ data: [] }],
		[{ message: 'OK' }],
		[{ status: 'no error' }],
		[{ status: 0, message: 'OK' }],
		[{ success: 1 }],
		[{}],
		[[]],
		['error'],
		[null],
	])('is not %j', (body) => expect(tellsFailure(body)).toBe(false));

	it.each<[unknown, boolean]>([
		[{ data: [{ id: 1 }], errors: [{ message: 'No' }] }, true],
		[{ data: [{ id: 1 }], total: 2, errors: [{ message: 'No' }] }, true],
		[{ data: [{ id: 1 }], error: 'No', total: 2 }, true],
		[{ data: [{ id: 1 }], total: 1, status: 'error', message: 'x' }, true],
		[{ data: [{ id: 1 }], total: 1, code: 500 }, true],
		[{ data: [{ id: 1 }], error_message: 'shard down' }, true],
		[{ data: [{ id: 1 }], total: 2, errors: [], error: null }, false],
		[{ data: [{ id: 1 }], error: { code: 0, message: '' } }, false],
		[{ data: [{ id: 1 }], status: 200, code: 0, message: 'OK', links: {} }, false],
		[{ data: { id: 1, errors: ['No'] } }, false],
	])('where something is read, %j: %s', (body, isFailure) => {
		expect(tellsFailure(body, true)).toBe(isFailure);
	});

	it('is looked for in four levels, however many there are', () => {
		const within = (levels: number, innermost: object) =>
			Array.from({ length: levels }).reduce((data) => ({ data }), innermost as unknown);
		expect(tellsFailure(within(3, { success: false }))).toBe(true);
		expect(tellsFailure(within(4, { success: false }))).toBe(false);
		expect(tellsFailure(within(100_000, { success: false }))).toBe(false);
	});
});

describe('an ID beside the content', () => {
	it('is that of the answer where nothing else of a record stands there', () => {
		expect(unwrapped({ id: 'answer-7', data: { id: 1 } })).toEqual({ id: 1 });
		expect(unwrapped({ id: 'answer-7', data: [], current_page: 1, last_page: 1 })).toEqual([]);
	});

	it('is that of a record where more of it stands there', () => {
		const record = { id: 1, title: 'VIP', data: { colour: 'red' } };
		expect(unwrapped(record)).toBe(record);
		const withoutData = { id: 1, data: {} };
		expect(unwrapped(withoutData)).toBe(withoutData);
	});
});
