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
		goOn: async (method: string, token?: unknown) =>
			await listSearch[method].call(context, undefined, token as string),
	};
}

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

describe('a pagination token that a browser made up', () => {
	it.each<[string, unknown]>([
		['cut off', '{"position":'],
		['an address', 'http://127.0.0.1:9/third-party/v1/users'],
		['Base64', Buffer.from(JSON.stringify(OPTIONS)).toString('base64')],
		['a query', '?page=2\r\nX-Evil: 1'],
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
		const token = { ...position, ...OPTIONS, url: `${elsewhere.url}/me` };
		await goOn(method, JSON.stringify(token));
		expect(tenant.asked).toEqual([`GET /third-party/v1${target}`]);
		expect(requests).toEqual(['undefined undefined']);
		expect(elsewhere.asked).toEqual([]);
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
	await goOn('searchCustomers', paginationToken);
	expect(tenant.asked[1]).toContain(query);
});
