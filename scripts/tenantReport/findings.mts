import { OWN_CHOICES as CHOSEN } from '../../sandbox/choices.mts';
import type { ContractOperation } from '../../sandbox/contract.mts';
import type { Member } from './content.mts';
import { differencesOf, jsonOf, operationOf } from './differences.mts';
import type { Exchange } from './exchange.mts';
import { type Difference, type Rule, RULES, type SeenChoice, TODO_OF } from './rules.mts';
import { membersText, told } from './vocabulary.mts';

/** What a check has found out about a tenant: see `told` for what can be in it. */
export type Report = ReturnType<Findings['report']>;

/** What the sandbox decides, in the words of the report. */
const OWN_CHOICES: Record<SeenChoice, string> = { ...CHOSEN, errors: 'laravel' };

const QUOTA_HEADER = /^(x-)?ratelimit(-(limit|remaining|reset|policy|used))?$/;

/** So many members are looked at in one place: with a key for each person, more would be remembered for ever. */
const MOST_MEMBERS = 1000;

const requestOf = ({ method, path }: ContractOperation) => `${method} ${path}`;

const distinct = <Value,>(values: Value[]) => [...new Set(values)];

/**
 * A difference as a report tells it: the tenant differs from the contract, or from the sandbox where the contract leaves it open.
 * The choice is that of a sandbox that answers so.
 */
function findingOf({ rule, came, choice, ...given }: Difference) {
	const [usual, usualTodo, usuallyExpected = '']: Rule = typeof rule === 'string' ? RULES[rule] : rule;
	const { consequence = usual, expected = usuallyExpected } = given;
	const todo = (consequence !== usual && TODO_OF[consequence]) || usualTodo;
	const finding = { consequence, requests: [] as string[], expected, came, todo, times: 0 };
	return { ...finding, ...(choice && { choice: choice.join('=') }) };
}

/** Collects what responses say about a tenant. */
export class Findings {
	private readonly startedAt = new Date().toISOString();

	/** All exchanges, without the bodies. */
	private readonly exchanges: Array<Exchange & { operation?: ContractOperation }> = [];

	/** How many responses could be looked at. Without any, a report says nothing about differences. */
	private read = 0;

	private readonly found = new Map<string, ReturnType<typeof findingOf>>();

	/** Values by choice. */
	private readonly choices = new Map<SeenChoice, Set<string>>();

	/** Members by request and place, and then by the name that the tenant gives them. */
	private readonly members = new Map<string, Map<string, Member>>();

	/** What could not be looked at, and why. */
	readonly notRead: Array<{ operation: string; reason: string }> = [];

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

	/** Notes what a response to a request shows. */
	add({ method, path }: Pick<Exchange, 'method' | 'path'>, difference: Difference): void {
		const operation = operationOf(method, path);
		const [name, value = ''] = difference.choice ?? [];
		if (name) this.choices.set(name, (this.choices.get(name) ?? new Set()).add(value));
		if (!operation || (name && OWN_CHOICES[name] === value)) return;
		const finding = findingOf(difference);
		const key = JSON.stringify(finding);
		const known = this.found.get(key) ?? finding;
		this.found.set(key, known);
		known.times++;
		known.requests = distinct([...known.requests, requestOf(operation)]);
	}

	/** Looks at a request and its response. */
	look(exchange: Exchange): void {
		const { method, path, status, isCleanup, content } = exchange;
		const operation = operationOf(method, path);
		this.exchanges.push({ ...exchange, operation, content: { kind: 'empty' } });
		if (!operation || (isCleanup && (method === 'GET' || status === 404))) return;
		for (const seen of differencesOf(operation, exchange, this.baseUrl)) {
			if ('rule' in seen) this.add(operation, seen);
			else this.note(operation, seen);
		}
		const isRead = content.kind === 'json' || !jsonOf(operation) || status === 204;
		if (status < 300 && isRead) this.read++;
	}

	private note(operation: ContractOperation, member: Member): void {
		const key = JSON.stringify([operation.method, operation.path, member.place]);
		const known = this.members.get(key) ?? new Map<string, Member>();
		this.members.set(key, known);
		if (known.size < MOST_MEMBERS && !known.get(member.name)?.type) known.set(member.name, member);
	}

	/** Notes members of the contract that never came, and returns those that it does not show. */
	private readMembers() {
		return [...this.members].flatMap(([key, all]) => {
			const [method, path, place] = JSON.parse(key) as string[];
			const isNever = ({ isShown, type }: Member) => isShown && type === undefined;
			const [beyond, never] = [(one: Member) => !one.isShown, isNever].map((is) =>
				[...all.values()].filter(is),
			);
			const paths = never.map(({ name }) => `\`${[place, name].filter(Boolean).join('.')}\``);
			if (never.length > 0) this.add({ method, path }, { rule: 'never', came: `never ${paths.join(', ')}` });
			if (beyond.length === 0) return [];
			const members = membersText(beyond.map(({ name, type = '' }) => [name, type]));
			const names = beyond.flatMap(({ name }) => (told(name) ? [] : name.slice(0, 60)));
			const named: { names?: string[] } = this.tellsNames && names.length > 0 ? { names } : {};
			return { request: `${method} ${path}`, place: place || 'the body', members, ...named };
		});
	}

	/** The requests by operation, with how often each status was answered. */
	private operations() {
		return distinct(this.exchanges.flatMap(({ operation }) => operation ?? [])).map((operation) => {
			const own = this.exchanges.filter((exchange) => exchange.operation === operation);
			const statuses: Record<string, number> = {};
			for (const { status } of own) statuses[status] = (statuses[status] ?? 0) + 1;
			const longestMs = Math.round(Math.max(...own.map(({ ms }) => ms)));
			const request = requestOf(operation);
			return { operation: operation.operationId, request, statuses, longestMs };
		});
	}

	/** How often requests were refused with 429, the seconds that Retry-After named, and the headers of a quota. */
	private rateLimit() {
		const refused = this.exchanges.filter(({ status }) => status === 429);
		const asked = refused.flatMap(({ headers }) => headers['retry-after'] ?? []);
		const seconds = asked.map((given) => (/^\d{1,6}$/.test(given) ? Number(given) : 'date'));
		const names = this.exchanges.flatMap(({ headers }) => Object.keys(headers));
		const headers = distinct(names.filter((name) => QUOTA_HEADER.test(name)));
		return { refusals: refused.length, retryAfter: distinct(seconds).slice(0, 20), headers };
	}

	/** What is known by now. */
	report() {
		const members = this.readMembers();
		/** Those that differ from the plain sandbox: a value of `CHOICES`, `other` for one without a name there, or `several`. */
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
			calls: this.exchanges.length,
			read: this.read,
			tellsNames: this.tellsNames,
			findings: [...this.found.values()],
			choices,
			members,
			operations: this.operations(),
			rateLimit: this.rateLimit(),
			leftBehind: this.leftBehind,
			notRead: this.notRead,
		};
	}
}
