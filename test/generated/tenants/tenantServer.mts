import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a generated tenant sees it. */
export interface TenantRequest {
	method: string;
	/** Path below the base of the interface. */
	path: string;
	query: URLSearchParams;
	body: string;
}

/** What one generated tenant answers, and what has reached it. */
export interface ServedTenant {
	answer(request: TenantRequest, response: ServerResponse): void;
	/** One line for each request, for the failure message. */
	log: string[];
	/** What must never happen, such as a token in a query. */
	offences: string[];
}

export const BASE_PATH = '/third-party/v1';

async function listen(server: Server, host: string): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	return (server.address() as AddressInfo).port;
}

/**
 * Serves all generated tenants of a test file: one port for them, told apart by their tokens, and one for the host that no
 * request may ever reach.
 */
export class TenantServer {
	/** Where all tenants are, as a credential's tenant domain. */
	origin = '';

	/** Another host, to which some tenants link. */
	foreignOrigin = '';

	/** Requests that reached the other host or named no tenant. */
	readonly strays: string[] = [];

	private readonly tenants = new Map<string, ServedTenant>();

	private readonly servers: Server[] = [];

	private count = 0;

	/** A token that no other tenant has. */
	nextToken(): string {
		return `secret-of-tenant-${++this.count}-end`;
	}

	serve(token: string, tenant: ServedTenant): void {
		this.tenants.set(token, tenant);
	}

	forget(token: string): void {
		this.tenants.delete(token);
	}

	async start(): Promise<void> {
		const own = createServer((request, response) => this.receive(request, response));
		const foreign = createServer((request, response) => {
			this.strays.push(`${request.method} ${request.url} at another host`);
			this.tenantOf(request)?.offences.push(`asked another host: ${request.url}`);
			response.end('{"data":[]}');
		});
		this.servers.push(own, foreign);
		// No tenant speaks TLS.
		own.on('clientError', (_error, socket) => socket.destroy());
		this.origin = `http://127.0.0.1:${await listen(own, '127.0.0.1')}`;
		this.foreignOrigin = `http://localhost:${await listen(foreign, '127.0.0.1')}`;
	}

	async stop(): Promise<void> {
		for (const server of this.servers) {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		}
	}

	private tenantOf({ headers }: IncomingMessage): ServedTenant | undefined {
		return this.tenants.get((headers.authorization ?? '').replace(/^Bearer /, ''));
	}

	private receive(request: IncomingMessage, response: ServerResponse): void {
		const { method = '', url = '' } = request;
		const tenant = this.tenantOf(request);
		if (!tenant) {
			this.strays.push(`${method} ${url} without the token of a tenant`);
			response.writeHead(401).end();
			return;
		}
		if (url.includes('secret-of-tenant')) tenant.offences.push(`the token is in the URL: ${url}`);
		let body = '';
		request.setEncoding('latin1');
		request.on('data', (piece: string) => (body += piece));
		request.on('end', () => {
			const { pathname, searchParams: query } = new URL(url, this.origin);
			tenant.log.push(`${method} ${url}`);
			if (!pathname.startsWith(`${BASE_PATH}/`))
				tenant.offences.push(`asked outside of the interface: ${url}`);
			tenant.answer({ method, path: pathname.slice(BASE_PATH.length), query, body }, response);
		});
	}

	/** A server for the tests of a file, whose stray requests are looked at in the end. */
	static inEachFile(): TenantServer {
		const server = new TenantServer();
		beforeAll(async () => await server.start());
		afterAll(async () => {
			await server.stop();
			expect(server.strays).toEqual([]);
		});
		return server;
	}
}
