import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from './findings.mts';
import { ReportProblem } from './problem.mts';
import { toMarkdown } from './report.mts';

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
 * Refuses a text that holds the token, in its own letters or as an address or Base64 has it. Nothing of a tenant but known
 * names gets into a report, so this finds only what --names lets in.
 *
 * @throws ReportProblem when the token is in it
 */
export function withoutToken(text: string, token: string): string {
	const forms = [token, encodeURIComponent(token), Buffer.from(token).toString('base64').replace(/=+$/, '')];
	const folded = text.toLowerCase();
	if (token !== '' && forms.some((form) => folded.includes(form.toLowerCase()))) {
		throw new ReportProblem(
			'The report would hold the access token, so it was not written: run the check without --names, and tell the operator of the tenant that responses repeat the token.',
		);
	}
	return text;
}

/**
 * Writes a report for people and one for machines, each at once, so that none is ever half.
 *
 * @param token what must not be in it
 * @returns the two files; none where nothing was read and an older report says more
 * @throws ReportProblem when the token is in it; then nothing is written
 */
export function writeReport(folder: string, report: Report, token: string): string[] {
	const texts = Object.entries({ md: toMarkdown(report), json: `${JSON.stringify(report, null, 2)}\n` });
	for (const [, text] of texts) withoutToken(text, token);
	mkdirSync(folder, { recursive: true });
	const name = report.madeBy.replace(':', '-');
	if (report.read === 0 && isWorthKeeping(path.join(folder, `${name}.json`))) return [];
	return texts.map(([ending, text]) => {
		const file = path.join(folder, `${name}.${ending}`);
		writeFileSync(`${file}.new`, text);
		renameSync(`${file}.new`, file);
		return file;
	});
}
