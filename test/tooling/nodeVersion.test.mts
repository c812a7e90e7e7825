import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { seed } from '../../sandbox/control/seed.mts';
import { ACTION_NODE, usePackageIn } from '../engine/engine.mts';
import { TestTenant } from '../engine/tenant.mts';
import { comparison, freeze } from '../compatibility/freeze.mts';
import { readFrozen } from '../compatibility/frozenFiles.mts';
import { saved } from '../compatibility/frozenNodes.mts';
import { FrozenTenant } from '../compatibility/frozenTenant.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What a build reads. */
const BUILT = [
	'nodes',
	'credentials',
	'icons',
	'gulpfile.js',
	'package.json',
	'tsconfig.json',
	'scripts/sources.mts',
];

/** The changes that the document shows: a file, and the lines before and after. */
const steps = [
	...readFileSync(path.join(ROOT, 'docs/maintainers/node-versions.md'), 'utf8').matchAll(
		/^ *```diff\n([^]*?)^ *```$/gm,
	),
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
const frozenTenant = new FrozenTenant();
let copy: string;

/** Holds what the nodes do as they are, as a release would freeze it. */
let frozen: string;

const VERSION = '999.0.0';

beforeAll(async () => {
	frozen = mkdtempSync(path.join(tmpdir(), 'frozen-'));
	await freeze(
		VERSION,
		frozen,
		async (specimens) => await specimens.some((name) => name.includes(': getAll')),
	);
	copy = mkdtempSync(path.join(tmpdir(), 'node-version-'));
	for (const name of BUILT) cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
	symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
});

afterAll(() => {
	for (const folder of [copy, frozen]) rmSync(folder, { recursive: true });
});

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
	const getAll = await saved(ACTION_NODE, { resource: 'customer', operation: 'getAll' });
	expect(getAll.typeVersion).toBe(1.1);
	const count = async (typeVersion: number) => {
		const { items, error } = await tenant.run(getAll.parameters, { settings: { typeVersion } });
		expect(error).toBeUndefined();
		return items.length;
	};
	expect(await count(1.1)).toBeGreaterThan(60);
	expect(await count(1)).toBe(50);
});

it('the workflows that were saved before send and give what they did', async () => {
	const nodes = readFrozen(VERSION, frozen);
	const lists = nodes.filter(({ name, node }) => node.typeVersion === 1 && name.includes(': getAll'));
	expect(lists.map(({ name }) => name)).toEqual(expect.arrayContaining(['customer: getAll', 'tag: getAll']));
	await frozenTenant.start();
	for (const one of nodes) {
		const { before, now } = await comparison(one, frozenTenant);
		expect({ name: one.name, now }).toEqual({ name: one.name, now: before });
	}
	await frozenTenant.stop();
});
