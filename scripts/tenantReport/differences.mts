import { serviceMessage } from '../../nodes/CustomerMessaging/transport/errorBody.ts';
import { tellsFailure, unwrapped } from '../../nodes/CustomerMessaging/transport/responseBody.ts';
import { recordId } from '../../nodes/CustomerMessaging/values/ids.ts';
import { type ContractOperation, operations, type Schema } from '../../sandbox/contract.mts';
import { isCreation } from '../../sandbox/dialect.mts';
import { type Misfit, whole } from './comparison.mts';
import { type Content, type Exchange, MOST_LEVELS } from './exchange.mts';
import { envelopeOf, errorFormOf, linksOf, nextOf, OTHER, recordsOf, statusText } from './recognition.mts';
import {
	CHOICE_WORDS,
	type Consequence,
	isNeeded,
	type Rule,
	type RuleName,
	statusRule,
	type SeenChoice,
} from './rules.mts';
import { isRecord, ISO_DATE, ISO_TIME, membersOf, timeForm, told, typeOf } from './vocabulary.mts';

/** Something that a response shows, in words that have nothing of a value and no name but a known one in them. */
export interface Difference {
	rule: Rule | RuleName;
	came: string;
	/** Where they are not those of the rule. */
	consequence?: Consequence;
	expected?: string;
	/** How the tenant decides what the interface leaves open, also where the sandbox decides in the same way. */
	choice?: [name: SeenChoice, value: string];
}

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

const KNOWN_TYPES =
	/^(application\/((ld\+|problem\+|vnd\.api\+)?json|octet-stream|x-yaml|yaml)|text\/(html|javascript|json|plain|x-yaml|yaml))$/;

/** A response later than this is told. */
const LATE_MS = 3_000;

