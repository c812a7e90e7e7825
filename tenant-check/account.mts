import { setTimeout as wait } from 'node:timers/promises';
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch, type Response } from 'undici';
import { isLoopback } from './access.mts';
import { secondsOf } from './forms.mts';
import { CheckProblem } from './problem.mts';
import type { Report } from './report.mts';

/** Bounds of a check, so that it never burdens an account. */
const MOST_REQUESTS = 100;
const MOST_TRIES = 3;
const LONGEST_WAIT_SECONDS = 60;
const LONGEST_REQUEST_MS = 30_000;
const PAUSE_MS = 100;

/** The largest body that the package reads at once. */
const MOST_BYTES = 32 * 1024 * 1024;

/** What a body is that is not JSON. */
export type NoJson =
	| 'an empty body'
	| 'a page of HTML'
	| 'text that is not JSON'
	| 'bytes that are not UTF-8'
	| 'more than 32 MB';

/** What the check looks at of a response. */
export interface Seen {
	status: number;
	/** Its header *Link*. */
	link: string | null;
	/** The JSON of the body; not of a file, which is not read. */
	json?: unknown;
	/** What the body is in place of JSON. */
	other?: NoJson;
}

/** A request without a response. */
export class NoResponse extends CheckProblem {}

async function bodyOf(response: Response): Promise<Pick<Seen, 'json' | 'other'>> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of response.body ?? []) {
		length += (chunk as Uint8Array).length;
		// Leaving the loop ends the download.
		if (length > MOST_BYTES) return { other: 'more than 32 MB' };
		chunks.push(chunk as Uint8Array);
	}
	if (length === 0) return { other: 'an empty body' };
	let text: string;
	try {
		text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
	} catch {
		return { other: 'bytes that are not UTF-8' };
	}
	try {
		return { json: JSON.parse(text) as unknown };
	} catch {
		return { other: /^\s*</.test(text) ? 'a page of HTML' : 'text that is not JSON' };
	}
}

/** Reads an account: one request after the other, few of them, and none that changes anything. */
export class Account {
	sent = 0;

	private readonly connections: Dispatcher;

	/** @param pauseMs milliseconds between two requests */
	constructor(
		private readonly access: { baseUrl: string; token: string },
		private readonly report: Report,
		private readonly pauseMs = PAUSE_MS,
	) {
		// Through the proxy that the environment names, but for this machine itself.
		this.connections = isLoopback(access.baseUrl) ? new Agent() : new EnvHttpProxyAgent();
	}

	async close(): Promise<void> {
		await this.connections.destroy();
	}

	/**
	 * Asks for a path of the interface, again where the account asks to wait.
	 *
	 * @param isFile leaves the body unread
	 * @throws NoResponse when there was none
	 * @throws CheckProblem when the account wants a long wait, or there were too many requests
	 */
	async get(path: string, query: Record<string, string> = {}, isFile = false): Promise<Seen> {
		for (let tries = 1; ; tries++) {
			const response = await this.ask(path, query);
			const { status, headers } = response;
			if (status !== 429 && status !== 503) {
				const isUnread = isFile && status < 300;
				if (isUnread) await response.body?.cancel();
				const body = isUnread ? {} : await this.unlessBroken(() => bodyOf(response));
				return { status, link: headers.get('link'), ...body };
			}
			await response.body?.cancel();
			const seconds = this.secondsToWait(headers.get('retry-after')) ?? 2 ** tries;
			if (tries === MOST_TRIES || seconds > LONGEST_WAIT_SECONDS)
				throw new CheckProblem(
					`The account takes no more requests for now (${status}): try again in ${Math.max(1, Math.ceil(seconds / 60))} min.`,
				);
			await wait(seconds * 1000);
		}
	}

	private secondsToWait(header: string | null): number | undefined {
		const seconds = header === null ? undefined : secondsOf(header);
		if (header === null) this.report.keeps('wait', 'no Retry-After: waiting times double');
		else if (seconds === undefined) this.report.breaks('wait', 'Retry-After', 'neither seconds nor a date');
		else this.report.keeps('wait', 'Retry-After');
		return seconds;
	}

	private async ask(path: string, query: Record<string, string>): Promise<Response> {
		if (this.sent === MOST_REQUESTS)
			throw new CheckProblem(`The check ends here: it sends no more than ${MOST_REQUESTS} requests.`);
		if (this.sent++ > 0) await wait(this.pauseMs);
		const { baseUrl, token } = this.access;
		const url = new URL(baseUrl + path);
		url.search = new URLSearchParams(query).toString();
		return await this.unlessBroken(
			async () =>
				await fetch(url, {
					headers: { accept: 'application/json', authorization: `Bearer ${token}` },
					// The token goes nowhere else.
					redirect: 'manual',
					dispatcher: this.connections,
					signal: AbortSignal.timeout(LONGEST_REQUEST_MS),
				}),
		);
	}

	/** @throws NoResponse with the code of the failure, and nothing of the request */
	private async unlessBroken<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
			const code = name === 'TimeoutError' ? 'TIMEOUT' : String(cause?.code);
			const shown = /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : '';
			const { host } = new URL(this.access.baseUrl);
			throw new NoResponse(
				`${host} gave no response${shown}: check the domain, the port and your network, or try again later.`,
			);
		}
	}
}
