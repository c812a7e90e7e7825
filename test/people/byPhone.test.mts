import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { customerByPhone, idsByPhone, profileByPhone } from '../../nodes/CustomerMessaging/fields/byPhone.ts';
import { operationsByResource } from '../../nodes/CustomerMessaging/operations/index.ts';
import { propertiesOf } from '../../nodes/CustomerMessaging/core/field.ts';
import { ANY_IDS, operationCases } from '../contract/operationCases.mts';
import { agentRun } from '../engine/agentTool.mts';
import { ScriptedTenant } from '../engine/scriptedTenant.mts';
import { WAY_ON } from '../engine/wayOn.mts';
import { TenantInMemory } from '../context/tenantInMemory.mts';

const DIGITS = '491700000001';
const PERSON = { id: 5, customer_id: 7, phone_number: DIGITS };
const SEARCH = `GET /profiles?search=${DIGITS}`;
const CUSTOMERS = 'GET /customers?channel=chatapp';

const NOBODY = `was not found: nobody has the phone number ${DIGITS}`;
const SEVERAL = `is ambiguous: several people have the phone number ${DIGITS}`;
const UNTOLD = `cannot be found by phone number: the service found somebody for ${DIGITS}, but does not say whose number or ID it is`;

describe('a person', () => {
	const tenant = TenantInMemory.inEachTest();

	/** A tenant whose search finds these profiles, and that has these customers. */
	const finds = (profiles: unknown[], customers: unknown[] = []) =>
		tenant.answer(({ request }) => ({
			body: { data: request.startsWith('GET /profiles') ? profiles : customers },
		}));

	it.each<unknown>([
		DIGITS,
		'+49 170 0000001',
		'0049 170 0000001',
		'+49 (0)170 0000001',
		'tel:+49-170-0000001',
		'+49\u00a0170\u00a00000001',
		491700000001,
	])('is who has exactly the digits, however the tenant writes them: %j', async (phone_number) => {
		finds([
			{ id: 1, customer_id: 1, phone_number: `${DIGITS}0` },
			{ id: 2, customer_id: 2, phone_number: `1${DIGITS}` },
			{ ...PERSON, phone_number },
			{ id: 3, customer_id: 3, phone_number: DIGITS.slice(0, -1) },
		]);
		const contexts = tenant.run();
		expect(await profileByPhone(contexts(0), DIGITS)).toBe(5);
		expect(await customerByPhone(contexts(1), DIGITS)).toBe(7);
		expect(tenant.requests).toEqual([SEARCH]);
	});

	it.each<[string, unknown[], string, remedy: string, ofCustomer?: string]>([
		['nobody', [], NOBODY, 'Customer: Create or Update'],
		['others only', [{ ...PERSON, phone_number: `${DIGITS}8` }], NOBODY, 'Check the number'],
		[
			'two people',
			[PERSON, { ...PERSON, id: 6, customer_id: 8 }],
			SEVERAL,
			'such as 5 or 6',
			'such as 7 or 8',
		],
		['somebody without a number', [{ id: 5, customer_id: 7 }], UNTOLD, 'Give the ID'],
		['somebody whose number is null', [{ ...PERSON, phone_number: null }], UNTOLD, 'Give the ID'],
		[
			'two people in two notations',
			[PERSON, { ...PERSON, id: 6, phone_number: `+49 0${DIGITS.slice(2)}` }],
			SEVERAL,
			'such as 5 or 6',
			'such as 7.',
		],
		[
			'two people of unknown customers',
			[PERSON, { ...PERSON, id: 6 }].map((one) => ({ ...one, customer_id: undefined })),
			SEVERAL,
			'such as 5 or 6',
			'Give the ID of the one you mean.',
		],
	])('is nobody where the search finds %s', async (_what, profiles, problem, remedy, ofCustomer = remedy) => {
		finds(profiles);
		const contexts = tenant.run();
		for (const [find, way] of [
			[profileByPhone, remedy],
			[customerByPhone, ofCustomer],
		] as const)
			await expect(find(contexts(), DIGITS)).rejects.toMatchObject({
				message: problem,
				hint: expect.stringContaining(way),
			});
	});

	/** Profiles on pages. */
	const paged = (pages: object[][]) =>
		tenant.answer(({ request }) => {
			const page = Number(/[?&]page=(\d+)/.exec(request)?.[1] ?? 1);
			return { body: { data: pages[page - 1], current_page: page, last_page: pages.length } };
		});

	it('is one where the same profile stands on two pages, and none where a second one stands on the last', async () => {
		const pages = [[PERSON], [PERSON, { id: 9, phone_number: '4930123456' }], [{ ...PERSON, id: 6 }]];
		paged(pages.slice(0, 2));
		expect(await profileByPhone(tenant.run()(), DIGITS)).toBe(5);
		paged(pages);
		await expect(profileByPhone(tenant.run()(), DIGITS)).rejects.toMatchObject({ message: SEVERAL });
	});

	describe('whose profile does not name the customer', () => {
		const profile = { id: 5, phone_number: DIGITS };

		it('is found in the list of customers of the chat app, which is read once', async () => {
			finds(
				[profile],
				[
					{ id: 6, display_id: `${DIGITS}0` },
					{ id: 8, channel: 'sms', display_id: DIGITS },
					{ id: 7, channel: 'chatapp', display_id: Number(DIGITS) },
				],
			);
			const contexts = tenant.run();
			for (const item of [0, 1]) expect(await customerByPhone(contexts(item), DIGITS)).toBe(7);
			expect(tenant.requests).toEqual([SEARCH, CUSTOMERS]);
		});

		it.each<[string, IDataObject[], string]>([
			['is not there', [{ id: 6, display_id: '4930123456' }], UNTOLD],
			['is there in another channel only', [{ id: 6, channel: 'sms', display_id: DIGITS }], UNTOLD],
			['has no number', [{ id: 7 }], UNTOLD],
			['has no readable ID', [{ id: 2 ** 53, display_id: DIGITS }], UNTOLD],
			['is there twice', [7, 8].map((id) => ({ id, display_id: DIGITS })), SEVERAL],
		])('is nobody where the customer %s', async (_what, customers, problem) => {
			finds([profile], customers);
			await expect(customerByPhone(tenant.run()(), DIGITS)).rejects.toMatchObject({ message: problem });
		});
	});

	describe.each([
		['Brazil', '551187654321', '5511987654321'],
		['Argentina', '541123456789', '5491123456789'],
		['Mexico', '525512345678', '5215512345678'],
	])('in %s, whose number has two writings', (_country, short, long) => {
		/** A tenant whose search is literal, with these customers. */
		const has = (profiles: IDataObject[], customers: IDataObject[] = []) =>
			tenant.answer(({ request }) => {
				const wanted = /search=(\d+)/.exec(request)?.[1];
				const found = profiles.filter(({ phone_number: number }) => number === wanted);
				return { body: { data: wanted === undefined ? customers : found } };
			});
		const searches = (...numbers: string[]) => numbers.map((number) => `GET /profiles?search=${number}`);

		it.each([
			[short, long],
			[long, short],
		])('is found under the other one: %s is asked for, %s is stored', async (given, phone_number) => {
			has([{ ...PERSON, phone_number }]);
			const contexts = tenant.run();
			expect(await profileByPhone(contexts(0), given)).toBe(5);
			expect(await customerByPhone(contexts(1), given)).toBe(7);
			expect(tenant.requests).toEqual(searches(given, phone_number));
		});

		it('is not clear where both are people', async () => {
			has([
				{ ...PERSON, phone_number: short },
				{ id: 6, customer_id: 8, phone_number: long },
			]);
			const contexts = tenant.run();
			for (const given of [short, long]) {
				const problem = `is ambiguous: several people have the phone number ${given}`;
				await expect(profileByPhone(contexts(), given)).rejects.toMatchObject({ message: problem });
				await expect(customerByPhone(contexts(), given)).rejects.toMatchObject({ message: problem });
			}
		});

		it('is found in the list of customers too, or not clear there', async () => {
			has([{ id: 5, phone_number: short }], [{ id: 7, display_id: short }]);
			expect(await customerByPhone(tenant.run()(), long)).toBe(7);
			has(
				[{ id: 5, phone_number: short }],
				[
					{ id: 7, display_id: short },
					{ id: 8, display_id: long },
				],
			);
			await expect(customerByPhone(tenant.run()(), long)).rejects.toMatchObject({
				message: `is ambiguous: several people have the phone number ${long}`,
			});
		});

		it('comes out of a write with the IDs of the number that was written', async () => {
			has([
				{ ...PERSON, phone_number: short },
				{ id: 6, customer_id: 8, phone_number: long },
			]);
			expect(await idsByPhone(tenant.run()().api, long)).toEqual({ customer_id: 8, profile_id: 6 });
			expect(tenant.requests).toEqual(searches(long));
		});
	});

	it('is looked for once, however many items name the number', async () => {
		finds([PERSON]);
		const contexts = tenant.run();
		const numbers = [DIGITS, '4930123456', DIGITS, DIGITS, '4930123456'];
		await Promise.allSettled(
			numbers.map(async (digits, item) => await profileByPhone(contexts(item), digits)),
		);
		expect(tenant.requests).toEqual([SEARCH, 'GET /profiles?search=4930123456']);
	});

	it('is looked for anew after a write that has made the person, and by the next run', async () => {
		finds([]);
		const contexts = tenant.run();
		await expect(profileByPhone(contexts(0), DIGITS)).rejects.toMatchObject({ message: NOBODY });
		finds([PERSON]);
		expect(await idsByPhone(contexts(0).api, DIGITS)).toEqual({ customer_id: 7, profile_id: 5 });
		expect(await profileByPhone(tenant.run()(), DIGITS)).toBe(5);
	});

	it('is not that of another tenant, also where its run comes between two of the first', async () => {
		finds([PERSON]);
		const contexts = tenant.run();
		expect(await profileByPhone(contexts(0), DIGITS)).toBe(5);
		finds([{ ...PERSON, id: 50 }]);
		expect(await profileByPhone(tenant.run({ user: 'of another tenant' })(), DIGITS)).toBe(50);
		expect(await profileByPhone(contexts(1), DIGITS)).toBe(5);
	});

	it.each<[string, unknown[], number | string | undefined, object]>([
		['the created customer’s own', [{ ...PERSON, customer_id: '7' }], 7, { customer_id: 7, profile_id: 5 }],
		['never that of another', [{ ...PERSON, customer_id: 6 }], 7, { customer_id: 7, profile_id: null }],
		['nobody’s', [], undefined, { customer_id: null, profile_id: null }],
	])('comes out with the ID of the profile that is %s', async (_what, profiles, customerId, expected) => {
		finds(profiles);
		expect(await idsByPhone(tenant.run()().api, DIGITS, customerId)).toEqual(expected);
	});
});

