/** What a JSON text may hold. */
export interface JsonBudget {
	/** Brackets within brackets. */
	levels: number;
	/** Brackets and commas. */
	values: number;
	/** Members of one object, or elements of one list. */
	members: number;
}

/** Which budget a JSON text exceeds. `undivided` is a single value that is too long to be parsed in one go. */
export type Excess = keyof JsonBudget | 'bytes' | 'text' | 'undivided';

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,');
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('[]{}');

/** How much is read between two turns of the event loop. A comma behind so many values ends a part too. */
const BYTES_PER_TURN = 512 * 1024;
const VALUES_PER_TURN = 8 * 1024;

/**
 * Goes through the bytes of a JSON text in UTF-8 and counts, without parsing them: a text with many brackets stops n8n's
 * only thread, and one that nests too deeply exhausts the stack of later code.
 */
class JsonScanner {
	values = 0;

	/** Number of open brackets. */
	level = 0;

	/** Number of brackets that were open where the part under way began. */
	base = 0;

	/** Kind of each open bracket, its place in the part, and the last quotation mark in front of it. */
	readonly kinds: Uint8Array;

	readonly places: Int32Array;

	readonly quotes: Int32Array;

	private readonly members: Int32Array;

	private inText = false;

	private quote = 0;

	/** Values in front of the part under way. */
	private valuesBefore = 0;

	/** Place of the next piece in the part under way, and its bytes that belong to an escape in the piece before. */
	private start = 0;

	private skipped = 0;

	/** @param partSize bytes behind which the next comma ends a part */
	constructor(
		private readonly budget: JsonBudget,
		private readonly partSize = Infinity,
	) {
		this.kinds = new Uint8Array(budget.levels);
		this.places = new Int32Array(budget.levels);
		this.quotes = new Int32Array(budget.levels);
		this.members = new Int32Array(budget.levels);
	}

	/**
	 * Goes on in a piece, up to the end of a part: a comma, or the bracket that closes the level in which the part began.
	 *
	 * @param from where the part before has ended, if that is in this piece
	 * @returns where the part ends; the length of the piece if it goes on; or which budget is used up
	 */
	next(piece: Uint8Array, from = -1): number | Excess {
		const { kinds, places, quotes, members, budget, partSize, base } = this;
		const { length } = piece;
		if (from >= 0) this.start = -1 - from;
		const { start } = this;
		let { inText, quote, level, values } = this;
		const valuesOfPart = partSize === Infinity ? Infinity : this.valuesBefore + VALUES_PER_TURN;
		let isEnd = false;
		let at = from < 0 ? this.skipped : from + 1;
		if (inText) {
			at = endOfText(piece, at);
			inText = at >= length;
			if (!inText) at++;
		}
		for (; at < length; at++) {
			const sign = piece[at];
			if (sign === QUOTE) {
				quote = start + at;
				at = endOfText(piece, at + 1);
				inText = at >= length;
				if (inText) break;
			} else if (sign === COMMA) {
				values++;
				if (level === 0) continue;
				if (++members[level - 1] >= budget.members) return 'members';
				isEnd = start + at >= partSize || values >= valuesOfPart;
				if (isEnd) break;
			} else if (sign === OPEN_OBJECT || sign === OPEN_LIST) {
				if (level === budget.levels) return 'levels';
				kinds[level] = sign;
				places[level] = start + at;
				quotes[level] = quote;
				members[level] = 0;
				level++;
				values++;
			} else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) {
				isEnd = level === base && base > 0;
				if (level > 0) level--;
				if (isEnd) break;
			}
		}
		Object.assign(this, { inText, quote, level, values });
		if (values > budget.values) return 'values';
		if (isEnd) {
			this.valuesBefore = values;
			return at;
		}
		this.start = start + length;
		this.skipped = at - length;
		return length;
	}
}

/** Returns where a text ends. If it goes on behind the piece, that is the place where it goes on. */
function endOfText(piece: Uint8Array, from: number): number {
	let at = from;
	while (at < piece.length && piece[at] !== QUOTE) at += piece[at] === BACKSLASH ? 2 : 1;
	return at;
}

/**
 * Returns which budget a JSON text exceeds; undefined if none. It does not parse the text.
 *
 * @param json text, or its bytes in UTF-8
 */
