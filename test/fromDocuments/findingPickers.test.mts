import type { INodeListSearchItems, INodePropertyOptions } from 'n8n-workflow';

import { editorOf } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { asked, FORMS } from './forms.mts';

const tenant = OddTenant.inEachTest();

async function search(method: string, filter?: string, token?: string) {
	const { methods, context } = await editorOf({ credentials: tenant.credentials, parameters: {} });
	return (await methods.listSearch?.[method].call(context, filter, token)) ?? { results: [] };
}

/** Searches, and scrolls to the end as the editor does. */
async function searchAll(method: string, filter?: string): Promise<INodeListSearchItems[]> {
	const seen: INodeListSearchItems[] = [];
	let token: string | undefined;
	for (let page = 0; page < 30; page++) {
		const { results, paginationToken } = await search(method, filter, token);
		seen.push(...results);
		token = paginationToken as string | undefined;
		if (token === undefined) return seen;
	}
	throw new Error('The list has no end');
}

const options = async (method: string): Promise<INodePropertyOptions[]> => {
	const { methods, context } = await editorOf({ credentials: tenant.credentials, parameters: {} });
	return (await methods.loadOptions?.[method].call(context)) ?? [];
};

const pathOf = (url: string) => url.slice('/third-party/v1'.length).split('?')[0];
const queryOf = (url: string) => new URL(url, 'http://x').searchParams;

/** Answers the search of profiles with these, and nothing else. */
const finds = (profiles: unknown[]) =>
	tenant.answer(async ({ url }, reply) =>
		pathOf(url) === '/profiles' ? { data: profiles } : await reply.code(404).send({ message: 'no' }),
	);

const found = ({ results }: Awaited<ReturnType<typeof search>>) => results.map(({ value }) => value);

describe('customers', () => {
	it('are searched through the profiles, and chosen by the ID of the customer', async () => {
		finds([{ id: 5, customer_id: 7, name: 'Hugo', phone_number: '491711234567' }]);
		expect((await search('searchCustomers', 'Hugo')).results).toEqual([
			{ name: 'Hugo (+491711234567)', value: 7 },
		]);
		expect(tenant.asked.map((request) => queryOf(request.slice(4)).get('search'))).toEqual(['Hugo']);
	});

	it.each(['+49 171 1234567', '0049 171 1234567', '(+49) 171/123-45-67', 'tel:+491711234567'])(
		'are searched by the digits of %s',
		async (typed) => {
			finds([{ id: 5, customer_id: 7, name: 'Hugo', phone_number: '+49 171 1234567' }]);
			for (const [method, value] of [
				['searchCustomers', 7],
				['searchProfiles', 5],
			] as const) {
				tenant.asked.splice(0);
				expect(found(await search(method, typed))).toEqual([value]);
				expect(queryOf(tenant.asked[0].slice(4)).get('search')).toBe('491711234567');
			}
		},
	);

	it('are offered once, whichever of their profiles are found', async () => {
		finds([
			{ id: 5, customer_id: 7, name: 'Hugo', phone_number: '491711234567' },
			{ id: 6, customer_id: 7, name: 'Hugo', phone_number: '491711234567' },
		]);
		expect(found(await search('searchCustomers', 'Hugo'))).toEqual([7]);
	});

	it('with one name and one number are told apart', async () => {
		finds([5, 6].map((id) => ({ id, customer_id: id + 10, name: 'Hugo', phone_number: '491711234567' })));
		for (const method of ['searchCustomers', 'searchProfiles']) {
			const { results } = await search(method, 'Hugo');
			expect(results).toHaveLength(2);
			expect(new Set(results.map(({ name }) => name)).size).toBe(2);
		}
	});

	it.each<unknown>([{ id: 7 }, [7], -7, 1.5, true, ''])(
		'are not offered with %j as their ID',
		async (customer_id) => {
			finds([{ id: 5, customer_id, name: 'Hugo', phone_number: '491711234567' }]);
			const results = await search('searchCustomers', 'Hugo').then(
				({ results: all }) => all,
				() => [],
			);
			expect(results.map(({ value }) => value).filter((value) => !/^\d*$/.test(String(value)))).toEqual([]);
			expect(results.some(({ value }) => value === 5)).toBe(false);
		},
	);

	it.each(['searchCustomers', 'searchProfiles'])(
		'%s goes on to the next page of the search',
		async (method) => {
			tenant.answer(({ url }) => {
				const page = Number(queryOf(url).get('page') ?? 1);
				const data = [0, 1, 2].map((index) => {
					const id = (page - 1) * 3 + index + 1;
					return { id, customer_id: id, name: `Hugo ${id}`, phone_number: `49171123450${id}` };
				});
				return { data, current_page: page, last_page: 3, per_page: 3, total: 9 };
			});
			const values = (await searchAll(method, 'Hugo')).map(({ value }) => value);
			expect(values).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
			expect(tenant.asked.every((request) => queryOf(request.slice(4)).get('search') === 'Hugo')).toBe(true);
		},
	);

	it('are shown with a name and a number that are texts, whatever the record has', async () => {
		const odd: unknown[] = [
			null,
			5,
			true,
			{},
			[],
			{ toString: 1 },
			'',
			'\u202eoguH',
			'x'.repeat(10_000),
			'__proto__',
		];
		finds(
			odd.map((name, index) => ({
				id: index + 1,
				customer_id: index + 1,
				name,
				phone_number: odd.at(-index),
			})),
		);
		for (const method of ['searchCustomers', 'searchProfiles']) {
			const { results } = await search(method, 'x');
			expect(results.length).toBeGreaterThan(0);
			for (const { name, value } of results) {
				expect(typeof name).toBe('string');
				expect(name.trim()).not.toBe('');
				expect(name).not.toContain('[object');
				expect(['string', 'number']).toContain(typeof value);
			}
		}
	});
});

