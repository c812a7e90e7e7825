import type { FastifyRequest } from 'fastify';
import type { INodeListSearchItems, INodeListSearchResult, INodeParameters } from 'n8n-workflow';

import { editorOf, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId, TestTenant } from '../engine/tenant.mts';
import { nodeDescription } from '../description/nodeDescription.mts';

const sandbox = TestTenant.inEachTest({ pageSize: 5 });
const tenant = OddTenant.inEachTest();

interface Asking {
	filter?: string;
	token?: string;
	parameters?: INodeParameters;
	of?: Pick<TestTenant, 'credentials'>;
}

/** One call of the editor. */
async function search(
	method: string,
	{ filter, token, parameters = {}, of: { credentials } = tenant }: Asking = {},
): Promise<INodeListSearchResult> {
	const { methods, context } = await editorOf({ parameters, credentials });
	return (await methods.listSearch?.[method].call(context, filter, token)) ?? { results: [] };
}

/** What each call gives until the list is scrolled to its end. */
async function partsOf(method: string, asking: Asking = {}): Promise<INodeListSearchItems[][]> {
	const parts: INodeListSearchItems[][] = [];
	let token: string | undefined;
	for (let call = 0; call < 50; call++) {
		const { results, paginationToken } = await search(method, { ...asking, token });
		parts.push(results);
		token = paginationToken as string | undefined;
		if (token === undefined) return parts;
	}
	throw new Error('The list has no end');
}

const valuesOf = (results: INodeListSearchItems[]) => results.map(({ value }) => value);
const foundBy = async (method: string, filter?: string) =>
	valuesOf((await search(method, { filter })).results);
const scrolled = async (method: string, filter?: string) =>
	valuesOf((await partsOf(method, { filter })).flat());

const pathOf = (url: string) => url.slice('/third-party/v1'.length).split('?')[0];
const queryOf = (url: string) => new URL(url, 'http://x').searchParams;
const pageOf = ({ url }: FastifyRequest) => Number(queryOf(url).get('page') ?? 1);
const searchesSent = () => tenant.asked.map((request) => queryOf(request.slice(4)).get('search'));
const counted = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Answers these paths with pages of a list, and all others with a refusal. */
function paged(lists: Record<string, (index: number) => object>, total: number, pageSize = 10): void {
	tenant.answer(async (request, reply) => {
		const recordOf = lists[pathOf(request.url)] as ((index: number) => object) | undefined;
		if (!recordOf) return await reply.code(404).send({ message: 'Nobody' });
		const first = (pageOf(request) - 1) * pageSize;
		const count = Math.max(0, Math.min(pageSize, total - first));
		return {
			data: Array.from({ length: count }, (_, index) => recordOf(first + index)),
			current_page: pageOf(request),
			last_page: Math.ceil(total / pageSize),
		};
	});
}

/** Answers the search of profiles with these, and nothing else. */
const finds = (profiles: unknown[]) =>
	tenant.answer(async ({ url }, reply) =>
		pathOf(url) === '/profiles' ? { data: profiles } : await reply.code(404).send({ message: 'no' }),
	);

const named = (index: number) => ({ id: index + 1, name: `N${index}`, title: `N${index}` });

it('a list that loads long says that the value can be entered', async () => {
	const { properties } = await nodeDescription();
	const inLists = properties.flatMap(({ modes = [] }) => modes).filter(({ type }) => type === 'list');
	expect(inLists.length).toBeGreaterThan(10);
	for (const { typeOptions } of inLists)
		expect(typeOptions?.slowLoadNotice).toEqual({
			message: 'A long list takes a while. You can also enter the value.',
			timeout: 3000,
		});
});

