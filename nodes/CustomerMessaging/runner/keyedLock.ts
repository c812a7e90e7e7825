import type { RequestContext } from '../transport/context';
import { nodeRunOf } from '../transport/nodeRun';

/**
 * Runs work on one record after all earlier work on the same record, within this run of the node: a lock by key.
 *
 * Without the lock, items that read a set and write it back could overwrite each other's changes.
 *
 * @param key the record's path
 */
export async function withLock<T>(context: RequestContext, key: string, work: () => Promise<T>): Promise<T> {
	const { locks } = await nodeRunOf(context);
	const before = locks.get(key) ?? Promise.resolve();
	const mine = before.then(work, work);
	locks.set(key, mine);
	try {
		return await mine;
	} finally {
		if (locks.get(key) === mine) locks.delete(key);
	}
}
