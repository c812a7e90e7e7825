import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PollingNode } from '../engine/polling.mts';
import { PolledTenant } from '../polling/polledTenant.mts';
import { LargeTenant } from './largeTenant.mts';

const MANY = 100_000;

/** What the documents promise of the memory. */
const MAX_STATE = 64 * 1024;

const ids = (items: IDataObject[]) => items.map(({ id }) => Number(id));

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
			// Three find out whether the tenant sorts, one who is asking, and consent is noted for those that changed within a minute.
			expect(tenant.asked()).toBe(event === 'consentChanged' ? 25 : 5);
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
			// The page on which it has found a thousand is the last one.
			expect(items.length).toBeLessThanOrEqual(1000);
			found.push(...ids(items));
			largest = Math.max(largest, Buffer.byteLength(node.stored));
			if (polls % 3 === 0) node.restart();
		}
		expect(found).toHaveLength(8000);
		expect(new Set(found).size).toBe(8000);
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
			'"Node" reads all profiles in each poll, because the service does not sort them',
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
			message: 'There are more than 3000 profiles to compare',
		});
		// It does not read on for that.
		expect(tenant.asked()).toBeLessThan(40);
		const node = nodeFor({ event: 'newCustomer' });
		await node.poll();
		tenant.add(1);
		expect(ids(await node.poll())).toEqual([tenant.profiles[MANY].id]);
	});
});

describe('a long list of notifications', () => {
	const tenant = PolledTenant.inEachTest();

	it.each(['newest first', 'oldest first'])(
		'%s, is told once, and the memory stays small',
		async (order) => {
			const listTo = (count: number) => {
				const list = Array.from({ length: count }, (_, index) => ({
					uuid: `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
					...{ title: `T${index + 1}`, created_at: new Date(tenant.now + index).toISOString() },
				}));
				tenant.notices = order === 'newest first' ? list.reverse() : list;
			};
			listTo(20_000);
			const node = tenant.node('newNotification');
			expect(await node.poll()).toEqual([]);
			listTo(20_003);
			expect((await node.poll()).map(({ title }) => title)).toEqual(['T20001', 'T20002', 'T20003']);
			node.restart();
			tenant.requests();
			expect(await node.poll()).toEqual([]);
			expect(tenant.requests()).toHaveLength(1);
			expect(Buffer.byteLength(node.stored)).toBeLessThan(MAX_STATE);
		},
		60_000,
	);
});
