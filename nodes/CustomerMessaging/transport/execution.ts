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
	return await started;
}