const byPhone = (value: unknown = '+49 170 0000001') =>
	({ __rl: true, mode: 'phone', value }) as INodeParameters;

const byId = (value: number) => ({ __rl: true, mode: 'id', value });

describe('by phone number in the node', () => {
	const tenant = ScriptedTenant.inEachTest();

	/** Answers the search with profiles, and what else is asked for with the record of its path. */
	function finds(profiles: unknown[], more: Parameters<ScriptedTenant['answer']>[0] = {}): void {
		tenant.answer({
			'GET /profiles': () => ({ data: profiles }),
			'GET /profiles/5': () => ({ data: { id: 5 } }),
			'GET /customers/7': () => ({ data: { id: 7 } }),
			...more,
		});
	}

	const get = (resource: 'customer' | 'profile', value?: unknown) => ({
		...{ resource, operation: 'get' },
		[`${resource}Id`]: byPhone(value),
	});

	it.each(['+49 170 0000001', '0049 (170) 000-0001', '={{ "+491700000001" }}'])(
		'%j as an ID is told to be a phone number',
		async (value) => {
			const given = { __rl: true, mode: 'id', value };
			const template = { agentId: byId(11), templateName: byId(1), templateLanguage: 'de' };
			const errors = [
				{ resource: 'profile', operation: 'get', profileId: given },
				{
					resource: 'message',
					operation: 'sendTemplate',
					recipient: 'customer',
					customerId: given,
					...template,
				},
			].map(async (parameters) => (await tenant.run(parameters)).error);
			expect(await Promise.all(errors)).toMatchObject(
				['Profile', 'Customer'].map((label) => ({
					message: `${label} is a phone number, not an ID`,
					description: `Choose "By Phone Number" in place of "By ID".${WAY_ON}`,
				})),
			);
			expect(tenant.requests).toEqual([]);
		},
	);

	it.each<[unknown, string]>([
		['={{ "0170 0000001" }}', 'Profile "0170 0000001" has no country code'],
		['={{ undefined }}', 'Profile is empty'],
		['={{ "Mira" }}', 'Profile "Mira" is not a phone number'],
	])('%s is refused by the name of the field, and nothing is asked', async (value, message) => {
		finds([PERSON]);
		const { error } = await tenant.run(get('profile', value));
		expect(error).toMatchObject({ message, context: { itemIndex: 0 } });
		expect(tenant.requests).toEqual([]);
	});

	it('nobody is looked for where another parameter of the item is unusable', async () => {
		const { error } = await tenant.run({
			...{ resource: 'profile', operation: 'getActivity', profileId: byPhone() },
			activityId: { __rl: true, mode: 'id', value: '={{ "x" }}' },
		});
		expect(error?.message).toBe('Activity "x" is not a whole number');
		expect(tenant.requests).toEqual([]);
	});

	const consent = {
		...{ resource: 'profile', operation: 'setConsent', optIn: '={{ $json.optIn }}' },
		profileId: byPhone('={{ $json.phone }}'),
		advanced: { maximumTries: 1, maximumInFlight: 10 },
	};
	const CONSENT = 'POST /profiles/5/marketing-opt-in';

	it('items for one person go in their order, in whatever writing, and each is linked to its item', async () => {
		finds([PERSON], { [CONSENT]: () => ({ data: { id: 5 } }) });
		const phones = [
			'+49 170 0000001',
			'0049 170 0000001',
			491700000001,
			'tel:+491700000001',
			'+49 (0)170 0000001',
		];
		const items = phones.map((phone, index) => ({ json: { phone, optIn: index % 2 === 0 } }));
		const { items: output } = await tenant.run(consent, { items });
		expect(tenant.bodies(CONSENT)).toEqual(items.map(({ json }) => ({ opt_in: json.optIn })));
		expect(tenant.requests.filter((request) => request === SEARCH)).toHaveLength(1);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	});

	describe('is looked up again', () => {
		/** A person who is there from the second search on. */
		const appears = () => {
			let searches = 0;
			finds([], { 'GET /profiles': () => ({ data: searches++ === 0 ? [] : [PERSON] }) });
		};

		it('by Retry On Fail', async () => {
			appears();
			const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
			const { items } = await tenant.run(get('profile'), { settings });
			expect(items).toMatchObject([{ json: { id: 5 } }]);
			expect(tenant.requests).toEqual([SEARCH, SEARCH, 'GET /profiles/5']);
		});

		it('by the next call of a tool: another tool may have created the person meanwhile', async () => {
			appears();
			const number = get('profile', "={{ $fromAI('number', 'The phone number') }}");
			const call = await tenant.tool(number, {}, agentRun());
			for (const wrong of ['', 'Mira', null, '0170 0000001', ['+49 170 0000001'], {}])
				await expect(call({ number: wrong } as IDataObject)).rejects.toThrow('Profile ');
			expect(tenant.requests).toEqual([]);
			await expect(call({ number: '+49 170 0000001' })).rejects.toThrow('Profile was not found');
			expect(await call({ number: 491700000001 })).toEqual([{ id: 5 }]);
		});
	});
});

