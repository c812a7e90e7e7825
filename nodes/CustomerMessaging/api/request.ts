import { sleep } from 'n8n-workflow';

import { elapsed, type RequestContext, wait } from './context';
import { Failure, lateError, networkFailureOf, type RequestFailure, stoppedError } from './errors';
import { exchange, type ServiceRequest, type ServiceResponse } from './exchange';
import { isSuccess, OTHER_STATUS } from './failures';
import { type NodeRun, nodeRunOf } from './nodeRun';
import { quotaOf } from './rateHeaders';
import type { Turn } from './requestLimiter';
import { isPage, tellsFailure } from './responseBody';
import {
	askedWait,
	askNotes,
	asksAll,
	decide,
	failureOf,
	hasOwnLimit,
	waitAfter,
	type Waits,
	waitNotes,
} from './retryPolicy';

export type { ServiceRequest, ServiceResponse } from './exchange';

function kindOf({ method, url }: ServiceRequest): string {
	const [, resource, ...more] = url.split('/');
	return `${method ?? 'GET'} ${resource} ${more.length}`;
}

/** Tells the limiter what a response says about the tenant's pace. Returns the failure, if it tells of one. */
function judge(
	{ limiter, connection }: NodeRun,
	options: ServiceRequest,
	{ statusCode: status, headers, body }: ServiceResponse,
	count: number,
	startedAt: number,
): RequestFailure | undefined {
	const { method = 'GET', url } = options;
	const now = Date.now();
	const quota = quotaOf(headers, now);
	if (quota && !hasOwnLimit(method, url)) limiter.keepTo(quota);
	if (isSuccess(status)) {
		limiter.answered(kindOf(options), elapsed() - startedAt);
		return tellsFailure(body, method === 'GET') ? { failure: OTHER_STATUS, status, body } : undefined;
	}
	const failed = {
		failure: failureOf(method, url, status, body, connection.proxy !== undefined),
		status,
		retryAfter: headers['retry-after'],
		body,
	};
	if (asksAll(method, url, failed, now)) limiter.refused(waitAfter(count, failed, now, Math.random()));
	else if (status < 500) limiter.answered(kindOf(options), elapsed() - startedAt);
	return failed;
}

async function attempt(
	context: RequestContext,
	run: NodeRun,
	options: ServiceRequest,
	{ count, deadline, waits }: { count: number; deadline: number; waits: Waits },
): Promise<{ response: ServiceResponse } | RequestFailure | Exclude<Turn, 'now'>> {
	const { limiter } = run;
	const askedAt = elapsed();
	const patientUntil = (refusedSince: number) => Math.max(refusedSince, run.startedAt) + run.tryFor;
	const turn = await limiter.turn({ run, deadline, patientUntil, isRepeat: count > 1, signal: run.signal });
	const startedAt = elapsed();
	const paused = Math.max(0, Math.min(startedAt, limiter.pauseEnd) - askedAt);
	waits.forTenant += paused;
	waits.forTurn += startedAt - askedAt - paused;
	if (turn !== 'now') return turn;
	let isDone = false;
	let ended: Promise<void> | undefined;
	try {
		const response = await exchange(context, run.baseUrl, options, run.connection);
		const failed = judge(run, options, response, count, startedAt);
		isDone = !failed;
		({ ended } = response);
		return failed ?? { response };
	} catch (error) {
		return networkFailureOf(error);
	} finally {
		// A failure can end the run. The run comes to know of it before its next request has its turn.
		if (ended) void ended.then(() => limiter.end());
		else if (isDone) limiter.end();
		else void sleep(0).then(() => limiter.end());
	}
}

/**
 * Sends a request to the tenant, as often as the retry policy allows. Every request of the package uses this function.
 *
 * @param options `url` is a path of the interface; `encoding: 'stream'` returns the body unread
 * @returns the response, with a status of success
 * @throws Failure with the service's message and the remedy, or when its turn does not come in time
 * @throws UserError when a field of the credential is unusable, or the response is too large
 */
export async function request(context: RequestContext, options: ServiceRequest): Promise<ServiceResponse> {
	const run = await nodeRunOf(context);
	const { method = 'GET', url: path, labels, entryName } = options;
	const { maximumAttempts, tryFor, signal } = run;
	const deadline = elapsed() + tryFor;
	const waits: Waits = { forTenant: 0, forTurn: 0 };
	const errorOf = (failed: RequestFailure, attempts: number) => {
		const notes = [...askNotes(askedWait(failed.retryAfter, Date.now())), ...waitNotes(attempts, waits)];
		return new Failure(failed, { method, labels, entryName }, notes);
	};
	let before: RequestFailure | undefined;
	// Says that the service may have carried out an attempt. A later attempt that was not carried out does not change that.
	let unclear: RequestFailure | undefined;
	try {
		for (let count = 1; ; count++) {
			const result = await attempt(context, run, options, { count, deadline, waits });
			if (typeof result === 'string') {
				const failed = unclear ?? before;
				if (failed) throw errorOf(failed, count - 1);
				throw result === 'late' ? lateError(run.limiter.pauseEnd - elapsed(), tryFor) : stoppedError();
			}
			if ('response' in result) return result.response;
			// Who answers with a page says nothing about the record.
			const isTold = !isPage(result.body);
			const attempted = { method, path, count, mayBeDone: isTold && unclear !== undefined };
			const now = elapsed();
			const limits = { maximumAttempts, timeLeft: deadline - now };
			const decision = decide(attempted, result, limits, Date.now(), Math.random());
			if (decision.next === 'done') return { statusCode: 200, headers: {}, body: { data: [] } };
			if (!result.failure.isNotDone && method !== 'GET') unclear = result;
			if (decision.next === 'giveUp' || signal?.aborted)
				throw errorOf(result.failure.isFinal && isTold ? result : (unclear ?? result), count);
			before = result;
			await wait(decision.after, signal);
			waits.forTenant += elapsed() - now;
		}
	} finally {
		if (waits.forTenant > 0) {
			run.waited.requests++;
			run.waited.milliseconds += waits.forTenant;
		}
	}
}
