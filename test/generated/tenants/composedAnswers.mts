import type { ServerResponse } from 'node:http';

import type { Json, StoredRecord } from './records.mts';

/** What a tenant would answer if it did nothing unusual. */
export interface PlainAnswer {
	subject: Json;
	/** Whether the interface shows it without a `data` wrapper. */
	isBare: boolean;
	/** Another name under which the records may carry their IDs, such as `user_id`. */
	otherIdName: string;
	query: URLSearchParams;
	/** Address of the list, for links to other pages. */
	address: string;
}

/** In what way the answer to one request differs from the plain one. */
export interface Trait {
	name: string;
	/** Whether the node has to come through: always, or where it may ask again since the request only reads. */
	must?: 'always' | 'read';
	/** Whether the answer is one of several pages, with a usual way to the next. */
	isPaged?: true;
	/** Whether nothing can be read from it. */
	isUnreadable?: true;
	/** Whether the tenant says with it that it did nothing. */
	isRefusal?: true;
	/** Whether the tenant has IDs that no JavaScript number holds. */
	hasLargeIds?: true;
	/** What happens before the answer, or in its place. */
	delivery?: 'lost' | 'slow';
	status?: number;
	/** Whether only the first request is answered this way. */
	once?: true;
	/** The text of the body; plain unless given. */
	text?: (plain: PlainAnswer) => string;
	type?: string;
	headers?: Record<string, string>;
}

/** An ID that goes out as a number, however large; see `encoded`. */
export const numberId = (id: string): string => `#${id}#`;

/** JSON text in which IDs are numbers, or text. */
function encoded(value: unknown, quote = ''): string {
	return JSON.stringify(value).replace(/"#(\d+)#"/g, `${quote}$1${quote}`);
}

/** The plain answer as the interface shows it. */
const shown = ({ subject, isBare }: PlainAnswer): unknown => (isBare ? subject : { data: subject });

const listOf = ({ subject }: PlainAnswer) => (Array.isArray(subject) ? (subject as StoredRecord[]) : []);

type More = Partial<Trait>;

const json = (name: string, body: (plain: PlainAnswer) => unknown, more: More = {}): Trait => ({
	name,
	text: (plain) => encoded(body(plain)),
	...more,
});

/** A trait that changes each record, or the one there is. */
export const changed = (
	name: string,
	change: (record: StoredRecord, plain: PlainAnswer) => Json,
	more: More = {},
): Trait =>
	json(
		name,
		(plain) => {
			const { subject } = plain;
			const changes = (record: Json) => change(record as StoredRecord, plain);
			return shown({ ...plain, subject: Array.isArray(subject) ? subject.map(changes) : changes(subject) });
		},
		more,
	);

