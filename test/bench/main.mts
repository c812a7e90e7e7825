import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import packageJson from '../../package.json' with { type: 'json' };
import { Bench } from './bench.mts';
import { pace, rateLimit } from './measures/atOnce.mts';
import { queueMode, webhooks } from './measures/deliveries.mts';
import { customersIn } from './measures/customersIn.mts';
import { coldRequire, packedSize } from './measures/package.mts';
import { returnAll } from './measures/returnAll.mts';
import { singleWrites } from './measures/singleWrites.mts';
import { download, upload } from './measures/transfers.mts';
import { comparisonOf, type Row, tableOf } from './rows.mts';

const MEASURES: Record<string, (bench: Bench) => Promise<Row[]>> = {
	'single-writes': singleWrites,
	'customers-in': customersIn,
	'return-all': returnAll,
	upload,
	download,
	'rate-limit': rateLimit,
	pace,
	webhooks,
	'queue-mode': queueMode,
	'cold-require': coldRequire,
	'packed-size': packedSize,
};

const USAGE = `Usage: npm run bench -- [--only <measure>]… [--quick]

  --only   measures a part: ${Object.keys(MEASURES).join(', ')}
  --quick  one round of small counts: shows that everything runs, not how fast it is

Without them, the figures with a target go into docs/architecture.md.`;

/** The highest load of a machine on which the figures are the nodes' own. */
const QUIET = 0.5;

const FILE = path.resolve(import.meta.dirname, '../../docs/architecture.md');
const PLACE = /(?<=<!-- bench:begin.*-->\n).*(?=<!-- bench:end -->)/s;

/** Says what the figures were measured with. @param load of the machine before */
async function circumstances({ place: { installation }, rounds }: Bench, load: number): Promise<string> {
	const { execa } = await import('execa');
	const { stdout: nodeVersion } = await execa(installation.node, ['--version']);
	const processors = cpus();
	return [
		`This package ${packageJson.version} against n8n ${installation.version} on Node.js ${nodeVersion.slice(1)}`,
		`${processors.length} cores (${processors[0].model.trim()}, ${process.platform} ${process.arch})`,
		`medians of ${rounds.join(' to ')} rounds, ratios pair by pair`,
		`load of the machine before: ${load.toFixed(1)}${load > QUIET ? ', **so it was busy, and the figures are too low or too high**' : ''}.`,
	].join('; ');
}

/** @returns all figures, and those of the document */
async function measure(names: string[], isQuick: boolean): Promise<{ all: string; compared: string }> {
	const load = loadavg()[0];
	const bench = await Bench.start(isQuick);
	try {
		const rows: Row[] = [];
		const failures: string[] = [];
		for (const name of names) {
			console.log(name);
			try {
				rows.push(...(await MEASURES[name](bench)));
			} catch (error) {
				// What the others have measured by then took minutes.
				console.error(error);
				failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
				process.exitCode = 1;
			}
		}
		const measured = await circumstances(bench, load);
		return {
			all: `${measured}\n\n${tableOf(rows, failures)}`,
			compared: `\n${measured}\n\n${comparisonOf(rows)}\n`,
		};
	} finally {
		await bench.stop();
	}
}

const { only, quick } = parseArgs({
	options: {
		only: { type: 'string', multiple: true, default: [] },
		quick: { type: 'boolean', default: false },
	},
}).values;
if (only.every((name) => Object.hasOwn(MEASURES, name))) {
	const isPart = only.length > 0 || quick;
	const result = await measure(only.length > 0 ? only : Object.keys(MEASURES), quick);
	console.log(result.all);
	if (!isPart) {
		const text = await readFile(FILE, 'utf8');
		await writeFile(
			FILE,
			text.replace(PLACE, () => result.compared),
		);
	}
} else {
	console.error(USAGE);
	process.exitCode = 1;
}
