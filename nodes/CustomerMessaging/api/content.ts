import { UserError } from 'n8n-workflow';

import { isPage } from './responses';

/** Maximum number of bytes of a response, unpacked. Of a larger refusal, only the status counts. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 256 * 1024;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

export class UnreadAnswer extends UserError {
	/** @param problem continues "The answer of the service" */
	constructor(
		readonly problem: string,
		remedy: string,
	) {
		super(`The answer of the service ${problem}`, { description: remedy });
	}
}

export interface ByteStream {
	on(event: string, listener: (piece: Buffer) => void): unknown;
	push(piece: { length: number } | null, ...more: unknown[]): boolean;
	readonly readableLength: number;
	readonly readableEnded: boolean;
	destroy(error?: Error): unknown;
}

/** Reads a stream to its end; undefined if it has more bytes. */
async function bytesOf(stream: ByteStream, most: number): Promise<Buffer | undefined> {
	const pieces: Buffer[] = [];
	let count = 0;
	// Events instead of an iterator: an iterator costs several times as much, which counts for many small responses.
	return await new Promise((resolve, reject) => {
		stream.on('data', (piece) => {
			if ((count += piece.length) <= most) return void pieces.push(piece);
			resolve(undefined);
			stream.destroy();
		});
		stream.on('end', () => resolve(Buffer.concat(pieces, count)));
		stream.on('error', reject);
		// After `end`, this rejection has no effect. Before `end`, it means that the connection broke.
		stream.on('close', () => reject(new Error('The connection was closed within the answer')));
	});
}

/** Returns the text of bytes in UTF-8; undefined if they are none. */
function decoded(bytes: Buffer): string | undefined {
	try {
		return UTF_8.decode(bytes);
	} catch {
		return undefined;
	}
}

/**
 * Reads a response to its end. Returns parsed JSON, or the text if it is not JSON.
 *
 * @throws UnreadAnswer when a success is larger than 32 MB, or is neither UTF-8 nor a page
 */
export async function contentOf(stream: ByteStream, isRefusal: boolean): Promise<unknown> {
	const bytes = await bytesOf(stream, isRefusal ? MAX_REFUSAL_BYTES : MAX_BYTES);
	if (!bytes && isRefusal) return '';
	if (!bytes)
		throw new UnreadAnswer('is larger than 32 MB', 'Ask for less at once: set a Limit or a filter.');
	const exact = decoded(bytes);
	const text = exact ?? bytes.toString();
	if (exact === undefined && !isRefusal && !isPage(text))
		throw new UnreadAnswer('is not valid UTF-8', 'Tell the operator of the service to answer in UTF-8.');
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
