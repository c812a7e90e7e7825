import { type ChoiceName, CHOICES, OWN_CHOICES } from '../../sandbox/choices.mts';
import { type ContractOperation, operations, type Schema } from '../../sandbox/contract.mts';
import { isCreation } from '../../sandbox/dialect.mts';
import { compare, type Comparison, type Misfit, typeOf } from './comparison.mts';
import { type Content, type Exchange, MOST_LEVELS } from './exchange.mts';
import {
	envelopeOf,
	errorFormOf,
	isRecord,
	linksOf,
	membersBeside,
	OTHER,
	recordsOf,
	statusText,
} from './recognition.mts';
import type { ParameterEffect, Report, SeenChoices } from './report.mts';
import { HIDDEN, Tellable } from './tellable.mts';

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

/** What a page size did, as an effect of a parameter. */
const EFFECTS: Record<string, ParameterEffect> = {
	obeyed: 'works',
	ignored: 'ignored',
	'400': 'refused with 400',
	'422': 'refused with 422',
};

/** A count for each name. */
class Counts extends Map<string, number> {
	count(name: string): void {
		this.set(name, (this.get(name) ?? 0) + 1);
	}
}

/** Adds names, up to a bound: with a key for each person a set would grow for ever. */
function addSome(names: Set<string>, added: string[]): void {
	for (const name of added) if (names.size < MOST_NAMES) names.add(name);
}

const MOST_NAMES = 1000;

/** What was seen at one place of an operation's answers. */
interface PlaceSeen {
	operation: string;
	place: string;
	beyond: Map<string, Set<string>>;
	shown: Map<string, boolean>;
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Collects what answers say about a tenant. It keeps names and types; of values it keeps words, to tell no
 * name that is one, and those never leave it.
 */
export class Observations {
	private readonly tellable = new Tellable();

	private readonly startedAt = new Date().toISOString();

	private calls = 0;

	private otherPaths = 0;

	private read = 0;

	/** Operations by choice and value, such as `ids` → `text` → getTag. */
	private readonly choices = new Map<ChoiceName, Map<string, Set<string>>>();

	/** Counts of operation, place and problem, joined. */
	private readonly breaches = new Counts();

	private readonly envelopeMembers = new Set<string>();

	private readonly errorMembers = new Set<string>();

	private readonly places = new Map<string, PlaceSeen>();

	private readonly timed = new Map<ContractOperation, { ms: number[]; statuses: Counts }>();

	private readonly pageParameters = new Map<string, ParameterEffect>();

	/** What `per_page` did, by operation. */
	private readonly pageSizes = new Map<string, string>();

	private readonly rateLimit: Report['rateLimit'] = { refusals: 0, retryAfter: [], headers: [] };

	private readonly notRead = new Map<string, string>();

	private readonly notValidated = new Counts();

	/** Sentences for test records that could not be removed. */
	leftBehind: string[] = [];

	/** @param baseUrl the tenant's base URL, to which its links should lead */
	constructor(private readonly baseUrl: string) {}

	/** Looks at a request and its answer. */
	add(exchange: Exchange): void {
		this.calls++;
		this.addLimits(exchange);
		const operation = operationOf(exchange.method, exchange.path);
		if (!operation) {
			this.otherPaths++;
			return;
		}
		const timed = this.timed.get(operation) ?? { ms: [], statuses: new Counts() };
		this.timed.set(operation, timed);
		if (timed.ms.length < 10_000) timed.ms.push(Math.round(exchange.ms));
		timed.statuses.count(String(exchange.status));
		if (exchange.answer.kind === 'json') this.tellable.addValues(exchange.answer.value);
		this.addPageSize(operation, exchange);
		if (exchange.status >= 400) this.addFailure(operation, exchange);
		else this.addSuccess(operation, exchange);
	}

	/** Notes what could not be looked at. */
	skip(operation: string, reason: string): void {
		this.notRead.set(operation, reason);
	}

	/** How many misfits with the contract were seen. */
	get misfits(): number {
		return [...this.breaches.values()].reduce((sum, count) => sum + count, 0);
	}