export function excessOf(
	json: string | Uint8Array,
	{ levels, values }: Pick<JsonBudget, 'levels' | 'values'>,
): 'levels' | 'values' | undefined {
	const bytes = typeof json === 'string' ? Buffer.from(json) : json;
	const found = new JsonScanner({ levels, values, members: Infinity }).next(bytes);
	return found === 'levels' || found === 'values' ? found : undefined;
}

/** Tells that a text was not read to its end, because it exceeds a budget. */
export class TooMuch extends Error {
	constructor(readonly excess: Excess) {
		super(`The text exceeds the budget of its ${excess}`);
	}
}

/** Tells that a text begins as JSON and is none. */
export class BrokenJson extends Error {}

/** Budgets of a text that is read by `TextReader`. */
export interface TextBudget extends JsonBudget {
	/** Bytes of JSON in UTF-8. */
	bytes: number;
	/** Bytes of a text that is not JSON. */
	text: number;
	/** Bytes of a single value in JSON, such as a text. */
	undivided: number;
}

type Collection = unknown[] | Record<string, unknown>;

/** Adds the members of a part of a collection to the collection. A member may be called `__proto__`. */
function addAll(whole: Collection, part: Collection): void {
	// A loop, because a part may have more elements than a call takes arguments.
	if (Array.isArray(whole)) for (const element of part as unknown[]) whole.push(element);
	else {
		for (const [name, value] of Object.entries(part)) {
			if (name !== '__proto__') whole[name] = value;
			else
				Object.defineProperty(whole, name, { value, configurable: true, enumerable: true, writable: true });
		}
	}
}

/**
 * Reads a text in UTF-8 from pieces. JSON becomes a value, anything else stays text.
 *
 * A short text is parsed at its end. Of longer JSON it counts while the pieces come in, and parses it part by part: at a
 * comma behind some bytes, it parses what has come and keeps the collections that are still open. What follows is parsed
 * as a part of the innermost of them. So it holds the bytes of one part only.
 */
export class TextReader {
	/** Bytes read, those of the part under way, and its pieces. */
	private bytes = 0;

	private held = 0;

	private pieces: Uint8Array[] = [];

	/** Goes through JSON that is longer than a part. */
	private scanner: JsonScanner | undefined;

	/** Whether it is long and no JSON. Then it is decoded piece by piece. */
	private isText = false;

	private text = '';

	private decoder: InstanceType<typeof TextDecoder> | undefined;

	private root: Collection | undefined;

	/** The collections that are still open, from outside to inside. */
	private readonly open: Collection[] = [];

	/** Whether a collection was closed in front of the part, so that a comma or another bracket must follow. */
	private isBehindBracket = false;

	private bytesAtTurn = 0;

	private valuesAtTurn = 0;

	/** @param partSize bytes that are parsed in one go, if a comma follows */
	constructor(
		private readonly budget: TextBudget,
		private readonly partSize = 256 * 1024,
	) {}

	/** Whether so much was read since the last turn of the event loop that the next turn is due. Asking begins a turn. */
	get isTurnDue(): boolean {
		const values = this.scanner?.values ?? 0;
		const isDue =
			this.bytes - this.bytesAtTurn >= BYTES_PER_TURN || values - this.valuesAtTurn >= VALUES_PER_TURN;
		if (isDue) [this.bytesAtTurn, this.valuesAtTurn] = [this.bytes, values];
		return isDue;
	}

