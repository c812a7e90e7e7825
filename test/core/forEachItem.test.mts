import { forEachItem } from '../../nodes/CustomerMessaging/core/run.ts';
import { TenantInMemory } from '../context/tenantInMemory.mts';
import { settled, VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();

describe('something for each item of a batch', () => {
	const items = Array.from({ length: 600 }, (_, id) => ({ json: { id } }));

	it('is done in their order, and others have a turn after 5 ms', async () => {
		const done: unknown[] = [];
		const work = forEachItem(tenant.batch({ items }), ({ json }, index) => {
			done.push([json.id, index]);
			if (index === 98) time.now += 5;
		});
		await settled();
		expect(done).toHaveLength(99);
		await time.until(work);
		expect(done).toEqual(items.map(({ json }, index) => [json.id, index]));
	});

	it('ends when the execution is stopped', async () => {
		const stop = new AbortController();
		const done: unknown[] = [];
		const work = forEachItem(tenant.batch({ items, stop: stop.signal }), (_item, index) => {
			done.push(index);
			if (index === 1) stop.abort();
		});
		await expect(work).rejects.toThrow('The execution was stopped; nothing was sent');
		expect(done).toEqual([0, 1]);
	});
});
