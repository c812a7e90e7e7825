import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { connectionsTo } from './access.mts';
import { type Content, type Exchange, headerTexts, MOST_BYTES, readContent } from './exchange.mts';
import { Observations, operationOf } from './observations.mts';
import { networkProblem } from './problem.mts';
import type { Report } from './report.mts';

export interface ProxyOptions {
	/** The tenant's base URL. */
	baseUrl: string;
	/** Default 0: any free one. */
	port?: number;
	/** Gets a line for each request. */
	say?: (line: string) => void;
}

export interface TenantProxy {
	/** What goes into the credential as tenant domain. */
	url: string;
	/** What is known by now. */
	report(): Report;
	close(): Promise<void>;
}

/** Headers about one connection rather than about the message (RFC 9110, 7.6.1), and what the client sets itself. */
const OF_CONNECTION =
	/^(connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

/** Headers as they came, name and value by turns, without those of the connection and some others. */
function passedOn(headers: string[], ...others: string[]): string[] {
	const named = headers
		.flatMap((name, index) =>
			index % 2 === 0 && /^connection$/i.test(name) ? headers[index + 1].split(',') : [],
		)
		.map((name) => name.trim().toLowerCase());
	return headers.flatMap((name, index) => {
		const small = name.toLowerCase();
		if (index % 2 === 1 || OF_CONNECTION.test(small) || [...named, ...others].includes(small)) return [];
		return [name, headers[index + 1]];
	});
}

/** Lets a body through as it is, and keeps its beginning for the report. */
class Tap extends Transform {
	private chunks: Buffer[] | undefined = [];

	private length = 0;

	override _transform(
		chunk: Buffer,
		_encoding: BufferEncoding,
		done: (error: null, chunk: Buffer) => void,
	): void {
		this.length += chunk.length;
		if (this.length > MOST_BYTES) this.chunks = undefined;
		this.chunks?.push(chunk);
		done(null, chunk);
	}

	/** The body as far as it came. */
	async content(encoding?: string): Promise<Content> {
		return await readContent(this.chunks && Buffer.concat(this.chunks), encoding);
	}
}

const hasBody = ({ headers }: IncomingMessage) =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** One request on its way to the tenant and back. */
class Passage {
	private readonly sent = new Tap();

	private readonly received = new Tap();

	private readonly startedAt = performance.now();

	private ms = 0;

	constructor(
		private readonly request: IncomingMessage,
		private readonly response: ServerResponse,
	) {}

	/** Passes the request on, and its answer back. @throws when either breaks off */
	async run(origin: string, connections: Dispatcher): Promise<Dispatcher.ResponseData> {
		const { request, response } = this;
		const gone = new AbortController();
		response.once('close', () => gone.abort());
		const isWithBody = hasBody(request);
		// A body that breaks off ends the request, whose failure tells it.
		if (isWithBody) pipeline(request, this.sent).catch(() => undefined);
		const answer = await connections.request({
			origin,
			path: request.url ?? '/',
			method: request.method as Dispatcher.HttpMethod,
			headers: passedOn(request.rawHeaders, 'host', 'expect'),
			body: isWithBody ? this.sent : null,
			signal: gone.signal,
			responseHeaders: 'raw',
		});
		this.ms = performance.now() - this.startedAt;
		const headers = answer.headers as unknown as string[];
		response.sendDate = false;
		response.writeHead(answer.statusCode, answer.statusText, passedOn(headers));
		await pipeline(answer.body as Readable, this.received, response);
		return answer;
	}

	/** Shows what went through to the observations. @returns how long it took, and whether it breaks the contract */
	async observe(
		observations: Observations,
		path: string,
		query: URLSearchParams,
		answer: Dispatcher.ResponseData,
	): Promise<{ ms: number; breaksContract: boolean }> {
		const { request, ms } = this;
		const raw = answer.headers as unknown as string[];
		const headers = headerTexts(
			Object.fromEntries(raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1]]] : []))),
		);
		const exchange: Exchange = {
			method: request.method ?? '',
			path,
			query,
			request: await this.sent.content(request.headers['content-encoding']),
			status: answer.statusCode,
			headers,
			answer: await this.received.content(headers['content-encoding']),
			ms,
		};
		const before = observations.misfits;
		observations.add(exchange);
		return { ms, breaksContract: observations.misfits > before };
	}
}

/**
 * Starts a proxy on this machine that passes everything on to a tenant as it is, and compares both directions with the
 * contract. It holds no token: that of each request goes to the tenant, and nowhere else.
 *
 * @throws when the port is taken (code EADDRINUSE)
 */
export async function startTenantProxy(options: ProxyOptions): Promise<TenantProxy> {
	const { baseUrl, port = 0, say = () => undefined } = options;
	const { origin, host, pathname: prefix } = new URL(baseUrl);
	const observations = new Observations('tenant:proxy', baseUrl);
	// How long to wait is the client's matter.
	const connections = connectionsTo(baseUrl, { headersTimeout: 0, bodyTimeout: 0 });
	const underWay = new Set<Promise<void>>();

	async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = '', url = '' } = request;
		// Whoever names a host wants another kind of proxy.
		if (!url.startsWith('/') || !URL.canParse(url, origin)) {
			response.writeHead(400).end();
			return;
		}
		const { pathname, searchParams } = new URL(url, origin);
		const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
		const what = `${method} ${operationOf(method, path)?.path ?? '(another path)'}`;
		const passage = new Passage(request, response);
		let answer: Dispatcher.ResponseData;
		try {
			answer = await passage.run(origin, connections);
		} catch (error) {
			const problem = hasClientLeft(error)
				? 'the client went away before it had the answer.'
				: networkProblem(host, error);
			say(`${what}  broken off: ${problem}`);
			// What breaks off at the tenant breaks off here, too; only a tenant that was not reached has to be told.
			const isUnreached = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(codeOf(error));
			if (response.headersSent || !isUnreached) response.destroy();
			else
				response
					.writeHead(502, { 'content-type': 'application/json' })
					.end(JSON.stringify({ message: problem }));
			return;
		}
		try {
			const { ms, breaksContract } = await passage.observe(observations, path, searchParams, answer);
			const mark = breaksContract ? '  breaks the contract' : '';
			say(`${what}  ${answer.statusCode}  ${Math.round(ms)} ms${mark}`);
		} catch {
			say(`${what}  ${answer.statusCode}  was passed on, but could not be compared with the contract`);
		}
	}

	const server = createServer({ requestTimeout: 0 }, (request, response) => {
		const passing = pass(request, response).finally(() => underWay.delete(passing));
		underWay.add(passing);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		report: () => observations.report(),
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await connections.destroy();
			await Promise.all(underWay);
		},
	};
}

/** The end of the client's connection aborts the request to the tenant, or ends the way of its answer too early. */
const hasClientLeft = (error: unknown) =>
	/^(UND_ERR_ABORTED|ABORT_ERR|20|ERR_STREAM_PREMATURE_CLOSE)$/.test(codeOf(error));

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? '');
