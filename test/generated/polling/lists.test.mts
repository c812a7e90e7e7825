import type { IDataObject } from 'n8n-workflow';

import { FORMS, OTHER_PLACES } from '../../engine/listForms.mts';
import { type PolledChoices, PolledTenant } from '../../polling/polledTenant.mts';

const tenant = PolledTenant.inEachTest();

const choose = (choices: Partial<PolledChoices>) =>
	Object.assign(tenant, { choices: { ...tenant.choices, ...choices } });

const ids = (items: IDataObject[]) => items.map(({ id }) => String(id)).sort();
const idsOf = (profiles: Array<{ id: number }>) =>
	profiles.map(({ id }) => String(tenant.choices.id(id))).sort();

/** Polls; a failure that says what is wrong is an answer too. */
const polled = async (node: ReturnType<PolledTenant['node']>) =>
	await node.poll().catch((error: Error) => {
		expect(error.message).toEqual(expect.any(String));
		return undefined;
	});

const FORM_NAMES = Object.keys(FORMS).filter((name) => !OTHER_PLACES.includes(name));

describe.each(FORM_NAMES)('a tenant whose lists are as of %s', (name) => {
	it.each(
		(['newCustomer', 'profileChanged'] as const).flatMap((event) =>
			(['kept', 'ignored'] as const).map((order) => [event, order] as const),
		),
	)('%s, with order_by %s, is told once each, or the poll fails', async (event, order) => {
		choose({ form: FORMS[name], order });
		const before = tenant.create(8);
		tenant.pass();
		const node = tenant.node(event);
		if ((await polled(node)) === undefined) return;
		tenant.pass();
		const expected = event === 'newCustomer' ? tenant.create(4) : before.slice(1, 6);
		if (event === 'profileChanged') for (const profile of expected) tenant.change(profile);
		const items = await polled(node);
		if (items === undefined) return;
		expect(ids(items)).toEqual(idsOf(expected));
		expect(await node.poll()).toEqual([]);
		node.restart();
		expect(await node.poll()).toEqual([]);
	});

	it('is asked once where nothing is new and it sorts', async () => {
		choose({ form: FORMS[name] });
		tenant.create(8);
		tenant.pass();
		const node = tenant.node('profileChanged');
		if ((await polled(node)) === undefined) return;
		tenant.pass();
		tenant.change(tenant.profiles[3]);
		if ((await polled(node)) === undefined) return;
		tenant.pass();
		await node.poll();
		tenant.requests();
		expect(await node.poll()).toEqual([]);
		expect(tenant.requests()).toHaveLength(1);
	});
});

const pad = (ms: number) => new Date(ms).toISOString();
const TIMES: Record<string, (ms: number) => unknown> = {
	seconds: (ms) => `${pad(ms).slice(0, 19)}Z`,
	microseconds: (ms) => `${pad(ms).slice(0, 23)}000Z`,
	'an offset': (ms) => `${pad(ms + 7_200_000).slice(0, 19)}+02:00`,
	'an offset that changes': (ms) =>
		(ms / 1000) % 2 === 0 ? `${pad(ms).slice(0, 19)}+00:00` : `${pad(ms + 7_200_000).slice(0, 19)}+02:00`,
	'no zone': (ms) => pad(ms).slice(0, 19).replace('T', ' '),
	'Unix seconds': (ms) => Math.floor(ms / 1000),
	'Unix milliseconds': (ms) => ms,
	'Unix seconds as text': (ms) => String(Math.floor(ms / 1000)),
	'RFC 2822': (ms) => new Date(ms).toUTCString(),
	'an object': (ms) => ({ date: pad(ms).slice(0, 19).replace('T', ' '), timezone: 'UTC' }),
	null: () => null,
	nothing: () => undefined,
	'an empty text': () => '',
	zeros: () => '0000-00-00 00:00:00',
};

describe.each(Object.entries(TIMES))('a tenant that writes times as %s', (_name, time) => {
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

	it('tells a change in the same second as the poll before', async () => {
		choose({ time });
		const [mira, jonas] = tenant.create(5);
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		tenant.pass();
		tenant.change(mira, { custom_1: 'one' });
		expect(await node.poll()).toMatchObject([{ custom_1: 'one' }]);
		tenant.change(mira, { custom_1: 'two' });
		tenant.change(jonas, { custom_1: 'other' });
		expect((await node.poll()).map(({ custom_1 }) => custom_1).sort()).toEqual(['other', 'two']);
		expect(await node.poll()).toEqual([]);
	});

	it('tells consent once each', async () => {
		choose({ time });
		const [mira, jonas] = tenant.create(5);
		tenant.consent(mira, true);
		tenant.pass();
		const node = tenant.node('consentChanged');
		await node.poll();
		tenant.pass();
		tenant.consent(mira, false);
		tenant.pass(1);
		tenant.consent(jonas, true);
		const told = (items: IDataObject[]) =>
			items.map(({ id, event }) => [id, (event as IDataObject).is_opted_in]).sort();
		expect(told(await node.poll())).toEqual([
			[mira.id, false],
			[jonas.id, true],
		]);
		expect(await node.poll()).toEqual([]);
		tenant.pass(1);
		tenant.consent(mira, true);
		expect(told(await node.poll())).toEqual([[mira.id, true]]);
		node.restart();
		tenant.pass();
		tenant.change(mira, { custom_1: 'no consent' });
		expect(await node.poll()).toEqual([]);
	});
});

const IDS: Record<string, (id: number) => unknown> = {
	text: String,
	'text of 19 digits': (id) => `90071992547409${String(id).padStart(5, '0')}`,
	'text with leading zeros': (id) => String(id).padStart(8, '0'),
	UUIDs: (id) =>
		`${((id * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
};

describe.each(Object.entries(IDS))('IDs that are %s', (_name, id) => {
	it.each([
		['kept', TIMES.seconds],
		['ignored', TIMES.seconds],
		['ignored', TIMES.nothing],
		['kept', TIMES.nothing],
	] as const)('with order_by %s, are told once each', async (order, time) => {
		choose({ id, order, time });
		const before = tenant.create(8);
		tenant.pass();
		const [changed, created] = [tenant.node('profileChanged'), tenant.node('newCustomer')];
		await changed.poll();
		if ((await polled(created)) === undefined) return;
		for (let round = 0; round < 3; round++) {
			tenant.pass();
			const news = tenant.create(3);
			tenant.pass(2);
			tenant.change(before[round]);
			const told = ids(await changed.poll()).filter((one) => !idsOf(news).includes(one));
			expect(told).toEqual(idsOf([before[round]]));
			expect(ids(await created.poll())).toEqual(idsOf(news));
			expect(await created.poll()).toEqual([]);
			created.restart();
			changed.restart();
		}
	});
});
