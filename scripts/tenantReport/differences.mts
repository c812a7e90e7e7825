import { serviceMessage } from '../../nodes/CustomerMessaging/transport/errorBody.ts';
import { tellsFailure, unwrapped } from '../../nodes/CustomerMessaging/transport/responseBody.ts';
import { isObject, objectsOf } from '../../nodes/CustomerMessaging/values/json.ts';
import { type ContractOperation, operations, type Schema } from '../../sandbox/contract.mts';
import { isCreation } from '../../sandbox/dialect.mts';
import { contentSeen, type Member, whole } from './content.mts';
import { CONTENT_WORDS, type Exchange } from './exchange.mts';
import { envelopeOf, errorFormOf, linksOf, membersBeside, nextOf, OTHER, recordsOf } from './recognition.mts';
import { choose, type Difference, statusSeen, statusText } from './rules.mts';
import { membersOf, told, typeOf } from './vocabulary.mts';

/** Operations with what their paths look like, those without parameters first: /customers/bulk-import is no /customers/{id}. */
const PATTERNS = operations()
	.map((operation) => ({ operation, like: operation.path.replace(/\{\w+\}/g, '[^/]+') }))
	.sort((a, b) => Number(a.like.includes('[')) - Number(b.like.includes('[')));

/** The operation that a request is for. */
export const operationOf = (method: string, path: string): ContractOperation | undefined =>
	PATTERNS.find((one) => one.operation.method === method && new RegExp(`^${one.like}$`).test(path))
		?.operation;

export const jsonOf = (operation: ContractOperation): Schema | undefined =>
	operation.responses['200'].content?.['application/json']?.schema;

/** Whether an operation lists page by page: only the schemas of pages are made of parts. */
export const isPaged = (operation: ContractOperation): boolean => jsonOf(operation)?.allOf !== undefined;

const KNOWN_TYPES =
	/^(application\/((ld\+|problem\+|vnd\.api\+)?json|octet-stream|x-yaml|yaml)|text\/(html|javascript|json|plain|x-yaml|yaml))$/;

/** A response later than this is told. */
const LATE_MS = 3_000;

type Seen = Generator<Difference | Member>;

/** An exchange with what the contract says about it. */
interface Looked extends Exchange {
	operation: ContractOperation;
	/** Schema of the JSON of a success; undefined for a file. */
	schema?: Schema;
	baseUrl: string;
	/** Media type of the response. */
	type: string;
}

const shapeOf = (value: unknown) => (isObject(value) ? `an object with ${membersOf(value)}` : typeOf(value));

function* failureSeen({ status, content, isMissing, query, path, type }: Looked): Generator<Difference> {
	// Where a parameter is tried, what its refusal means is said elsewhere.
	const isExpected = isMissing ? status === 404 : Object.keys(query).length > 0;
	if (!isExpected) yield { ...statusSeen(status, path), ...(isMissing && { rule: 'missing' }) };
	// A gateway, rather than the tenant, may have answered these.
	if (status >= 500) return;
	const form = errorFormOf(content.value, type);
	if (form !== OTHER) return yield choose('errors', form);
	const isTold = serviceMessage(content.value) !== undefined;
	const shape = content.kind === 'json' ? shapeOf(content.value) : CONTENT_WORDS[content.kind];
	const words = `a failure as ${shape}${isTold ? '' : ', in which the node finds no message'}`;
	yield { ...choose('errors', form, words), consequence: isTold ? 'copes' : 'unknown' };
}

function deletionSeen({ status, content: { kind, value } }: Looked): Difference {
	const isList = isObject(value) && Object.keys(value).join() === 'data' && recordsOf(value)?.length === 0;
	if (status === 204) return choose('deleted', '204');
	if (status === 200 && isList) return choose('deleted', 'empty-list');
	if (status === 200 && kind === 'empty') return choose('deleted', 'empty-body');
	const body = kind !== 'json' ? CONTENT_WORDS[kind] : isList ? 'an empty list' : 'other JSON';
	const seen = choose('deleted', OTHER, `status ${statusText(status)} with ${body}`);
	return kind === 'page' ? { ...seen, consequence: 'breaks' } : seen;
}

function* recordsSeen({ operation }: Looked, records: unknown[]): Generator<Difference> {
	const found = objectsOf(records);
	const ids = found.filter((record) => 'id' in record).map(({ id }) => JSON.stringify(id));
	if (new Set(ids).size < ids.length) yield { rule: 'idTwice', came: 'an ID more than once' };
	const titles = found.map(({ title }) => (typeof title === 'string' ? title : ''));
	const folded = titles.map((title) => title.toLowerCase());
	const isSorted =
		[titles, folded].some((all) => all.every((title, at) => at === 0 || all[at - 1] <= title)) ||
		titles.every((title, at) => at === 0 || titles[at - 1].localeCompare(title) <= 0);
	if (operation.operationId === 'listTags' && !isSorted)
		yield { rule: 'order', came: 'tags in another order' };
}

