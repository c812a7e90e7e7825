import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { testCredential } from '../engine/credentialTest.mts';
import { leaksIn } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { RawServer } from '../engine/rawServer.mts';
import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { TlsTenant } from '../engine/tlsTenant.mts';

const tenant = OddTenant.inEachTest();
const raw = RawServer.inEachTest();
const tls = TlsTenant.inEachTest();

/** Shaped like the tokens of this service, with characters that look different in addresses and in JSON. */
const TOKEN = '17|aB3/"x+y=zz&secret token';

const ME = {
	data: {
		id: 1,
		name: 'Jo',
		email: 'jo@mail.example',
		roles: ['admin'],
		permissions: [],
		uses_personal_access_token: true,
	},
};

const NODES = ['customerMessaging', 'customerMessagingPollingTrigger', 'customerMessagingTrigger'];

async function failureOf(
	change: ICredentialDataDecryptedObject = {},
	node = NODES[0],
): Promise<string | undefined> {
	const data = { tenantDomain: tenant.url, accessToken: TOKEN, ...change };
	const { status, message } = await testCredential(data, node);
	expect(leaksIn(message, TOKEN)).toEqual([]);
	return status === 'OK' ? undefined : message;
}

/** A sentence for a person: words, and nothing that only a programmer knows. */
function expectSentence(failure: string | undefined): void {
	expect(failure).toMatch(/\w+ \w+ \w+/);
	expect(failure).not.toMatch(/undefined|\[object|NaN|SSL routines|Unexpected token|<\w/);
	expect((failure ?? '').length).toBeLessThan(600);
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown;

const text =
	(body: string, type = 'text/html', status = 200): Answer =>
	(_request, reply) =>
		reply.code(status).type(type).send(body);

const json = (body: unknown, status = 200) => text(JSON.stringify(body), 'application/json', status);

it.each(NODES)('passes at a tenant, asked by %s, with one request that reads', async (node) => {
	tenant.answer(json(ME));
	expect(await failureOf({}, node)).toBeUndefined();
	expect(tenant.asked).toEqual(['GET /third-party/v1/me']);
});

it('sends the token as the interface wants it', async () => {
	let header: unknown;
	tenant.answer((request) => {
		header = request.headers.authorization;
		return ME;
	});
	await failureOf({ accessToken: 'plain-token-123' });
	expect(header).toBe('Bearer plain-token-123');
});

it.each<[string, unknown]>([
	['a text for an ID', { data: { id: '1', name: 'Jo' } }],
	['null for all it may leave out', { data: { ...ME.data, roles: null, permissions: null, email: null } }],
	['more than the interface names', { data: { ...ME.data, more: 1 }, meta: {} }],
])('passes where the user has %s', async (_name, body) => {
	tenant.answer(json(body));
	expect(await failureOf()).toBeUndefined();
});

it.each<[string, Answer]>([
	['a page', text('<!doctype html><title>Welcome</title>')],
	['a page that says it is JSON', text('<html></html>', 'application/json')],
	['a page that is not found', text('<h1>404</h1>', 'text/html', 404)],
	['a text', text('It works!', 'text/plain')],
	['nothing', text('', 'text/plain')],
	['204', (_request, reply) => reply.code(204).send()],
	['a JSON text', json('ok')],
	['a number', json(1)],
	['true', json(true)],
	['null', json(null)],
	['an empty record', json({})],
	['a list', json([])],
	['a health check', json({ status: 'ok' })],
	['an empty user', json({ data: {} })],
	['no user', json({ data: null })],
	['a list of users', json({ data: [] })],
	['a text for a user', json({ data: 'Jo' })],
	['only __proto__', text('{"data":{"__proto__":{"id":1}}}', 'application/json')],
	['GraphQL', json({ errors: [{ message: 'Must provide query string.' }] })],
	['404 in JSON', json({ message: 'Not Found' }, 404)],
	['broken JSON', text('{"data": {"id": 1', 'application/json')],
	['10 MB', text('x'.repeat(10_000_000))],
	['100,000 levels', text('{"data":'.repeat(100_000) + '1' + '}'.repeat(100_000), 'application/json')],
])('fails with a sentence at an address that answers %s', async (_name, answer) => {
	tenant.answer(answer);
	expectSentence(await failureOf());
});

it.each<[string, Answer, RegExp]>([
	['401', json({ message: 'Unauthenticated.' }, 401), /token|Unauthenticated/],
	['401 without a body', text('', 'text/plain', 401), /access token was refused/],
	['401 with a page', text('<h1>No</h1>', 'text/html', 401), /access token was refused/],
	['403', json({ message: 'Forbidden' }, 403), /Forbidden|may not/],
	['500', json({ message: 'Server Error' }, 500), /Server Error|internal problem/],
	['503 with a page', text('<h1>Down</h1>', 'text/html', 503), /internal problem|not available|503/],
	[
		'a redirect',
		(_request, reply) => reply.code(302).header('location', '/login').send(),
		/redirect|another service/,
	],
	[
		'a refusal with 200',
		json({ success: false, message: 'The key is locked' }),
		/The key is locked|another service/,
	],
])('tells clearly about %s', async (_name, answer, words) => {
	tenant.answer(answer);
	const failure = await failureOf();
	expect(failure).toMatch(words);
});

it('does not follow a redirect with the token', async () => {
	tenant.answer(async (request, reply) =>
		request.url.endsWith('/me') ? await reply.code(307).header('location', '/elsewhere').send() : ME,
	);
	expectSentence(await failureOf());
	expect(tenant.asked).toEqual(['GET /third-party/v1/me']);
});

it.each<[string, (token: string) => string]>([
	['as it is', (token) => token],
	['in a URL', (token) => `https://x.example/?key=${encodeURIComponent(token)}`],
	['with its header', (token) => `Bearer ${token} is unknown`],
	['in Base64', (token) => Buffer.from(token).toString('base64')],
	['twice', (token) => `${token}${token}`],
])('shows no token that the service repeats %s', async (_name, said) => {
	for (const status of [401, 404]) {
		tenant.answer(json({ message: said(TOKEN), errors: { token: [said(TOKEN)] } }, status));
		expect(await failureOf()).toEqual(expect.any(String));
	}
	tenant.answer(text(`<h1>${said(TOKEN)}</h1>`));
	expect(await failureOf()).toEqual(expect.any(String));
});

it.each<[string, ICredentialDataDecryptedObject, RegExp]>([
	['an unknown name', { tenantDomain: 'no-such-tenant.invalid' }, /domain/i],
	[
		'an address where nothing listens',
		{ tenantDomain: REFUSED_ADDRESS },
		/Nothing answers at the tenant domain/,
	],
	['a path', { tenantDomain: 'acme.example.com/third-party/v1' }, /contains a path/],
	['a query', { tenantDomain: 'acme.example.com?x=1' }, /domain/i],
	['a login', { tenantDomain: 'user:secretpass@acme.example.com' }, /domain/i],
	['plain http', { tenantDomain: 'http://acme.example.com' }, /plain http/],
	['another protocol', { tenantDomain: 'ftp://acme.example.com' }, /domain/i],
	['nothing', { tenantDomain: '' }, /domain/i],
	['spaces', { tenantDomain: '   ' }, /domain/i],
	['a space in it', { tenantDomain: 'acme example.com' }, /domain/i],
	['an e-mail address', { tenantDomain: 'jo@acme.example' }, /domain/i],
	['no domain at all', { tenantDomain: undefined as unknown as string }, /domain/i],
	['no token', { accessToken: '' }, /token/i],
	['a token of spaces', { accessToken: '   ' }, /token/i],
	['a token of two lines', { accessToken: 'abcdefgh\nijklmnop' }, /token/i],
])('fails before or at the connection with %s', async (_name, change, words) => {
	tenant.answer(json({ message: 'The token is missing' }, 401));
	const failure = await failureOf(change);
	expectSentence(failure);
	expect(failure).toMatch(words);
	expect(failure).not.toMatch(/secretpass|abcdefgh/);
});

it.each([' ', '\n', '\t'])('takes a domain that was pasted with %j around it', async (space) => {
	tenant.answer(json(ME));
	expect(await failureOf({ tenantDomain: `${space}${tenant.url}/${space}` })).toBeUndefined();
});

it('names an untrusted certificate', async () => {
	const failure = await failureOf({ tenantDomain: tls.url });
	expect(failure).toMatch(/certificate is not trusted/);
	expect(tls.asked).toEqual([]);
});

it('names what does not encrypt', async () => {
	raw.answer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'));
	const failure = await failureOf({ tenantDomain: raw.url.replace('http:', 'https:') });
	expect(failure).toMatch(/could not be encrypted/);
});

it.each<[string, string]>([
	['hangs up', ''],
	['speaks another protocol', 'SSH-2.0-OpenSSH_9.0\r\n'],
	['breaks off', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"data":'],
])('tells of a server that %s', async (_name, bytes) => {
	raw.answer((socket) => (bytes ? socket.end(bytes) : socket.destroy()));
	expectSentence(await failureOf({ tenantDomain: raw.url }));
});
