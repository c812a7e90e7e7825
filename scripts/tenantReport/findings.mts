import { CHOICES, OWN_CHOICES } from '../../sandbox/choices.mts';
import type { ContractOperation } from '../../sandbox/contract.mts';
import { compare } from './comparison.mts';
import {
	choose,
	comparable,
	type Difference,
	differencesOf,
	isPaged,
	misfitSeen,
	operationOf,
} from './differences.mts';
import type { Exchange } from './exchange.mts';
import { OTHER, recordsOf } from './recognition.mts';
import type { Finding, Report, SeenChoices } from './report.mts';
import { RULES, type SeenChoice, TODO_OF } from './rules.mts';
import { membersText, told } from './vocabulary.mts';

const QUOTA_HEADER = /^(x-)?ratelimit(-(limit|remaining|reset|policy|used))?$/;

/** So many members are looked at in one place: with a key for each person, more would be remembered for ever. */
const MOST_MEMBERS = 1000;

const request = ({ method, path }: ContractOperation) => `${method} ${path}`;

/** Collects what responses say about a tenant. */
export class Findings {
	private readonly startedAt = new Date().toISOString();

	private calls = 0;

	private read = 0;

	private readonly found = new Map<string, Finding>();

	/** Values by choice. */
	private readonly choices = new Map<SeenChoice, Set<string>>();

	/** Types of members beyond the contract, by request and place, and then by the name that the tenant gives them. */
	private readonly beyond = new Map<string, Map<string, string>>();

	/** Members that the contract shows, by operation and place. */
	private readonly shown = new Map<ContractOperation, Map<string, boolean>>();

	private readonly timed = new Map<ContractOperation, { longestMs: number; statuses: Map<number, number> }>();

	/** What `per_page` did, by operation. */
	private readonly pageSizes = new Map<ContractOperation, string>();

	private readonly rateLimit: Report['rateLimit'] = { refusals: 0, retryAfter: [], headers: [] };

	/** What could not be looked at, and why. */
	readonly notRead = new Map<string, string>();

	/** Sentences for test records that could not be removed. */
	leftBehind: string[] = [];

	/**
	 * @param baseUrl the tenant's base URL, to which its links should lead
	 * @param tellsNames whether the report has the names that the tenant gives to members beyond the contract
	 */
	constructor(
		private readonly baseUrl: string,
		private readonly tellsNames = false,
	) {}

	/** Notes what a response shows. */
	add(operation: ContractOperation, { rule, came, choice, ...more }: Difference): void {
		const [name, value = ''] = choice ?? [];
		if (name) this.choices.set(name, (this.choices.get(name) ?? new Set()).add(value));
		if (name && OWN_CHOICES[name] === value) return;
		const [consequence, usual, expected = ''] = typeof rule === 'string' ? RULES[rule] : rule;
		const isOther = more.consequence !== undefined && more.consequence !== consequence;
		const todo = (isOther && TODO_OF[more.consequence ?? consequence]) || usual;
		const finding = {
			consequence,
			expected,
			...more,
			came,
			todo,
			...(name && { choice: `${name}=${value}` }),
		};
		const key = JSON.stringify(finding);
		const known = this.found.get(key) ?? { ...finding, requests: [], times: 0 };
		this.found.set(key, known);
		known.times++;
		if (!known.requests.includes(request(operation))) known.requests.push(request(operation));
	}

	/** Looks at a request and its response. */
	look(exchange: Exchange): void {
		const { method, path, status, ms, isCleanup } = exchange;
		this.calls++;
		const operation = operationOf(method, path);
		if (!operation) return;
		const { statuses, longestMs } = this.timed.get(operation) ?? { longestMs: 0, statuses: new Map() };
		statuses.set(status, (statuses.get(status) ?? 0) + 1);
		this.timed.set(operation, { statuses, longestMs: Math.max(longestMs, Math.round(ms)) });
		this.lookAtLimits(operation, exchange);
		if (isCleanup || status === 429) return;
		this.lookAtPageSize(operation, exchange);
		for (const difference of differencesOf(operation, exchange, this.baseUrl))
			this.add(operation, difference);
		const isBody =
			exchange.answer.kind === 'json' || !operation.responses['200'].content?.['application/json'];
		if (status < 300 && (isBody || status === 204)) this.read++;
		this.lookAtMembers(operation, exchange);
	}

	private lookAtLimits(operation: ContractOperation, { status, headers }: Exchange): void {
		const { retryAfter, headers: names } = this.rateLimit;
		const given = headers['retry-after'];
		const seconds = /^\d{1,6}$/.test(given ?? '') ? Number(given) : 'date';
		if (status === 429) this.rateLimit.refusals++;
		if (status === 429 && given === undefined)
			this.add(operation, { rule: 'limits', came: '429 without Retry-After' });
		else if (status === 429 && !retryAfter.includes(seconds) && retryAfter.length < 20)
			retryAfter.push(seconds);
		for (const name of Object.keys(headers))
			if (QUOTA_HEADER.test(name) && !names.includes(name)) names.push(name);
	}

