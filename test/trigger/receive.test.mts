import { Readable } from 'node:stream';

import type { IDataObject } from 'n8n-workflow';

import type { Question } from '../http.mts';
import { leaksIn, LogWatch } from '../engine/leaks.mts';
import { type TriggerSetUp, WebhookServer } from '../engine/webhook.mts';
import { arrive, type Arrival, type Arrived, eventOf, newMessage, outcome } from './arrival.mts';

const log = LogWatch.inEachTest();

const KILOBYTE = 1024;
const SECRET = 'sixteen-or-more-characters';
const credential = { method: 'headerSecret', headerName: ' X-Webhook-Secret ', secret: SECRET };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** A new event that takes so many bytes. */
function bodyOf(bytes: number): Buffer {
	const event = { ...eventOf(), text: '' };
	return Buffer.from(JSON.stringify({ ...event, text: 'x'.repeat(bytes - JSON.stringify(event).length) }));
}

describe('the size of a body', () => {
	it.each<[string, IDataObject, number]>([
		['that the option says', { maximumSizeKb: 2 }, 2 * KILOBYTE],
		['of a megabyte unless told otherwise', {}, KILOBYTE * KILOBYTE],
		['of a megabyte where the option is no number', { maximumSizeKb: 'much' }, KILOBYTE * KILOBYTE],
	])('%s is taken, and not a byte more', async (_, additionalOptions, bytes) => {
		const parameters = { additionalOptions: additionalOptions as never };
		for (const [more, expected] of [
			[0, 'started'],
			[1, 413],
		] as const) {
			const headers = { 'content-length': String(bytes + more) };
			expect(await outcome({ parameters, body: bodyOf(bytes + more) })).toBe(expected);
			expect(await outcome({ parameters, body: bodyOf(bytes + more), headers })).toBe(expected);
		}
		const announced = { 'content-length': String(bytes + 1) };
		const arrived = await arrive({ parameters, headers: announced, credential: new Error('No key') });
		expect(arrived).toMatchObject({ status: 413, bodyReads: 0, credentialReads: 0 });
	});

	it.each([
		['is larger than n8n takes', Object.assign(new Error(), { type: 'entity.too.large' }), 413],
		['breaks off', Object.assign(new Error(), { type: 'request.aborted' }), 400],
		['cannot be read', new Error('broken'), 400],
		['is none', Buffer.alloc(0), 400],
		['is no JSON', Buffer.from('{'), 400],
		['is no object', Buffer.from('"text"'), 400],
	])('a body that %s is answered with its status, and n8n logs nothing', async (_, body, status) => {
		expect(await arrive({ body })).toMatchObject({ status, body: undefined, items: undefined });
		expect(log.lines.filter(([level]) => level === 'error')).toEqual([]);
	});
});

it.each([
	['application/json', 'started'],
	['APPLICATION/JSON', 'started'],
	[' application/json ; charset=utf-8', 'started'],
	['application/json; charset=utf-16', 'started'],
	['application/json; charset=utf8mb4', 'started'],
	['application/vnd.tenant+json', 'started'],
	['application/cloudevents+json ; a=b', 'started'],
	['application/json;'.padEnd(50_000, ';'), 'started'],
	[`a/b+json${' '.repeat(50_000)}`, 'started'],
	['application/json-seq', 415],
	['application/jsonx', 415],
	['application/x-www-form-urlencoded', 415],
	['multipart/form-data; boundary=x', 415],
	['text/json', 415],
	['text/json, application/json', 415],
	['text/plain; application/json', 415],
	['', 415],
	[undefined, 415],
])('the content type %.40j: %s', async (type, expected) => {
	expect(await outcome({ headers: { 'content-type': type } })).toBe(expected);
});

