import dns from 'node:dns';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readDocument } from '../docs/markdown.mts';
import { failureOfCredentialTest, testCredential } from '../engine/credentialTest.mts';
import { loadedPackage } from '../engine/engine.mts';
import { leaksIn } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { RawServer } from '../engine/rawServer.mts';
import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { TlsTenant } from '../engine/tlsTenant.mts';

const tenant = OddTenant.inEachTest();
const stranger = OddTenant.inEachTest();
const raw = RawServer.inEachTest();
const tls = TlsTenant.inEachTest();

const USER = { id: 1, name: 'Nathan Smith', email: 'nathan@example.com', roles: ['admin'], permissions: [] };

/** The messages that the document about troubleshooting explains. */
const explained = [...readDocument('docs/troubleshooting.md').matchAll(/^\| “(.+?)” /gm)].map(
	([, message]) => message,
);

const at = (tenantDomain: string) => ({ ...tenant.credentials, tenantDomain });

/** Lets a name be unknown, or the name server not answer. */
function lookUpFails(code: string): ICredentialDataDecryptedObject {
	jest.spyOn(dns, 'lookup').mockImplementation(((host: string, _options: unknown, done: unknown) => {
		const error = new Error(`getaddrinfo ${code} ${host}`);
		(done as (error: Error) => void)(Object.assign(error, { code, syscall: 'getaddrinfo' }));
	}) as typeof dns.lookup);
	return at('acme.example.com');
}

const answers = (status: number, body: unknown, type = 'application/json') => {
	// A tenant that asks for no wait, since one is not what is tested.
	tenant.answer(
		async (_, reply) => await reply.code(status).type(type).header('retry-after', '0').send(body),
	);
	return tenant.credentials;
};

/** A server below HTTP. */
function sends(bytes: string): ICredentialDataDecryptedObject {
	raw.answer((socket) => (bytes ? socket.end(bytes) : socket.destroy()));
	return at(raw.url);
}

const PAGE = '<!doctype html><html><body>Welcome to another place</body></html>';

const OTHER = 'The Tenant Domain leads to another service';
const UNREADABLE = 'The service answered with something other than JSON';
const A_PAGE = 'The service answered with a page in place of JSON';
const REDIRECT = 'The service answered with a redirect, which is not followed';
const NO_ANSWER = 'The service did not answer';

/** Ways in which a test fails: what a person reads first, and a part of the remedy. */
type Failing = [string, () => ICredentialDataDecryptedObject, string, string];

const FAILURES: Failing[] = [
	['a page', () => answers(200, PAGE, 'text/html'), A_PAGE, 'login page'],
	['a text', () => answers(200, 'OK', 'text/plain'), UNREADABLE, 'Tenant Domain'],
	['an empty object', () => answers(200, {}), OTHER, 'host name'],
	['a record that is no user', () => answers(200, { data: { id: 1 } }), OTHER, 'host name'],
	...['null', '{"data":null}'].map((body): Failing => [body, () => answers(200, body), OTHER, 'host name']),
	[
		'a failure with the status of success',
		() => answers(200, { success: false, error: 'No such app' }),
		OTHER,
		'No such app',
	],
	[
		'another host',
		() => {
			tenant.answer(async (_, reply) => await reply.redirect(`${stranger.url}/me`));
			return tenant.credentials;
		},
		REDIRECT,
		'Tenant Domain',
	],
	['no such path', () => answers(404, PAGE, 'text/html'), A_PAGE, 'Tenant Domain'],
	['a bot check', () => answers(403, PAGE, 'text/html'), A_PAGE, 'bot check'],
	[
		'no such path in JSON',
		() => answers(404, { message: 'Cannot GET /third-party/v1/me' }),
		OTHER,
		'Cannot GET',
	],
	[
		'a wrong token',
		() => answers(401, { message: 'Unauthenticated.' }),
		'The access token was refused',
		'Unauthenticated.',
	],
	[
		'a wrong token, and no words',
		() => answers(401, ''),
		'The access token was refused',
		'complete, valid access token',
	],
	[
		'a user who may not',
		() => answers(403, {}),
		'The user behind the access token may not do this',
		'token of an admin',
	],
	['too many requests', () => answers(429, {}), 'Too many requests at once', 'under Advanced'],
	[
		'an internal error',
		() => answers(500, { message: 'Oops' }),
		'The service had an internal problem',
		'Try again later',
	],
	['a broken proxy', () => answers(502, PAGE, 'text/html'), A_PAGE, 'Try again later'],
	['nobody there', () => at(REFUSED_ADDRESS), 'Nothing answers at the Tenant Domain', 'port'],
	['an unknown name', () => lookUpFails('ENOTFOUND'), 'The Tenant Domain is unknown', 'spelling'],
	[
		'no name server',
		() => lookUpFails('EAI_AGAIN'),
		'The Tenant Domain could not be looked up',
		'name server',
	],
	[
		'a certificate of its own',
		() => at(tls.url),
		"The service's certificate is not trusted",
		'NODE_EXTRA_CA_CERTS',
	],
	[
		'no TLS',
		() => at(tenant.url.replace('http:', 'https:')),
		'The connection to the service could not be encrypted',
		'A service on this machine may need http:// in front',
	],
	['a closed connection', () => sends(''), NO_ANSWER, 'network'],
	[
		'an answer that breaks off',
		() => sends('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"data":'),
		NO_ANSWER,
		'network',
	],
	['a path', () => at('acme.example.com/app'), 'The Tenant Domain contains a path', 'only the host name'],
	[
		'plain http',
		() => at('http://acme.example.com'),
		'uses plain http, which would send the access token unencrypted',
		'host name',
	],
];