describe.each(Object.keys(FORMS))('a list as of %s', (form) => {
	const records = Array.from({ length: 7 }, (_, index) => ({
		id: index + 1,
		...{ name: `Name ${index + 1}`, title: `Name ${index + 1}`, display_id: `49171123450${index}` },
	}));

	it.each(['searchUsers', 'searchAgents', 'searchCustomers', 'searchMedia', 'searchGroups', 'searchTags'])(
		'%s finds who is on its last page, or fails',
		async (method) => {
			tenant.answer(async (request, reply) => {
				if (/profiles|\/\d+$/.test(pathOf(request.url))) return await reply.code(404).send({ message: 'no' });
				const { body, headers = {} } = FORMS[form](asked(request, records));
				return await reply.headers(headers).type('application/json').send(JSON.stringify(body));
			});
			const result = await searchAll(method, 'name 7').then(
				(all) => all.map(({ value }) => value),
				(error: Error) => error.message,
			);
			if (typeof result === 'string') expect(result).not.toBe('The list has no end');
			else expect(result).toEqual([7]);
		},
	);
});

describe('what is typed', () => {
	const names = ['Müller', 'M\u0075\u0308ller', 'A.(B)', 'a+b', '50 %', "O'Neil", '[x]', 'ÉTÉ'];
	const records = names.map((name, index) => ({ id: index + 1, name, title: name }));

	it.each<[string, number]>([
		['müller', 1],
		[' MÜLLER ', 1],
		['a.(b', 3],
		['A+B', 4],
		['50 %', 5],
		["o'neil", 6],
		['[X]', 7],
		['été', 8],
	])('as %j finds its record', async (typed, id) => {
		tenant.answer(() => ({ data: records }));
		for (const method of ['searchUsers', 'searchTags', 'searchGroups', 'searchMedia'])
			expect(found(await search(method, typed))).toContain(id);
	});

	it('finds nobody, and says nothing else, where nobody matches', async () => {
		tenant.answer(({ url }) =>
			/\/\d+$/.test(pathOf(url)) ? { data: null } : { data: records, current_page: 1, last_page: 1 },
		);
		for (const method of ['searchUsers', 'searchTags', 'searchGroups', 'searchAgents'])
			expect(await search(method, 'nobody')).toMatchObject({ results: [] });
	});
});

describe('a multi-select', () => {
	const pages = (count: number) =>
		tenant.answer(({ url }) => {
			const page = Number(queryOf(url).get('page') ?? 1);
			const data = Array.from(
				{ length: Math.min(100, Math.max(0, count - (page - 1) * 100)) },
				(_, index) => {
					const id = (page - 1) * 100 + index + 1;
					return {
						id,
						customer_id: id,
						name: `N${id}`,
						title: `N${id}`,
						display_id: `49171${1_000_000 + id}`,
					};
				},
			);
			return { data, current_page: page, last_page: Math.ceil(count / 100), total: count, per_page: 100 };
		});

	it.each(['getCustomers', 'getUsers', 'getTags', 'getGroups'])(
		'%s says when it is cut, and only then',
		async (method) => {
			pages(1001);
			const cut = await options(method);
			expect(cut.filter(({ value }) => value === '')).toHaveLength(1);
			expect(cut.find(({ value }) => value === '')?.name).toMatch(/1,000/);
			expect(cut.length).toBeLessThan(1002);
			for (const count of [0, 1, 999, 1000]) {
				pages(count);
				expect((await options(method)).map(({ value }) => value)).toEqual(
					Array.from({ length: count }, (_, index) => index + 1),
				);
			}
		},
	);

	it.each(['getCustomers', 'getUsers', 'getTags', 'getGroups'])(
		'%s with the notice chosen sends nothing with it',
		async (method) => {
			pages(5000);
			const cut = await options(method);
			expect(cut.every(({ value, name }) => value !== '' || name.length > 0)).toBe(true);
			expect(tenant.asked.length).toBeLessThanOrEqual(11);
		},
	);
});

it('a list without an end says that there is more, and that more is to be typed', async () => {
	tenant.answer(({ url }) => {
		if (/\/\d+$/.test(pathOf(url))) return { data: null };
		const page = Number(queryOf(url).get('page') ?? 1);
		return { data: [{ id: page, name: `N${page}` }], current_page: page, last_page: 1e9 };
	});
	const { results } = await search('searchUsers', 'hugo');
	expect(results).toHaveLength(1);
	expect(results[0]).toMatchObject({
		value: '',
		name: expect.stringMatching(/only the first [\d,]+.*type more/i),
	});
	expect(tenant.asked.length).toBeLessThanOrEqual(101);
});

it.each(['searchCustomers', 'searchProfiles', 'searchUsers'])(
	'%s keeps the token out of its error',
	async (method) => {
		const { accessToken } = tenant.credentials;
		tenant.answer(
			async ({ headers }, reply) => await reply.code(403).send({ message: `No: ${headers.authorization}` }),
		);
		const error = await search(method, 'hugo').then(
			() => undefined,
			(reason: Error & { description?: string }) => reason,
		);
		expect(error).toBeDefined();
		expect(`${error?.message} ${error?.description} ${JSON.stringify(error)}`).not.toContain(accessToken);
	},
);
