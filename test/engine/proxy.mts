import type { IncomingMessage } from 'node:http';

import { Server } from 'proxy-chain';

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

	private note({ method = '', url = '' }: IncomingMessage, username: string, password: string): void {
		const login = username === '' ? undefined : `${username}:${password}`;
		this.asked.push({ method, target: url, login });
	}

	static inEachTest(): LocalProxy {
		const proxy = new LocalProxy();
		let server: Server | undefined;
		beforeAll(async () => {
			server = new Server({
				host: '127.0.0.1',
				port: 0,
				prepareRequestFunction: ({ request, username, password }) => {
					proxy.note(request, username, password);
					return { requestAuthentication: username !== proxy.user || password !== proxy.password };
				},
			});
			await server.listen();
			proxy.address = `127.0.0.1:${server.port}`;
		});
		beforeEach(() => proxy.asked.splice(0));
		afterAll(async () => await server?.close(true));
		return proxy;
	}
}