	/** Takes back that something could not be looked at. */
	unskip(operation: string): void {
		this.notRead.delete(operation);
	}

	/** Notes what a page parameter did. */
	addPageParameter(name: string, effect: ParameterEffect): void {
		this.pageParameters.set(name, effect);
	}

	private choose(choice: ChoiceName, value: string, operation: ContractOperation): void {
		const values = this.choices.get(choice) ?? new Map<string, Set<string>>();
		this.choices.set(choice, values);
		values.set(value, (values.get(value) ?? new Set()).add(operation.operationId));
	}

	private addBreach(operation: ContractOperation, { place, problem }: Misfit): void {
		this.breaches.count(JSON.stringify([operation.operationId, place, problem]));
	}

	private addLimits({ status, headers }: Exchange): void {
		const { refusals, retryAfter, headers: names } = this.rateLimit;
		if (status === 429) {
			this.rateLimit.refusals = refusals + 1;
			const given = headers['retry-after'];
			const seconds = /^\d{1,9}$/.test(given ?? '') ? Number(given) : 'date';
			if (given !== undefined && !retryAfter.includes(seconds) && retryAfter.length < 20) {
				retryAfter.push(seconds);
			}
		}
		for (const name of Object.keys(headers)) {
			if (QUOTA_HEADER.test(name) && !names.includes(name)) names.push(name);
		}
	}

	private addMisfits(operation: ContractOperation, misfits: Misfit[]): void {
		for (const misfit of misfits) {
			if (misfit.isTextId) this.choose('ids', 'text', operation);
			else this.addBreach(operation, misfit);
		}
	}

	private addFailure(operation: ContractOperation, { status, answer, headers }: Exchange): void {
		// A gateway, rather than the tenant, may have answered these.
		if (status === 429 || status >= 500) return;
		const value = answer.kind === 'json' ? answer.value : undefined;
		this.choose('errors', errorFormOf(value, mediaType(headers)), operation);
		addSome(this.errorMembers, Object.keys(isRecord(value) ? value : {}));
	}

	private addSuccess(operation: ContractOperation, exchange: Exchange): void {
		const { status, answer, headers } = exchange;
		if (isDeletion(operation)) {
			if (status < 300) this.read++;
			this.addDeletion(operation, exchange);
			return;
		}
		if (isCreation(operation.operationId) && (status === 200 || status === 201)) {
			this.choose('created', String(status), operation);
		} else if (status !== 200) {
			this.addBreach(operation, { place: 'status', problem: `is ${statusText(status)}, not 200` });
			if (status >= 300) return;
		}
		const schema = jsonOf(operation);
		if (!schema) {
			this.read++;
			const [wanted] = Object.keys(operation.responses['200'].content ?? {});
			this.checkMediaType(operation, headers, wanted);
		} else if (answer.kind === 'too large') {
			this.notValidated.count(JSON.stringify([operation.operationId, 'the answer is too large']));
		} else if (answer.kind === 'json') {
			this.read++;
			this.checkMediaType(operation, headers, 'application/json');
			if (answer.hasByteOrderMark) {
				this.addBreach(operation, { place: 'body', problem: 'begins with a byte order mark' });
			}
			this.addAnswer(operation, schema, answer.value, headers);
		} else {
			const problem = answer.kind === 'empty' ? 'is empty' : unreadable(answer);
			this.addBreach(operation, { place: 'body', problem });
		}
	}

	private checkMediaType(
		operation: ContractOperation,
		headers: Record<string, string>,
		wanted: string,
	): void {
		const type = mediaType(headers);
		if (type === wanted) return;
		// Anything may stand in a header: only types that are known are told.
		const told = KNOWN_TYPES.includes(type) ? type : 'another one';
		this.addBreach(operation, { place: 'content type', problem: `is ${told}, not ${wanted}` });
	}

	private addDeletion(operation: ContractOperation, { status, answer }: Exchange): void {
		const isEmptyList =
			answer.kind === 'json' &&
			isRecord(answer.value) &&
			Object.keys(answer.value).join() === 'data' &&
			recordsOf(answer.value)?.length === 0;
		if (status === 204) this.choose('deleted', '204', operation);
		else if (status === 200 && isEmptyList) this.choose('deleted', 'empty-list', operation);
		else if (status === 200 && answer.kind === 'empty') this.choose('deleted', 'empty-body', operation);
		else this.choose('deleted', OTHER, operation);
	}

