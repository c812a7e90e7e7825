import { serviceMessage } from '../../nodes/CustomerMessaging/transport/errorBody.ts';
import { tellsFailure, unwrapped } from '../../nodes/CustomerMessaging/transport/responseBody.ts';
import { recordId } from '../../nodes/CustomerMessaging/values/ids.ts';
import { type ChoiceName, CHOICES, OWN_CHOICES } from '../../sandbox/choices.mts';
import { type ContractOperation, operations, type Schema } from '../../sandbox/contract.mts';
import { isCreation } from '../../sandbox/dialect.mts';
import { compare, type Misfit, whole } from './comparison.mts';
import { type Content, type Exchange, MOST_LEVELS } from './exchange.mts';
import { envelopeOf, errorFormOf, linksOf, nextOf, OTHER, recordsOf, statusText } from './recognition.mts';
import type { Finding, Report, SeenChoices } from './report.mts';
import { CHOICE_WORDS, type Consequence, isNeeded, type RuleName, RULES, statusRule } from './rules.mts';
import {
	isRecord,
	ISO_DATE,
	ISO_TIME,
	membersOf,
	membersText,
	timeForm,
	told,
	typeOf,
} from './vocabulary.mts';

const PATTERNS = operations()
	.map((operation) => ({
		operation,
		pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
	}))
	// /customers/bulk-import is no /customers/{id}.
	.sort((a, b) => Number(a.operation.path.includes('{')) - Number(b.operation.path.includes('{')));

/** The operation that a request is for. */
export const operationOf = (method: string, path: string): ContractOperation | undefined =>
	PATTERNS.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;

const jsonOf = (operation: ContractOperation): Schema | undefined =>
	operation.responses['200'].content?.['application/json']?.schema;

/** Whether an operation lists page by page: only the schemas of pages are made of parts. */
export const isPaged = (operation: ContractOperation): boolean => jsonOf(operation)?.allOf !== undefined;

const isDeletion = (operation: ContractOperation) => jsonOf(operation)?.properties?.data?.maxItems === 0;

const QUOTA_HEADER = /^(x-)?ratelimit(-(limit|remaining|reset|policy|used))?$/;

const KNOWN_TYPES =
	`application/json application/ld+json application/octet-stream application/problem+json application/vnd.api+json
	application/x-yaml application/yaml text/html text/javascript text/json text/plain text/x-yaml text/yaml`.split(
		/\s+/,
	);

/** A response later than this is a finding. */
const LATE_MS = 3_000;

/** So many members are looked at in one place: with a key for each person, more would be remembered for ever. */
const MOST_MEMBERS = 1000;

