import { runInThisContext } from 'node:vm';

/** The realm of n8n's packages, whose timers the package uses. */
const realm = runInThisContext('globalThis') as typeof globalThis;

const START = Date.parse('2026-01-01T00:00:00Z');

/** Rounds without a timer after which nothing comes any more. */
const MAX_TURNS = 1000;

const BETWEEN_TESTS = 24 * 3_600_000;

interface Timer {
	at: number;
	act: () => void;
}

/** Lets so many turns of the event loop pass, in which everything runs that needs no time. */
export async function settled(turns = 5): Promise<void> {
	for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Looks at the names of files alone: jest would look each place up in the sources, which takes longer than most tests. */
function isCalledByJest(): boolean {
	if (realm.process.send !== undefined) return false;
	const { prepareStackTrace } = Error;
	Error.prepareStackTrace = (_error, sites) => sites.some((site) => site.getFileName()?.includes('@jest'));
	const isCalled = new Error().stack as unknown;
	Error.prepareStackTrace = prepareStackTrace;
	return isCalled === true;
}

/** A time that only passes when a test says so. It stands for the clock and for the timers of what is tested. */
export class VirtualTime {
	/** Milliseconds since 1970. */
	now = START;

	private readonly timers: Timer[] = [];

	/** Number of timers that are still to come. */
	get pending(): number {
		return this.timers.length;
	}

	/** Lets time pass, and everything happen that is to happen meanwhile, each at its time. */
	async pass(milliseconds: number): Promise<void> {
		const end = this.now + milliseconds;
		await settled();
		while (this.timers.some(({ at }) => at <= end)) await this.next();
		this.now = end;
		await settled();
	}

	/** Lets as much time pass as something takes: the clock jumps from timer to timer. */
	async until<T>(work: Promise<T>): Promise<T> {
		let isOver = false;
		const end = () => (isOver = true);
		work.then(end, end);
		await settled();
		// Something may still be under way that takes more than a few turns of the event loop.
		for (let turns = 0; !isOver; turns++) {
			if (this.pending > 0) await this.next();
			else if (turns < MAX_TURNS) await settled();
			else throw new Error('It waits for something that no timer brings about');
		}
		return await work;
	}

	/** Goes to the next timer. */
	private async next(): Promise<void> {
		const at = Math.min(...this.timers.map((timer) => timer.at));
		this.now = Math.max(this.now, at);
		const [timer] = this.timers.splice(
			this.timers.findIndex((one) => one.at === at),
			1,
		);
		timer.act();
		await settled();
	}

	static inEachTest(): VirtualTime {
		const time = new VirtualTime();
		beforeEach(() => {
			jest.spyOn(Date, 'now').mockImplementation(() => time.now);
			jest.spyOn(realm.performance, 'now').mockImplementation(() => time.now);
			const setRealTimer = realm.setTimeout;
			const setTimer = (act: () => void, milliseconds = 0) => {
				// Where all tests run in one process, jest reports there how far they are.
				if (isCalledByJest()) return setRealTimer(act, milliseconds);
				time.timers.push({ at: time.now + milliseconds, act });
				return 0;
			};
			jest.spyOn(realm, 'setTimeout').mockImplementation(setTimer as never);
		});
		afterEach(async () => {
			// What looks around from time to time sees that nothing is left.
			await time.pass(1000);
			time.timers.splice(0);
			time.now += BETWEEN_TESTS;
			jest.restoreAllMocks();
		});
		return time;
	}
}
