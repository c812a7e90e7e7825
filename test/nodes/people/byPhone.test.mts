import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { operationsByResource } from '../../../nodes/CustomerMessaging/resources/operations.ts';
import { propertiesOf } from '../../../nodes/CustomerMessaging/runner/field.ts';
import { caseNames, runCase } from '../../contract/runCase.mts';
import { ANY_IDS, operationCases } from '../../contract/operationCases.mts';
import { TestTenant } from '../../engine/tenant.mts';
import { agentRun } from '../../engine/agentTool.mts';
import { ScriptedTenant } from '../guards/scriptedTenant.mts';

const DIGITS = '491700000001';
const SEARCH = `GET /profiles?search=${DIGITS}`;

const byPhone = (value: unknown = '+49 170 0000001') =>
	({ __rl: true, mode: 'phone', value }) as INodeParameters;
const PERSONS = ['customerId', 'profileId'];

/** The locators of people among the parameters of a case. */
const personsOf = (parameters: INodeParameters) =>
	Object.fromEntries(
		Object.keys(parameters)
			.filter((name) => PERSONS.includes(name))
			.map((name) => [name, byPhone()]),
	);

const cases = operationCases(ANY_IDS).map(({ parameters }, index): [string, INodeParameters] => [
	caseNames[index],
	personsOf(parameters),
]);
const addressed = cases.filter(([, persons]) => Object.keys(persons).length > 0);

describe('every operation on a customer or a profile', () => {
	const tenant = TestTenant.inEachTest();

	it('is here', () => {
		const offering = Object.entries(operationsByResource).flatMap(([resource, operations]) =>
			Object.entries(operations)
				.filter(([, { fields }]) =>
					propertiesOf(fields).some(({ modes = [] }) => modes.some(({ name }) => name === 'phone')),
				)
				.map(([operation]) => `${resource}: ${operation}`),
		);
		expect(addressed.map(([name]) => name.replace(/ \(\d+\)/, '')).sort()).toEqual(
			expect.arrayContaining(offering),
		);
		expect(offering).toHaveLength(23);
	});

	it.each(addressed)('%s sends one search, then what it sends with the ID', async (name, persons) => {
		// The links of two questions differ.
		const steady = (body: string) => body.replace(/(question|signature)=[\w-]+/g, '$1=…');
		const shown = (sent: Awaited<ReturnType<typeof runCase>>['requests']) =>
			sent.map(({ method, path, query, body }) => ({
				...{ method, path, query },
				body: body && (JSON.parse(steady(body)) as unknown),
			}));
		const byId = await runCase(tenant, name);
		const found = await runCase(tenant, name, {}, persons);
		expect(shown(found.requests)).toEqual([
			{ method: 'GET', path: '/third-party/v1/profiles', query: { search: DIGITS }, body: '' },
			...shown(byId.requests),
		]);
		expect(found.output.map(({ json }) => Object.keys(json))).toEqual(
			byId.output.map(({ json }) => Object.keys(json)),
		);
	});
});

const tenant = ScriptedTenant.inEachTest();

const get = (resource: 'customer' | 'profile', value?: unknown) => ({
	resource,
	operation: 'get',
	[`${resource}Id`]: byPhone(value),
});

/** A tenant whose search finds these profiles. */
function finds(profiles: unknown[], others: Record<string, () => unknown> = {}): void {
	tenant.answer({
		'GET /profiles': () => ({ data: profiles }),
		'GET /profiles/5': () => ({ data: { id: 5 } }),
		'GET /customers/7': () => ({ data: { id: 7 } }),
		...others,
	});
}

const person = { id: 5, customer_id: 7, phone_number: DIGITS };

