import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import vm from 'node:vm';

import { http } from '../http.mts';

/** A body: JSON where nothing is lost by it, other text, or bytes. */
export type Body = { json: unknown } | { base64: string } | string;

/** A request with its answer: method and URL, authorization, content type, body; then status, content type, body. */
export type Exchange = [...Request, number, string, Body];

type Request = [string, string, string, Body];

/** What the credential of frozen workflows holds. Nothing but a proxy finds this domain. */
export const CREDENTIAL = {
	tenantDomain: 'http://tenant',
	accessToken: 'the-token-of-frozen-workflows',
	advanced: { settings: { maximumInFlight: 40, maximumTries: 10, pageDelay: 0, tryForSeconds: 120 } },
};

const { tenantDomain: DOMAIN } = CREDENTIAL;

/** What is another in each run. */
function steady(text: string): string {
	return text
		.replace(/axios-[\d.]+-boundary-[\w-]+|-{20,}[\w-]{20,}/g, '<boundary>')
		.replace(/(http:\/\/127\.0\.0\.1:5678\/webhook-waiting\/)?\d+\/node\?[^\s"\\]+/g, '<link>');
}

/** Edits text in what may be no text: bytes go through latin1 as they are. */
const edited = (bytes: Buffer, edit: (text: string) => string) =>
	Buffer.from(edit(bytes.toString('latin1')), 'latin1');

function written(bytes: Buffer): Body {
	const text = bytes.toString();
	if (!Buffer.from(text).equals(bytes)) return { base64: bytes.toString('base64') };
	try {
		const json: unknown = JSON.parse(text);
		return JSON.stringify(json) === text ? { json } : text;
	} catch {
		return text;
	}
}

function read(body: Body): Buffer {
	if (typeof body === 'string') return Buffer.from(body);
	return 'json' in body ? Buffer.from(JSON.stringify(body.json)) : Buffer.from(body.base64, 'base64');
}

/** Has the node's process send all its requests through a proxy. In jest that is another realm than the test's. */
function useProxy(url: string | undefined): void {
	const set = (env: NodeJS.ProcessEnv) => {
		if (url === undefined) delete env.HTTP_PROXY;
		else env.HTTP_PROXY = url;
	};
	set(process.env);
	set(vm.runInThisContext('process.env') as NodeJS.ProcessEnv);
}

/** Who answers the requests of a run: a tenant of this machine with its token, or what has been written down. */
export type Answering = Exchange[] | { url: string; token: string };

/** A tenant for one run of a node after the other: it writes down how another one answers, or answers as that one did. */
export class FrozenTenant {
	private seen: Exchange[] = [];

	private answering: Answering = [];

	private readonly server = createServer((request, response) => {
		void this.exchange(request).then(([, , , , status, type, body]) => {
			response.writeHead(status, type === '' ? {} : { 'content-type': type }).end(read(body));
		});
	});

	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		useProxy(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
	}

	async stop(): Promise<void> {
		useProxy(undefined);
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	/** Does something with a node. Gives what it sent meanwhile in its order, with the answers. */
	async during<T>(
		answering: Answering,
		work: () => Promise<T>,
	): Promise<{ exchanges: Exchange[]; result: T }> {
		this.answering = Array.isArray(answering) ? [...answering] : answering;
		this.seen = [];
		const result = await work();
		return { exchanges: this.seen, result };
	}

	private async exchange(message: IncomingMessage): Promise<Exchange> {
		const { method, url = '', headers } = message;
		const { authorization = '', 'content-type': type = '' } = headers;
		const content = await buffer(message);
		const request: Request = [
			`${method} ${url}`,
			authorization,
			steady(type),
			written(edited(content, steady)),
		];
		const { answering } = this;
		const exchange: Exchange = Array.isArray(answering)
			? answered(request, answering)
			: [...request, ...(await asked(answering, message, content))];
		this.seen.push(exchange);
		return exchange;
	}
}

/** Takes the first answer to such a request out of what has been written down. */
function answered(request: Request, exchanges: Exchange[]): Exchange {
	const place = exchanges.findIndex((one) => asText(requestOf(one)) === asText(request));
	if (place < 0)
		return [...request, 404, 'application/json', { json: { message: 'Nobody asked this before' } }];
	return exchanges.splice(place, 1)[0];
}

/** Has a tenant answer. What it says of its address, it says of the one in the credential. */
async function asked(
	{ url: tenant, token }: { url: string; token: string },
	{ method, url = '', headers }: IncomingMessage,
	data: Buffer,
): Promise<[number, string, Body]> {
	const { 'content-type': type, authorization } = headers;
	const answer = await http.request<Buffer>({
		...{ method, url: url.replace(DOMAIN, tenant), data, responseType: 'arraybuffer' },
		headers: {
			...(type && { 'content-type': type }),
			...(authorization && { authorization: authorization.replace(CREDENTIAL.accessToken, token) }),
		},
	});
	const bytes = edited(answer.data, (text) => text.replaceAll(tenant, DOMAIN));
	return [answer.status, String(answer.headers['content-type'] ?? ''), written(bytes)];
}

const requestOf = (exchange: Exchange) => exchange.slice(0, 4);

/** The requests among exchanges. */
export const requestsOf = (exchanges: Exchange[]) => exchanges.map(requestOf);

/** A value as text in which what is another in each run is the same. */
export const asText = (value: unknown): string => steady(JSON.stringify(value));
