import type { EditorContext, RunContext } from '../api/context';
import type { Endpoint } from '../contract/endpoints';
import { ProcessMemory } from '../n8nInternals/processMemory';
import { wait } from '../api/context';
import { nodeErrorOf } from '../api/errors';
import { readDescription, type RequestPlace } from './readDescription';
import { type DescribedFields, problem, type Problem } from './requestFields';

const MAX_READING_MS = 10_000;

type Reading = Map<Endpoint, DescribedFields | Problem> | Problem;

const KEPT_MS = 5 * 60_000;

/** Time for which a failed reading is kept. It is long enough for all requests that one opened node makes. */
const PROBLEM_KEPT_MS = 10_000;

const MAX_KEPT = 50;

/**
 * Reads something of a tenant for the editor, once in five minutes, or sooner after a problem.
 *
 * @param read never rejects
 */
export async function keptReading<T>(
	topic: string,
	{ api }: RunContext,
	read: () => Promise<T>,
	isProblem: (reading: T) => boolean,
): Promise<T> {
	const memory = new ProcessMemory<Promise<T>>(topic, KEPT_MS, MAX_KEPT);
	const { tenantKey } = await api.settings();
	const known = memory.get(tenantKey);
	if (known) return await known;
	const reading = memory.set(tenantKey, read());
	const found = await reading;
	if (isProblem(found)) memory.set(tenantKey, reading, PROBLEM_KEPT_MS);
	return found;
}

async function read(
	context: EditorContext,
	places: readonly RequestPlace[],
	abortSignal: AbortSignal,
): Promise<Reading> {
	try {
		const headers = { Accept: 'text/yaml, application/yaml, application/json, */*;q=0.5' };
		const found = await context.api.send({ url: '/support/openapi', headers, abortSignal });
		return await readDescription(found, places);
	} catch (error) {
		return problem(`cannot be read: ${nodeErrorOf(context, error).message}`);
	}
}

/** Returns the described fields of a request, or why it cannot. Only the fields of all these places are kept. */
export async function describedFields(
	context: EditorContext,
	endpoint: Endpoint,
	places: readonly RequestPlace[],
): Promise<DescribedFields | Problem> {
	const readInTime = async () => {
		const over = new AbortController();
		const deadline = wait(MAX_READING_MS, over.signal).then(() => problem('did not come within 10 seconds'));
		const found = await Promise.race([read(context, places, over.signal), deadline]);
		over.abort();
		return found;
	};
	const isProblem = (found: Reading) => 'problem' in found;
	const found = await keptReading('descriptions', context, readInTime, isProblem).catch((error: Error) =>
		problem(`cannot be read: ${error.message}`),
	);
	return 'problem' in found ? found : (found.get(endpoint) ?? { fields: [], more: 0 });
}
