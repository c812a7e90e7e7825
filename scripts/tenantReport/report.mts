import type { Choices } from '../../sandbox/choices.mts';
import type { Consequence, SeenChoice } from './rules.mts';

/** A choice as a report tells it: a value of `CHOICES`, `other` for one without a name there, `several`. */
export type SeenChoices = { [Name in SeenChoice]?: Choices[Name] | 'other' | 'several' };

/** Something in which the tenant differs from the contract, or from the sandbox where the contract leaves it open. */
export interface Finding {
	consequence: Consequence;
	/** Method and path. */
	requests: string[];
	expected: string;
	came: string;
	todo: string;
	times: number;
	/** The choice of a sandbox that answers so. */
	choice?: string;
}

/** What a check has found out about a tenant: see `told` for what can be in it. */
export interface Report {
	madeBy: 'tenant:check';
	tenant: string;
	startedAt: string;
	finishedAt: string;
	calls: number;
	/** How many responses could be looked at. Without any, a report says nothing about differences. */
	read: number;
	/** Whether the names of members beyond the contract are told. */
	tellsNames: boolean;
	findings: Finding[];
	/** The choices that differ from those of the plain sandbox. */
	choices: SeenChoices;
	/** Members that the contract does not show; those without a known name are counted, and named only if asked for. */
	members: Array<{ request: string; place: string; members: string; names?: string[] }>;
	operations: Array<{
		operation: string;
		request: string;
		calls: number;
		/** How often each status was answered. */
		statuses: Record<string, number>;
		longestMs: number;
	}>;
	rateLimit: {
		/** How many requests were answered with 429. */
		refusals: number;
		/** Seconds that Retry-After named; `date` for anything else. */
		retryAfter: Array<number | 'date'>;
		headers: string[];
	};
	/** A sentence for each test record that could not be removed. */
	leftBehind: string[];
	/** What could not be looked at, and why. */
	notRead: Array<{ operation: string; reason: string }>;
}

/** What `--names` means, on the terminal and in the report. */
export const NAMES_SENTENCE =
	'With --names, the report has all names of members. Some tenants use data as names, such as phone numbers or people: read the report before you give it to anybody.';

const HEADINGS: Record<Consequence, string> = {
	breaks: 'Breaks the node',
	copes: 'The node copes',
	unknown: 'Unknown',
};
const CONSEQUENCES: Consequence[] = ['breaks', 'unknown', 'copes'];

/** The findings with one consequence. */
const ofConsequence = ({ findings }: Report, consequence: Consequence) =>
	findings.filter((finding) => finding.consequence === consequence);

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

/** Says that nothing could be read, and what was answered instead; undefined if something was read. */
export function nothingRead({ read, operations }: Report): string | undefined {
	if (read > 0) return undefined;
	const statuses = new Map<string, number>();
	for (const [status, count] of operations.flatMap((operation) => Object.entries(operation.statuses)))
		statuses.set(status, (statuses.get(status) ?? 0) + count);
	const answers = [...statuses].map(([status, count]) => `${status} (${count})`).join(', ');
	return `Nothing could be read, so nothing is known about differences. Statuses of the responses: ${answers || 'none'}.`;
}

function table(heading: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A section with a table, if there is anything in it. */
const section = (heading: string, names: string[], rows: string[][]) =>
	rows.length === 0 ? [] : [`## ${heading}`, table(names, rows)];

/** One row for all requests that show the same. */
function memberRows(members: Report['members']): string[][] {
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
	const lines = CONSEQUENCES.flatMap((consequence) =>
		ofConsequence(report, consequence).map(
			({ requests: [first, ...others], expected, came }) =>
				`  ${HEADINGS[consequence]}: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}: ${came}, not ${expected}`,
		),
	);
	const found = lines.length === 0 ? undefined : `Differences:\n${lines.join('\n')}`;
	const told = [nothingRead(report), found].filter((text) => text !== undefined);
	return told.length === 0 ? 'No differences were seen.' : told.join('\n\n');
}

/** The report for people. */
export function toMarkdown(report: Report): string {
	const { rateLimit, notRead, members, leftBehind, operations } = report;
	const nothing = nothingRead(report);
	const parts = [
		`# Tenant ${report.tenant}`,
		`Made by \`npm run ${report.madeBy}\`, from ${report.startedAt} to ${report.finishedAt}, with ${report.calls} requests. This report has no values. ${
			report.tellsNames
				? NAMES_SENTENCE
				: 'It has the names of the interface and of usual envelopes, and counts all others.'
		}`,
		nothing ?? (report.findings.length === 0 ? 'No differences were seen.' : ''),
		...CONSEQUENCES.flatMap((consequence) =>
			section(
				HEADINGS[consequence],
				['Requests', 'Expected', 'Came', 'What to do', 'Times'],
				ofConsequence(report, consequence).map(({ requests, expected, came, todo, times }) => [
					requests.map((request) => `\`${request}\``).join(', '),
					expected,
					came,
					todo,
					String(times),
				]),
			),
		),
		sandboxText(report) ?? '',
		...section(
			'Test records that are still there',
			['What to do'],
			leftBehind.map((sentence) => [sentence]),
		),
		...section(
			'Members that the interface does not show',
			['Request', 'Place', 'Members'],
			memberRows(members),
		),
		'## Limits of requests',
		`Requests answered with 429: ${rateLimit.refusals}. Retry-After: ${rateLimit.retryAfter.join(', ') || 'none'}. Headers of a quota: ${rateLimit.headers.join(', ') || 'none'}.`,
		...section(
			'Requests',
			['Request', 'Calls', 'Statuses', 'Longest ms'],
			operations.map(({ request, calls, statuses, longestMs }) => [
				`\`${request}\``,
				String(calls),
				Object.entries(statuses)
					.map(([status, count]) => `${status} (${count})`)
					.join(', '),
				String(longestMs),
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