it.each<[string, BufferEncoding, Arrived['status']]>([
	['charset=utf-8', 'utf8', undefined],
	['charset=us-ascii', 'utf8', undefined],
	['charset=utf-8', 'latin1', 400],
	['charset=ISO-8859-1', 'latin1', 400],
	['charset=utf-16', 'utf16le', 400],
])('a body is read as UTF-8, or refused: %s (%s)', async (charset, encoding, status) => {
	const text = 'Größe 😀';
	const body = Buffer.from(JSON.stringify(eventOf({ text })), encoding);
	const arrived = await arrive({ body, headers: { 'content-type': `application/json; ${charset}` } });
	expect(arrived.status).toBe(status);
	expect(arrived.items?.map((item) => item.text)).toEqual(status ? undefined : [text]);
});

it.each(['gzip', 'br', 'deflate', 'x-evil', 'identity'])(
	'the content encoding %s of a body that n8n has decoded changes nothing',
	async (encoding) => expect(await outcome({ headers: { 'content-encoding': encoding } })).toBe('started'),
);

describe('what comes out', () => {
	const wholeOf = async (arrival: Arrival) => (await arrive(arrival)).result?.workflowData;

	it('is the message, with the fields of the event under event', async () => {
		const message = newMessage();
		const payload = { event: 'new-agent-message', at: 'now', message };
		expect(await wholeOf({ payload })).toEqual([
			[{ json: { ...message, event: { event: 'new-agent-message', at: 'now' } } }],
		]);
	});

	it('is each message that a named event holds, although it shows only an ID and its failure', async () => {
		const message = { id: 1, latest_error: { type: 'x' } };
		const parameters = { filters: { onlyFailed: true } };
		for (const kind of [{ event: 'new-agent-message' }, { type: 'new-agent-message' }]) {
			expect(await wholeOf({ payload: { ...kind, message }, parameters })).toEqual([
				[{ json: { ...message, event: kind } }],
			]);
			const payload = [message, { id: 2 }, { ...message, id: 3 }].map((one) => ({ ...kind, message: one }));
			const { items } = await arrive({ payload, parameters });
			expect(items?.map(({ id }) => id)).toEqual([1, 3]);
		}
	});

	it('is the raw event', async () => {
		const payload = eventOf();
		expect(await wholeOf({ payload, parameters: { output: 'raw' } })).toEqual([[{ json: payload }]]);
	});

	it('is a simplified message that holds what people look for', async () => {
		const template = { name: 'shipped', language: 'de', body: { text: 'Hi' } };
		const latest_error = { user_friendly_message: 'Blocked' };
		const contents = [{ type: 'template', template }];
		const { items } = await arrive({
			parameters: { output: 'simplified' },
			payload: eventOf({
				id: 1,
				contents,
				customer_id: 9,
				agent_reaction: 'x',
				status: 'failed',
				latest_error,
			}),
		});
		expect(items).toEqual([
			{
				...{ id: 1, conversation_id: 3, customer_id: 9, from: 'agent', status: 'failed' },
				...{ text: 'Hi', template: 'shipped', language: 'de', error: 'Blocked' },
				...{ contents, latest_error },
			},
		]);
	});

	it('is a simplified message of the customer whom the message or else the event names', async () => {
		const parameters = { output: 'simplified' };
		const named = async (message: object, event: object) =>
			(await arrive({ parameters, payload: { ...eventOf(message as IDataObject), ...event } })).items?.[0]
				.customer_id;
		expect(await named({ customer_id: 9 }, { customer: { id: 8 } })).toBe(9);
		expect(await named({}, { customer: { id: 8 } })).toBe(8);
		for (const customer of [undefined, null, 'Mira', {}, []])
			expect(await named({}, { customer })).toBeNull();
	});

	it('is an item for each event of a list', async () => {
		const payload = [eventOf(), eventOf(), eventOf()];
		const { items } = await arrive({ payload });
		expect(items?.map(({ id }) => id)).toEqual(payload.map(({ message }) => message.id));
	});

	it('is an event of another kind only where it is wanted, and then whole', async () => {
		const payload = { event: 'another-event', data: { a: 'x' } };
		expect(await outcome({ payload })).toBe(200);
		for (const output of ['raw', 'simplified', 'message']) {
			const parameters = { output, additionalOptions: { passUnknown: true } };
			expect((await arrive({ parameters, payload })).items).toEqual([payload]);
		}
	});

	it.each<IDataObject>([
		{ event: 'nobodys-message-read', id: 5, status: 'read' },
		{ event: 'nobodys-message-read', message: { id: 5, status: 'read' } },
		{ type: 'nobodys-message-read', data: { message: { id: 5, status: 'read' } } },
		{ event: 'nobodys-message-read', customer: 7 },
	])('keeps the name of an unknown event in every output: %j', async (payload) => {
		for (const output of ['raw', 'simplified', 'message']) {
			const parameters = { output, additionalOptions: { passUnknown: true } };
			const { items } = await arrive({ parameters, payload });
			expect(items).toHaveLength(1);
			expect(JSON.stringify(items)).toContain('nobodys-message-read');
		}
	});

	const file = { data: { id: 'filesystem-v2:workflows/other/secret', mimeType: 'text/plain' } };
	it.each<IDataObject>([
		{ json: { id: 1 } },
		{ json: { id: 1 }, binary: file },
		{ binary: file },
		{ json: {}, pairedItem: { item: 5 } },
		{ json: {}, error: { message: 'No' } },
	])('has no part of an item that a sender made: %j', async (members) => {
		const message = { ...newMessage(), ...members };
		const event = { event: 'new-agent-message' };
		expect(await wholeOf({ payload: { ...event, message } })).toEqual([[{ json: { ...message, event } }]]);
		const payload = { ...eventOf(), ...members };
		expect(await wholeOf({ payload, parameters: { output: 'raw' } })).toEqual([[{ json: payload }]]);
	});
});

