import type { IDataObject } from 'n8n-workflow';

import { leaksIn, LogWatch } from '../engine/leaks.mts';
import { arrive, type Arrival, eventOf, newMessage, outcome } from '../engine/arrival.mts';

// n8n's logger is only watched once it is loaded.
beforeAll(async () => void (await arrive()));

const log = LogWatch.inEachTest();

const MEGABYTE = 1024 * 1024;
const SECRET = 'sixteen-or-more-characters';
const credential = { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: SECRET };
const withSecret = { 'x-webhook-secret': SECRET };

/** A new event that takes so many bytes. */
function bodyOf(bytes: number): Buffer {
	const event = { ...eventOf(), text: '' };
	return Buffer.from(JSON.stringify({ ...event, text: 'x'.repeat(bytes - JSON.stringify(event).length) }));
}

describe('the size of a body', () => {
	it('of a megabyte is taken, and not a byte more', async () => {
		for (const size of [MEGABYTE, MEGABYTE + 1]) {
			const expected = size === MEGABYTE ? 'started' : 413;
			const headers = { 'content-length': String(size) };
			expect(await outcome({ body: bodyOf(size) })).toBe(expected);
			expect(await outcome({ body: bodyOf(size), headers })).toBe(expected);
		}
		const announced = { 'content-length': String(MEGABYTE + 1) };
		const arrived = await arrive({ headers: announced, credential: new Error('No key') });
		expect(arrived).toMatchObject({ status: 413, bodyReads: 0, credentialReads: 0 });
	});

	it.each([
		['is larger than n8n takes', Object.assign(new Error(), { type: 'entity.too.large' }), 413],
		['breaks off', Object.assign(new Error(), { type: 'request.aborted' }), 400],
		['cannot be read', new Error('broken'), 400],
	])('a body that %s is answered with its status', async (_, body, status) => {
		expect(await arrive({ body })).toMatchObject({ status, items: undefined });
		const hmac = { method: 'hmac', signatureHeaderName: 'X', secret: SECRET, encoding: 'hex' };
		expect(await outcome({ body, credential: hmac, headers: { x: 'a signature' } })).toBe(status);
	});
});

const JSON_TYPES = ['json', 'JSON', 'json ; charset=utf-8', 'json; charset=utf-16', 'x+json ; a=b'];
const LONG_TYPES = ['application/json;'.padEnd(50_000, ';'), `a/b+json${' '.repeat(50_000)}`];
const OTHER_TYPES = [
	'application/json-seq',
	'application/jsonx',
	'text/json',
	'text/plain; application/json',
];
const FORMS = ['', undefined, 'multipart/form-data; boundary=x', 'text/json, application/json'];

it.each([
	...[...JSON_TYPES.map((type) => ` application/${type}`), ...LONG_TYPES].map((type) => [type, 'started']),
	...[...OTHER_TYPES, ...FORMS].map((type) => [type, 415]),
])('the content type %.40j: %s', async (type, expected) => {
	expect(await outcome({ headers: { 'content-type': type as string } })).toBe(expected);
});

describe('what comes out', () => {
	const wholeOf = async (arrival: Arrival) => (await arrive(arrival)).result?.workflowData;
	const passing = (output: string) => ({ output, additionalOptions: { passUnknown: true } });
	const OUTPUTS = ['raw', 'simplified', 'message'];

	it('is the message, with the fields of the event under event', async () => {
		const message = newMessage();
		const event = { event: 'new-agent-message', at: 'now' };
		expect(await wholeOf({ payload: { ...event, message } })).toEqual([[{ json: { ...message, event } }]]);
		const alone = newMessage();
		expect(await wholeOf({ payload: alone })).toEqual([[{ json: { ...alone, event: {} } }]]);
		const named = { ...newMessage(), event: 'new-agent-message' };
		expect(await wholeOf({ payload: named })).toEqual([[{ json: named }]]);
	});

	it('is each message of a list that passes, although it shows only an ID and its failure', async () => {
		const failed = { id: 1, latest_error: { type: 'x' } };
		const payload = [failed, { id: 2 }, { ...failed, id: 3 }].map((message) => ({
			type: 'new-agent-message',
			message,
		}));
		const { items } = await arrive({ payload, parameters: { filters: { onlyFailed: true } } });
		expect(items?.map(({ id }) => id)).toEqual([1, 3]);
	});

	it('is a simplified message of the customer whom the message or else the event names', async () => {
		const customerOf = async (message: IDataObject, customer: unknown) => {
			const payload = { ...eventOf(message), customer };
			return (await arrive({ parameters: { output: 'simplified' }, payload })).items?.[0].customer_id;
		};
		expect(await customerOf({ customer_id: 9 }, { id: 8 })).toBe(9);
		expect(await customerOf({}, { id: 8 })).toBe(8);
		for (const nobody of [undefined, null, 'Mira', {}, []]) expect(await customerOf({}, nobody)).toBeNull();
	});

	it.each<IDataObject>([
		{ event: 'nobodys-message-read', id: 5, status: 'read' },
		{ event: 'nobodys-message-read', message: { id: 5, status: 'read' } },
		{ type: 'nobodys-message-read', data: { message: { id: 5, status: 'read' } } },
		{ event: 'nobodys-message-read', customer: 7 },
	])(
		'is an unknown event only where it is wanted, and keeps its name in every output: %j',
		async (payload) => {
			expect(await outcome({ payload })).toBe(200);
			for (const output of OUTPUTS) {
				const { items } = await arrive({ parameters: passing(output), payload });
				expect(items).toHaveLength(1);
				expect(JSON.stringify(items)).toContain('nobodys-message-read');
			}
		},
	);

	it.each<IDataObject>([
		...[{ message: null }, { message: {} }, { message: { status: 'created' } }, { message: [{ id: 1 }] }],
		...[{ data: { message: null } }, { data: '{"id":1}' }, { messages: [{ id: 1 }] }, { payload: { id: 1 } }],
	])('is an event without a message only where unknown ones are wanted, and whole: %j', async (none) => {
		const payload = { event: 'new-agent-message', ...none };
		expect(await outcome({ payload })).toBe(200);
		for (const output of OUTPUTS)
			expect((await arrive({ payload, parameters: passing(output) })).items).toEqual([payload]);
	});
});

