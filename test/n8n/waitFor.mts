/** Milliseconds. No test measures by it: it only ends what hangs, on a busy machine too, before the test itself does (`jest.config.js`). */
const GIVEN_UP_AFTER = 200_000;

/**
 * Asks again until `probe` gives something other than undefined, and returns that.
 *
 * @param what names the awaited thing in the error
 * @param probe may throw to end the wait at once
 * @param every milliseconds between two
 * @throws Error when the time is over
 */
export async function waitFor<T>(
	what: string,
	probe: () => Promise<T | undefined> | T | undefined,
	{ every = 100 }: { every?: number } = {},
): Promise<T> {
	const deadline = Date.now() + GIVEN_UP_AFTER;
	for (;;) {
		const found = await probe();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`Waited ${GIVEN_UP_AFTER / 1000} s in vain for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, every));
	}
}
