import { createHash } from 'node:crypto';

import { stringOf } from '../values/text';
import { cancelSignalOf, CREDENTIAL, elapsed, isInEditor, type RequestContext } from './context';
import { advancedOf, bearerToken, type Connection, tenantBaseUrl } from './credential';
import { type Redact, redactor } from './redact';
import { limiterOf, type RequestLimiter } from './requestLimiter';

/** Keeps values that several modules share. See `keptIn`. */
export interface Keeping {
	readonly kept: Map<object, unknown>;
}

/** The data that all items of one run of a node share. An *execution* in n8n is the run of a whole workflow. */
export interface NodeRun extends Keeping {
	baseUrl: string;
	connection: Connection;
	/** Hides the secrets of the credential in a text of the service, and cuts the text. */
	redact: Redact;
	/** Identifies the tenant and the token, without revealing the token. */
	tenantKey: string;
	/** The last work on each record that a lock holds, by the record's path. See `withLock`. */
	locks: Map<string, Promise<unknown>>;
	maximumInFlight: number;
	/** Bounds the requests in flight to the tenant, of this run and of all others. */
	readonly limiter: RequestLimiter;
	maximumAttempts: number;
	/** Maximum time for all attempts of one request, in milliseconds, including waiting. */
	tryFor: number;
	/**
	 * Stands for the attempt at the run. Undefined if nobody tells where an attempt begins: the calls of a tool share a run,
	 * and a person may change the tenant between two of them.
	 */
	attempt?: Keeping;
	startedAt: number;
	pageDelay: number;
	/** The requests that waited because the tenant asked for it, and the sum of their waits in milliseconds. */
	waited: { requests: number; milliseconds: number };
	/** The requests that looked up what the filters of a list ask about and its records do not show. */
	lookUps: { requests: number; records: number };
	/** The number of lists that ended at *Limit* and may go on. */
	cutLists: number;
	/** Numbers of items that went another way than asked, by what happened to them. See `noteOutcome`. */
	outcomes: Map<string, number>;
	/** Aborts when the execution is stopped, or when this run has failed. Nothing is sent after that. */
	signal?: AbortSignal;
	end: () => void;
}

/** Limits in the editor. A person waits there, so a fast error is better than a late success. */
const EDITOR_LIMITS = { maximumTries: 2, tryForSeconds: 10, timeout: 30_000 };
const MS_PER_SECOND = 1000;

/**
 * By the data of the run, which all tools of an agent share, and by the node's context. n8n has no place for what the
 * items of a run share, so this map must be. Everything else of a run is kept in its `NodeRun`.
 */
const runs = new WeakMap<object, WeakMap<object, Promise<NodeRun>>>();

/** Begins an attempt at a run. *Retry On Fail* runs the node again with the same data. */
export function beginAttempt(context: RequestContext, run: NodeRun): void {
	const stopped = cancelSignalOf(context);
	const failed = new AbortController();
	run.outcomes.clear();
	run.lookUps = { requests: 0, records: 0 };
	run.cutLists = 0;
	run.attempt = { kept: new Map() };
	run.startedAt = elapsed();
	run.signal = stopped ? AbortSignal.any([stopped, failed.signal]) : failed.signal;
	run.end = () => failed.abort();
}

async function begin(context: RequestContext): Promise<NodeRun> {
	const { tenantDomain, accessToken, advanced } = await context.getCredentials(CREDENTIAL);
	const { connection, maximumInFlight, pageDelay, ...limits } = advancedOf(advanced);
	let { maximumTries, tryForSeconds } = limits;
	if (isInEditor(context)) {
		maximumTries = Math.min(maximumTries, EDITOR_LIMITS.maximumTries);
		tryForSeconds = Math.min(tryForSeconds, EDITOR_LIMITS.tryForSeconds);
		connection.timeout = Math.min(connection.timeout, EDITOR_LIMITS.timeout);
	}
	const baseUrl = tenantBaseUrl(stringOf(tenantDomain));
	const token = bearerToken(accessToken);
	const tenantKey = createHash('sha256')
		.update(JSON.stringify([baseUrl, token]))
		.digest('hex');
	const { username, password } = connection.proxy?.auth ?? {};
	const login = password ? [password, `${username}:${password}`] : [];
	let redact: Redact | undefined;
	return {
		baseUrl,
		connection,
		// Made for the first error only, because it takes longer than a request is made.
		redact: (words, limit) => (redact ??= redactor(token, ...login))(words, limit),
		tenantKey,
		kept: new Map(),
		locks: new Map(),
		maximumInFlight,
		// Asked for each request, because a limiter is forgotten after some time without one.
		get limiter() {
			return limiterOf(tenantKey, maximumInFlight);
		},
		maximumAttempts: maximumTries,
		tryFor: tryForSeconds * MS_PER_SECOND,
		startedAt: elapsed(),
		pageDelay,
		waited: { requests: 0, milliseconds: 0 },
		lookUps: { requests: 0, records: 0 },
		cutLists: 0,
		outcomes: new Map(),
		signal: cancelSignalOf(context),
		end() {},
	};
}

