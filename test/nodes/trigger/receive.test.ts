import { createHmac } from 'node:crypto';

import fc from 'fast-check';

import { editorOf } from '../../engine/engine';
import { type TriggerSetUp, WebhookServer } from '../../engine/webhook';

const server = WebhookServer.inEachTest();

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

describe('who may call', () => {
	const header = withCredential({
		method: 'headerSecret',
		headerName: 'X-Webhook-Secret',
		secret: 's3cret-s3cret-s3cret',
	});
	const basic = withCredential({ method: 'basicAuth', user: 'tenant', password: 'pass:word' });
	const hmac = (more = {}) =>
		withCredential({
			method: 'hmac',
			signatureHeaderName: 'X-Signature',
			secret: 'key',
			algorithm: 'sha256',
			encoding: 'hex',
			prefix: 'sha256=',
			timestampHeaderName: '',
			toleranceSeconds: 300,
			...more,
		});
	const sign = (text: string) => `sha256=${createHmac('sha256', 'key').update(text).digest('hex')}`;
	const basicOf = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;

	it.each<[string, TriggerSetUp, (body: string) => Record<string, string>]>([
		['the header secret', header, () => ({ 'X-Webhook-Secret': 's3cret-s3cret-s3cret' })],
		['basic auth', basic, () => ({ authorization: basicOf('tenant:pass:word') })],
		['the signature', hmac(), (body) => ({ 'x-signature': sign(body) })],
		[
			'the signature with a timestamp',
			hmac({ timestampHeaderName: 'X-Timestamp' }),
			(body) => {
				const now = String(Math.floor(Date.now() / 1000));
				return { 'x-timestamp': now, 'x-signature': sign(`${now}.${body}`) };
			},
		],
	])('%s lets in', async (_, setUp, headers) => {
		const body = JSON.stringify(eventOf());
		const { status, items } = await deliver(body, setUp, headers(body));
		expect([status, items?.length]).toEqual([200, 1]);
	});

	it.each<[string, TriggerSetUp, Record<string, string>]>([
		['no header', header, {}],
		['a wrong secret', header, { 'X-Webhook-Secret': 's3cret-s3cret-s3creT' }],
		['an empty secret', withCredential({ method: 'headerSecret', headerName: 'X', secret: '' }), { X: '' }],
		['no login', basic, {}],
		['a wrong login', basic, { authorization: basicOf('tenant:password') }],
		[
			'an empty login',
			withCredential({ method: 'basicAuth', user: '', password: '' }),
			{ authorization: basicOf(':') },
		],
		['no signature', hmac(), {}],
		['a wrong signature', hmac(), { 'x-signature': sign('something else') }],
		['a missing timestamp', hmac({ timestampHeaderName: 'X-Timestamp' }), { 'x-signature': sign('{}') }],
		['an empty signing secret', hmac({ secret: '' }), { 'x-signature': sign('{}') }],
		['an unknown method', withCredential({ method: 'other' }), {}],
		['an empty credential', withCredential({}), {}],
	])('%s is refused, without a word and without an execution', async (_, setUp, headers) => {
		expect(await deliver(eventOf(), setUp, headers)).toEqual({ status: 401, body: '', items: undefined });
	});

	it('a replay is refused when its timestamp is too old', async () => {
		const body = JSON.stringify(eventOf());
		const old = String(Math.floor(Date.now() / 1000) - 301);
		const { status } = await deliver(body, hmac({ timestampHeaderName: 'X-Timestamp' }), {
			'x-timestamp': old,
			'x-signature': sign(`${old}.${body}`),
		});
		expect(status).toBe(401);
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
	it.each<[string, RequestInit, number]>([
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
				body: new Blob([JSON.stringify({ text: 'x'.repeat(1_100_000) })]).stream(),
				headers: JSON_TYPE,
				duplex: 'half',
			} as RequestInit,
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

	it('headers when wanted, but never the secret among them', async () => {
		const { items } = await deliver(
			eventOf(),
			{
				parameters: { authentication: 'credential', additionalOptions: { includeHeaders: true } },
				credential: { method: 'headerSecret', headerName: 'X-Secret', secret: 'top-secret' },
			},
			{ 'X-Secret': 'top-secret', authorization: 'Bearer top-secret', 'x-request-id': '7' },
		);
		expect(items?.[0].headers).toMatchObject({ 'x-request-id': '7', 'content-type': 'application/json' });
		expect(JSON.stringify(items)).not.toContain('top-secret');
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
