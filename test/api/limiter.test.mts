import { type Asker, Limiter, type Turn } from '../../nodes/CustomerMessaging/api/limiter.ts';
import { settled, VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const RUN = {};

/** Asks for a turn, as a request of one run with much time does. */
const turnIn = async (limiter: Limiter, asker: Partial<Asker> = {}): Promise<Turn> =>
	await limiter.turn({ run: RUN, deadline: Infinity, giveUpAt: () => Infinity, isRepeat: false, ...asker });

/** Refuses so many requests that all others wait. */
function refuse(limiter: Limiter, milliseconds?: number): void {
	for (let refusals = 0; refusals < 6; refusals++) limiter.refused(milliseconds);
}

/** Has a request end with a response that is no refusal. */
async function answer(limiter: Limiter): Promise<void> {
	await turnIn(limiter);
	limiter.end(true);
}

/** Requests that end when the test says so. */
class Requests {
	inFlight = 0;

	/** What became of them, in their order: their names for those that began. */
	readonly order: string[] = [];

	constructor(private readonly limiter: Limiter) {}

	/** Asks for so many requests; the limiter decides when they begin. */
	async ask(count: number, name = '', asker: Partial<Asker> = {}): Promise<this> {
		for (let index = 0; index < count; index++) {
			void turnIn(this.limiter, asker).then((turn) => {
				this.order.push(turn === 'now' ? name : turn);
				if (turn === 'now') this.inFlight++;
			});
		}
		await settled();
		return this;
	}

	/** Ends a request. */
	async end(): Promise<void> {
		this.inFlight--;
		this.limiter.end(false);
		await settled();
	}
}

describe('requests in flight', () => {
	it.each([
		['six at the start', 0, 0, 6],
		['half as many after a refusal', 1, 0, 3],
		['one at least', 9, 0, 1],
		['one more after each success', 1, 5, 8],
		['never more than allowed', 1, 30, 20],
	])('are %s', async (_, refusals, successes, expected) => {
		const limiter = new Limiter(20);
		for (let count = 0; count < refusals; count++) limiter.refused(undefined);
		for (let count = 0; count < successes; count++) await answer(limiter);
		expect((await new Requests(limiter).ask(60)).inFlight).toBe(expected);
	});
});

describe('turns', () => {
	it('go from run to run, so that one request does not wait for the many of another run', async () => {
		const requests = new Requests(new Limiter(1));
		await requests.ask(5, 'bulk', { run: { name: 'bulk' } });
		await requests.ask(1, 'single', { run: { name: 'single' } });
		await requests.ask(2, 'other', { run: { name: 'other' } });
		for (let ended = 0; ended < 8; ended++) await requests.end();
		expect(requests.order).toEqual(['bulk', 'bulk', 'single', 'other', 'bulk', 'other', 'bulk', 'bulk']);
	});

	it('come first for a request that had one before', async () => {
		const requests = await new Requests(new Limiter(1)).ask(3, 'first');
		await requests.ask(1, 'again', { isRepeat: true });
		for (let ended = 0; ended < 4; ended++) await requests.end();
		expect(requests.order).toEqual(['first', 'again', 'first', 'first']);
	});

	it('end for a late request and a stopped execution while another request is in flight, with one timer', async () => {
		const stop = new AbortController();
		const requests = await new Requests(new Limiter(1)).ask(1, 'first');
		await requests.ask(1, '', { signal: stop.signal });
		await requests.ask(1, '', { isRepeat: true, signal: stop.signal });
		await requests.ask(1, '', { deadline: time.now + 400 });
		await requests.ask(1, 'last');
		expect(time.pending).toBe(1);
		stop.abort();
		await time.pass(250);
		expect(requests.order).toEqual(['first', 'stopped', 'stopped']);
		await time.pass(250);
		expect(requests.order.slice(3)).toEqual(['late']);
		await requests.end();
		expect(requests.order.slice(4)).toEqual(['last']);
		await time.pass(250);
		expect(time.pending).toBe(0);
	});

	it('end for a run that has waited long enough for a tenant that refuses everything', async () => {
		const limiter = new Limiter(1);
		const giveUpAt = (refusedSince: number) => refusedSince + 3_000;
		limiter.refused(undefined);
		await time.pass(2_999);
		limiter.refused(undefined);
		expect(await turnIn(limiter, { giveUpAt })).toBe('now');
		await time.pass(1);
		expect(await turnIn(limiter, { giveUpAt })).toBe('late');
		limiter.end(true);
		expect(await turnIn(limiter, { giveUpAt })).toBe('now');
	});
});

describe('a pause', () => {
	/** Milliseconds until a request begins. */
	async function untilBegin(limiter: Limiter): Promise<number> {
		const startedAt = time.now;
		expect(await time.until(turnIn(limiter))).toBe('now');
		return time.now - startedAt;
	}

	it.each([
		[120, 120],
		[60_000, 60_000],
		[Infinity, 60_000],
	])('of %d ms lets no request of any run begin for %d ms', async (asked, kept) => {
		const limiter = new Limiter(10);
		await turnIn(limiter);
		refuse(limiter, asked);
		expect(limiter.pauseEnd).toBe(time.now + kept);
		limiter.end(true);
		const another = turnIn(limiter, { run: {} });
		expect(await untilBegin(limiter)).toBe(kept);
		expect(await another).toBe('now');
	});

	it('begins after six refusals without as many successes, not after one now and then', async () => {
		const limiter = new Limiter(10);
		for (let times = 0; times < 10; times++) {
			limiter.refused(1_000);
			await answer(limiter);
		}
		for (let times = 0; times < 5; times++) limiter.refused(1_000);
		expect(await untilBegin(limiter)).toBe(0);
		limiter.end(false);
		limiter.refused(1_000);
		expect(await untilBegin(limiter)).toBe(1_000);
	});

	it('does not begin without Retry-After, and gets no longer by requests that were in flight before', async () => {
		const limiter = new Limiter(10);
		refuse(limiter);
		expect(await untilBegin(limiter)).toBe(0);
		limiter.end(false);
		limiter.refused(1_000);
		await time.pass(900);
		refuse(limiter, 1_000);
		expect(await untilBegin(limiter)).toBe(100);
	});

	it('does not keep a late request or a stopped execution, and leaves no timer behind', async () => {
		const limiter = new Limiter(10);
		const stop = new AbortController();
		refuse(limiter, 5_000);
		expect(await turnIn(limiter, { deadline: time.now + 5_000 })).toBe('late');
		expect(await turnIn(limiter, { signal: AbortSignal.abort() })).toBe('stopped');
		await time.pass(250);
		expect(time.pending).toBe(0);
		const waiting = turnIn(limiter, { deadline: time.now + 5_000, signal: stop.signal });
		stop.abort();
		await time.pass(250);
		expect(await waiting).toBe('stopped');
	});
});

it('what a limiter has learnt holds for a minute without a request, and as long as one is in flight', async () => {
	const inFlightAfter = async (milliseconds: number, isUnderWay: boolean) => {
		const limiter = new Limiter(10);
		await turnIn(limiter);
		limiter.refused(undefined);
		limiter.refused(undefined);
		if (!isUnderWay) limiter.end(false);
		await time.pass(milliseconds);
		return (await new Requests(limiter).ask(60)).inFlight + (isUnderWay ? 1 : 0);
	};
	// First, since what waits in the others looks around all that time.
	expect(await inFlightAfter(3_600_000, true)).toBe(1);
	expect(await inFlightAfter(60_000, false)).toBe(1);
	expect(await inFlightAfter(60_001, false)).toBe(6);
});
