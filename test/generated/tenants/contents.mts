import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** In what way an answer with JSON goes over the wire. */
interface Content {
	type?: string;
	before?: string;
	after?: string;
	isPacked?: boolean;
	inPieces?: boolean;
}

const CONTENTS = {
	'application/json': { type: 'application/json' },
	'with a charset': { type: 'application/json; charset=utf-8' },
	'application/vnd.api+json': { type: 'application/vnd.api+json' },
	'text/plain': { type: 'text/plain; charset=utf-8' },
	'no content type': {},
	'white space around it': { type: 'application/json', before: '\r\n\n', after: ' \n' },
	'packed with gzip': { type: 'application/json', isPacked: true },
	'in pieces': { type: 'application/json', inPieces: true },
} satisfies Record<string, Content>;

export type ContentKind = keyof typeof CONTENTS;

export const CONTENT_KINDS = Object.keys(CONTENTS) as ContentKind[];

/** Answers with JSON text in that way. */
export function sendContent(response: ServerResponse, kind: ContentKind, text: string): void {
	const { type, before = '', after = '', isPacked, inPieces }: Content = CONTENTS[kind];
	const bytes = Buffer.from(before + text + after);
	if (type) response.setHeader('content-type', type);
	if (isPacked) response.setHeader('content-encoding', 'gzip');
	if (inPieces) {
		// The cut may well go through a character.
		const cut = Math.floor(bytes.length / 2);
		response.write(bytes.subarray(0, cut));
		setImmediate(() => response.end(bytes.subarray(cut)));
		return;
	}
	response.end(isPacked ? gzipSync(bytes) : bytes);
}
