import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { buildSync } from 'esbuild';

import packageJson from '../../package.json';
import { usePackageIn } from './engine.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NODES = 'nodes/CustomerMessaging';

/** By file in the nodes' folder, the names of its limits and what they are to be. */
export type Limits = Record<string, Record<string, number>>;

const withLimits = (source: string, limits: Record<string, number>) =>
	Object.entries(limits).reduce((text, [name, value]) => {
		const changed = text.replace(new RegExp(`(?<=\\bconst ${name} = )[^;]+`), String(value));
		if (changed === text) throw new Error(`No limit is called ${name} any more, or it is ${value} anyway`);
		return changed;
	}, source);

/**
 * Has the tests of a file run the package with other limits than it has, so small that a short history passes them.
 *
 * @returns what takes one of the changed files by itself
 */
export function useLimits(limits: Limits): <T>(file: string) => T {
	const copy = mkdtempSync(path.join(tmpdir(), 'tiny-limits-'));
	afterAll(() => rmSync(copy, { recursive: true }));
	for (const name of ['nodes', 'credentials', 'dist', 'package.json'])
		cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
	symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
	for (const [file, changed] of Object.entries(limits)) {
		const source = path.join(copy, NODES, file);
		writeFileSync(source, withLimits(readFileSync(source, 'utf8'), changed));
	}
	const entries = [...packageJson.n8n.nodes, ...packageJson.n8n.credentials]
		.map((file) => file.replace(/^dist\/(.*)\.js$/, '$1.ts'))
		.concat(Object.keys(limits).map((file) => `${NODES}/${file}`));
	buildSync({
		...{ absWorkingDir: copy, entryPoints: entries, outdir: 'dist', outbase: '.', bundle: true },
		...{ platform: 'node', format: 'cjs', external: ['luxon', 'n8n-workflow'], logLevel: 'error' },
	});
	usePackageIn(copy);
	const load = createRequire(path.join(copy, 'package.json'));
	return (file) => load(`./dist/${NODES}/${file.replace(/\.ts$/, '.js')}`);
}
