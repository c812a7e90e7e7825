/** What a JSON text may hold. */
export interface JsonBudget {
	levels: number;
	/** Brackets and commas. */
	values: number;
	members: number;
	text: number;
	undivided: number;
}

/** Tells that a text was not read to its end, because it exceeds a budget. */
export class TooMuch extends Error {
	constructor(readonly excess: keyof JsonBudget | 'bytes') {
		super(`The text exceeds the budget of its ${excess}`);
	}
}

/** Tells that a text begins as JSON and is none. */
export class BrokenJson extends Error {}

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,');
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('[]{}');

/** Characters that are read between two turns of the event loop, and how many of them a value takes as long as. */
const WORK_PER_TURN = 512 * 1024;
const WORK_OF_VALUE = 64;

/** Returns where a text ends. If it goes on behind the piece, that is the place where it goes on. */
function endOfText(piece: string, from: number): number {
	let at = from;
	while (at < piece.length) {
		const sign = piece.charCodeAt(at);
		if (sign === QUOTE) break;
		at += sign === BACKSLASH ? 2 : 1;
	}
	return at;
}

/**
 * Returns which budget a JSON text exceeds; undefined if none. It does not parse the text: one with many brackets stops
 * n8n's only thread, and one that nests too deeply exhausts the stack of later code.
 */
export function excessOf(
	json: string,
	budget: Pick<JsonBudget, 'levels' | 'values'>,
): 'levels' | 'values' | undefined {
	let values = 0;
	let level = 0;
	for (let at = 0; at < json.length; at++) {
		const sign = json.charCodeAt(at);
		if (sign === QUOTE) at = endOfText(json, at + 1);
		else if (sign === COMMA) values++;
		else if (sign === OPEN_OBJECT || sign === OPEN_LIST) {
			values++;
			if (++level > budget.levels) return 'levels';
		} else if ((sign === CLOSE_OBJECT || sign === CLOSE_LIST) && level > 0) level--;
	}
	return values > budget.values ? 'values' : undefined;
}

type Collection = unknown[] | Record<string, unknown>;

interface Open {
	isList: boolean;
	/** Place of its bracket in the part under way, and of the last quotation mark in front of it. */
	at: number;
	quote: number;
	commas: number;
	/** What was parsed of it; undefined if it begins in the part under way. */
	collection?: Collection;
}

/**
 * Reads a text from pieces. JSON becomes a value, anything else stays text. A short text is parsed at its end; longer
 * JSON part by part, at commas: what follows is parsed as a part of the innermost of the collections that are still
 * open.
 */
export class JsonReader {
	/** The text of the part under way. */
	private held = '';

	/** Whether the text is JSON; undefined while it is short. */
	private isJson: boolean | undefined;

	/** The collections that are still open. The outermost stands for the text, and gets one element. */
	private readonly open: Open[];

	private readonly root: unknown[] = [];
	private values = 0;
	private valuesBefore = 0;
	private isInText = false;
	private quote = 0;

	/** Characters of the next piece that belong to an escape in the piece before. */
	private skipped = 0;

	/** Whether a collection was closed in front of the part, so that a comma or another bracket must follow. */
	private isBehindBracket = false;

	private workSinceTurn = 0;

	constructor(
		private readonly budget: JsonBudget,
		private readonly partSize = 256 * 1024,
	) {
		this.open = [{ isList: true, at: 0, quote: 0, commas: 0, collection: this.root }];
	}

	/** Whether so much was read since the last turn of the event loop that the next turn is due. Asking begins a turn. */
	get isTurnDue(): boolean {
		const isDue = this.workSinceTurn >= WORK_PER_TURN;
		if (isDue) this.workSinceTurn = 0;
		return isDue;
	}

