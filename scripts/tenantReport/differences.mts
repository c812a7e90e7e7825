import { serviceMessage } from '../../nodes/CustomerMessaging/transport/errorBody.ts';
import { tellsFailure, unwrapped } from '../../nodes/CustomerMessaging/transport/responseBody.ts';
import { type ContractOperation, operations, type Schema } from '../../sandbox/contract.mts';
import { isCreation } from '../../sandbox/dialect.mts';
import { contentSeen, type Member, whole } from './content.mts';
import { CONTENT_WORDS, type Exchange } from './exchange.mts';
import { envelopeOf, errorFormOf, linksOf, membersBeside, nextOf, OTHER, recordsOf } from './recognition.mts';
import { choose, type Difference, statusSeen, statusText } from './rules.mts';
import { isRecord, membersOf, told, typeOf } from './vocabulary.mts';

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

export const jsonOf = (operation: ContractOperation): Schema | undefined =>
	operation.responses['200'].content?.['application/json']?.schema;

/** Whether an operation lists page by page: only the schemas of pages are made of parts. */
export const isPaged = (operation: ContractOperation): boolean => jsonOf(operation)?.allOf !== undefined;

const KNOWN_TYPES =
	/^(application\/((ld\+|problem\+|vnd\.api\+)?json|octet-stream|x-yaml|yaml)|text\/(html|javascript|json|plain|x-yaml|yaml))$/;

/** A response later than this is told. */
const LATE_MS = 3_000;

const mediaType = (headers: Record<string, string>) =>
	(headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();

const shapeOf = (value: unknown) => (isRecord(value) ? `an object with ${membersOf(value)}` : typeOf(value));

const bodyWords = ({ answer }: Exchange) =>
	answer.kind === 'json' ? shapeOf(answer.value) : CONTENT_WORDS[answer.kind];

function* failureSeen(exchange: Exchange): Generator<Difference> {
	const { status, answer, headers, isMissing, query, path } = exchange;
	// Where a parameter is tried, what its refusal means is said elsewhere.
	const isExpected = isMissing ? status === 404 : Object.keys(query).length > 0;
	if (!isExpected) yield { ...statusSeen(status, path), ...(isMissing && { rule: 'missing' }) };
	// A gateway, rather than the tenant, may have answered these.
	if (status >= 500) return;
	const form = errorFormOf(answer.value, mediaType(headers));
	if (form !== OTHER) return yield choose('errors', form);
	const isTold = serviceMessage(answer.value) !== undefined;
	const words = `a failure as ${bodyWords(exchange)}${isTold ? '' : ', in which the node finds no message'}`;
	yield { ...choose('errors', form, words), consequence: isTold ? 'copes' : 'unknown' };
}

function deletionSeen({ status, answer }: Exchange): Difference {
	const { kind, value } = answer;
	const isList = isRecord(value) && Object.keys(value).join() === 'data' && recordsOf(value)?.length === 0;
	if (status === 204) return choose('deleted', '204');
	if (status === 200 && isList) return choose('deleted', 'empty-list');
	if (status === 200 && kind === 'empty') return choose('deleted', 'empty-body');
	const body = kind !== 'json' ? CONTENT_WORDS[kind] : isList ? 'an empty list' : 'other JSON';
	const seen = choose('deleted', OTHER, `status ${statusText(status)} with ${body}`);
	return kind === 'page' ? { ...seen, consequence: 'breaks' } : seen;
}

const ORDERS: Array<(a: string, b: string) => boolean> = [
	(a, b) => a.localeCompare(b) <= 0,
	(a, b) => a <= b,
	(a, b) => a.toLowerCase() <= b.toLowerCase(),
];

function* recordsSeen({ operationId }: ContractOperation, records: unknown[]): Generator<Difference> {
	const ids = records.flatMap((record) =>
		isRecord(record) && 'id' in record ? [JSON.stringify(record.id)] : [],
	);
	if (new Set(ids).size < ids.length) yield { rule: 'idTwice', came: 'an ID more than once' };
	const titles = records.map((tag) => (isRecord(tag) && typeof tag.title === 'string' ? tag.title : ''));
	const isSorted = ORDERS.some((inOrder) =>
		titles.every((title, at) => at === 0 || inOrder(titles[at - 1], title)),
	);
	if (operationId === 'listTags' && !isSorted) yield { rule: 'order', came: 'tags in another order' };
}

function* pageSeen(value: unknown, headers: Exchange['headers'], baseUrl: string): Generator<Difference> {
	const isList = recordsOf(value) !== undefined;
	const form = isList ? envelopeOf(value, headers) : OTHER;
	const beside = Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => name !== 'data'));
	const other = Array.isArray(value) ? 'a list alone' : `\`data\` in an envelope with ${membersOf(beside)}`;
	if (!isList)
		yield {
			...choose('envelope', form, shapeOf(unwrapped(value))),
			consequence: 'breaks',
			expected: 'the records in `data`',
		};
	else yield choose('envelope', form, form === OTHER ? other : `the envelope \`${form}\``);
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
function* bodySeen(
	operation: ContractOperation,
	schema: Schema,
	{ headers, method, query }: Exchange,
	value: unknown,
	baseUrl: string,
): Generator<Difference | Member> {
	const described = whole(schema).properties?.data;
	const content = unwrapped(value);
	const isList = described?.type === 'array';
	const isReadable = isList ? Array.isArray(content) : isRecord(content);
	const isWrapped = isRecord(value) && Object.hasOwn(value, 'data');
	const next = isList && Object.keys(query).length === 0 ? nextOf(value, headers) : 'end';
	if (isPaged(operation)) yield* pageSeen(value, headers, baseUrl);
	else if (!isReadable)
		yield {
			rule: 'content',
			came: shapeOf(content),
			expected: isList ? 'a list in `data`' : described ? 'an object in `data`' : 'an object',
			...(method !== 'GET' && { consequence: 'copes' }),
		};
	else if (described ? !isWrapped : content !== value)
		yield { rule: 'wrapper', came: `the content ${described ? 'without' : 'within'} \`data\`` };
	else if (isWrapped && described && Object.keys(value).length > 1) {
		const came = membersOf(value).replace(/^data/, '`data`');
		yield next === 'end' ? { rule: 'beside', came } : { rule: 'paged', came: `a page: ${came}` };
	}
	if (!isReadable) return;
	if (next === 'untold') yield { rule: 'more', came: 'an envelope that says that more follows, but not how' };
	if (Array.isArray(content)) yield* recordsSeen(operation, content);
	yield* contentSeen(content, described ?? schema, described ? 'data' : '');
}