afterEach(() => jest.restoreAllMocks());

describe('when a person presses Test', () => {
	it.each(['customerMessaging', 'customerMessagingPollingTrigger'])(
		'%s reads the account behind the token, once, with the token',
		async (node) => {
			const tokens: Array<string | undefined> = [];
			tenant.answer(({ headers }) => {
				tokens.push(headers.authorization);
				return { data: USER };
			});
			expect(await testCredential(tenant.credentials, node)).toMatchObject({ status: 'OK' });
			expect(tenant.asked).toEqual(['GET /third-party/v1/me']);
			expect(tokens).toEqual([`Bearer ${String(tenant.credentials.accessToken)}`]);
		},
	);

	it('says where the user is no admin, who sees only some customers, without markup', async () => {
		tenant.answer(() => ({ data: { ...USER, name: '<b>Sam</b> Service', roles: ['agent'] } }));
		expect(await testCredential(tenant.credentials)).toEqual({
			status: 'OK',
			message:
				'The service accepts the access token. ‹b>Sam‹/b> Service sees only the customers attached to them.',
		});
		expect(tenant.asked).toEqual(['GET /third-party/v1/me']);
	});

	it.each<[string, object]>([
		['without an envelope', USER],
		['with a text for an ID', { data: { id: '1', name: 'Jo' } }],
		[
			'with null for all it may leave out',
			{ data: { ...USER, roles: null, permissions: null, email: null } },
		],
		['with more than the interface names', { data: { ...USER, more: 1 }, meta: {} }],
	])('a user %s passes too', async (_what, body) => {
		expect(await failureOfCredentialTest(answers(200, body))).toBeUndefined();
	});

	it.each([' ', '\n', '\t'])('a domain passes that was pasted with %j around it', async (space) => {
		const { tenantDomain, accessToken } = answers(200, USER);
		const pasted = `${space}${String(tenantDomain)}/${space}`;
		expect(await failureOfCredentialTest({ tenantDomain: pasted, accessToken })).toBeUndefined();
	});

	it.each(FAILURES)(
		'%s is told in a sentence of the document about troubleshooting, with the remedy',
		async (_, arrange, said, remedy) => {
			const credentials = arrange();
			const failure = (await failureOfCredentialTest(credentials)) ?? '';
			expect(failure).toContain(said);
			expect(failure).toContain(remedy);
			expect(failure).toMatch(/^[A-Z][^\n]+\. .+[.!?)”]$/);
			expect(explained.filter((message) => failure.includes(message))).toHaveLength(1);
			expect(leaksIn(failure, String(credentials.accessToken))).toEqual([]);
			expect(stranger.asked).toEqual([]);
		},
	);

	it.each<[object, string | RegExp]>([
		[{ accessToken: ' ' }, 'The access token is empty'],
		[{ accessToken: 'a\nb' }, 'The access token contains a character that cannot be sent'],
		[{ advanced: { settings: { maximumInFlight: 0 } } }, /^In the credential, Advanced .+ 0 is less than 1/],
		[
			{ advanced: { settings: { proxy: 'jo:secretpass@127.0.0.1:3128' } } },
			/^In the credential, Advanced \(Proxy\) is not the address of an HTTP proxy\.(?!.*secretpass)/,
		],
		[{ tenantDomain: '   ' }, 'The Tenant Domain is empty'],
		[{ tenantDomain: undefined }, 'The Tenant Domain is empty'],
		[{ tenantDomain: 'jo:secretpass@acme.example' }, /^(?!.*secretpass).*contains a user name/],
		[{ tenantDomain: 'ftp://acme.example.com' }, 'starts with something other than https://'],
	])('%j is told without a request', async (wrong, said) => {
		const credentials = { ...tenant.credentials, ...wrong } as ICredentialDataDecryptedObject;
		expect(await failureOfCredentialTest(credentials)).toMatch(said);
		expect(tenant.asked).toEqual([]);
	});

	it('every node with the credential tests it, as n8n’s rules for publishing ask', async () => {
		const { types } = await loadedPackage();
		const users = types.nodes
			.flatMap(({ credentials = [] }) => credentials)
			.filter(({ name }) => name === 'customerMessagingApi');
		expect(users.length).toBeGreaterThan(1);
		expect(users.filter(({ testedBy }) => testedBy !== 'checkTenantAccess')).toEqual([]);
	});
});
