import { wait } from '../../nodes/CustomerMessaging/api/context.ts';
import { Limiter } from '../../nodes/CustomerMessaging/api/limiter.ts';
import { VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();

it.each([0, 1, 250, 251, 60_000])('waits as long as it says: %i ms', async (milliseconds) => {
	const startedAt = time.now;
	await time.until(wait(milliseconds, undefined));
	expect(time.now - startedAt).toBe(milliseconds);
	expect(time.pending).toBe(0);
});

it.each([0, 3_600_000])(
	'waits no longer where the time of day goes back by %i ms and then stands still',
	async (back) => {
		const startedAt = time.now;
		jest.spyOn(Date, 'now').mockReturnValue(startedAt - back);
		const limiter = new Limiter(1);
		for (let refusals = 0; refusals < 6; refusals++) limiter.refused(1000);
		const asker = { run: {}, deadline: Infinity, giveUpAt: () => Infinity, isRepeat: false };
		expect(await time.until(limiter.turn(asker))).toBe('now');
		await time.until(wait(1000, undefined));
		expect(time.now - startedAt).toBe(2000);
		expect(time.pending).toBe(0);
	},
);

it('ends within a quarter of a second after the execution was stopped, and leaves no timer behind', async () => {
	const stop = new AbortController();
	let isOver = false;
	void wait(60_000, stop.signal).then(() => (isOver = true));
	await time.pass(500);
	expect(isOver).toBe(false);
	stop.abort();
	await time.pass(250);
	expect(isOver).toBe(true);
	expect(time.pending).toBe(0);
});

it('does not begin to wait for an execution that is stopped already', async () => {
	await wait(60_000, AbortSignal.abort());
	expect(time.pending).toBe(0);
});
