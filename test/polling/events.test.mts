import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PollingNode } from '../engine/polling.mts';
import { TestTenant } from '../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

let numbers = 0;

const nodeFor = (parameters: INodeParameters) =>
	new PollingNode({ parameters, credentials: tenant.credentials });

/** Lets the tenant's clock run on, so that all of this is not one moment. */
const pass = (seconds = 61) => tenant.sandbox.store.clock.advance(seconds * 1000);

const create = (name = 'New') => {
	const { customers, profiles } = tenant.sandbox.store;
	const customer = customers.create('chatapp', `49170${1_000_000 + ++numbers}`, name);
	const profile = profiles.ofCustomer(customer.id);
	if (!profile) throw new Error('The customer has no profile');
	return profile;
};

const update = (id: number, fields: IDataObject) => tenant.sandbox.store.profiles.update(id, fields);

const [mira, jonas] = [500_001, 500_002];

describe('New Customer', () => {
	it('starts from now, and gives each one once', async () => {
		const node = nodeFor({ event: 'newCustomer' });
		expect(await node.poll()).toEqual([]);
		const first = create();
		const second = create();
		const [one, two, ...others] = await node.poll();
		expect(one).toMatchObject({ id: first.id, event: { name: 'newCustomer', at: first.created_at } });
		expect(two).toMatchObject({ id: second.id, phone_number: second.phone_number });
		expect(others).toEqual([]);
		expect(await node.poll()).toEqual([]);
		update(first.id, { custom_1: 'changed' });
		expect(await node.poll()).toEqual([]);
	});

	it('gives the first customers of a tenant that had none', async () => {
		const { customers, users } = tenant.sandbox.store;
		const [admin] = users.list().records;
		for (const customer of customers.list(admin, undefined).records) customers.delete(customer, admin.id);
		const node = nodeFor({ event: 'newCustomer' });
		expect(await node.poll()).toEqual([]);
		expect(await node.poll()).toEqual([]);
		const { id } = create();
		expect(await node.poll()).toMatchObject([{ id }]);
		expect(await node.poll()).toEqual([]);
	});
});

describe('Profile Changed', () => {
	it('tells the fields that changed, with their old and new values', async () => {
		const node = nodeFor({ event: 'profileChanged' });
		expect(await node.poll()).toEqual([]);
		pass();
		update(mira, { email: 'new@mail.example', address: null });
		const [item, ...others] = await node.poll();
		expect(others).toEqual([]);
		expect(item).toMatchObject({ id: mira, email: 'new@mail.example' });
		expect(item.event).toEqual({
			name: 'profileChanged',
			at: item.updated_at,
			changes: [
				{ field: 'email', old: 'mira@mail.example', new: 'new@mail.example' },
				{ field: 'address', old: 'Lindenweg 3, Musterstadt', new: null },
			],
		});
		expect(await node.poll()).toEqual([]);
	});

	it('leaves out new customers until they change', async () => {
		const node = nodeFor({ event: 'profileChanged' });
		await node.poll();
		const { id } = create();
		expect(await node.poll()).toEqual([]);
		pass(1);
		update(id, { custom_1: 'changed' });
		expect(await node.poll()).toMatchObject([
			{ id, event: { changes: [{ field: 'custom_1', old: null, new: 'changed' }] } },
		]);
	});

	it('tells of a chosen field whose old value it does not know, rather than to lose it', async () => {
		const profiles = Array.from({ length: 150 }, () => create());
		pass();
		const node = nodeFor({ event: 'profileChanged', fields: 'custom_2' });
		await node.poll();
		pass();
		// The oldest: the first poll has read only the newest page.
		update(mira, { custom_2: 'gold' });
		update(profiles[149].id, { custom_1: 'not chosen' });
		expect(await node.poll()).toMatchObject([{ id: mira, event: { changes: null } }]);
	});
});

