import type { FastifyInstance } from 'fastify';
import { NoSuchMessage, WANTED_MESSAGE, type WantedMessage } from '../messages/arrivals.mts';
import type { Controlled } from './controlPlane.mts';

/** Answers when a customer got a message. */
export function addAwaitRoute(plane: FastifyInstance, { tenant: { arrivals } }: Controlled): void {
	plane.get<{ Querystring: WantedMessage }>(
		'/sandbox/messages/await',
		{ schema: { querystring: WANTED_MESSAGE } },
		async ({ query }, reply) => {
			const left = new AbortController();
			reply.raw.once('close', () => left.abort());
			try {
				return { data: await arrivals.next(query, left.signal) };
			} catch (error) {
				if (left.signal.aborted) return reply.hijack();
				if (!(error instanceof NoSuchMessage)) throw error;
				return reply.code(error.status).send({ message: error.message, came: error.came });
			}
		},
	);
}
