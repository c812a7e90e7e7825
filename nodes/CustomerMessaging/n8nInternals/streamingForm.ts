import type { IHttpRequestOptions } from 'n8n-workflow';

// n8n sends requests with axios, which tells a form by its shape. This rests on that shape, which neither of them promises.

/** A file part as axios reads it: shaped like the platform's Blob, its content only opened when it is sent. */
export interface FilePart {
	readonly name: string;
	readonly type: string;
	/** Length in bytes; undefined sends the body chunked. */
	readonly size: number | undefined;
	stream(): AsyncIterable<Uint8Array>;
}

type Part = string | FilePart;

/**
 * A multipart/form-data body that streams.
 *
 * It has the shape of the platform's FormData by which axios tells one (`append`, iteration and tag), so that the parts
 * are streamed with the right Content-Length instead of being copied into memory.
 */
export class StreamingForm {
	readonly [Symbol.toStringTag] = 'FormData';

	readonly parts: Array<[string, Part]> = [];

	append(name: string, part: Part): void {
		this.parts.push([name, part]);
	}

	[Symbol.iterator](): Iterator<[string, Part]> {
		return this.parts[Symbol.iterator]();
	}

	entries(): Iterator<[string, Part]> {
		return this[Symbol.iterator]();
	}

	/** The form as the body of a request. */
	asBody(): IHttpRequestOptions['body'] {
		return this as unknown as FormData;
	}
}
