import { UserError } from 'n8n-workflow';

import { isPage } from './responses';

/** Maximum number of bytes of a response, unpacked. Of a larger refusal, only the status counts. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 256 * 1024;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

export class UnreadResponse extends UserError {
	/** @param problem continues "The response of the service" */
	constructor(
		readonly problem: string,
		remedy: string,
	) {
		super(`The response of the service ${problem}`, { description: remedy });
	}
}

/**
 * Reads a response to its end. Returns parsed JSON, or the text if it is not JSON.
 *
 * @param heard is told when each piece came
 * @throws UnreadResponse when a success is larger than 32 MB, or is neither UTF-8 nor a page
 */
export async function contentOf(
	stream: AsyncIterable<Buffer>,
	isRefusal: boolean,
	heard: { heardAt: number },
): Promise<unknown> {
	const pieces: Buffer[] = [];
	let count = 0;
	for await (const piece of stream) {
		heard.heardAt = performance.now();
		count += piece.length;
		if (isRefusal && count > MAX_REFUSAL_BYTES) return '';
		if (count > MAX_BYTES)
			throw new UnreadResponse('is larger than 32 MB', 'Ask for less at once: set a Limit or a filter.');
		pieces.push(piece);
	}
	const bytes = Buffer.concat(pieces, count);
	let [text, isExact] = ['', true];
	try {
		text = UTF_8.decode(bytes);
	} catch {
		[text, isExact] = [bytes.toString(), false];
	}
	if (!isExact && !isRefusal && !isPage(text))
		throw new UnreadResponse('is not valid UTF-8', 'Tell the operator of the service to answer in UTF-8.');
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