const mediaType = (headers: Record<string, string>) =>
	(headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();

/** What a body is that is no JSON. */
const CONTENT_WORDS: Record<Exclude<Content['kind'], 'json'>, string> = {
	empty: 'an empty body',
	unreadable: 'bytes that are not UTF-8, or not compressed as their header says',
	page: 'a page of HTML',
	cut: 'JSON that is cut off',
	other: 'something that is no JSON',
	'too large': 'more than is looked at',
	'too deep': `JSON with more than ${MOST_LEVELS} levels`,
};

const shapeOf = (value: unknown) => (isRecord(value) ? `an object with ${membersOf(value)}` : typeOf(value));

/** Says how the tenant decides what the interface leaves open. */
export const choose = (name: SeenChoice, value: string, came?: string): Difference => ({
	rule: name,
	came: came ?? CHOICE_WORDS[name]?.[value] ?? `\`${value}\``,
	choice: [name, value],
});

function failure({ status, answer, headers, isMissing, query }: Exchange): Difference[] {
	const came = `status ${statusText(status)}`;
	// Where a parameter is tried, what its refusal means is said elsewhere.
	const isExpected = isMissing ? status === 404 : query.size > 0;
	const seen: Difference[] = isExpected ? [] : [{ rule: isMissing ? 'missing' : statusRule(status), came }];
	// A gateway, rather than the tenant, may have answered these.
	if (status >= 500) return seen;
	const value = answer.kind === 'json' ? answer.value : undefined;
	const form = errorFormOf(value, mediaType(headers));
	if (form !== OTHER) return [...seen, choose('errors', form)];
	const isTold = serviceMessage(value) !== undefined;
	const shape = answer.kind === 'json' ? shapeOf(value) : CONTENT_WORDS[answer.kind];
	const words = `a failure as ${shape}${isTold ? '' : ', in which the node finds no message'}`;
	return [...seen, { ...choose('errors', form, words), consequence: isTold ? 'copes' : 'unknown' }];
}

function deletion({ status, answer }: Exchange): Difference {
	const value = answer.kind === 'json' ? answer.value : undefined;
	const isList = isRecord(value) && Object.keys(value).join() === 'data' && recordsOf(value)?.length === 0;
	if (status === 204) return choose('deleted', '204');
	if (status === 200 && isList) return choose('deleted', 'empty-list');
	if (status === 200 && answer.kind === 'empty') return choose('deleted', 'empty-body');
	const body = answer.kind !== 'json' ? CONTENT_WORDS[answer.kind] : isList ? 'an empty list' : 'other JSON';
	const seen = choose('deleted', OTHER, `status ${statusText(status)} with ${body}`);
	return answer.kind === 'page' ? { ...seen, consequence: 'breaks' } : seen;
}

const ORDERS: Array<(title: string) => string> = [(title) => title, (title) => title.toLowerCase()];

function* recordsSeen({ operationId }: ContractOperation, records: unknown[]): Generator<Difference> {
	const ids = records.flatMap((record) =>
		isRecord(record) && 'id' in record ? [JSON.stringify(record.id)] : [],
	);
	if (new Set(ids).size < ids.length) yield { rule: 'idTwice', came: 'an ID more than once' };
	if (operationId !== 'listTags') return;
	const titles = records.map((tag) => (isRecord(tag) && typeof tag.title === 'string' ? tag.title : ''));
	const isSorted =
		titles.every((title, at) => at === 0 || titles[at - 1].localeCompare(title) <= 0) ||
		ORDERS.some((spelt) => titles.every((title, at) => at === 0 || spelt(titles[at - 1]) <= spelt(title)));
	if (!isSorted) yield { rule: 'order', came: 'tags in another order' };
}

/** The ids of records show how a tenant writes ids, also where the contract says nothing about their type. */
function* idsSeen(records: unknown[]): Generator<Difference> {
	for (const record of records) {
		const id = isRecord(record) ? record.id : undefined;
		if (typeof id === 'string') yield choose('ids', 'text');
		else if (recordId(id) !== undefined) yield choose('ids', 'number');
		else if (typeof id === 'number')
			yield { rule: 'idLost', came: Number.isInteger(id) ? 'numbers with too many digits' : 'fractions' };
	}
}

/** The forms of times and addresses. */
function* formsSeen(value: unknown): Generator<Difference> {
	if (Array.isArray(value)) for (const item of value) yield* formsSeen(item);
	if (!isRecord(value)) return;
	for (const [name, member] of Object.entries(value)) {
		const own = told(name) ?? 'a further member';
		const isDate = own === 'date_of_birth';
		const isTime = isDate || /(_at|At)$/.test(name);
		if (own === 'url' && typeof member === 'string' && !/^https?:\/\//.test(member))
			yield { rule: 'address', came: '`url`: an address without a host' };
		if (!isTime || (typeof member !== 'string' && typeof member !== 'number')) yield* formsSeen(member);
		else {
			const { form, isRead } = timeForm(member);
			const expected = isDate ? ISO_DATE : ISO_TIME;
			const rule = isDate || isRead ? 'time' : 'timeUnread';
			if (form !== expected) yield { rule, came: `\`${own}\`: ${form}`, expected };
		}
	}
}

/** What a misfit with the contract means. Numbers for IDs and for times are looked at by themselves. */
export function misfitSeen({ place, expected, came, type }: Misfit): Difference[] {
	const isNumber = type?.startsWith('number') === true;
	if (/(^|[._])ids?(\[\])*$/.test(place) && (isNumber || type === 'text'))
		return isNumber ? [] : [choose('ids', 'text')];
	if (isNumber && place.endsWith('_at')) return [];
	const isScalar = isNumber || type === 'text' || type === 'boolean';
	const rule = isNeeded(place) && !isScalar ? 'needed' : expected.includes('contract') ? 'value' : 'member';
	return [{ rule, came: `\`${place}\`: ${came}`, expected: `\`${place}\`: ${expected}` }];
}

function* pageSeen(value: unknown, headers: Exchange['headers'], baseUrl: string): Generator<Difference> {
	const records = recordsOf(value);
	const form = records === undefined ? OTHER : envelopeOf(value, headers);
	const beside = Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => name !== 'data'));
	const alone = Array.isArray(value) ? 'a list alone' : `\`data\` in an envelope with ${membersOf(beside)}`;
	if (records === undefined)
		yield { ...choose('envelope', form, shapeOf(unwrapped(value))), consequence: 'breaks' };
	else yield choose('envelope', form, form === OTHER ? alone : `the envelope \`${form}\``);
	for (const link of linksOf(value, headers)) {
		if (link.startsWith('/')) yield choose('links', OTHER, 'links without a host');
		else yield choose('links', link.startsWith(`${baseUrl}/`) ? 'own' : 'proxied');
	}
	for (const name of countsAsText(beside))
		yield { rule: 'member', came: `\`${name}\`: text`, expected: `\`${name}\`: a number` };
}

/** Names of the counts of an envelope that are text. */
const countsAsText = (beside: object): string[] =>
	Object.entries(beside).flatMap(([name, member]) => {
		if (isRecord(member)) return countsAsText(member);
		const own = told(name);
		return own !== undefined &&
			/^(total|count|(last|current|per)_page)/.test(own) &&
			/^\d+$/.test(String(member)) &&
			typeof member === 'string'
			? [own]
			: [];
	});

