import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

interface LockedPackage {
	version?: string;
	optionalDependencies?: Record<string, string>;
}

const read = (folder: string, file: string) =>
	readFileSync(path.resolve(import.meta.dirname, '../..', folder, file), 'utf8');

const packagesIn = (folder: string) =>
	(JSON.parse(read(folder, 'package-lock.json')) as { packages: Record<string, LockedPackage> }).packages;

const packages = packagesIn('.');

/** What a package gets when it requires another one: the nearest in the folders around it. */
function nearest(from: string, name: string): LockedPackage | undefined {
	const found = packages[path.posix.join(from, 'node_modules', name)];
	if (found || from === '') return found;
	const outer = from.lastIndexOf('/node_modules/');
	return nearest(outer < 0 ? '' : from.slice(0, outer), name);
}

it('the lockfile has every package for every platform, so that `npm ci` takes it on each', () => {
	const named = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
		Object.entries(optionalDependencies).map(([name, range]) => ({ from, name, range })),
	);
	const missing = named.filter(({ from, name, range }) => {
		const version = nearest(from, name)?.version;
		return version === undefined || (/^\d/.test(range) && version !== range);
	});
	expect(named.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['@esbuild/darwin-arm64', '@esbuild/win32-x64']),
	);
	expect(missing).toEqual([]);
});

it('the native SQLite module is compiled at the version that n8n has', () => {
	const compiled = packagesIn('test/sqlite3')['node_modules/sqlite3'].version;
	const versionsIn = (folder: string) => {
		const { packages: locked } = parse(read(folder, 'pnpm-lock.yaml')) as { packages: object };
		return Object.keys(locked).filter((name) => name.startsWith('sqlite3@'));
	};
	expect(versionsIn('test/n8n-2')).toEqual([`sqlite3@${compiled}`]);
});
