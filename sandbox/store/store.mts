import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../clock.mts';
import { demoPicture } from '../resources/media.mts';
import { allResources, type resources } from '../resources/index.mts';
import type { Kept, Table } from './table.mts';

type Resources = typeof resources;

/** The records of every resource that has some, under the name that it has in the list of resources. */
type Records = {
	[Name in keyof Resources as Resources[Name] extends { Records: unknown }
		? Name
		: never]: Resources[Name] extends { Records: new (...args: never[]) => infer Kept } ? Kept : never;
};

type Together<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
	all: infer All,
) => void
	? All
	: never;
type Makers = Together<
	{
		[Name in keyof Resources]: Resources[Name] extends { tables: infer Declared } ? Declared : never;
	}[keyof Resources]
>;

/** Every table, as its resource declares it. */
export type Tables = {
	[Name in keyof Makers]: Makers[Name] extends () => infer Kept ? Kept : never;
};
export type TableName = keyof Tables;

/** What a record of a table is known by: its number, or its UUID. */
export type IdOf<Name extends TableName> =
	Tables[Name] extends Table<infer Row> ? (Row extends { uuid: string } ? string : number) : never;

/** New tables without records. */
export const newTables = (): Tables =>
	Object.fromEntries(
		allResources.flatMap(([, { tables = {} }]) =>
			Object.entries(tables).map(([name, make]) => [name, make()]),
		),
	) as unknown as Tables;

/** What a tenant holds, in memory. Only the contents of files are on the disk, in a folder that goes with it. */
class Base {
	readonly clock = new Clock();

	/** Temporary addresses are signed with it. */
	readonly signingKey = randomBytes(32);

	readonly tables = newTables();

	/** Where the contents of files lie. */
	readonly filesFolder = mkdtempSync(join(tmpdir(), 'customer-messaging-sandbox-'));

	/** How many records of each kind there are. */
	counts(): Record<string, number> {
		const all = Object.entries(this.tables as Record<string, Kept>);
		return Object.fromEntries(
			all.flatMap(([name, { count }]) => (count === undefined ? [] : [[name, count]])),
		);
	}

	/** Removes all data; IDs start over. */
	clear(): void {
		for (const table of Object.values(this.tables)) table.clear();
		// To make the folder anew takes longer than all the rest.
		for (const file of readdirSync(this.filesFolder)) rmSync(join(this.filesFolder, file));
	}

	close(): void {
		rmSync(this.filesFolder, { recursive: true, force: true });
	}
}

/** Everything that a tenant holds: `store.tags`, `store.customers` and so on. */
export type Store = Base & Records;

export function openStore(): Store {
	const base = new Base();
	const records = allResources.flatMap(([name, { Records: Kept }]) =>
		Kept ? [[name, new Kept(base.tables, base.clock, base.filesFolder)]] : [],
	);
	return Object.assign(base, Object.fromEntries(records) as Records);
}

/** Fills an empty store with a small tenant that looks like a real one. All people in it are invented. */
export async function addDemoData(store: Store): Promise<void> {
	const picture = await demoPicture();
	for (const [, { demo }] of allResources) demo?.(store, picture);
}
