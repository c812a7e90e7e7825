import type { FastifyInstance } from 'fastify';

/** For whoever watches the process, without a token: it says that the sandbox answers, and nothing else. */
export function addHealth(server: FastifyInstance): void {
	server.route({
		method: ['GET', 'HEAD'],
		url: '/sandbox/health',
		handler: (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
	});
}