	private addAnswer(
		operation: ContractOperation,
		schema: Schema,
		value: unknown,
		headers: Record<string, string>,
	): void {
		let compared = value;
		const isList = Array.isArray(value);
		if (isPaged(operation)) {
			const page = { ...(isList && { data: value }), ...(isRecord(value) && value) };
			this.choose('envelope', envelopeOf(value, headers), operation);
			addSome(this.envelopeMembers, membersBeside(value));
			for (const name of ['x-total-count', 'link'])
				if (name in headers) this.envelopeMembers.add(`header ${name}`);
			for (const link of linksOf(value, headers)) {
				const isOwn = link.startsWith(`${this.baseUrl}/`);
				this.choose('links', isOwn ? 'own' : 'proxied', operation);
			}
			compared = { data: page.data };
		} else if (schema.properties?.data && (isList || (isRecord(value) && !('data' in value)))) {
			this.addBreach(operation, { place: 'data', problem: 'is missing: its content stands alone' });
			compared = { data: value };
		} else if (!schema.properties?.data && isRecord(value) && isRecord(value.data)) {
			this.addBreach(operation, { place: 'body', problem: 'is wrapped in data' });
			compared = value.data;
		}
		this.addIds(operation, compared);
		const comparison = compare(schema, compared);
		this.addMisfits(operation, comparison.misfits);
		this.addPlaces(operation, comparison);
	}

	/** The ids of records show how a tenant writes ids, also where the contract says nothing about their type. */
	private addIds(operation: ContractOperation, answer: unknown): void {
		const inData = isRecord(answer) && 'data' in answer ? answer.data : answer;
		for (const record of [inData].flat()) {
			if (!isRecord(record) || !('id' in record)) continue;
			const type = typeOf(record.id);
			this.choose('ids', { integer: 'number', string: 'text' }[type] ?? OTHER, operation);
		}
	}

	private addPlaces({ operationId }: ContractOperation, { shown, beyond }: Comparison): void {
		const at = (place: string): PlaceSeen => {
			const key = `${operationId} ${place}`;
			const seen = this.places.get(key) ?? {
				operation: operationId,
				place,
				beyond: new Map<string, Set<string>>(),
				shown: new Map<string, boolean>(),
			};
			this.places.set(key, seen);
			return seen;
		};
		for (const [place, names] of shown) {
			const seen = at(place).shown;
			for (const [name, isSeen] of names) seen.set(name, isSeen || (seen.get(name) ?? false));
		}
		for (const { place, name, type } of beyond) {
			const names = at(place).beyond;
			if (names.has(name) || names.size < MOST_NAMES)
				names.set(name, (names.get(name) ?? new Set()).add(type));
		}
	}

	/** What `per_page` did, if a request for a paginated list had it. */
	private addPageSize(operation: ContractOperation, { query, status, answer }: Exchange): void {
		const asked = Number(query.get('per_page') ?? Number.NaN);
		if (!isPaged(operation) || !Number.isInteger(asked)) return;
		const { operationId } = operation;
		if (status === 422 || status === 400) this.pageSizes.set(operationId, String(status));
		if (status !== 200 || answer.kind !== 'json') return;
		const count = recordsOf(answer.value)?.length ?? 0;
		if (count > asked) this.pageSizes.set(operationId, 'ignored');
		// A short list says nothing.
		else if (count === asked) this.pageSizes.set(operationId, 'obeyed');
	}

	/** The choice that shows in what `per_page` did on the profiles, where the interface has it, and on other lists. */
	private pageSizeChoice(): string | undefined {
		const onProfiles = this.pageSizes.get('listProfiles');
		const elsewhere = new Set(
			[...this.pageSizes].filter(([name]) => name !== 'listProfiles').map(([, seen]) => seen),
		);
		if (onProfiles === undefined || elsewhere.size > 1) return elsewhere.size > 1 ? OTHER : undefined;
		const [other = onProfiles === 'obeyed' ? undefined : onProfiles] = elsewhere;
		if (onProfiles === 'obeyed')
			return { obeyed: 'everywhere', ignored: 'where-shown' }[other ?? ''] ?? (other && OTHER);
		return other === onProfiles ? onProfiles : OTHER;
	}

