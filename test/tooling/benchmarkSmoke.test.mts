import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { fallen } from '../bench/fallen.mts';
import { lastRelease } from '../bench/release.mts';

const row = (median: number) => ({
	...{ measure: 'Writes', unit: 'items/s', ours: 700, targets: [] },
	...{ peer: { name: 'the release 0.1.0', value: 1000 }, ratio: { median, least: 0.1, most: 2 } },
});

it.each([0.75, 1, 3])('does not warn of %f times the release', (median) => {
	expect(fallen([row(median)])).toEqual([]);
});

it('warns of what has fallen by more than a quarter, with both figures', () => {
	expect(fallen([row(0.7), row(1)])).toEqual([
		'Writes: 700 items/s, and 1000 items/s with the release 0.1.0. 0.7 times as good',
	]);
});

describe('the last release', () => {
	const PATH = process.env.PATH;
	let folder: string;

	/** Has a script stand for npm. */
	const npmIs = async (script: string) => {
		const file = path.join(folder, 'npm');
		await writeFile(file, `#!/bin/sh\n${script}\n`);
		await chmod(file, 0o755);
		process.env.PATH = `${folder}${path.delimiter}${PATH}`;
	};

	beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'customer-messaging-npm-'))));

	afterEach(async () => {
		process.env.PATH = PATH;
		await rm(folder, { recursive: true, force: true });
	});

	it.each([
		['npm knows no such package', 'echo "npm error code E404" >&2; exit 1'],
		['only its name is taken', 'echo 0.0.0'],
	])('is none where %s', async (_, script) => {
		await npmIs(script);
		expect(await lastRelease('a-package', path.join(folder, 'release'))).toBeUndefined();
	});

	it('is the file that npm packs', async () => {
		await npmIs('if [ "$1" = view ]; then echo 0.1.0; else touch a-package-0.1.0.tgz; fi');
		const release = path.join(folder, 'release');
		expect(await lastRelease('a-package', release)).toEqual({
			version: '0.1.0',
			tarball: path.join(release, 'a-package-0.1.0.tgz'),
		});
	});

	it('is unknown where npm cannot tell', async () => {
		await npmIs('echo "npm error code ETIMEDOUT" >&2; exit 1');
		await expect(lastRelease('a-package', path.join(folder, 'release'))).rejects.toThrow('ETIMEDOUT');
	});
});
