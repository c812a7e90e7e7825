import { setTimeout as wait } from 'node:timers/promises';
import { type Dispatcher, fetch, type FormData, type Response } from 'undici';
import { connectionsTo } from './access.mts';
import { type Content, type Exchange, readContent } from './exchange.mts';
import { operationOf } from './differences.mts';
import type { Findings } from './findings.mts';
import { ReportProblem, Unanswered } from './problem.mts';

/** What the tenant answered. */
export interface Answer extends Pick<Exchange, 'headers' | 'status'> {
	content: Content;
	/** The JSON of the answer; undefined where there is none. */
	json: unknown;
}

export interface Question extends Partial<Pick<Exchange, 'isMissing' | 'query'>> {
	json?: unknown;
	form?: FormData;
	/** Send it although the person wants to stop: to remove what was created. */
	isCleanup?: boolean;
}

export interface ClientOptions {
	baseUrl: string;
	token: string;
	findings: Findings;
	/** Gets a line for each request. */
	say: (line: string) => void;
	/** Ends the check. */
	stop: AbortSignal;
	/** Between two requests. */
	pauseMs: number;
	/** For a request with all of its answer; default `LONGEST_REQUEST_MS`. */
	longestRequestMs?: number;
}

/** Bounds of a check, so that it never burdens a tenant. */
const MOST_REQUESTS = 150;
const MOST_TRIES = 3;
const LONGEST_WAIT_SECONDS = 60;
const TIMEOUT_MS = 30_000;
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

	constructor(private readonly options: ClientOptions) {
		this.connections = connectionsTo(options.baseUrl, {
			connect: { timeout: 10_000 },
			headersTimeout: TIMEOUT_MS,
			bodyTimeout: TIMEOUT_MS,
		});
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
	async send(method: string, path: string, question: Question = {}): Promise<Answer> {
		for (let tries = 1; ; tries++) {
			const answer = await this.sendOnce(method, path, question);
			if (answer.status !== 429) return answer;
			const seconds = secondsToWait(answer.headers);
			if (tries === MOST_TRIES || seconds > LONGEST_WAIT_SECONDS) {
				throw new ReportProblem(
					`The tenant takes no more requests for now (429): try again in ${Math.max(1, Math.ceil(seconds / 60))} min.`,
				);
			}
			this.options.say(`      waits ${Math.ceil(seconds)} s, as the tenant asks`);
			await this.pause(seconds * 1000, question.isCleanup);
		}
	}

	private async pause(ms: number, isCleanup = false): Promise<void> {
		const signal = isCleanup ? undefined : this.options.stop;
		await wait(ms, undefined, { signal }).catch(() => undefined);
		signal?.throwIfAborted();
	}

	private async sendOnce(method: string, path: string, question: Question): Promise<Answer> {
		const { query = {}, json, form, isCleanup, isMissing } = question;
		const { baseUrl, token, findings, say, stop, pauseMs } = this.options;
		if (this.sent > 0) await this.pause(pauseMs, isCleanup);
		if (!isCleanup) stop.throwIfAborted();
		if (this.sent >= MOST_REQUESTS && !isCleanup)
			throw new ReportProblem(
				`The check ends after ${MOST_REQUESTS} requests, so that it burdens no tenant.`,
			);
		this.sent++;
		const startedAt = performance.now();
		const deadline = AbortSignal.timeout(this.options.longestRequestMs ?? LONGEST_REQUEST_MS);
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
		findings.look({ method, path, query, status, headers, answer: content, ms, isMissing, isCleanup });
		const names = Object.keys(query).map((name) => `${name}=…`);
		const template = operationOf(method, path)?.path ?? 'another path';
		const what = [template, names.join('&')].filter(Boolean).join('?');
		say(`${String(this.sent).padStart(4)}  ${method} ${what}  ${status}  ${Math.round(ms)} ms`);
		return { status, headers, content, json: content.value };
	}
}
