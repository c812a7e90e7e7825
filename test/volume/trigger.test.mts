import fc from 'fast-check';

import { type TriggerSetUp, WebhookServer } from '../engine/webhook.mts';

const server = WebhookServer.inEachTest();

const REQUESTS = 10_000;

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
	fc.constantFrom(
		'x-signature',
		'x-timestamp',
		'authorization',
		'x-webhook-secret',
		'webhook-id',
		'webhook-timestamp',
		'webhook-signature',
		'cookie',
		'x-other',
	),
	fc.string({ unit: fc.constantFrom(...'abcdef0123456789=. ,:/+') }),
);
const JSON_TYPE = 'application/json';
const anyType = fc.constantFrom(JSON_TYPE, JSON_TYPE, 'text/plain', 'multipart/form-data', 'x', '');

const secret = 'not to be guessed';
const credentials: Array<NonNullable<TriggerSetUp['credential']>> = [
	{ method: 'headerSecret', headerName: 'X-Webhook-Secret', secret },
	{ method: 'basicAuth', user: 'tenant', password: secret },
	{
		...{
			method: 'hmac',
			signatureHeaderName: 'X-Signature',
			secret,
			encoding: 'base64',
		},
		prefix: '',
		timestampHeaderName: 'X-Timestamp',
	},
];
credentials.push({
	method: 'standardWebhooks',
	secret: `whsec_${Buffer.from(secret.repeat(2)).toString('base64')}`,
});
const setUps: TriggerSetUp[] = [
	{},
	...credentials.map((credential) => ({ parameters: { authentication: 'credential' }, credential })),
];

it(`of ${REQUESTS} requests, none is a failure of n8n, and none of a stranger starts the workflow`, async () => {
	const which = fc.nat(setUps.length - 1);
	const check = fc.asyncProperty(anyBody, anyHeaders, anyType, which, async (body, headers, type, index) => {
		const question = { body, headers: { ...headers, 'content-type': type } };
		const { status, items, body: answer } = await server.deliver(setUps[index], question);
		expect([200, 400, 401, 413, 415]).toContain(status);
		expect(answer).toMatch(status === 200 ? /^$/ : /^{"message":"The .+"}$/);
		if (index > 0) expect([status, items]).toEqual([401, undefined]);
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});
	await fc.assert(check, { numRuns: REQUESTS, seed: 1 });
});
