import type { FastifyInstance } from 'fastify';
import { invalid } from '../refusal.mts';
import { findHarProblem, type Har } from '../session/har.mts';
import { IGNORED_NAME, type Replay } from '../session/replay.mts';
import type { Controlled } from './controlPlane.mts';

/** Sessions may hold uploads. */
const MAX_BYTES = 512 * 1024 * 1024;

const QUERY = {
	type: 'object',
	additionalProperties: false,
	properties: { ignore: { type: 'array', items: IGNORED_NAME } },
};

/** Records a session, and replays one. */
export function addSessionRoutes(plane: FastifyInstance, { recording, replayed }: Controlled): void {
	const state = () => ({ recording: recording.state().recording, entries: recording.state().entries });
	plane.get('/sandbox/recording', state);

	plane.get('/sandbox/recording/session.har', (_request, reply) =>
		reply.type('application/json; charset=utf-8').send(recording.read()),
	);

	plane.post('/sandbox/recording', () => {
		recording.start();
		return state();
	});

	plane.delete('/sandbox/recording', () => {
		recording.stop();
		return state();
	});

	plane.post<{ Body: unknown; Querystring: { ignore?: string[] } }>(
		'/sandbox/replay',
		{ bodyLimit: MAX_BYTES, schema: { querystring: QUERY } },
		async ({ body, query }): Promise<Replay> => {
			const problem = findHarProblem(body);
			if (problem !== undefined) throw invalid({ log: [`This is no HAR file: ${problem}`] });
			return await replayed(body as Har, query.ignore);
		},
	);
}
