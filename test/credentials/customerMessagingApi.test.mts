import type { ICredentialDataDecryptedObject, ICredentialType, IHttpRequestOptions } from 'n8n-workflow';

import { failureOfCredentialTest } from '../engine/credentialTest.mts';
import { editorOf, loadedPackage } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { generation } from '../n8n/generation.mts';
import { expectOnlyOpenFailures } from '../openFailures/openFailures.mts';

const tenant = OddTenant.inEachTest();
const stranger = OddTenant.inEachTest();

const BASE = 'https://acme.example.com/third-party/v1';
const TOKEN = 'a-token-of-the-tenant';
const ACME: ICredentialDataDecryptedObject = { tenantDomain: 'acme.example.com', accessToken: TOKEN };

/** A request as n8n's HTTP Request node still writes it. */
type OldRequest = Partial<IHttpRequestOptions> & { uri?: string };

async function credentialType(name = 'customerMessagingApi'): Promise<ICredentialType> {
	return (await loadedPackage()).getCredential(name).type;
}

/** The request as it goes out with the credential. */
async function signed(
	request: OldRequest,
	credentials: ICredentialDataDecryptedObject = ACME,
): Promise<OldRequest> {
	const { authenticate } = await credentialType();
	if (typeof authenticate !== 'function') throw new Error('The credential has no authenticate function');
	return await authenticate(credentials, request as IHttpRequestOptions);
}

describe('where a request goes', () => {
	it.each<[string, OldRequest, string]>([
		['a path', { url: '/me' }, '/me'],
		['a path without its slash', { url: 'me' }, '/me'],
		['a path with a query', { url: '/profiles?search=a%20b' }, '/profiles?search=a%20b'],
		['a URL of the tenant', { url: `${BASE}/me` }, '/me'],
		['the old name of the URL', { uri: '/me' }, '/me'],
		['both names', { url: '/me', uri: '/tags' }, '/me'],
		['no URL', {}, '/'],
		['a path that comes back', { url: '/tags/../me' }, '/me'],
		['what looks like another host', { url: '//evil.example/me' }, '//evil.example/me'],
	])('%s is taken below the tenant’s own address', async (_, request, path_) => {
		expect((await signed(request)).url).toBe(`${BASE}${path_}`);
	});

	it.each([
		'https://evil.example/third-party/v1/me',
		'http://acme.example.com/third-party/v1/me',
		'https://acme.example.com:8443/third-party/v1/me',
		'https://acme.example.com.evil.example/third-party/v1/me',
		'https://acme.example.com@evil.example/third-party/v1/me',
		'https://user:password@acme.example.com/third-party/v1/me',
		'https://acme.example.com/admin',
		'/../../admin',
		'/%2e%2e/admin',
		'/tags/..\\..\\admin',
		'file:///third-party/v1/me',
	])('%s gets neither the token nor a request', async (url) => {
		for (const request of [{ url }, { uri: url }])
			await expect(signed(request)).rejects.toThrow('The access token is only sent to');
	});

	it('a base URL of the request does not lead elsewhere', async () => {
		const request = await signed({ url: '/me', baseURL: 'https://evil.example' });
		expect(request.baseURL).toBeUndefined();
		expect(request.url).toBe(`${BASE}/me`);
	});

	it('the old name of the URL does not lead elsewhere', async () => {
		expect(await signed({ url: '/me', uri: 'https://evil.example' })).not.toHaveProperty('uri');
	});

	it.each([
		['', 'is empty'],
		[undefined, 'is empty'],
		['acme example.com', 'contains a space'],
		['acme.example.com/third-party/v1', 'contains a path'],
		['http://acme.example.com', 'uses plain http'],
	])('a tenant domain like %j is told apart from a tenant that does not answer', async (domain, problem) => {
		const credentials = { ...ACME, tenantDomain: domain } as ICredentialDataDecryptedObject;
		await expect(signed({ url: '/me' }, credentials)).rejects.toThrow(`The tenant domain ${problem}`);
	});
});

