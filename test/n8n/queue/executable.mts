import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Where Debian and Ubuntu keep the programs of PostgreSQL, one folder per version: they are not on the path. */
const POSTGRESQL = '/usr/lib/postgresql';

/**
 * Finds a program of Redis or PostgreSQL: on the path, or in the newest PostgreSQL of Debian.
 *
 * @throws Error that says how to install it
 */
export function executable(name: string): string {
	const versions = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	const folders = [
		...newestFirst.map((version) => path.join(POSTGRESQL, version, 'bin')),
		...(process.env.PATH ?? '').split(path.delimiter),
	];
	const found = folders.map((folder) => path.join(folder, name)).find(isExecutable);
	if (found !== undefined) return found;
	throw new Error(
		`The queue tests need Redis and PostgreSQL, but ${name} is missing: install both (on Debian or Ubuntu: apt-get install -y redis-server postgresql) and run the same command again.`,
	);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
