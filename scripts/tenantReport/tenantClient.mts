import { setTimeout as wait } from 'node:timers/promises';
import { type Dispatcher, fetch, type FormData, type Response } from 'undici';
import { connectionsTo } from './access.mts';
import { type Content, type Exchange, readContent } from './exchange.mts';
import { operationOf } from './differences.mts';
import type { Findings } from './findings.mts';
import { ReportProblem, Unanswered } from './problem.mts';

/** A request with what it sends, and why. */
export interface Question extends Partial<Pick<Exchange, 'isCleanup' | 'isMissing' | 'query'>> {
	json?: unknown;
	form?: FormData;
}

export interface ClientOptions {
	baseUrl: string;
	token: string;
	/** Gets a line for each request. */
	say?: (line: string) => void;
	/** Ends the check early; what was created is removed all the same. */
	stop?: AbortSignal;
	/** Milliseconds between two requests; default `PAUSE_MS`. */
	pauseMs?: number;
	/** Milliseconds that a request may take with all of its answer; default a minute. */
	longestRequestMs?: number;
}

/** Milliseconds between two requests, unless somebody chooses otherwise. */
export const PAUSE_MS = 100;

/** Bounds of a check, so that it never burdens a tenant. */
const MOST_REQUESTS = 150;
const MOST_TRIES = 3;
const LONGEST_WAIT_SECONDS = 60;
const LONGEST_REQUEST_MS = 60_000;

/** Seconds that a tenant asks to wait; some where its header is not usable. */
function secondsToWait({ 'retry-after': given = '' }: Record<string, string>): number {
	const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
	return Number.isNaN(seconds) ? 5 : Math.max(0, seconds);
}

/** Asks a tenant, one request at a time and few of them, and shows all of it to the findings. */
export class TenantClient {
	private readonly connections: Dispatcher;

	private sent = 0;

	private readonly stop: AbortSignal;

	constructor(
		private readonly options: ClientOptions,
		private readonly findings: Findings,
	) {
		this.stop = options.stop ?? new AbortController().signal;
		this.connections = connectionsTo(options.baseUrl);
	}

	async close(): Promise<void> {
		await this.connections.destroy();
	}

	/**
	 * Sends a request, again where the tenant asks to wait. Redirects are not followed, so that the token stays here.
	 *
	 * @throws Unanswered when there was no answer
	 * @throws ReportProblem when the tenant wants a long wait
	 */
	async send(method: string, path: string, question: Question = {}): Promise<Exchange> {
		for (let tries = 1; ; tries++) {
			const exchange = await this.sendOnce(method, path, question);
			if (exchange.status !== 429) return exchange;
			const seconds = secondsToWait(exchange.headers);
			const when = `try again in ${Math.max(1, Math.ceil(seconds / 60))} min.`;
			if (tries === MOST_TRIES || seconds > LONGEST_WAIT_SECONDS)
				throw new ReportProblem(`The tenant takes no more requests for now (429): ${when}`);
			this.options.say?.(`      waits ${Math.ceil(seconds)} s, as the tenant asks`);
			await this.pause(seconds * 1000, question.isCleanup);
		}
	}

	private async pause(ms: number, isCleanup = false): Promise<void> {
		const signal = isCleanup ? undefined : this.stop;
		await wait(ms, undefined, { signal }).catch(() => undefined);
		signal?.throwIfAborted();
	}

	private async sendOnce(method: string, path: string, question: Question): Promise<Exchange> {
		const { query = {}, json, form, isCleanup, isMissing } = question;
		const { stop } = this;
		const { baseUrl, token, say, pauseMs = PAUSE_MS, longestRequestMs = LONGEST_REQUEST_MS } = this.options;
		if (this.sent > 0) await this.pause(pauseMs, isCleanup);
		if (!isCleanup) stop.throwIfAborted();
		if (this.sent >= MOST_REQUESTS && !isCleanup)
			throw new ReportProblem(`The check ends here: it sends no more than ${MOST_REQUESTS} requests.`);
		this.sent++;
		const startedAt = performance.now();
		const deadline = AbortSignal.timeout(longestRequestMs);
		const url = new URL(`${baseUrl}${path}`);
		url.search = new URLSearchParams(query).toString();
		let response: Response | undefined;
		let content: Content;
		let ms: number;
		try {
			response = await fetch(url, {
				method,
				headers: {
					accept: 'application/json',
					'user-agent': 'n8n-nodes-customer-messaging tenant:check',
					authorization: `Bearer ${token}`,
					...(json !== undefined && { 'content-type': 'application/json' }),
				},
				body: form ?? (json === undefined ? undefined : JSON.stringify(json)),
				redirect: 'manual',
				dispatcher: this.connections,
				// What may change something is waited for, so that it can be removed.
				signal: method === 'GET' && !isCleanup ? AbortSignal.any([stop, deadline]) : deadline,
			});
			ms = performance.now() - startedAt;
			content = await readContent(response.body as AsyncIterable<Uint8Array> | null);
		} catch (error) {
			if (!isCleanup) stop.throwIfAborted();
			throw new Unanswered(url.host, error, response !== undefined);
		}
		const { status } = response;
		const headers = Object.fromEntries(response.headers);
		const exchange = { method, path, query, status, headers, content, ms, isMissing, isCleanup };
		this.findings.look(exchange);
		const asked = Object.keys(query).map((name, at) => `${at === 0 ? '?' : '&'}${name}=…`);
		const what = `${method} ${operationOf(method, path)?.path ?? 'another path'}${asked.join('')}`;
		say?.(`${String(this.sent).padStart(4)}  ${what}  ${status}  ${Math.round(ms)} ms`);
		return exchange;
	}
}
