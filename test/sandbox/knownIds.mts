import type { Store, TableName } from '../../sandbox/store/store.mts';

/** The ids of the records of a table, the oldest first. */
export const idsIn = (store: Store, table: TableName): Array<number | string> =>
	(store.tables[table].all() as Array<{ id?: number; uuid?: string }>).flatMap(
		({ id, uuid }) => id ?? uuid ?? [],
	);
