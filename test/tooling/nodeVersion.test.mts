import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { INodeType } from 'n8n-workflow';

import { seed } from '../../sandbox/control/seed.mts';
import { BUILT } from '../../scripts/sources.mts';
import { loadedPackage, newestVersion, usePackageIn } from '../engine/engine.mts';
import { TestTenant } from '../engine/tenant.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The changes that the document shows: a file, and the lines before and after. */
const steps = [
	...readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8').matchAll(/^ *```diff\n([^]*?)^ *```$/gm),
].map(([, block]) => {
	const [file, ...lines] = block.replace(/^ {3}/gm, '').trimEnd().split('\n');
	const without = (sign: string) =>
		lines
			.filter((line) => !line.startsWith(sign))
			.map((line) => line.slice(1))
			.join('\n');
	return { file, before: without('+'), after: without('-') };
});

const tenant = TestTenant.inEachTest();
let copy: string;

beforeAll(() => {
	copy = mkdtempSync(path.join(tmpdir(), 'node-version-'));
	for (const name of [...BUILT, 'scripts/sources.mts'])
		cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
	symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
});

afterAll(() => rmSync(copy, { recursive: true }));

it('the steps of the document change the sources as they are, and the package builds', () => {
	expect(steps.length).toBeGreaterThan(1);
	for (const { file, before, after } of steps) {
		const source = readFileSync(path.join(copy, file), 'utf8');
		expect({ file, before, places: source.split(before).length - 1 }).toEqual({ file, before, places: 1 });
		writeFileSync(
			path.join(copy, file),
			source.replace(before, () => after),
		);
	}
	execFileSync(process.execPath, [path.join(ROOT, 'node_modules/gulp/bin/gulp.js'), 'build'], { cwd: copy });
	usePackageIn(copy);
});

it('a new node has the new version and its default, a saved one what it had', async () => {
	seed(tenant.sandbox.store, { profiles: 60, conversations: 0 });
	const { description } = (await loadedPackage()).getNode('customerMessaging').type as INodeType;
	expect(newestVersion(description)).toBe(1.1);
	const count = async (typeVersion: number) => {
		const getAll = { resource: 'customer', operation: 'getAll' };
		const { items, error } = await tenant.run(getAll, { settings: { typeVersion } });
		expect(error).toBeUndefined();
		return items.length;
	};
	expect(await count(1.1)).toBeGreaterThan(60);
	expect(await count(1)).toBe(50);
});
