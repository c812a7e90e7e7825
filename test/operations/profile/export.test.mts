import { refusal, ScriptedTenant } from '../../engine/scriptedTenant.mts';
import { byId } from '../../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

const whole = {
	'GET /profiles/5': () => ({ data: { id: 5, customer_id: 7, name: 'Mira' } }),
	'GET /customers/7': () => ({ data: { id: 7, display_id: '491700000001' } }),
	'GET /profiles/5/marketing-opt-in': () => ({
		data: { id: 5, is_opted_in: true, latest_opt_in_at: '2026-01-02T03:04:05Z', latest_opt_out_at: null },
	}),
	'GET /profiles/5/activities': ({ request }: { request: string }) =>
		request.includes('page=2')
			? { data: [{ id: 1, type: 'first_contact' }], current_page: 2, last_page: 2 }
			: { data: [{ id: 2, type: 'marketing_opt_in' }], current_page: 1, last_page: 2 },
	'GET /profiles/5/tags': () => ({ data: [{ id: 41, title: 'VIP' }] }),
	'GET /profiles/5/groups': () => ({ data: [] }),
	'GET /customers/7/users': () => ({ data: [{ id: 2, name: 'Jo' }] }),
};

async function exported() {
	const { items, error, run } = await tenant.run({
		...{ resource: 'profile', operation: 'export', profileId: byId(5) },
	});
	const hints = run.data.resultData.runData.Node.at(-1)?.hints ?? [];
	return { items, error, hints: hints.map(({ message }) => message) };
}

describe('profile: export', () => {
	it('gives all that the interface has about a person in one item, each list read to its end', async () => {
		tenant.answer(whole);
		const { items, error, hints } = await exported();
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{
				json: {
					profile: { id: 5, customer_id: 7, name: 'Mira' },
					customer: { id: 7, display_id: '491700000001' },
					consent: {
						id: 5,
						is_opted_in: true,
						latest_opt_in_at: '2026-01-02T03:04:05Z',
						latest_opt_out_at: null,
					},
					activities: [
						{ id: 2, type: 'marketing_opt_in' },
						{ id: 1, type: 'first_contact' },
					],
					tags: [{ id: 41, title: 'VIP' }],
					groups: [],
					users: [{ id: 2, name: 'Jo' }],
					unreadable: {},
					messages: 'not offered by the service',
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(hints).toEqual([]);
	});

	it('names what could not be read whole, with the reason, and gives the rest', async () => {
		tenant.answer({
			...whole,
			'GET /profiles/5/tags': refusal(403, 'Not yours'),
			'GET /profiles/5/activities': () => ({ data: [{ id: 2 }], current_page: 1, last_page: 2 }),
		});
		const { items, hints } = await exported();
		expect(items[0].json).toMatchObject({
			tags: null,
			activities: null,
			groups: [],
			unreadable: {
				activities: expect.stringMatching(/list/),
				tags: expect.stringContaining('Not yours'),
			},
		});
		expect(hints).toEqual(['1 of 1 items lack a part that could not be read; unreadable names it.']);
	});

	it.each([undefined, null, '../7', 'x', 1.5])(
		'says so where the customer of the profile is %j',
		async (customer) => {
			tenant.answer({ ...whole, 'GET /profiles/5': () => ({ data: { id: 5, customer_id: customer } }) });
			const { items } = await exported();
			const reason = 'The service does not say whose profile this is';
			expect(items[0].json).toMatchObject({
				customer: null,
				users: null,
				unreadable: { customer: reason, users: reason },
			});
			expect(tenant.requests.filter((one) => one.includes('/customers'))).toEqual([]);
		},
	);

	it('fails for a profile that does not exist', async () => {
		tenant.answer({});
		expect((await exported()).error).toMatchObject({ httpCode: '404' });
	});
});
