import { ConcurrencyLimiter } from '../../../nodes/CustomerMessaging/transport/concurrencyLimiter.ts';
import { wait } from '../../../nodes/CustomerMessaging/transport/wait.ts';

/** A time that only passes when a test says so. */
let now = 0;
/** Lets everything run that needs no time to pass. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** Requests that are answered when the test says so. */
class Requests {
	started = 0;

	private readonly open: Array<() => void> = [];

	constructor(
		private readonly limiter: ConcurrencyLimiter,
		private readonly signal?: AbortSignal,
	) {}

	/** Asks for so many requests; the limiter decides when they go out. */
	async ask(count: number): Promise<void> {
		for (let index = 0; index < count; index++) {
			void this.limiter.run(async () => {
				this.started++;
				await new Promise<void>((resolve) => this.open.push(resolve));
			}, this.signal);
		}
		await settled();
	}

	/** Answers the oldest request after some time. */
	async answer(milliseconds: number): Promise<void> {
		now += milliseconds;
		this.open.shift()?.();
		await settled();
	}

	get inFlight(): number {
		return this.open.length;
	}
}

describe('requests in flight', () => {
	beforeEach(() => {
		now = Date.parse('2026-01-01T00:00:00Z');
		jest.spyOn(Date, 'now').mockImplementation(() => now);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});

	it.each([
		[40, 10],
		[10, 10],
		[9, 9],
		[1, 1],
	])('with at most %i allowed, %i go out at first', async (most, first) => {
		const requests = new Requests(new ConcurrencyLimiter(most));
		await requests.ask(60);
		expect(requests.started).toBe(first);
	});

	it('are one more after each quick answer, up to the most allowed', async () => {
		const requests = new Requests(new ConcurrencyLimiter(13));
		await requests.ask(60);
		const counts: number[] = [];
		for (let answers = 0; answers < 5; answers++) {
			await requests.answer(0);
			counts.push(requests.inFlight);
		}
		expect(counts).toEqual([11, 12, 13, 13, 13]);
	});

	/** Requests that go out behind an answer that took so long, the quickest so far having taken 10 ms. */
	async function inFlightAfter(milliseconds: number): Promise<number> {
		const limiter = new ConcurrencyLimiter(20);
		const requests = new Requests(limiter);
		await limiter.run(async () => {
			now += 10;
		}, undefined);
		await requests.ask(1);
		await requests.answer(milliseconds);
		await requests.ask(60);
		return requests.inFlight;
	}

	it('stay as they are while answers take up to three times the quickest and 50 ms', async () => {
		expect(await inFlightAfter(80)).toBe(12);
	});

	it('are half as many after a slower answer', async () => {
		expect(await inFlightAfter(81)).toBe(5);
	});

	it.each([
		['once by a slow moment', 5, 5],
		['again when it lasts longer than half a second', 6, 4],
	])('are halved %s', async (_, slowAnswers, expected) => {
		const limiter = new ConcurrencyLimiter(20);
		const taking = async (milliseconds: number) =>
			await limiter.run(async () => {
				now += milliseconds;
			}, undefined);
		await taking(0);
		for (let answers = 0; answers < slowAnswers; answers++) await taking(100);
		const requests = new Requests(limiter);
		await requests.ask(60);
		expect(requests.started).toBe(expected);
	});

	it('are never fewer than four, so that the run comes to its end', async () => {
		const limiter = new ConcurrencyLimiter(20);
		for (let halved = 0; halved < 6; halved++) {
			limiter.pause(0);
			now += 501;
		}
		const requests = new Requests(limiter);
		await requests.ask(60);
		expect(requests.started).toBe(4);
	});

	it('are no more than allowed where fewer than four are', async () => {
		const limiter = new ConcurrencyLimiter(2);
		limiter.pause(0);
		now += 1;
		const requests = new Requests(limiter);
		await requests.ask(60);
		expect(requests.started).toBe(2);
	});
});

describe('a pause', () => {
	it('has all requests wait until it is over', async () => {
		const limiter = new ConcurrencyLimiter(10);
		const startedAt = Date.now();
		limiter.pause(120);
		const at = await Promise.all(
			[1, 2].map(async () => await limiter.run(async () => Date.now(), undefined)),
		);
		for (const time of at) expect(time - startedAt).toBeGreaterThanOrEqual(119);
	});

	it('is not cut short by a shorter one', async () => {
		const limiter = new ConcurrencyLimiter(10);
		const startedAt = Date.now();
		limiter.pause(150);
		limiter.pause(1);
		expect((await limiter.run(async () => Date.now(), undefined)) - startedAt).toBeGreaterThanOrEqual(149);
	});

	it('that begins while a request waits is waited for too', async () => {
		const limiter = new ConcurrencyLimiter(10);
		const startedAt = Date.now();
		limiter.pause(60);
		const waiting = limiter.run(async () => Date.now(), undefined);
		limiter.pause(160);
		expect((await waiting) - startedAt).toBeGreaterThanOrEqual(159);
	});

	it('does not keep a stopped execution', async () => {
		const limiter = new ConcurrencyLimiter(10);
		const startedAt = Date.now();
		limiter.pause(60_000);
		await limiter.run(async () => {}, AbortSignal.abort());
		expect(Date.now() - startedAt).toBeLessThan(1_000);
	});

	it('halves what is in flight, and its own answer does not count as quick', async () => {
		const limiter = new ConcurrencyLimiter(20);
		await limiter.run(async () => limiter.pause(5), undefined);
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
