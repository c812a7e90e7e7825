import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { LIST_ALL, type Slice, type Window } from './slice.mts';

/** What a column can hold. Booleans are stored as 0 and 1. */
export type SqlValue = string | number | null;

/** A row of an INSERT or the set part of an UPDATE, by column name. */
export type Columns = Record<string, SqlValue | undefined>;

/** What LIKE finds a text by, as a part in any case; needs `ESCAPE '\\'`. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * A thin, typed front of SQLite: every statement is prepared once and kept.
 *
 * In memory with `:memory:`, else a file in write-ahead mode. `synchronous = NORMAL` is enough for what the sandbox
 * promises: an answered write outlives `kill -9` of the process (the operating system still holds the written log);
 * only a crash of the machine itself may lose the last transactions. The file is locked for this process alone.
 */
export class Database {
	private readonly connection: InstanceType<typeof DatabaseSync>;

	private readonly statements = new Map<string, StatementSyncInstance>();

	private depth = 0;

	constructor(location: string) {
		this.connection = new DatabaseSync(location);
		this.connection.exec(`
			PRAGMA locking_mode = EXCLUSIVE;
			PRAGMA journal_mode = WAL;
			PRAGMA synchronous = NORMAL;
			PRAGMA foreign_keys = ON;
			PRAGMA temp_store = MEMORY;
		`);
	}

	/** Runs SQL text of several statements, without parameters. */
	script(sql: string): void {
		this.connection.exec(sql);
	}

	/** The first row, or undefined. */
	get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
		return this.prepared(sql).get(...values) as Row | undefined;
	}

	/** All rows. */
	all<Row>(sql: string, ...values: SqlValue[]): Row[] {
		return this.prepared(sql).all(...values) as Row[];
	}

	/**
	 * A part of a list, and how many records it has in all.
	 * @param from what stands between the columns and the order: tables and conditions
	 */
	slice<Row>(
		{ columns = '*', from, order }: { columns?: string; from: string; order: string },
		values: SqlValue[],
		window: Window = LIST_ALL,
	): Slice<Row> {
		const { limit, offset } = window;
		const records = this.all<Row>(
			`SELECT ${columns} FROM ${from} ORDER BY ${order} LIMIT ? OFFSET ?`,
			...values,
			limit,
			offset,
		);
		// A search reads every record: it is not counted again when all that it found is on the first page.
		const isAll = offset === 0 && (limit < 0 || records.length < limit);
		return { records, total: isAll ? records.length : this.count(from, ...values) };
	}

	/** How many rows there are. */
	count(from: string, ...values: SqlValue[]): number {
		return this.get<{ total: number }>(`SELECT count(*) AS total FROM ${from}`, ...values)?.total ?? 0;
	}

	/** Runs a write; answers the number of rows it changed and the id it gave to an inserted row. */
	run(sql: string, ...values: SqlValue[]): { changes: number; id: number } {
		const result = this.prepared(sql).run(...values);
		return { changes: Number(result.changes), id: Number(result.lastInsertRowid) };
	}

	/** Inserts one row; columns that are undefined are left to their default. Answers its id. */
	insert(table: string, columns: Columns): number {
		const given = Object.entries(columns).filter(
			(entry): entry is [string, SqlValue] => entry[1] !== undefined,
		);
		const names = given.map(([name]) => `"${name}"`).join(', ');
		const marks = given.map(() => '?').join(', ');
		return this.run(`INSERT INTO ${table} (${names}) VALUES (${marks})`, ...given.map(([, value]) => value))
			.id;
	}

	/** Changes the given columns of the row with this id (or other key); columns that are undefined stay as they are. */
	update(table: string, id: number, columns: Columns, key = 'id'): void {
		const given = Object.entries(columns).filter(
			(entry): entry is [string, SqlValue] => entry[1] !== undefined,
		);
		if (given.length === 0) return;
		const assignments = given.map(([name]) => `"${name}" = ?`).join(', ');
		this.run(`UPDATE ${table} SET ${assignments} WHERE ${key} = ?`, ...given.map(([, value]) => value), id);
	}

	/** All or nothing: what `work` throws rolls everything back. May be nested; the outermost one decides. */
	transaction<Result>(work: () => Result): Result {
		if (this.depth > 0) return work();
		this.connection.exec('BEGIN IMMEDIATE');
		this.depth = 1;
		let isDone = false;
		try {
			const result = work();
			this.connection.exec('COMMIT');
			isDone = true;
			return result;
		} finally {
			if (!isDone) this.connection.exec('ROLLBACK');
			this.depth = 0;
		}
	}

	/**
	 * Runs work over this database and that of another file, all or nothing. Rows come in any order: what they refer to is
	 * looked at no more than in a database that is read.
	 * @param work gets the name that the tables of the other one are under
	 */
	attached(file: string, work: (schema: string) => void): void {
		this.run('ATTACH ? AS other', file);
		this.script('PRAGMA foreign_keys = OFF');
		try {
			this.transaction(() => work('other'));
		} finally {
			this.script('PRAGMA foreign_keys = ON');
			this.script('DETACH other');
		}
	}

	/** Gives the lock back first: statements that are not yet collected keep the file open for a while. */
	close(): void {
		this.statements.clear();
		this.connection.exec(
			'PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema',
		);
		this.connection.close();
	}

	private prepared(sql: string): StatementSyncInstance {
		let statement = this.statements.get(sql);
		if (!statement) {
			statement = this.connection.prepare(sql);
			this.statements.set(sql, statement);
		}
		return statement;
	}
}
