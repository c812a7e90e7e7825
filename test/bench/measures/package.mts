import { stat } from 'node:fs/promises';
import path from 'node:path';

import type { Bench } from '../bench.mts';
import { type Row, row } from '../rows.mts';

/** Loads a node as n8n's loader does, in a process that has n8n-workflow loaded, and prints the milliseconds. */
const LOAD = `require('n8n-workflow');
const [file, className] = process.argv.slice(1);
const startedAt = performance.now();
new (require(file)[className])();
console.log(performance.now() - startedAt);`;

/** Loading the action node, each time in a fresh process. */
export async function coldRequire(bench: Bench): Promise<Row[]> {
	const { installation, environment, modules, packageFolder } = bench.place;
	const { execa } = await import('execa');
	const load = async (file: string): Promise<number> => {
		const args = ['-e', LOAD, file, path.basename(file, '.node.js')];
		// A script that is given as text looks for modules where it runs first, and the project has an n8n-workflow of its own.
		const options = { cwd: modules, env: environment, extendEnv: false };
		const { stdout } = await execa(installation.node, args, options);
		return Number(stdout);
	};
	const sharePoint = 'n8n-nodes-base/dist/nodes/Microsoft/SharePoint/MicrosoftSharePoint.node.js';
	const own = 'dist/nodes/CustomerMessaging/CustomerMessaging.node.js';
	const { peer, ours } = await bench.inTurns(
		// More rounds than of other measures: what it takes is little more than the noise.
		{ seconds: 10, least: 15 },
		{
			peer: async () => await load(path.join(modules, sharePoint)),
			ours: async () => await load(path.join(packageFolder, own)),
		},
		(milliseconds) => `${milliseconds.toFixed(1)} ms`,
	);
	const measure = 'Cold require of the action node';
	const details = { better: 'less', timesBetter: 1 } as const;
	return [row(measure, 'ms', ours, ["n8n's SharePoint node", peer], details)];
}

/** The package as `npm pack` writes it. */
export async function packedSize({ place }: Bench): Promise<Row[]> {
	const { size } = await stat(place.tarball);
	return [{ measure: 'Packed size', unit: 'kB', ours: size / 1_000, atMost: 210 }];
}
