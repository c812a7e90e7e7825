import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';
import { bearerToken } from './accessToken';
import { ConcurrencyLimiter } from './concurrencyLimiter';
import { CREDENTIAL, parameterOf, type RequestContext } from './context';
import { tenantBaseUrl } from './tenantUrl';

/** What all items of one run of a node share. n8n calls *execution* what runs a whole workflow. */
export interface NodeRun {
	/** Base URL of the tenant, see `tenantBaseUrl`. */
	baseUrl: string;
	/** The access token, to black it out of errors. */
	secret: string;
	/** Bounds how many requests are in flight. */
	limiter: ConcurrencyLimiter;
	/** How often a request is sent at most. */
	maximumAttempts: number;
	/** How many milliseconds a request is tried at most, waiting included. */
	tryFor: number;
	/** Milliseconds between the pages of a list. */
	pageDelay: number;
}

/** While a person waits in the editor, an answer now beats a better one later. */
const EDITOR_LIMITS: IDataObject = { maximumTries: 2, tryForSeconds: 10 };

const MS_PER_SECOND = 1000;

const runs = new WeakMap<object, Promise<NodeRun>>();

async function begin(context: RequestContext): Promise<NodeRun> {
	const { tenantDomain, accessToken } = await context.getCredentials(CREDENTIAL);
	const limits = 'getExecuteData' in context ? parameterOf(context, 'requestLimits', {}) : EDITOR_LIMITS;
	const {
		maximumInFlight = 40,
		maximumTries = 10,
		tryForSeconds = 120,
		pageDelay = 0,
	} = isObject(limits) ? limits : {};
	return {
		baseUrl: tenantBaseUrl(String(tenantDomain ?? '')),
		secret: bearerToken(accessToken),
		limiter: new ConcurrencyLimiter(Number(maximumInFlight)),
		maximumAttempts: Number(maximumTries),
		tryFor: Number(tryForSeconds) * MS_PER_SECOND,
		pageDelay: Number(pageDelay),
	};
}

/**
 * What the items of this run of the node share; made once per run. n8n hands the same object with the run's data to all
 * items of a run.
 *
 * @throws UserError when the credential's tenant domain is malformed or its token is empty
 */
export async function nodeRunOf(context: RequestContext): Promise<NodeRun> {
	if (!('getExecuteData' in context)) return await begin(context);
	const key = context.getExecuteData();
	const known = runs.get(key);
	if (known) return await known;
	const started = begin(context);
	runs.set(key, started);
	// A failed beginning is not kept: a retry of the node comes with the same key.
	started.catch(() => runs.delete(key));
	return await started;
}

/**
 * Makes a function that reads something once per run of a node, however many items ask for it. A failed reading is not
 * kept, the next item tries again.
 */
export function oncePerRun<Context extends RequestContext, T>(
	read: (context: Context) => Promise<T>,
): (context: Context) => Promise<T> {
	const kept = new WeakMap<NodeRun, Promise<T>>();
	return async (context) => {
		const run = await nodeRunOf(context);
		const before = kept.get(run);
		if (before) return await before;
		const reading = read(context);
		kept.set(run, reading);
		reading.catch(() => kept.delete(run));
		return await reading;
	};
}