describe('From List', () => {
	it.each([
		['searchAgents', 'Shop (+4930111222)', 11],
		['searchCustomers', 'Mira Example (+491700000001)', 101],
		['searchGroups', 'Regulars', 61],
		['searchHeaderFiles', /^Parcel at sunset/, /^[0-9a-f-]{36}$/],
		['searchMedia', 'Parcel at sunset', 71],
		['searchNotifications', /Template approved/, /^[0-9a-f-]{36}$/],
		['searchProfiles', 'Mira Example (+491700000001)', 102],
		['searchTags', 'VIP', 41],
		['searchTemplates', 'opening_hours · English (US) · en_US', 'opening_hours\u00a0·\u00a0en_US'],
		['searchUsers', 'Ada Admin (ada@tenant.example)', 1],
	])('%s shows names and gives values', async (method, name, value) => {
		const { results } = await search(method, { of: sandbox });
		const told = (one: string | number | RegExp): unknown =>
			one instanceof RegExp ? expect.stringMatching(one) : one;
		expect(results).toContainEqual({ name: told(name), value: told(value) });
	});

	it('uses the search of the service where it has one, and filters where it has none', async () => {
		expect((await search('searchProfiles', { filter: 'mira', of: sandbox })).results).toEqual([
			{ name: 'Mira Example (+491700000001)', value: 102 },
		]);
		expect(sandbox.sent()).toMatchObject([{ query: { search: 'mira', per_page: '100' } }]);
		for (let index = 0; index < 12; index++) await sandbox.tell('/tags', { title: `Tag ${index}` });
		const { results } = await search('searchTags', { filter: 'tag 11', of: sandbox });
		expect(results.map(({ name }) => name)).toEqual(['Tag 11']);
	});

	it('has the activities of the profile that is chosen by its ID', async () => {
		await sandbox.tell('/profiles/102/marketing-opt-in', { opt_in: true });
		const asking = (mode: string, value: unknown): Asking => ({
			of: sandbox,
			parameters: {
				resource: 'profile',
				operation: 'getActivity',
				profileId: { __rl: true, mode, value } as INodeParameters,
			},
		});
		const { results } = await search('searchActivities', asking('id', 102));
		expect(results.map(({ name }) => name).join()).toContain('marketing_opt_in (');
		for (const other of [asking('id', ''), asking('phone', '491700000001'), asking('id', '={{ 102 }}')])
			expect(await search('searchActivities', other)).toEqual({ results: [] });
	});

	it('says why it cannot load, without the token, and By ID still works', async () => {
		tenant.answer(async ({ url, headers }, reply) =>
			/\/\d+$/.test(pathOf(url))
				? { data: { id: 7, title: 'VIP' } }
				: await reply.code(403).send({ message: `Not with ${headers.authorization}` }),
		);
		for (const method of ['searchTags', 'searchCustomers', 'searchProfiles', 'searchUsers']) {
			const error = await search(method, { filter: 'hugo' }).catch((reason: Error) => reason);
			expect(error).toMatchObject({
				message: expect.stringMatching(
					/^Not with .+ may not do this \(HTTP 403\)\. Use the token of an admin/,
				),
			});
			expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(tenant.credentials.accessToken);
		}
		const { items } = await runNode({
			parameters: { resource: 'tag', operation: 'get', tagId: byId(7) },
			credentials: tenant.credentials,
		});
		expect(items).toMatchObject([{ json: { id: 7 } }]);
	});
});

describe('pages', () => {
	const METHODS = 'Agents Customers Groups Media Profiles Tags Users'
		.split(' ')
		.map((list) => `search${list}`);

	it.each(METHODS)('%s has each record of all pages once', async (method) => {
		tenant.answer((request) => {
			const page = pageOf(request);
			const data = counted(8).map((id) => named(id - 1));
			const next = page < 3 ? `https://other/x?page=${page + 1}` : null;
			return { data: data.slice((page - 1) * 3, page * 3), links: { next } };
		});
		expect(await scrolled(method)).toEqual(counted(8));
	});

	it('of any size are shown as they come, none of their records lost', async () => {
		const tag = (index: number) => ({ id: index + 1, title: `Tag ${index}` });
		paged({ '/tags': tag }, 2700, 2500);
		const parts = await partsOf('searchTags');
		expect(parts.map(({ length }) => length)).toEqual([2500, 200]);
		expect(valuesOf(parts.flat())).toEqual(counted(2700));
	});
});

