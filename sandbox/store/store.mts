import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../clock.mts';
import { allResources, type resources } from '../resources/index.mts';
import { invalid } from '../refusal.mts';
import { FIRST_TENANT } from '../tenants.mts';
import { Database } from './database.mts';
import { factOf, FACTS, migrated, sign } from './migration.mts';
import { creation, type Table, versionOf } from './tables.mts';

type Resources = typeof resources;

/** The records of every resource that has some, under the name that it has in the list of resources. */
type Records = {
	[Name in keyof Resources as Resources[Name] extends { Records: unknown }
		? Name
		: never]: Resources[Name] extends { Records: new (...args: never[]) => infer Kept } ? Kept : never;
};

/** The tables that one of these resources declares. */
type TablesOf<Declaring> = Declaring extends { tables: infer Declared } ? Declared : never;
type Declared = TablesOf<Resources[keyof Resources]>;
type NamesOf<Some> = Some extends unknown ? keyof Some : never;

/** The names of all tables that hold data of the tenant. */
export type TableName = NamesOf<Declared>;

/** What a record of a table is known by: its number, or its UUID. */
export type IdOf<Name extends TableName> = Extract<Declared, Record<Name, unknown>>[Name] extends {
	firstId: number;
}
	? number
	: string;

/** Every table that holds data of the tenant. */
export const tables: Record<TableName, Table> = Object.assign(
	{},
	...allResources.map(([, resource]) => resource.tables),
);

/** Opens the database file of a folder; answers why not when another sandbox has it open. */
function openFile(dataDir: string): Database | string {
	try {
		const database = new Database(join(dataDir, 'sandbox.sqlite'));
		database.script('BEGIN EXCLUSIVE; COMMIT');
		return database;
	} catch (error) {
		const { message } = error as Error;
		return /locked|busy/i.test(message)
			? `${dataDir} is in use by another sandbox.`
			: `${dataDir}: ${message}`;
	}
}

/** @throws in one sentence, when there is a file of this name, or the folder cannot be made */
function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true });
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		const isFile = code === 'EEXIST' || code === 'ENOTDIR';
		throw new Error(
			isFile
				? `${folder} is a file, or lies in one. The data needs a folder: name another one.`
				: `The folder ${folder} cannot be made: ${message}`,
		);
	}
}

function openDatabase(dataDir: string | undefined): Database {
	const database = dataDir === undefined ? new Database(':memory:') : openFile(dataDir);
	if (typeof database === 'string') throw new Error(database);
	database.script(creation(FACTS));
	const version = factOf(database, 'schema_version');
	if (dataDir === undefined || version === undefined || version === versionOf(tables)) return database;
	return migrated(database, dataDir, tables);
}

/** What a tenant holds, apart from the records of its resources. */
class Base {
	readonly clock: Clock;

	readonly database: Database;

	/** Where everything lies that is not in memory. */
	readonly folder: string;

	/** Where the contents of files lie. */
	readonly filesFolder: string;

	private readonly isTemporary: boolean;

	constructor(
		dataDir?: string,
		/** The tenant's. */
		readonly name = FIRST_TENANT,
	) {
		this.isTemporary = dataDir === undefined;
		this.folder = dataDir ?? mkdtempSync(join(tmpdir(), 'customer-messaging-sandbox-'));
		makeFolder(this.folder);
		this.database = openDatabase(dataDir);
		this.createTables();
		this.clock = new Clock(Number(this.fact('clock_offset') ?? 0));
		this.filesFolder = join(this.folder, 'files');
		mkdirSync(this.filesFolder, { recursive: true });
	}

	/** The key that temporary URLs are signed with; it stays the same over restarts. */
	get signingKey(): string {
		const known = this.fact('signing_key');
		if (known !== undefined) return known;
		const key = randomBytes(32).toString('hex');
		this.setFact('signing_key', key);
		return key;
	}

	/** Writes down how far the clock is moved, so that a restart keeps it. */
	saveClock(): void {
		this.setFact('clock_offset', String(this.clock.ahead()));
	}

	isEmpty(): boolean {
		return this.database.count('users') === 0;
	}

	/** How many records of each kind there are. */
	counts(): Record<string, number> {
		const counted = Object.entries(tables).filter(([, { isCounted }]) => isCounted);
		return Object.fromEntries(counted.map(([name]) => [name, this.database.count(name)]));
	}

	/** Removes all data; ids start over. */
	clear(): void {
		this.database.script(
			[
				'PRAGMA foreign_keys = OFF',
				'BEGIN',
				...Object.keys(tables).map((table) => `DELETE FROM ${table}`),
				'COMMIT',
				'PRAGMA foreign_keys = ON',
			].join(';\n'),
		);
		this.startIds();
		rmSync(this.filesFolder, { recursive: true, force: true });
		mkdirSync(this.filesFolder, { recursive: true });
	}

	/**
	 * Takes over everything from the file of another database, which stays as it is; what it says of the clock is written down
	 * only.
	 * @throws 422 when another version of the sandbox wrote it
	 */
	load(file: string): void {
		this.database.attached(file, (other) => {
			const version = this.database.get<{ value: string }>(
				`SELECT value FROM ${other}.facts WHERE name = 'schema_version'`,
			);
			if (version?.value !== versionOf(tables)) {
				throw invalid({ name: ['This was saved by another version of the sandbox.'] });
			}
			for (const name of [...Object.keys(FACTS), ...Object.keys(tables), 'sqlite_sequence']) {
				this.database.run(`DELETE FROM main.${name}`);
				this.database.run(`INSERT INTO main.${name} SELECT * FROM ${other}.${name}`);
			}
		});
	}

	/** What is remembered under a name. */
	fact(name: string): string | undefined {
		return factOf(this.database, name);
	}

	setFact(name: string, value: string): void {
		this.database.run('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)', name, value);
	}

	close(): void {
		this.database.close();
		if (this.isTemporary) rmSync(this.folder, { recursive: true, force: true });
	}

	private createTables(): void {
		this.database.script(creation(tables));
		if (this.fact('schema_version') !== undefined) return;
		sign(this.database, tables);
		this.startIds();
	}

	private startIds(): void {
		this.database.run('DELETE FROM sqlite_sequence');
		for (const [name, { firstId }] of Object.entries(tables)) {
			if (firstId === undefined) continue;
			this.database.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', name, firstId - 1);
		}
	}
}

/** Everything a tenant holds: `store.tags`, `store.customers` and so on. */
export type Store = Base & Records;

/**
 * Opens what a tenant holds.
 * @param dataDir folder to keep everything in; without it, everything is in memory (file contents in a temporary folder)
 * and gone after `close`.
 * @param name of the tenant; by default that of the first one
 * @throws in one sentence, when the folder is in use, or was written by another version of the sandbox whose data cannot be taken over.
 */
export function openStore(dataDir?: string, name?: string): Store {
	const base = new Base(dataDir, name);
	const { database, clock, filesFolder } = base;
	const records = allResources.flatMap(([name, { Records: Kept }]) =>
		Kept ? [[name, new Kept(database, clock, filesFolder)]] : [],
	);
	return Object.assign(base, Object.fromEntries(records) as Records);
}