describe('Marketing Consent Changed', () => {
	it('tells each change of a short time', async () => {
		const node = nodeFor({ event: 'consentChanged' });
		await node.poll();
		pass();
		const { profiles } = tenant.sandbox.store;
		for (const optIn of [false, true, false]) profiles.setConsent(mira, optIn);
		profiles.setConsent(jonas, true);
		update(jonas, { custom_1: 'and more' });
		const items = await node.poll();
		expect(items.map(({ id, event }) => [id, (event as IDataObject).is_opted_in])).toEqual([
			[mira, false],
			[mira, true],
			[mira, false],
			[jonas, true],
		]);
		expect(items[0].event).toEqual({
			name: 'consentChanged',
			is_opted_in: false,
			at: expect.stringMatching(/^\d{4}-/),
			activity_id: expect.any(Number),
		});
		expect(await node.poll()).toEqual([]);
		update(mira, { custom_1: 'no consent' });
		expect(await node.poll()).toEqual([]);
	});

	it('does not tell what happened shortly before it began', async () => {
		tenant.sandbox.store.profiles.setConsent(mira, false);
		const node = nodeFor({ event: 'consentChanged' });
		await node.poll();
		update(mira, { custom_1: 'changed' });
		expect(await node.poll()).toEqual([]);
	});
});

describe('New Notification', () => {
	it('gives each one once, whether it is read or not', async () => {
		const node = nodeFor({ event: 'newNotification' });
		const { notifications, users } = tenant.sandbox.store;
		const [admin] = users.list().records;
		expect(await node.poll()).toEqual([]);
		notifications.add(admin.id, 'First', 'One');
		notifications.add(admin.id, 'Second', 'Two');
		const items = await node.poll();
		expect(items.map(({ title }) => title).sort()).toEqual(['First', 'Second']);
		expect(items[0].event).toEqual({ name: 'newNotification', at: items[0].created_at });
		notifications.markRead(admin.id);
		expect(await node.poll()).toEqual([]);
	});
});

describe('filters', () => {
	it('by channel ask the tenant for its profiles only', async () => {
		const node = nodeFor({ event: 'newCustomer', filters: { channel: 'sms' } });
		await node.poll();
		tenant.sandbox.clearRequests();
		create();
		expect(await node.poll()).toEqual([]);
		expect(tenant.sent().every(({ query }) => query.channel === 'sms')).toBe(true);
	});

	it.each([
		['tags', 'tagIds'],
		['groups', 'groupIds'],
	] as const)('by %s ask only for the profiles that changed', async (kind, parameter) => {
		const { data } = await tenant.ask<{ data: Array<{ id: number }> }>(`/profiles/${mira}/${kind}`);
		const node = nodeFor({ event: 'profileChanged', filters: { [parameter]: [data[0].id] } });
		await node.poll();
		pass();
		update(mira, { custom_1: 'in' });
		update(jonas, { custom_1: 'out' });
		tenant.sandbox.clearRequests();
		expect(await node.poll()).toMatchObject([{ id: mira }]);
		const asked = tenant.sent().filter(({ path }) => path.endsWith(kind));
		expect(asked).toHaveLength(2);
	});
});

describe('Fetch Test Event', () => {
	it.each(['newCustomer', 'profileChanged', 'consentChanged', 'newNotification'])(
		'of %s shows a record as the workflow gets it, and remembers nothing',
		async (event) => {
			const node = nodeFor({ event });
			await node.poll();
			const before = node.stored;
			const [item, ...others] = await node.fetchTestEvent();
			expect(others).toEqual([]);
			expect(item).toMatchObject({ event: { name: event } });
			expect(node.stored).toBe(before);
			expect(await node.poll()).toEqual([]);
		},
	);

	it('shows the newest of many', async () => {
		Array.from({ length: 150 }, () => create());
		pass();
		update(mira, { custom_1: 'newest' });
		expect(await nodeFor({ event: 'profileChanged' }).fetchTestEvent()).toMatchObject([
			{ id: mira, event: { changes: null } },
		]);
	});

	it.each([
		['newCustomer', { channel: 'sms' }, 'There is no customer to show yet'],
		['consentChanged', { tagIds: [1] }, 'There is no change of consent to show yet'],
	])('of %s says clearly that there is none', async (event, filters, message) => {
		await expect(nodeFor({ event, filters }).fetchTestEvent()).rejects.toMatchObject({
			message,
			description: expect.stringMatching(/fetch again\.$/),
		});
	});
});
