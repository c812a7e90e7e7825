import { createHash } from 'node:crypto';

import { type ILoadOptionsFunctions, sleep } from 'n8n-workflow';

import { cut } from '../values/text';
import { CREDENTIAL, type RequestContext, wait } from './context';
import { accessOf, advancedOf } from './credential';
import { Failure, lateError, networkFailureOf, type RequestFailure, seconds, stoppedError } from './errors';
import { exchange, type Exchanges, type ServiceRequest, type ServiceResponse } from './exchange';
import { failureOf, isPage } from './failures';
import { Limiter, limiters } from './limiter';
import { type Redact, redactor } from './redact';
import { askedWait, asksAll, decide } from './retryPolicy';

/** Limits in the editor. A person waits there, so a fast error is better than a late success. */
const EDITOR_LIMITS = { maximumTries: 2, tryForSeconds: 10, timeout: 30_000 };
const NO_LIMITS = { maximumTries: Infinity, tryForSeconds: Infinity, timeout: Infinity };

/** The last work on each record, which all executions of this process write in their order. n8n has no place for it. */
const lastWork = new Map<string, Promise<unknown>>();

interface Settings extends ReturnType<typeof advancedOf> {
	baseUrl: string;
	/** Identifies the tenant and the token, without revealing the token. */
	tenantKey: string;
	limiter: Limiter;
}

/** The client of one run of a node, or of one call of the editor, which is thrown away with it. *Retry On Fail* begins another run. */
export class Api<Context extends RequestContext = RequestContext> {
	/** Numbers of items that went another way than asked, by what happened to them. See `note`. */
	readonly notes = new Map<string, number>();
	/** The requests that waited because the tenant asked for it, and the sum of their waits in milliseconds. */
	readonly waited = { requests: 0, milliseconds: 0 };
	/** The number of lists that ended at *Limit* and may go on. */
	cutLists = 0;
	/** Who sees only some customers, if a list of them was read whole. */
	limitedView?: string;
	/** Aborts when the execution is stopped, or when this run has failed. Nothing is sent after that. */
	readonly signal: AbortSignal;
	/** Hides the secrets of the credential in a text of the service, and cuts the text. No text has any before it is read. */
	redact: Redact = cut;
	/** See *Country Code for Numbers Without One*. It is known when the credential is read, before the first item. */
	countryCode = '';

	/** What the credential says. Whoever needs it fails if a field of it is unusable. */
	readonly settings: Promise<Settings>;

	/** The context of the run, which has this client. */
	readonly context: RunContext<Context>;

	private readonly made = new Map<unknown, unknown>();
	private readonly failed = new AbortController();
	private readonly startedAt = performance.now();
	private readonly watch: Exchanges;

	constructor(private readonly n8n: Context) {
		this.context = Object.assign(Object.create(n8n) as Context, { api: this });
		// Some contexts have no signal that aborts when the execution is stopped.
		const stopped = 'getExecutionCancelSignal' in n8n ? n8n.getExecutionCancelSignal() : undefined;
		this.watch = { exchanges: new Set(), isWatching: false, stopped };
		this.signal = stopped ? AbortSignal.any([stopped, this.failed.signal]) : this.failed.signal;
		this.settings = this.readSettings();
		this.settings.catch(() => undefined);
	}

	/** Ends the run: nothing more is sent. */
	end(): void {
		this.failed.abort();
	}

	/** Counts items that went another way than asked. A hint tells of them, and continues "3 of 40 items …". */
	note(what: string, count = 1): void {
		this.notes.set(what, (this.notes.get(what) ?? 0) + count);
	}

	/** Makes something once for a key: who asks later gets the same. A promise that fails is not kept. */
	once<T>(key: unknown, make: () => T): T {
		if (!this.made.has(key)) {
			const made = make();
			this.made.set(key, made);
			Promise.resolve(made).catch(() => this.made.delete(key));
		}
		return this.made.get(key) as T;
	}

	/**
	 * Runs work on one record, by its path, after all earlier work on it within this process: items keep their order, and who
	 * reads a set and writes it back does not overwrite the change of another execution. Within it, there must be no other with
	 * this path.
	 */
	async inOrder<T>(path: string, work: () => Promise<T>): Promise<T> {
		const { baseUrl } = await this.settings;
		const key = `${baseUrl}${path}`;
		const mine = (lastWork.get(key) ?? Promise.resolve()).then(work, work);
		lastWork.set(key, mine);
		try {
			return await mine;
		} finally {
			if (lastWork.get(key) === mine) lastWork.delete(key);
		}
	}