describe('what is typed', () => {
	const NAMES = ['Müller', 'M\u0075\u0308ller', 'A.(B)', 'a+b', '50 %', "O'Neil", '[x]', 'ÉTÉ'];

	it.each<[string, number]>([
		['müller', 1],
		[' MÜLLER ', 1],
		['a.(b', 3],
		['A+B', 4],
		['50 %', 5],
		["o'neil", 6],
		['[X]', 7],
		['été', 8],
	])('as %j finds its record, and nothing finds nobody', async (typed, id) => {
		tenant.answer(({ url }) =>
			/\/\d+$/.test(pathOf(url))
				? { data: null }
				: { data: NAMES.map((name, index) => ({ id: index + 1, name, title: name })) },
		);
		for (const method of ['searchUsers', 'searchTags', 'searchGroups', 'searchMedia']) {
			expect(await foundBy(method, typed)).toContain(id);
			expect(await foundBy(method, 'nobody')).toEqual([]);
		}
	});

	it.each([
		['searchUsers', '/users'],
		['searchAgents', '/agents'],
		['searchTemplates', '/templates'],
	])('%s finds a name on page 30, which the service cannot search', async (method, path) => {
		paged({ [path]: named }, 300);
		const { results, paginationToken } = await search(method, { filter: 'n299' });
		expect(results.map(({ name }) => name)).toEqual([expect.stringMatching(/^N299/)]);
		expect(paginationToken).toBeUndefined();
	});

	it('is looked for in 100 pages at most, which is told', async () => {
		paged({ '/users': named }, 1_000_000);
		expect(await search('searchUsers', { filter: 'hugo' })).toEqual({
			results: [{ name: 'Only the first 1,000 were searched: type more, or enter it yourself', value: '' }],
		});
		const lists = tenant.asked.filter((request) => pathOf(request.slice(4)) === '/users');
		expect(lists).toHaveLength(100);
	});
});

describe('names', () => {
	it('of which several are the same are told apart by their IDs, and only those', async () => {
		const data = ['VIP', 'VIP', 'New'].map((title, index) => ({ id: index + 1, title }));
		tenant.answer(() => ({ data }));
		const told = ['VIP (1)', 'VIP (2)', 'New'].map((name, index) => ({ name, value: index + 1 }));
		expect((await search('searchTags')).results).toEqual(told);
		const { methods, context } = await editorOf({ parameters: {}, credentials: tenant.credentials });
		expect(await methods.loadOptions?.getTags.call(context)).toEqual(told);
	});

	it.each<[string, object, string]>([
		['a name alone', { id: 5, name: 'Jo' }, 'Jo (5)'],
		['a number alone', { id: 5, display_id: '491711234567' }, '+491711234567'],
		['neither', { id: 5 }, '5'],
		['the name of another channel', { id: 5, name: 'Jo', channel: 'chat', display_id: 'jo1' }, 'Jo (jo1)'],
		[
			'a number that is the name',
			{ id: 5, name: '+491711234567', display_id: '491711234567' },
			'+491711234567',
		],
	])('of a customer with %s show what there is', async (_what, record, name) => {
		tenant.answer(() => ({ data: [record] }));
		expect((await search('searchCustomers')).results).toEqual([{ name, value: 5 }]);
	});
});