describe('shown headers', () => {
	const parameters = { additionalOptions: { includeHeaders: true } };
	const secrets = {
		cookie: 'session=1',
		authorization: basic(`tenant:${SECRET}`),
		'proxy-authorization': 'x',
	};
	const header = { 'x-webhook-secret': SECRET };
	const signature = { 'x-signature': 'sha256=0' };
	const others = { 'content-type': 'application/json', 'x-request-id': '7' };
	const login = { method: 'basicAuth', user: 'tenant', password: SECRET };

	it.each<[string, Arrival, object]>([
		['where anyone may call', {}, { ...others, ...header, ...signature }],
		['the secret', { credential }, { ...others, ...signature }],
		['a login', { credential: login }, { ...others, ...header, ...signature }],
	])('leave out logins and cookies, and nothing else but %s', async (_, arrival, shown) => {
		const headers = { ...secrets, ...header, ...signature, ...others };
		const { items } = await arrive({ parameters, ...arrival, headers });
		expect(items?.[0].headers).toEqual(shown);
	});

	it('are not there unless wanted', async () => {
		expect((await arrive({ headers: header })).items?.[0]).not.toHaveProperty('headers');
	});

	it('cannot change the item, whatever their names', async () => {
		const headers = { ['__proto__']: 'x', json: 'x', 'x-long': 'y'.repeat(100_000) };
		const { result } = await arrive({ parameters, headers });
		expect(Object.keys(result?.workflowData?.[0][0] ?? {})).toEqual(['json']);
	});
});

