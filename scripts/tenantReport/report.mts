import type { Report } from './findings.mts';
import type { Consequence } from './rules.mts';

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
	const { rateLimit, notRead, leftBehind, operations, tellsNames } = report;
	const names = tellsNames
		? NAMES_SENTENCE
		: 'It has the names of the interface and of usual envelopes, and counts all others.';
	const parts = [
		`# Tenant ${report.tenant}`,
		`Made by \`npm run ${report.madeBy}\`, from ${report.startedAt} to ${report.finishedAt}, with ${report.calls} requests. This report has no values. ${names}`,
		nothingText(report),
		...partsOf(report).flatMap(({ heading, findings }) =>
			section(
				heading,
				['Requests', 'Expected', 'Came', 'What to do', 'Times'],
				findings.map(({ requests, expected, came, todo, times }) => [
					requests.map((request) => `\`${request}\``).join(', '),
					...[expected, came, todo, String(times)],
				]),
			),
		),
		sandboxText(report),
		...section(
			'Test records that are still there',
			['What to do'],
			leftBehind.map((sentence) => [sentence]),
		),
		...section(
			'Members that the interface does not show',
			['Request', 'Place', 'Members'],
			memberRows(report),
		),
		'## Limits of requests',
		`Requests answered with 429: ${rateLimit.refusals}. Retry-After: ${rateLimit.retryAfter.join(', ') || 'none'}. Headers of a quota: ${rateLimit.headers.join(', ') || 'none'}.`,
		...section(
			'Requests',
			['Request', 'Calls', 'Statuses', 'Longest ms'],
			operations.map(({ request, calls, statuses, longestMs }) => [
				...[`\`${request}\``, String(calls), statusesText(statuses), String(longestMs)],
			]),
		),
		...section(
			'Not looked at',
			['Operation', 'Why'],
			notRead.map(({ operation, reason }) => [operation, reason]),
		),
	];
	return `${parts.filter(Boolean).join('\n\n')}\n`;
}
