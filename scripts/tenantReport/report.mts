import type { ChoiceName, Choices } from '../../sandbox/choices.mts';

/** A choice as a report tells it: a value of `CHOICES`, `other` for one without a name there, `several`. */
export type SeenChoices = { [Name in ChoiceName]?: Choices[Name] | 'other' | 'several' };

/** Something in an answer that does not fit the contract. */
export interface ContractBreach {
	operation: string;
	in: 'answer';
	place: string;
	problem: string;
	/** In how many bodies. */
	count: number;
}

/** An object of the contract that has members beyond it, or lacks some of those that it shows. */
export interface MembersOfPlace {
	operation: string;
	place: string;
	beyond: Array<{ name: string; types: string[] }>;
	/** How many members have a name that could be a datum. */
	hidden: number;
	neverSeen: string[];
}

export interface OperationCalls {
	operation: string;
	method: string;
	path: string;
	calls: number;
	/** How often each status was answered. */
	statuses: Record<string, number>;
	medianMs: number;
	longestMs: number;
}

export type ParameterEffect = 'works' | 'ignored' | `refused with ${number}` | 'not clear';

/** What a check has found out about a tenant: names and types of members, no values. */
export interface Report {
	madeBy: 'tenant:check';
	tenant: string;
	startedAt: string;
	finishedAt: string;
	calls: number;
	/** How many answers could be looked at. Without any, a report says nothing about differences. */
	read: number;
	/** All in which the tenant differs from the contract and from the sandbox's own choices. */
	differences: { choices: SeenChoices; breaches: ContractBreach[] };
	/** All choices that could be seen, and in which operations. */
	choices: Array<{ choice: ChoiceName; value: string; operations: string[] }>;
	/** Members beside the records of paginated lists. */
	envelopeMembers: string[];
	/** Members of failures. */
	errorMembers: string[];
	pageParameters: Record<string, ParameterEffect>;
	members: MembersOfPlace[];
	operations: OperationCalls[];
	rateLimit: {
		/** How many requests were answered with 429. */
		refusals: number;
		/** Seconds that Retry-After named; `date` for a point in time. */
		retryAfter: Array<number | 'date'>;
		headers: string[];
	};
	/** A sentence for each test record that could not be removed. */
	leftBehind: string[];
	/** What could not be looked at, and why. */
	notRead: Array<{ operation: string; reason: string }>;
	/** Bodies that were not looked at. */
	notValidated: Array<{ operation: string; reason: string; count: number }>;
	/** Requests to paths that the contract does not have. */
	otherPaths: number;
}

/** The options with which a sandbox answers as the tenant does. */
export function sandboxOptions({ differences }: Report): string[] {
	return Object.entries(differences.choices)
		.filter(([, value]) => value !== 'other' && value !== 'several')
		.map(([name, value]) => `--variant ${name}=${value}`);
}

/** Says that nothing could be read, and what was answered instead; undefined if something was read. */
export function nothingRead({ read, operations }: Report): string | undefined {
	if (read > 0) return undefined;
	const statuses = new Map<string, number>();
	for (const [status, count] of operations.flatMap((operation) => Object.entries(operation.statuses)))
		statuses.set(status, (statuses.get(status) ?? 0) + count);
	const answers = [...statuses].map(([status, count]) => `${status} (${count})`).join(', ');
	return `Nothing could be read, so nothing is known about differences. Statuses of the answers: ${answers || 'none'}.`;
}

/** How a place is told: the whole body has no name. */
const placeText = (place: string) => (place === '' ? 'the body' : code(place));

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
const list = (names: string[]) => (names.length === 0 ? 'none' : names.map(code).join(', '));

