import pLimit, { type LimitFunction } from 'p-limit';

import { tenantBaseUrl } from './tenantUrl';
import { CREDENTIAL, type RequestContext } from './context';

/** What all items of one run of a node share. */
export interface Execution {
	/** Base URL of the tenant, see `tenantBaseUrl`. */
	baseUrl: string;
	/** The access token, to black it out of errors. */
	secret: string;
	/** Bounds how many requests are in flight. */
	limit: LimitFunction;
}

/** Requests in flight at most; the engine starts those of all items at once. */
const MOST_IN_FLIGHT = 20;

const executions = new WeakMap<object, Promise<Execution>>();

async function begin(context: RequestContext): Promise<Execution> {
	const { tenantDomain, accessToken } = await context.getCredentials(CREDENTIAL);
	return {
		baseUrl: tenantBaseUrl(String(tenantDomain ?? '')),
		secret: String(accessToken ?? '').trim(),
		limit: pLimit(MOST_IN_FLIGHT),
	};
}

/**
 * What the items of this run of the node share; made once per run.
 *
 * n8n hands the same context object of kind "node" to all items of a run, and a new one to the next.
 *
 * @throws UserError when the credential's tenant domain is malformed
 */
export async function executionOf(context: RequestContext): Promise<Execution> {
	if (!('getContext' in context)) return await begin(context);
	const key = context.getContext('node');
	const known = executions.get(key);
	if (known) return await known;
	const started = begin(context);
	executions.set(key, started);
	// A failed beginning is not kept: a retry of the node comes with the same key.
	started.catch(() => executions.delete(key));
	return await started;
}

/**
 * Makes a function that reads something once per run of a node, however many items ask for it. A failed reading is not
 * kept, the next item tries again.
 */
export function oncePerExecution<Context extends RequestContext, T>(
	read: (context: Context) => Promise<T>,
): (context: Context) => Promise<T> {
	const kept = new WeakMap<Execution, Promise<T>>();
	return async (context) => {
		const execution = await executionOf(context);
		const before = kept.get(execution);
		if (before) return await before;
		const reading = read(context);
		kept.set(execution, reading);
		reading.catch(() => kept.delete(execution));
		return await reading;
	};
}
