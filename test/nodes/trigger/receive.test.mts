import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';

import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import type { Question } from '../../http.mts';
import { editorOf } from '../../engine/engine.mts';
import { leaksIn, LogWatch } from '../../engine/leaks.mts';
import { type TriggerSetUp, WebhookServer } from '../../engine/webhook.mts';

const server = WebhookServer.inEachTest();
const log = LogWatch.inEachTest();

let lastId = 0;
const nextMessage = () => ({ id: ++lastId, conversation_id: 3, from: 'agent', status: 'created' });
const eventOf = (message: object = nextMessage()) => ({ event: 'new-agent-message', message });

const JSON_TYPE = { 'content-type': 'application/json' };

async function deliver(payload: unknown, setUp: TriggerSetUp = {}, headers: Record<string, string> = {}) {
	const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
	return await server.deliver(setUp, { body, headers: { ...JSON_TYPE, ...headers } });
}

const withCredential = (credential: NonNullable<TriggerSetUp['credential']>): TriggerSetUp => ({
	parameters: { authentication: 'credential' },
	credential,
});

/** What the trigger's credential and the sender of a delivery agree on. */
interface Agreed {
	/** The credential's data. */
	credential: NonNullable<TriggerSetUp['credential']>;
	/** The sender's proof that it is the tenant, for exactly this body and this second. */
	proof: (body: string, now: number) => Record<string, string>;
}

/** What is sent: made by what was agreed on, then changed by those who try to get in. */
interface Sent {
	body: string;
	headers: Record<string, string>;
}

const SECRET = 's3cret-s3cret-s3cret';
const nowInSeconds = () => Math.floor(Date.now() / 1000);

const byHeader = (secret = SECRET): Agreed => ({
	credential: { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret },
	proof: () => ({ 'x-webhook-secret': secret }),
});

const basicOf = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
const byLogin = (user = 'tenant', password = `pass:${SECRET}`): Agreed => ({
	credential: { method: 'basicAuth', user, password },
	proof: () => ({ authorization: basicOf(`${user}:${password}`) }),
});

