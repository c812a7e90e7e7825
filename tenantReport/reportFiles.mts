import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Report, toMarkdown } from './report.mts';

/** Where reports are written unless another folder is named. */
export const REPORT_FOLDER = 'tenant-report';

/**
 * Writes a report for people and one for machines, each at once, so that none is ever half.
 *
 * @returns the two files
 */
export function writeReport(folder: string, report: Report): string[] {
	mkdirSync(folder, { recursive: true });
	const name = report.madeBy.replace(':', '-');
	return Object.entries({ md: toMarkdown(report), json: `${JSON.stringify(report, null, 2)}\n` }).map(
		([ending, text]) => {
			const file = path.join(folder, `${name}.${ending}`);
			writeFileSync(`${file}.new`, text);
			renameSync(`${file}.new`, file);
			return file;
		},
	);
}

/** The differences of a report, in lines for the terminal. */
export function differencesInLines({ differences: { choices, breaches } }: Report): string[] {
	return [
		...Object.entries(choices).map(([name, value]) => `${name}: ${value}`),
		...breaches.map(
			({ operation, in: side, place, problem }) => `${operation}, ${side}: ${place} ${problem}`,
		),
	];
}