	/**
	 * Sends a request to the tenant, as often as the retry policy allows. Every request of the package goes through it.
	 *
	 * @param request `url` is a path of the interface; `encoding: 'stream'` returns the body unread
	 * @returns the response, with a status of success
	 * @throws Failure with the service's message and the remedy, or when its turn does not come in time
	 */
	async send(request: ServiceRequest): Promise<ServiceResponse> {
		const { signal } = this;
		const settings = await this.settings;
		const { limiter } = settings;
		const { method = 'GET', url: path } = request;
		const tryFor = settings.tryForSeconds * 1000;
		const deadline = performance.now() + tryFor;
		const giveUpAt = (refusedSince: number) => Math.max(refusedSince, this.startedAt) + tryFor;
		let waited = 0;
		const errorOf = (failed: RequestFailure, attempts: number) => {
			const asked = askedWait(failed.retryAfter, Date.now()) ?? 0;
			const notes = asked >= 1000 ? [`The service asks to wait ${seconds(asked)}.`] : [];
			if (attempts > 1) notes.push(`It was tried ${attempts} times.`);
			return new Failure(failed, request, notes);
		};
		let before: RequestFailure | undefined;
		// Says that the service may have carried out an attempt. A later attempt that was not carried out does not change that.
		let unclear: RequestFailure | undefined;
		try {
			for (let count = 1; ; count++) {
				const askedAt = performance.now();
				const turn = await limiter.turn({ run: this, deadline, giveUpAt, isRepeat: count > 1, signal });
				const begunAt = performance.now();
				waited += Math.max(0, Math.min(begunAt, limiter.pauseEnd) - askedAt);
				if (turn !== 'now') {
					const failed = unclear ?? before;
					if (failed) throw errorOf(failed, count - 1);
					throw turn === 'late' ? lateError(limiter.pauseEnd - begunAt, tryFor) : stoppedError();
				}
				const result = await this.attempt(request, settings);
				if ('statusCode' in result) return result;
				// Who answers with a page says nothing about the record.
				const isTold = !isPage(result.body);
				const attempted = { method, path, count, mayBeDone: isTold && unclear !== undefined };
				const endedAt = performance.now();
				const limits = { maximumAttempts: settings.maximumTries, timeLeft: deadline - endedAt };
				const decision = decide(attempted, result, limits, Date.now(), Math.random());
				if (decision.next === 'done') return { statusCode: 200, headers: {}, body: '', content: '' };
				if (!result.failure.isNotDone && method !== 'GET') unclear = result;
				if (decision.next === 'giveUp' || signal.aborted)
					throw errorOf(result.failure.isFinal && isTold ? result : (unclear ?? result), count);
				before = result;
				await wait(decision.after, signal);
				waited += performance.now() - endedAt;
			}
		} finally {
			if (waited > 0) this.waited.requests++;
			this.waited.milliseconds += waited;
		}
	}

	private async readSettings(): Promise<Settings> {
		const { n8n } = this;
		const credential = await n8n.getCredentials(CREDENTIAL);
		const isInEditor = !('getExecuteData' in n8n) && !('getActivationMode' in n8n);
		const given = advancedOf(credential.advanced);
		const { connection } = given;
		this.countryCode = given.countryCode;
		const most = isInEditor ? EDITOR_LIMITS : NO_LIMITS;
		connection.timeout = Math.min(connection.timeout, most.timeout);
		const { baseUrl, token } = accessOf(credential);
		let redact: Redact | undefined;
		// Made for the first error only, because it takes longer than a request is made.
		this.redact = (words, limit) =>
			(redact ??= redactor(token, connection.proxy?.auth?.password ?? ''))(words, limit);
		const tenantKey = createHash('sha256')
			.update(JSON.stringify([baseUrl, token]))
			.digest('hex');
		const limiter = limiters.get(tenantKey) ?? new Limiter(given.maximumInFlight);
		limiter.maximum = given.maximumInFlight;
		limiters.set(tenantKey, limiter);
		return {
			...given,
			maximumTries: Math.min(given.maximumTries, most.maximumTries),
			tryForSeconds: Math.min(given.tryForSeconds, most.tryForSeconds),
			baseUrl,
			tenantKey,
			limiter,
		};
	}

	/** Sends a request once. The limiter learns whether the tenant refuses requests. */
	private async attempt(
		request: ServiceRequest,
		settings: Settings,
	): Promise<ServiceResponse | RequestFailure> {
		const { method = 'GET', url } = request;
		const { connection, limiter } = settings;
		let isTaken = false;
		let response: ServiceResponse | undefined;
		try {
			const received = await exchange(this.n8n, settings, request, this.watch);
			const { statusCode: status, headers, body } = received;
			const failure = failureOf(method, url, status, body);
			const failed = failure && { failure, status, body, retryAfter: headers['retry-after'] };
			const now = Date.now();
			if (failed && asksAll(method, url, failed, now)) limiter.refused(askedWait(failed.retryAfter, now));
			else isTaken = status < 500;
			return failed ?? (response = received);
		} catch (error) {
			return networkFailureOf(error, connection.proxy);
		} finally {
			// A failure can end the run. The run comes to know of it before its next request has its turn.
			if (response && !response.ended) limiter.end(isTaken);
			else void (response?.ended ?? sleep(0)).then(() => limiter.end(isTaken));
		}
	}
}

/** A context with the client of its run. */
export type RunContext<Context = RequestContext> = Context & { readonly api: Api };

export type EditorContext = RunContext<ILoadOptionsFunctions>;
