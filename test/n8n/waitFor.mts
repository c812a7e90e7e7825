/**
 * Asks again until `probe` gives something other than undefined, and returns that.
 *
 * @param what names the awaited thing in the error
 * @param probe may throw to end the wait at once
 * @param within milliseconds until the wait is given up
 * @throws Error when the time is over
 */
export async function waitFor<T>(
	what: string,
	probe: () => Promise<T | undefined> | T | undefined,
	{ within = 30_000, every = 100 }: { within?: number; every?: number } = {},
): Promise<T> {
	const deadline = Date.now() + within;
	for (;;) {
		const found = await probe();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`Waited ${within / 1000} s in vain for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, every));
	}
}
