/**
 * A text, a number or a boolean as text; an empty text for any other value. Never throws: `String` does for an object with a
 * member `toString`, which any client can send.
 */
export const stringOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
	typeof thrown === 'object' && thrown !== null && 'message' in thrown
		? stringOf(thrown.message)
		: stringOf(thrown);
