import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { problemOf, proofOf } from '../../nodes/CustomerMessaging/trigger/proofs.ts';

afterEach(() => jest.restoreAllMocks());

type Credential = ICredentialDataDecryptedObject;
type Headers = Record<string, unknown>;

const SECRET = 'sixteen-or-more-characters';
const BODY = '{"event":"new-agent-message","message":{"id":7}}';
const NOW = Date.parse('2026-01-01T00:10:00Z');
const SECOND = NOW / 1000;

const byHeader = { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: SECRET };
const login = { method: 'basicAuth', user: 'tenant', password: `pass:${SECRET}` };
const hmac = {
	...{ method: 'hmac', signatureHeaderName: 'X-Signature', secret: SECRET },
	encoding: 'hex',
	prefix: 'sha256=',
	timestampHeaderName: '',
};
const timed = { ...hmac, timestampHeaderName: 'X-Timestamp' };

/** The example that the libraries of Standard Webhooks agree on. */
const REFERENCE = {
	secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
	body: '{"test": 2432232314}',
	headers: {
		'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
		'webhook-timestamp': '1614265330',
		'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
	},
};
const standard = { method: 'standardWebhooks', secret: REFERENCE.secret };

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const sign = (text: string, key: Buffer | string = SECRET, encoding: 'base64' | 'hex' = 'hex') =>
	createHmac('sha256', key).update(text).digest(encoding);
const signed = (text = BODY, secret = SECRET) => ({ 'x-signature': `sha256=${sign(text, secret)}` });
const signedAt = (timestamp: string) => ({ 'x-timestamp': timestamp, ...signed(`${timestamp}.${BODY}`) });
const standardAt = (timestamp: string, id = 'msg_1', secret = REFERENCE.secret.slice(6)) => {
	const signature = sign(`${id}.${timestamp}.${BODY}`, Buffer.from(secret, 'base64'), 'base64');
	return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};

/** What is wrong with a request, which is empty if it is the secret; undefined if it is let in. */
const problem = async (credential: Credential, headers: Headers, body = BODY, now = NOW) => {
	jest.spyOn(Date, 'now').mockReturnValue(now);
	const context = { getHeaderData: () => headers as IncomingHttpHeaders, getTimezone: () => 'Asia/Tokyo' };
	return await problemOf(proofOf(credential), context, async () => Buffer.from(body));
};
const isLetIn = async (...given: Parameters<typeof problem>) => (await problem(...given)) === undefined;
const without = (from: IDataObject, ...names: string[]) =>
	Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name))) as Credential;

const { authorization: rightLogin } = basic(`tenant:pass:${SECRET}`);
const right = signedAt(String(SECOND));
const rightStandard = standardAt(String(SECOND));
/** What proves the service with each method. */
const METHODS: Array<[string, Credential, Record<string, string>]> = [
	['a secret in a header', byHeader, { 'x-webhook-secret': SECRET }],
	['a login', login, { authorization: rightLogin }],
	['a signature', hmac, signed()],
	['a signature with a timestamp', timed, right],
	['Standard Webhooks', standard, rightStandard],
];

const byStandard = (signature: string): [Credential, Headers] => [
	standard,
	{ ...rightStandard, 'webhook-signature': signature },
];
const ofText = (key: Buffer | string, text = `msg_1.${SECOND}.${BODY}`) => `v1,${sign(text, key, 'base64')}`;

