import { type IHttpRequestOptions, type IN8nHttpFullResponse, sleep } from 'n8n-workflow';

import { StreamingForm } from '../n8nInternals/streamingForm';
import { isObject } from '../values/json';
import { CREDENTIAL, type RequestContext, WATCH_MS } from './context';
import type { Connection } from './credential';
import type { Labels } from './errors';

const FILE_TIMEOUT_MS = 60 * 60_000;
const MAX_SILENCE_MS = 60_000;

/** Maximum numbers of bytes, unpacked: a small response can unpack to any size. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_FILE_BYTES = 2 * 1024 * 1024 * 1024;

const UTF_8 = new TextDecoder();

interface ByteStream extends AsyncIterable<Buffer> {
	on(event: 'close', listener: () => void): unknown;
	push(piece: { length: number } | null, ...more: unknown[]): boolean;
	readonly readableLength: number;
	readonly readableEnded: boolean;
	destroy(error?: Error): unknown;
}

interface Exchange {
	/** Time of the process at which the exchange has taken too long. */
	endAt: number;
	/** Maximum milliseconds between two pieces of the response, and when the last one came. */
	silence: number;
	heardAt: number;
	/** The response, once it has begun. */
	stream?: ByteStream;
	/** Ends the exchange because of an error with this code. */
	end: (code: string) => void;
}

/** The exchanges of a run that are under way, which are looked after together: a timer for each would cost too much. */
export interface Exchanges {
	readonly exchanges: Set<Exchange>;
	isWatching: boolean;
	/** Aborts when the execution is stopped. Some contexts have none. */
	readonly stopped?: AbortSignal;
	stop?: () => void;
}

/**
 * Ends what takes too long or comes to a halt, and everything when the execution is stopped. It is called whenever an exchange of
 * the run begins or is over, and looks around as long as one is under way.
 */
async function watchExchanges(watch: Exchanges): Promise<void> {
	const { exchanges, stopped } = watch;
	watch.stop ??= () => exchanges.forEach(({ end }) => end('ERR_CANCELED'));
	if (exchanges.size > 0) stopped?.addEventListener('abort', watch.stop);
	else stopped?.removeEventListener('abort', watch.stop);
	if (watch.isWatching) return;
	watch.isWatching = true;
	while (exchanges.size > 0) {
		const now = performance.now();
		let next = now + WATCH_MS;
		for (const exchange of exchanges) {
			const { endAt, silence, stream } = exchange;
			// While pieces wait for their reader, the service is not silent.
			if (stream && stream.readableLength > 0) exchange.heardAt = now;
			const isSilent = stream !== undefined && now - exchange.heardAt >= silence;
			if (isSilent || now >= endAt) exchange.end(stream ? 'EHALTED' : 'ETIMEDOUT');
			else next = Math.min(next, endAt);
		}
		if (exchanges.size > 0) await sleep(next - now);
	}
	watch.isWatching = false;
}

export interface ServiceResponse {
	statusCode: number;
	headers: IN8nHttpFullResponse['headers'];
	/** Parsed JSON, or text. If the request asked for a stream, the unread stream. */
	body: unknown;
	/** The body without its envelope: its `data`, or the body itself (conventions 2 to 6 of the interface). */
	content: unknown;
	/** Of a stream: resolves when it has ended, well or not. */
	ended?: Promise<void>;
	/** Closes the connection of a stream, if it has not ended. */
	close?: () => void;
}

export interface ServiceRequest
	extends Pick<IHttpRequestOptions, 'body' | 'encoding' | 'headers' | 'method' | 'qs'> {
	url: string;
	/** Returns the editor's names of the members that the request writes. It is called only for an error. */
	labels?: () => Labels;
	/** Names the entry at a place of the list in the body, from 0, where its number would tell people nothing. */
	entryName?: (place: number) => string;
}

