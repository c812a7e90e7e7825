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
