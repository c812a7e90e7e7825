import { editorOf } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';

const odd = OddTenant.inEachTest();
const elsewhere = OddTenant.inEachTest();

const PARAMETERS = {
	resource: 'profile',
	operation: 'getActivity',
	profileId: { __rl: true, mode: 'id', value: '7' },
};

/** Asks a *From List* to go on, as the browser of any user of n8n may. */
async function goOn(method: string, token: string) {
	const { context, methods } = await editorOf({ parameters: PARAMETERS, credentials: odd.credentials });
	return await methods.listSearch?.[method].call(context, undefined, token);
}

const position = { way: { page: 2 }, isGuess: false, pages: 1, records: 2, countsFromZero: false };

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

const LISTS = ['searchActivities', 'searchCustomers', 'searchProfiles', 'searchTemplates', 'searchTags'];

describe('a pagination token that a browser made up', () => {
	it.each<[string, unknown]>([
		['text', 'page 2'],
		['a number', 7],
		['a list', [position]],
		['the options of a request', OPTIONS],
		['options in the place of the position', { position: OPTIONS, from: 0 }],
		['a query of objects', { position: { ...position, way: { page: { gt: 1 } } }, from: 0 }],
		['a query of lists', { position: { ...position, way: { page: [1, 2] } }, from: 0 }],
		[
			'a large query',
			{
				position: {
					...position,
					way: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`a${i}`, i])),
				},
				from: 0,
			},
		],
		['a long token', { position: { ...position, way: { page: 'x'.repeat(10_000) } }, from: 0 }],
		['no position', { from: 0 }],
		['a negative place', { position, from: -1 }],
		['a fraction', { position: { ...position, pages: 0.5 }, from: 0 }],
		['null', null],
	])('is refused where it is %s', async (_, token) => {
		odd.answer(() => ({ data: [{ id: 1, name: 'A' }] }));
		for (const method of LISTS) {
			await expect(goOn(method, JSON.stringify(token))).rejects.toThrow('cannot be continued from here');
		}
		await expect(goOn('searchCustomers', '{"position":')).rejects.toThrow('cannot be continued from here');
		expect(odd.asked).toEqual([]);
	});

	it.each([
		['searchCustomers', '/customers?page=2'],
		['searchTags', '/tags?page=2'],
		['searchActivities', '/profiles/7/activities?page=2'],
	])('can only choose a page of its list: %s', async (method, target) => {
		const requests: string[] = [];
		odd.answer((request) => {
			requests.push(`${String(request.headers['x-evil'])} ${JSON.stringify(request.body)}`);
			return { data: [{ id: 1, name: 'A', title: 'A', type: 'A' }] };
		});
		const token = { ...OPTIONS, from: 0, position: { ...position, ...OPTIONS, url: `${elsewhere.url}/me` } };
		await goOn(method, JSON.stringify(token));
		expect(odd.asked).toEqual([`GET /third-party/v1${target}`]);
		expect(requests).toEqual(['undefined undefined']);
		expect(elsewhere.asked).toEqual([]);
	});

	it('is what the list itself gives for its next page', async () => {
		odd.answer(({ query }) => {
			const page = Number((query as { page?: string }).page ?? 1);
			return { data: [{ id: page, name: `N${page}` }], current_page: page, last_page: 3 };
		});
		const { context, methods } = await editorOf({ parameters: PARAMETERS, credentials: odd.credentials });
		const seen: unknown[] = [];
		let token: string | undefined;
		do {
			const found = await methods.listSearch?.searchCustomers.call(context, undefined, token);
			seen.push(...(found?.results ?? []).map(({ value }) => value));
			token = found?.paginationToken as string | undefined;
		} while (token);
		expect(seen).toEqual([1, 2, 3]);
	});
});