const PERSONS = ['customerId', 'profileId'];

/** Every operation on a customer or a profile, with the person by ID and by phone number. */
const addressed = operationCases(ANY_IDS)
	.filter(({ parameters, waits }) => PERSONS.some((name) => name in parameters) && !waits)
	.map(({ resource, operation, parameters, items }, index) => {
		const persons = (value: object) =>
			Object.fromEntries(PERSONS.filter((name) => name in parameters).map((name) => [name, value]));
		return {
			name: `${resource}: ${operation} (${index})`,
			items,
			byId: (id: number): INodeParameters => ({ ...parameters, resource, operation, ...persons(byId(id)) }),
			byPhone: { ...parameters, resource, operation, ...persons(byPhone()) } as INodeParameters,
		};
	});

describe('every operation on a person', () => {
	const tenant = ScriptedTenant.inEachTest();

	it('is here', () => {
		const offering = Object.entries(operationsByResource).flatMap(([resource, operations]) =>
			Object.entries(operations)
				.filter(([, { fields }]) =>
					propertiesOf(fields).some(
						({ name: field, modes = [] }) =>
							PERSONS.includes(field) && modes.some(({ name }) => name === 'phone'),
					),
				)
				.map(([operation]) => `${resource}: ${operation}`),
		);
		const here = new Set(addressed.map(({ name }) => name.replace(/ \(\d+\)$/, '')));
		const waiting = operationCases(ANY_IDS).flatMap(({ resource, operation, waits }) =>
			waits ? [`${resource}: ${operation}`] : [],
		);
		expect(offering.filter((name) => !here.has(name) && !waiting.includes(name))).toEqual([]);
	});

	/** What a case sends, and whether it fails. Every request is answered: the search with profiles. */
	async function outcome(parameters: INodeParameters, profiles: unknown[], items?: INodeExecutionData[]) {
		const answers = (endpoint: string) => (arrived: { request: string }) => {
			if (arrived.request.startsWith('GET /profiles?search=')) return { data: profiles };
			return endpoint.startsWith('GET') ? { data: [] } : { data: { id: 5 } };
		};
		tenant.arrived.splice(0);
		tenant.answer(new Proxy({}, { get: (_target, endpoint) => answers(String(endpoint)) }));
		const { error } = await tenant.run(parameters, items ? { items } : {});
		return { sent: [...tenant.arrived], message: error?.message };
	}

	it.each(addressed)('$name sends one search, then what it sends with the ID', async (one) => {
		// The same number for both, since an operation may take either.
		const found = await outcome(one.byPhone, [{ ...PERSON, id: 7 }], one.items);
		const known = await outcome(one.byId(7), [], one.items);
		expect(known.sent.length).toBeGreaterThan(0);
		expect(found).toEqual({ ...known, sent: [{ request: SEARCH, body: undefined }, ...known.sent] });
	});
});