describe('a phone number', () => {
	it.each<unknown>([
		'+49 170 0000001',
		'0049170/000-0001',
		' 49 (170) 000.0001 ',
		'tel:+49-170-0000001',
		'+49 (0)170 0000001',
		491700000001,
		'={{ "+49 170 0000001" }}',
		'={{ 491700000001 }}',
	])('in the writing %j finds the profile with exactly these digits', async (value) => {
		finds([
			{ id: 1, customer_id: 1, phone_number: `${DIGITS}8` },
			{ id: 2, customer_id: 2, phone_number: `1${DIGITS}` },
			{ id: 3, customer_id: 3, phone_number: '+49 170 000-0011' },
			{ ...person, phone_number: '+49 (0)170 0000001' },
		]);
		expect((await tenant.run(get('profile', value))).items).toMatchObject([{ json: { id: 5 } }]);
		expect((await tenant.run(get('customer', value))).items).toMatchObject([{ json: { id: 7 } }]);
		expect(tenant.requests).toEqual([SEARCH, 'GET /profiles/5', SEARCH, 'GET /customers/7']);
	});

	it.each<[unknown, string]>([
		['0170 0000001', 'Profile "0170 0000001" has no country code'],
		['={{ undefined }}', 'Profile is empty'],
		['={{ "" }}', 'Profile is empty'],
		['={{ {} }}', 'Profile is not a phone number'],
		['={{ "Mira" }}', 'Profile "Mira" is not a phone number'],
		['={{ 1e20 }}', 'Profile "100000000000000000000" is not a phone number'],
	])('that is %j is refused by the name of the field, and nothing is asked', async (value, message) => {
		finds([person]);
		const { error } = await tenant.run(get('profile', value));
		expect(error).toMatchObject({ message, context: { itemIndex: 0 } });
		expect(tenant.requests).toEqual([]);
	});

	it('is not asked for where another parameter of the item is unusable', async () => {
		finds([person]);
		const { error } = await tenant.run({
			resource: 'profile',
			operation: 'removeTag',
			profileId: byPhone(),
			tagId: { __rl: true, mode: 'id', value: '={{ "x" }}' },
		});
		expect(error?.message).toBe('Tag ID is not a whole number');
		expect(tenant.requests).toEqual([]);
	});
});

describe('nobody is taken for somebody else', () => {
	const NOBODY = `was not found: nobody has the phone number ${DIGITS}`;
	const SEVERAL = `is not clear: several have the phone number ${DIGITS}`;
	const UNTOLD = `cannot be told by phone number: the service found somebody for ${DIGITS}, but not whose number or ID it is`;

	it.each<[string, unknown[], string, remedy: string]>([
		['nobody', [], NOBODY, 'Customer: Create or Update'],
		['others only', [{ ...person, phone_number: `${DIGITS}8` }], NOBODY, 'Check the number'],
		['two people', [person, { ...person, id: 6, customer_id: 8 }], SEVERAL, 'such as 5 or 6'],
		['somebody without a number', [{ id: 5, customer_id: 7 }], UNTOLD, 'Give the ID'],
		['somebody whose number is null', [{ ...person, phone_number: null }], UNTOLD, 'Give the ID'],
		['somebody without an ID', [{ ...person, id: undefined }], UNTOLD, 'Give the ID'],
		['somebody whose ID has lost digits', [{ ...person, id: 2 ** 53 }], UNTOLD, 'Give the ID'],
		['something that is no record', ['Mira'], UNTOLD, 'Give the ID'],
	])('where the search finds %s', async (_what, profiles, problem, remedy) => {
		finds(profiles, { 'GET /customers': () => ({ data: [] }) });
		const items = [{ json: {} }, { json: {} }];
		for (const resource of ['profile', 'customer'] as const) {
			const label = resource === 'profile' ? 'Profile' : 'Customer';
			const { error } = await tenant.run(get(resource), { items });
			expect(error).toMatchObject({ message: `${label} ${problem}`, context: { itemIndex: 0 } });
			expect(error?.description).toContain(remedy);
		}
		expect(tenant.requests.filter((request) => /\/\d+$/.test(request))).toEqual([]);
	});

	it.each([
		['a step in a path', '../users/1'],
		['a word', 'mira'],
	])('where the ID of the found profile is %s', async (_what, id) => {
		finds([{ ...person, id, customer_id: id }]);
		expect((await tenant.run(get('profile'))).error?.message).toMatch(/^Profile /);
		expect((await tenant.run(get('customer'))).error?.message).toMatch(/^Customer /);
		expect(tenant.requests).toEqual([SEARCH, SEARCH]);
	});

	it('the same profile on two pages is one, and a second one on the last page is found', async () => {
		const pages = [[person], [person, { id: 9, phone_number: '4930123456' }], [{ ...person, id: 6 }]];
		const paged = (count: number) => ({
			'GET /profiles': ({ request }: { request: string }) => {
				const page = Number(/[?&]page=(\d+)/.exec(request)?.[1] ?? 1);
				return { data: pages[page - 1], current_page: page, last_page: count };
			},
			'GET /profiles/5': () => ({ data: { id: 5 } }),
		});
		tenant.answer(paged(2));
		expect((await tenant.run(get('profile'))).items).toMatchObject([{ json: { id: 5 } }]);
		tenant.answer(paged(3));
		expect((await tenant.run(get('profile'))).error?.message).toBe(`Profile ${SEVERAL}`);
	});

	it('a search that never ends stops after 100 pages, and says so', async () => {
		let id = 100;
		finds([], {
			'GET /profiles': () => ({
				data: [id === 100 ? { ...person, id: id++ } : { id: id++, phone_number: '4930123456' }],
				links: { next: `?page=${id}` },
			}),
		});
		const { error } = await tenant.run(get('profile'));
		expect(error?.message).toBe(
			`Profile cannot be told by phone number: for ${DIGITS} the service gives more than 100 pages of profiles`,
		);
		expect(tenant.requests).toHaveLength(100);
	});
});