describe('a message with values of which JavaScript can make no text', () => {
	const NO_TEXT = { toString: 1, valueOf: 1 };
	const odd: IDataObject[] = [
		{ contents: [{ type: NO_TEXT }] },
		{ contents: NO_TEXT, template: NO_TEXT, template_name: NO_TEXT },
		{ conversation_id: NO_TEXT, reference: { id: NO_TEXT } },
		{ from: NO_TEXT, source: NO_TEXT, status: NO_TEXT, ca_template_id: NO_TEXT },
		{ latest_error: { user_friendly_message: NO_TEXT } },
		{ ...NO_TEXT, toJSON: 1, then: 1 },
	];

	it.each(odd)('starts the workflow, in every output: %j', async (message) => {
		for (const output of ['message', 'raw', 'simplified']) {
			expect(await outcome({ payload: eventOf(message), parameters: { output } })).toBe('started');
		}
	});

	it.each(odd)('is answered with 200 where a filter asks for something else: %j', async (message) => {
		const filters = { conversation: '1', from: 'nobody', source: 'x', status: 'y', template: 'z' };
		expect(await outcome({ payload: eventOf(message), parameters: { filters } })).toBe(200);
	});

	it('is answered where its event is odd too', async () => {
		const payload = { event: NO_TEXT, type: NO_TEXT, name: NO_TEXT, message: newMessage() };
		expect(await outcome({ payload })).toBe('started');
	});
});

describe('a failure that the sender has not caused', () => {
	const unreadable = Object.defineProperty({}, 'deliveries', {
		get() {
			throw new Error('No memory');
		},
	});

	it.each<[string, Arrival]>([
		['a credential that cannot be read', { credential: new Error('No key') }],
		['a memory that cannot be read', { staticData: unreadable }],
	])('is %s: the sender is asked to repeat it, and n8n logs why', async (_, arrival) => {
		const headers = { 'x-webhook-secret': SECRET };
		expect(await arrive({ headers, ...arrival })).toMatchObject({ status: 500, items: undefined });
		const lines = log.lines
			.filter(([level]) => level === 'error')
			.map((words) => words.map(String).join(' '));
		expect(lines).toEqual([expect.stringMatching(/could not take a delivery.*No (key|memory)/)]);
		expect(leaksIn(log.lines, SECRET)).toEqual([]);
	});

	it.each<[string, Arrival]>([
		['a credential that cannot be read', { credential: new Error('No key') }],
		['a memory that cannot be read', { credential, staticData: unreadable }],
	])(
		'loses no delivery: after %s, the retry of the sender starts the workflow, once',
		async (name, arrival) => {
			const same = {
				...{ payload: eventOf(), workflowId: name, credentialId: name },
				...{ credential, headers: { 'x-webhook-secret': SECRET } },
				parameters: { additionalOptions: { includeHeaders: true } },
			};
			expect(await outcome({ ...same, ...arrival })).toBe(500);
			expect(await outcome(same)).toBe('started');
			expect(await outcome(same)).toBe(200);
		},
	);
});

describe('over the network', () => {
	const server = WebhookServer.inEachTest();
	const JSON_TYPE = { 'content-type': 'application/json' };
	const tooMuch = JSON.stringify({ text: 'x'.repeat(1_100_000) });

	it.each<[string, Question, number]>([
		['no JSON', { body: '{"id":', headers: JSON_TYPE }, 400],
		['another type', { body: new URLSearchParams({ a: '1' }) }, 415],
		['no type', { body: Buffer.from('{}'), headers: {} }, 415],
		['too much', { body: tooMuch, headers: JSON_TYPE }, 413],
		['too much without a length', { body: Readable.from([Buffer.from(tooMuch)]), headers: JSON_TYPE }, 413],
	])('%s is answered with its status alone', async (_, question, status) => {
		expect(await server.deliver({}, question)).toEqual({ status, body: '', items: undefined });
	});

	it.each<[string, string, IDataObject, string, number]>([
		['an event that is taken', JSON.stringify(eventOf()), {}, SECRET, 200],
		['a raw event', JSON.stringify(eventOf()), { output: 'raw' }, SECRET, 200],
		['an event that is none', '{"event":', {}, SECRET, 400],
		['an event that is left out', JSON.stringify(eventOf()), { filters: { status: 'x' } }, SECRET, 200],
		['an event that is refused', JSON.stringify(eventOf()), {}, `${SECRET}s`, 401],
	])('what proves who calls stands nowhere after %s', async (_, body, more, sent, status) => {
		const setUp: TriggerSetUp = {
			credential,
			parameters: {
				...{ authentication: 'credential', additionalOptions: { includeHeaders: true } },
				...(more as TriggerSetUp['parameters']),
			},
		};
		const headers = { ...JSON_TYPE, cookie: `token=${SECRET}`, authorization: basic(`tenant:${SECRET}`) };
		const reception = await server.deliver(setUp, {
			body,
			headers: { ...headers, 'x-webhook-secret': sent },
		});
		expect(reception).toMatchObject({ status, body: '' });
		const all = { reception, staticData: server.staticData, log: log.lines };
		expect(leaksIn(all, SECRET, 'all')).toEqual([]);
	});

	it('what n8n kept is known after a restart', async () => {
		const question = { body: JSON.stringify(eventOf()), headers: JSON_TYPE };
		expect((await server.deliver({ workflowId: 'before' }, question)).items).toHaveLength(1);
		server.staticData.set('after', server.staticData.get('before') ?? {});
		const redelivered = await server.deliver({ workflowId: 'after' }, question);
		expect(redelivered).toEqual({ status: 200, body: '', items: undefined });
	});
});

