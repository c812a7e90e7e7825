import type { RequestContext } from './context';
import { executionOf } from './execution';

const turns = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Does work on one record after all work begun on it before, within this run of the node.
 *
 * Items that read a set and write it back would otherwise overwrite each other's changes.
 *
 * @param record the record's path
 */
export async function inTurn<T>(context: RequestContext, record: string, work: () => Promise<T>): Promise<T> {
	const execution = await executionOf(context);
	let records = turns.get(execution);
	if (!records) turns.set(execution, (records = new Map()));
	const before = records.get(record) ?? Promise.resolve();
	const mine = before.then(work, work);
	records.set(record, mine);
	try {
		return await mine;
	} finally {
		if (records.get(record) === mine) records.delete(record);
	}
}