/**
 * Returns the shared data of this run of the node: n8n gives its items the same objects with the run's data and the
 * node's context. A poll is a run, see `polling/poll.ts`. In the editor, each call makes new data.
 *
 * @throws UserError when a field of the credential is unusable
 */
export async function nodeRunOf(context: RequestContext): Promise<NodeRun> {
	if (isInEditor(context)) return await begin(context);
	const [data, key] =
		'getExecuteData' in context ? [context.getExecuteData(), context.getContext('node')] : [context, context];
	const ofRunData = runs.get(data) ?? new WeakMap<object, Promise<NodeRun>>();
	runs.set(data, ofRunData);
	const known = ofRunData.get(key);
	if (known) return await known;
	const started = begin(context);
	ofRunData.set(key, started);
	// A failed start is not kept, because a retry of the node uses the same key.
	started.catch(() => ofRunData.delete(key));
	return await started;
}

/** Counts items that went another way than asked. A hint tells of them, and continues "3 of 40 items …". */
export async function noteOutcome(context: RequestContext, what: string, count = 1): Promise<void> {
	const { outcomes } = await nodeRunOf(context);
	outcomes.set(what, (outcomes.get(what) ?? 0) + count);
}

/** What happened to an item whose write is done, as `noteOutcome` takes it. */
export const UNREAD = 'were carried out, but the answer could not be read';

/** Returns what is kept under an object or a function of the module that keeps it, and makes it the first time. */
export function keptIn<T>({ kept }: Keeping, key: object, make: () => T): T {
	if (!kept.has(key)) kept.set(key, make());
	return kept.get(key) as T;
}

/** Returns what a run of the node keeps under a key, see `keptIn`. */
export const ofRun = async <T>(context: RequestContext, key: object, make: () => T): Promise<T> =>
	keptIn(await nodeRunOf(context), key, make);

/** Finds out something once for a key: whoever asks meanwhile gets the same. A failure is not kept. */
async function once<T>(
	known: Map<string, Promise<T>>,
	key: string,
	find: () => Promise<T>,
	staysKnown = true,
): Promise<T> {
	const finding = known.get(key) ?? find();
	if (known.has(key)) return await finding;
	known.set(key, finding);
	const forget = () => known.delete(key);
	finding.then(staysKnown ? undefined : forget, forget);
	return await finding;
}

/** Makes a function that reads something once per run of a node for all items. After a failure, the next item reads again. */
export const oncePerRun =
	<Context extends RequestContext, T>(read: (context: Context) => Promise<T>) =>
	async (context: Context): Promise<T> =>
		await once(await ofRun(context, read, () => new Map()), '', async () => await read(context));

/**
 * Makes a function that finds something out once for each key, for all items of an attempt at a run that ask for it.
 * Without an attempt, it keeps what is under way only. After a failure, the next item asks again.
 */
export const oncePerAttempt =
	<Context extends RequestContext, T>(find: (context: Context, key: string) => Promise<T>) =>
	async (context: Context, key: string): Promise<T> => {
		const run = await nodeRunOf(context);
		const known = keptIn(run.attempt ?? run, find, () => new Map<string, Promise<T>>());
		return await once(known, key, async () => await find(context, key), run.attempt !== undefined);
	};

/** Runs work after all earlier work with the same key. Within it, there must be no other with this key. */
async function inOrder<T>(locks: NodeRun['locks'], key: string, work: () => Promise<T>): Promise<T> {
	const before = locks.get(key) ?? Promise.resolve();
	const mine = before.then(work, work);
	locks.set(key, mine);
	try {
		return await mine;
	} finally {
		if (locks.get(key) === mine) locks.delete(key);
	}
}

/** Runs work on one record, by its path, after all earlier work on it within this run: items keep their order. */
export const withLock = async <T>(context: RequestContext, key: string, work: () => Promise<T>): Promise<T> =>
	await inOrder((await nodeRunOf(context)).locks, key, work);

/** The last work on each set. Executions in one process share nothing else in n8n, so this map must be. */
const sets: NodeRun['locks'] = new Map();

/**
 * Runs work that writes a set, by its path, after all earlier work on it within this process: who reads a set and
 * writes it back could overwrite the change of another execution.
 */
export const withSetLock = async <T>(
	context: RequestContext,
	url: string,
	work: () => Promise<T>,
): Promise<T> => await inOrder(sets, `${(await nodeRunOf(context)).baseUrl}${url}`, work);
