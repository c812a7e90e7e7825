import { setTimeout as wait } from 'node:timers/promises';
import { type Dispatcher, type FormData, request } from 'undici';
import { connectionsTo } from './access.mts';
import { type Content, headerTexts, MOST_BYTES, readContent } from './exchange.mts';
import { operationOf } from './differences.mts';
import type { Findings } from './findings.mts';
import { networkProblem, ReportProblem } from './problem.mts';

/** What the tenant answered. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	/** The JSON of the answer; undefined where there is none. */
	json: unknown;
	content: Content;
}

export interface Question {
	query?: Record<string, string>;
	json?: unknown;
	form?: FormData;
	/** Send it although the person wants to stop: to remove what was created. */
	isCleanup?: boolean;
	/** It asks for a record that does not exist. */
	isMissing?: boolean;
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

/** A request that failed on its way: whether it was carried out is not known. */
export class Unanswered extends ReportProblem {
	/** What came in place of a response, without the host. */
	readonly came: string;

	constructor(host: string, error: unknown) {
		const problem = networkProblem(host, error);
		super(problem);
		this.came = `none: it ${problem
			.slice(host.length + 1)
			.split(':')[0]
			.replace(/\.$/, '')}`;
	}
}

/** Bounds of a check, so that it never burdens a tenant. */
const MOST_REQUESTS = 150;
const MOST_TRIES = 3;
const LONGEST_WAIT_SECONDS = 60;
const TIMEOUT_MS = 30_000;
const LONGEST_REQUEST_MS = 60_000;

/** Reads a body up to a size. */
async function readUpTo(body: Dispatcher.ResponseData['body']): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		length += chunk.length;
		// Leaving the loop ends the download.
		if (length > MOST_BYTES) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** Seconds that a tenant asks to wait; undefined without a usable header. */
function secondsToWait({ 'retry-after': given }: Record<string, string>): number | undefined {
	if (given === undefined) return undefined;
	const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
	return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
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
			const seconds = secondsToWait(answer.headers) ?? 5;
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

	private async sendOnce(
		method: string,
		path: string,
		{ query = {}, json, form, isCleanup, isMissing }: Question,
	): Promise<Answer> {
		const { baseUrl, token, findings, say, stop, pauseMs } = this.options;
		const { longestRequestMs = LONGEST_REQUEST_MS } = this.options;
		if (this.sent > 0) await this.pause(pauseMs, isCleanup);
		if (!isCleanup) stop.throwIfAborted();
		if (this.sent >= MOST_REQUESTS && !isCleanup) {
			throw new ReportProblem(
				`The check ends after ${MOST_REQUESTS} requests, so that it burdens no tenant.`,
			);
		}
		this.sent++;
		const template = operationOf(method, path)?.path ?? 'another path';
		const names = Object.keys(query).map((name) => `${name}=…`);
		const what = `${method} ${[template, names.join('&')].filter(Boolean).join('?')}`;
		const startedAt = performance.now();
		const deadline = AbortSignal.timeout(longestRequestMs);
		let response: Dispatcher.ResponseData;
		let bytes: Buffer | undefined;
		let ms: number;
		try {
			response = await request(`${baseUrl}${path}`, {
				method: method as Dispatcher.HttpMethod,
				query,
				headers: {
					accept: 'application/json',
					'user-agent': 'n8n-nodes-customer-messaging tenant:check',
					authorization: `Bearer ${token}`,
					...(json !== undefined && { 'content-type': 'application/json' }),
				},
				body: form ?? (json === undefined ? undefined : JSON.stringify(json)),
				dispatcher: this.connections,
				// What may change something is waited for, so that it can be removed.
				signal: method === 'GET' && !isCleanup ? AbortSignal.any([stop, deadline]) : deadline,
			});
			ms = performance.now() - startedAt;
			bytes = await readUpTo(response.body);
		} catch (error) {
			if (!isCleanup) stop.throwIfAborted();
			throw new Unanswered(new URL(baseUrl).host, error);
		}
		const headers = headerTexts(response.headers);
		const content = await readContent(bytes, headers['content-encoding']);
		const { statusCode: status } = response;
		findings.look({
			method,
			path,
			query: new URLSearchParams(query),
			status,
			headers,
			answer: content,
			ms,
			isMissing,
			isCleanup,
		});
		say(`${String(this.sent).padStart(4)}  ${what}  ${status}  ${Math.round(ms)} ms`);
		return { status, headers, json: content.kind === 'json' ? content.value : undefined, content };
	}
}
