import type { Store, TableName } from '../../sandbox/store/store.mts';

/** The ids of the records of a table, the oldest first. */
export const idsIn = (store: Store, table: TableName): Array<number | string> =>
	(store.tables[table].all() as Array<{ id?: number; uuid?: string }>).flatMap(
		({ id, uuid }) => id ?? uuid ?? [],
	);

/** Members of bodies that are not called after the table of what they name. */
const OTHERWISE_CALLED: Record<string, string> = {
	ids: 'customers',
	internal_uuid: 'files',
	reference_id: 'messages',
};

/** What a tenant's records are known by. */
export class KnownIds {
	private readonly of: Map<string, Array<number | string>>;

	constructor(store: Store) {
		this.of = new Map(
			(Object.keys(store.tables) as TableName[]).map((table) => [table, idsIn(store, table)]),
		);
	}

	/** The ids of what is called so: `tags`, `tag_id`, `assign_user_id`, `user_ids`. None, if nothing is. */
	named(name: string): Array<number | string> {
		const word =
			name
				.replace(/_ids?$/, '')
				.split('_')
				.at(-1) ?? '';
		const table = [OTHERWISE_CALLED[name], word, `${word}s`].find((one) => this.of.has(one ?? ''));
		return this.of.get(table ?? '') ?? [];
	}

	/**
	 * The ids that a parameter of a path can have: those of the table that the part before it is called after.
	 * @throws in a sentence, when the demo data has none
	 */
	inPath(path: string, parameter: string): Array<number | string> {
		const [before] = path.split(`/{${parameter}}`);
		const part = before.split('/').at(-1) ?? '';
		const ids = this.named(part);
		if (ids.length > 0) return ids;
		throw new Error(
			`sandbox/resources: a fresh tenant has nothing for ${path}. Let "demo" of the resource add a record to its table "${part}".`,
		);
	}
}
