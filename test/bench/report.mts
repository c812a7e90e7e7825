import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import type { N8nInstallation } from '../n8n/installation.mts';
import { isMet, type Ratio, type Row, type Target } from './figures.mts';

const projectFolder = path.resolve(import.meta.dirname, '..', '..');
const BEGIN = '<!-- bench:begin, written by npm run bench -->';
const END = '<!-- bench:end -->';

/** Three digits that count, or the whole number. */
const figure = (value: number): string =>
	Math.abs(value) >= 100 || Number.isInteger(value)
		? String(Math.round(value))
		: String(Number(value.toPrecision(3)));

const withUnit = (value: number, unit: string): string => `${figure(value)} ${unit}`;

const ratioText = ({ median, least, most }: Ratio): string =>
	`${figure(median)} (${figure(least)} to ${figure(most)})`;

const targetText = ({ unit }: Row, { of, bound, value }: Target): string =>
	`${bound === 'atLeast' ? 'at least' : 'at most'} ${of === 'ratio' ? `${value} times` : withUnit(value, unit)}`;

const verdict = (row: Row): string => {
	if (row.targets.length === 0) return '';
	return row.targets.every((target) => isMet(row, target)) ? 'met' : 'not met';
};

const HEADINGS = ['Measure', "n8n's own", 'This package', 'Times better', 'Target', ''];

const cells = (row: Row): string[] => [
	row.measure,
	row.peer ? `${withUnit(row.peer.value, row.unit)} (${row.peer.name})` : '',
	withUnit(row.ours, row.unit),
	row.ratio ? ratioText(row.ratio) : '',
	row.targets.map((target) => targetText(row, target)).join(', '),
	verdict(row),
];

/**
 * The rows as a table for the screen.
 *
 * @param others whose figures stand beside ours
 */
export function screenTable(rows: Row[], others = HEADINGS[1]): string {
	const table = [HEADINGS.with(1, others), ...rows.map(cells)];
	const widths = HEADINGS.map((_, column) => Math.max(...table.map((line) => line[column].length)));
	return table
		.map((line) =>
			line
				.map((cell, column) => cell.padEnd(widths[column]))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

/** What the figures were measured with. */
export interface Circumstances {
	installation: N8nInstallation;
	rounds: { least: number; most: number };
	/** Load average of the machine before the first measure. */
	loadBefore: number;
}

export const loadNow = (): number => loadavg()[0];

/** The highest load of a machine on which the figures are the nodes' own. */
export const QUIET = 0.5;

/** The version of this package. */
export async function packageVersion(): Promise<string> {
	const text = await readFile(path.join(projectFolder, 'package.json'), 'utf8');
	return (JSON.parse(text) as { version: string }).version;
}

async function describe({ installation, rounds, loadBefore }: Circumstances): Promise<string> {
	const { execa } = await import('execa');
	const { stdout: nodeVersion } = await execa(installation.node, ['--version']);
	const processors = cpus();
	return [
		`This package ${await packageVersion()} against n8n ${installation.version} on Node.js ${nodeVersion.slice(1)}`,
		`${processors.length} cores (${processors[0].model.trim()}, ${process.platform} ${process.arch})`,
		`medians of ${rounds.least} to ${rounds.most} rounds, ratios pair by pair with their range, above 1 is better`,
		`load of the machine before: ${loadBefore.toFixed(1)}${loadBefore > QUIET ? ', **so it was busy, and the figures are too low or too high**' : ''}.`,
	].join('; ');
}

function markdown(rows: Row[], failures: string[], circumstances: string): string {
	const line = (columns: string[]) => `| ${columns.join(' | ')} |`;
	const notes = [
		...failures.map((failure) => `- **Not measured**: ${failure}`),
		...rows.flatMap(({ measure, note }) => (note ? [`- ${measure}: ${note}.`] : [])),
	];
	return [
		BEGIN,
		'',
		circumstances,
		'',
		line(HEADINGS),
		line(HEADINGS.map(() => '---')),
		...rows.map((row) => line(cells(row))),
		'',
		...notes,
		'',
		END,
	].join('\n');
}

/**
 * Puts the result into docs/maintainers/benchmarks.md, in place of the one before.
 *
 * @param failures the measures that have no result, each with the reason
 */
export async function writeReport(
	rows: Row[],
	failures: string[],
	circumstances: Circumstances,
): Promise<string> {
	const file = path.join(projectFolder, 'docs', 'maintainers', 'benchmarks.md');
	const text = await readFile(file, 'utf8');
	const begin = text.indexOf(BEGIN);
	const end = text.indexOf(END);
	if (begin < 0 || end < begin) throw new Error(`${file} has no place for the result: ${BEGIN} … ${END}`);
	const generated = markdown(rows, failures, await describe(circumstances));
	const written = text.slice(0, begin) + generated + text.slice(end + END.length);
	await writeFile(file, await format(written, { ...(await resolveConfig(file)), filepath: file }));
	return path.relative(projectFolder, file);
}
