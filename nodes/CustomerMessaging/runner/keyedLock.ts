import type { RequestContext } from '../transport/context';
import { nodeRunOf } from '../transport/nodeRun';

/**
 * Runs work on one record, by its path, after all earlier work on it within this run: items that read a set and write
 * it back could overwrite each other's changes.
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
