import { OWN_CHOICES } from '../../sandbox/choices.mts';
import type { ContractOperation } from '../../sandbox/contract.mts';
import type { Member } from './content.mts';
import { differencesOf, jsonOf, operationOf } from './differences.mts';
import type { Exchange } from './exchange.mts';
import { type Consequence, type Difference, RULES, type SeenChoice, TODO_OF } from './rules.mts';
import { membersText, told } from './vocabulary.mts';

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
export type Report = ReturnType<Findings['report']>;

const QUOTA_HEADER = /^(x-)?ratelimit(-(limit|remaining|reset|policy|used))?$/;

/** So many members are looked at in one place: with a key for each person, more would be remembered for ever. */
const MOST_MEMBERS = 1000;

const request = ({ method, path }: ContractOperation) => `${method} ${path}`;

/** Collects what responses say about a tenant. */
export class Findings {
	private readonly startedAt = new Date().toISOString();

	private calls = 0;

	/** How many responses could be looked at. Without any, a report says nothing about differences. */
	private read = 0;

	private readonly found = new Map<string, Finding>();

	/** Values by choice. */
	private readonly choices = new Map<SeenChoice, Set<string>>();

	/** Members by operation and place, and then by the name that the tenant gives them. */
	private readonly members = new Map<ContractOperation, Map<string, Map<string, Member>>>();

	private readonly timed = new Map<ContractOperation, { longestMs: number; statuses: Map<number, number> }>();

	/** Refusals with 429, with the seconds that Retry-After named, and the headers of a quota. */
	private readonly rateLimit = {
		refusals: 0,
		retryAfter: [] as Array<number | 'date'>,
		headers: [] as string[],
	};

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
	add(operation: ContractOperation, { rule, came, choice, ...given }: Difference): void {
		const [name, value = ''] = choice ?? [];
		if (name) this.choices.set(name, (this.choices.get(name) ?? new Set()).add(value));
		if (name && OWN_CHOICES[name] === value) return;
		const [usual, usualTodo, usuallyExpected = ''] = RULES[rule] as (typeof RULES)[SeenChoice];
		const { consequence = usual, expected = usuallyExpected } = given;
		const todo = (consequence !== usual && TODO_OF[consequence]) || usualTodo;
		const finding = { consequence, expected, came, todo, ...(name && { choice: `${name}=${value}` }) };
		const key = JSON.stringify(finding);
		const known = this.found.get(key) ?? { ...finding, requests: [], times: 0 };
		this.found.set(key, known);
		known.times++;
		if (!known.requests.includes(request(operation))) known.requests.push(request(operation));
	}

	/** Looks at a request and its response. */
	look(exchange: Exchange): void {
		const { method, path, status, ms, isCleanup, answer } = exchange;
		this.calls++;
		const operation = operationOf(method, path);
		if (!operation) return;
		const { statuses, longestMs } = this.timed.get(operation) ?? { longestMs: 0, statuses: new Map() };
		statuses.set(status, (statuses.get(status) ?? 0) + 1);
		this.timed.set(operation, { statuses, longestMs: Math.max(longestMs, Math.round(ms)) });
		this.lookAtLimits(operation, exchange);
		if (status === 429 || (isCleanup && (method === 'GET' || status === 404))) return;
		for (const seen of differencesOf(operation, exchange, this.baseUrl)) {
			if ('rule' in seen) this.add(operation, seen);
			else this.note(operation, seen);
		}
		const isRead = answer.kind === 'json' || !jsonOf(operation) || status === 204;
		if (status < 300 && isRead) this.read++;
	}

	private lookAtLimits(operation: ContractOperation, { status, headers }: Exchange): void {
		const { retryAfter, headers: names } = this.rateLimit;
		for (const name of Object.keys(headers))
			if (QUOTA_HEADER.test(name) && !names.includes(name)) names.push(name);
		if (status !== 429) return;
		this.rateLimit.refusals++;
		const given = headers['retry-after'];
		const seconds = /^\d{1,6}$/.test(given ?? '') ? Number(given) : 'date';
		if (given === undefined) this.add(operation, { rule: 'limits', came: '429 without Retry-After' });
		else if (!retryAfter.includes(seconds) && retryAfter.length < 20) retryAfter.push(seconds);
	}

	private note(operation: ContractOperation, member: Member): void {
		const places = this.members.get(operation) ?? new Map<string, Map<string, Member>>();
		this.members.set(operation, places);
		const known = places.get(member.place) ?? new Map<string, Member>();
		places.set(member.place, known);
		if (known.size < MOST_MEMBERS && !known.get(member.name)?.type) known.set(member.name, member);
	}

	/** Notes members of the contract that never came, and returns those that it does not show. */
	private readMembers() {
		return [...this.members].flatMap(([operation, places]) => {
			const all = [...places.values()].flatMap((members) => [...members.values()]);
			const never = all.filter(({ isShown, type }) => isShown && type === undefined);
			const paths = never.map(({ place, name }) => `\`${[place, name].filter(Boolean).join('.')}\``);
			if (never.length > 0) this.add(operation, { rule: 'never', came: `never ${paths.join(', ')}` });
			return [...places].flatMap(([place, members]) => {
				const beyond = [...members.values()].filter(({ isShown }) => !isShown);
				if (beyond.length === 0) return [];
				const text = membersText(beyond.map(({ name, type = '' }) => [name, type]));
				const names = beyond.flatMap(({ name }) => (told(name) ? [] : name.slice(0, 60)));
				const named = this.tellsNames && names.length > 0 ? { names } : {};
				return { request: request(operation), place: place || 'the body', members: text, ...named };
			});
		});
	}

	/** What is known by now. */
	report() {
		const members: Array<{ request: string; place: string; members: string; names?: string[] }> =
			this.readMembers();
		const choices: Partial<Record<SeenChoice, string>> = {};
		for (const [name, values] of this.choices) {
			const [value] = values;
			if (values.size > 1 || value !== OWN_CHOICES[name]) choices[name] = values.size > 1 ? 'several' : value;
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
			/** Those that differ from the plain sandbox: a value of `CHOICES`, `other` for one without a name there, or `several`. */
			choices,
			members,
			operations: [...this.timed].map(([operation, { longestMs, statuses }]) => ({
				operation: operation.operationId,
				request: request(operation),
				calls: [...statuses.values()].reduce((sum, count) => sum + count, 0),
				statuses: Object.fromEntries(statuses) as Record<string, number>,
				longestMs,
			})),
			rateLimit: this.rateLimit,
			leftBehind: this.leftBehind,
			notRead: [...this.notRead].map(([operation, reason]) => ({ operation, reason })),
		};
	}
}
