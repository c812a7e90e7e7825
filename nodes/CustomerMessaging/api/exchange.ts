import { type IHttpRequestOptions, type IN8nHttpFullResponse, sleep } from 'n8n-workflow';

import { StreamingForm } from '../n8nInternals/streamingForm';
import { type ByteStream, contentOf, UnreadAnswer } from './content';
import { cancelSignalOf, CREDENTIAL, elapsed, type RequestContext } from './context';
import type { Connection } from './credential';
import type { Labels } from './errorBody';
import { isSuccess, networkFailure } from './failures';

const FILE_TIMEOUT_MS = 60 * 60_000;

/** Maximum number of bytes of a downloaded file, unpacked. A small answer can unpack to any size. */
const MAX_FILE_BYTES = 2 * 1024 * 1024 * 1024;

const MAX_SILENCE_MS = 60_000;
const WATCH_MS = 250;

/**
 * Ends an exchange that takes too long, whose response comes to a halt, or whose execution is stopped. n8n's own timeout
 * ends with the headers of the response. `AbortSignal.any` and `AbortSignal.timeout` would take five times as long for each exchange.
 */
class Watch {
	reason?: Error;
	private readonly ended = new AbortController();
	readonly signal = this.ended.signal;

	/** Time of the process at which the exchange has taken too long. */
	private readonly endAt: number;
	private stream?: ByteStream;
	/** Maximum milliseconds between two pieces of the stream, and when the last one came. */
	private silence = Infinity;
	private heardAt = 0;
	private isReleased = false;

	constructor(
		timeout: number,
		private readonly stops: AbortSignal[],
	) {
		this.endAt = elapsed() + timeout;
		for (const stop of stops) stop.addEventListener('abort', this.stop);
		if (stops.some(({ aborted }) => aborted)) this.stop();
		void this.look();
	}

	/** Watches the stream of a response, with the maximum milliseconds between two pieces. */
	follow(stream: ByteStream, silence: number): void {
		this.stream = stream;
		this.silence = silence;
		this.heardAt = elapsed();
		stream.on('close', this.release);
		let bytes = 0;
		// A listener for data would make the stream flow before anybody reads it.
		const push = stream.push.bind(stream);
		stream.push = (piece, ...more) => {
			this.heardAt = elapsed();
			bytes += piece?.length ?? 0;
			if (bytes > MAX_FILE_BYTES) this.endBy('EFBIG');
			return push(piece, ...more);
		};
	}

	/** Lets go of the exchange: the last look at it is still to come. */
	readonly release = (): void => {
		this.isReleased = true;
		this.stream = undefined;
		for (const stop of this.stops) stop.removeEventListener('abort', this.stop);
	};

	/** Closes the connection of a response that nobody reads on. The stream alone would leave it open. */
	abandon(): void {
		this.ended.abort();
	}

	private async look(): Promise<void> {
		while (!this.isReleased) {
			const now = elapsed();
			// While pieces wait for their reader, the service is not silent.
			if (this.stream && this.stream.readableLength > 0) this.heardAt = now;
			if (now >= this.endAt) this.endBy(this.stream ? 'EHALTED' : 'ETIMEDOUT');
			else if (this.stream && now - this.heardAt >= this.silence) this.endBy('EHALTED');
			else await sleep(Math.min(WATCH_MS, this.endAt - now));
		}
	}

	private readonly stop = (): void => this.endBy('ERR_CANCELED');

	private endBy(code: string): void {
		const { stream } = this;
		this.release();
		const { message, remedy } = networkFailure(code);
		// Whoever reads the stream of the response gets it too.
		this.reason ??= Object.assign(new Error(message), { code, description: remedy });
		// First, because an abort would give the stream a reason that says nothing.
		stream?.destroy(this.reason);
		this.ended.abort();
	}
}

interface Content {
	/** Parsed JSON, or text. If the request asked for a stream, the unread stream. */
	body: unknown;
	/** Why the answer to a write was not read, which continues "got an answer that …". */
	unread?: string;
}

export interface ServiceResponse extends Content {
	statusCode: number;
	headers: IN8nHttpFullResponse['headers'];
	/** Resolves when the stream has ended, well or not. */
	ended?: Promise<void>;
}

export interface ServiceRequest
	extends Pick<IHttpRequestOptions, 'abortSignal' | 'body' | 'encoding' | 'headers' | 'method' | 'qs'> {
	url: string;
	/** Returns the editor's names of the members that the request writes. It is called only for an error. */
	labels?: () => Labels;
	/** Names the entry at a place of the list in the body, from 0, where its number would tell people nothing. */
	entryName?: (place: number) => string;
}

const isStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && 'push' in body && 'destroy' in body;

/** The answer to a write that cannot be read: the write is done, so nothing fails. */
function ofUnread(error: unknown): Content {
	if (!(error instanceof UnreadAnswer)) throw error;
	return { body: '', unread: error.problem };
}

/**
 * Returns the same context, in which n8n takes this signal for the one that stops the execution. Not with the context as its
 * prototype: V8 makes an object that becomes one anew, and finds its members slowly.
 */
const withSignal = <Context extends RequestContext>(context: Context, signal: AbortSignal): Context =>
	Object.assign(Object.create(Object.getPrototypeOf(context) as object) as Context, context, {
		getExecutionCancelSignal: () => signal,
	});

/**
 * Sends a request once, within the *Timeout* of the credential, or an hour for a file. It follows no redirects, because
 * n8n would send the token to the new address.
 */
export async function exchange(
	context: RequestContext,
	baseUrl: string,
	{ method = 'GET', url, qs, body: sent, headers: sentHeaders, encoding, abortSignal }: ServiceRequest,
	connection: Connection,
): Promise<ServiceResponse> {
	const carriesFile = encoding === 'stream' || sent instanceof StreamingForm;
	const timeout = carriesFile ? Math.max(FILE_TIMEOUT_MS, connection.timeout) : connection.timeout;
	const signals = [cancelSignalOf(context), abortSignal as AbortSignal | undefined];
	const watch = new Watch(
		timeout,
		signals.filter((one) => one !== undefined),
	);
	const { signal } = watch;
	let isFollowed = false;
	try {
		const { statusCode, headers, body }: ServiceResponse =
			await context.helpers.httpRequestWithAuthentication.call(withSignal(context, signal), CREDENTIAL, {
				json: true,
				...connection,
				...{ method, qs, body: sent, headers: sentHeaders },
				url: `${baseUrl}${url}`,
				abortSignal: signal,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			});
		if (!isStream(body)) return { statusCode, headers, body };
		const wantsStream = encoding === 'stream' && isSuccess(statusCode);
		watch.follow(body, Math.min(MAX_SILENCE_MS, connection.timeout));
		if (!wantsStream) {
			const reading = contentOf(body, !isSuccess(statusCode));
			const content = reading.finally(() => body.readableEnded || watch.abandon());
			const answer = content.then((read): Content => ({ body: read }));
			return { statusCode, headers, ...(await (method === 'GET' ? answer : answer.catch(ofUnread))) };
		}
		isFollowed = true;
		const ended = new Promise<void>((resolve) => body.on('close', () => resolve()));
		return { statusCode, headers, body, ended };
	} catch (error) {
		throw watch.reason ?? error;
	} finally {
		if (!isFollowed) watch.release();
	}
}
