import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { ANY_IDS, operationCases } from '../contract/operationCases.mts';
import { agentTool } from '../engine/agentTool.mts';
import { type NodeRun, type NodeRunOptions, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { asked, FORMS } from './forms.mts';

const tenant = OddTenant.inEachTest();

const DIGITS = '491700000001';
const PERSON = { id: 5, customer_id: 7, phone_number: DIGITS };

const byPhone = (value: unknown) => ({ __rl: true, mode: 'phone', value }) as INodeParameters;

const get = (value: unknown = '+49 170 0000001', resource = 'profile') => ({
	resource,
	operation: 'get',
	[`${resource}Id`]: byPhone(value),
});

const run = async (parameters: INodeParameters, options: Partial<NodeRunOptions> = {}): Promise<NodeRun> =>
	await runNode({
		credentials: tenant.credentials,
		...options,
		parameters: { requestLimits: { maximumTries: 1 }, ...parameters },
	});

/** Answers the search with profiles and the list of customers, and every other request with a record of its path. */
function finds(profiles: unknown[], customers: unknown[] = []): void {
	tenant.answer(({ url }) => {
		const path = url.slice('/third-party/v1/'.length).split('?')[0];
		if (path === 'profiles') return { data: profiles };
		if (path === 'customers') return { data: customers };
		if (path.endsWith('tags')) return { data: [] };
		return { data: { id: Number(path.split('/')[1]) } };
	});
}

const requests = () => tenant.asked.map((request) => request.replace('/third-party/v1', ''));
const SEARCH = `GET /profiles?search=${DIGITS}`;

const pageOf = (url: string) => Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);

describe('a number as people write it', () => {
	it.each<unknown>([
		'+49 170 0000001',
		'+49\u00a0170\u202f0000001',
		'+49\u2013170\u20140000001',
		'+49 170 000\u22120001',
		'00 49 170 0000001',
		'(0049) 170 / 000 00 01',
		'[+49] 170 0000001',
		'+49 [0] 170 0000001',
		'+ 49 170 0000001',
		'\t+49 170 0000001\r\n',
		'\ufeff+491700000001',
		'\u200b+49170\u200b0000001',
		'\u202a+491700000001\u202c',
		'\u2066+491700000001\u2069',
		'TEL:+49-170-0000001',
		'\uff0b\uff14\uff19 \uff11\uff17\uff10 0000001',
		'\u0664\u0669\u0661\u0667\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0661',
		'\u06f4\u06f9\u06f1\u06f7\u06f0\u06f0\u06f0\u06f0\u06f0\u06f0\u06f0\u06f1',
		491700000001,
		'={{ 4.91700000001e11 }}',
		'={{ " +49 170 0000001 " }}',
	])('%j finds the person, or is refused before anything is asked', async (value) => {
		finds([PERSON]);
		const { items, error } = await run(get(value));
		if (error) {
			expect(error.message).toMatch(/^Profile .*phone number/);
			return expect(requests()).toEqual([]);
		}
		expect(items).toMatchObject([{ json: { id: 5 } }]);
		expect(requests()).toEqual([SEARCH, 'GET /profiles/5']);
	});

	it.each<unknown>([
		'+49 170 0000001',
		'0049 170 0000001',
		'49 170 0000001',
		'+49-170-000.00.01',
		'+49/170/0000001',
		'+49 (170) 0000001',
		'+49 (0) 170 0000001',
		'tel:+491700000001',
		'tel:00491700000001',
	])('%j, which the documents name, finds the person', async (value) => {
		finds([PERSON]);
		expect((await run(get(value))).items).toMatchObject([{ json: { id: 5 } }]);
	});

	it.each<unknown>([
		'4.917E+11',
		'4,91700000001E+11',
		'={{ true }}',
		'={{ ["+491700000001", "+491700000002"] }}',
		'={{ { number: "+491700000001" } }}',
		'={{ new Date(0) }}',
		'={{ NaN }}',
		'={{ Infinity }}',
		'={{ -491700000001 }}',
		'={{ 491700000001.5 }}',
		'+49 170 0000001, +49 170 0000002',
		'+49 170 0000001 / +49 170 0000002',
		'+49 170 0000001\n+49 170 0000002',
		'0170 0000001',
		'+00 49 170',
		'(0)170 0000001',
		'+49 170 0000001 ext. 12',
		'+49 170 ooooo01',
		'?search=49',
		'491700000001&per_page=1',
		'   ',
		'+',
	])('%j is refused, with the name of the field, and nothing is asked', async (value) => {
		finds([PERSON]);
		// As n8n does not check the pattern of an expression.
		const typed = String(value).startsWith('=') ? value : `={{ ${JSON.stringify(value)} }}`;
		const { items, error } = await run(get(typed));
		expect(items).toEqual([]);
		expect(error).toMatchObject({ context: { itemIndex: 0 }, message: expect.stringMatching(/^Profile /) });
		expect(requests()).toEqual([]);
	});
});