function* successSeen(
	operation: ContractOperation,
	exchange: Exchange,
	baseUrl: string,
): Generator<Difference | Member> {
	const { status, answer, headers, method, path } = exchange;
	const schema = jsonOf(operation);
	if (schema?.properties?.data?.maxItems === 0) return yield deletionSeen(exchange);
	const isDone = method !== 'GET' && (answer.kind === 'empty' || answer.kind === 'other');
	if (isCreation(operation.operationId) && (status === 200 || status === 201))
		yield choose('created', String(status), `status ${statusText(status)}`);
	else if (status !== 200)
		yield {
			...statusSeen(status, path),
			...(status === 204 && !isDone && { consequence: 'breaks', expected: 'status 200 with JSON' }),
		};
	if (status >= 300 || status === 204) return;
	const [wanted] = Object.keys(operation.responses['200'].content ?? {});
	const type = mediaType(headers);
	const isFile = !schema && answer.kind !== 'empty' && !(wanted === 'text/yaml' && answer.kind === 'page');
	if (isFile || answer.kind === 'json') {
		// Anything may stand in a header: only types that are known are told.
		const came = `content type ${KNOWN_TYPES.test(type) ? type : type === '' ? 'none' : 'another one'}`;
		if (type !== wanted) yield { rule: 'mediaType', came, expected: `content type ${wanted}` };
	} else {
		const rule = answer.kind.startsWith('too') ? 'unread' : 'body';
		yield { rule, came: CONTENT_WORDS[answer.kind], ...(isDone && { consequence: 'copes' }) };
	}
	if (!schema || answer.kind !== 'json') return;
	if (answer.hasByteOrderMark) yield { rule: 'markFirst', came: 'JSON after a byte order mark' };
	yield* bodySeen(operation, schema, exchange, answer.value, baseUrl);
}

/** Says what a response shows. */
export function* differencesOf(
	operation: ContractOperation,
	exchange: Exchange,
	baseUrl: string,
): Generator<Difference | Member> {
	const { status, answer, ms, isMissing } = exchange;
	if (ms > LATE_MS) yield { rule: 'late', came: `a response after more than ${LATE_MS / 1000} s` };
	const came = `status ${statusText(status)}`;
	if (status >= 400) yield* failureSeen(exchange);
	else if (tellsFailure(answer.value)) yield { rule: 'failureAsSuccess', came: `a failure with ${came}` };
	else if (isMissing) yield { rule: 'missing', came };
	else yield* successSeen(operation, exchange, baseUrl);
}
