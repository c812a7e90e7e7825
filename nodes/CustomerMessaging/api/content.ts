import { sleep, UserError } from 'n8n-workflow';

import { decoding, Undecodable } from '../values/charset';
import { isObject } from '../values/json';
import { BrokenJson, JsonReader, TooMuch } from '../values/jsonText';
import { isPage } from './responseBody';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/**
 * What one answer may hold. So much is read in less than 150 MB of memory, with turns for the event loop. What goes
 * through a list or a record afterwards takes no turns.
 */
const BUDGET = {
	bytes: 32 * MEGABYTE,
	text: 8 * MEGABYTE,
	values: 1_000_000,
	levels: 200,
	members: 100_000,
	undivided: 2 * MEGABYTE,
};

const BUDGET_OF_REFUSAL = { ...BUDGET, bytes: 256 * KILOBYTE };

const LESS = 'Ask for less at once: set a Limit or a filter.';
const OPERATOR = 'Tell the operator of the service.';

/** Continues "The answer of the service", and what people can do. */
const EXCESSES: Record<keyof typeof BUDGET, [problem: string, remedy: string]> = {
	bytes: ['is larger than 32 MB', LESS],
	text: ['is a text of more than 8 MB', OPERATOR],
	values: ['holds more than 1,000,000 values', LESS],
	levels: ['nests more than 200 levels deep', OPERATOR],
	members: ['holds a list or a record of more than 100,000 entries', LESS],
	undivided: ['holds a single value of more than 2 MB', OPERATOR],
};

export class UnreadAnswer extends UserError {
	/** What is known of the answer: a page, or a record in another character set; an empty text for anything else. */
	content: unknown = '';

	/** @param problem continues "The answer of the service" */
	constructor(
		readonly problem: string,
		remedy: string,
	) {
		super(`The answer of the service ${problem}`, { description: remedy });
	}
}

const MAX_BEGINNING = 64 * KILOBYTE;

const MAX_PIECE = 16 * KILOBYTE;

export interface ByteStream {
	on(event: string, listener: (piece: Buffer) => void): unknown;
	push(piece: { length: number } | null, ...more: unknown[]): boolean;
	pause(): unknown;
	resume(): unknown;
	readonly readableLength: number;
	readonly readableEnded: boolean;
	destroy(error?: Error): unknown;
}

export function isStream(body: unknown): body is ByteStream {
	return typeof body === 'object' && body !== null && 'pause' in body && 'destroy' in body;
}

/** Hands the pieces of a stream over to its end, and gives the event loop its turns. */
async function readAll(stream: ByteStream, take: (piece: Buffer) => boolean): Promise<void> {
	// Events instead of an iterator: an iterator costs several times as much, which counts for many small responses.
	const failures: unknown[] = [];
	await new Promise<void>((resolve, reject) => {
		let taken: Promise<void> | undefined;
		const takeAll = async (piece: Buffer) => {
			try {
				for (let at = 0; at < piece.length; at += MAX_PIECE) {
					const isTurnDue = take(piece.subarray(at, at + MAX_PIECE));
					if (!isTurnDue) continue;
					stream.pause();
					await sleep(0);
					stream.resume();
				}
			} catch (error) {
				failures.push(error);
				reject(error);
				// At once, since more pieces may come before whoever waits knows of it.
				stream.destroy();
			}
		};
		stream.on('data', (piece) => (taken = takeAll(piece)));
		// The end may come while the last piece waits for its turn.
		stream.on('end', () => resolve(taken));
		stream.on('error', reject);
		// After `end`, this rejection has no effect. Before `end`, it means that the connection broke.
		stream.on('close', () => reject(new Error('The connection was closed within the answer')));
	});
	// The last piece can fail behind the end.
	if (failures.length > 0) throw failures[0];
}

/** Returns what the beginning of an answer tells in Latin-1, which is any bytes. See `UnreadAnswer`. */
function contentIn(beginning: string): unknown {
	if (isPage(beginning)) return beginning;
	try {
		const reader = new JsonReader(BUDGET);
		reader.write(beginning);
		const content = reader.end();
		return isObject(content) ? content : '';
	} catch {
		return '';
	}
}

/**
 * Reads a response to its end, within the budget. Returns parsed JSON, or the text if it is not JSON. A refusal that
 * cannot be read is empty, but for a page.
 *
 * @param contentType names the character set
 * @throws UnreadAnswer when the response exceeds a budget, or cannot be decoded by its character set
 */
export async function contentOf(
	stream: ByteStream,
	contentType: unknown,
	isRefusal: boolean,
): Promise<unknown> {
	const budget = isRefusal ? BUDGET_OF_REFUSAL : BUDGET;
	const reader = new JsonReader(budget);
	const decode = decoding(contentType);
	const beginning: Buffer[] = [];
	let bytes = 0;
	try {
		await readAll(stream, (piece) => {
			if (bytes < MAX_BEGINNING) beginning.push(piece);
			bytes += piece.length;
			if (bytes > budget.bytes) throw new TooMuch('bytes');
			reader.write(decode(piece));
			return reader.isTurnDue;
		});
		reader.write(decode(Buffer.alloc(0), true));
		return reader.end();
	} catch (error) {
		// Long JSON is broken. Its first sign tells so to whoever needs it.
		if (error instanceof BrokenJson) return '{';
		const unread =
			error instanceof TooMuch
				? new UnreadAnswer(...EXCESSES[error.excess])
				: error instanceof Undecodable &&
					new UnreadAnswer(error.message, 'Tell the operator of the service to answer in UTF-8.');
		if (unread) unread.content = contentIn(Buffer.concat(beginning).toString('latin1'));
		if (unread && isRefusal) return isPage(unread.content) ? unread.content : '';
		throw unread || error;
	}
}
