import { Readable } from 'node:stream';

import axios, {
	AxiosError,
	AxiosHeaders,
	type AxiosResponse,
	CanceledError,
	type InternalAxiosRequestConfig,
} from 'axios';
import type { InjectOptions, LightMyRequestChain } from 'fastify';

/** What can be asked without a socket, such as a server of Fastify. */
interface Server {
	inject(options: InjectOptions): LightMyRequestChain;
}

/** A server that is asked without a socket. */
interface Reachable {
	server: Server;
	/** Whether a request has to go through a socket all the same, since somebody means to break it. */
	needsSocket: () => boolean;
}

const servers = new Map<string, Reachable>();

const network = axios.getAdapter('http');

/**
 * Has n8n's HTTP client, axios, ask a server in the same process, without a socket. Everything above the socket stays n8n's own.
 *
 * @param url where the server listens
 */
export function reachInMemory(
	url: string,
	server: Server,
	needsSocket: Reachable['needsSocket'] = () => false,
): void {
	servers.set(new URL(url).origin, { server, needsSocket });
	axios.defaults.adapter = ask;
}

/** From now on, it is asked through sockets again. */
export function leaveMemory(url: string): void {
	servers.delete(new URL(url).origin);
}

let usesSockets = false;

/** Has everything go through sockets meanwhile, as it does in n8n. */
export async function throughSockets<T>(work: () => Promise<T>): Promise<T> {
	usesSockets = true;
	try {
		return await work();
	} finally {
		usesSockets = false;
	}
}

const isEmpty = (data: unknown) => data === undefined || data === null;

const isPlain = (data: unknown) => isEmpty(data) || typeof data === 'string' || Buffer.isBuffer(data);

/** Whether a request goes by a proxy, which only exists in a network. */
const hasProxy = ({ proxy, httpAgent }: InternalAxiosRequestConfig) =>
	Boolean(proxy) || (typeof httpAgent === 'object' && httpAgent !== null && 'proxy' in httpAgent);

function failure(error: unknown, config: InternalAxiosRequestConfig): AxiosError {
	if (config.signal?.aborted) return Object.assign(new CanceledError('canceled'), { config });
	const { code, message } = error as NodeJS.ErrnoException;
	return code === 'LIGHT_ECONNRESET'
		? new AxiosError('socket hang up', 'ECONNRESET', config, {})
		: new AxiosError(message, code, config, {});
}

/** A body to the end, as the kinds of responses have it that are no streams. */
async function whole(body: Readable, type: InternalAxiosRequestConfig['responseType']): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of body) chunks.push(Buffer.from(chunk as Uint8Array));
	const bytes = Buffer.concat(chunks);
	return type === 'arraybuffer' ? bytes : bytes.toString('utf8').replace(/^\uFEFF/, '');
}

async function dispatch(
	{ server }: Reachable,
	url: URL,
	config: InternalAxiosRequestConfig,
): Promise<AxiosResponse> {
	const { method = 'get', data, signal, responseType, validateStatus } = config;
	const headers = AxiosHeaders.from(config.headers);
	headers.set('Accept-Encoding', 'gzip, compress, deflate, br', false);
	headers.set('Host', url.host, false);
	headers.set('Connection', 'close', false);
	const payload = isEmpty(data) ? undefined : Buffer.from(data as string);
	if (payload) headers.set('Content-Length', String(payload.length));
	const answer = await server.inject({
		method: method.toUpperCase() as InjectOptions['method'],
		url: url.href,
		headers: { ...headers.toJSON(), host: url.host } as InjectOptions['headers'],
		payload,
		payloadAsStream: true,
		...(signal && { signal: signal as AbortSignal }),
	});
	const body = answer.stream();
	const { statusCode: status, statusMessage: statusText } = answer;
	const response: AxiosResponse = {
		status,
		statusText,
		headers: AxiosHeaders.from(answer.headers as Record<string, string>),
		config,
		request: { path: url.pathname },
		data: responseType === 'stream' ? body : await whole(body, responseType),
	};
	if (!validateStatus || validateStatus(status)) return response;
	throw new AxiosError(
		`Request failed with status code ${status}`,
		status >= 500 ? AxiosError.ERR_BAD_RESPONSE : AxiosError.ERR_BAD_REQUEST,
		config,
		response.request,
		response,
	);
}

/** Rejects when a request is given up, however long its server goes on. */
async function aborted({ signal }: InternalAxiosRequestConfig): Promise<never> {
	return await new Promise((_resolve, reject) =>
		signal?.addEventListener?.('abort', () => reject(new CanceledError('canceled')), { once: true }),
	);
}

/** axios' way out: to a server in this process, or into the network. */
export async function ask(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
	const url = new URL(axios.getUri(config));
	const reachable = servers.get(url.origin);
	if (usesSockets || !reachable || hasProxy(config) || !isPlain(config.data) || reachable.needsSocket())
		return await network(config);
	if (config.signal?.aborted) throw Object.assign(new CanceledError('canceled'), { config });
	try {
		return await Promise.race([dispatch(reachable, url, config), aborted(config)]);
	} catch (error) {
		throw error instanceof AxiosError ? error : failure(error, config);
	}
}
