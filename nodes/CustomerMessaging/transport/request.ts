import { type IHttpRequestOptions, type IN8nHttpFullResponse, UserError } from 'n8n-workflow';

import { connectionOptions } from './connectionOptions';
import { cancelSignalOf, CREDENTIAL, itemIndexOf, type RequestContext } from './context';
import { failureOf, networkError, statusError, type Subject } from './errors';
import { statusFailure } from './failures';
import { type NodeRun, nodeRunOf } from './nodeRun';
import { decide, isNotDone, isTooMuch, type Outcome, waitAfter } from './retryPolicy';
import { wait } from './wait';

/**
 * Maximum number of characters in a response. No record and no page of a list comes near it. Downloads have no limit.
 */
const MAX_ANSWER_LENGTH = 64 * 1024 * 1024;

/** A text stream of Node.js. */
interface TextStream {
	setEncoding(encoding: 'utf8'): unknown;
	on(event: string, listener: (piece: string) => void): unknown;
	destroy(): unknown;
}

function isStream(body: unknown): body is TextStream {
	return typeof body === 'object' && body !== null && 'setEncoding' in body && 'destroy' in body;
}

/** Reads a response to its end. Returns parsed JSON, or the text if it is not JSON. */
async function contentOf(stream: TextStream): Promise<unknown> {
	let text = '';
	stream.setEncoding('utf8');
	// Events instead of an iterator: an iterator costs several times as much, which counts for many small responses.
	await new Promise<void>((resolve, reject) => {
		stream.on('data', (piece) => {
			text += piece;
			if (text.length <= MAX_ANSWER_LENGTH) return;
			stream.destroy();
			reject(
				new UserError('The answer of the service is larger than 64 MB', {
					description: 'Ask for less at once: set a Limit or a filter.',
				}),
			);
		});
		stream.on('end', () => resolve());
		stream.on('error', reject);
		// After `end`, this rejection has no effect. Before `end`, it means that the connection broke.
		stream.on('close', () => reject(new Error('The connection was closed within the answer')));
	});
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

/** A response of the service. */
export interface Answer {
	statusCode: number;
	headers: IN8nHttpFullResponse['headers'];
	/** Parsed JSON, or text. If the request asked for a stream, the unread stream. */
	body: unknown;
}

/** Sends the request once. */
async function exchange(
	context: RequestContext,
	{ baseUrl }: NodeRun,
	options: IHttpRequestOptions,
): Promise<Answer> {
	const { statusCode, headers, body }: Answer = await context.helpers.httpRequestWithAuthentication.call(
		context,
		CREDENTIAL,
		{
			json: true,
			...options,
			url: `${baseUrl}${options.url}`,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		},
	);
	const wantsStream = options.encoding === 'stream' && statusCode < 300;
	return { statusCode, headers, body: !wantsStream && isStream(body) ? await contentOf(body) : body };
}

/** A failed attempt, with the error for the case that no further attempt follows. */
type Failed = Outcome & { error: Error };

async function attemptOnce(
	context: RequestContext,
	run: NodeRun,
	options: IHttpRequestOptions,
	subject: Subject,
	count: number,
	started: () => void,
): Promise<{ answer: Answer } | Failed> {
	try {
		return await run.limiter.run(async () => {
			started();
			const answer = await exchange(context, run, options);
			const { statusCode: status, headers, body } = answer;
			if (status < 300) return { answer };
			const outcome: Outcome = {
				failure: statusFailure(status),
				status,
				retryAfter: headers['retry-after'],
			};
			// A *Too Many Requests* for one request pauses all requests of this run.
			if (isTooMuch(outcome)) run.limiter.pause(waitAfter(count, outcome, Date.now(), Math.random()));
			const isUnclear = subject.method !== 'GET' && !isNotDone(outcome);
			return { ...outcome, error: statusError(subject, status, body, isUnclear) };
		}, cancelSignalOf(context));
	} catch (error) {
		return { failure: failureOf(error), error: networkError(subject, error) };
	}
}

/**
 * Sends a request to the tenant. Every request of the package uses this function, for items and for the editor.
 *
 * The concurrency limiter bounds the requests in flight. The retry policy decides about further attempts (see
 * retryPolicy.ts). The function does not follow redirects, because n8n would send the token to the new address.
 *
 * @param options `url` is a path of the interface; `encoding: 'stream'` returns the body unread
 * @returns the response, with a status below 300
 * @throws NodeApiError with the service's message and the remedy
 * @throws NodeOperationError when the response is too large
 * @throws UserError when the credential's tenant domain is malformed or its token is empty
 */
export async function request(context: RequestContext, options: IHttpRequestOptions): Promise<Answer> {
	const run = await nodeRunOf(context);
	const method = options.method ?? 'GET';
	const connected = { ...connectionOptions(context), ...options };
	const subject: Subject = {
		// A function, because n8n copies the node with all its parameters at each call.
		node: () => context.getNode(),
		method,
		itemIndex: itemIndexOf(context),
		secret: run.secret,
	};
	const signal = cancelSignalOf(context);
	let startedAt: number | undefined;
	let mayBeDone = false;
	for (let count = 1; ; count++) {
		const result = await attemptOnce(context, run, connected, subject, count, () => {
			startedAt ??= Date.now();
		});
		if ('answer' in result) return result.answer;
		const attempt = { method, path: options.url, count, mayBeDone };
		const { maximumAttempts } = run;
		const limits = { maximumAttempts, deadline: (startedAt ?? 0) + run.tryFor };
		const decision = decide(attempt, result, limits, Date.now(), Math.random());
		if (decision.next === 'done') return { statusCode: 200, headers: {}, body: { data: [] } };
		if (decision.next === 'giveUp' || signal?.aborted) throw result.error;
		mayBeDone ||= !isNotDone(result);
		// After *Too Many Requests*, the limiter makes all requests of this run wait.
		if (!decision.forAll) await wait(decision.after, signal);
	}
}
