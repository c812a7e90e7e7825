import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../version.mts';
import { Database } from './database.mts';
import { creation, type Tables, versionOf } from './tables.mts';

/** What the sandbox remembers beside the tenant's data: the version of the tables, the clock, the signing key. */
export const FACTS: Tables = { facts: { columns: 'name TEXT PRIMARY KEY, value TEXT NOT NULL' } };

/** What is remembered under a name. */
export const factOf = (database: Database, name: string): string | undefined =>
	database.get<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)?.value;

/** Remembers which version of the sandbox, and of the tables, wrote the data. */
export function sign(database: Database, tables: Tables): void {
	const write = 'INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)';
	database.run(write, 'schema_version', versionOf(tables));
	database.run(write, 'written_by', VERSION);
}

interface Column {
	name: string;
	notnull: number;
	dflt_value: string | null;
}

/**
 * Takes over the records of another version's file. What it has no column for stays there.
 * @throws when a record would lack what it has to have, or what it refers to
 */
function takeOver(database: Database, file: string, tables: Tables): void {
	database.attached(file, (other) => {
		for (const name of [...Object.keys(FACTS), ...Object.keys(tables), 'sqlite_sequence']) {
			const columns = (schema: string) => database.all<Column>(`PRAGMA ${schema}.table_info(${name})`);
			const given = columns(other).map((column) => column.name);
			if (given.length === 0) continue;
			const missing = columns('main').find(
				(column) => column.notnull && column.dflt_value === null && !given.includes(column.name),
			);
			if (missing) throw new Error(`${name} has no ${missing.name}`);
			const isHere = new Set(columns('main').map((column) => column.name));
			const common = given.flatMap((column) => (isHere.has(column) ? [`"${column}"`] : [])).join();
			database.run(`DELETE FROM main.${name}`);
			database.run(`INSERT INTO main.${name} (${common}) SELECT ${common} FROM ${other}.${name}`);
		}
		if (database.all('PRAGMA main.foreign_key_check').length > 0) throw new Error('Something is missing');
	});
}

/**
 * Makes of a folder that another version of the sandbox wrote one of this version. A copy of the other file stays in it. The
 * new file takes the place of the other one when it is complete, so that nothing is lost if the process is killed.
 * @param database the open file of the other version, which is closed
 * @throws in one sentence, when this version cannot take over the data; the folder is as it was then
 */
export function migrated(database: Database, folder: string, tables: Tables): Database {
	const file = join(folder, 'sandbox.sqlite');
	const fresh = join(folder, 'sandbox.new.sqlite');
	const version = factOf(database, 'schema_version');
	const writer = factOf(database, 'written_by') ?? 'VERSION';
	database.close();
	rmSync(fresh, { force: true });
	const taken = new Database(fresh);
	try {
		taken.script(creation(FACTS) + creation(tables));
		takeOver(taken, file, tables);
		sign(taken, tables);
	} catch (cause) {
		taken.close();
		rmSync(fresh);
		throw new Error(
			`${folder} was written by another version of the sandbox, which this one cannot read. Name another folder with --data, or start the other version: npx customer-messaging-sandbox@${writer} --data "${folder}". Its customers can come along: read them there with GET /profiles, and write them here with POST /customers/bulk-import.`,
			{ cause },
		);
	}
	taken.close();
	copyFileSync(file, join(folder, `sandbox.${version}.sqlite`));
	renameSync(fresh, file);
	return new Database(file);
}
