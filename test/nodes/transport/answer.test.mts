import { unwrapped, whereNext } from '../../../nodes/CustomerMessaging/transport/answer.ts';

const BASE = 'https://acme.example/third-party/v1';
const next = (body: object, url = '/profiles', count = 2) => whereNext({ url }, { ...body }, count, BASE);

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
	const second = { url: '/profiles', qs: { page: '2' } };

	it.each<[string, object, object]>([
		['a link at the top', { next_page_url: `${BASE}/profiles?page=2` }, second],
		['a link called next', { next: `${BASE}/profiles?page=2` }, second],
		['a link among links', { links: { next: `${BASE}/profiles?page=2` } }, second],
		['a link in meta', { meta: { next_page_url: `${BASE}/profiles?page=2` } }, second],
		['a HAL link', { _links: { next: { href: `${BASE}/profiles?page=2` } } }, second],
		['a link from the root', { next: '/third-party/v1/profiles?page=2' }, second],
		['a link without a scheme', { next: '//acme.example/third-party/v1/profiles?page=2' }, second],
		['a query alone', { next: '?page=2' }, second],
		['a cursor', { next_cursor: 'abc' }, { qs: { cursor: 'abc' } }],
		['a cursor in meta', { meta: { next_cursor: 'abc' } }, { qs: { cursor: 'abc' } }],
		['a cursor called after', { paging: { cursors: {}, after: 'abc' } }, { qs: { cursor: 'abc' } }],
		['a cursor among cursors', { cursors: { after: 'abc' } }, { qs: { cursor: 'abc' } }],
		['a cursor in the member cursor', { cursor: { next: 'abc' } }, { qs: { cursor: 'abc' } }],
		['a page number', { current_page: 1, last_page: 2 }, { qs: { page: 2 } }],
		['a page number of total pages', { page: 3, total_pages: 4 }, { qs: { page: 4 } }],
		['a page number of a page count', { page: 3, page_count: 4 }, { qs: { page: 4 } }],
		['a page number in meta', { meta: { current_page: 1, last_page: 2 } }, { qs: { page: 2 } }],
		['a page number in pagination', { pagination: { page: 1, last_page: 2 } }, { qs: { page: 2 } }],
		['a page number as text', { current_page: '1', last_page: '2' }, { qs: { page: 2 } }],
		['an offset and a total', { offset: 4, total: 7 }, { qs: { offset: 6 } }],
		['an offset and a total count', { meta: { offset: 0, total_count: 3 } }, { qs: { offset: 2 } }],
	])('is told by %s', (_, body, expected) => {
		expect(next(body)).toEqual(expected);
	});

	it.each<[string, object]>([
		['a link that is null', { next_page_url: null }],
		['an empty cursor', { next_cursor: '' }],
		['a last page', { current_page: 2, last_page: 2 }],
		['a page behind the last', { current_page: 3, last_page: 2 }],
		['an offset at the end', { offset: 5, total: 7 }],
		['an offset behind the end', { offset: 7, total: 7 }],
		['a total alone', { total: 2 }],
		['a page number alone', { current_page: 1 }],
		['empty text for a number', { current_page: '', last_page: '2' }],
		['words for a number', { current_page: 'one', last_page: 'two' }],
		['an envelope that says that it ends', { has_more: false }],
		['data alone', {}],
	])('is nowhere after %s', (_, body) => {
		expect(next(body)).toBeUndefined();
	});

	it('is not asked of a member that is no envelope', () => {
		expect(next({ meta: 'next', links: ['next'], pagination: null })).toBeUndefined();
	});

	it.each(['has_more', 'hasMore', 'has_more_pages'])('has to be told by more than %s', (name) => {
		expect(() => next({ [name]: true })).toThrow('says that the list goes on, but not how to get the rest');
		expect(() => next({ meta: { [name]: true } })).toThrow('goes on');
	});

	it.each([
		'https://evil.example/third-party/v1/profiles?page=2',
		'http://acme.example/third-party/v1/profiles?page=2',
		'https://acme.example/elsewhere?page=2',
		'https://acme.example:444/third-party/v1/profiles?page=2',
	])('is not followed to %s, since the token would go along', (link) => {
		expect(() => next({ next: link })).toThrow('only sent to https://acme.example/third-party/v1');
	});
});
