import { mkdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Bench, type BenchOptions, say } from './bench.mts';
import type { Row } from './figures.mts';
import { coldRequire } from './measures/coldRequire.mts';
import { customersIn } from './measures/customersIn.mts';
import { download } from './measures/download.mts';
import { packedSize } from './measures/packedSize.mts';
import { pace } from './measures/pace.mts';
import { rateLimit } from './measures/rateLimit.mts';
import { returnAll } from './measures/returnAll.mts';
import { singleWrites } from './measures/singleWrites.mts';
import { upload } from './measures/upload.mts';
import { webhooks } from './measures/webhooks.mts';
import { queueMode } from './measures/queueMode.mts';
import { writeHistory } from './history.mts';
import { loadNow, QUIET, screenTable, writeReport } from './report.mts';

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

/** Seconds: the load is a mean of the last minute. */
const CALM_DOWN = { every: 10, within: 240 };

const USAGE = `Usage: npm run bench -- [options]

  --only NAME     one measure; may be repeated: ${Object.keys(MEASURES).join(', ')}
  --rounds N      rounds that count; otherwise as many as twelve minutes for all measures allow
  --quick         one round of small counts: shows that everything runs, not how fast it is
  --busy          measures on a busy machine too, and says so in the result
  --profile DIR   writes CPU profiles of the last round of each side, which slows that round down
  --help          show this

A run of all measures without --rounds also goes into docs/maintainers/: the table of benchmarks.md, the history, and its
chart.`;

/** A mistake of the person who types; it is said without a stack. */
class UsageError extends Error {}

function readOptions(): (BenchOptions & { names: string[]; busy: boolean }) | undefined {
	const { values } = parseArgs({
		options: {
			only: { type: 'string', multiple: true, default: [] },
			rounds: { type: 'string' },
			quick: { type: 'boolean', default: false },
			busy: { type: 'boolean', default: false },
			profile: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	const unknown = values.only.find((name) => !(name in MEASURES));
	if (unknown !== undefined) throw new UsageError(`There is no measure "${unknown}".`);
	if (!/^[1-9]\d*$/.test(values.rounds ?? '1'))
		throw new UsageError('--rounds must be a whole number from 1.');
	return {
		names: values.only.length > 0 ? values.only : Object.keys(MEASURES),
		rounds: roundsOf(values),
		quick: values.quick,
		busy: values.busy || values.quick,
		profiles: values.profile,
	};
}

/** A profile is that of the last round, so its number has to be known before. */
const roundsOf = ({ quick, rounds, profile }: { quick: boolean; rounds?: string; profile?: string }) =>
	rounds !== undefined ? Number(rounds) : quick || profile !== undefined ? 1 : undefined;

/** Waits for the end of what the machine did last, such as the build before this. @throws UsageError when it stays busy */
async function quietMachine(): Promise<void> {
	for (let seconds = 0; loadNow() > QUIET; seconds += CALM_DOWN.every) {
		const load = loadNow().toFixed(1);
		if (seconds >= CALM_DOWN.within)
			throw new UsageError(`The machine has a load of ${load}. End what else it does, or add --busy.`);
		say(`Waiting for a quiet machine: its load is ${load}, and has to be at most ${QUIET}`);
		await setTimeout(CALM_DOWN.every * 1_000);
	}
}

async function main(): Promise<void> {
	const options = readOptions();
	if (!options) return say(USAGE);
	const { names, rounds, busy, profiles } = options;
	if (!busy) await quietMachine();
	if (profiles !== undefined) await mkdir(profiles, { recursive: true });
	const loadBefore = loadNow();
	const startedAt = performance.now();
	const bench = await Bench.start(options);
	try {
		const rows: Row[] = [];
		const failures: string[] = [];
		for (const name of names) {
			say(`${name}`);
			try {
				rows.push(...(await MEASURES[name](bench)));
			} catch (error) {
				// What the others have measured by then took half an hour.
				console.error(error);
				failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
				process.exitCode = 1;
			}
		}
		say(`\n${screenTable(rows)}`);
		for (const { measure, note } of rows) if (note) say(`${measure}: ${note}`);
		say(`\nThe measures took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`);
		const isComplete = names.length === Object.keys(MEASURES).length;
		if (isComplete && rounds === undefined) {
			const circumstances = { installation: bench.place.installation, rounds: bench.rounds, loadBefore };
			const written = [
				await writeReport(rows, failures, circumstances),
				...(await writeHistory(rows, circumstances)),
			];
			say(`Written to ${written.join(', ')}`);
		}
	} finally {
		await bench.stop();
	}
}

main().catch((error: Error & { code?: string }) => {
	const isUsage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS') === true;
	console.error(isUsage ? `${error.message}\n\n${USAGE}` : error);
	process.exitCode = 1;
});