const sign = (text: string, secret = SECRET) =>
	`sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
const bySignature = (secret = SECRET): Agreed => ({
	credential: {
		method: 'hmac',
		signatureHeaderName: 'X-Signature',
		secret,
		algorithm: 'sha256',
		encoding: 'hex',
		prefix: 'sha256=',
		timestampHeaderName: '',
		toleranceSeconds: 300,
	},
	proof: (body) => ({ 'x-signature': sign(body, secret) }),
});
const signedAt = (body: string, seconds: number) => ({
	'x-timestamp': String(seconds),
	'x-signature': sign(`${seconds}.${body}`),
});
const byTimedSignature = (): Agreed => ({
	credential: { ...bySignature().credential, timestampHeaderName: 'X-Timestamp' },
	proof: signedAt,
});

/** Each method with what somebody may try who has all but one thing right. */
const METHODS: Array<[string, Agreed, Record<string, (sent: Sent, now: number) => Partial<Sent>>]> = [
	[
		'a secret in a header',
		byHeader(),
		{
			'no header': () => ({ headers: {} }),
			'another header': () => ({ headers: { 'x-secret': SECRET } }),
			'another last letter': () => ({ headers: { 'x-webhook-secret': 's3cret-s3cret-s3creT' } }),
			'a part of the secret': () => ({ headers: { 'x-webhook-secret': SECRET.slice(0, -1) } }),
			'more than the secret': () => ({ headers: { 'x-webhook-secret': `${SECRET}s` } }),
			'the secret twice': () => ({ headers: { 'x-webhook-secret': `${SECRET}, ${SECRET}` } }),
			'an empty header': () => ({ headers: { 'x-webhook-secret': '' } }),
		},
	],
	[
		'a login',
		byLogin(),
		{
			'no login': () => ({ headers: {} }),
			'another user': () => ({ headers: { authorization: basicOf(`tenants:pass:${SECRET}`) } }),
			'another password': () => ({ headers: { authorization: basicOf(`tenant:pass:${SECRET}s`) } }),
			'no password': () => ({ headers: { authorization: basicOf('tenant:') } }),
			'the password up to its colon': () => ({ headers: { authorization: basicOf('tenant:pass') } }),
			'another scheme': ({ headers }) => ({
				headers: { authorization: headers.authorization.replace('Basic', 'Bearer') },
			}),
		},
	],
	[
		'a signature',
		bySignature(),
		{
			'no signature': () => ({ headers: {} }),
			'an empty signature': () => ({ headers: { 'x-signature': '' } }),
			'nothing but the prefix': () => ({ headers: { 'x-signature': 'sha256=' } }),
			'another key': ({ body }) => ({ headers: { 'x-signature': sign(body, `${SECRET}s`) } }),
			'the signature of another body': ({ body }) => ({ headers: { 'x-signature': sign(`${body} `) } }),
			'another body': ({ body }) => ({ body: `${body} ` }),
			'one character of the body changed': ({ body }) => ({ body: body.replace('agent', 'Agent') }),
			'one digit changed': ({ headers }) => ({
				headers: {
					'x-signature': headers['x-signature'].replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
				},
			}),
			'no prefix': ({ headers }) => ({
				headers: { 'x-signature': headers['x-signature'].replace('sha256=', '') },
			}),
			'another prefix': ({ headers }) => ({
				headers: { 'x-signature': headers['x-signature'].replace('sha256=', 'sha512=') },
			}),
			'another encoding': ({ body }) => ({
				headers: { 'x-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('base64')}` },
			}),
			'another algorithm': ({ body }) => ({
				headers: { 'x-signature': `sha256=${createHmac('sha512', SECRET).update(body).digest('hex')}` },
			}),
			'another header': ({ headers }) => ({ headers: { 'x-signatures': headers['x-signature'] } }),
		},
	],
	[
		'a signature with a timestamp',
		byTimedSignature(),
		{
			'no timestamp': ({ headers }) => ({ headers: { 'x-signature': headers['x-signature'] } }),
			'no timestamp, and none signed': ({ body }) => ({ headers: { 'x-signature': sign(body) } }),
			'a timestamp that is not signed': ({ body, headers }) => ({
				headers: { ...headers, 'x-signature': sign(body) },
			}),
			'another timestamp': ({ headers }, now) => ({
				headers: { ...headers, 'x-timestamp': String(now - 1) },
			}),
			'an old one': ({ body }, now) => ({ headers: signedAt(body, now - 302) }),
			'one from the future': ({ body }, now) => ({ headers: signedAt(body, now + 320) }),
			'another body': ({ body }) => ({ body: `${body} ` }),
		},
	],
];

describe('who may call', () => {
	const send = async ({ credential }: Agreed, { body, headers }: Sent) =>
		await deliver(body, withCredential(credential), headers);
	const right = ({ proof }: Agreed, now = nowInSeconds()): Sent => {
		const body = JSON.stringify(eventOf());
		return { body, headers: proof(body, now) };
	};

	describe.each(METHODS)('with %s', (_, agreed, attempts) => {
		it('the tenant', async () => {
			const { status, items } = await send(agreed, right(agreed));
			expect([status, items?.length]).toEqual([200, 1]);
		});

		it.each(Object.keys(attempts))(
			'nobody with %s, without a word and without an execution',
			async (what) => {
				const now = nowInSeconds();
				const sent = right(agreed, now);
				// One thing is wrong, and the rest would do.
				const change = attempts[what](sent, now);
				expect(Object.keys(change)).toHaveLength(1);
				expect({ ...sent, ...change }).not.toEqual(sent);
				expect(await send(agreed, { ...sent, ...change })).toEqual({
					status: 401,
					body: '',
					items: undefined,
				});
				expect((await send(agreed, sent)).status).toBe(200);
			},
		);
	});

	it('a timestamp within the tolerance', async () => {
		const agreed = byTimedSignature();
		for (const age of [295, -295]) {
			const { status, items } = await send(agreed, right(agreed, nowInSeconds() - age));
			expect([age, status, items?.length]).toEqual([age, 200, 1]);
		}
	});

	it.each<[string, Agreed, Agreed]>([
		['an empty secret', byHeader(), byHeader('')],
		['an empty login', byLogin(), byLogin('', '')],
		['an empty user', byLogin(), byLogin('')],
		['an empty password', byLogin(), byLogin('tenant', '')],
		['an empty signing secret', bySignature(), bySignature('')],
	])('%s lets nobody in, not even with the same', async (_, full, empty) => {
		expect((await send(full, right(full))).status).toBe(200);
		expect(await send(empty, right(empty))).toEqual({ status: 401, body: '', items: undefined });
	});

	it.each<[string, NonNullable<TriggerSetUp['credential']>]>([
		['an unknown method', { ...byHeader().credential, method: 'other' }],
		['no method', { ...byHeader().credential, method: undefined } as never],
		['no header name', { ...byHeader().credential, headerName: '' }],
	])('a credential with %s lets nobody in', async (_, credential) => {
		const agreed = byHeader();
		expect((await send(agreed, right(agreed))).status).toBe(200);
		expect((await send({ ...agreed, credential }, right(agreed))).status).toBe(401);
	});

	it.each([
		['192.0.2.0/24', '192.0.2.7', 200],
		['192.0.2.0/24', '198.51.100.7', 403],
		['nonsense', '192.0.2.7', 403],
	])('the allow list %s answers %s with %i', async (ipAllowList, ip, status) => {
		const answer = await deliver(eventOf(), { parameters: { additionalOptions: { ipAllowList } }, ip });
		expect([answer.status, answer.items !== undefined]).toEqual([status, status === 200]);
	});
});

