import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request as a proxy sees it. */
export interface ProxiedRequest {
	/** `CONNECT` for a tunnel. */
	method: string;
	/** What stands behind the method: the whole URL, or host and port of a tunnel. */
	target: string;
	/** The login that came with it, as `user:password`; undefined without one. */
	login: string | undefined;
}

/** A proxy of this machine that wants a login, passes requests on, and remembers them. */
export class LocalProxy {
	/** The requests of this test, those that were refused among them. */
	readonly asked: ProxiedRequest[] = [];

	readonly user = 'proxy user';

	readonly password = 'p@ss:w/rd';

	private address = '';

	/** Address with a login. */
	url(user = this.user, password = this.password): string {
		return `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${this.address}`;
	}

	/** Address without a login. */
	get urlWithoutLogin(): string {
		return `http://${this.address}`;
	}

	/** Whether a request has the right login. */
	private admits({ method = '', url = '', headers }: IncomingMessage): boolean {
		const [, encoded] = /^Basic (.+)/.exec(headers['proxy-authorization'] ?? '') ?? [];
		const login = encoded && Buffer.from(encoded, 'base64').toString();
		this.asked.push({ method, target: url, login });
		return login === `${this.user}:${this.password}`;
	}

	static inEachTest(): LocalProxy {
		const proxy = new LocalProxy();
		const server = createServer((asked, response) => {
			if (!proxy.admits(asked)) {
				response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
				return;
			}
			const { method, url = '', headers } = asked;
			const onward = request(url, { method, headers }, (answer) => {
				response.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(response);
			});
			asked.pipe(onward.on('error', () => response.destroy()));
		});
		const sockets = new Set<Duplex>();
		server.on('connect', (asked, socket) => {
			if (!proxy.admits(asked)) {
				socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
				return;
			}
			const { hostname, port } = new URL(`http://${asked.url}`);
			const onward = connect(Number(port), hostname, () => {
				socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
				socket.pipe(onward).pipe(socket);
			});
			for (const end of [socket, onward]) sockets.add(end.on('error', () => end.destroy()));
		});
		beforeAll(async () => {
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			proxy.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
		});
		beforeEach(() => proxy.asked.splice(0));
		afterAll(async () => {
			for (const socket of sockets) socket.destroy();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		});
		return proxy;
	}
}