describe('what a request carries', () => {
	it.each([
		['as it was issued', TOKEN],
		['with spaces around it', ` \t${TOKEN}\n`],
		['with the word in front of it', `Bearer ${TOKEN}`],
		['with the word in other letters', `  bearer   ${TOKEN} `],
	])('a token that was pasted %s', async (_, accessToken) => {
		const { headers } = await signed({ url: '/me' }, { ...ACME, accessToken });
		expect(headers).toEqual({ Authorization: `Bearer ${TOKEN}` });
	});

	it.each(['', '  ', undefined, null])('no token like %j', async (accessToken) => {
		const credentials = { ...ACME, accessToken } as unknown as ICredentialDataDecryptedObject;
		await expect(signed({ url: '/me' }, credentials)).rejects.toThrow('The access token is empty');
	});

	it('no token where there is nothing but the word that stands in front of one', async () => {
		const found = new Map<string, string>();
		for (const accessToken of ['Bearer', ' Bearer ', 'Bearer \n']) {
			const sent = await signed({ url: '/me' }, { ...ACME, accessToken }).catch(() => undefined);
			if (sent) found.set(`token: ${JSON.stringify(accessToken)} is none`, JSON.stringify(sent.headers));
		}
		expectOnlyOpenFailures('credentials', found);
	});

	it('its own headers, except that the token is the credential’s', async () => {
		const headers = { Accept: 'text/yaml', Authorization: 'Bearer of another' };
		expect((await signed({ url: '/me', headers })).headers).toEqual({
			Accept: 'text/yaml',
			Authorization: `Bearer ${TOKEN}`,
		});
	});

	it('everything else as it was, and what the caller holds is left alone', async () => {
		const request: OldRequest = {
			method: 'POST',
			url: '/tags',
			body: { title: 'VIP' },
			qs: { a: 1 },
			json: true,
		};
		const before = structuredClone(request);
		expect(await signed(request)).toMatchObject({
			method: 'POST',
			body: { title: 'VIP' },
			qs: { a: 1 },
			json: true,
		});
		expect(request).toEqual(before);
	});

	it.each([301, 302, 303, 307, 308])(
		'nothing to where the tenant sends it on to by %i, not even within the tenant',
		async (status) => {
			const places = [
				`${stranger.url}/third-party/v1/me`,
				`${tenant.url}/third-party/v1/elsewhere`,
				'/admin',
			];
			for (const place of places) {
				tenant.answer(async (_, reply) => await reply.redirect(place, status));
				const { context } = await editorOf({ parameters: {}, credentials: tenant.credentials });
				const { helpers } = context;
				// The one that nodes use today, and the one of n8n's HTTP Request node.
				await helpers.httpRequestWithAuthentication
					.call(context, 'customerMessagingApi', {
						url: '/me',
						maxRedirects: 5,
						sendCredentialsOnCrossOriginRedirect: true,
					} as IHttpRequestOptions)
					.catch(() => undefined);
				await helpers.requestWithAuthentication
					.call(context, 'customerMessagingApi', {
						uri: `${tenant.url}/third-party/v1/me`,
						followRedirect: true,
						followAllRedirects: true,
						maxRedirects: 5,
						sendCredentialsOnCrossOriginRedirect: true,
					})
					.catch(() => undefined);
			}
			expect(stranger.asked).toEqual([]);
			expect(tenant.asked).toEqual(Array(2 * places.length).fill('GET /third-party/v1/me'));
		},
	);
});

describe('when a person presses Test', () => {
	it('the account behind the token is read, once, with the token', async () => {
		const tokens: Array<string | undefined> = [];
		tenant.answer(({ headers }) => {
			tokens.push(headers.authorization);
			return { data: { id: 1 } };
		});
		expect(await failureOfCredentialTest(tenant.credentials)).toBeUndefined();
		expect(tenant.asked).toEqual(['GET /third-party/v1/me']);
		expect(tokens).toEqual([`Bearer ${String(tenant.credentials.accessToken)}`]);
	});

	it('a tenant that sends on to another address is not followed', async () => {
		tenant.answer(async (_, reply) => await reply.redirect(`${stranger.url}/third-party/v1/me`));
		expect(await failureOfCredentialTest(tenant.credentials)).toBeDefined();
		expect(stranger.asked).toEqual([]);
	});

	it.each([
		[401, /token/],
		[404, /tenant domain/],
	])('%i is explained', async (status, words) => {
		tenant.answer(async (_, reply) => await reply.code(status).send({}));
		const failure = await failureOfCredentialTest(tenant.credentials);
		const { test } = await credentialType();
		const rules = test?.rules?.filter(
			({ type, properties }) => type === 'responseCode' && properties.value === status,
		);
		expect(rules?.map(({ properties }) => properties.message)).toEqual([expect.stringMatching(words)]);
		// Within jest, errors of n8n 1 lose the answer by which n8n finds the rule.
		expect(failure).toEqual(generation === 1 ? expect.any(String) : rules?.[0].properties.message);
	});

	it.each([403, 500, 503])('%i is not explained as one of those', async (status) => {
		tenant.answer(async (_, reply) => await reply.code(status).send({}));
		expect(await failureOfCredentialTest(tenant.credentials)).not.toMatch(/access token|tenant domain/);
	});

	it('a domain that is none is told without a request', async () => {
		const failure = await failureOfCredentialTest({ ...tenant.credentials, tenantDomain: 'acme/tenant' });
		expect(failure).toMatch('The tenant domain contains a path');
		expect(tenant.asked).toEqual([]);
	});
});
