import {
	errorForm,
	listIn,
	nextPage,
	problemOfId,
	recordIn,
	secondsOf,
	timeForm,
} from '../../tenant-check/forms.mts';

const LINK = 'https://elsewhere.example/other?page=2&per_page=15#end';
const FROM_LINK = { page: '2', per_page: '15' };
const PAGE_2 = { page: '2' };

it.each([
	['links.next', { links: { next: LINK } }, FROM_LINK],
	['next_page_url', { next_page_url: LINK }, FROM_LINK],
	['meta.next_page_url', { meta: { next_page_url: LINK } }, FROM_LINK],
	['next', { next: LINK }, FROM_LINK],
	['_links.next.href', { _links: { next: { href: LINK } } }, FROM_LINK],
	['meta.next_cursor', { meta: { next_cursor: 'abc' } }, { cursor: 'abc' }],
	['next_cursor', { next_cursor: 'abc', next_page_url: null }, { cursor: 'abc' }],
	['meta.current_page and meta.last_page', { meta: { current_page: 1, last_page: 2 } }, PAGE_2],
	['current_page and last_page', { current_page: '1', last_page: '2' }, PAGE_2],
	['page and total_pages', { page: 1, total_pages: 2 }, PAGE_2],
	['offset and total', { offset: 10, total: 16 }, { offset: '15' }],
])('%s tells the next page', (form, body, query) => {
	expect(nextPage({ data: [], ...body }, null, 5)).toEqual({ form, query });
});

it('the header Link tells the next page, before a cursor', () => {
	const header = '<https://a.example/x?page=1>; rel="prev", <https://a.example/x?page=2>; rel="next"';
	expect(nextPage({ next_cursor: 'abc' }, header, 5)).toEqual({ form: 'header Link', query: PAGE_2 });
});

it.each([
	[{ links: { next: null } }],
	[{ next_page_url: '/tags/page/2' }],
	[{ meta: { current_page: 2, last_page: 2 } }],
	[{ current_page: null, last_page: 2 }],
	[{ offset: 10, total: 15 }],
	[{ total: 40 }],
	[[1, 2, 3]],
])('%j tells no next page', (body) => {
	expect(nextPage(body, null, 5)).toBeUndefined();
});

it.each([
	[{ data: { id: 1 } }, { id: 1 }, undefined],
	[{ id: 1 }, { id: 1 }, undefined],
	[{ data: [] }, { data: [] }, []],
	[[], undefined, []],
	['text', undefined, undefined],
])('%j has the record %j and the list %j', (body, record, list) => {
	expect([recordIn(body), listIn(body)]).toEqual([record, list]);
});

it.each([
	[{ message: 'No' }, 'message'],
	[{ error: 'No' }, 'error'],
	[{ error: { message: 'No' } }, 'error.message'],
	[{ errors: { title: ['No'] } }, 'errors by field'],
	[{ errors: { title: 'No' } }, 'errors by field'],
	[{ errors: [{ field: 'title', message: 'No' }] }, 'errors as a list'],
	[{ errors: [{ path: 'title', detail: 'No' }] }, 'errors as a list'],
	[{ message: '', errors: {} }, undefined],
	[{ title: 'No', detail: 'No' }, undefined],
])('the failure %j has its text in %s', (body, form) => {
	expect(errorForm(body)).toBe(form);
});

it.each([
	[[7, '7', 2 ** 53 - 1], undefined],
	[[2 ** 53, '9007199254740993', 1.5], 'a fraction, or a number above 2^53'],
	[['tag_7', ''], 'text that is not a whole number'],
	[[null, true, {}], 'neither a number nor text'],
])('the IDs %j have the problem: %s', (ids, problem) => {
	expect(ids.map(problemOfId)).toEqual(ids.map(() => problem));
});

it.each([
	[['2026-01-05T10:00:00Z', '2026-01-05T10:00:00.123456+01:00'], 'ISO 8601 with a zone'],
	[['2026-01-05 10:00:00', '2026-01-05T10:00'], 'ISO 8601 without a zone, which is that of the workflow'],
	[['2026-01-05', '05.01.2026 10:00', 1_767_607_200], undefined],
])('the times %j have the form: %s', (times, form) => {
	expect(times.map(timeForm)).toEqual(times.map(() => form));
});

it('a Retry-After is a number of seconds, or a date', () => {
	const inAMinute = new Date(Date.now() + 60_000).toUTCString();
	expect(['7', 'soon', '', new Date(0).toUTCString()].map(secondsOf)).toEqual([7, undefined, undefined, 0]);
	expect(secondsOf(inAMinute)).toBeGreaterThan(50);
});
