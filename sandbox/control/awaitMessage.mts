import type { FastifyInstance } from 'fastify';
import { NoSuchMessage, type WantedMessage } from '../messages/arrivals.mts';
import type { Controlled } from './controlPlane.mts';

const text = { type: 'string', minLength: 1 };
const id = { type: 'integer', minimum: 1 };

const QUERY = {
	type: 'object',
	additionalProperties: false,
	properties: {
		to: { type: 'string', pattern: '^[0-9]+$' },
		customer_id: id,
		conversation_id: id,
		text,
		template: text,
		status: text,
		since: { type: 'string', format: 'date-time' },
		after: { type: 'integer', minimum: 0 },
		timeout: { type: 'integer', minimum: 0, maximum: 600_000 },
	},
};

/** Answers when a customer got a message. */
export function addAwaitRoute(plane: FastifyInstance, { tenant: { arrivals } }: Controlled): void {
	plane.get<{ Querystring: WantedMessage }>(
		'/sandbox/messages/await',
		{ schema: { querystring: QUERY } },
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
