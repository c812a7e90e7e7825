// npm run bench -- smoke: five measures of this package beside the last release of it. Says which of them have fallen by more than
// a quarter, as a warning: it never fails because of them. `--release FILE` compares with this tarball.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import packageJson from '../../package.json' with { type: 'json' };
import { Bench, say } from './bench.mts';
import type { Job, JobNode, JobResult } from './engine/job.mts';
import { fallen } from './fallen.mts';
import { median, type Ratio, type Row, timesBetter } from './figures.mts';
import { requireTimer } from './measures/coldRequire.mts';
import { createWithOurs } from './measures/createCustomers.mts';
import { customersFromFields } from './measures/customersIn.mts';
import { getAllProfiles } from './measures/returnAll.mts';
import { lastRelease, type Published } from './release.mts';
import { screenTable } from './report.mts';

const ITEMS = 1_000;
const CUSTOMERS = 10_000;
const PROFILES = 10_000;

/** For each measure. */
const SECONDS = 20;

/** A warning where GitHub shows it, or on the screen. */
function warn(text: string): void {
	say(process.env.GITHUB_ACTIONS === 'true' ? `::warning title=Benchmark::${text}` : `Warning: ${text}`);
}

/** Runs a job in an engine with this package and in one with the release, in turns, and gives a row for each figure. */
class Comparison {
	private constructor(
		private readonly ours: Bench,
		private readonly release: Bench,
		private readonly name: string,
	) {}

	static async start(options: Bench['options'], { tarball, version }: Published): Promise<Comparison> {
		return new Comparison(
			await Bench.start(options),
			await Bench.start(options, tarball),
			`the release ${version}`,
		);
	}

	/** @param least rounds that each side has in any case */
	async rows<Result>(
		of: (bench: Bench) => Promise<() => Promise<Result>>,
		figures: Array<{
			measure: string;
			unit: string;
			value: (result: Result) => number;
			better?: (ours: number[], peer: number[]) => Ratio;
		}>,
		least = 5,
	): Promise<Row[]> {
		const [ours, release] = [await of(this.ours), await of(this.release)];
		const results = await this.ours.inTurns({ seconds: SECONDS, least }, { release, ours }, (result) =>
			figures.map(({ unit, value }) => `${Number(value(result).toPrecision(3))} ${unit}`).join(', '),
		);
		return figures.map(({ measure, unit, value, better = timesBetter.whereLessIsBetter }) => {
			const [mine, others] = [results.ours.map(value), results.release.map(value)];
			return {
				...{ measure, unit, ours: median(mine), peer: { name: this.name, value: median(others) } },
				...{ ratio: better(mine, others), targets: [] },
			};
		});
	}

	async stop(): Promise<void> {
		await Promise.all([this.ours.stop(), this.release.stop()]);
	}
}

/** What runs a node on an engine of its own, each time with other people. */
async function runnerOf(bench: Bench, node: JobNode, people: number): Promise<() => Promise<JobResult>> {
	const engine = await bench.engines.start();
	return async () => {
		const input: Job['input'] = bench.newPeople(people);
		const result = await engine.call('run', bench.job([node], input));
		if (result.failed > 0) throw new Error(`${result.failed} items failed. ${result.error ?? ''}`);
		return result;
	};
}

async function compare(comparison: Comparison): Promise<Row[]> {
	const seconds = ({ milliseconds }: JobResult) => milliseconds / 1_000;
	return [
		...(await comparison.rows(
			async (bench) => await runnerOf(bench, createWithOurs(bench), bench.scaled(ITEMS)),
			[
				{
					...{ measure: '1,000 single writes at 0 ms', unit: 'items/s' },
					value: ({ items, milliseconds }) => (items / milliseconds) * 1_000,
					better: timesBetter.whereMoreIsBetter,
				},
				{
					...{ measure: '1,000 single writes at 0 ms: CPU per item', unit: 'ms' },
					value: ({ items, cpuMilliseconds }) => cpuMilliseconds / items,
				},
			],
		)),
		...(await comparison.rows(
			async (bench) => {
				const run = await runnerOf(bench, customersFromFields(bench), bench.scaled(CUSTOMERS));
				return async () => {
					await bench.tenant.reset();
					return await run();
				};
			},
			[{ measure: '10,000 customers in at 0 ms, columns mapped to fields', unit: 's', value: seconds }],
		)),
		...(await comparison.rows(
			async (bench) => {
				await bench.tenant.reset();
				await bench.tenant.seed(bench.scaled(PROFILES));
				return await runnerOf(bench, getAllProfiles(bench), 1);
			},
			[{ measure: 'Return All of 10,000 profiles, as sent: time', unit: 's', value: seconds }],
		)),
		...(await comparison.rows(
			async (bench) => {
				const { load, ours } = await requireTimer(bench);
				return async () => await load(ours);
			},
			[{ measure: 'Cold require of the action node', unit: 'ms', value: (milliseconds) => milliseconds }],
			15,
		)),
	];
}

const { values } = parseArgs({
	options: { release: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const folder = await mkdtemp(path.join(tmpdir(), 'customer-messaging-release-'));
try {
	const release =
		values.release === undefined
			? await lastRelease(packageJson.name, folder)
			: { version: path.basename(values.release), tarball: path.resolve(values.release) };
	if (release === undefined) {
		say('There is no release yet to compare with.');
	} else {
		const comparison = await Comparison.start({ quick: values.quick }, release);
		try {
			const rows = await compare(comparison);
			say(`\n${screenTable(rows, 'Last release')}`);
			for (const sentence of fallen(rows)) warn(sentence);
		} finally {
			await comparison.stop();
		}
	}
} catch (error) {
	// What is measured here is no condition for a change.
	warn(`Nothing was compared: ${(error as Error).message}`.replaceAll('\n', ' '));
} finally {
	await rm(folder, { recursive: true, force: true });
}
