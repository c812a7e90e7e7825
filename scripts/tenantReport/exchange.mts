import { isBroken, isPage } from '../../nodes/CustomerMessaging/transport/responseBody.ts';
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** What a body holds, as far as a report looks at it. */
export type Content =
	| { kind: 'empty' }
	| { kind: 'json'; value: unknown; hasByteOrderMark: boolean }
	/** HTML; JSON without its end; anything else, such as a file. */
	| { kind: 'page' }
	| { kind: 'cut' }
	| { kind: 'other' }
	/** Bytes that are not UTF-8, or not compressed as their header says. */
	| { kind: 'unreadable' }
	/** Longer than what is read for a report. */
	| { kind: 'too large' }
	/** JSON with more levels than what is looked at. */
	| { kind: 'too deep' };

/** One request with its answer. */
export interface Exchange {
	method: string;
	/** Path below the base URL of the interface. */
	path: string;
	query: URLSearchParams;
	status: number;
	/** In small letters. */
	headers: Record<string, string>;
	answer: Content;
	/** Milliseconds until the headers of the answer. */
	ms: number;
	/** Whether it asks for a record that does not exist. */
	isMissing?: boolean;
	/** Whether it removes a test record, so that its answer says nothing about the interface. */
	isCleanup?: boolean;
}

/** So much of a body is read for a report. */
export const MOST_BYTES = 2 * 1024 * 1024;

/** So many levels of objects and lists are looked at. The contract has less than ten. */
export const MOST_LEVELS = 200;

/** Goes through a value level by level: whatever calls itself for each level may find no end. */
function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MOST_LEVELS) return true;
		level = level.flatMap((member) =>
			typeof member === 'object' && member !== null ? (Object.values(member) as unknown[]) : [],
		);
	}
	return false;
}

/** How compressed bodies are opened, within the same bound. */
const OPEN: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
	gzip: (bytes) => promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES }) as Promise<Buffer>,
	br: (bytes) => promisify(brotliDecompress)(bytes, { maxOutputLength: MOST_BYTES }) as Promise<Buffer>,
	deflate: (bytes) => promisify(inflate)(bytes, { maxOutputLength: MOST_BYTES }) as Promise<Buffer>,
};

/** Opens a compressed body, and takes an unknown encoding for none. */
async function opened(bytes: Buffer, encoding: string): Promise<Buffer | 'too large' | 'unreadable'> {
	if (!Object.hasOwn(OPEN, encoding)) return bytes;
	try {
		return await OPEN[encoding](bytes);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'unreadable';
	}
}

/**
 * Reads a body. JSON is read whatever its content type says.
 *
 * @param bytes all of the body; undefined if it is longer than `MOST_BYTES`
 */
export async function readContent(bytes: Buffer | undefined, encoding = ''): Promise<Content> {
	if (bytes === undefined) return { kind: 'too large' };
	if (bytes.length === 0) return { kind: 'empty' };
	const plain = await opened(bytes, encoding.trim().toLowerCase());
	if (typeof plain === 'string') return { kind: plain };
	if (!isUtf8(plain)) return { kind: 'unreadable' };
	const text = plain.toString('utf8');
	const hasByteOrderMark = text.startsWith('\uFEFF');
	try {
		const value: unknown = JSON.parse(hasByteOrderMark ? text.slice(1) : text);
		return isTooDeep(value) ? { kind: 'too deep' } : { kind: 'json', value, hasByteOrderMark };
	} catch {
		return { kind: isPage(text) ? 'page' : isBroken(text) ? 'cut' : 'other' };
	}
}

/** Headers as undici gives them, each as one text. */
export function headerTexts(headers: Record<string, string | string[] | undefined>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]),
	);
}
