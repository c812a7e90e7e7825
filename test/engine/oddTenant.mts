import Fastify, {
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
	type onRequestHookHandler,
} from 'fastify';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { leaveMemory, reachInMemory } from '../tenant/memoryNetwork.mts';

/** Without a socket, whoever ends the connection ends the response. */
const breakInMemory: onRequestHookHandler = ({ raw }, reply, done) => {
	if (!('destroy' in raw.socket)) Object.assign(raw.socket, { destroy: () => reply.raw.destroy() });
	// Whoever asked has given up.
	raw.once('error', () => reply.raw.destroy());
	done();
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** A server that answers as a test wants, for what no tenant should do. */
export class OddTenant {
	/** Method and URL of the requests of this test. */
	readonly asked: string[] = [];

	url = '';

	private handler: Handler = () => ({});

	/** Each test has a token of its own, because the package remembers what a tenant and token have refused. */
	readonly credentials: ICredentialDataDecryptedObject = { tenantDomain: '', accessToken: '' };

	answer(handler: Handler): void {
		this.handler = handler;
	}

	/**
	 * @param isFar whether it is asked through sockets, since the test is about them; else in memory
	 * @param delay what each answer waits for
	 */
	static inEachTest({ isFar = false, delay = async () => {} } = {}): OddTenant {
		const tenant = new OddTenant();
		let server: FastifyInstance | undefined;
		beforeAll(async () => {
			server = Fastify({ forceCloseConnections: true, bodyLimit: 64 * 1024 * 1024 });
			server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
			server.all('/*', async (request, reply) => {
				tenant.asked.push(`${request.method} ${request.url}`);
				return await tenant.handler(request, reply);
			});
			if (!isFar) server.addHook('onRequest', breakInMemory);
			server.addHook('onSend', delay);
			tenant.url = await server.listen({ host: '127.0.0.1', port: 0 });
			tenant.credentials.tenantDomain = tenant.url;
			if (!isFar) reachInMemory(tenant.url, server);
		});
		let tests = 0;
		beforeEach(() => {
			tenant.asked.splice(0);
			tenant.credentials.accessToken = `odd-tenant-token-${++tests}`;
		});
		afterAll(async () => {
			leaveMemory(tenant.url);
			await server?.close();
		});
		return tenant;
	}
}