describe('shown headers', () => {
	const parameters = { additionalOptions: { includeHeaders: true } };
	const login = `Basic ${Buffer.from(`tenant:${SECRET}`).toString('base64')}`;
	const secrets = { cookie: `session=${SECRET}`, authorization: login, 'proxy-authorization': 'x' };
	const others = { 'content-type': 'application/json', 'x-request-id': '7' };

	it('leave out logins, cookies and what proves the caller, which stand nowhere else either', async () => {
		const headers = { ...secrets, ...withSecret, ...others };
		const { items: shown, ...arrived } = await arrive({ parameters, credential, headers });
		expect(shown?.[0].headers).toEqual(others);
		expect(leaksIn([shown, arrived.result, arrived.body, log.lines], SECRET)).toEqual([]);
		const { items } = await arrive({ parameters, headers });
		expect(items?.[0].headers).toEqual({ ...withSecret, ...others });
	});

	it('are not there unless wanted, and cannot change the item, whatever their names', async () => {
		expect((await arrive({ headers: withSecret })).items?.[0]).not.toHaveProperty('headers');
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
		for (const output of ['message', 'raw', 'simplified'])
			expect(await outcome({ payload: eventOf(message), parameters: { output } })).toBe('started');
		const payload = { event: NO_TEXT, type: NO_TEXT, message: { ...newMessage(), ...message } };
		expect(await outcome({ payload })).toBe('started');
	});

	it.each(odd)('is answered with 200 where a filter asks for something else: %j', async (message) => {
		const filters = { conversation: '1', from: 'nobody', source: 'x', status: 'y', template: 'z' };
		expect(await outcome({ payload: eventOf(message), parameters: { filters } })).toBe(200);
	});
});

describe('a failure that the sender has not caused', () => {
	const unreadable = Object.defineProperty({}, 'deliveries', {
		get() {
			throw new Error('No memory');
		},
	});

	const options = (additionalOptions: IDataObject) => ({ parameters: { additionalOptions } }) as Arrival;
	it.each<[string, Arrival, string]>([
		['a credential that cannot be read', { credential: new Error('No key') }, 'No key'],
		['a memory that cannot be read', { staticData: unreadable }, 'No memory'],
		[
			'a filter',
			{ parameters: { filters: { onlyFailed: 'x' } } },
			'Only Failed "x" is neither true nor false',
		],
		['a kind', options({ passUnknown: 'x' }), 'Pass Unknown Events "x" is neither true nor false'],
		['a header', options({ includeHeaders: 2 }), 'Include Headers "2" is neither true nor false'],
		['a switch', options({ ignoreRedeliveries: {} }), 'Ignore Redeliveries "{}" is neither true nor false'],
	])(
		'is %s: the sender is asked to repeat it, n8n logs why, and the retry starts the workflow',
		async (name, arrival, why) => {
			const ids = { workflowId: name, credentialId: name };
			const same = { ...ids, payload: eventOf(), credential, headers: withSecret };
			expect(await arrive({ ...same, ...arrival })).toMatchObject({ status: 500, items: undefined });
			expect(log.lines).toEqual([
				['error', expect.stringContaining(`status 500: n8n could not take the webhook. ${why}`), {}],
			]);
			expect(leaksIn(log.lines, SECRET)).toEqual([]);
			expect(await outcome(same)).toBe('started');
			expect(await outcome(same)).toBe(200);
		},
	);
});
