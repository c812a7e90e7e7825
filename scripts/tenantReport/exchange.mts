import { isUtf8 } from 'node:buffer';
import { isBroken, isPage } from '../../nodes/CustomerMessaging/transport/responseBody.ts';
import { excessOf } from '../../nodes/CustomerMessaging/values/jsonText.ts';

/** So much of a body is read for a report. */
const MOST_BYTES = 2 * 1024 * 1024;

/** So many levels of objects and lists are looked at. The contract has less than ten. */
const MOST_LEVELS = 200;

/** What a body is that is no JSON. */
export const CONTENT_WORDS = {
	empty: 'an empty body',
	unreadable: 'bytes that are not UTF-8, or not compressed as their header says',
	page: 'a page of HTML',
	cut: 'JSON that is cut off',
	other: 'something other than JSON',
	'too large': 'more than 2 MB',
	'too deep': `JSON with more than ${MOST_LEVELS} levels`,
};

/** What a body holds, as far as a report looks at it. */
export type Content =
	| { kind: 'json'; value: unknown; hasByteOrderMark: boolean }
	| { kind: keyof typeof CONTENT_WORDS; value?: undefined };

/** One request with its answer. */
export interface Exchange {
	method: string;
	/** Path below the base URL of the interface. */
	path: string;
	query: Record<string, string>;
	status: number;
	/** In small letters. */
	headers: Record<string, string>;
	content: Content;
	/** Milliseconds until the headers of the answer. */
	ms: number;
	/** Whether it asks for a record that does not exist. */
	isMissing?: boolean;
	/** Whether it removes a test record, also after the person has stopped the check. */
	isCleanup?: boolean;
}

function contentOf(bytes: Buffer): Content {
	if (bytes.length === 0) return { kind: 'empty' };
	if (!isUtf8(bytes)) return { kind: 'unreadable' };
	const text = bytes.toString('utf8');
	const hasByteOrderMark = text.startsWith('\uFEFF');
	try {
		const value: unknown = JSON.parse(hasByteOrderMark ? text.slice(1) : text);
		const isTooDeep = excessOf(text, { levels: MOST_LEVELS, values: Infinity }) !== undefined;
		return isTooDeep ? { kind: 'too deep' } : { kind: 'json', value, hasByteOrderMark };
	} catch {
		return { kind: isPage(text) ? 'page' : isBroken(text) ? 'cut' : 'other' };
	}
}

/** Reads a body as far as a report looks at it. JSON is read whatever its content type says. */
export async function readContent(body: AsyncIterable<Uint8Array> | null): Promise<Content> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	try {
		for await (const chunk of body ?? []) {
			length += chunk.length;
			// Leaving the loop ends the download.
			if (length > MOST_BYTES) return { kind: 'too large' };
			chunks.push(chunk);
		}
	} catch (error) {
		const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
		if (/^(Z|ERR__ERROR|ERR_BROTLI|ZSTD)_/.test(code ?? '')) return { kind: 'unreadable' };
		throw error;
	}
	return contentOf(Buffer.concat(chunks));
}