/** What somebody may try besides a header that is not right. */
const ATTEMPTS: Record<string, [Credential, Headers]> = {
	'the secret twice': [byHeader, { 'x-webhook-secret': `${SECRET}, ${SECRET}` }],
	'the password up to its colon': [login, basic('tenant:pass')],
	'another scheme': [login, { authorization: rightLogin.replace('Basic', 'Bearer') }],
	'another key': [hmac, signed(BODY, `${SECRET}s`)],
	'no prefix': [hmac, { 'x-signature': sign(BODY) }],
	'the prefix twice': [hmac, { 'x-signature': `sha256=${signed()['x-signature']}` }],
	'another encoding': [hmac, { 'x-signature': `sha256=${sign(BODY, SECRET, 'base64')}` }],
	'no timestamp, and none signed': [timed, signed()],
	'an empty timestamp that is signed': [timed, signedAt('')],
	'a timestamp that is not signed': [timed, { ...right, ...signed() }],
	'an empty ID that is signed': [standard, standardAt(String(SECOND), '')],
	'another key of 24 bytes': [
		standard,
		standardAt(String(SECOND), 'msg_1', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx'),
	],
	'the text of the secret as the key': byStandard(ofText(REFERENCE.secret)),
	'a signature of the body alone': byStandard(ofText(Buffer.from(REFERENCE.secret.slice(6), 'base64'), BODY)),
	...Object.fromEntries(
		['', 'v2,', 'v1a,', 'V1,', 'v1=', 'v1,v1,'].map((version) => [
			`the version "${version}"`,
			byStandard(rightStandard['webhook-signature'].replace('v1,', version)),
		]),
	),
};

it.each(Object.entries(ATTEMPTS))('nobody is let in with %s', async (_, given) => {
	expect(await isLetIn(...given)).toBe(false);
});

describe.each(METHODS)('with %s', (_, credential, proof) => {
	it('the service is let in', async () => expect(await isLetIn(credential, proof)).toBe(true));

	it.each(Object.keys(proof))('nobody is let in where %s is not as it was sent', async (name) => {
		const { [name]: value } = proof;
		const last = value.endsWith('0') ? '1' : '0';
		const wrong = [undefined, '', value.slice(1), value.slice(0, -1), `${value}0`, `0${value}`, `${value}\0`];
		const more = [value.slice(0, -1) + last, [value], [value, value], {}, value.repeat(50_000)];
		for (const one of [...wrong, ...more])
			expect([one, await isLetIn(credential, { ...proof, [name]: one })]).toEqual([one, false]);
		expect(await isLetIn(credential, { ...without(proof, name), [`${name}s`]: value })).toBe(false);
	});

	it('a signature is that of the body as it arrived, to the byte', async () => {
		const isSigned = !['headerSecret', 'basicAuth'].includes(String(credential.method));
		for (const body of [`${BODY} `, BODY.replace('agent', 'Agent'), ''])
			expect(await isLetIn(credential, proof, body)).toBe(!isSigned);
	});
});

/** What people and proxies write otherwise, with the proof that is right all the same. */
const LET_IN: Record<string, [Credential, Headers]> = {
	'spaces around the header': [{ ...byHeader, headerName: ' X-Webhook-Secret ' }, METHODS[0][2]],
	'a line end behind the secret': [{ ...byHeader, secret: `${SECRET}\n` }, METHODS[0][2]],
	'a scheme in small letters': [login, { authorization: METHODS[1][2].authorization.replace('B', 'b') }],
	'spaces around the signature header': [{ ...hmac, signatureHeaderName: '\tX-Signature ' }, signed()],
	'a blank timestamp header': [{ ...hmac, timestampHeaderName: '  ' }, signed()],
	'no prefix and no timestamp': [
		without(hmac, 'prefix', 'timestampHeaderName'),
		{ 'x-signature': sign(BODY) },
	],
	'digits in capitals': [{ ...hmac, prefix: '' }, { 'x-signature': sign(BODY).toUpperCase() }],
	'a space behind the prefix': [hmac, { 'x-signature': `sha256= ${sign(BODY)}` }],
	'no whsec_ in front of the secret': [{ ...standard, secret: REFERENCE.secret.slice(6) }, rightStandard],
	'a line end behind it': [{ ...standard, secret: `${REFERENCE.secret}\n` }, rightStandard],
};

it.each(Object.entries(LET_IN))('the service is let in with %s', async (_, given) => {
	expect(await isLetIn(...given)).toBe(true);
});

// A known answer for this key and sentence.
it('the signature is an HMAC-SHA256', async () => {
	const headers = { 'x-signature': '97yD9DBThCSxMpjmqm+xQ+9NWaFJRhdZl0edvC0aPNg=' };
	const credential = { ...hmac, secret: 'key', encoding: 'base64', prefix: '' };
	expect(await isLetIn(credential, headers, 'The quick brown fox jumps over the lazy dog')).toBe(true);
	expect(await isLetIn({ ...credential, encoding: 'hex' }, headers)).toBe(false);
});

describe('the reference of Standard Webhooks', () => {
	const { headers, body } = REFERENCE;
	const at = (seconds: number) => (1614265330 + seconds) * 1000;
	const others = ['v1,', 'v2,'].map((version) => `${version}Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=`);

	it('is let in, also among signatures with other keys and of other versions', async () => {
		expect(await isLetIn(standard, headers, body, at(0))).toBe(true);
		const several = [...others, headers['webhook-signature'], others[0]].join(' ');
		expect(await isLetIn(standard, { ...headers, 'webhook-signature': several }, body, at(0))).toBe(true);
		const wrong = { ...headers, 'webhook-signature': others.join(' ') };
		expect(await isLetIn(standard, wrong, body, at(0))).toBe(false);
	});

	it('is let in within five minutes of its time, to the second', async () => {
		for (const seconds of [-300, 300]) expect(await isLetIn(standard, headers, body, at(seconds))).toBe(true);
		for (const seconds of [-301, 301])
			expect(await problem(standard, headers, body, at(seconds))).toMatch(/^The time in the header/);
	});

	it.each(['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwBr'])(
		'reads the secret %s also without its padding',
		async (secret) => {
			const headersOf = standardAt(String(SECOND), 'msg_1', secret);
			for (const whole of [secret, `whsec_${secret}`, `${secret}=`, `${secret}==`])
				expect(await isLetIn({ ...standard, secret: whole }, headersOf)).toBe(true);
		},
	);
});

describe('the time of a signature', () => {
	it.each([
		['seconds', String(SECOND)],
		['milliseconds', String(NOW)],
		['ISO 8601', '2026-01-01T00:10:00Z'],
		['another zone', '2026-01-01T02:10:00+02:00'],
		["no zone, which is the workflow's", '2026-01-01T09:10:00'],
		['the last second of the tolerance', String(SECOND - 300)],
		['the last millisecond of the tolerance', String(NOW - 300_000)],
		['a clock that is ahead by all of the tolerance', String(SECOND + 300)],
	])('may be written in %s', async (_, timestamp) => {
		expect(await isLetIn(timed, signedAt(timestamp))).toBe(true);
	});

	it.each([
		...[SECOND - 301, NOW - 300_001, SECOND + 301, NOW + 300_001, NOW * 1000, 0, -1].map(String),
		...[' ', 'NaN', 'Infinity', '-Infinity', '1e309', '0x65', 'now', 'yesterday', '2999-01-01T00:00:00Z'],
		...['2026-01-01T00:10:00', 'Thu, 01 Jan 2026 00:10:00 GMT'],
		...['x'.repeat(100_000), '9'.repeat(400)],
	])('is refused as %.30j, though it is signed', async (timestamp) => {
		expect(await problem(timed, signedAt(timestamp))).toMatch(/^The time in the header "x-timestamp"/);
		expect(await isLetIn(standard, standardAt(timestamp))).toBe(false);
	});
});

describe('a credential that is not complete', () => {
	/** What would do if what is missing counted as empty, or as a word. */
	const TRIED: Headers[] = [
		{},
		{ 'x-webhook-secret': '', 'x-signature': '' },
		{ 'x-webhook-secret': 'undefined', ...signed(BODY, '') },
		{ 'x-webhook-secret': SECRET, ...basic(`tenant:pass:${SECRET}`), ...signed() },
		...['tenant:', `:pass:${SECRET}`, ':'].map(basic),
		{ authorization: 'Basic ' },
		...['', 'whsec_', '!'].map((secret) => standardAt(String(SECOND), 'msg_1', secret)),
	];

	it.each<[string, Credential]>([
		['nothing', {}],
		['no method', without(byHeader, 'method')],
		['an unknown method', { ...byHeader, method: 'none' }],
		['the label of a method', { ...byHeader, method: 'Header Secret' }],
		['a method of JavaScript', { ...byHeader, method: 'constructor' }],
		['no header name', { ...byHeader, headerName: '' }],
		['a header name of JavaScript', { ...byHeader, headerName: '__proto__', secret: '[object Object]' }],
		['another', { ...byHeader, headerName: 'constructor', secret: 'function Object() { [native code] }' }],
		['an empty secret', { ...byHeader, secret: '' }],
		['a secret of blanks', { ...byHeader, secret: ' '.repeat(16) }],
		['no secret', without(byHeader, 'secret')],
		['a list of secrets', { ...byHeader, secret: ['a'] } as never],
		['an empty user', { ...login, user: '' }],
		['an empty password', { ...login, password: '' }],
		['no login', { method: 'basicAuth' }],
		['an empty signing secret', { ...hmac, secret: '' }],
		...['', 'whsec_', 'whsec_!', 'whsec_=='].map((secret): [string, Credential] => [
			`the secret ${JSON.stringify(secret)} for Standard Webhooks`,
			{ ...standard, secret },
		]),
	])('lets nobody in: %s', async (_, credential) => {
		for (const headers of TRIED)
			expect([headers, await isLetIn(credential, headers)]).toEqual([headers, false]);
	});
});
