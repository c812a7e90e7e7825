import { editorOf } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';

const tenant = OddTenant.inEachTest();
const elsewhere = OddTenant.inEachTest();

const PARAMETERS = {
	...{ resource: 'profile', operation: 'getActivity' },
	profileId: { __rl: true, mode: 'id', value: '7' },
};

/** Opens a *From List*, and asks it to go on, as the browser of any user of n8n may. */
async function opened() {
	const { context, methods } = await editorOf({ parameters: PARAMETERS, credentials: tenant.credentials });
	const listSearch = methods.listSearch ?? {};
	return {
		methods: Object.keys(listSearch),
		goOn: async (method: string, token?: unknown) =>
			await listSearch[method].call(context, undefined, token as string),
	};
}

const REFUSED = 'cannot be continued from here';

/** What a request could be turned into, if a token were part of its options. */
const OPTIONS = {
	method: 'DELETE',
	url: '/customers/7',
	baseURL: 'http://evil.example',
	body: { a: 1 },
	headers: { 'X-Evil': '1' },
	proxy: { host: '127.0.0.1', port: 1 },
	skipSslCertificateValidation: true,
	disableFollowRedirect: false,
	timeout: 1,
};

const position = { pageQuery: { page: 2 }, records: 2, total: 0 };
const withQuery = (pageQuery: unknown) => ({ position: { ...position, pageQuery }, from: 0 });

describe('a pagination token that a browser made up', () => {
	it.each<[string, unknown]>([
		['text', 'page 2'],
		['a number', 7],
		['null', null],
		['a list', [position]],
		['the options of a request', OPTIONS],
		['options in the place of the position', { position: OPTIONS, from: 0 }],
		['a member of all objects', JSON.parse('{"__proto__":{"method":"DELETE"},"constructor":1}')],
		['a query of objects', withQuery({ page: { gt: 1 } })],
		['a query of lists', withQuery({ page: [1, 2] })],
		['a query of truths', withQuery({ page: true })],
		[
			'a query of more than 20',
			withQuery(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`a${i}`, i]))),
		],
		['longer than 10,000 letters', withQuery({ page: 'x'.repeat(10_000) })],
		['no position', { from: 0 }],
		['a negative place', { position, from: -1 }],
		['a fraction', { position: { ...position, total: 0.5 }, from: 0 }],
		['too large a number', { position: { ...position, records: 1e308 }, from: 0 }],
	])('is refused where it is %s, and nothing is asked', async (_what, token) => {
		const { methods, goOn } = await opened();
		// The types of messages and the fields of an account have no pages.
		const whole = ['searchMessageTypes', 'searchTenantFields'];
		for (const method of methods.filter((name) => !whole.includes(name)))
			await expect(goOn(method, JSON.stringify(token))).rejects.toThrow(REFUSED);
		expect(tenant.asked).toEqual([]);
	});

	it.each<[string, unknown]>([
		['cut off', '{"position":'],
		['an address', 'http://127.0.0.1:9/third-party/v1/users'],
		['Base64', Buffer.from(JSON.stringify(OPTIONS)).toString('base64')],
		['a query', '?page=2\r\nX-Evil: 1'],
		['no text, but an object', OPTIONS],
		['no text, but a list', [1, 2]],
	])('is refused where it is no JSON: %s', async (_what, token) => {
		const { goOn } = await opened();
		await expect(goOn('searchCustomers', token)).rejects.toThrow();
		expect(tenant.asked).toEqual([]);
	});

	it.each([
		['searchCustomers', '/customers?page=2'],
		['searchTags', '/tags?page=2'],
		['searchActivities', '/profiles/7/activities?page=2'],
	])('can only choose a page of its list: %s', async (method, target) => {
		const requests: string[] = [];
		tenant.answer(({ headers, body }) => {
			requests.push(`${String(headers['x-evil'])} ${JSON.stringify(body)}`);
			return { data: [{ id: 1, name: 'A', title: 'A', type: 'A' }] };
		});
		const { goOn } = await opened();
		const token = { ...OPTIONS, from: 0, position: { ...position, ...OPTIONS, url: `${elsewhere.url}/me` } };
		await goOn(method, JSON.stringify(token));
		expect(tenant.asked).toEqual([`GET /third-party/v1${target}`]);
		expect(requests).toEqual(['undefined undefined']);
		expect(elsewhere.asked).toEqual([]);
	});

	const HOSTILE = [
		'/third-party/v1/users/1',
		'../../admin',
		'%2f..%2fsettings',
		'a&_method=DELETE',
		'a\r\nX-Evil: 1',
		'http://127.0.0.1:9/',
		'__proto__',
		'-1',
	];

	it.each(HOSTILE)('holds nothing but a query of its list where a part of that is %j', async (value) => {
		tenant.answer(() => ({ data: [{ id: 1, name: 'A' }] }));
		const { goOn } = await opened();
		const tokens = [{ page: value }, { cursor: value }, { [value]: 1 }].map(withQuery);
		for (const token of tokens) await goOn('searchCustomers', JSON.stringify(token)).catch(() => undefined);
		expect(tenant.asked.filter((one) => !/^GET \/third-party\/v1\/customers(\?[^?]*)?$/.test(one))).toEqual(
			[],
		);
		// Each is one parameter: its signs are encoded.
		expect(tenant.asked.filter((one) => one.includes('_method='))).toEqual([]);
	});
});

it.each<[string, (url: string, page: number) => object, string]>([
	['page numbers', (_url, page) => ({ current_page: page, last_page: 3 }), 'page=2'],
	['an offset', (_url, page) => ({ offset: page - 1, limit: 1, total: 3 }), 'offset=1'],
	['a link', (url) => ({ next_page_url: `${url}/third-party/v1/customers?page=2&x=1` }), 'page=2'],
	['a cursor', () => ({ meta: { next_cursor: 'abc' } }), 'cursor=abc'],
])('a list gives for its next page a token that it takes: %s', async (_what, way, query) => {
	tenant.answer(({ query: asked, url }) => {
		const { page, offset } = asked as { page?: string; offset?: string };
		const now = Number(page ?? Number(offset ?? 0) + 1);
		return { data: [{ id: url.length, name: `N${now}` }], ...way(tenant.url, now) };
	});
	const { goOn } = await opened();
	const { paginationToken } = await goOn('searchCustomers');
	expect(Object.keys(JSON.parse(String(paginationToken)) as object).sort()).toEqual(
		['from', 'isUnsearched', 'position', 'previous'].sort(),
	);
	await goOn('searchCustomers', paginationToken);
	expect(tenant.asked[1]).toContain(query);
});
