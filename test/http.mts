import type { Readable } from 'node:stream';

import axios from 'axios';

/**
 * The HTTP client of tests and tools: text and bytes go out as they are and objects as JSON, whatever is answered comes back,
 * and no redirect is followed.
 */
export const http = axios.create({
	validateStatus: () => true,
	maxRedirects: 0,
	// Everything that is asked runs on this machine.
	proxy: false,
	transformRequest: [
		(data: unknown, headers) => {
			// axios would call what has no type a form, and make JSON of text once more.
			if (typeof data !== 'object' || ArrayBuffer.isView(data)) headers.setContentType(false, false);
			return typeof data === 'string' ? Buffer.from(data) : data;
		},
		...[axios.defaults.transformRequest ?? []].flat(),
	],
});

/** A request as a test writes it. */
export interface Question {
	method?: string;
	headers?: Record<string, string>;
	/** A stream goes out in chunks, without a length. */
	body?: string | Uint8Array | FormData | URLSearchParams | Readable;
	/** Ends the wait for an answer. */
	signal?: AbortSignal;
}

/** An answer with its body as it came. */
export interface TextAnswer {
	status: number;
	headers: Record<string, string | undefined>;
	body: string;
}

/** Sends a request as it is written, and gives its answer as it comes. */
export async function send(url: string, { body, ...request }: Question = {}): Promise<TextAnswer> {
	const { status, headers, data } = await http.request<string>({
		...request,
		url,
		data: body,
		responseType: 'text',
	});
	return { status, headers: headers as TextAnswer['headers'], body: data };
}
