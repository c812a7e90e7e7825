import { createHash } from 'node:crypto';

/** A table of the tenant, as the resource declares it that its records belong to. */
export interface Table {
	/** Columns and constraints, as CREATE TABLE takes them. */
	columns: string;
	/** What its indexes are over, each as CREATE INDEX takes it: `(title COLLATE NOCASE)`. */
	indexes?: string[];
	/**
	 * Gives every record an `id`, counted from here. Each kind of record starts elsewhere on purpose: a customer's id used
	 * where a profile's is meant finds nothing, instead of working by coincidence.
	 */
	firstId?: number;
	/** Whether the control plane says how many there are. */
	isCounted?: true;
}

export type Tables = Record<string, Table>;

/** SQL that makes the tables that are missing. */
export const creation = (tables: Tables): string =>
	Object.entries(tables)
		.flatMap(([name, { columns, indexes = [], firstId }]) => [
			`CREATE TABLE IF NOT EXISTS ${name} (${firstId === undefined ? '' : 'id INTEGER PRIMARY KEY AUTOINCREMENT, '}${columns.trim()});`,
			...indexes.map((of, place) => `CREATE INDEX IF NOT EXISTS ${name}_${place + 1} ON ${name} ${of};`),
		])
		.join('\n');

/** Another one whenever the tables change, so that a data folder of other tables is refused instead of misread. */
export function versionOf(tables: Tables): string {
	const sorted = Object.fromEntries(Object.entries(tables).sort(([one], [other]) => (one < other ? -1 : 1)));
	return createHash('sha256').update(creation(sorted).replace(/\s+/g, ' ')).digest('hex').slice(0, 16);
}