describe('where profiles do not name their customers', () => {
	const profile = { id: 5, phone_number: DIGITS };
	const list = 'GET /customers?channel=chatapp';

	it('the customer is found in the list of customers, which is read once', async () => {
		finds([profile], {
			'GET /customers': () => ({
				data: [
					{ id: 6, display_id: `${DIGITS}0` },
					{ id: 7, display_id: Number(DIGITS) },
				],
			}),
		});
		const { items } = await tenant.run(get('customer'), { items: [{ json: {} }, { json: {} }] });
		expect(items).toMatchObject([{ json: { id: 7 } }, { json: { id: 7 } }]);
		expect(tenant.requests).toEqual([SEARCH, list, 'GET /customers/7', 'GET /customers/7']);
	});

	it.each<[string, IDataObject[], string]>([
		['is not there', [{ id: 6, display_id: '4930123456' }], 'cannot be told by phone number'],
		['has no number', [{ id: 7 }], 'cannot be told by phone number'],
		['has no readable ID', [{ id: 2 ** 53, display_id: DIGITS }], 'cannot be told by phone number'],
		[
			'is there twice',
			[
				{ id: 7, display_id: DIGITS },
				{ id: 8, display_id: DIGITS },
			],
			'is not clear',
		],
	])('nobody is, where the customer %s', async (_what, customers, problem) => {
		finds([profile], { 'GET /customers': () => ({ data: customers }) });
		expect((await tenant.run(get('customer'))).error?.message).toContain(`Customer ${problem}`);
		expect(tenant.requests).toEqual([SEARCH, list]);
	});
});