	private lookAtMembers(operation: ContractOperation, exchange: Exchange): void {
		const found = comparable(exchange, operation);
		if (!found) return;
		const { misfits, beyond, shown } = compare(found.schema, found.content, found.place);
		for (const difference of misfits.flatMap(misfitSeen)) this.add(operation, difference);
		for (const [place, members] of beyond) {
			const key = JSON.stringify([request(operation), place]);
			const known = this.beyond.get(key) ?? new Map<string, string>();
			this.beyond.set(key, known);
			for (const [name, type] of members) if (known.size < MOST_MEMBERS) known.set(name, type);
		}
		const known = this.shown.get(operation) ?? new Map<string, boolean>();
		this.shown.set(operation, known);
		for (const [place, isShown] of shown) known.set(place, isShown || (known.get(place) ?? false));
	}

	/** What `per_page` did, if a request for a paginated list had it. */
	private lookAtPageSize(operation: ContractOperation, { query, status, answer }: Exchange): void {
		if (query.get('per_page') !== '1' || !isPaged(operation)) return;
		const count = answer.kind === 'json' ? (recordsOf(answer.value)?.length ?? 0) : 0;
		if (status >= 400) this.pageSizes.set(operation, String(status));
		// A short list says nothing.
		else if (count > 0) this.pageSizes.set(operation, count > 1 ? 'ignored' : 'obeyed');
	}

	/** Notes the choice that shows in what `per_page` did on the profiles, where the interface has it, and on another list. */
	private addPageSize(): void {
		const isProfiles = ([{ operationId }]: [ContractOperation, string]) => operationId === 'listProfiles';
		const [operation, onProfiles] = [...this.pageSizes].find(isProfiles) ?? [];
		const elsewhere = [...this.pageSizes].find((one) => !isProfiles(one))?.[1];
		if (!operation || (onProfiles === 'obeyed' && elsewhere === undefined)) return;
		const both = `${onProfiles} ${elsewhere ?? onProfiles}`;
		const [first, second] = both.split(' ');
		const same = first === second && (CHOICES.pageSize as readonly string[]).includes(first) ? first : OTHER;
		const value = { 'obeyed obeyed': 'everywhere', 'obeyed ignored': 'where-shown' }[both] ?? same;
		this.add(operation, choose('pageSize', value));
	}

	/** Notes members that never came, unless a finding says it already. */
	private addNeverSeen(): void {
		for (const [operation, shown] of this.shown) {
			const isMissed = (place: string) =>
				[...this.found.values()].some(
					({ requests, expected }) =>
						requests.includes(request(operation)) && expected.startsWith(`\`${place}\``),
				);
			const never = [...shown].filter(([place, isShown]) => !isShown && !isMissed(place));
			const came = `never ${never.map(([place]) => `\`${place}\``).join(', ')}`;
			if (never.length > 0) this.add(operation, { rule: 'never', came });
		}
	}

	private members(): Report['members'] {
		return [...this.beyond].map(([key, members]) => {
			const [of, place] = JSON.parse(key) as [string, string];
			const names = [...members.keys()].filter((name) => told(name) === undefined);
			const named = this.tellsNames && names.length > 0 && { names: names.map((name) => name.slice(0, 60)) };
			return { request: of, place: place || 'the body', members: membersText(members), ...named };
		});
	}

	/** What is known by now. */
	report(): Report {
		this.addPageSize();
		this.addNeverSeen();
		const choices: SeenChoices = {};
		for (const [name, values] of this.choices) {
			const [value] = values;
			if (values.size > 1 || value !== OWN_CHOICES[name])
				Object.assign(choices, { [name]: values.size > 1 ? 'several' : value });
		}
		return {
			madeBy: 'tenant:check',
			tenant: new URL(this.baseUrl).host,
			startedAt: this.startedAt,
			finishedAt: new Date().toISOString(),
			calls: this.calls,
			read: this.read,
			tellsNames: this.tellsNames,
			findings: [...this.found.values()],
			choices,
			members: this.members(),
			operations: [...this.timed].map(([operation, { longestMs, statuses }]) => ({
				operation: operation.operationId,
				request: request(operation),
				calls: [...statuses.values()].reduce((sum, count) => sum + count, 0),
				statuses: Object.fromEntries(statuses),
				longestMs,
			})),
			rateLimit: this.rateLimit,
			leftBehind: this.leftBehind,
			notRead: [...this.notRead].map(([operation, reason]) => ({ operation, reason })),
		};
	}
}