	/**
	 * Takes the next piece.
	 *
	 * @throws TooMuch when the text exceeds a budget
	 * @throws BrokenJson when long JSON is broken
	 */
	write(piece: Uint8Array): void {
		const { budget } = this;
		this.bytes += piece.length;
		if (this.scanner) this.goOn(this.scanner, piece);
		else {
			this.hold(piece);
			if (!this.isText && this.bytes > this.partSize) {
				const beginning = this.taken();
				this.isText = !/^\s*[[{]/.test(UTF_8.decode(beginning.subarray(0, this.partSize)));
				if (this.isText) this.hold(beginning);
				else this.goOn((this.scanner = new JsonScanner(budget, this.partSize)), beginning);
			}
			if (!this.isText) return;
			if (this.bytes > budget.text) throw new TooMuch('text');
			this.decoder ??= new TextDecoder();
			this.text += this.decoder.decode(this.taken(), { stream: true });
		}
	}

	private goOn(scanner: JsonScanner, piece: Uint8Array): void {
		const { bytes, undivided } = this.budget;
		if (this.bytes > bytes) throw new TooMuch('bytes');
		let from = 0;
		let at = scanner.next(piece);
		while (typeof at === 'number' && at < piece.length) {
			this.add(scanner, this.taken(piece.subarray(from, at)), piece[at]);
			from = at + 1;
			at = scanner.next(piece, at);
		}
		if (typeof at === 'string') throw new TooMuch(at);
		this.hold(piece.subarray(from));
		if (this.held > this.partSize + undivided) throw new TooMuch('undivided');
	}

	/**
	 * Ends the text.
	 *
	 * @returns the value of JSON, or the text if it is anything else
	 * @throws TooMuch when the text exceeds a budget
	 * @throws BrokenJson when long JSON is broken
	 */
	end(): unknown {
		const text = this.decoder ? this.text + this.decoder.decode() : UTF_8.decode(this.taken());
		if (this.root === undefined) {
			if (text.length > this.partSize + this.budget.undivided) return text;
			let value: unknown;
			try {
				value = JSON.parse(withExactNumbers(text));
			} catch {
				return text;
			}
			const { levels } = this.budget;
			const mayBeDeep = !this.scanner && text.length > 2 * levels;
			if (mayBeDeep && excessOf(text, { levels, values: Infinity })) throw new TooMuch('levels');
			return value;
		}
		if (this.open.length > 0 || text.trim() !== '') throw new BrokenJson();
		return this.root;
	}

	private hold(piece: Uint8Array): void {
		this.held += piece.length;
		this.pieces.push(piece);
	}

	/** Returns the bytes of the part under way, with its last piece, and begins another part. */
	private taken(last?: Uint8Array): Uint8Array {
		const pieces = last ? [...this.pieces, last] : this.pieces;
		this.pieces = [];
		this.held = 0;
		return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
	}

	/**
	 * Parses a part and adds it to the collection in which it began.
	 *
	 * @param end the comma or bracket behind it
	 */
	private add(scanner: JsonScanner, part: Uint8Array, end: number): void {
		const { open } = this;
		const { kinds, quotes, places, level } = scanner;
		const base = open.length;
		const isComma = end === COMMA;
		const isClosed = scanner.base > 0 && !isComma;
		if (this.root !== undefined && base === 0) throw new BrokenJson();
		const text = this.elementsIn(UTF_8.decode(part), isClosed);
		// The brackets that are open behind the part, from inside to outside.
		const behind = Array.from(kinds.subarray(base, level), closing).reverse().join('');
		const innermost = open.at(-1);
		let within: unknown;
		if (innermost === undefined) within = this.root = parsed(text + behind);
		else {
			const [opened, closed] = Array.isArray(innermost) ? '[]' : '{}';
			if (isClosed && end !== closed.charCodeAt(0)) throw new BrokenJson();
			const read = parsed(opened + text + behind + closed);
			addAll(innermost, read);
			within = read;
		}
		for (let at = base; at < level; at++) {
			if (at > 0)
				within = Array.isArray(within)
					? within.at(-1)
					: memberOf(within, part.subarray(quotes[at], places[at]));
			open.push(within as Collection);
		}
		if (isClosed) open.pop();
		this.isBehindBracket = isClosed;
		scanner.base = open.length;
	}

	/** Returns the text of a part without the comma in front of it. */
	private elementsIn(part: string, isClosed: boolean): string {
		const text = part.trimStart();
		const isBlank = text === '';
		if (!this.isBehindBracket) {
			if (isBlank && this.root !== undefined) throw new BrokenJson();
			return text;
		}
		if (isBlank && isClosed) return text;
		const elements = text.slice(1);
		if (!text.startsWith(',') || elements.trim() === '') throw new BrokenJson();
		return elements;
	}
}

/** A quotation mark in JSON, or a number with what follows it. */
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
		if (token === '"') {
			let end = match.index + 1;
			while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
			QUOTE_OR_NUMBER.lastIndex = end + 1;
		} else if (isLong(token)) {
			exact += `${json.slice(from, match.index)}"${token}"`;
			from = match.index + token.length;
		}
	}
	return exact + json.slice(from);
}

/** Decodes a part, without a byte order mark. */
const UTF_8 = new TextDecoder();

const closing = (kind: number) => (kind === OPEN_LIST ? ']' : '}');

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

/** Returns the member whose name the bytes of a text end with. */
function memberOf(collection: unknown, name: Uint8Array): unknown {
	const [key] = Object.keys(parsed(`{${UTF_8.decode(name)}0}`));
	return Object.getOwnPropertyDescriptor(collection, key)?.value;
}
