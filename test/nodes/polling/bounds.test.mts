import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { seed } from '../../../sandbox/control/seed.mts';
import { PollingNode } from '../../engine/polling.mts';
import { TestTenant } from '../../engine/tenant.mts';
import { LargeTenant } from './largeTenant.mts';

const MANY = 100_000;

/** What the documents promise of the memory. */
const MAX_STATE = 64 * 1024;

const ids = (items: IDataObject[]) => items.map(({ id }) => Number(id));
const sortedIds = (items: IDataObject[]) => ids(items).sort((a, b) => a - b);

describe('with 100,000 profiles', () => {
	const tenant = LargeTenant.inEachTest();

	const nodeFor = (parameters: INodeParameters) =>
		new PollingNode({ parameters, credentials: tenant.odd.credentials });

	beforeEach(() => tenant.fill(MANY));

	it.each(['newCustomer', 'profileChanged', 'consentChanged'])(
		'a poll for %s without news is one request, and remembers little',
		async (event) => {
			tenant.change(50_000, 150, 'before');
			tenant.pass();
			tenant.change(10_000, 20, 'just before');
			const node = nodeFor({ event });
			await node.poll();
			// Three find out whether the tenant sorts, and consent is noted for those that changed within a minute.
			expect(tenant.asked()).toBe(event === 'consentChanged' ? 24 : 4);
			expect(await node.poll()).toEqual([]);
			expect(tenant.asked()).toBe(1);
			expect(Buffer.byteLength(node.stored)).toBeLessThan(MAX_STATE);
		},
	);

	it('8,000 changes of one moment come in parts, each once, and the memory stays small', async () => {
		const node = nodeFor({ event: 'profileChanged' });
		await node.poll();
		tenant.change(0, 8000, 'bulk');
		const found: number[] = [];
		let largest = 0;
		for (let polls = 0; polls < 9; polls++) {
			const items = await node.poll();
			expect(items.length).toBeLessThanOrEqual(1000);
			found.push(...ids(items));
			largest = Math.max(largest, Buffer.byteLength(node.stored));
			if (polls % 3 === 0) node.restart();
		}
		expect(found).toHaveLength(8000);
		expect(new Set(found).size).toBe(8000);
		expect(largest).toBeGreaterThan(40_000);
		expect(largest).toBeLessThan(MAX_STATE);
		tenant.pass();
		tenant.change(99_999, 1, 'later');
		expect(ids(await node.poll())).toEqual([tenant.profiles[99_999].id]);
	});

	it('where the tenant does not sort, each poll reads all, and the log says what it costs', async () => {
		tenant.sorts = false;
		tenant.change(5, 1, 'before');
		const node = nodeFor({ event: 'profileChanged' });
		await node.poll();
		expect(node.log).toContain(
			'"Node" reads all profiles in each poll, 1000 requests now, because the tenant does not sort them',
		);
		tenant.pass();
		tenant.change(50_000, 2, 'changed');
		tenant.asked();
		expect(await node.poll()).toMatchObject(tenant.profiles.slice(50_000, 50_002));
		expect(tenant.asked()).toBe(1000);
		expect(Buffer.byteLength(node.stored)).toBeLessThan(MAX_STATE);
	});

	it('where the tenant shows no times, it says that it cannot tell changes, but tells new customers', async () => {
		tenant.showsTimes = false;
		tenant.sorts = false;
		await expect(nodeFor({ event: 'profileChanged' }).poll()).rejects.toMatchObject({
			message: 'The tenant does not tell when a profile changed',
			description: expect.stringContaining('at most 3000'),
		});
		// It does not read on for that.
		expect(tenant.asked()).toBeLessThan(40);
		const node = nodeFor({ event: 'newCustomer' });
		await node.poll();
		tenant.add(1);
		expect(ids(await node.poll())).toEqual([tenant.profiles[MANY].id]);
	});

	it('a list that moves while it is read is read again when its total falls', async () => {
		const node = nodeFor({ event: 'newCustomer' });
		await node.poll();
		tenant.asked();
		tenant.add(300);
		const expected = tenant.profiles.slice(MANY).map(({ id }) => id);
		const deleted = expected.pop() ?? 0;
		// The newest is deleted behind the first page: the first of the second page moves to the first one.
		tenant.beforeAnswer = (asked) => {
			if (asked === 2) tenant.delete(deleted);
		};
		expect(sortedIds(await node.poll()).filter((id) => id !== deleted)).toEqual(expected);
	});

	it('a bulk before the first poll of consent does not ask for each profile', async () => {
		tenant.change(0, 5000, 'import');
		const node = nodeFor({ event: 'consentChanged' });
		await node.poll();
		expect(tenant.asked()).toBeLessThanOrEqual(104);
	});
});

describe('a tenant without times', () => {
	const tenant = TestTenant.inEachTest({ pageSize: 100 });

	const nodeFor = (event: string) =>
		new PollingNode({ parameters: { event }, credentials: tenant.credentials });

	it('has its profiles compared with what the node remembers, up to 3,000 of them', async () => {
		seed(tenant.sandbox.store, { profiles: 2997, conversations: 0 });
		tenant.sandbox.tenant.profileList.times = 'hidden';
		const [changed, consent] = [nodeFor('profileChanged'), nodeFor('consentChanged')];
		await changed.poll();
		await consent.poll();
		const { customers, profiles } = tenant.sandbox.store;
		profiles.update(501_000, { custom_1: 'changed' });
		profiles.setConsent(500_002, true);
		expect(sortedIds(await changed.poll())).toEqual([500_002, 501_000]);
		expect(await consent.poll()).toMatchObject([{ id: 500_002, event: { is_opted_in: true } }]);
		expect(Buffer.byteLength(changed.stored)).toBeLessThan(MAX_STATE);
		customers.create('chatapp', '491701234567', 'One more');
		await expect(changed.poll()).rejects.toThrow('does not tell when a profile changed');
	});
});

describe('one poll at a time', () => {
	const tenant = TestTenant.inEachTest();

	it('a second one of the same node does nothing while the first goes on, one of another node does', async () => {
		const node = new PollingNode({
			parameters: { event: 'newNotification' },
			credentials: tenant.credentials,
		});
		await node.poll();
		tenant.sandbox.clearRequests();
		tenant.sandbox.faults.add({ kind: 'latency', ms: 500, times: 1 });
		const { notifications, users } = tenant.sandbox.store;
		notifications.add(users.list().records[0].id, 'New', 'One');
		const first = node.poll();
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(await node.poll()).toEqual([]);
		expect(tenant.sent()).toHaveLength(1);
		expect(await first).toMatchObject([{ title: 'New' }]);
		expect(node.log).toContainEqual(expect.stringContaining('did not poll, because its last poll goes on'));
		expect(await node.poll()).toEqual([]);
	});

	it('a failed one does not hold up the next', async () => {
		const node = new PollingNode({
			parameters: { event: 'newCustomer' },
			credentials: { ...tenant.credentials, accessToken: 'wrong' },
		});
		await expect(node.poll()).rejects.toMatchObject({ httpCode: '401' });
		await expect(node.poll()).rejects.toMatchObject({ httpCode: '401' });
		await expect(node.poll({ credentials: {} })).rejects.toThrow();
		await expect(node.poll({ credentials: tenant.credentials })).resolves.toEqual([]);
	});
});
