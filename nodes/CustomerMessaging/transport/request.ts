import { sleep } from 'n8n-workflow';

import { tellsFailure } from './answer';
import { itemIndexOf, type RequestContext } from './context';
import {
	failureOf,
	lateError,
	networkError,
	statusError,
	stoppedError,
	type Subject,
	withWaits,
	type Waits,
} from './errors';
import { type Answer, exchange, type ServiceRequest } from './exchange';
import { fieldName } from './errorBody';
import { OTHER_STATUS, statusFailure } from './failures';
import { type NodeRun, nodeRunOf } from './nodeRun';
import { quotaOf } from './rateHeaders';
import { MAX_PAUSE_MS, type Turn } from './requestLimiter';
import { asksAll, decide, hasOwnLimit, isNotDone, type Outcome, waitAfter } from './retryPolicy';
import { wait } from './wait';

export type { Answer, ServiceRequest } from './exchange';

/** A failed attempt, with the error for the case that no further attempt follows. */
type Failed = Outcome & { error: Error };

/** An attempt at a request. */
interface Trial {
	subject: Subject;
	count: number;
	/** Milliseconds since 1970 after which it must not begin. */
	deadline: number;
	waits: Waits;
}

/** Requests of one kind take similar times: they have the same method, resource and depth. */
function kindOf({ method, url }: ServiceRequest): string {
	const [, resource, ...more] = url.split('/');
	return `${method ?? 'GET'} ${resource} ${more.length}`;
}

/** Sends the request when it has its turn, and tells the limiter what the response says about the tenant's pace. */
async function attemptOnce(
	context: RequestContext,
	run: NodeRun,
	options: ServiceRequest,
	{ subject, count, deadline, waits }: Trial,
): Promise<{ answer: Answer } | Failed | Exclude<Turn, 'now'>> {
	const { limiter } = run;
	const askedAt = Date.now();
	const pausedBefore = limiter.paused;
	const patientUntil = (refusedSince: number) => Math.max(refusedSince, run.startedAt) + run.tryFor;
	const turn = await limiter.turn({ run, deadline, patientUntil, isRepeat: count > 1, signal: run.signal });
	const startedAt = Date.now();
	const paused = Math.min(limiter.paused - pausedBefore, startedAt - askedAt);
	waits.forTenant += paused;
	waits.forTurn += startedAt - askedAt - paused;
	if (turn !== 'now') return turn;
	let isDone = false;
	let ended: Promise<void> | undefined;
	try {
		const answer = await exchange(context, run.baseUrl, options, run.connection);
		const { statusCode: status, headers, body } = answer;
		const now = Date.now();
		const quota = hasOwnLimit(subject.method, options.url) ? undefined : quotaOf(headers, now);
		if (quota) limiter.keepTo(quota);
		const outcome: Outcome = { failure: statusFailure(status), status, retryAfter: headers['retry-after'] };
		if (asksAll(subject.method, options.url, outcome, now)) {
			limiter.pause(waitAfter(count, outcome, now, Math.random()));
		} else if (status < 500) limiter.answered(kindOf(options), now - startedAt);
		isDone = status < 300 && !tellsFailure(body);
		({ ended } = answer);
		if (isDone) return { answer };
		if (status < 300) return { failure: OTHER_STATUS, error: statusError(subject, status, body, false) };
		const isUnclear = subject.method !== 'GET' && !isNotDone(outcome);
		return { ...outcome, error: statusError(subject, status, body, isUnclear) };
	} catch (error) {
		return { failure: failureOf(error), error: networkError(subject, error) };
	} finally {
		// A failure can end the run. The run comes to know of it before its next request has its turn.
		if (ended) void ended.then(() => limiter.end());
		else if (isDone) limiter.end();
		else void sleep(0).then(() => limiter.end());
	}
}

/**
 * Sends a request to the tenant. Every request of the package uses this function, for items and for the editor.
 *
 * The tenant's limiter bounds the requests in flight. The retry policy decides about further attempts (see
 * retryPolicy.ts).
 *
 * @param options `url` is a path of the interface; `encoding: 'stream'` returns the body unread
 * @returns the response, with a status below 300
 * @throws NodeApiError with the service's message and the remedy, or when its turn does not come in time
 * @throws NodeOperationError when the response is too large
 * @throws UserError when a field of the credential is unusable
 */
export async function request(context: RequestContext, options: ServiceRequest): Promise<Answer> {
	const run = await nodeRunOf(context);
	const waits: Waits = { forTenant: 0, forTurn: 0 };
	try {
		return await tryToSend(context, run, options, waits);
	} finally {
		if (waits.forTenant > 0) {
			run.waited.requests++;
			run.waited.milliseconds += waits.forTenant;
		}
	}
}

async function tryToSend(
	context: RequestContext,
	run: NodeRun,
	options: ServiceRequest,
	waits: Waits,
): Promise<Answer> {
	const method = options.method ?? 'GET';
	const subject: Subject = {
		// A function, because n8n copies the node with all its parameters at each call.
		node: () => context.getNode(),
		method,
		itemIndex: itemIndexOf(context),
		hide: run.hide,
		fieldName: (field) => fieldName(options.labels?.() ?? {}, field),
	};
	const { maximumAttempts, tryFor, signal } = run;
	const deadline = Date.now() + tryFor;
	let before: Error | undefined;
	// Says that the service may have carried out an attempt. A later attempt that was not carried out does not change that.
	let unclear: Error | undefined;
	for (let count = 1; ; count++) {
		const result = await attemptOnce(context, run, options, { subject, count, deadline, waits });
		if (typeof result === 'string') {
			const told = unclear ?? before;
			if (told) throw withWaits(told, count - 1, waits);
			throw result === 'late'
				? lateError(subject, run.limiter.pauseEnd - Date.now(), tryFor)
				: stoppedError();
		}
		if ('answer' in result) return result.answer;
		const attempt = { method, path: options.url, count, mayBeDone: unclear !== undefined };
		const now = Date.now();
		const decision = decide(attempt, result, { maximumAttempts, deadline }, now, Math.random());
		if (decision.next === 'done') return { statusCode: 200, headers: {}, body: { data: [] } };
		if (!isNotDone(result) && method !== 'GET') unclear = result.error;
		const told = result.failure.isFinal ? result.error : (unclear ?? result.error);
		if (decision.next === 'giveUp' || signal?.aborted) throw withWaits(told, count, waits);
		before = result.error;
		// After *Too Many Requests*, the limiter makes all requests to the tenant wait, this one in its place.
		if (decision.forAll && decision.after <= MAX_PAUSE_MS) continue;
		await wait(decision.after, signal);
		waits.forTenant += Date.now() - now;
	}
}