describe('a secret that is changed', () => {
	afterEach(() => jest.restoreAllMocks());

	it('is known a second later, and the one before is not accepted for longer than ten', async () => {
		let now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const statusOf = async (sent: string, secret: string) => {
			const credential = { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret };
			const setUp = { ...withCredential(credential), credentialId: 'changing' };
			return (await deliver(eventOf(), setUp, { 'X-Webhook-Secret': sent })).status;
		};
		const [before, after] = ['the secret before', 'the secret after'];
		expect(await statusOf(before, before)).toBe(200);
		now += 500;
		expect(await statusOf(after, after)).toBe(401);
		now += 600;
		expect(await statusOf('another', after)).toBe(401);
		expect(await statusOf(after, after)).toBe(200);
		expect(await statusOf(before, after)).toBe(401);
		expect(await statusOf(after, before)).toBe(200);
		now += 10_000;
		expect(await statusOf(after, before)).toBe(401);
		expect(await statusOf(before, before)).toBe(200);
	});
});

describe('what may come', () => {
	it.each<[string, Question, number]>([
		['no JSON', { body: '{"id":', headers: JSON_TYPE }, 400],
		['an empty body', { body: '', headers: JSON_TYPE }, 400],
		['a number', { body: '7', headers: JSON_TYPE }, 400],
		['another type', { body: '{}', headers: { 'content-type': 'text/plain' } }, 415],
		['a form', { body: new URLSearchParams({ a: '1' }) }, 415],
		['no type', { body: Buffer.from('{}'), headers: {} }, 415],
		['too much', { body: JSON.stringify({ text: 'x'.repeat(1_100_000) }), headers: JSON_TYPE }, 413],
		[
			'too much without a length',
			{
				body: Readable.from([Buffer.from(JSON.stringify({ text: 'x'.repeat(1_100_000) }))]),
				headers: JSON_TYPE,
			},
			413,
		],
	])('%s is answered with its status and starts nothing', async (_, init, status) => {
		expect(await server.deliver({}, init)).toEqual({ status, body: '', items: undefined });
	});

	it.each(['application/json; charset=utf-8', 'application/vnd.tenant+json'])('takes %s', async (type) => {
		expect((await deliver(eventOf(), {}, { 'content-type': type })).items).toHaveLength(1);
	});

	it('the size limit is an option', async () => {
		const setUp = { parameters: { additionalOptions: { maximumSizeKb: 1 } } };
		expect((await deliver({ ...eventOf(), text: 'x'.repeat(1100) }, setUp)).status).toBe(413);
	});

	it('makes one item of each event of a list', async () => {
		const { items } = await deliver([eventOf(), eventOf(), eventOf()]);
		expect(items?.map(({ id }) => id)).toEqual([lastId - 2, lastId - 1, lastId]);
	});

	it('answers events of other kinds and ignores them, unless told otherwise', async () => {
		const other = { event: 'customer-created', data: { id: ++lastId } };
		expect(await deliver(other)).toEqual({ status: 200, body: '', items: undefined });
		const { items } = await deliver(other, {
			parameters: { additionalOptions: { passUnknown: true }, output: 'raw' },
		});
		expect(items).toEqual([other]);
	});
});