it.each<IDataObject>([
	...[{ message: null }, { message: {} }, { message: { status: 'created' } }, { message: [{ id: 1 }] }],
	...[{ data: { message: null } }, { data: '{"id":1}' }, { messages: [{ id: 1 }] }, { payload: { id: 1 } }],
])('an event without a message starts nothing unless unknown events pass: %j', async (none) => {
	const payload = { event: 'new-agent-message', ...none };
	expect(await outcome({ payload })).toBe(200);
	const parameters = { output: 'message', additionalOptions: { passUnknown: true } };
	expect((await arrive({ payload, parameters })).items).toEqual([payload]);
});

describe('a switch', () => {
	const ON = [true, 1, '1', 'yes', 'TRUE'];
	const OFF = [false, 0, '0', 'no', 'False'];
	const unknown = { event: 'message-deleted', id: 5 };
	const itemsWith = async (additionalOptions: IDataObject, arrival: Arrival = {}) =>
		(await arrive({ ...arrival, parameters: { additionalOptions } as never })).items;

	it.each([...ON, ...OFF])('that an expression gives as %j is read as in operations', async (value) => {
		const isOn = ON.includes(value);
		expect((await itemsWith({ passUnknown: value }, { payload: unknown })) !== undefined).toBe(isOn);
		expect('headers' in ((await itemsWith({ includeHeaders: value })) ?? [{}])[0]).toBe(isOn);
		const again = { workflowId: 'switched', payload: eventOf() };
		await itemsWith({ ignoreRedeliveries: value }, again);
		expect((await itemsWith({ ignoreRedeliveries: value }, again)) === undefined).toBe(isOn);
	});

	it.each(['', null])('without a value, %j, is as it is where nobody adds it', async (value) => {
		expect(await itemsWith({ passUnknown: value }, { payload: unknown })).toBeUndefined();
		const again = { workflowId: 'switched', payload: eventOf() };
		await itemsWith({ ignoreRedeliveries: value }, again);
		expect(await itemsWith({ ignoreRedeliveries: value }, again)).toBeUndefined();
	});

	it.each([
		[{ additionalOptions: { passUnknown: 'maybe' } }, 'Pass Unknown Events "maybe"'],
		[{ additionalOptions: { includeHeaders: 2 } }, 'Include Headers "2"'],
		[{ additionalOptions: { ignoreRedeliveries: {} } }, 'Ignore Redeliveries "{}"'],
		[{ filters: { onlyFailed: 'x' } }, 'Only Failed "x"'],
	])(
		'that is neither on nor off starts nothing, and the sender is asked to repeat: %j',
		async (parameters, words) => {
			const { status, items } = await arrive({ parameters: parameters as never });
			expect([status, items]).toEqual([500, undefined]);
			const told = log.lines.map((line) => line.join(' ')).join('\n');
			expect(told).toContain(`${words} is neither true nor false. Enter true or false.`);
		},
	);
});
