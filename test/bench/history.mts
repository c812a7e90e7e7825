import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { chartOf } from './chart.mts';
import type { Row } from './figures.mts';
import { type Circumstances, packageVersion } from './report.mts';

const folder = path.resolve(import.meta.dirname, '..', '..', 'docs', 'maintainers');

/** Every figure of every run that was written. */
export const HISTORY_FILE = path.join(folder, 'benchmarks.csv');

/** The chart of the history. */
export const CHART_FILE = path.join(folder, 'benchmarks.svg');

const COLUMNS = [
	'run',
	'version',
	'n8n',
	'load',
	'measure',
	'peer',
	'unit',
	'theirs',
	'ours',
	'ratio',
] as const;

/** One figure of one run, which its time names, as texts of the columns; what there is not is empty. */
export type Entry = Record<(typeof COLUMNS)[number], string>;

const quoted = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The history as a file keeps it. */
export const historyText = (entries: Entry[]): string =>
	[COLUMNS.join(','), ...entries.map((entry) => COLUMNS.map((column) => quoted(entry[column])).join(','))]
		.map((line) => `${line}\n`)
		.join('');

/** The entries of a history. */
export function entriesOf(text: string): Entry[] {
	const [, ...lines] = text.trimEnd().split('\n');
	return lines.map((line) => {
		const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
			([, inQuotes, plain]) => inQuotes?.replaceAll('""', '"') ?? plain,
		);
		return Object.fromEntries(COLUMNS.map((column, index) => [column, cells[index]])) as Entry;
	});
}

/** Four digits that count, so that a file shows no noise. */
const figure = (value: number | undefined): string =>
	value === undefined ? '' : String(Number(value.toPrecision(4)));

/** Adds a run to the history, and draws its chart again. @returns the files that were written */
export async function writeHistory(
	rows: Row[],
	{ installation, loadBefore }: Circumstances,
): Promise<string[]> {
	const run = {
		run: new Date().toISOString().slice(0, 16),
		version: await packageVersion(),
		n8n: installation.version,
		load: loadBefore.toFixed(1),
	};
	const entries = [
		...entriesOf(await readFile(HISTORY_FILE, 'utf8')),
		...rows.map(({ measure, unit, peer, ours, ratio }) => ({
			...{ ...run, measure, unit, peer: peer?.name ?? '' },
			...{ theirs: figure(peer?.value), ours: figure(ours), ratio: figure(ratio?.median) },
		})),
	];
	await writeFile(HISTORY_FILE, historyText(entries));
	await writeFile(CHART_FILE, chartOf(entries));
	return [HISTORY_FILE, CHART_FILE].map((file) => path.basename(file));
}