describe('many items', () => {
	const numberOf = (index: number) => String(491_700_000_001 + index);
	const path = (request: string) => request.split('?')[0];

	function findsAll(people = 100): void {
		tenant.answer({
			'GET /profiles': ({ request }) => {
				const digits = /search=(\d+)/.exec(request)?.[1];
				const index = Number(digits) - 491_700_000_001;
				return { data: index < people ? [{ id: 1000 + index, phone_number: digits }] : [] };
			},
			...Object.fromEntries(
				Array.from({ length: people }, (_, index) => [
					`POST /profiles/${1000 + index}/marketing-opt-in`,
					() => ({ data: { id: 1000 + index } }),
				]),
			),
		});
	}
	const consent = {
		resource: 'profile',
		operation: 'setConsent',
		profileId: byPhone('={{ $json.number }}'),
		optIn: '={{ $json.optIn }}',
		requestLimits: { maximumInFlight: 40 },
	};

	it('2,000 items with 100 numbers ask for each number once', async () => {
		findsAll();
		const items = Array.from(
			{ length: 2000 },
			(_, index): INodeExecutionData => ({ json: { number: numberOf(index % 100), optIn: true } }),
		);
		const run = await tenant.run(consent, { items });
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(2000);
		const searches = tenant.requests.filter((request) => path(request) === 'GET /profiles');
		expect(searches).toHaveLength(100);
		expect(new Set(searches).size).toBe(100);
	}, 60_000);

	it('for one person go in their order, in whatever writing, and each is linked to its item', async () => {
		findsAll(2);
		const writings = ['+49 170 0000001', '00491700000001', '491700000001', 'tel:+49-170-0000001'];
		const items = Array.from({ length: 40 }, (_, index) => ({
			json: { number: index % 5 === 4 ? numberOf(1) : writings[index % 4], optIn: index % 2 === 0 },
		}));
		const { items: output } = await tenant.run(consent, { items });
		const sent = tenant.arrived.filter(({ request }) => request.startsWith('POST /profiles/1000/'));
		expect(sent.map(({ body }) => (body as IDataObject).opt_in)).toEqual(
			items.filter((_, index) => index % 5 !== 4).map(({ json }) => json.optIn),
		);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	});

	it('with somebody who is not found: only those items fail, and each names its item', async () => {
		findsAll(1);
		const items = [0, 1, 0, 1].map((index) => ({ json: { number: numberOf(index), optIn: true } }));
		const run = await tenant.run(consent, { items, onError: 'continueRegularOutput' });
		const error = `Profile was not found: nobody has the phone number ${numberOf(1)}`;
		expect(run.items).toMatchObject([
			{ json: { id: 1000 }, pairedItem: { item: 0 } },
			{ json: { error }, pairedItem: { item: 1 } },
			{ json: { id: 1000 }, pairedItem: { item: 2 } },
			{ json: { error }, pairedItem: { item: 3 } },
		]);
		expect(
			tenant.requests.filter((request) => request === `GET /profiles?search=${numberOf(1)}`),
		).toHaveLength(1);
	});
});

describe('what is kept', () => {
	const appears = () => {
		let searches = 0;
		finds([], { 'GET /profiles': () => ({ data: searches++ === 0 ? [] : [person] }) });
	};

	it('ends with the attempt: Retry On Fail looks again', async () => {
		appears();
		const { items, error } = await tenant.run(get('profile'), {
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { id: 5 } }]);
		expect(tenant.requests).toEqual([SEARCH, SEARCH, 'GET /profiles/5']);
	});

	it('ends with the call of a tool: another tool may have created the person meanwhile', async () => {
		appears();
		const run = agentRun();
		const call = await tenant.tool(get('profile', "={{ $fromAI('number', 'The phone number') }}"), {}, run);
		await expect(call({ number: '+49 170 0000001' })).rejects.toThrow('Profile was not found');
		expect(await call({ number: '+49 170 0000001' })).toEqual([{ id: 5 }]);
	});

	it('is no failure: the next item asks again', async () => {
		let searches = 0;
		finds([person], {
			'GET /profiles': () => (searches++ === 0 ? 'nonsense' : { data: [person] }),
		});
		const { items } = await tenant.run(get('profile'), {
			items: [{ json: {} }, { json: {} }],
			onError: 'continueRegularOutput',
		});
		expect(items).toMatchObject([{ json: { error: expect.any(String) } }, { json: { id: 5 } }]);
	});
});