describe('what comes out', () => {
	it('the message with the fields of the event', async () => {
		const message = nextMessage();
		const { items } = await deliver({ event: 'new-agent-message', at: 'now', message });
		expect(items).toEqual([{ ...message, event: { event: 'new-agent-message', at: 'now' } }]);
	});

	it('the raw event', async () => {
		const event = eventOf();
		expect((await deliver(event, { parameters: { output: 'raw' } })).items).toEqual([event]);
	});

	it('headers when wanted', async () => {
		const { items } = await deliver(
			eventOf(),
			{ parameters: { additionalOptions: { includeHeaders: true } } },
			{ 'x-request-id': '7' },
		);
		expect(items?.[0].headers).toMatchObject({ 'x-request-id': '7', 'content-type': 'application/json' });
	});

	describe.each(METHODS)('never what proves who calls, with %s:', (_, { credential, proof }) => {
		const setUp = (more: INodeParameters): TriggerSetUp => ({
			parameters: { authentication: 'credential', additionalOptions: { includeHeaders: true }, ...more },
			credential,
		});

		it.each<[string, string, INodeParameters, number]>([
			['an event that is taken', JSON.stringify(eventOf()), {}, 200],
			['a raw event', JSON.stringify(eventOf()), { output: 'raw' }, 200],
			['an event that is none', '{"event":', {}, 400],
			['an event that the filters leave out', JSON.stringify(eventOf()), { filters: { status: 'x' } }, 200],
		])('%s', async (_what, body, parameters, status) => {
			// Headers that name a secret by themselves, whatever the method.
			const others = { cookie: `token=${SECRET}`, 'x-request-id': '7' };
			const headers = { authorization: `Bearer ${SECRET}`, ...others, ...proof(body, nowInSeconds()) };
			const reception = await deliver(body, setUp(parameters), headers);
			expect(reception.status).toBe(status);
			const all = { reception, staticData: server.staticData, log: log.lines };
			for (const secret of [SECRET, sign(body).slice('sha256='.length), sign(body)])
				expect(leaksIn(all, secret, 'all')).toEqual([]);
		});

		it('a delivery that is refused', async () => {
			const headers = { 'x-webhook-secret': `${SECRET}s`, authorization: basicOf(`tenant:${SECRET}s`) };
			const reception = await deliver(eventOf(), setUp({}), headers);
			expect(reception.status).toBe(401);
			expect(leaksIn({ reception, staticData: server.staticData, log: log.lines }, SECRET)).toEqual([]);
		});
	});

	it('a message that the filters leave out is answered at once', async () => {
		const setUp = { parameters: { filters: { conversation: '={{ [1, 2] }}' } } };
		expect(await deliver(eventOf(), setUp)).toEqual({ status: 200, body: '', items: undefined });
		expect((await deliver(eventOf({ ...nextMessage(), conversation_id: 2 }), setUp)).items).toHaveLength(1);
	});
});

describe('exactly once', () => {
	it('a redelivery is answered and starts nothing; another status of the message is news', async () => {
		const message = nextMessage();
		expect((await deliver(eventOf(message))).items).toHaveLength(1);
		expect(await deliver(eventOf(message))).toEqual({ status: 200, body: '', items: undefined });
		expect((await deliver(eventOf({ ...message, status: 'failed' }))).items).toHaveLength(1);
	});

	it('the same message for another workflow is none', async () => {
		const message = nextMessage();
		await deliver(eventOf(message));
		expect((await deliver(eventOf(message), { workflowId: 'other' })).items).toHaveLength(1);
	});

	it('is remembered over a restart by the static data', async () => {
		const message = nextMessage();
		await deliver(eventOf(message), { workflowId: 'before' });
		server.staticData.set('after', server.staticData.get('before') ?? {});
		expect((await deliver(eventOf(message), { workflowId: 'after' })).items).toBeUndefined();
	});

	it('while testing by hand the same event may come again', async () => {
		const message = nextMessage();
		await deliver(eventOf(message), { mode: 'manual' });
		expect((await deliver(eventOf(message), { mode: 'manual' })).items).toHaveLength(1);
	});

	it('can be switched off', async () => {
		const message = nextMessage();
		const setUp = { parameters: { additionalOptions: { ignoreRedeliveries: false } } };
		await deliver(eventOf(message), setUp);
		expect((await deliver(eventOf(message), setUp)).items).toHaveLength(1);
	});

	it('a redelivered event within one list counts once', async () => {
		const event = eventOf();
		expect((await deliver([event, event])).items).toHaveLength(1);
	});
});

