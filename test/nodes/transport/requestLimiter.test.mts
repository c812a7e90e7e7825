import {
	type Asker,
	limiterOf,
	RequestLimiter,
	type Turn,
} from '../../../nodes/CustomerMessaging/transport/requestLimiter.ts';
import { wait } from '../../../nodes/CustomerMessaging/transport/wait.ts';

/** A time that only passes when a test says so. */
let now = 0;
/** Lets everything run that needs no time to pass. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

const RUN = {};

/** Ends what a test leaves waiting, which would be looked after for ever. */
let end = new AbortController();
beforeEach(() => {
	end = new AbortController();
});
afterEach(() => end.abort());

/** Asks for a turn, as a request of one run with much time does. */
const turnIn = async (limiter: RequestLimiter, asker: Partial<Asker> = {}): Promise<Turn> =>
	await limiter.turn({
		run: RUN,
		deadline: Infinity,
		patientUntil: () => Infinity,
		isRepeat: false,
		signal: end.signal,
		...asker,
	});

/** A request that is answered after some time. */
async function taking(limiter: RequestLimiter, milliseconds: number, kind = 'GET tags 0'): Promise<void> {
	await turnIn(limiter);
	now += milliseconds;
	limiter.answered(kind, milliseconds);
	limiter.end();
}

/** Requests that are answered when the test says so. */
class Requests {
	started = 0;

	/** Names of those that began, in their order. */
	readonly order: string[] = [];

	private readonly open: number[] = [];

	constructor(private readonly limiter: RequestLimiter) {}

	/** Asks for so many requests; the limiter decides when they go out. */
	async ask(count: number, name = '', asker: Partial<Asker> = {}): Promise<void> {
		for (let index = 0; index < count; index++) {
			void turnIn(this.limiter, asker).then((turn) => {
				this.order.push(turn === 'now' ? name : turn);
				if (turn !== 'now') return;
				this.started++;
				this.open.push(now);
			});
		}
		await settled();
	}

	/** Answers the oldest request after some time. */
	async answer(milliseconds: number): Promise<void> {
		now += milliseconds;
		this.limiter.answered('GET tags 0', now - (this.open.shift() ?? now));
		this.limiter.end();
		await settled();
	}

	get inFlight(): number {
		return this.open.length;
	}
}

