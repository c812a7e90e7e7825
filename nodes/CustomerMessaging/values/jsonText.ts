/** Limits of a JSON text. Within them, it takes less than 50 ms to parse and to check. */
export const MAX_VALUES = 30_000;
export const MAX_LENGTH = 10_000_000;

/** What makes a JSON text too large to be parsed. */
export type Excess = 'deep' | 'long' | 'many';

/**
 * Returns why a JSON text must not be parsed; undefined if it may. It does not parse the text: a text with many brackets
 * stops n8n's only thread, and one that nests too deeply exhausts the stack of later code.
 *
 * @param maxDepth maximum number of brackets within brackets
 * @param maxValues maximum number of brackets and commas
 */
export function excessOf(json: string, maxDepth: number, maxValues = MAX_VALUES): Excess | undefined {
	if (json.length > MAX_LENGTH) return 'long';
	let depth = 0;
	let values = 0;
	let inText = false;
	for (let index = 0; index < json.length; index++) {
		const character = json[index];
		if (inText) {
			if (character === '\\') index++;
			else if (character === '"') inText = false;
		} else if (character === '"') inText = true;
		else if (character === '{' || character === '[') {
			if (++depth > maxDepth) return 'deep';
			if (++values > maxValues) return 'many';
		} else if (character === '}' || character === ']') depth--;
		else if (character === ',' && ++values > maxValues) return 'many';
	}
	return undefined;
}