describe('whatever comes', () => {
	const FUZZED = Number(process.env.FUZZ_RUNS ?? 10_000);
	const anyBody = fc.oneof(
		fc.json(),
		fc.string(),
		fc.string({ unit: 'binary' }),
		fc.jsonValue().map((value) => JSON.stringify({ event: 'new-agent-message', message: value })),
		fc
			.record({ id: fc.anything(), status: fc.anything(), conversation_id: fc.anything() })
			.map((value) =>
				JSON.stringify({ message: value }, (_, part: unknown) => (typeof part === 'bigint' ? 1 : part)),
			),
		fc.integer({ min: 1, max: 5000 }).map((depth) => '{"a":'.repeat(depth)),
		fc.constant('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
	);
	const anyHeaders = fc.dictionary(
		fc.constantFrom('x-signature', 'x-timestamp', 'authorization', 'x-webhook-secret', 'cookie', 'x-other'),
		fc.string({ unit: fc.constantFrom(...'abcdef0123456789=. ,:/+') }),
	);
	const anyType = fc.constantFrom(
		'application/json',
		'application/json',
		'text/plain',
		'multipart/form-data',
		'x',
		'',
	);
	const setUps: TriggerSetUp[] = [
		{},
		withCredential({ method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: 'not to be guessed' }),
		withCredential({ method: 'basicAuth', user: 'tenant', password: 'not to be guessed' }),
		withCredential({
			method: 'hmac',
			signatureHeaderName: 'X-Signature',
			secret: 'not to be guessed',
			algorithm: 'sha512',
			encoding: 'base64',
			prefix: '',
			timestampHeaderName: 'X-Timestamp',
			toleranceSeconds: 1,
		}),
	];

	it(`never a 5xx, never an execution of an unauthenticated request (${FUZZED} requests)`, async () => {
		await fc.assert(
			fc.asyncProperty(
				anyBody,
				anyHeaders,
				anyType,
				fc.nat(setUps.length - 1),
				async (body, headers, type, index) => {
					const {
						status,
						items,
						body: answer,
					} = await server.deliver(setUps[index], {
						body,
						headers: { ...headers, 'content-type': type },
					});
					expect([200, 400, 401, 403, 413, 415]).toContain(status);
					expect(answer).toBe('');
					if (index > 0) expect([status, items]).toEqual([401, undefined]);
					expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
				},
			),
			{ numRuns: FUZZED },
		);
	}, 120_000);
});

describe('the credential', () => {
	it.each([
		[{ method: 'headerSecret', headerName: 'X', secret: 'a-secret-long-enough' }, 'OK', 'Complete'],
		[{ method: 'headerSecret', headerName: 'X', secret: 'short' }, 'Error', 'fewer than 16'],
		[
			{ method: 'headerSecret', headerName: '', secret: 'a-secret-long-enough' },
			'Error',
			'header name is empty',
		],
		[{ method: 'hmac', signatureHeaderName: 'X', secret: '' }, 'Error', 'fewer than 16'],
		[{ method: 'basicAuth', user: '', password: 'a-secret-long-enough' }, 'Error', 'user name is empty'],
	])('%j: %s', async (data, status, message) => {
		const { methods } = await editorOf({
			parameters: {},
			type: 'n8n-nodes-customer-messaging.customerMessagingTrigger',
		});
		const result = await methods.credentialTest?.checkWebhookSecret.call(
			{} as never,
			{ id: '1', name: 'Webhook', type: 'customerMessagingWebhookApi', data } as never,
		);
		expect(result).toMatchObject({ status, message: expect.stringContaining(message) });
	});
});
