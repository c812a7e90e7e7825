import type { RequestContext } from '../transport/context';
import { type NodeRun, nodeRunOf } from '../transport/nodeRun';

const locks = new WeakMap<NodeRun, Map<string, Promise<unknown>>>();

/**
 * Runs work on one record after all earlier work on the same record, within this run of the node: a lock by key.
 *
 * Without the lock, items that read a set and write it back could overwrite each other's changes.
 *
 * @param key the record's path
 */
export async function withLock<T>(context: RequestContext, key: string, work: () => Promise<T>): Promise<T> {
	const run = await nodeRunOf(context);
	let held = locks.get(run);
	if (!held) locks.set(run, (held = new Map<string, Promise<unknown>>()));
	const before = held.get(key) ?? Promise.resolve();
	const mine = before.then(work, work);
	held.set(key, mine);
	try {
		return await mine;
	} finally {
		if (held.get(key) === mine) held.delete(key);
	}
}