const request = ({ method, path }: ContractOperation) => `${method} ${path}`;
const mediaType = (headers: Record<string, string>) =>
	(headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** What a body is that is no JSON. */
const CONTENT_WORDS: Record<Exclude<Content['kind'], 'json'>, string> = {
	empty: 'an empty body',
	page: 'a page of HTML',
	cut: 'JSON that is cut off',
	other: 'something that is no JSON',
	'too large': 'more than is looked at',
	'too deep': `JSON with more than ${MOST_LEVELS} levels`,
};

/** How a difference shows, where it is not what its rule says. */
interface Details {
	consequence?: Consequence;
	expected?: string;
	choice?: `${ChoiceName}=${string}`;
}

/** Collects what responses say about a tenant, in words and names that are known: see `told`. */
export class Findings {
	private readonly startedAt = new Date().toISOString();

	private calls = 0;

	private read = 0;

	private readonly found = new Map<string, Finding>();

	/** Values by choice. */
	private readonly choices = new Map<ChoiceName, Set<string>>();

	/** Types of members beyond the contract, by request and place, and then by the name that the tenant gives them. */
	private readonly beyond = new Map<string, Map<string, string>>();

	/** Members that the contract shows, by request and place. */
	private readonly shown = new Map<ContractOperation, Map<string, boolean>>();

	private readonly timed = new Map<ContractOperation, { ms: number[]; statuses: Map<string, number> }>();

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

	/** Notes a difference. @param came in words that have nothing of a value and no name but a known one in them */
	add(name: RuleName, operation: ContractOperation, came: string, details: Details = {}): void {
		this.note({ ...RULES[name], ...details }, operation, came);
	}

	private note(
		{ consequence, expected, todo, choice }: Details & { todo: string },
		operation: ContractOperation,
		came: string,
	): void {
		const finding = { consequence: consequence ?? 'unknown', expected: expected ?? '', came, todo, choice };
		const key = JSON.stringify(finding);
		const known = this.found.get(key) ?? { ...finding, requests: [], times: 0 };
		this.found.set(key, known);
		known.times++;
		if (!known.requests.includes(request(operation))) known.requests.push(request(operation));
	}

	private choose(
		choice: ChoiceName,
		value: string,
		operation: ContractOperation,
		details: Details & { came?: string } = {},
	): void {
		this.choices.set(choice, (this.choices.get(choice) ?? new Set()).add(value));
		const { came = CHOICE_WORDS[choice]?.[value] ?? `\`${value}\``, ...more } = details;
		if (value !== OWN_CHOICES[choice])
			this.add(choice, operation, came, { ...more, choice: `${choice}=${value}` });
	}

	/** Looks at a request and its response. */
	look(exchange: Exchange): void {
		const { method, path, status, ms, isCleanup, answer } = exchange;
		this.calls++;
		const operation = operationOf(method, path);
		if (!operation) return;
		this.lookAtLimits(operation, exchange);
		const timed = this.timed.get(operation) ?? { ms: [], statuses: new Map<string, number>() };
		this.timed.set(operation, timed);
		timed.ms.push(Math.round(ms));
		timed.statuses.set(String(status), (timed.statuses.get(String(status)) ?? 0) + 1);
		if (isCleanup || status === 429) return;
		if (ms > LATE_MS) this.add('late', operation, `a response after more than ${LATE_MS / 1000} s`);
		this.lookAtPageSize(operation, exchange);
		const isFailure = answer.kind === 'json' && tellsFailure(answer.value);
		if (status >= 400) this.lookAtFailure(operation, exchange);
		else if (isFailure)
			this.add('failureAsSuccess', operation, `a failure with status ${statusText(status)}`);
		else if (exchange.isMissing) this.add('missingFound', operation, `status ${statusText(status)}`);
		else this.lookAtSuccess(operation, exchange);
	}

	private lookAtLimits(operation: ContractOperation, { status, headers }: Exchange): void {
		const { refusals, retryAfter, headers: names } = this.rateLimit;
		if (status === 429) {
			this.rateLimit.refusals = refusals + 1;
			const given = headers['retry-after'];
			if (given === undefined) this.add('limits', operation, '429 without Retry-After');
			const seconds = /^\d{1,6}$/.test(given ?? '') ? Number(given) : 'date';
			if (given !== undefined && !retryAfter.includes(seconds) && retryAfter.length < 20)
				retryAfter.push(seconds);
		}
		for (const name of Object.keys(headers))
			if (QUOTA_HEADER.test(name) && !names.includes(name)) names.push(name);
	}

	private lookAtFailure(
		operation: ContractOperation,
		{ status, answer, headers, isMissing, query }: Exchange,
	): void {
		const came = `status ${statusText(status)}`;
		if (isMissing && status !== 404) this.add('missingStatus', operation, came);
		// Where a parameter is tried, what its refusal means is said elsewhere.
		else if (!isMissing && query.size === 0) this.note(statusRule(status), operation, came);
		// A gateway, rather than the tenant, may have answered these.
		if (status >= 500) return;
		const value = answer.kind === 'json' ? answer.value : undefined;
		const form = errorFormOf(value, mediaType(headers));
		this.choose('errors', form, operation, form === OTHER ? this.otherFailure(answer) : {});
	}

	private otherFailure(answer: Content): Details & { came: string } {
		if (answer.kind !== 'json')
			return { came: `a failure as ${CONTENT_WORDS[answer.kind]}`, consequence: 'copes' };
		const { value } = answer;
		const words = serviceMessage(value) === undefined ? ', in which the node finds no message' : '';
		const members = isRecord(value) ? ` with ${membersOf(value)}` : ` as ${typeOf(value)}`;
		return { came: `a failure${members}${words}`, consequence: words === '' ? 'copes' : 'unknown' };
	}

	private lookAtSuccess(operation: ContractOperation, exchange: Exchange): void {
		const { status, answer, headers, method } = exchange;
		const isRead = method === 'GET';
		if (isDeletion(operation)) {
			if (status < 300) this.read++;
			this.lookAtDeletion(operation, exchange);
			return;
		}
		if (isCreation(operation.operationId) && (status === 200 || status === 201))
			this.choose('created', String(status), operation, { came: `status ${statusText(status)}` });
		else if (status !== 200) {
			this.note(statusRule(status), operation, `status ${statusText(status)}`);
			if (status >= 300) return;
		}
		const schema = jsonOf(operation);
		const [wanted] = Object.keys(operation.responses['200'].content ?? {});
		const isYaml = wanted === 'text/yaml';
		if (!schema) {
			if (answer.kind === 'empty' || (isYaml && answer.kind === 'page'))
				this.add('body', operation, CONTENT_WORDS[answer.kind], { expected: wanted });
			else this.read++;
			this.lookAtMediaType(operation, headers, wanted);
		} else if (answer.kind === 'json') {
			this.read++;
			this.lookAtMediaType(operation, headers, wanted);
			if (answer.hasByteOrderMark) this.add('markFirst', operation, 'JSON after a byte order mark');
			this.lookAtAnswer(operation, schema, exchange, answer.value);
		} else if (answer.kind === 'too large' || answer.kind === 'too deep')
			this.add('unread', operation, CONTENT_WORDS[answer.kind]);
		else {
			const isDone = !isRead && (answer.kind === 'empty' || answer.kind === 'other');
			this.add('body', operation, CONTENT_WORDS[answer.kind], isDone ? { consequence: 'copes' } : {});
		}
	}

	private lookAtMediaType(
		operation: ContractOperation,
		headers: Record<string, string>,
		wanted: string,
	): void {
		const type = mediaType(headers);
		if (type === wanted) return;
		// Anything may stand in a header: only types that are known are told.
		const came = KNOWN_TYPES.includes(type) ? type : type === '' ? 'none' : 'another one';
		this.add('mediaType', operation, `content type ${came}`, { expected: `content type ${wanted}` });
	}

	private lookAtDeletion(operation: ContractOperation, { status, answer }: Exchange): void {
		const value = answer.kind === 'json' ? answer.value : undefined;
		const isEmptyList =
			isRecord(value) && Object.keys(value).join() === 'data' && recordsOf(value)?.length === 0;
		if (status === 204) this.choose('deleted', '204', operation);
		else if (status === 200 && isEmptyList) this.choose('deleted', 'empty-list', operation);
		else if (status === 200 && answer.kind === 'empty') this.choose('deleted', 'empty-body', operation);
		else {
			const came = `status ${statusText(status)} with ${answer.kind === 'json' ? 'other JSON' : CONTENT_WORDS[answer.kind]}`;
			this.choose('deleted', OTHER, operation, {
				came,
				...(answer.kind === 'page' && { consequence: 'breaks' }),
			});
		}
	}

	private lookAtAnswer(
		operation: ContractOperation,
		schema: Schema,
		{ headers, method, query }: Exchange,
		value: unknown,
	): void {
		const described = whole(schema).properties?.data;
		const content = unwrapped(value);
		const isList = described?.type === 'array';
		const isReadable = isList ? Array.isArray(content) : isRecord(content);
		const isWrapped = isRecord(value) && Object.hasOwn(value, 'data');
		const cameAs = isRecord(content) ? `an object with ${membersOf(content)}` : typeOf(content);
		if (isPaged(operation)) this.lookAtPage(operation, value, headers, isReadable ? undefined : cameAs);
		else if (!isReadable) {
			const expected = isList ? 'a list in `data`' : described ? 'an object in `data`' : 'an object';
			this.add('content', operation, cameAs, { expected, ...(method !== 'GET' && { consequence: 'copes' }) });
		} else if (described ? !isWrapped : content !== value) {
			this.add('wrapper', operation, described ? 'the content without `data`' : 'the content within `data`');
		} else if (isWrapped && described && Object.keys(value).length > 1) {
			const { data, ...beside } = value;
			this.add('beside', operation, `\`data\` (${typeOf(data)}) and ${membersOf(beside)}`);
		}
		if (!isReadable) return;
		if (isList && query.size === 0 && nextOf(value, headers) === 'untold')
			this.add('more', operation, 'an envelope that says that more follows, but not how');
		if (Array.isArray(content)) this.lookAtRecords(operation, content);
		this.lookAtIds(operation, [content].flat());
		this.lookAtTimes(operation, content);
		const place = described ? 'data' : '';
		const compared = compare(described ?? schema, content);
		for (const misfit of compared.misfits) this.lookAtMisfit(operation, prefixed(misfit, place));
		for (const [at, members] of compared.beyond) this.lookAtMembers(operation, joined(place, at), members);
		const shown = this.shown.get(operation) ?? new Map<string, boolean>();
		this.shown.set(operation, shown);
		for (const [at, isShown] of compared.shown)
			shown.set(joined(place, at), isShown || (shown.get(joined(place, at)) ?? false));
	}

	private lookAtPage(
		operation: ContractOperation,
		value: unknown,
		headers: Record<string, string>,
		unreadable?: string,
	): void {
		const form = envelopeOf(value, headers);
		const beside = Object.entries(isRecord(value) ? value : {}).filter(([name]) => name !== 'data');
		const members = membersText(new Map(beside.map(([name, member]) => [name, typeOf(member)])));
		const came =
			unreadable ??
			(form !== OTHER
				? `the envelope \`${form}\``
				: Array.isArray(value)
					? 'a list alone'
					: `\`data\` in an envelope with ${members}`);
		const choice = unreadable === undefined ? form : OTHER;
		this.choose('envelope', choice, operation, {
			came,
			...(unreadable !== undefined && { consequence: 'breaks' }),
		});
		for (const link of linksOf(value, headers))
			this.choose('links', link.startsWith(`${this.baseUrl}/`) ? 'own' : 'proxied', operation);
	}

	private lookAtRecords(operation: ContractOperation, records: unknown[]): void {
		const ids = records.flatMap((record) => (isRecord(record) && 'id' in record ? [String(record.id)] : []));
		if (new Set(ids).size < ids.length) this.add('idTwice', operation, 'an ID more than once');
		if (operation.operationId !== 'listTags') return;
		const titles = records.map((record) =>
			isRecord(record) && typeof record.title === 'string' ? record.title : '',
		);
		const orders: Array<(a: string, b: string) => number> = [
			(a, b) => (a < b ? -1 : Number(a > b)),
			(a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : Number(a.toLowerCase() > b.toLowerCase())),
			(a, b) => a.localeCompare(b),
		];
		const isSorted = orders.some((order) =>
			titles.every((title, at) => at === 0 || order(titles[at - 1], title) <= 0),
		);
		if (!isSorted) this.add('order', operation, 'tags in another order');
	}

	/** The ids of records show how a tenant writes ids, also where the contract says nothing about their type. */
	private lookAtIds(operation: ContractOperation, records: unknown[]): void {
		for (const record of records) {
			if (!isRecord(record) || !('id' in record) || operation.path.includes('notifications')) continue;
			const { id } = record;
			if (typeof id === 'string') this.choose('ids', 'text', operation);
			else if (recordId(id) !== undefined) this.choose('ids', 'number', operation);
			else if (typeof id === 'number')
				this.add('idLost', operation, Number.isInteger(id) ? 'numbers with too many digits' : 'fractions');
		}
	}

	private lookAtTimes(operation: ContractOperation, value: unknown): void {
		if (Array.isArray(value)) for (const item of value) this.lookAtTimes(operation, item);
		if (!isRecord(value)) return;
		for (const [name, member] of Object.entries(value)) {
			const own = told(name) ?? 'a further member';
			const isDate = own === 'date_of_birth';
			if ((typeof member === 'string' || typeof member === 'number') && (isDate || /(_at|At)$/.test(name))) {
				const { form, isRead } = timeForm(member);
				const expected = isDate ? ISO_DATE : ISO_TIME;
				const rule = isDate || isRead ? 'time' : 'timeUnread';
				if (form !== expected) this.add(rule, operation, `\`${own}\`: ${form}`, { expected });
			} else this.lookAtTimes(operation, member);
		}
	}

	private lookAtMisfit(operation: ContractOperation, { place, expected, came, type }: Misfit): void {
		// IDs and times are looked at by themselves.
		if (type !== undefined && /(^|[._])ids?(\[\])*$/.test(place) && ['number', 'text'].includes(type)) {
			if (type === 'text') this.choose('ids', 'text', operation);
			return;
		}
		if (type === 'number' && /_at$/.test(place)) return;
		const isScalar =
			type !== undefined && ['boolean', 'number', 'number with a fraction', 'text'].includes(type);
		const rule = isNeeded(place) && !isScalar ? 'needed' : expected.includes('contract') ? 'value' : 'member';
		this.add(rule, operation, `\`${place}\`: ${came}`, { expected: `\`${place}\`: ${expected}` });
	}

	private lookAtMembers(operation: ContractOperation, place: string, members: Map<string, string>): void {
		const key = JSON.stringify([request(operation), place]);
		const known = this.beyond.get(key) ?? new Map<string, string>();
		this.beyond.set(key, known);
		for (const [name, type] of members) if (known.size < MOST_MEMBERS) known.set(name, type);
	}

	/** What `per_page` did, if a request for a paginated list had it. */
	private lookAtPageSize(operation: ContractOperation, { query, status, answer }: Exchange): void {
		const asked = Number(query.get('per_page') ?? Number.NaN);
		if (!isPaged(operation) || !Number.isInteger(asked)) return;
		const count = answer.kind === 'json' ? recordsOf(answer.value)?.length : undefined;
		if (status >= 400) this.pageSizes.set(operation, String(status));
		// A short list says nothing.
		else if (count !== undefined && count >= asked)
			this.pageSizes.set(operation, count > asked ? 'ignored' : 'obeyed');
	}

	/** Notes the choice that shows in what `per_page` did on the profiles, where the interface has it, and on another list. */
	private choosePageSize(): void {
		const [profiles, other] = [true, false].map((isProfiles) =>
			[...this.pageSizes].find(([operation]) => (operation.operationId === 'listProfiles') === isProfiles),
		);
		if (!profiles) return;
		const [operation, onProfiles] = profiles;
		const elsewhere = other?.[1];
		let choice: string = onProfiles === (elsewhere ?? onProfiles) ? onProfiles : OTHER;
		if (onProfiles === 'obeyed')
			choice = { obeyed: 'everywhere', ignored: 'where-shown' }[elsewhere ?? ''] ?? OTHER;
		if (onProfiles === 'obeyed' && elsewhere === undefined) return;
		this.choose(
			'pageSize',
			(CHOICES.pageSize as readonly string[]).includes(choice) ? choice : OTHER,
			operation,
		);
	}

	private members(): Report['members'] {
		return [...this.beyond].map(([key, members]) => {
			const [of, place] = JSON.parse(key) as [string, string];
			const names = [...members]
				.filter(([name]) => told(name) === undefined)
				.map(([name]) => name.slice(0, 60));
			return {
				request: of,
				place: place || 'the body',
				members: membersText(members),
				...(this.tellsNames && names.length > 0 && { names }),
			};
		});
	}

	/** What is known by now. */
	report(): Report {
		this.choosePageSize();
		for (const [operation, shown] of this.shown) {
			const never = [...shown]
				.filter(([place, isShown]) => !isShown && !this.isMissed(operation, place))
				.map(([place]) => `\`${place}\``);
			if (never.length > 0) this.add('never', operation, `never ${never.join(', ')}`);
		}
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
			operations: [...this.timed].map(([operation, { ms, statuses }]) => ({
				operation: operation.operationId,
				request: request(operation),
				calls: ms.length,
				statuses: Object.fromEntries(statuses),
				medianMs: median(ms),
				longestMs: Math.max(...ms),
			})),
			rateLimit: this.rateLimit,
			leftBehind: this.leftBehind,
			notRead: [...this.notRead].map(([operation, reason]) => ({ operation, reason })),
		};
	}

	/** Whether a member that never came is a finding already. */
	private isMissed(operation: ContractOperation, place: string): boolean {
		return [...this.found.values()].some(
			({ requests, expected }) =>
				requests.includes(request(operation)) && expected.startsWith(`\`${place}\``),
		);
	}
}

const joined = (place: string, at: string) =>
	at === '' ? place : at.startsWith('[') ? `${place}${at}` : [place, at].filter(Boolean).join('.');

const prefixed = (misfit: Misfit, place: string): Misfit => ({
	...misfit,
	place: joined(place, misfit.place),
});
