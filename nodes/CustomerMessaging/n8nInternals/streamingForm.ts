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
