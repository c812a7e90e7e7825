import type { IHttpRequestOptions } from 'n8n-workflow';

// n8n sends requests with axios, and axios recognizes a form by its shape. Neither n8n nor axios promises that shape.

/** A file part in the shape that axios reads: like the Blob of Node.js. The content opens only when axios sends it. */
export interface FilePart {
	readonly name: string;
	readonly type: string;
	readonly size: number | undefined;
	stream(): AsyncIterable<Uint8Array>;
}

type FormPart = string | FilePart;

/** A multipart/form-data body. It has the members by which axios recognizes the FormData of Node.js, and streams its parts. */
export class StreamingForm {
	readonly [Symbol.toStringTag] = 'FormData';

	readonly parts: Array<[string, FormPart]> = [];

	append(name: string, part: FormPart): void {
		this.parts.push([name, part]);
	}

	[Symbol.iterator](): Iterator<[string, FormPart]> {
		return this.parts[Symbol.iterator]();
	}

	entries(): Iterator<[string, FormPart]> {
		return this[Symbol.iterator]();
	}

	asBody(): IHttpRequestOptions['body'] {
		return this as unknown as FormData;
	}
}

/** The memory of a piece. Node.js 20 cannot free it early. */
interface PieceMemory {
	readonly byteLength: number;
	transfer?(length: number): unknown;
}

/**
 * A piece is surely sent once so many bytes follow it: the streams between file and socket together hold less than 2 MB.
 * n8n does not promise this, so a test measures it.
 */
const SENT_BEFORE_BYTES = 8 * 1024 * 1024;

/** Yields pieces, which nothing else may use, and frees those that are sent. V8 by itself lets 64 MB come together. */
export async function* freeWhenSent(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	const held: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of pieces) {
		yield piece;
		held.push(piece);
		bytes += piece.length;
		while (bytes - held[0].length >= SENT_BEFORE_BYTES) {
			const [sent] = held.splice(0, 1);
			bytes -= sent.length;
			const memory: PieceMemory = sent.buffer;
			// A transfer detaches the memory, which frees it at once. If it is larger than the piece, it can hold something else.
			if (memory.byteLength === sent.length) memory.transfer?.(0);
		}
	}
}
