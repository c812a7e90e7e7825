import type { FastifyInstance } from 'fastify';
import type { Tenant } from '../tenant.mts';

/** For whoever watches the process, without a token: it says that the sandbox answers, and nothing else. */
export function addHealth(server: FastifyInstance, tenant: Tenant): void {
	server.route({
		method: ['GET', 'HEAD'],
		url: '/sandbox/health',
		handler: (_request, reply) =>
			reply
				.code(tenant.isStarting ? 503 : 200)
				.header('cache-control', 'no-store')
				.send({ status: tenant.isStarting ? 'starting' : 'ok' }),
	});
}
