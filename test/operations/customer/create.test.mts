import { ScriptedTenant } from '../../engine/scriptedTenant.mts';
import { TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();
const scripted = ScriptedTenant.inEachTest();
const create = {
	resource: 'customer',
	operation: 'create',
	displayId: '={{ $json.phone }}',
	name: '={{ $json.name }}',
};

describe('customer: create', () => {
	it('sends exactly channel, digits and name, and gives the customer back', async () => {
		const { items, error } = await tenant.run(create, {
			items: [{ json: { phone: '+49 171 1234567', name: 'Nathan Smith' } }],
		});

		expect(error).toBeUndefined();
		const [request, ...more] = tenant.sent();
		expect(more).toEqual([]);
		expect(request).toMatchObject({
			method: 'POST',
			path: '/third-party/v1/customers',
			query: {},
			body: '{"channel":"chatapp","display_id":"491711234567","name":"Nathan Smith"}',
		});
		expect(request.headers).toMatchObject({
			authorization: `Bearer ${tenant.sandbox.token}`,
			'content-type': 'application/json',
			accept: 'application/json',
		});
		expect(items).toEqual([
			{
				json: expect.objectContaining({
					id: expect.any(Number),
					display_id: '491711234567',
					name: 'Nathan Smith',
				}),
				pairedItem: { item: 0 },
			},
		]);
		const profiles = await tenant.ask<{ data: unknown[] }>('/profiles?search=491711234567');
		expect(profiles.data).toHaveLength(1);
	});

	it("says in the service's words that a number exists", async () => {
		const items = [{ json: { phone: '491711234567', name: 'A' } }];
		await tenant.run(create, { items });
		const { error } = await tenant.run(create, { items });

		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '422', context: { itemIndex: 0 } });
		expect(error?.message).toMatch(/display_id|already/i);
		expect(error?.description).toContain('Correct the values named here');
	});

	it('looks nobody up unless it is asked to', async () => {
		await tenant.run(create, { items: [{ json: { phone: '491711234567', name: 'A' } }] });
		expect(tenant.sent()).toHaveLength(1);
	});
});

describe('Return IDs of Create, and of Create or Update', () => {
	const DIGITS = '491711234567';
	const SEARCH = `GET /profiles?search=${DIGITS}`;
	const LIST = 'GET /customers?channel=chatapp';

	const write = (operation: string) => ({
		resource: 'customer',
		operation,
		displayId: '+49 171 1234567',
		name: 'Jo Doe',
		options: { returnIds: true },
	});

	const CREATED = { id: 7, display_id: DIGITS };
	const COUNTS = { created_count: 1, updated_count: 0, skipped_count: 0 };
	const NULLS = { customer_id: null, profile_id: null };

	function answers(profiles: () => unknown, created: unknown = CREATED, customers: unknown[] = []): void {
		scripted.answer({
			'POST /customers': () => created,
			'POST /customers/bulk-import': () => ({ data: COUNTS }),
			'GET /profiles': profiles,
			'GET /customers': () => ({ data: customers }),
		});
	}

	/** The hints that n8n shows above the output of the run. */
	const hintsOf = ({ run }: Awaited<ReturnType<typeof scripted.run>>) =>
		(run.data.resultData.runData.Node?.[0].hints ?? []).map(({ message }) => message);

	it('the profile names both', async () => {
		answers(() => ({ data: [{ id: 5, customer_id: 7, phone_number: DIGITS }] }));
		for (const [operation, told] of [
			['create', CREATED],
			['upsert', { display_id: DIGITS, ...COUNTS }],
		] as const) {
			scripted.arrived.splice(0);
			const run = await scripted.run(write(operation));
			expect(run.items).toEqual([
				{ json: { ...told, customer_id: 7, profile_id: 5 }, pairedItem: { item: 0 } },
			]);
			expect(hintsOf(run)).toEqual([]);
			expect(scripted.requests.slice(1)).toEqual([SEARCH]);
		}
	});

	it('the created customer names itself, where profiles do not name their customers', async () => {
		answers(() => ({ data: [{ id: 5, phone_number: DIGITS }] }));
		expect((await scripted.run(write('create'))).items).toMatchObject([
			{ json: { customer_id: 7, profile_id: 5 } },
		]);
		expect(scripted.requests).toEqual(['POST /customers', SEARCH]);
	});

	it('the profile of the created customer is taken, not that of another one with the same number', async () => {
		answers(() => ({
			data: [
				{ id: 4, customer_id: 6, phone_number: DIGITS },
				{ id: 5, customer_id: 7, phone_number: DIGITS },
			],
		}));
		expect((await scripted.run(write('create'))).items).toMatchObject([
			{ json: { customer_id: 7, profile_id: 5 } },
		]);
	});

	it('the customer of an update is found in the list, where profiles do not name their customers', async () => {
		answers(() => ({ data: [{ id: 5, phone_number: DIGITS }] }), CREATED, [{ id: 7, display_id: DIGITS }]);
		expect((await scripted.run(write('upsert'))).items).toMatchObject([
			{ json: { customer_id: 7, profile_id: 5 } },
		]);
		expect(scripted.requests.slice(1)).toEqual([SEARCH, LIST]);
	});

	it.each<[string, () => unknown]>([
		['finds nobody yet', () => ({ data: [] })],
		['finds several', () => ({ data: [4, 5].map((id) => ({ id, phone_number: DIGITS })) })],
		['finds somebody without a number', () => ({ data: [{ id: 5 }] })],
		['answers with something else', () => 'nonsense'],
	])(
		'a write is done although the tenant %s: the IDs are null, and a hint tells',
		async (_what, profiles) => {
			answers(profiles, {});
			for (const operation of ['create', 'upsert']) {
				const run = await scripted.run(write(operation));
				expect(run.error).toBeUndefined();
				expect(run.items).toMatchObject([{ json: NULLS, pairedItem: { item: 0 } }]);
				expect(hintsOf(run)).toContain('1 of 1 items were carried out, but not all IDs could be looked up.');
			}
			expect(scripted.requests.filter((request) => request.startsWith('POST'))).toHaveLength(2);
		},
	);

	it('somebody who was not there yet is looked for anew by the next item', async () => {
		let searches = 0;
		answers(() => ({ data: searches++ === 0 ? [] : [{ id: 5, customer_id: 7, phone_number: DIGITS }] }));
		const { items } = await scripted.run(write('upsert'), { items: [{ json: {} }, { json: {} }] });
		expect(items).toMatchObject([{ json: NULLS }, { json: { customer_id: 7, profile_id: 5 } }]);
	});

	it('a write that fails looks nobody up', async () => {
		scripted.answer({});
		expect((await scripted.run(write('create'))).error).toBeDefined();
		expect(scripted.requests).toEqual(['POST /customers']);
	});
});
