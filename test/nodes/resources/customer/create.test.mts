import { TestTenant } from '../../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();
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

	it('leaves nine of ten items intact and linked when one is bad and On Error is Continue', async () => {
		const items = Array.from({ length: 10 }, (_, index) => ({
			json: { phone: index === 4 ? '0171 1234567' : `+49 171 123456${index}`, name: `Customer ${index}` },
		}));
		const run = await tenant.run(create, { items, onError: 'continueRegularOutput' });

		expect(run.error).toBeUndefined();
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(run.items.map(({ json }) => json.display_id ?? json.error)).toEqual(
			items.map(({ json }, index) =>
				index === 4 ? 'Phone Number "0171 1234567" has no country code' : json.phone.replace(/\D/g, ''),
			),
		);
		expect(tenant.sent()).toHaveLength(9);
	});

	it('puts the bad item on the error output, with its input data, when that is chosen', async () => {
		const run = await tenant.run(create, {
			items: [{ json: { phone: 'none', name: 'A' } }, { json: { phone: '491711234567', name: 'B' } }],
			onError: 'continueErrorOutput',
		});

		expect(run.items).toMatchObject([{ json: { name: 'B' }, pairedItem: { item: 1 } }]);
		expect(run.errorItems).toMatchObject([
			{ json: { error: 'Phone Number "none" is not a phone number' }, pairedItem: { item: 0 } },
		]);
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

	it('gives customer_id and profile_id with Return IDs, for each item its own', async () => {
		const items = [1, 2, 3].map((index) => ({ json: { phone: `+49 171 123456${index}`, name: 'Jo' } }));
		const run = await tenant.run({ ...create, options: { returnIds: true } }, { items });
		expect(run.error).toBeUndefined();
		const { data } = await tenant.ask<{ data: Array<{ id: number; customer_id: number }> }>(
			'/profiles?search=49171123456',
		);
		expect(run.items.map(({ json }) => [json.id, json.customer_id, json.profile_id])).toEqual(
			data.map(({ id, customer_id }) => [customer_id, customer_id, id]),
		);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	});
});
