import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import type { TenantField } from '../fields/mapping';
import { ProcessMemory } from '../n8nInternals/processMemory';
import type { RequestContext } from '../api/context';
import { nodeRunOf } from '../api/nodeRun';
import { request } from '../api/request';
import { readDescription, type RequestPlace } from './readDescription';
import { problem, type Problem } from './requestFields';

type Reading = Map<Endpoint, TenantField[]> | Problem;

const KEPT_MS = 5 * 60_000;

/** Time for which a failed reading is kept. It is long enough for all requests that one opened node makes. */
const PROBLEM_KEPT_MS = 10_000;

/**
 * Reads something of a tenant for the editor, once in five minutes, or sooner after a problem.
 *
 * @param read never rejects
 */
export async function keptReading<T>(
	topic: string,
	context: RequestContext,
	read: () => Promise<T>,
	isProblem: (reading: T) => boolean,
): Promise<T> {
	const memory = new ProcessMemory<Promise<T>>(topic, KEPT_MS);
	const { tenantKey } = await nodeRunOf(context);
	const known = memory.get(tenantKey);
	if (known) return await known;
	const reading = memory.set(tenantKey, read());
	const found = await reading;
	if (isProblem(found)) memory.set(tenantKey, reading, PROBLEM_KEPT_MS);
	return found;
}

async function read(context: ILoadOptionsFunctions, places: readonly RequestPlace[]): Promise<Reading> {
	try {
		const headers = { Accept: 'text/yaml, application/yaml, application/json, */*;q=0.5' };
		const { body } = await request(context, { url: '/support/openapi', headers });
		return await readDescription(body, places);
	} catch (error) {
		return problem(`cannot be read: ${(error as Error).message}`);
	}
}

/** Returns the described fields of a request, or why it cannot. Only the fields of all these places are kept. */
export async function describedFields(
	context: ILoadOptionsFunctions,
	endpoint: Endpoint,
	places: readonly RequestPlace[],
): Promise<TenantField[] | Problem> {
	const isProblem = (found: Reading) => 'problem' in found;
	const reading = keptReading('descriptions', context, async () => await read(context, places), isProblem);
	const found = await reading.catch((error: Error) => problem(`cannot be read: ${error.message}`));
	return 'problem' in found ? found : (found.get(endpoint) ?? []);
}
