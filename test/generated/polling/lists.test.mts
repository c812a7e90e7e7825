import { FORMS, WITHOUT_A_WAY } from '../../engine/listForms.mts';
import { ids, type PolledChoices, PolledTenant, TIMES } from '../../polling/polledTenant.mts';

const tenant = PolledTenant.inEachTest();

const choose = (choices: Partial<PolledChoices>) => tenant.choose(choices);
const idsOf = (profiles: Array<{ id: number }>) => tenant.idsOf(profiles);

describe.each(Object.entries(WITHOUT_A_WAY))('a tenant whose lists are as of %s', (_name, form) => {
	it.each(['newCustomer', 'profileChanged'])(
		'fails each poll for %s that reads to the end',
		async (event) => {
			choose({ form, order: 'ignored' });
			tenant.create(8);
			tenant.pass();
			const node = tenant.node(event);
			for (let polls = 0; polls < 2; polls++)
				await expect(node.poll()).rejects.toThrow(/no link to the next one|but only 3 came/);
			expect(node.stored).toBe('{}');
		},
	);
});

describe.each(Object.keys(FORMS))('a tenant whose lists are as of %s', (name) => {
	it.each(
		(['newCustomer', 'profileChanged'] as const).flatMap((event) =>
			(['kept', 'ignored'] as const).map((order) => [event, order] as const),
		),
	)('%s, with order_by %s, is told once each', async (event, order) => {
		choose({ form: FORMS[name], order });
		const before = tenant.create(8);
		tenant.pass();
		const node = tenant.node(event);
		expect(await node.poll()).toEqual([]);
		tenant.pass();
		const expected = event === 'newCustomer' ? tenant.create(4) : before.slice(1, 6);
		if (event === 'profileChanged') for (const profile of expected) tenant.change(profile);
		expect(ids(await node.poll())).toEqual(idsOf(expected));
		expect(await node.poll()).toEqual([]);
		node.restart();
		expect(await node.poll()).toEqual([]);
	});
});

describe.each(['seconds', 'microseconds', 'an offset', 'no zone'])(
	'a tenant that writes times as %s',
	(name) => {
		const time = TIMES[name];

		it.each(['kept', 'ignored', 'refused'] as const)(
			'with order_by %s, tells changes and newcomers once',
			async (order) => {
				choose({ time, order });
				const before = tenant.create(7);
				tenant.pass();
				const [changed, created] = [tenant.node('profileChanged'), tenant.node('newCustomer')];
				await changed.poll();
				await created.poll();
				for (const round of [1, 2, 3]) {
					tenant.pass(round === 2 ? 1 : 61);
					const news = tenant.create(2);
					tenant.pass(1);
					tenant.change(before[round]);
					tenant.change(before[0]);
					const items = await changed.poll();
					const told = ids(items).filter((id) => !idsOf(news).includes(id));
					expect(told).toEqual(idsOf([before[0], before[round]]));
					expect(ids(await created.poll())).toEqual(idsOf(news));
					expect(await changed.poll()).toEqual([]);
					if (round === 2) for (const node of [changed, created]) node.restart();
					expect(await created.poll()).toEqual([]);
				}
			},
		);
	},
);
