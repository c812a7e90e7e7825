/** A moment: wall clock, and the processor time of the whole process, in milliseconds. */
interface Moment {
	wall: number;
	processor: number;
}

function now(): Moment {
	const { user, system } = process.cpuUsage();
	return { wall: performance.now(), processor: (user + system) / 1000 };
}

/**
 * Runs a task and measures for how long it stops the event loop at most.
 *
 * A stop is the time between two turns of the event loop. Its wall clock grows when other programs use the machine, and
 * its processor time when V8 collects garbage in other threads. So the smaller one counts: no other program adds to it.
 *
 * @returns milliseconds
 */
export async function longestStop(task: () => unknown): Promise<number> {
	let longest = 0;
	let isDone = false;
	let before = now();
	const turn = () => {
		const after = now();
		longest = Math.max(longest, Math.min(after.wall - before.wall, after.processor - before.processor));
		before = after;
	};
	const watching = new Promise<void>((resolve) => {
		const next = () => {
			turn();
			if (isDone) resolve();
			else setImmediate(next);
		};
		setImmediate(next);
	});
	// The task begins in a turn of its own.
	await new Promise(setImmediate);
	try {
		await task();
	} finally {
		isDone = true;
		await watching;
	}
	return longest;
}

/** No input may stop the event loop for longer, in milliseconds. */
export const TARGET = 50;

/** Work that never changes: it tells how fast the machine is at a moment. Takes some milliseconds. */
function referenceMs(): number {
	const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index })));
	const before = now();
	JSON.parse(text);
	const after = now();
	return Math.min(after.wall - before.wall, after.processor - before.processor);
}

/** What the reference takes while nothing else uses the processor. */
let quietest = Infinity;

/**
 * Returns how much slower the machine is than at its quietest so far: 1 or more. Two programs on one core with two
 * threads take up to twice as much processor time each.
 */
function slowness(): number {
	const samples = Array.from({ length: 5 }, referenceMs);
	quietest = Math.min(quietest, ...samples);
	return Math.min(...samples) / quietest;
}

/** How often a task is repeated that seems to stop the event loop for too long. */
const REPETITIONS = 5;

/** The longest stops of many tasks. */
export class Stops {
	private longest = 0;

	private worst = 'none';

	constructor(private readonly what: string) {
		slowness();
	}

	/**
	 * Runs a task and fails when it stops the event loop for longer than the target.
	 *
	 * A stop that is owed to the input comes again. A stop that is owed to the collection of garbage, to the compiler or to
	 * a busy machine does not. So the shortest of a few runs counts, as long as it would take on a machine without other
	 * work.
	 *
	 * @param name tells the task in the output
	 */
	async add<Result>(name: string, task: () => Result): Promise<Awaited<Result>> {
		let result: Awaited<Result> | undefined;
		let stop = Infinity;
		for (let count = 0; count < REPETITIONS && stop > TARGET; count++) {
			const again = await longestStop(async () => {
				result = await task();
			});
			stop = Math.min(stop, again);
			// Only where it matters, since the reference takes its time too.
			if (stop > TARGET) stop /= slowness();
		}
		if (stop > this.longest) [this.longest, this.worst] = [stop, name];
		if (stop > TARGET) throw new Error(`It stops the event loop for ${stop.toFixed(0)} ms`);
		return result as Awaited<Result>;
	}

	/** Prints one line. */
	print(): void {
		process.stdout.write(
			`${this.what}: the longest stop took ${this.longest.toFixed(1)} ms (${this.worst})\n`,
		);
	}
}