function* pageSeen({ headers, baseUrl, content: { value } }: Looked): Generator<Difference> {
	const form = envelopeOf(value, headers);
	const beside = Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => name !== 'data'));
	const other = Array.isArray(value)
		? 'a list without an envelope'
		: `\`data\` in an envelope with ${membersOf(beside)}`;
	if (recordsOf(value)) yield choose('envelope', form, form === OTHER ? other : `the envelope \`${form}\``);
	else {
		const more = { consequence: 'breaks', expected: 'the records in `data`' } as const;
		yield { ...choose('envelope', OTHER, shapeOf(unwrapped(value))), ...more };
	}
	for (const link of linksOf(value, headers)) {
		if (link.startsWith('/')) yield choose('links', OTHER, 'links without a host');
		else yield choose('links', link.startsWith(`${baseUrl}/`) ? 'own' : 'proxied');
	}
	for (const [path, member] of membersBeside(value)) {
		const own = told(path.split('.').at(-1) ?? '') ?? '';
		const isCount = /^(total|count|(last|current|per)_page)/.test(own);
		if (isCount && typeof member === 'string' && /^\d+$/.test(member))
			yield { rule: 'member', came: `\`${own}\`: text`, expected: 'a number' };
	}
}

/** What the JSON of a success shows. */
function* bodySeen(looked: Looked, schema: Schema): Seen {
	const { headers, method, query, operation } = looked;
	const { value } = looked.content;
	const described = whole(schema).properties?.data;
	const content = unwrapped(value);
	const isList = described?.type === 'array';
	const isReadable = isList ? Array.isArray(content) : isObject(content);
	const isWrapped = isObject(value) && Object.hasOwn(value, 'data');
	const next = isList && Object.keys(query).length === 0 ? nextOf(value, headers) : 'end';
	if (isPaged(operation)) yield* pageSeen(looked);
	else if (!isReadable) {
		const expected = isList ? 'a list in `data`' : described ? 'an object in `data`' : 'an object';
		const more = method === 'GET' ? {} : ({ consequence: 'copes' } as const);
		yield { rule: 'content', came: shapeOf(content), expected, ...more };
	} else if (described ? !isWrapped : content !== value)
		yield { rule: 'wrapper', came: `the content ${described ? 'without' : 'within'} \`data\`` };
	else if (isWrapped && described && Object.keys(value).length > 1) {
		const came = membersOf(value).replace(/^data/, '`data`');
		yield next === 'end' ? { rule: 'beside', came } : { rule: 'paged', came: `a page: ${came}` };
	}
	if (!isReadable) return;
	if (next === 'untold') yield { rule: 'more', came: 'an envelope that says that more follows, but not how' };
	if (Array.isArray(content)) yield* recordsSeen(looked, content);
	yield* contentSeen(content, described ?? schema, described ? 'data' : '');
}

function* successSeen(looked: Looked): Seen {
	const { operation, schema, status, content, method, path, type } = looked;
	if (schema?.properties?.data?.maxItems === 0) return yield deletionSeen(looked);
	const isDone = method !== 'GET' && (content.kind === 'empty' || content.kind === 'other');
	const isNothing = status === 204 && !isDone;
	if (isCreation(operation.operationId) && (status === 200 || status === 201))
		yield choose('created', String(status), `status ${statusText(status)}`);
	else if (status !== 200)
		yield { ...statusSeen(status, path), ...(isNothing && { consequence: 'breaks', expected: 'JSON' }) };
	if (status >= 300 || status === 204) return;
	const [wanted] = Object.keys(operation.responses['200'].content ?? {});
	const isFile = !schema && content.kind !== 'empty' && !(wanted === 'text/yaml' && content.kind === 'page');
	if (isFile || content.kind === 'json') {
		// Anything may stand in a header: only types that are known are told.
		const came = `content type ${KNOWN_TYPES.test(type) ? type : type === '' ? 'none' : 'another one'}`;
		if (type !== wanted) yield { rule: 'mediaType', came, expected: `content type ${wanted}` };
	} else {
		const rule = content.kind.startsWith('too') ? 'unread' : 'body';
		yield { rule, came: CONTENT_WORDS[content.kind], ...(isDone && { consequence: 'copes' }) };
	}
	if (!schema || content.kind !== 'json') return;
	if (content.hasByteOrderMark) yield { rule: 'markFirst', came: 'JSON after a byte order mark' };
	yield* bodySeen(looked, schema);
}

/** Says what a response shows. */
export function* differencesOf(operation: ContractOperation, exchange: Exchange, baseUrl: string): Seen {
	const { status, headers, content, ms, isMissing } = exchange;
	const type = (headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
	const looked: Looked = { ...exchange, operation, schema: jsonOf(operation), baseUrl, type };
	const came = `status ${statusText(status)}`;
	if (ms > LATE_MS) yield { rule: 'late', came: `a response after more than ${LATE_MS / 1000} s` };
	if (status === 429) {
		if (!headers['retry-after']) yield { rule: 'limits', came: '429 without Retry-After' };
	} else if (status >= 400) yield* failureSeen(looked);
	else if (tellsFailure(content.value)) yield { rule: 'failureAsSuccess', came: `a failure with ${came}` };
	else if (isMissing) yield { rule: 'missing', came };
	else yield* successSeen(looked);
}
