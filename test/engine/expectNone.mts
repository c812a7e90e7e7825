/** So many sentences are shown at most: a list of hundreds hides what it is about. */
const MAX_SHOWN = 20;

/**
 * Fails with these sentences, each of which names a file and says what to do there; none of them, and all is well.
 *
 * @throws Error that holds nothing else, so that nobody has to read a difference between two values
 */
export function expectNone(sentences: string[]): void {
	if (sentences.length === 0) return;
	const more = sentences.length > MAX_SHOWN ? [`… and ${sentences.length - MAX_SHOWN} more`] : [];
	const failure = new Error([...sentences.slice(0, MAX_SHOWN), ...more].join('\n'));
	// Shows the test, not this file.
	Error.captureStackTrace(failure, expectNone);
	throw failure;
}
