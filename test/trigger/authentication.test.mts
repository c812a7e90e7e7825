import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import path from 'node:path';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { isFromTenant, proofOf, webhookProof } from '../../nodes/CustomerMessaging/trigger/authentication.ts';
import { arrive, type Arrival, eventOf, outcome } from './arrival.mts';

const SECRET = 'sixteen-or-more-characters';
const BODY = JSON.stringify(eventOf());

// Loading n8n takes time, which would not pass.
beforeAll(async () => void (await arrive()));

let now = Date.UTC(2026, 0, 1);
beforeEach(() => void jest.spyOn(Date, 'now').mockImplementation(() => now));
afterEach(() => jest.restoreAllMocks());

type Headers = NonNullable<Arrival['headers']>;
type Credential = ICredentialDataDecryptedObject;

const byHeader = { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: SECRET };
const login = { method: 'basicAuth', user: 'tenant', password: `pass:${SECRET}` };
const hmac = {
	...{ method: 'hmac', signatureHeaderName: 'X-Signature', secret: SECRET },
	...{ encoding: 'hex', prefix: 'sha256=', timestampHeaderName: '', toleranceSeconds: 300 },
};
const timed = { ...hmac, timestampHeaderName: 'X-Timestamp' };

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const sign = (text = BODY, secret = SECRET) =>
	`sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
const signed = (text = BODY) => ({ 'x-signature': sign(text) });
const signedAgo = (seconds: number) => {
	const timestamp = String(now / 1000 - seconds);
	return { 'x-timestamp': timestamp, ...signed(`${timestamp}.${BODY}`) };
};

/** What a delivery of that body does, with a credential of its own. */
const call = async (credential: Credential, headers: Headers, body = BODY) =>
	await outcome({ credential, headers, body: Buffer.from(body) });

/** Each method: what proves the tenant, and what somebody may try who has all but one thing right. */
const METHODS: Array<[string, Credential, () => Headers, Record<string, Headers | (() => Headers)>]> = [
	[
		'a secret in a header',
		byHeader,
		() => ({ 'x-webhook-secret': SECRET }),
		{
			'no header': {},
			'another header': { 'x-secret': SECRET },
			'another last letter': { 'x-webhook-secret': SECRET.replace(/s$/, 'S') },
			'another letter': { 'x-webhook-secret': SECRET.replace(/^s/, 'S') },
			'a part of the secret': { 'x-webhook-secret': SECRET.slice(0, -1) },
			'more than the secret': { 'x-webhook-secret': `${SECRET}s` },
			'a zero behind the secret': { 'x-webhook-secret': `${SECRET}\0` },
			'letters that look alike': { 'x-webhook-secret': SECRET.replaceAll('-', '‐') },
			'the secret twice': { 'x-webhook-secret': `${SECRET}, ${SECRET}` },
			'several headers': { 'x-webhook-secret': [SECRET, 'x'] as never },
			'an empty header': { 'x-webhook-secret': '' },
			'a megabyte': { 'x-webhook-secret': 's'.repeat(1_000_000) },
		},
	],
	[
		'a login',
		login,
		() => ({ authorization: basic(`tenant:pass:${SECRET}`) }),
		{
			'no login': {},
			'an empty login': { authorization: basic(':') },
			'another user': { authorization: basic(`tenants:pass:${SECRET}`) },
			'another password': { authorization: basic(`tenant:pass:${SECRET}s`) },
			'no password': { authorization: basic('tenant:') },
			'no user': { authorization: basic(`:pass:${SECRET}`) },
			'the password up to its colon': { authorization: basic('tenant:pass') },
			'another scheme': { authorization: basic(`tenant:pass:${SECRET}`).replace('Basic', 'Bearer') },
		},
	],
	[
		'a signature',
		hmac,
		signed,
		{
			'no signature': {},
			'an empty signature': { 'x-signature': '' },
			'another key': { 'x-signature': sign(BODY, `${SECRET}s`) },
			'the signature of another body': { 'x-signature': sign(`${BODY} `) },
			'one digit changed': {
				'x-signature': sign().replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
			},
			'no prefix': { 'x-signature': sign().replace('sha256=', '') },
			'another encoding': {
				'x-signature': `sha256=${createHmac('sha256', SECRET).update(BODY).digest('base64')}`,
			},
			'another algorithm': {
				'x-signature': `sha256=${createHmac('sha512', SECRET).update(BODY).digest('hex')}`,
			},
			'another header': { 'x-signatures': sign() },
			'several signatures': { 'x-signature': [sign(), sign()] as never },
		},
	],
	[
		'a signature with a timestamp',
		timed,
		() => signedAgo(0),
		{
			'no timestamp': () => ({ 'x-signature': signedAgo(0)['x-signature'] }),
			'no timestamp, and none signed': signed,
			'an empty timestamp': () => ({ 'x-timestamp': '', ...signed(`.${BODY}`) }),
			'a timestamp that is not signed': () => ({ ...signedAgo(0), ...signed() }),
			'another timestamp': () => ({ ...signedAgo(0), 'x-timestamp': String(now / 1000 - 1) }),
			'several timestamps': () => ({ ...signedAgo(0), 'x-timestamp': [String(now / 1000), '0'] as never }),
			'one that is a second too old': () => signedAgo(301),
			'one that is a second too far in the future': () => signedAgo(-301),
		},
	],
];

describe.each(METHODS)('with %s', (_, credential, proof, attempts) => {
	it('the tenant is let in', async () => expect(await call(credential, proof())).toBe('started'));

	it.each(Object.entries(attempts))('nobody is let in with %s, without a word', async (_what, attempt) => {
		const headers = typeof attempt === 'function' ? attempt() : attempt;
		expect(headers).not.toEqual(proof());
		const { status, body, items } = await arrive({ credential, headers, body: Buffer.from(BODY) });
		expect({ status, body, items }).toEqual({ status: 401, body: undefined, items: undefined });
	});

	if (credential.method !== 'hmac') return;

	it.each([`${BODY} `, BODY.replace('agent', 'Agent')])('nobody is let in with the body %j', async (body) => {
		expect(await call(credential, proof(), body)).toBe(401);
	});
});

const missing = (credential: IDataObject, ...names: string[]) =>
	({ ...credential, ...Object.fromEntries(names.map((name) => [name, undefined])) }) as Credential;

it.each<[string, Credential, () => Headers]>([
	[
		'spaces stand around the name of the header',
		{ ...byHeader, headerName: ' X-Webhook-Secret ' },
		METHODS[0][2],
	],
	['the secret was pasted with the end of its line', { ...byHeader, secret: `${SECRET}\n` }, METHODS[0][2]],
	[
		'the scheme of the login is in small letters',
		login,
		() => ({
			authorization: basic(`tenant:pass:${SECRET}`).replace('Basic', 'basic'),
		}),
	],
	[
		'spaces stand around the name of the signature header',
		{ ...hmac, signatureHeaderName: '\tX-Signature ' },
		signed,
	],
	['the name of the timestamp header is blank', { ...hmac, timestampHeaderName: '  ' }, signed],
	[
		'the credential knows neither a prefix nor a timestamp header',
		missing(hmac, 'prefix', 'timestampHeaderName'),
		() => ({
			'x-signature': sign().slice('sha256='.length),
		}),
	],
	[
		'the timestamp is at the edge of a short tolerance',
		{ ...timed, toleranceSeconds: 60 },
		() => signedAgo(60),
	],
	[
		'the credential names no tolerance, for five minutes',
		missing(timed, 'toleranceSeconds'),
		() => signedAgo(300),
	],
])('the tenant is let in where %s', async (_, credential, headers) => {
	expect(await call(credential, headers())).toBe('started');
});

it.each<[string, Credential, () => Headers]>([
	['the timestamp is beyond a short tolerance', { ...timed, toleranceSeconds: 60 }, () => signedAgo(61)],
	[
		'the credential names no tolerance, after five minutes',
		missing(timed, 'toleranceSeconds'),
		() => signedAgo(301),
	],
	[
		'the signature came several times',
		{ ...hmac, signatureHeaderName: 'Set-Cookie' },
		() => ({
			'set-cookie': [sign(), sign()],
		}),
	],
	[
		'the secret came several times',
		{ ...byHeader, headerName: 'Set-Cookie', secret: '\0' },
		() => ({
			'set-cookie': [SECRET],
		}),
	],
])('nobody is let in where %s', async (_, credential, headers) => {
	expect(await call(credential, headers())).toBe(401);
});

describe('a credential that is not complete', () => {
	/** What would do if what is missing counted as empty, or as a word. */
	const TRIED: Headers[] = [
		{},
		{ 'x-webhook-secret': '', 'x-signature': '' },
		{ 'x-webhook-secret': 'undefined', 'x-signature': sign(BODY, '') },
		{ 'x-webhook-secret': SECRET, authorization: basic(`tenant:pass:${SECRET}`), ...signed() },
		...['tenant:', `:pass:${SECRET}`, ':'].map((text) => ({ authorization: basic(text) })),
		{ authorization: 'Basic ' },
	];

	it.each<[string, Credential]>([
		['nothing', {}],
		['no method', missing(byHeader, 'method')],
		['an unknown method', { ...byHeader, method: 'none' }],
		['the label of a method', { ...byHeader, method: 'Header Secret' }],
		['no header name', { ...byHeader, headerName: '' }],
		['a header name of JavaScript', { ...byHeader, headerName: '__proto__', secret: '[object Object]' }],
		['another', { ...byHeader, headerName: 'constructor', secret: 'function Object() { [native code] }' }],
		['an empty secret', { ...byHeader, secret: '' }],
		['a secret of blanks', { ...byHeader, secret: ' '.repeat(16) }],
		['no secret', missing(byHeader, 'secret')],
		['a list of secrets', { ...byHeader, secret: ['a'] } as never],
		['an empty user', { ...login, user: '' }],
		['an empty password', { ...login, password: '' }],
		['an empty login', { ...login, user: '', password: '' }],
		['no login', { method: 'basicAuth' }],
		['an empty signing secret', { ...hmac, secret: '' }],
	])('lets nobody in: %s', async (_, credential) => {
		for (const headers of TRIED) expect([headers, await call(credential, headers)]).toEqual([headers, 401]);
		const caller = { headers: TRIED[3] as never, rawBody: async () => Buffer.from(BODY), now };
		expect(await proofOf(credential).isGivenBy(caller)).toBe(false);
	});

	it.each([{ encoding: 'nope' }])('lets nobody in: %j', async (wrong) => {
		for (const headers of [...TRIED, signed()])
			expect([401, 500]).toContain(await call({ ...hmac, ...wrong }, headers));
	});
});

it('a body is read once, and one that cannot be read lets nobody in', async () => {
	const headers = { 'x-signature': 'sha256=no' };
	expect(await arrive({ credential: hmac, headers })).toMatchObject({ status: 401, bodyReads: 1 });
	expect(await outcome({ credential: hmac, headers: signed(), body: new Error('aborted') })).toBe(401);
});

it('a credential that nobody has chosen is asked for nothing', async () => {
	const arrived = await arrive({ credential: byHeader, headers: METHODS[0][2](), isCredentialChosen: false });
	expect(arrived).toMatchObject({ status: 403, credentialReads: 0, items: undefined });
});

describe('the credential', () => {
	const headers = { 'x-webhook-secret': SECRET };

	it('lets nobody in while it cannot be read, and everybody as soon as it can', async () => {
		const same = { credentialId: 'again', workflowId: 'again', headers, payload: eventOf() };
		expect(await outcome({ ...same, credential: new Error('No key') })).toBe(500);
		expect(await outcome({ ...same, credential: byHeader })).toBe('started');
		expect(await outcome({ ...same, credential: byHeader })).toBe(200);
	});

	it('is read once for the deliveries of ten seconds, and not a millisecond longer', async () => {
		const same = { credentialId: 'read once', workflowId: 'read once', credential: byHeader, headers };
		const readsAfter = async (ms: number) => {
			now += ms;
			return (await arrive(same)).credentialReads;
		};
		expect([await readsAfter(0), await readsAfter(0), await readsAfter(9_999), await readsAfter(1)]).toEqual([
			...[1, 0, 0, 1],
		]);
	});

	it('that is changed counts from a second on, and the one before for ten', async () => {
		const outcomeOf = async (sent: string, secret: string) =>
			await outcome({
				...{ credentialId: 'changing', workflowId: 'changing' },
				credential: { ...byHeader, secret },
				headers: { 'x-webhook-secret': sent },
			});
		const [before, after] = ['the secret before', 'the secret after'];
		expect(await outcomeOf(before, before)).toBe('started');
		now += 999;
		expect(await outcomeOf(after, after)).toBe(401);
		expect(await outcomeOf(before, after)).toBe('started');
		now += 1;
		expect(await outcomeOf('another', after)).toBe(401);
		expect(await outcomeOf(after, after)).toBe('started');
		expect(await outcomeOf(before, after)).toBe(401);
		now += 9_999;
		expect(await outcomeOf(after, before)).toBe('started');
		now += 1;
		expect(await outcomeOf(after, before)).toBe(401);
		expect(await outcomeOf(before, before)).toBe('started');
	});

	it('of another trigger is not taken for this one, however the IDs look together', async () => {
		const ids = [
			{ workflowId: 'a1', nodeId: 'b', credentialId: 'c' },
			{ workflowId: 'a', nodeId: '1b', credentialId: 'c' },
			{ workflowId: 'a', nodeId: '1', credentialId: 'bc' },
			// A copy of the workflow, and another credential in the same trigger.
			{ workflowId: 'a2', nodeId: 'b', credentialId: 'c' },
			{ workflowId: 'a1', nodeId: 'b', credentialId: 'd' },
		];
		for (const one of [...ids, ...ids]) {
			const secret = `secret of ${Object.values(one).join()}`;
			const arrival = {
				...one,
				credential: { ...byHeader, secret },
				headers: { 'x-webhook-secret': secret },
			};
			expect([one, await outcome(arrival)]).toEqual([one, 'started']);
		}
	});

	let workflows = 0;
	/** As much of n8n's context as reading a credential needs. */
	const contextOf = (credentials: unknown, getCredentials: () => Promise<Credential>) => {
		const workflow = { id: `read directly ${++workflows}` };
		const node = { id: 'node', credentials };
		return { getNode: () => node, getWorkflow: () => workflow, getCredentials } as never;
	};

	it.each([undefined, {}])('n8n says why there is none where the node names %j', async (credentials) => {
		const none = contextOf(credentials, async () => await Promise.reject(new Error('No credentials set')));
		await expect(webhookProof(none)).rejects.toThrow('No credentials set');
	});

	it('is held against a stranger’s delivery once', async () => {
		const context = contextOf({}, async () => ({ ...hmac, signatureHeaderName: 'X' }));
		const rawBody = jest.fn(async () => Buffer.from(BODY));
		expect(await isFromTenant(context, { headers: { x: 'a signature' }, rawBody, now })).toBe(false);
		expect(rawBody).toHaveBeenCalledTimes(1);
	});

	it('is not in the memory of the process after a delivery', () => {
		// A process of its own: the memory of this one holds the text of this test. No literal there holds a secret.
		const module = path.resolve(
			import.meta.dirname,
			'../../nodes/CustomerMessaging/trigger/authentication.ts',
		);
		const program = `
			const { getHeapSnapshot } = require('node:v8');
			const { isFromTenant } = require(${JSON.stringify(module)});
			const secretOf = (kind) => ['kept', 'nowhere', 'in', 'memory'].map((word) => kind + word + process.pid).join('-');
			const methods = JSON.parse(process.argv[1]);
			(async () => {
			for (const [id, [data, member]] of Object.entries(methods)) {
				const context = {
					getNode: () => ({ id, credentials: {} }),
					getWorkflow: () => ({ id }),
					getCredentials: async () => ({ ...data, [member]: secretOf(id) }),
				};
				const caller = { headers: {}, rawBody: async () => undefined, now: Date.now() };
				if (await isFromTenant(context, caller)) throw new Error(id);
			}
			const found = new Set();
			let tail = '';
			for await (const chunk of getHeapSnapshot()) {
				const text = tail + chunk;
				for (const [, kind] of text.matchAll(/(\\w+)kept\\d+-\\1nowhere\\d+-\\1in\\d+-\\1memory\\d+/g)) found.add(kind);
				tail = text.slice(-200);
			}
			console.log(JSON.stringify([...found]));
			})();`;
		const methods = { header: [byHeader, 'secret'], login: [login, 'password'], hmac: [hmac, 'secret'] };
		const flags = ['--require', 'tsx/cjs', '-e', program];
		expect(execFileSync(process.execPath, [...flags, JSON.stringify(methods)], { encoding: 'utf8' })).toBe(
			'[]\n',
		);
	});
});

it('neither the signature nor its time stands in the item', async () => {
	const { items } = await arrive({
		credential: timed,
		parameters: { additionalOptions: { includeHeaders: true } },
		headers: { ...signedAgo(0), 'x-request-id': '7' },
		body: Buffer.from(BODY),
	});
	expect(items?.[0].headers).toEqual({ 'content-type': 'application/json', 'x-request-id': '7' });
});
