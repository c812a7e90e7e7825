import { type IHttpRequestOptions, type IN8nHttpFullResponse, UserError } from 'n8n-workflow';

import { cancelSignalOf, CREDENTIAL, itemIndexOf, type RequestContext } from './context';
import { type Attempt, isFinal, isNeverSent, networkError, statusError } from './errors';
import { type Execution, executionOf } from './execution';
import { wait } from './pace';
import { type FailedTry, mayRetry, mostTries, waitBefore } from './retry';

/** Longer answers are refused: no page of a list and no record comes near it. Downloads are not limited. */
const LONGEST_ANSWER = 64 * 1024 * 1024;

/** A delete of a record itself, not of what is attached to one. */
const DELETES_RECORD = /^DELETE \/\w+\/[^/]+$/;

interface TextStream {
	setEncoding(encoding: 'utf8'): void;
	on(event: 'data', listener: (text: string) => void): void;
	on(event: 'close' | 'end', listener: () => void): void;
	on(event: 'error', listener: (error: Error) => void): void;
	destroy(): void;
}

/** Reads an answer to its end, as JSON where it is. */
async function contentOf(stream: TextStream): Promise<unknown> {
	let text = '';
	stream.setEncoding('utf8');
	// By events: iterating over a stream costs several times as much, for each of many small answers.
	await new Promise<void>((resolve, reject) => {
		stream.on('data', (piece) => {
			text += piece;
			if (text.length <= LONGEST_ANSWER) return;
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

/** Sends the request once. */
async function exchange(
	context: RequestContext,
	{ baseUrl }: Execution,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	const response = (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
		json: true,
		...options,
		url: `${baseUrl}${options.url}`,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	})) as IN8nHttpFullResponse;
	const wantsStream = options.encoding === 'stream' && response.statusCode < 300;
	if (!wantsStream) {
		response.body = (await contentOf(response.body as unknown as TextStream)) as IN8nHttpFullResponse['body'];
	}
	return response;
}

/** One try: the answer, or why there is no usable one. */
type Outcome = { response: IN8nHttpFullResponse } | { failed: FailedTry; error: Error };

async function attemptOnce(
	context: RequestContext,
	execution: Execution,
	options: IHttpRequestOptions,
	attempt: Attempt,
	tries: number,
): Promise<Outcome> {
	const signal = cancelSignalOf(context);
	try {
		return await execution.pace.run(async () => {
			attempt.startedAt ??= Date.now();
			const response = await exchange(context, execution, options);
			const { statusCode: status, headers, body } = response;
			if (status < 300) return { response };
			const failed = { status, retryAfter: headers['retry-after'], neverSent: false };
			// What one request is told, all of this run go by.
			if (status === 429) execution.pace.pause(waitBefore(tries, failed, Date.now(), Math.random()));
			return { failed, error: statusError(attempt, status, body) };
		}, signal);
	} catch (error) {
		if (isFinal(error)) throw networkError(attempt, error);
		const failed = { status: undefined, retryAfter: undefined, neverSent: isNeverSent(error) };
		return { failed, error: networkError(attempt, error) };
	}
}

/**
 * Sends a request to the tenant. Every request of the package, from items and from the editor, passes here.
 *
 * It waits for its turn, so that a bounded number is in flight, and is sent again where that cannot do anything twice.
 * Redirects are not followed, since n8n would send the token along.
 *
 * @param options `url` is a path of the interface; `encoding: 'stream'` gives the body unread
 * @returns the answer, whose status is below 300
 * @throws NodeApiError with the service's message and the way out
 */
export async function request(
	context: RequestContext,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	const execution = await executionOf(context);
	const method = options.method ?? 'GET';
	const attempt: Attempt = {
		// n8n copies the node, with all its parameters, each time it is asked for it.
		node: () => context.getNode(),
		method,
		itemIndex: itemIndexOf(context),
		secret: execution.secret,
	};
	const signal = cancelSignalOf(context);
	let mayBeDone = false;
	for (let tries = 1; ; tries++) {
		const outcome = await attemptOnce(context, execution, options, attempt, tries);
		if ('response' in outcome) return outcome.response;
		const { failed, error } = outcome;
		// A record that an unanswered try before may have deleted, and that is gone now, is deleted.
		if (mayBeDone && failed.status === 404 && DELETES_RECORD.test(`${method} ${options.url}`)) {
			return { statusCode: 200, headers: {}, body: { data: [] } };
		}
		mayBeDone ||= failed.status === undefined ? !failed.neverSent : failed.status >= 500;
		const pause = waitBefore(tries, failed, Date.now(), Math.random());
		const worthWaiting =
			tries < mostTries(failed, execution.maximumTries) &&
			Date.now() + pause < (attempt.startedAt ?? 0) + execution.tryFor &&
			!signal?.aborted;
		if (!mayRetry(method, failed) || !worthWaiting) throw error;
		// After 429 the pace lets all of this run wait.
		if (failed.status !== 429) await wait(pause, signal);
	}
}
