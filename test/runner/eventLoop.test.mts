import { EventLoopYielder, forEachItem } from '../../nodes/CustomerMessaging/runner/eventLoop.ts';
import { TenantInMemory } from '../context/tenantInMemory.mts';
import { VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();

it('yields to others each 5 ms, once for all that wait', async () => {
	const eventLoop = new EventLoopYielder();
	time.now += 4;
	expect(eventLoop.isDue).toBe(false);
	await eventLoop.yield();
	time.now += 1;
	expect(eventLoop.isDue).toBe(true);
	const waiting = Promise.all([eventLoop.yield(), eventLoop.yield()]);
	expect(time.pending).toBe(1);
	await time.until(waiting);
	expect(eventLoop.isDue).toBe(false);
	expect(time.pending).toBe(0);
});

describe('something for each item of a batch', () => {
	const items = [0, 1, 2, 3, 4, 5].map((id) => ({ json: { id } }));

	it('is done in their order, and yields in between', async () => {
		const done: unknown[] = [];
		const work = forEachItem(tenant.batch({ items }), ({ json }, index) => {
			time.now += 2;
			done.push([json.id, index]);
		});
		expect(done).toHaveLength(3);
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
