import type { FastifyInstance } from 'fastify';
import type { Controlled } from './controlPlane.mts';

interface NameParams {
	name: string;
}

const BODY = {
	type: 'object',
	required: ['name'],
	additionalProperties: false,
	properties: { name: { type: 'string' } },
};

/** Saves, lists, loads and deletes states of the tenant. */
export function addSnapshotRoutes(plane: FastifyInstance, { tenant: { snapshots } }: Controlled): void {
	plane.get('/sandbox/snapshots', () => ({ data: snapshots.list() }));

	plane.post<{ Body: NameParams }>('/sandbox/snapshots', { schema: { body: BODY } }, ({ body }) =>
		snapshots.save(body.name),
	);

	plane.post<{ Params: NameParams }>('/sandbox/snapshots/:name/load', ({ params }) =>
		snapshots.load(params.name),
	);

	plane.delete<{ Params: NameParams }>('/sandbox/snapshots/:name', ({ params }) => {
		snapshots.delete(params.name);
		return { data: [] };
	});
}
