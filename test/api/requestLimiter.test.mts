import {
	type Asker,
	limiterOf,
	MAX_PAUSE_MS,
	RequestLimiter,
	type Turn,
} from '../../nodes/CustomerMessaging/api/requestLimiter.ts';
import { settled, VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const RUN = {};

/** Asks for a turn, as a request of one run with much time does. */
const turnIn = async (limiter: RequestLimiter, asker: Partial<Asker> = {}): Promise<Turn> =>
	await limiter.turn({
		run: RUN,
		deadline: Infinity,
		patientUntil: () => Infinity,
		isRepeat: false,
		...asker,
	});

/** Refuses so many requests in a row that all others wait. */
function refuse(limiter: RequestLimiter, milliseconds: number): void {
	for (let refusals = 0; refusals < 4; refusals++) limiter.refused(milliseconds);
}

/** A request that is answered after some time. */
async function taking(limiter: RequestLimiter, milliseconds: number, kind = 'GET tags 0'): Promise<void> {
	await turnIn(limiter);
	time.now += milliseconds;
	limiter.answered(kind, milliseconds);
	limiter.end();
}

/** Requests that are answered when the test says so. */
class Requests {
	started = 0;

	/** What became of them, in their order: their names for those that began. */
	readonly order: string[] = [];

	private readonly open: number[] = [];

	constructor(private readonly limiter: RequestLimiter) {}

	/** Asks for so many requests; the limiter decides when they go out. */
	async ask(count: number, name = '', asker: Partial<Asker> = {}): Promise<this> {
		for (let index = 0; index < count; index++) {
			void turnIn(this.limiter, asker).then((turn) => {
				this.order.push(turn === 'now' ? name : turn);
				if (turn !== 'now') return;
				this.started++;
				this.open.push(time.now);
			});
		}
		await settled();
		return this;
	}

	/** Answers the oldest request after some time. */
	async answer(milliseconds = 0): Promise<void> {
		time.now += milliseconds;
		this.limiter.answered('GET tags 0', time.now - (this.open.shift() ?? time.now));
		this.limiter.end();
		await settled();
	}

	get inFlight(): number {
		return this.open.length;
	}
}

describe('requests in flight', () => {
	it.each([
		[40, 6],
		[6, 6],
		[5, 5],
		[1, 1],
	])('with at most %i allowed, %i go out at first', async (most, first) => {
		expect((await new Requests(new RequestLimiter(most)).ask(60)).started).toBe(first);
	});

	it.each([
		['up to the most allowed', 9, 20, [7, 8, 9, 9, 9]],
		['up to two for each millisecond that an answer takes', 20, 4, [7, 8, 8, 8, 8]],
	])('are one more after each quick answer, %s', async (_, most, milliseconds, expected) => {
		const limiter = new RequestLimiter(most);
		const requests = await new Requests(limiter).ask(60);
		const counts: number[] = [];
		for (let answers = 0; answers < 5; answers++) {
			limiter.answered('GET tags 0', milliseconds);
			limiter.end();
			await settled();
			counts.push(requests.started - answers - 1);
		}
		expect(counts).toEqual(expected);
	});

	/** Requests that go out behind an answer that took so long, the quickest so far having taken 10 ms. */
	async function inFlightAfter(milliseconds: number, kind?: string): Promise<number> {
		const limiter = new RequestLimiter(20);
		await taking(limiter, 10);
		await taking(limiter, milliseconds, kind);
		return (await new Requests(limiter).ask(60)).inFlight;
	}

	it.each<[string, number, string | undefined, number]>([
		['stay as they are while answers take up to three times the quickest and 50 ms', 80, undefined, 8],
		['are half as many after a slower answer', 81, undefined, 4],
		[
			'are as many after an answer to another kind of request, which may take longer',
			800,
			'POST conversations 3',
			8,
		],
	])('%s', async (_sentence, milliseconds, kind, expected) => {
		expect(await inFlightAfter(milliseconds, kind)).toBe(expected);
	});

	it('are measured by what is quick today', async () => {
		const limiter = new RequestLimiter(20);
		await taking(limiter, 10);
		time.now += 10 * 60_000;
		await taking(limiter, 2_000);
		expect((await new Requests(limiter).ask(60)).inFlight).toBe(8);
	});

	it.each([
		['once by a slow moment', 5, 10],
		['again when it lasts longer than half a second', 6, 5],
	])('are halved %s', async (_, slowAnswers, expected) => {
		const limiter = new RequestLimiter(20);
		for (let quickAnswers = 0; quickAnswers < 20; quickAnswers++) await taking(limiter, 12);
		for (let answers = 0; answers < slowAnswers; answers++) await taking(limiter, 100);
		expect((await new Requests(limiter).ask(60)).started).toBe(expected);
	});

	it.each([
		['are never fewer than four, so that the run comes to its end', 20, 6, 4],
		['are no more than allowed where fewer than four are', 2, 1, 2],
	])('%s', async (_sentence, most, refusals, expected) => {
		const limiter = new RequestLimiter(most);
		for (let halved = 0; halved < refusals; halved++) {
			refuse(limiter, 0);
			time.now += 501;
		}
		expect((await new Requests(limiter).ask(60)).started).toBe(expected);
	});

	it('grow again by one for each round, not for each answer, where the tenant was too busy before', async () => {
		const limiter = new RequestLimiter(20);
		refuse(limiter, 0);
		const requests = await new Requests(limiter).ask(60);
		expect(requests.inFlight).toBe(4);
		for (let answers = 0; answers < 5; answers++) {
			limiter.answered('GET tags 0', 20);
			limiter.end();
		}
		await settled();
		expect(requests.started - 5).toBe(5);
	});
});

describe('the turns', () => {
	it('go from run to run, so that one request does not wait for the many of another run', async () => {
		const requests = new Requests(new RequestLimiter(1));
		await requests.ask(5, 'bulk', { run: { name: 'bulk' } });
		await requests.ask(1, 'single', { run: { name: 'single' } });
		await requests.ask(2, 'other', { run: { name: 'other' } });
		for (let answers = 0; answers < 8; answers++) await requests.answer();
		expect(requests.order).toEqual(['bulk', 'bulk', 'single', 'other', 'bulk', 'other', 'bulk', 'bulk']);
	});

	it('come first for a request that had one before', async () => {
		const requests = new Requests(new RequestLimiter(1));
		await requests.ask(3, 'first');
		await requests.ask(1, 'again', { isRepeat: true });
		for (let answers = 0; answers < 4; answers++) await requests.answer();
		expect(requests.order).toEqual(['first', 'again', 'first', 'first']);
	});

	it('are given back by a request that is late, or whose execution was stopped', async () => {
		const stop = new AbortController();
		const requests = new Requests(new RequestLimiter(1));
		await requests.ask(1, 'first');
		await requests.ask(1, 'second', { deadline: time.now + 10 });
		await requests.ask(1, 'third', { signal: stop.signal });
		await requests.ask(1, 'repeated', { isRepeat: true, signal: stop.signal });
		await requests.ask(2, 'fourth');
		stop.abort();
		await requests.answer(10);
		expect(requests.order).toEqual(['first', 'stopped', 'late', 'stopped', 'fourth']);
		await requests.answer();
		expect(requests.order.slice(5)).toEqual(['fourth']);
		await requests.answer();
		await time.pass(250);
		expect(time.pending).toBe(0);
	});

	it('are looked after by one timer for all that wait', async () => {
		await new Requests(new RequestLimiter(1)).ask(60);
		expect(time.pending).toBe(1);
	});

	it('are told to be over while a request in flight does not end', async () => {
		const stop = new AbortController();
		const requests = new Requests(new RequestLimiter(1));
		await requests.ask(1, 'first');
		await requests.ask(1, 'stopped one', { signal: stop.signal });
		await requests.ask(1, 'late one', { deadline: time.now + 400 });
		stop.abort();
		await time.pass(250);
		expect(requests.order).toEqual(['first', 'stopped']);
		await time.pass(250);
		expect(requests.order).toEqual(['first', 'stopped', 'late']);
	});

	it.each([
		[5_000, 'late'],
		[5_001, 'now'],
	])(
		'are refused at once when the pause of 5,000 ms lasts as long as the request may wait: %i ms is %s',
		async (most, turn) => {
			const limiter = new RequestLimiter(1);
			limiter.pause(5_000);
			const asking = turnIn(limiter, { deadline: time.now + most });
			expect(limiter.pauseEnd).toBe(time.now + 5_000);
			if (turn === 'late') expect(time.pending).toBe(0);
			expect(await time.until(asking)).toBe(turn);
		},
	);

	it('are over for a run that has waited long enough for a tenant that refuses everything', async () => {
		const limiter = new RequestLimiter(1);
		refuse(limiter, 1_000);
		const patientUntil = (refusedSince: number) => refusedSince + 3_000;
		expect(await time.until(turnIn(limiter, { patientUntil }))).toBe('now');
		refuse(limiter, 2_000);
		expect(await turnIn(limiter, { patientUntil })).toBe('late');
		limiter.end();
		limiter.answered('GET tags 0', 0);
		expect(await turnIn(limiter, { patientUntil: () => Infinity, signal: AbortSignal.abort() })).toBe(
			'stopped',
		);
	});

	it('are not over because the tenant refused everything long ago', async () => {
		const limiter = new RequestLimiter(1);
		const patientUntil = (refusedSince: number) => refusedSince + 3_000;
		refuse(limiter, 1_000);
		await time.pass(10_000);
		expect(await turnIn(limiter, { patientUntil })).toBe('now');
		refuse(limiter, 2_000);
		limiter.end();
		expect(await time.until(turnIn(limiter, { patientUntil }))).toBe('now');
	});
});

describe('the quota that the tenant tells', () => {
	it('lets no more requests out than it has left, without those that are on their way', async () => {
		const limiter = new RequestLimiter(20);
		const requests = await new Requests(limiter).ask(3);
		limiter.keepTo({ remaining: 4, resetAfter: 10_000 });
		await requests.ask(60);
		expect(requests.started).toBe(5);
	});

	it('is renewed at its time, and not before', async () => {
		const limiter = new RequestLimiter(20);
		const requests = await new Requests(limiter).ask(1);
		limiter.keepTo({ remaining: 0, resetAfter: 1_000 });
		await requests.answer();
		await requests.ask(1, 'late', { deadline: time.now + 1_000 });
		expect(requests.order).toEqual(['', 'late']);
		time.now += 1_000;
		await requests.ask(3);
		expect(requests.started).toBe(4);
	});

	it('is renewed at its time, even while a request takes long', async () => {
		const limiter = new RequestLimiter(20);
		const requests = await new Requests(limiter).ask(1);
		limiter.keepTo({ remaining: 0, resetAfter: 1_000 });
		await requests.ask(1);
		await time.pass(750);
		expect(requests.started).toBe(1);
		await time.pass(250);
		expect(requests.started).toBe(2);
	});

	it('holds for a minute at most, so that a wrong one does not stop everything', async () => {
		const limiter = new RequestLimiter(20);
		const requests = await new Requests(limiter).ask(1);
		limiter.keepTo({ remaining: 0, resetAfter: 86_400_000 });
		await requests.answer();
		await requests.ask(1, 'late', { deadline: time.now + 59_000 });
		expect(limiter.pauseEnd).toBe(time.now + MAX_PAUSE_MS);
	});
});

describe('a pause', () => {
	/** When a request goes out, in milliseconds from now. */
	async function wayOut(limiter: RequestLimiter): Promise<number> {
		const startedAt = time.now;
		expect(await time.until(turnIn(limiter))).toBe('now');
		return time.now - startedAt;
	}

	it.each([
		[120, 120],
		[MAX_PAUSE_MS, 60_000],
		[MAX_PAUSE_MS + 1, 60_000],
	])('of %i ms keeps all requests for %i ms', async (asked, kept) => {
		const limiter = new RequestLimiter(10);
		limiter.pause(asked);
		const another = turnIn(limiter, { run: {} });
		expect(await wayOut(limiter)).toBe(kept);
		expect(await another).toBe('now');
	});

	it('is not cut short by a shorter one', async () => {
		const limiter = new RequestLimiter(10);
		limiter.pause(150);
		limiter.pause(1);
		expect(await wayOut(limiter)).toBe(150);
	});

	it('that begins while a request waits is waited for too', async () => {
		const limiter = new RequestLimiter(10);
		limiter.pause(60);
		const waiting = wayOut(limiter);
		limiter.pause(160);
		expect(await waiting).toBe(160);
	});

	it('does not keep a stopped execution, and leaves no timer behind', async () => {
		const limiter = new RequestLimiter(10);
		const stop = new AbortController();
		limiter.pause(60_000);
		expect(await turnIn(limiter, { signal: AbortSignal.abort() })).toBe('stopped');
		const waiting = turnIn(limiter, { signal: stop.signal });
		stop.abort();
		await time.pass(250);
		expect(await waiting).toBe('stopped');
		await time.pass(250);
		expect(time.pending).toBe(0);
	});

	it('begins with the fourth refusal in a row, not with one now and then', async () => {
		const limiter = new RequestLimiter(10);
		for (let times = 0; times < 10; times++) {
			limiter.refused(1_000);
			limiter.answered('GET tags 0', 20);
		}
		for (let times = 0; times < 3; times++) limiter.refused(1_000);
		expect(await turnIn(limiter)).toBe('now');
		limiter.end();
		limiter.refused(1_000);
		expect(await wayOut(limiter)).toBe(1_000);
	});

	it('halves what is in flight, and an answer within it does not count as quick', async () => {
		const limiter = new RequestLimiter(20);
		for (let answers = 0; answers < 6; answers++) await taking(limiter, 12);
		refuse(limiter, 5);
		limiter.answered('GET tags 0', 12);
		time.now += 10;
		expect((await new Requests(limiter).ask(6)).started).toBe(6);
		expect((await new Requests(limiter).ask(1)).started).toBe(0);
	});
});

describe('the pace that refusals have shown', () => {
	/** A tenant that takes a number of requests, and then refuses some. */
	async function paced(taken: number, within = 1_000): Promise<RequestLimiter> {
		const limiter = new RequestLimiter(40);
		for (let answers = 0; answers < taken; answers++) await taking(limiter, 0);
		refuse(limiter, within);
		await time.pass(within);
		return limiter;
	}

	/** How many requests go out at once, if all that go out are taken. */
	async function goingOut(limiter: RequestLimiter): Promise<number> {
		const requests = await new Requests(limiter).ask(60);
		while (requests.inFlight > 0) await requests.answer();
		return requests.started;
	}

	it('is what the tenant took in such a time, and no more goes out in that time', async () => {
		expect(await goingOut(await paced(12))).toBe(12);
	});

	it.each([
		['of a long time is not kept to', 12, 3_000],
		['of nothing is none', 0, 1_000],
	])('%s', async (_, taken, within) => {
		expect(await goingOut(await paced(taken, within))).toBe(60);
	});

	it('grows slowly while it is used up and nothing is refused', async () => {
		const limiter = await paced(12);
		const requests = await new Requests(limiter).ask(200);
		const counts: number[] = [];
		for (let times = 0; times < 7; times++) {
			while (requests.inFlight > 0) await requests.answer();
			counts.push(requests.started);
			await time.pass(1_000);
		}
		expect(counts.map((count, at) => count - (counts[at - 1] ?? 0))).toEqual([12, 12, 12, 12, 13, 15, 19]);
	});

	it('is given up where it is not used up, and where a refusal has nothing to do with it', async () => {
		const unused = await paced(12);
		await time.until(turnIn(unused));
		unused.end();
		await time.pass(1_000);
		expect(await goingOut(unused)).toBe(60);
		const random = await paced(12);
		await time.until(turnIn(random));
		random.refused(1_000);
		random.end();
		expect(await goingOut(random)).toBe(60);
	});
});

describe('the limiter of a tenant', () => {
	it('is the same for all runs, and keeps to the latest maximum', async () => {
		const limiter = limiterOf('one tenant', 3);
		const requests = await new Requests(limiter).ask(60);
		expect(requests.started).toBe(3);
		expect(limiterOf('one tenant', 5)).toBe(limiter);
		await settled();
		expect(requests.started).toBe(5);
	});

	it('is another one for another tenant', () => {
		expect(limiterOf('a tenant', 3)).not.toBe(limiterOf('another tenant', 3));
	});

	it('is forgotten after five minutes without a request, not before', async () => {
		const limiter = limiterOf('a silent tenant', 3);
		await taking(limiter, 0);
		time.now += 5 * 60_000;
		expect(limiterOf('a silent tenant', 3)).toBe(limiter);
		time.now += 1;
		expect(limiterOf('a silent tenant', 3)).not.toBe(limiter);
	});

	it('is kept while a request is on its way', async () => {
		const limiter = limiterOf('a slow tenant', 3);
		await turnIn(limiter);
		time.now += 60 * 60_000;
		expect(limiterOf('a slow tenant', 3)).toBe(limiter);
	});
});
