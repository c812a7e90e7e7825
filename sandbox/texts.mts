/**
 * A text, a number or a boolean as text; an empty text for any other value. Never throws: `String` does for an object with a
 * member `toString`, which any client can send.
 */
export const stringOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Whether a value is an object with members of any names. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