function table(heading: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What each choice is about, as people say it. */
const CHOICE_WORDS: Record<ChoiceName, string> = {
	envelope: 'Envelope of paginated lists',
	links: 'Links to other pages',
	ids: 'IDs in answers',
	created: 'Status of a creation',
	deleted: 'Answer to a deletion',
	errors: 'Body of a failure',
	pageSize: 'Effect of `per_page`',
};

function differencesSection(report: Report): string {
	const { choices, breaches } = report.differences;
	const nothing = nothingRead(report);
	const rows = Object.entries(choices).map(([name, value]) => [
		CHOICE_WORDS[name as ChoiceName],
		code(value),
		report.choices
			.filter(({ choice }) => choice === name)
			.map(({ value: one, operations }) => `${code(one)}: ${operations.join(', ')}`)
			.join('; '),
	]);
	const options = sandboxOptions(report);
	return [
		'## Differences',
		nothing ?? '',
		rows.length === 0
			? nothing === undefined
				? 'The tenant makes the same choices as the plain sandbox, as far as they could be seen.'
				: ''
			: table(['What the interface leaves open', 'This tenant', 'Seen in'], rows),
		options.length > 0
			? `A sandbox that answers so:\n\n\`\`\`sh\nnpm run sandbox -- ${options.join(' ')}\n\`\`\``
			: '',
		breaches.length === 0
			? nothing === undefined
				? 'Nothing that was looked at breaks the contract.'
				: ''
			: table(
					['Operation', 'In', 'Place', 'What does not fit the contract', 'Times'],
					breaches.map(({ operation, in: side, place, problem, count }) => [
						operation,
						side,
						placeText(place),
						problem,
						String(count),
					]),
				),
	]
		.filter(Boolean)
		.join('\n\n');
}

function membersSection({ members }: Report): string {
	const rows = new Map<string, string[]>();
	for (const { operation, place, beyond, hidden, neverSeen } of members) {
		const more = hidden > 0 ? [`${hidden} more, whose names could be data`] : [];
		const names = beyond.map(({ name, types }) => `${code(name)} (${types.join(', ')})`);
		const cells = [[...names, ...more].join(', ') || 'none', list(neverSeen)];
		const key = `${place} ${cells.join()}`;
		const operations = rows.get(key);
		if (operations) operations[0] += `, ${operation}`;
		else rows.set(key, [operation, placeText(place), ...cells]);
	}
	if (rows.size === 0) return '';
	return [
		'## Members of records',
		'The interface shows a part of most records. Members beyond it are no fault; members that it shows and that never came are worth a look.',
		table(['Operation', 'Place', 'Beyond the interface', 'Shown, but never seen'], [...rows.values()]),
	].join('\n\n');
}

/** The report for people. */
export function toMarkdown(report: Report): string {
	const { rateLimit, notRead, notValidated } = report;
	const limits = [
		`Requests answered with 429: ${rateLimit.refusals}.`,
		rateLimit.retryAfter.length > 0
			? `Retry-After in seconds: ${rateLimit.retryAfter.join(', ')}.`
			: rateLimit.refusals > 0
				? 'They had no Retry-After header.'
				: '',
		`Headers of a quota: ${list(rateLimit.headers)}.`,
	];
	const sections = [
		`# Tenant ${report.tenant}`,
		`Made by \`npm run ${report.madeBy}\`, from ${report.startedAt} to ${report.finishedAt}, with ${report.calls} requests. This report has names and types of members and no values.`,
		differencesSection(report),
		'## What the interface leaves open',
		table(
			['Choice', 'This tenant', 'Seen in'],
			report.choices.map(({ choice, value, operations }) => [
				CHOICE_WORDS[choice],
				code(value),
				operations.join(', '),
			]),
		),
		`Members beside the records of a page: ${list(report.envelopeMembers)}.`,
		`Members of a failure: ${list(report.errorMembers)}.`,
		table(
			['Page parameter', 'Effect'],
			Object.entries(report.pageParameters).map(([name, effect]) => [code(name), effect]),
		),
		report.leftBehind.length > 0 ? '## Test records that are still there' : '',
		report.leftBehind.map((sentence) => `- ${sentence}`).join('\n'),
		membersSection(report),
		'## Limits of requests',
		limits.filter(Boolean).join(' '),
		'## Requests',
		table(
			['Operation', 'Request', 'Calls', 'Statuses', 'Median ms', 'Longest ms'],
			report.operations.map(({ operation, method, path, calls, statuses, medianMs, longestMs }) => [
				operation,
				code(`${method} ${path}`),
				String(calls),
				Object.entries(statuses)
					.map(([status, count]) => `${status} (${count})`)
					.join(', '),
				String(medianMs),
				String(longestMs),
			]),
		),
		report.otherPaths > 0 ? `Requests to paths that the contract does not have: ${report.otherPaths}.` : '',
		notRead.length + notValidated.length > 0 ? '## Not looked at' : '',
		notRead.map(({ operation, reason }) => `- ${operation}: ${reason}`).join('\n'),
		notValidated.map(({ operation, reason, count }) => `- ${operation}: ${reason} (${count})`).join('\n'),
	];
	return `${sections.filter(Boolean).join('\n\n')}\n`;
}