	private seenChoices(): Map<ChoiceName, Map<string, Set<string>>> {
		const pageSize = this.pageSizeChoice();
		const seen = new Map(this.choices);
		if (pageSize !== undefined) seen.set('pageSize', new Map([[pageSize, new Set(this.pageSizes.keys())]]));
		return seen;
	}

	private told(path: string): string {
		const names = path.split('.').map((name) => this.tellable.tell(name, false));
		return names.includes(HIDDEN) ? HIDDEN : names.join('.');
	}

	private members(): Report['members'] {
		return [...this.places.values()]
			.map(({ operation, place, beyond, shown }) => {
				const names = [...beyond].map(([name, types]) => ({
					name: this.tellable.tell(name, true),
					types: [...types].sort(),
				}));
				return {
					operation,
					place,
					beyond: names.filter(({ name }) => name !== HIDDEN),
					hidden: names.filter(({ name }) => name === HIDDEN).length,
					neverSeen: [...shown].filter(([, isSeen]) => !isSeen).map(([name]) => name),
				};
			})
			.filter(({ beyond, hidden, neverSeen }) => beyond.length + hidden + neverSeen.length > 0);
	}

	/** What is known by now. */
	report(): Report {
		const choices = this.seenChoices();
		const different: SeenChoices = {};
		for (const name of Object.keys(CHOICES) as ChoiceName[]) {
			const values = [...(choices.get(name)?.keys() ?? [])];
			if (values.length === 0 || (values.length === 1 && values[0] === OWN_CHOICES[name])) continue;
			Object.assign(different, { [name]: values.length > 1 ? 'several' : values[0] });
		}
		return {
			madeBy: 'tenant:check',
			tenant: new URL(this.baseUrl).host,
			startedAt: this.startedAt,
			finishedAt: new Date().toISOString(),
			calls: this.calls,
			read: this.read,
			differences: {
				choices: different,
				breaches: [...this.breaches].map(([key, count]) => {
					const [operation, place, problem] = JSON.parse(key) as [string, string, string];
					return { operation, in: 'answer', place, problem, count };
				}),
			},
			choices: [...choices].flatMap(([choice, values]) =>
				[...values].map(([value, seenIn]) => ({ choice, value, operations: [...seenIn] })),
			),
			envelopeMembers: [...new Set([...this.envelopeMembers].map((path) => this.told(path)))],
			errorMembers: [...new Set([...this.errorMembers].map((name) => this.told(name)))],
			pageParameters: {
				...Object.fromEntries(
					[...this.pageSizes].map(([operation, seen]) => [`per_page (${operation})`, EFFECTS[seen]]),
				),
				...Object.fromEntries(this.pageParameters),
			},
			members: this.members(),
			operations: [...this.timed].map(([{ operationId, method, path }, { ms, statuses }]) => ({
				operation: operationId,
				method,
				path,
				calls: [...statuses.values()].reduce((sum, count) => sum + count, 0),
				statuses: Object.fromEntries(statuses),
				medianMs: median(ms),
				longestMs: Math.max(...ms),
			})),
			rateLimit: this.rateLimit,
			leftBehind: this.leftBehind,
			notRead: [...this.notRead].map(([operation, reason]) => ({ operation, reason })),
			notValidated: [...this.notValidated].map(([key, count]) => {
				const [operation, reason] = JSON.parse(key) as [string, string];
				return { operation, reason, count };
			}),
			otherPaths: this.otherPaths,
		};
	}
}

/** What a body is that was to be JSON. */
const unreadable = ({ kind }: Content) =>
	kind === 'too deep' ? `nests too deeply: more than ${MOST_LEVELS} levels` : 'is no JSON';

const mediaType = (headers: Record<string, string>) =>
	(headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
