import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from './findings.mts';
import { ReportProblem } from './problem.mts';
import type { Consequence } from './rules.mts';

/** Where reports are written unless another folder is named. */
export const REPORT_FOLDER = 'tenant-report';

/** What `--names` means, on the terminal and in the report. */
export const NAMES_SENTENCE =
	'With --names, the report has all names of members. Some tenants use data as names, such as phone numbers or people: read the report before you give it to anybody.';

/** The parts of a report, the worst first. */
const HEADINGS: Record<Consequence, string> = {
	breaks: 'Breaks the node',
	unknown: 'Unknown',
	copes: 'The node copes',
};

/** The findings by heading. */
const partsOf = ({ findings }: Report) =>
	Object.entries(HEADINGS).map(([consequence, heading]) => ({
		heading,
		findings: findings.filter((finding) => finding.consequence === consequence),
	}));

/** Says which sandbox answers as the tenant does, and in how many of the differences; undefined if in none. */
export function sandboxText({ choices, findings }: Report): string | undefined {
	const options = Object.entries(choices)
		.filter(([, value]) => value !== 'other' && value !== 'several')
		.map(([name, value]) => `${name}=${value}`);
	const { length } = findings.filter(({ choice }) => choice !== undefined && options.includes(choice));
	if (length === 0) return undefined;
	const command = `npm run sandbox -- ${options.map((option) => `--variant ${option}`).join(' ')}`;
	return `This sandbox shows ${length} of the ${findings.length} differences:\n\n\`\`\`sh\n${command}\n\`\`\``;
}

const statusesText = (statuses: Record<string, number>) =>
	Object.entries(statuses)
		.map(([status, count]) => `${status} (${count})`)
		.join(', ') || 'none';

/** Says that nothing could be read, and what was answered instead, or that there is nothing to tell. */
function nothingText({ read, operations, findings }: Report): string | undefined {
	if (read > 0) return findings.length === 0 ? 'No differences were seen.' : undefined;
	const all: Record<string, number> = {};
	for (const [status, count] of operations.flatMap(({ statuses }) => Object.entries(statuses)))
		all[status] = (all[status] ?? 0) + count;
	return `Nothing could be read, so nothing is known about differences. Statuses of the responses: ${statusesText(all)}.`;
}

/** A section with a table, if there is anything in it. */
function section(heading: string, names: string[], rows: string[][]): string[] {
	if (rows.length === 0) return [];
	const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [`## ${heading}`, [line(names), line(names.map(() => '---')), ...rows.map(line)].join('\n')];
}

/** One row for all requests that show the same. */
function memberRows({ members }: Report): string[][] {
	const rows = new Map<string, string[]>();
	for (const { request, place, members: words, names = [] } of members) {
		const cells = [place, [words, ...names.map((name) => JSON.stringify(name))].join(', ')];
		const row = rows.get(cells.join(' ')) ?? ['', ...cells];
		row[0] = [row[0], `\`${request}\``].filter(Boolean).join(', ');
		rows.set(cells.join(' '), row);
	}
	return [...rows.values()];
}

const codes = (requests: string[]) => `\`${requests.join('`, `')}\``;

const findingRows = (findings: Report['findings']) =>
	findings.map((one) => [codes(one.requests), one.expected, one.came, one.todo, String(one.times)]);

const requestRows = ({ operations }: Report) =>
	operations.map((one) => [codes([one.request]), statusesText(one.statuses), String(one.longestMs)]);

/** What a report found, for the terminal. */
export function resultText(report: Report): string {
	const lines = partsOf(report).flatMap(({ heading, findings }) =>
		findings.map(({ requests: [first, ...others], expected, came }) => {
			const more = others.length > 0 ? ` and ${others.length} more` : '';
			return `  ${heading}: ${first}${more}: ${came} (expected: ${expected})`;
		}),
	);
	const found = lines.length === 0 ? undefined : `Differences:\n${lines.join('\n')}`;
	return [nothingText(report), found, sandboxText(report)].filter((text) => text !== undefined).join('\n\n');
}

/** The report for people. */
export function toMarkdown(report: Report): string {
	const { rateLimit, tellsNames } = report;
	const left = report.leftBehind.map((sentence) => [sentence]);
	const notLookedAt = report.notRead.map(({ operation, reason }) => [operation, reason]);
	const names = tellsNames
		? NAMES_SENTENCE
		: 'It has the names of the interface and of usual envelopes, and counts all others.';
	const parts = [
		`# Tenant ${report.tenant}`,
		`Made by \`npm run ${report.madeBy}\`, from ${report.startedAt} to ${report.finishedAt}, with ${report.calls} requests. This report has no values. ${names}`,
		nothingText(report),
		...partsOf(report).flatMap(({ heading, findings }) =>
			section(heading, ['Requests', 'Expected', 'Came', 'What to do', 'Times'], findingRows(findings)),
		),
		sandboxText(report),
		...section('Test records that are still there', ['What to do'], left),
		...section('Members beyond the interface', ['Request', 'Place', 'Members'], memberRows(report)),
		'## Limits of requests',
		`Requests answered with 429: ${rateLimit.refusals}. Retry-After: ${rateLimit.retryAfter.join(', ') || 'none'}. Headers of a quota: ${rateLimit.headers.join(', ') || 'none'}.`,
		...section('Requests', ['Request', 'Statuses', 'Longest ms'], requestRows(report)),
		...section('Not looked at', ['Operation', 'Why'], notLookedAt),
	];
	return `${parts.filter(Boolean).join('\n\n')}\n`;
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
	if (token !== '' && forms.some((form) => folded.includes(form.toLowerCase())))
		throw new ReportProblem(
			'The report would hold the access token, so it was not written: run the check without --names, and tell the operator of the tenant that responses repeat the token.',
		);
	return text;
}

/**
 * Writes a report for people and one for machines, each at once, so that none is ever half. Where nothing was read, an older
 * report says more, and stays.
 *
 * @param token what must not be in it
 * @returns the two files; none where nothing was read
 * @throws ReportProblem when the token is in it; then nothing is written
 */
export function writeReport(folder: string, report: Report, token: string): string[] {
	const texts = Object.entries({ md: toMarkdown(report), json: `${JSON.stringify(report, null, 2)}\n` });
	for (const [, text] of texts) withoutToken(text, token);
	if (report.read === 0) return [];
	mkdirSync(folder, { recursive: true });
	return texts.map(([ending, text]) => {
		const file = path.join(folder, `tenant-check.${ending}`);
		writeFileSync(`${file}.new`, text);
		renameSync(`${file}.new`, file);
		return file;
	});
}