describe('customers', () => {
	const hugo = { id: 5, customer_id: 7, name: 'Hugo', phone_number: '491711234567' };

	it('are searched through the profiles, and chosen by the ID of the customer, once', async () => {
		finds([hugo, { ...hugo, id: 6 }]);
		expect((await search('searchCustomers', { filter: 'Hugo' })).results).toEqual([
			{ name: 'Hugo (+491711234567)', value: 7 },
		]);
		expect(searchesSent()).toEqual(['Hugo']);
	});

	it.each(['+49 171 1234567', '0049 171 1234567', '(+49) 171/123-45-67', 'tel:+491711234567'])(
		'are searched by the digits of %s',
		async (typed) => {
			finds([{ ...hugo, phone_number: '+49 171 1234567' }]);
			expect(await foundBy('searchCustomers', typed)).toEqual([7]);
			expect(await foundBy('searchProfiles', typed)).toEqual([5]);
			expect(searchesSent()).toEqual(['491711234567', '491711234567']);
		},
	);

	it.each(['searchCustomers', 'searchProfiles'])(
		'%s tells two of one name and number apart',
		async (method) => {
			finds([5, 6].map((id) => ({ ...hugo, id, customer_id: id + 10 })));
			const { results } = await search(method, { filter: 'Hugo' });
			expect(new Set(results.map(({ name }) => name))).toHaveProperty('size', 2);
		},
	);

	it.each(['searchCustomers', 'searchProfiles'])(
		'%s goes on in the search of the profiles',
		async (method) => {
			const found = (index: number) => ({ ...hugo, id: index + 1, customer_id: index + 1 });
			paged({ '/profiles': found }, 9, 3);
			expect(await scrolled(method, 'Hugo')).toEqual(counted(9));
			expect(searchesSent()).toEqual(['Hugo', 'Hugo', 'Hugo']);
		},
	);

	const customer = (index: number) => ({ ...named(index), display_id: `4915200000${index}` });
	const profile = (index: number) => ({
		id: index + 900,
		name: `N${index}`,
		phone_number: `4915200000${index}`,
	});

	it.each<[string, Record<string, (index: number) => object>]>([
		['whose profiles do not name their customers', { '/profiles': profile, '/customers': customer }],
		['that show no profiles', { '/customers': customer }],
	])('of tenants %s are read to their end', async (_what, lists) => {
		paged(lists, 300);
		const asked = (path: string) =>
			tenant.asked.filter((request) => pathOf(request.slice(4)) === path).length;
		expect((await search('searchCustomers', { filter: 'n299' })).results).toEqual([
			{ name: 'N299 (+4915200000299)', value: 300 },
		]);
		expect(asked('/customers')).toBe(30);
		expect(await scrolled('searchCustomers', 'n1')).toHaveLength(111);
		expect(asked('/profiles')).toBe(2);
	});
});

describe('records without a name or an ID', () => {
	const BAD = [{ id: null, name: 'b', title: 'b' }, { name: 'c', title: 'c' }, 'd'];
	const methods = ['searchCustomers', 'searchGroups', 'searchTags', 'searchUsers', 'searchAgents'];

	it.each(methods)('do not hide the others in %s, which says how many they are', async (method) => {
		tenant.answer(() => ({ data: [{ id: 1, name: 'a', title: 'a' }, ...BAD] }));
		const { results } = await search(method);
		expect(valuesOf(results)).toEqual([1, '']);
		expect(results[1].name).toBe('3 more without a name or an ID cannot be listed');
	});

	it.each(methods)('are an error in %s where there are no others', async (method) => {
		tenant.answer(() => ({ data: BAD }));
		await expect(search(method)).rejects.toThrow('The service answered with a list that cannot be read');
	});

	it('are told in the lists of n8n too', async () => {
		tenant.answer(() => ({ data: [...counted(1500).map((id) => ({ id, name: `n${id}` })), ...BAD] }));
		const { methods: all, context } = await editorOf({ parameters: {}, credentials: tenant.credentials });
		const options = (await all.loadOptions?.getGroups.call(context)) ?? [];
		const told = '3 more without a name or an ID cannot be listed';
		expect([options.length, options.at(-1)?.name]).toEqual([1501, told]);
	});
});