	/**
	 * @throws TooMuch when the text exceeds a budget
	 * @throws BrokenJson when long JSON is broken
	 */
	write(piece: string): void {
		if (this.isJson) this.scan(piece);
		else this.held += piece;
		if (this.isJson === undefined && this.held.length > this.partSize) {
			this.isJson = /^\s*[[{]/.test(this.held);
			if (this.isJson) {
				const beginning = this.held;
				this.held = '';
				this.scan(beginning);
			}
		}
		this.workSinceTurn += piece.length;
		const { text, undivided } = this.budget;
		if (this.isJson === false && this.held.length > text) throw new TooMuch('text');
		if (this.isJson && this.held.length > this.partSize + undivided) throw new TooMuch('undivided');
	}

	/** Returns the value of JSON, or other text. Throws as `write` does. */
	end(): unknown {
		const { held: text, open, root, budget } = this;
		if (this.isJson) {
			if (open.length > 1) throw new BrokenJson();
			this.add(text, CLOSE_LIST);
			if (root.length !== 1) throw new BrokenJson();
			return root[0];
		}
		if (text.length > this.partSize + budget.undivided) return text;
		let value: unknown;
		try {
			value = JSON.parse(withExactNumbers(text));
		} catch {
			return text;
		}
		const mayBeDeep = text.length > 2 * budget.levels;
		if (mayBeDeep && excessOf(text, { levels: budget.levels, values: Infinity })) throw new TooMuch('levels');
		return value;
	}

	/** Goes on in JSON. Parses a part at a comma, and at the bracket of a collection that began in an earlier part. */
	private scan(piece: string): void {
		const { open, budget, partSize } = this;
		const valuesAtStart = this.values;
		let start = -this.held.length;
		const endPart = (at: number) => {
			this.add(this.held + piece.slice(Math.max(0, start), at), piece.charCodeAt(at));
			this.held = '';
			this.valuesBefore = this.values;
			start = at + 1;
		};
		let at = this.skipped;
		for (; ; at++) {
			if (this.isInText) {
				at = endOfText(piece, at);
				this.isInText = at >= piece.length;
				if (!this.isInText) continue;
			}
			if (at >= piece.length) break;
			const sign = piece.charCodeAt(at);
			if (sign === QUOTE) {
				this.quote = at - start;
				this.isInText = true;
			} else if (sign === COMMA) {
				const innermost = open[open.length - 1];
				this.values++;
				if (++innermost.commas >= budget.members) throw new TooMuch('members');
				const work = at - start + (this.values - this.valuesBefore) * WORK_OF_VALUE;
				if (work >= partSize) endPart(at);
			} else if (sign === OPEN_OBJECT || sign === OPEN_LIST) {
				if (open.length > budget.levels) throw new TooMuch('levels');
				open.push({ isList: sign === OPEN_LIST, at: at - start, quote: this.quote, commas: 0 });
				this.values++;
			} else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) {
				if (open.length === 1) throw new BrokenJson();
				if (open[open.length - 1].collection) endPart(at);
				open.pop();
			}
		}
		this.skipped = at - piece.length;
		this.held += piece.slice(Math.max(0, start));
		this.workSinceTurn += (this.values - valuesAtStart) * WORK_OF_VALUE;
		if (this.values > budget.values) throw new TooMuch('values');
	}

	/** Parses a part, in front of a comma or bracket, and adds it to the collection in which it began. */
	private add(part: string, end: number): void {
		const { open } = this;
		const begun = open.filter(({ collection }) => !collection);
		const innermost = open[open.length - begun.length - 1];
		const [opened, closed] = innermost.isList ? '[]' : '{}';
		if (end === COMMA && /[[{]$/.test(part.trimEnd())) throw new BrokenJson();
		const isClosed = end !== COMMA && begun.length === 0;
		if (isClosed && end !== closed.charCodeAt(0)) throw new BrokenJson();
		const behind = begun.map(({ isList }) => (isList ? ']' : '}')).reverse();
		let within = innermost.collection as Collection;
		addAll(within, parsed(opened + this.elementsIn(part) + behind.join('') + closed));
		for (const one of begun) {
			const found = Array.isArray(within) ? within.at(-1) : memberOf(within, part.slice(one.quote, one.at));
			within = one.collection = found as Collection;
		}
		this.isBehindBracket = isClosed;
	}

	private elementsIn(part: string): string {
		const text = part.trimStart();
		if (this.isBehindBracket && text === '') return text;
		if (this.isBehindBracket && !text.startsWith(',')) throw new BrokenJson();
		const elements = this.isBehindBracket ? text.slice(1) : text;
		if (elements.trimStart() === '') throw new BrokenJson();
		return elements;
	}
}

/** Adds the members of a part of a collection to the collection. A member may be called `__proto__`. */
function addAll(whole: Collection, part: Collection): void {
	// A loop, because a part may have more elements than a call takes arguments.
	if (Array.isArray(whole)) for (const element of part as unknown[]) whole.push(element);
	else {
		for (const [name, value] of Object.entries(part)) {
			if (name === '__proto__') setOwn(whole, name, value);
			else whole[name] = value;
		}
	}
}

/** Sets a member, which may be called `__proto__`. */
export const setOwn = (record: object, name: string, value: unknown) =>
	Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true });

const QUOTE_OR_NUMBER = /"|-?\d[\d.eE+-]*/g;

const isLong = (token: string) => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));

/** Returns a JSON text in which whole numbers of more digits than a number keeps are texts, so that two IDs stay two. */
export function withExactNumbers(json: string): string {
	if (!/\d{16}/.test(json)) return json;
	let exact = '';
	let from = 0;
	QUOTE_OR_NUMBER.lastIndex = 0;
	for (let match = QUOTE_OR_NUMBER.exec(json); match; match = QUOTE_OR_NUMBER.exec(json)) {
		const [token] = match;
		if (token === '"') QUOTE_OR_NUMBER.lastIndex = endOfText(json, match.index + 1) + 1;
		else if (isLong(token)) {
			exact += `${json.slice(from, match.index)}"${token}"`;
			from = match.index + token.length;
		}
	}
	return exact + json.slice(from);
}

function parsed(json: string): Collection {
	let value: Collection | undefined;
	try {
		value = JSON.parse(withExactNumbers(json)) as Collection;
	} catch {
		// Told below.
	}
	if (value === undefined) throw new BrokenJson();
	return value;
}

function memberOf(collection: Collection, name: string): unknown {
	const [key] = Object.keys(parsed(`{${name}0}`));
	return Object.getOwnPropertyDescriptor(collection, key)?.value;
}