describe('with a time of its own,', () => {
	beforeEach(() => {
		now = Date.parse('2026-01-01T00:00:00Z');
		jest.spyOn(Date, 'now').mockImplementation(() => now);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});

	describe('requests in flight', () => {
		it.each([
			[40, 10],
			[10, 10],
			[9, 9],
			[1, 1],
		])('with at most %i allowed, %i go out at first', async (most, first) => {
			const requests = new Requests(new RequestLimiter(most));
			await requests.ask(60);
			expect(requests.started).toBe(first);
		});

		it('are one more after each quick answer, up to the most allowed', async () => {
			const requests = new Requests(new RequestLimiter(13));
			await requests.ask(60);
			const counts: number[] = [];
			for (let answers = 0; answers < 5; answers++) {
				await requests.answer(0);
				counts.push(requests.inFlight);
			}
			expect(counts).toEqual([11, 12, 13, 13, 13]);
		});

		/** Requests that go out behind an answer that took so long, the quickest so far having taken 10 ms. */
		async function inFlightAfter(milliseconds: number, kind?: string): Promise<number> {
			const limiter = new RequestLimiter(20);
			const requests = new Requests(limiter);
			await taking(limiter, 10);
			await taking(limiter, milliseconds, kind);
			await requests.ask(60);
			return requests.inFlight;
		}

		it('stay as they are while answers take up to three times the quickest and 50 ms', async () => {
			expect(await inFlightAfter(80)).toBe(12);
		});

		it('are half as many after a slower answer', async () => {
			expect(await inFlightAfter(81)).toBe(5);
		});

		it('are as many after an answer to another kind of request, which may take longer', async () => {
			expect(await inFlightAfter(800, 'POST conversations 3')).toBe(12);
		});

		it('are measured by what is quick today', async () => {
			const limiter = new RequestLimiter(20);
			await taking(limiter, 10);
			now += 10 * 60_000;
			await taking(limiter, 2_000);
			const requests = new Requests(limiter);
			await requests.ask(60);
			expect(requests.inFlight).toBe(12);
		});

		it.each([
			['once by a slow moment', 5, 5],
			['again when it lasts longer than half a second', 6, 4],
		])('are halved %s', async (_, slowAnswers, expected) => {
			const limiter = new RequestLimiter(20);
			await taking(limiter, 0);
			for (let answers = 0; answers < slowAnswers; answers++) await taking(limiter, 100);
			const requests = new Requests(limiter);
			await requests.ask(60);
			expect(requests.started).toBe(expected);
		});

		it('are never fewer than four, so that the run comes to its end', async () => {
			const limiter = new RequestLimiter(20);
			for (let halved = 0; halved < 6; halved++) {
				limiter.pause(0);
				now += 501;
			}
			const requests = new Requests(limiter);
			await requests.ask(60);
			expect(requests.started).toBe(4);
		});

		it('are no more than allowed where fewer than four are', async () => {
			const limiter = new RequestLimiter(2);
			limiter.pause(0);
			now += 1;
			const requests = new Requests(limiter);
			await requests.ask(60);
			expect(requests.started).toBe(2);
		});
	});

	describe('the turns', () => {
		it('go from run to run, so that one request does not wait for the many of another run', async () => {
			const requests = new Requests(new RequestLimiter(1));
			await requests.ask(5, 'bulk', { run: { name: 'bulk' } });
			await requests.ask(1, 'single', { run: { name: 'single' } });
			await requests.ask(2, 'other', { run: { name: 'other' } });
			for (let answers = 0; answers < 8; answers++) await requests.answer(0);
			expect(requests.order).toEqual(['bulk', 'bulk', 'single', 'other', 'bulk', 'other', 'bulk', 'bulk']);
		});

		it('come first for a request that had one before', async () => {
			const requests = new Requests(new RequestLimiter(1));
			await requests.ask(3, 'first');
			await requests.ask(1, 'again', { isRepeat: true });
			for (let answers = 0; answers < 4; answers++) await requests.answer(0);
			expect(requests.order).toEqual(['first', 'again', 'first', 'first']);
		});

		it('are over for a request whose deadline has come, and for a stopped execution', async () => {
			const stop = new AbortController();
			const requests = new Requests(new RequestLimiter(1));
			await requests.ask(1, 'first');
			await requests.ask(1, 'second', { deadline: now + 10 });
			await requests.ask(1, 'third', { signal: stop.signal });
			await requests.ask(1, 'fourth');
			stop.abort();
			await requests.answer(10);
			expect(requests.order).toEqual(['first', 'late', 'stopped', 'fourth']);
		});

		it('are refused at once when the pause lasts longer than the request may wait', async () => {
			const limiter = new RequestLimiter(1);
			limiter.pause(5_000);
			expect(await turnIn(limiter, { deadline: now + 5_000 })).toBe('late');
			expect(limiter.pauseEnd).toBe(now + 5_000);
		});
	});

	describe('the quota that the tenant tells', () => {
		it('lets no more requests out than it has left, without those that are on their way', async () => {
			const limiter = new RequestLimiter(20);
			const requests = new Requests(limiter);
			await requests.ask(3);
			limiter.keepTo({ remaining: 6, resetAfter: 10_000 });
			await requests.ask(60);
			expect(requests.started).toBe(7);
		});

		it('is renewed at its time, and not before', async () => {
			const limiter = new RequestLimiter(20);
			const requests = new Requests(limiter);
			await requests.ask(1);
			limiter.keepTo({ remaining: 0, resetAfter: 1_000 });
			await requests.answer(0);
			await requests.ask(1, 'late', { deadline: now + 1_000 });
			expect(requests.order).toEqual(['', 'late']);
			now += 1_000;
			await requests.ask(3);
			expect(requests.started).toBe(4);
		});

		it('is renewed at its time, even while a request takes long', async () => {
			const limiter = new RequestLimiter(20);
			const requests = new Requests(limiter);
			await requests.ask(1);
			limiter.keepTo({ remaining: 0, resetAfter: 1_000 });
			await requests.ask(1);
			expect(requests.started).toBe(1);
			now += 1_000;
			await requests.ask(1);
			expect(requests.started).toBe(3);
		});

		it('holds for a minute at most, so that a wrong one does not stop everything', async () => {
			const limiter = new RequestLimiter(20);
			const requests = new Requests(limiter);
			await requests.ask(1);
			limiter.keepTo({ remaining: 0, resetAfter: 86_400_000 });
			await requests.answer(0);
			await requests.ask(1, 'late', { deadline: now + 59_000 });
			expect(limiter.pauseEnd).toBe(now + 60_000);
		});
	});

	describe('the limiter of a tenant', () => {
		it('is the same for all runs, and keeps to the latest maximum', async () => {
			const limiter = limiterOf('one tenant', 3);
			const requests = new Requests(limiter);
			await requests.ask(60);
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
			now += 5 * 60_000;
			expect(limiterOf('a silent tenant', 3)).toBe(limiter);
			now += 1;
			expect(limiterOf('a silent tenant', 3)).not.toBe(limiter);
		});

		it('is kept while a request is on its way', async () => {
			const limiter = limiterOf('a slow tenant', 3);
			await turnIn(limiter);
			now += 60 * 60_000;
			expect(limiterOf('a slow tenant', 3)).toBe(limiter);
		});
	});
});

