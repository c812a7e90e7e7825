import { EventLoopYielder } from '../runner/eventLoop';
import { stringOf } from '../values/text';

export class TooLarge extends Error {}

/** Sets a member, which may be called `__proto__`. */
const setOwn = (record: object, name: string, value: unknown) =>
	Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true });

/** Maximum length of a text that is parsed without a pause. The worst text of this length takes about 10 ms. */
const MAX_PART = 32 * 1024;

/** The same for a flow collection (`{…}`, `[…]`), which is not divided. Long JSON does not come here: the transport reads it. */
export const MAX_WHOLE = 128 * 1024;

const MAX_DEPTH = 16;
const MAX_MEMBERS = 50_000;
const MAX_KEY = 300;
const STEPS = 4096;
const DOCUMENT = /^---\s*(#|$)/;

/** Matches a key of a YAML block mapping: in quotes, or plain. */
const KEY = /^ *("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#&*!|>%@`?{}[\],][^\n]*?) *:(?=\s|$)/;

/** Stands for a part that cannot be divided. Whoever looks into it gets the error. */
function unread(what: string): object {
	const refuse = () => {
		throw new TooLarge(`has a part of more than 32 kB that cannot be divided: ${what.slice(0, 60)}`);
	};
	return new Proxy({}, { getOwnPropertyDescriptor: refuse, ownKeys: refuse });
}

class Members {
	readonly result: object;
	private size = 0;

	constructor(private readonly list: unknown[] | undefined) {
		this.result = list ?? {};
	}

	set(key: string, value: unknown): void {
		if (++this.size > MAX_MEMBERS) throw new TooLarge('has a list of more than 50,000 entries');
		if (this.list) this.list.push(value);
		else setOwn(this.result, key, value);
	}

	add(part: unknown): void {
		if (typeof part !== 'object' || part === null || Array.isArray(part) !== (this.list !== undefined))
			throw new Error('Not the content of its collection');
		for (const key of Object.keys(part)) this.set(key, (part as Record<string, unknown>)[key]);
	}
}

/**
 * Parses a long text in YAML part by part, so that n8n's only thread is never blocked for long. It divides block mappings and
 * block lists between their entries.
 */
export class PartsReader {
	private readonly pause = new EventLoopYielder();
	private steps = 0;

	constructor(
		private readonly text: string,
		private readonly parse: (text: string) => unknown,
	) {}

	/** Reads the text. Fails if it is no YAML, or needs a name from another part. */
	async read(): Promise<unknown> {
		return await this.block(0, this.text.length, 0, 'all of it');
	}

	private async parsed(text: string): Promise<unknown> {
		await this.pause.yield();
		return this.parse(text);
	}

	/** Reads whole lines: a block mapping, a block list, or one flow collection. */
	private async block(start: number, end: number, depth: number, what: string): Promise<unknown> {
		const { text } = this;
		if (end - start <= MAX_PART) return await this.parsed(text.slice(start, end));
		if (depth > MAX_DEPTH) return unread(what);
		let indent = -1;
		let isList = false;
		let isLost = false;
		let members: Members | undefined;
		/** The entries that are parsed together next, and the one under way. */
		let groupStart = start;
		let entryStart = start;
		const flush = async () => {
			if (entryStart > groupStart) members?.add(await this.parsed(text.slice(groupStart, entryStart)));
			groupStart = entryStart;
		};
		const addLong = async (to: number) => {
			const [whole, quoted] = isList ? [] : (KEY.exec(this.firstLine(entryStart)) ?? []);
			if (quoted === undefined || whole === undefined) isLost = true;
			else {
				const key = /^["']/.test(quoted) ? stringOf(this.parse(quoted)) : quoted;
				members?.set(key, await this.blockValue(entryStart + whole.length, to, depth + 1, key));
			}
			groupStart = to;
		};
		const endEntry = async (at: number) => {
			if (at - groupStart > MAX_PART) await flush();
			if (at - entryStart > MAX_PART) await addLong(at);
			entryStart = at;
		};
		for (let line = start; line < end; ) {
			if (++this.steps % STEPS === 0) await this.pause.yield();
			const lineEnd = this.lineEnd(line, end);
			let at = line;
			while (text[at] === ' ') at++;
			const next = line;
			line = lineEnd;
			const first = at < lineEnd ? text[at] : '\n';
			if (/[#\s]/.test(first)) continue;
			const column = at - next;
			if (column === 0 && (first === '%' || text.startsWith('---', at))) {
				if (members ?? (first !== '%' && !DOCUMENT.test(this.firstLine(at))))
					throw new Error('More than one document');
				continue;
			}
			const isItem = first === '-' && /\s/.test(text[at + 1] ?? ' ');
			if (!members) {
				if (first === '{' || first === '[') return await this.flow(at, end, what);
				indent = column;
				groupStart = entryStart = next;
				isList = isItem;
				members = new Members(isList ? [] : undefined);
				continue;
			}
			// The items of a list may stand below the beginning of its key.
			if (column > indent || (isItem && !isList && column === indent)) continue;
			if (column < indent || isItem !== isList) throw new Error('Lines that belong to nothing');
			await endEntry(next);
			if (isLost) return unread(what);
		}
		if (!members) return undefined;
		await endEntry(end);
		if (isLost) return unread(what);
		await flush();
		return members.result;
	}

	private async blockValue(start: number, end: number, depth: number, what: string): Promise<unknown> {
		const lineEnd = this.lineEnd(start, end);
		const at = this.afterSpaces(start + 1, lineEnd);
		const first = this.text[at] ?? '';
		if (at === lineEnd || first === '#') return await this.block(lineEnd, end, depth, what);
		return first === '{' || first === '[' ? await this.flow(at, end, what) : unread(what);
	}

	/** Reads `{…}` or `[…]`. */
	private async flow(start: number, end: number, what: string): Promise<unknown> {
		return end - start <= MAX_WHOLE ? await this.parsed(this.text.slice(start, end)) : unread(what);
	}

	private lineEnd(start: number, end: number): number {
		const at = this.text.indexOf('\n', start);
		return at < 0 || at >= end ? end : at + 1;
	}

	private firstLine(start: number): string {
		return this.text.slice(start, Math.min(start + MAX_KEY, this.lineEnd(start, this.text.length)));
	}

	private afterSpaces(start: number, end: number): number {
		let at = start;
		while (at < end && /\s/.test(this.text[at])) at++;
		return at;
	}
}