describe('a number as the tenant writes it', () => {
	it.each<unknown>([
		'+49 170 0000001',
		'0049 170 0000001',
		'+49 (0)170 0000001',
		'tel:+49-170-0000001',
		'+49\u00a0170\u00a00000001',
		491700000001,
	])('%j is the same number', async (phone_number) => {
		finds([
			{ id: 1, customer_id: 1, phone_number: '4917000000010' },
			{ ...PERSON, phone_number },
			{ id: 2, customer_id: 2, phone_number: '49170000000' },
		]);
		expect((await run(get())).items).toMatchObject([{ json: { id: 5 } }]);
		expect((await run(get(undefined, 'customer'))).items).toMatchObject([{ json: { id: 7 } }]);
	});

	it.each<unknown>([
		[DIGITS],
		{ value: DIGITS },
		{ toString: DIGITS },
		true,
		'',
		'unknown',
		[],
		'491700000001 and 491700000002',
		'x491700000001',
		'0x727C2D1F01',
		'4.91700000001e11',
	])('%j is nobody that a write could go to', async (phone_number) => {
		finds([{ ...PERSON, phone_number }]);
		const { error } = await run({
			...{ resource: 'profile', operation: 'setConsent', optIn: true },
			profileId: byPhone('+49 170 0000001'),
		});
		expect(error?.message).toMatch(/^Profile /);
		expect(requests()).toEqual([SEARCH]);
	});

	it.each<unknown>([
		'../users/1',
		'5/../6',
		'5?x=1',
		'5#',
		'%2e%2e',
		1.5,
		-5,
		true,
		[5],
		{ id: 5 },
		'5\n6',
		'0x5',
		1e21,
		'',
		null,
	])('an ID that is %j goes into no path', async (id) => {
		finds([{ ...PERSON, id, customer_id: id }]);
		for (const resource of ['profile', 'customer']) {
			const { error } = await run(get(undefined, resource));
			expect(error).toBeDefined();
		}
		const asked = requests().filter((request) => !request.startsWith('GET /customers?'));
		expect(asked).toEqual([SEARCH, SEARCH]);
	});

	it.each(['5', '900719925474099312345'])('an ID that is the text %j stays as it is', async (id) => {
		finds([{ ...PERSON, id }]);
		const { error } = await run(get());
		if (!error) expect(requests()).toEqual([SEARCH, `GET /profiles/${id}`]);
		else expect(requests()).toEqual([SEARCH]);
	});

	it('a customer of another channel is not the one of the chat app', async () => {
		const profiles = [{ id: 5, phone_number: DIGITS }];
		const sms = { id: 6, channel: 'sms', display_id: DIGITS };
		const chat = { id: 7, channel: 'chatapp', display_id: DIGITS };
		finds(profiles, [sms]);
		expect((await run(get(undefined, 'customer'))).error?.message).toMatch(/^Customer /);
		expect(requests().some((request) => request.includes('/customers/'))).toBe(false);
		finds(profiles, [sms, chat]);
		expect((await run(get(undefined, 'customer'))).items).toMatchObject([{ json: { id: 7 } }]);
	});

	it('a record with members of JavaScript changes nothing', async () => {
		const record = `{"id":5,"customer_id":7,"phone_number":"${DIGITS}","__proto__":{"id":6,"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
		tenant.answer(
			async ({ url }, reply) =>
				await reply
					.type('application/json')
					.send(url.includes('?') ? `{"data":[${record}],"__proto__":{"data":[]}}` : '{"data":{"id":5}}'),
		);
		expect((await run(get())).items).toMatchObject([{ json: { id: 5 } }]);
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
	});
});

/** Forms without a list under `data`, which the interface rules out. */
const OTHER_PLACES = ['DRF results', 'Spring content', 'OData value', 'HAL embedded', 'data within data'];

describe.each(Object.keys(FORMS))('a search that is answered as of %s', (name) => {
	const people = Array.from({ length: 7 }, (_, index) => ({
		id: index + 1,
		customer_id: index + 101,
		name: `N${index}`,
		phone_number: index === 6 ? DIGITS : `49170000001${index}`,
	}));
	const answer = (records: typeof people) =>
		tenant.answer(async (request, reply) => {
			if (/\/profiles\/\d/.test(request.url)) return { data: { id: Number(request.url.split('/').at(-1)) } };
			const { body, headers = {} } = FORMS[name](asked(request, records));
			return await reply.headers(headers).type('application/json').send(JSON.stringify(body));
		});

	it('finds the person on the last page, or fails, and never says that there is nobody', async () => {
		answer(people);
		const { items, error } = await run(get());
		if (!error) return expect(items).toMatchObject([{ json: { id: 7 } }]);
		expect(error.message).not.toContain('nobody has');
		expect(requests().some((request) => request.includes('/profiles/'))).toBe(false);
	});

	it('takes nobody where a second person has the number', async () => {
		answer(people.map((person, index) => (index === 0 ? { ...person, phone_number: DIGITS } : person)));
		const { error } = await run(get());
		expect(error).toBeDefined();
		if (!OTHER_PLACES.includes(name)) expect(error?.message).toMatch(/Profile is not clear|goes on|list/);
		expect(requests().some((request) => request.includes('/profiles/'))).toBe(false);
	});
});

const PERSONS = ['customerId', 'profileId'];
const addressed = operationCases(ANY_IDS)
	.filter(({ parameters, waits }) => PERSONS.some((name) => name in parameters) && !waits)
	// It fails no item: what speaks against sending is in its output.
	.filter(({ operation }) => operation !== 'previewTemplate')
	.map(
		({ resource, operation, parameters, items }, index): [string, INodeParameters, INodeExecutionData[]?] => [
			`${index} ${resource}: ${operation}`,
			{
				...{ ...parameters, resource, operation },
				...Object.fromEntries(
					PERSONS.filter((name) => name in parameters).map((name) => [name, byPhone('+49 170 0000001')]),
				),
			},
			items,
		],
	);

describe.each<[string, () => unknown, number?]>([
	['nobody', () => ({ data: [] })],
	['two people', () => ({ data: [PERSON, { id: 6, customer_id: 8, phone_number: DIGITS }] })],
	['somebody without a number', () => ({ data: [{ id: 5, customer_id: 7 }] })],
	['a refusal', () => ({ message: 'no' }), 403],
	['a failure', () => ({ message: 'no' }), 500],
	['no list', () => ({ data: { id: 5, phone_number: DIGITS } })],
	['a success that tells of a failure', () => ({ success: false, message: 'no' })],
])('where the search gives %s', (_what, body, status = 200) => {
	it.each(addressed)('%s sends no write', async (_name, parameters, items) => {
		tenant.answer(async ({ method, url }, reply) =>
			method === 'GET' && url.includes('search=') ? await reply.code(status).send(body()) : { data: [] },
		);
		for (const onError of [undefined, 'continueRegularOutput'] as const) {
			const { error, items: output } = await run(parameters, { onError, ...(items && { items }) });
			if (onError) expect(output.map(({ json }) => json.error)).toEqual([expect.any(String)]);
			else expect(error?.message).toEqual(expect.any(String));
		}
		expect(requests().filter((request) => !request.startsWith('GET '))).toEqual([]);
		expect(requests().some((request) => request.includes('search='))).toBe(true);
	});
});

describe('items', () => {
	const consent = {
		resource: 'profile',
		operation: 'setConsent',
		profileId: byPhone('={{ $json.phone }}'),
		optIn: true,
	};
	const items = (...phones: unknown[]) => phones.map((phone) => ({ json: { phone } as IDataObject }));

	it('with one number in five writings share one search, and each is linked to its own', async () => {
		finds([PERSON]);
		const phones = [
			'+49 170 0000001',
			'0049 170 0000001',
			491700000001,
			'tel:+491700000001',
			'+49 (0)170 0000001',
		];
		const { items: output } = await run(consent, { items: items(...phones) });
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(phones.map((_, item) => ({ item })));
		expect(requests().filter((request) => request === SEARCH)).toHaveLength(1);
		expect(requests().filter((request) => request.startsWith('POST'))).toHaveLength(5);
	});

	it('whose numbers are unusable fail alone, each with its own reason', async () => {
		finds([PERSON]);
		const { items: output } = await run(consent, {
			items: items('0170 1', '+49 170 0000001', undefined, 'Mira', '+49 170 0000009'),
			onError: 'continueRegularOutput',
		});
		expect(output.map(({ json, pairedItem }) => [json.error ?? json.id, pairedItem])).toEqual([
			[expect.stringContaining('Profile'), { item: 0 }],
			[5, { item: 1 }],
			[expect.stringContaining('Profile'), { item: 2 }],
			[expect.stringContaining('Profile'), { item: 3 }],
			[expect.stringContaining('Profile was not found'), { item: 4 }],
		]);
		expect(requests().filter((request) => request.startsWith('POST'))).toHaveLength(1);
		const reasons = output.filter((_, index) => index !== 1).map(({ json }) => json.details);
		for (const reason of reasons) expect(reason).toEqual({ description: expect.any(String) });
	});

	it('that stop the run name the item', async () => {
		finds([PERSON]);
		const { error } = await run(consent, { items: items('+49 170 0000001', '+49 170 0000009') });
		expect(error).toMatchObject({
			message: 'Profile was not found: nobody has the phone number 491700000009',
			context: { itemIndex: 1 },
			description: expect.stringContaining('ID'),
		});
	});
});

it.each([401, 422, 500])(
	'keeps the token out of the error of a search that is refused with %i',
	async (status) => {
		const { accessToken } = tenant.credentials;
		tenant.answer(
			async ({ headers }, reply) =>
				await reply.code(status).send({
					message: `Bad ${headers.authorization}`,
					errors: { search: [`Bearer ${String(accessToken)}`] },
				}),
		);
		for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
			const { error, items, errorItems } = await run(get(), { onError });
			const told = JSON.stringify([error, error?.message, error?.description, items, errorItems]);
			expect(told).not.toContain(accessToken);
		}
	},
);

describe('a tool of an agent', () => {
	const tool = async (locator: string) =>
		await agentTool({
			credentials: tenant.credentials,
			parameters: {
				resource: 'profile',
				operation: 'addTags',
				profileId: byPhone(locator),
				tagIds: [1],
				requestLimits: { maximumTries: 1 },
			},
		});

	it.each<unknown>(['+49 170 0000001', 491700000001, '00491700000001'])('finds %j', async (number) => {
		finds([PERSON]);
		const call = await tool("={{ $fromAI('number', 'Phone number') }}");
		await call({ number } as IDataObject);
		expect(requests()[0]).toBe(SEARCH);
		expect(requests().at(-1)).toBe('POST /profiles/5/tags');
	});

	it.each<unknown>(['', 'Mira', null, '0170 0000001', ['+49 170 0000001', '+49 170 0000002'], {}])(
		'with %j as number writes nothing',
		async (number) => {
			finds([PERSON]);
			const call = await tool("={{ $fromAI('number', 'Phone number') }}");
			await expect(call({ number } as IDataObject)).rejects.toThrow();
			expect(requests()).toEqual([]);
		},
	);
});

describe('Return IDs', () => {
	const write = (operation: string) => ({
		...{ resource: 'customer', operation },
		...{ displayId: '={{ $json.phone ?? "+49 170 0000001" }}', name: 'Jo', options: { returnIds: true } },
	});
	const COUNTS = { created_count: 1, updated_count: 0, skipped_count: 0 };

	function answer(created: object, profiles: (url: string) => unknown[], customers: unknown[] = []): void {
		tenant.answer(({ method, url }) => {
			if (method === 'POST') return url.endsWith('import') ? { data: COUNTS } : created;
			return { data: url.includes('/profiles') ? profiles(url) : customers };
		});
	}

	it('is never the profile of another customer', async () => {
		answer({ id: 7 }, () => [{ id: 4, customer_id: 6, phone_number: DIGITS }]);
		expect((await run(write('create'))).items).toMatchObject([{ json: { id: 7, profile_id: null } }]);
	});

	it('takes text for the same ID as a number', async () => {
		answer({ id: 7 }, () => [{ id: '5', customer_id: '7', phone_number: DIGITS }]);
		const { items } = await run(write('create'));
		expect([items[0].json.customer_id, items[0].json.profile_id].map(String)).toEqual(['7', '5']);
	});

	it('gives each item its own, also for one number twice', async () => {
		answer({}, (url) => {
			const digits = /search=(\d+)/.exec(url)?.[1] ?? '';
			const last = Number(digits.slice(-1));
			return [{ id: 50 + last, customer_id: 70 + last, phone_number: `+${digits}` }];
		});
		const phones = ['+49 170 0000001', '+49 170 0000002', '0049 170 0000001'];
		const { items } = await run(write('upsert'), { items: phones.map((phone) => ({ json: { phone } })) });
		expect(items.map(({ json }) => [json.customer_id, json.profile_id])).toEqual([
			[71, 51],
			[72, 52],
			[71, 51],
		]);
	});

	it('looks up after the write, and not without the option', async () => {
		answer({ id: 7 }, () => [PERSON]);
		for (const operation of ['create', 'upsert']) {
			tenant.asked.splice(0);
			await run(write(operation));
			expect(requests().map((request) => request.split(' ')[0])).toEqual(['POST', 'GET']);
			tenant.asked.splice(0);
			await run({ ...write(operation), options: {} });
			expect(requests().map((request) => request.split(' ')[0])).toEqual(['POST']);
		}
	});

	it('is not asked for where the search fails for good: the write is done once, and the item is no failure', async () => {
		tenant.answer(async ({ method, url }, reply) => {
			if (method === 'POST') return url.endsWith('import') ? { data: COUNTS } : { id: 7 };
			return await reply.code(403).send({ message: 'no' });
		});
		for (const operation of ['create', 'upsert']) {
			tenant.asked.splice(0);
			const { items, error } = await run(write(operation), { settings: { retryOnFail: true, maxTries: 2 } });
			expect(error).toBeUndefined();
			expect(items).toMatchObject([{ json: { profile_id: null } }]);
			expect(requests().filter((request) => request.startsWith('POST'))).toHaveLength(1);
		}
	});
});

describe('Search of Get Many', () => {
	const search = async (value: unknown, resource = 'profile') => {
		finds([]);
		const { error } = await run({
			resource,
			operation: 'getAll',
			filters: { search: value } as INodeParameters,
		});
		const sent = requests().map((request) =>
			new URL(request.slice(4), 'http://x').searchParams.get('search'),
		);
		return { error, sent };
	};

	it.each<unknown>([
		'+49 170 0000001',
		'0049 170 0000001',
		'tel:+49 170 0000001',
		'49 170 0000001',
		'+49 (0)170 0000001',
		'(+49) 170-000.0001',
		'+49\u00a0170\u20110000001',
		'={{ 491700000001 }}',
		'={{ "+49 170 0000001" }}',
	])('finds by digits for %j', async (value) => {
		expect(await search(value)).toEqual({ error: undefined, sent: [DIGITS] });
	});

	it.each<unknown>([
		'={{ undefined }}',
		'={{ $json.phone }}',
		'={{ $json.contact?.phone }}',
		'={{ null }}',
		'={{ {} }}',
		'={{ [] }}',
		'={{ NaN }}',
	])('that is %j is an error, and nobody is asked for', async (value) => {
		const { error, sent } = await search(value);
		expect(error?.message).toMatch(/Search/);
		expect(sent).toEqual([]);
	});

	it.each(['={{ undefined }}', '={{ $json.phone }}'])(
		'that is %j does not give everyone with Continue',
		async (value) => {
			finds([PERSON]);
			const { items } = await run(
				{
					resource: 'profile',
					operation: 'getAll',
					returnAll: true,
					filters: { search: value } as INodeParameters,
				},
				{ onError: 'continueRegularOutput', items: [{ json: { phone: undefined } }] },
			);
			expect(items).toMatchObject([{ json: { error: expect.stringContaining('Search') } }]);
			expect(requests()).toEqual([]);
		},
	);
});

it('asks for 40 pages of a search at most once each', async () => {
	tenant.answer(({ url }) => {
		if (url.includes('/profiles/')) return { data: { id: 5 } };
		const page = pageOf(url);
		return {
			data: [page === 40 ? PERSON : { id: 100 + page, phone_number: `49170000001${page}` }],
			current_page: page,
			last_page: 40,
		};
	});
	const { items } = await run(get('={{ $json.phone }}'), {
		items: Array.from({ length: 3 }, () => ({ json: { phone: '+49 170 0000001' } })),
	});
	expect(items).toHaveLength(3);
	const searches = requests().filter((request) => request.includes('search='));
	expect(searches).toHaveLength(40);
	expect(new Set(searches).size).toBe(40);
});