describe('a pause', () => {
	const timeOfTurn = async (limiter: RequestLimiter, asker: Partial<Asker> = {}) => {
		await turnIn(limiter, asker);
		return Date.now();
	};

	it('has all requests wait until it is over, and tells how long', async () => {
		const limiter = new RequestLimiter(10);
		const startedAt = Date.now();
		limiter.pause(120);
		const at = await Promise.all([1, 2].map(async () => await timeOfTurn(limiter)));
		for (const time of at) expect(time - startedAt).toBeGreaterThanOrEqual(119);
		expect(limiter.paused).toBe(120);
		limiter.pause(60_000);
		expect(limiter.paused).toBeGreaterThanOrEqual(120);
		expect(limiter.paused).toBeLessThan(60_000);
	});

	it('is not cut short by a shorter one', async () => {
		const limiter = new RequestLimiter(10);
		const startedAt = Date.now();
		limiter.pause(150);
		limiter.pause(1);
		expect((await timeOfTurn(limiter)) - startedAt).toBeGreaterThanOrEqual(149);
	});

	it('that begins while a request waits is waited for too', async () => {
		const limiter = new RequestLimiter(10);
		const startedAt = Date.now();
		limiter.pause(60);
		const waiting = timeOfTurn(limiter);
		limiter.pause(160);
		expect((await waiting) - startedAt).toBeGreaterThanOrEqual(159);
	});

	it('does not keep a stopped execution', async () => {
		const limiter = new RequestLimiter(10);
		const stop = new AbortController();
		const startedAt = Date.now();
		limiter.pause(60_000);
		expect(await turnIn(limiter, { signal: AbortSignal.abort() })).toBe('stopped');
		const waiting = turnIn(limiter, { signal: stop.signal });
		stop.abort();
		expect(await waiting).toBe('stopped');
		expect(Date.now() - startedAt).toBeLessThan(1_000);
	});

	it('halves what is in flight, and its own answer does not count as quick', async () => {
		const limiter = new RequestLimiter(20);
		await turnIn(limiter);
		limiter.pause(5);
		limiter.answered('GET tags 0', 0);
		limiter.end();
		await new Promise((resolve) => setTimeout(resolve, 10));
		const requests = new Requests(limiter);
		await requests.ask(60);
		expect(requests.started).toBe(5);
	});
});

describe('waiting', () => {
	it('takes as long as it says', async () => {
		const startedAt = Date.now();
		await wait(300, undefined);
		expect(Date.now() - startedAt).toBeGreaterThanOrEqual(299);
	});

	it('ends soon after the execution was stopped', async () => {
		const stop = new AbortController();
		const startedAt = Date.now();
		setTimeout(() => stop.abort(), 20);
		await wait(60_000, stop.signal);
		expect(Date.now() - startedAt).toBeLessThan(1_000);
	});
});