/** Reads a response to its end: parsed JSON, or the text if it is not JSON. */
async function contentOf(stream: ByteStream, exchange: Exchange): Promise<unknown> {
	const pieces: Buffer[] = [];
	let count = 0;
	for await (const piece of stream) {
		exchange.heardAt = performance.now();
		count += piece.length;
		if (count > MAX_BYTES) throw Object.assign(new Error('The response is too large'), { code: 'E2BIG' });
		pieces.push(piece);
	}
	const text = UTF_8.decode(Buffer.concat(pieces, count));
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Bounds a file while somebody else reads it, until its stream has ended. */
async function fileEnd(file: ByteStream, exchange: Exchange, watch: Exchanges): Promise<void> {
	let bytes = 0;
	// A listener for data would make the stream flow before anybody reads it.
	const push = file.push.bind(file);
	file.push = (piece, ...more) => {
		exchange.heardAt = performance.now();
		bytes += piece?.length ?? 0;
		if (bytes > MAX_FILE_BYTES) exchange.end('EFBIG');
		return push(piece, ...more);
	};
	await new Promise<void>((resolve) => file.on('close', resolve));
	watch.exchanges.delete(exchange);
	void watchExchanges(watch);
}

/**
 * Sends a request once, within the *Timeout* of the credential, or an hour for a file. n8n's own timeout ends with the headers of
 * the response. It follows no redirects, because n8n would send the token to the new address.
 */
export async function exchange(
	context: RequestContext,
	{ baseUrl, connection }: { baseUrl: string; connection: Connection },
	{ method = 'GET', url, qs, body: sent, headers: sentHeaders, encoding }: ServiceRequest,
	watch: Exchanges,
): Promise<ServiceResponse> {
	const carriesFile = encoding === 'stream' || sent instanceof StreamingForm;
	const controller = new AbortController();
	const { signal } = controller;
	let reason: Error | undefined;
	const own: Exchange = {
		endAt: performance.now() + Math.max(carriesFile ? FILE_TIMEOUT_MS : 0, connection.timeout),
		silence: Math.min(MAX_SILENCE_MS, connection.timeout),
		heardAt: 0,
		end(code) {
			if (!watch.exchanges.delete(own)) return;
			// Whoever reads the stream of the response gets it too.
			reason = Object.assign(new Error('The exchange was ended'), { code });
			// First, because an abort would give the stream a reason that says nothing.
			own.stream?.destroy(reason);
			controller.abort();
		},
	};
	watch.exchanges.add(own);
	void watchExchanges(watch);
	let ended: Promise<void> | undefined;
	try {
		// n8n takes this signal for the one that stops the execution. Not with the context as the prototype: V8 makes an object that
		// becomes one anew, and finds its members slowly.
		const copy = Object.create(Object.getPrototypeOf(context) as object) as RequestContext;
		const withSignal = Object.assign(copy, context, { getExecutionCancelSignal: () => signal });
		const received: IN8nHttpFullResponse = await context.helpers.httpRequestWithAuthentication.call(
			withSignal,
			CREDENTIAL,
			{
				json: true,
				...connection,
				method,
				qs,
				body: sent,
				headers: sentHeaders,
				url: `${baseUrl}${url}`,
				abortSignal: signal,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			},
		);
		const { statusCode, headers } = received;
		let body: unknown = received.body;
		const stream = body as ByteStream | undefined;
		if (stream?.destroy) {
			own.heardAt = performance.now();
			own.stream = stream;
			const isRefusal = statusCode < 200 || statusCode > 299;
			if (encoding !== 'stream' || isRefusal) body = await contentOf(stream, own);
			else ended = fileEnd(stream, own, watch);
		}
		const content = isObject(body) && Object.hasOwn(body, 'data') ? body.data : body;
		return { statusCode, headers, body, content, ended, close: () => own.end('ERR_CANCELED') };
	} catch (error) {
		throw reason ?? error;
	} finally {
		if (!ended) {
			watch.exchanges.delete(own);
			void watchExchanges(watch);
			// The stream alone would leave the connection of a response open that was not read to its end.
			if (own.stream?.readableEnded === false) controller.abort();
		}
	}
}
