import { type IHttpRequestOptions, type IN8nHttpFullResponse, UserError } from 'n8n-workflow';

import { cancelSignalOf, CREDENTIAL, itemIndexOf, type RequestContext } from './context';
import { failureOf, networkError, statusError, type Subject } from './errors';
import { statusFailure } from './failures';
import { type NodeRun, nodeRunOf } from './nodeRun';
import { decide, isNotDone, isTooMuch, type Outcome, waitAfter } from './retryPolicy';
import { wait } from './wait';

/** Longer answers are refused: no page of a list and no record comes near it. Downloads are not limited. */
const MAX_ANSWER_LENGTH = 64 * 1024 * 1024;

/** A stream of text, as Node.js has it. */
interface TextStream {
	setEncoding(encoding: 'utf8'): unknown;
	on(event: string, listener: (piece: string) => void): unknown;
	destroy(): unknown;
}

function isStream(body: unknown): body is TextStream {
	return typeof body === 'object' && body !== null && 'setEncoding' in body && 'destroy' in body;
}

/** Reads an answer to its end, as JSON where it is. */
async function contentOf(stream: TextStream): Promise<unknown> {
	let text = '';
	stream.setEncoding('utf8');
	// By events: iterating over a stream costs several times as much, for each of many small answers.
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
		// After the end this says nothing; before it, the connection broke.
		stream.on('close', () => reject(new Error('The connection was closed within the answer')));
	});
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

/** What the service answered. */
export interface Answer {
	statusCode: number;
	headers: IN8nHttpFullResponse['headers'];
	/** Parsed where it is JSON; unread where the request asked for a stream. */
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

/** A failed attempt, with the error to throw where none follows. */
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
			// What one request is told, all of this run go by.
			if (isTooMuch(outcome)) run.limiter.pause(waitAfter(count, outcome, Date.now(), Math.random()));
			const isUnclear = subject.method !== 'GET' && !isNotDone(outcome);
			return { ...outcome, error: statusError(subject, status, body, isUnclear) };
		}, cancelSignalOf(context));
	} catch (error) {
		return { failure: failureOf(error), error: networkError(subject, error) };
	}
}

/**
 * Sends a request to the tenant. Every request of the package, from items and from the editor, passes here.
 *
 * It waits for its turn, so that a bounded number is in flight, and is sent again where that cannot do anything twice (see
 * retryPolicy.ts). Redirects are not followed, since n8n would send the token along.
 *
 * @param options `url` is a path of the interface; `encoding: 'stream'` gives the body unread
 * @returns the answer, whose status is below 300
 * @throws NodeApiError with the service's message and the way out
 */
export async function request(context: RequestContext, options: IHttpRequestOptions): Promise<Answer> {
	const run = await nodeRunOf(context);
	const method = options.method ?? 'GET';
	const subject: Subject = {
		// n8n copies the node, with all its parameters, each time it is asked for it.
		node: () => context.getNode(),
		method,
		itemIndex: itemIndexOf(context),
		secret: run.secret,
	};
	const signal = cancelSignalOf(context);
	let startedAt: number | undefined;
	let mayBeDone = false;
	for (let count = 1; ; count++) {
		const result = await attemptOnce(context, run, options, subject, count, () => {
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
		// Where the tenant has too much to do, the limiter lets all of this run wait.
		if (!decision.forAll) await wait(decision.after, signal);
	}
}
