import { sleep } from 'n8n-workflow';

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

/** A text that is not longer is parsed at once, in a few milliseconds. */
const MAX_AT_ONCE = 512 * 1024;

/** Maximum number of brackets within brackets in a long text. */
const MAX_LEVELS = 1000;

/** Where the list of records begins in a text: with the text itself, or with the member `data`. */
const LIST = /^\s*\[|"data"\s*:\s*\[/;

/** Goes through a JSON text and knows how deep it is in brackets. */
class Depth {
	level = 0;

	private inText = false;

	/** Goes on to an index. Stops behind a comma or bracket of level `until`, and returns where. */
	go(json: string, from: number, to: number, until = -1): number {
		for (let index = from; index < to; index++) {
			const character = json[index];
			if (this.inText) {
				if (character === '\\') index++;
				else if (character === '"') this.inText = false;
			} else if (character === '"') this.inText = true;
			else if (character === '{' || character === '[') {
				if (++this.level > MAX_LEVELS) throw new Error('Too deep');
			} else if (character === '}' || character === ']') {
				if (--this.level < until) return index;
			} else if (character === ',' && this.level === until) return index;
		}
		return to;
	}
}

/**
 * Parses a JSON text. It parses the records of a long list part by part, and yields to the event loop in between.
 *
 * @throws Error when the text is not JSON, or when a long one nests too deeply
 */
export async function parseLong(json: string): Promise<unknown> {
	const [opening] = json.length > MAX_AT_ONCE ? (LIST.exec(json.slice(0, MAX_AT_ONCE)) ?? []) : [];
	if (opening === undefined) return JSON.parse(json) as unknown;
	const start = json.indexOf(opening) + opening.length;
	const depth = new Depth();
	depth.go(json, 0, start);
	const isRoot = /^\s*\[$/.test(opening);
	const level = isRoot ? 1 : 2;
	if (depth.level !== level) return JSON.parse(json) as unknown;
	const records: unknown[] = [];
	let part = start;
	let at = start;
	for (;;) {
		at = depth.go(json, at, json.length, level);
		const isEnd = json[at] !== ',';
		if (isEnd || at - part > MAX_AT_ONCE) {
			const text = json.slice(part, at);
			if (text.trim() !== '' || !isEnd) {
				for (const record of JSON.parse(`[${text}]`) as unknown[]) records.push(record);
			}
			part = at + 1;
			await sleep(0);
		}
		if (isEnd) break;
		at++;
	}
	const rest: unknown = JSON.parse(json.slice(0, start) + json.slice(at));
	if (isRoot) return records;
	return { ...(rest as object), data: records };
}
