import type { EditorContext } from '../api/client';
import { nodeErrorOf } from '../api/errors';
import type { Endpoint } from '../contract/endpoints';
import type { TenantField } from '../fields/mapping';
import { ProcessMemory } from '../n8nInternals/processMemory';
import { readDescription, type RequestPlace } from './readDescription';
import { problem, type Problem } from './requestFields';

type Reading = Map<Endpoint, TenantField[]> | Problem;

const KEPT_MS = 5 * 60_000;

/** Time for which a failed reading is kept. It is long enough for all requests that one opened node makes. */
const PROBLEM_KEPT_MS = 10_000;

const memory = new ProcessMemory<Promise<Reading>>('descriptions', KEPT_MS);

async function read(context: EditorContext, places: readonly RequestPlace[]): Promise<Reading> {
	try {
		const headers = { Accept: 'text/yaml, application/yaml, application/json, */*;q=0.5' };
		const found = await context.api.send({ url: '/support/openapi', headers });
		return await readDescription(found, places);
	} catch (error) {
		return problem(`cannot be read: ${nodeErrorOf(context, error).message}`);
	}
}

/** Reads the description once in five minutes, or sooner after a problem. */
async function reading(context: EditorContext, places: readonly RequestPlace[]): Promise<Reading> {
	const { tenantKey } = await context.api.settings();
	const known = memory.get(tenantKey);
	if (known) return await known;
	const kept = memory.set(tenantKey, read(context, places));
	const found = await kept;
	if ('problem' in found) memory.set(tenantKey, kept, PROBLEM_KEPT_MS);
	return found;
}

/** Returns the described fields of a request, or why it cannot. Only the fields of all these places are kept. */
export async function describedFields(
	context: EditorContext,
	endpoint: Endpoint,
	places: readonly RequestPlace[],
): Promise<TenantField[] | Problem> {
	const found = await reading(context, places).catch((error: Error) =>
		problem(`cannot be read: ${error.message}`),
	);
	return 'problem' in found ? found : (found.get(endpoint) ?? []);
}