/** A record without some of its members. */
export function without(record: StoredRecord, ...names: string[]): StoredRecord {
	return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

const unreadable = (name: string, text: string, more: More = {}): Trait => ({
	name,
	text: () => text,
	isUnreadable: true,
	...more,
});

const refused = (status: number, more: More = {}): Trait => ({
	name: `status ${status}${more.once ? ' once' : ''}`,
	status,
	text: () => '{"message":"No such thing"}',
	headers: { 'retry-after': '0' },
	...(more.once ? {} : { isUnreadable: true as const }),
	...more,
});

/** Failures that a tenant tells in the body, with a status that says success. */
export const TOLD_FAILURES = {
	'success is false': '{"success":false,"message":"No such thing"}',
	'success is false, data is empty': '{"success":false,"message":"No such thing","data":[]}',
};

/** What any answer may be. */
const ANY: Trait[] = [
	json('as shown', shown, { must: 'always' }),
	json('with and without data the other way round', (plain) => shown({ ...plain, isBare: !plain.isBare }), {
		must: 'always',
	}),
	json(
		'success and message beside data',
		({ subject }) => ({ success: true, message: 'OK', data: subject }),
		{
			must: 'always',
		},
	),
	json('an ID beside data', ({ subject }) => ({ id: 'answer-7', data: subject })),
	json('data within data', ({ subject }) => ({ data: { data: subject } })),
	json('within a list', ({ subject }) => ({ data: [subject] })),
	unreadable('null', 'null'),
	unreadable('an empty object', '{}'),
	unreadable('data is null', '{"data":null}'),
	unreadable('data is an empty object', '{"data":{}}'),
	unreadable('data is text', '{"data":"OK"}'),
	unreadable('an empty body', ''),
	unreadable('status 204', '', { status: 204 }),
	unreadable('plain text', 'OK', { type: 'text/plain' }),
	unreadable('an HTML page', '<!doctype html><title>Log in</title>', { type: 'text/html' }),
	unreadable('broken JSON', '{"data":[{"id":'),
	unreadable('a message with 200', '{"message":"No such thing"}'),
	...Object.entries(TOLD_FAILURES).map(([name, text]) => unreadable(name, text, { isRefusal: true })),
	refused(403),
	refused(404),
	refused(429),
	refused(500),
	refused(429, { once: true, must: 'always' }),
	refused(500, { once: true, must: 'read' }),
	{ name: 'the first answer lost', delivery: 'lost', once: true, must: 'read' },
	{ name: 'slow', delivery: 'slow', must: 'always' },
];

/** A list cut into pages of one record. @param link what stands beside the records of a page */
const pages = (
	name: string,
	parameter: string,
	link: (next: number, last: number, plain: PlainAnswer) => object,
	more: More = { isPaged: true },
): Trait =>
	json(
		`pages: ${name}`,
		(plain) => {
			const records = listOf(plain);
			const number = Number((plain.query.get(parameter) ?? '1').replace('c', ''));
			return { data: records.slice(number - 1, number), ...link(number + 1, records.length, plain) };
		},
		more,
	);

/** What an answer with a list may be besides. */
const OF_LISTS: Trait[] = [
	{ name: 'IDs as text', text: (plain) => encoded(shown(plain), '"'), must: 'always' },
	{ name: 'IDs above 2^53 as text', text: (plain) => encoded(shown(plain), '"'), hasLargeIds: true },
	changed('no IDs', (record) => without(record, 'id')),
	changed('IDs under another name', (record, { otherIdName }) => ({
		...without(record, 'id'),
		[otherIdName]: record.id,
	})),
	changed('IDs named _id', (record) => ({ ...without(record, 'id'), _id: record.id })),
	changed('IDs named uuid', (record) => ({ ...without(record, 'id'), uuid: record.id })),
	changed('IDs of null', (record) => ({ ...record, id: null })),
	changed('IDs alone', ({ id }) => id),
	changed('records within attributes', (record) => ({ attributes: record })),
	json('a map by ID', (plain) => ({
		data: Object.fromEntries(listOf(plain).map((record, index) => [String(index + 3), record])),
	})),
	json('null among the records', (plain) => ({ data: [...listOf(plain), null] })),
	json('text among the records', (plain) => ({ data: [...listOf(plain), 'more'] })),
	json('under another name', ({ subject, otherIdName }) => ({
		[`${otherIdName.replace('_id', '')}s`]: subject,
	})),
	json('under items', ({ subject }) => ({ data: { items: subject } })),
	pages('numbers', 'page', (next, last) => ({ current_page: next - 1, last_page: last })),
	pages('numbers in meta', 'page', (next, last) => ({ meta: { current_page: next - 1, last_page: last } })),
	pages('links', 'page', (next, last, { address }) => ({
		next_page_url: next > last ? null : `${address}?page=${next}`,
	})),
	pages('a cursor', 'cursor', (next, last) => ({ next_cursor: next > last ? null : `c${next}` })),
	pages('has_more, and no way on', 'none', (next, last) => ({ has_more: next <= last }), {}),
	pages('a total, and no way on', 'none', (_next, last) => ({ meta: { total: last } }), {}),
];

/** All that may be answered to a request. @param isList whether what it reads is a list */
export function traitsFor(isList: boolean): Trait[] {
	return isList ? [...ANY.filter(({ name }) => name !== 'within a list'), ...OF_LISTS] : ANY;
}

/** What may happen to the request that writes, besides what it answers. */
export const DELIVERY_TRAITS = ANY.filter(({ name, status, delivery }) =>
	[name === 'as shown', status === 429, status === 500, delivery].some(Boolean),
);

const SLOW_MS = 60;

/** Answers in the way of a trait. @param count how often the request has come, from 1 */
export function sendAnswer(response: ServerResponse, trait: Trait, plain: PlainAnswer, count: number): void {
	const isUsual = trait.once === true && count > 1;
	const { status = 200, text, type = 'application/json', headers, delivery } = isUsual ? usual : trait;
	if (delivery === 'lost') {
		response.destroy();
		return;
	}
	const send = () => {
		const content = (text ?? ((answer: PlainAnswer) => encoded(shown(answer))))(plain);
		response.writeHead(status, { 'content-type': type, ...headers }).end(content);
	};
	if (delivery === 'slow') setTimeout(send, SLOW_MS);
	else send();
}

/** The trait of a tenant that does nothing unusual. */
export const [usual] = ANY;
