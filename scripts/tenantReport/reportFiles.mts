import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nothingRead, type Report, toMarkdown } from './report.mts';

/** Where reports are written unless another folder is named. */
export const REPORT_FOLDER = 'tenant-report';

/** Whether a report of a tenant that could be read is there already; one that cannot be judged counts as that. */
function isWorthKeeping(file: string): boolean {
	if (!existsSync(file)) return false;
	try {
		return (JSON.parse(readFileSync(file, 'utf8')) as Partial<Report>).read !== 0;
	} catch {
		return true;
	}
}

/**
 * Writes a report for people and one for machines, each at once, so that none is ever half.
 *
 * @returns the two files; none where nothing was read and an older report says more
 */
export function writeReport(folder: string, report: Report): string[] {
	mkdirSync(folder, { recursive: true });
	const name = report.madeBy.replace(':', '-');
	if (report.read === 0 && isWorthKeeping(path.join(folder, `${name}.json`))) return [];
	return Object.entries({ md: toMarkdown(report), json: `${JSON.stringify(report, null, 2)}\n` }).map(
		([ending, text]) => {
			const file = path.join(folder, `${name}.${ending}`);
			writeFileSync(`${file}.new`, text);
			renameSync(`${file}.new`, file);
			return file;
		},
	);
}

/** What a report found, for the terminal. */
export function resultText(report: Report): string {
	const { choices, breaches } = report.differences;
	const lines = [
		...Object.entries(choices).map(([name, value]) => `${name}: ${value}`),
		...breaches.map(
			({ operation, in: side, place, problem }) => `${operation}, ${side}: ${place} ${problem}`,
		),
	];
	const differences = lines.length === 0 ? undefined : `Differences:\n  ${lines.join('\n  ')}`;
	const told = [nothingRead(report), differences].filter((text) => text !== undefined);
	return told.length === 0 ? 'No differences were seen.' : told.join('\n\n');
}