/** What the JSON of a success shows, up to its members. */
function* bodySeen(
	operation: ContractOperation,
	schema: Schema,
	{ headers, method, query }: Exchange,
	value: unknown,
	baseUrl: string,
): Generator<Difference> {
	const { described, content, isReadable, isList } = contentOf(schema, value);
	const isWrapped = isRecord(value) && Object.hasOwn(value, 'data');
	if (isPaged(operation)) yield* pageSeen(value, headers, baseUrl);
	else if (!isReadable) {
		const expected = isList ? 'a list in `data`' : described ? 'an object in `data`' : 'an object';
		yield {
			rule: 'content',
			came: shapeOf(content),
			expected,
			...(method !== 'GET' && { consequence: 'copes' }),
		};
	} else if (described ? !isWrapped : content !== value)
		yield { rule: 'wrapper', came: `the content ${described ? 'without' : 'within'} \`data\`` };
	else if (isWrapped && described && Object.keys(value).length > 1)
		yield { rule: 'beside', came: `${membersOf(value).replace(/^data/, '`data`')}` };
	if (!isReadable) return;
	if (isList && query.size === 0 && nextOf(value, headers) === 'untold')
		yield { rule: 'more', came: 'an envelope that says that more follows, but not how' };
	if (Array.isArray(content)) yield* recordsSeen(operation, content);
	if (!operation.path.includes('notifications')) yield* idsSeen([content].flat());
	yield* formsSeen(content);
}

/** The content of a success as the node finds it, and what the contract says about it. */
function contentOf(schema: Schema, value: unknown) {
	const described = whole(schema).properties?.data;
	const content = unwrapped(value);
	const isList = described?.type === 'array';
	return { described, content, isList, isReadable: isList ? Array.isArray(content) : isRecord(content) };
}

/** The content of a success that can be compared with the contract; undefined where there is none. */
export function comparable({ status, answer, isMissing }: Exchange, operation: ContractOperation) {
	const schema = jsonOf(operation);
	if (status >= 300 || isMissing || !schema || answer.kind !== 'json' || tellsFailure(answer.value))
		return undefined;
	const { described, content, isReadable } = contentOf(schema, answer.value);
	const isDeletion = described?.maxItems === 0;
	return isReadable && !isDeletion
		? { schema: described ?? schema, content, place: described ? 'data' : '' }
		: undefined;
}

function* successSeen(
	operation: ContractOperation,
	exchange: Exchange,
	baseUrl: string,
): Generator<Difference> {
	const { status, answer, headers, method } = exchange;
	const schema = jsonOf(operation);
	if (schema?.properties?.data?.maxItems === 0) return yield deletion(exchange);
	if (isCreation(operation.operationId) && (status === 200 || status === 201))
		yield choose('created', String(status), `status ${statusText(status)}`);
	else if (status !== 200) yield { rule: statusRule(status), came: `status ${statusText(status)}` };
	if (status >= 300) return;
	const [wanted] = Object.keys(operation.responses['200'].content ?? {});
	const type = mediaType(headers);
	const isFile = !schema && answer.kind !== 'empty' && !(wanted === 'text/yaml' && answer.kind === 'page');
	if (isFile || answer.kind === 'json') {
		// Anything may stand in a header: only types that are known are told.
		const came = `content type ${KNOWN_TYPES.test(type) ? type : type === '' ? 'none' : 'another one'}`;
		if (type !== wanted) yield { rule: 'mediaType', came, expected: `content type ${wanted}` };
	} else {
		const isDone = method !== 'GET' && (answer.kind === 'empty' || answer.kind === 'other');
		const rule = answer.kind.startsWith('too') ? 'unread' : 'body';
		yield { rule, came: CONTENT_WORDS[answer.kind], ...(isDone && { consequence: 'copes' }) };
	}
	if (!schema || answer.kind !== 'json') return;
	if (answer.hasByteOrderMark) yield { rule: 'markFirst', came: 'JSON after a byte order mark' };
	yield* bodySeen(operation, schema, exchange, answer.value, baseUrl);
}

/** Says what a response shows, up to the members of its content: see `comparable`. */
export function* differencesOf(
	operation: ContractOperation,
	exchange: Exchange,
	baseUrl: string,
): Generator<Difference> {
	const { status, answer, ms, isMissing } = exchange;
	if (ms > LATE_MS) yield { rule: 'late', came: `a response after more than ${LATE_MS / 1000} s` };
	const isFailure = answer.kind === 'json' && tellsFailure(answer.value);
	const came = `status ${statusText(status)}`;
	if (status >= 400) yield* failure(exchange);
	else if (isFailure) yield { rule: 'failureAsSuccess', came: `a failure with ${came}` };
	else if (isMissing) yield { rule: 'missing', came };
	else yield* successSeen(operation, exchange, baseUrl);
}
