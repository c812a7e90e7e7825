import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PollingNode } from '../engine/polling.mts';
import { byId, TestTenant } from '../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

afterEach(() => Object.assign(tenant.sandbox.tenant.choices, { profileTags: 'hidden' }));

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

const [mira, jonas] = [102, 103];

describe('New Customer', () => {
	it('gives the first customers of a tenant that had none', async () => {
		const { customers, users } = tenant.sandbox.store;
		const [admin] = users.list().records;
		for (const customer of customers.list(admin, undefined).records) customers.delete(customer);
		const node = nodeFor({ event: 'newCustomer' });
		expect(await node.poll()).toEqual([]);
		expect(await node.poll()).toEqual([]);
		const { id } = create();
		expect(await node.poll()).toMatchObject([{ id }]);
		expect(await node.poll()).toEqual([]);
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

const [group] = [61];

describe('Group Joined', () => {
	const node = (parameters: INodeParameters = {}) =>
		nodeFor({ event: 'joinedGroup', groupId: byId(group), ...parameters });

	it('begins with an empty group, and fails where it was deleted', async () => {
		const { groups } = tenant.sandbox.store;
		const id = groups.create({ name: 'Empty' });
		const joined = node({ groupId: byId(id) });
		for (let polls = 0; polls < 2; polls++) expect(await joined.poll()).toEqual([]);
		groups.attach(mira, id);
		expect(await joined.poll()).toMatchObject([{ id: mira }]);
		groups.delete(id);
		await expect(joined.poll()).rejects.toMatchObject({ httpCode: '404' });
	});

	it.each([
		['Group', 'joinedGroup', {}],
		['Group', 'joinedGroup', { groupId: byId('x') }],
		['Tag', 'tagAdded', { tagId: byId('') }],
	])('fails without a %s: %s', async (label, event, parameters) => {
		await expect(nodeFor({ event, ...parameters } as INodeParameters).poll()).rejects.toThrow(
			new RegExp(`^${label} ("x" )?is `),
		);
	});
});

describe('Tag Added', () => {
	const [vip] = [41];
	const node = () => nodeFor({ event: 'tagAdded', tagId: byId(vip) });

	it.each(['records', 'titles'] as const)('gives each profile once, with tags as %s', async (profileTags) => {
		tenant.sandbox.tenant.choices.profileTags = profileTags;
		const { tags } = tenant.sandbox.store;
		tags.detach('profile', mira, vip);
		tags.attach('profile', jonas, vip);
		const added = node();
		expect(await added.poll()).toEqual([]);
		for (let round = 0; round < 2; round++) {
			tags.attach('profile', mira, vip);
			expect(await added.poll()).toMatchObject([{ id: mira, event: { name: 'tagAdded', tag_id: vip } }]);
			tags.rename(vip, `VIP ${round}`);
			expect(await added.poll()).toEqual([]);
			tags.detach('profile', mira, vip);
			expect(await added.poll()).toEqual([]);
		}
		tags.delete(vip);
		await expect(added.poll()).rejects.toMatchObject({ httpCode: '404' });
	});

	it('says at once that a tenant does not show tags', async () => {
		const added = node();
		for (const ask of [async () => await added.poll(), async () => await added.fetchTestEvent()])
			await expect(ask()).rejects.toMatchObject({
				message: 'The profiles of your account do not show their tags',
				description: expect.stringMatching(/^So the trigger cannot notice this event\. Choose another event/),
			});
		expect(added.stored).toBe('{}');
	});
});

describe('Template Changed', () => {
	const changesOf = (items: IDataObject[]) => items.map(({ event }) => (event as IDataObject).changes);

	it('tells each change of status or category, with the old and the new one', async () => {
		const { templates } = tenant.sandbox.store;
		const first = templates.create('one', 'de', { category: 'UTILITY' }, 'pending');
		const second = templates.create('two', 'de', { category: 'UTILITY' }, 'pending');
		const node = nodeFor({ event: 'templateChanged' });
		expect(await node.poll()).toEqual([]);
		templates.review(first.id, 'approved');
		const [item, ...others] = await node.poll();
		expect(others).toEqual([]);
		expect(item).toMatchObject({ id: first.id, name: 'one', status: 'approved' });
		expect(item.event).toEqual({
			name: 'templateChanged',
			changes: [{ field: 'status', old: 'pending', new: 'approved' }],
		});
		expect(await node.poll()).toEqual([]);
		// A utility template that becomes marketing costs more.
		tenant.sandbox.store.tables.templates.update(first.id, { category: 'MARKETING' });
		expect(changesOf(await node.poll())).toEqual([[{ field: 'category', old: 'UTILITY', new: 'MARKETING' }]]);
		templates.review(first.id, 'rejected');
		templates.review(second.id, 'rejected', 'No');
		expect(changesOf(await node.poll())).toEqual(
			['approved', 'pending'].map((old) => [{ field: 'status', old, new: 'rejected' }]),
		);
		node.restart();
		expect(await node.poll()).toEqual([]);
	});

	it('tells of a new one only if it was decided on already', async () => {
		const { templates } = tenant.sandbox.store;
		const node = nodeFor({ event: 'templateChanged' });
		await node.poll();
		templates.create('pending', 'de', {}, 'pending');
		const decided = (['approved', 'rejected'] as const).map((one) => templates.create(one, 'de', {}, one).id);
		const told = (await node.poll()).map(({ id, event }) => [id, (event as IDataObject).changes]);
		expect(told.sort()).toEqual(decided.map((id) => [id, null]));
	});
});

describe('Fetch Test Event', () => {
	it.each([
		...['newCustomer', 'profileChanged', 'consentChanged', 'newNotification'],
		...['joinedGroup', 'tagAdded', 'templateChanged'],
	])('of %s shows a record as the workflow gets it, and remembers nothing', async (event) => {
		tenant.sandbox.tenant.choices.profileTags = 'records';
		const node = nodeFor({ event, groupId: byId(group), tagId: byId(41) });
		await node.poll();
		const before = node.stored;
		const [item, ...others] = await node.fetchTestEvent();
		expect(others).toEqual([]);
		expect(item).toMatchObject({ event: { name: event } });
		expect(node.stored).toBe(before);
		expect(await node.poll()).toEqual([]);
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
