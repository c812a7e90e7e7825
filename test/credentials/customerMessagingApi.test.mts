import type { ICredentialDataDecryptedObject, ICredentialType, IHttpRequestOptions } from 'n8n-workflow';

import { editorOf, loadedPackage } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';

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
		'https://a.acme.example.com/third-party/v1/me',
		'https://example.com/third-party/v1/me',
		'https://acme.example.com:443@evil.example/third-party/v1/me',
		'https://evil.example\\@acme.example.com/third-party/v1/me',
		'ftp://acme.example.com/third-party/v1/me',
		'https://evil.exa\nmple/third-party/v1/me',
		'https://acme.example.com./third-party/v1/me',
	])('%s gets neither the token nor a request', async (url) => {
		for (const request of [{ url }, { uri: url }])
			await expect(signed(request)).rejects.toThrow('The access token is only sent to');
	});

	it.each([
		['/me', 'https://evil.example', '/me'],
		['/me', BASE, '/me'],
		[`${BASE}/me`, 'https://evil.example', '/me'],
		['HTTPS://ACME.EXAMPLE.COM/third-party/v1/me', undefined, '/me'],
		['@evil.example/x', 'https://acme.example.com', '/@evil.example/x'],
		['.evil.example/x', 'https://acme.example.com', '/.evil.example/x'],
	])('%s with the base URL %s does not lead elsewhere', async (url, baseURL, path_) => {
		const request = await signed({ url, baseURL });
		expect(request.baseURL).toBeUndefined();
		expect(request.url).toBe(`${BASE}${path_}`);
	});

	it('the old name of the URL does not lead elsewhere', async () => {
		expect(await signed({ url: '/me', uri: 'https://evil.example' })).not.toHaveProperty('uri');
	});

	it.each([
		['', 'is empty'],
		[undefined, 'is empty'],
		['acme example.com', 'is not a valid host name'],
		['acme.example.com/third-party/v1', 'contains a path'],
		['http://acme.example.com', 'uses plain http'],
	])('a tenant domain like %j is told apart from a tenant that does not answer', async (domain, problem) => {
		const credentials = { ...ACME, tenantDomain: domain } as ICredentialDataDecryptedObject;
		await expect(signed({ url: '/me' }, credentials)).rejects.toThrow(`The Tenant Domain ${problem}`);
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

	it.each(['', '  ', undefined, null, 'Bearer', ' Bearer \n'])('no token like %j', async (accessToken) => {
		const credentials = { ...ACME, accessToken } as unknown as ICredentialDataDecryptedObject;
		await expect(signed({ url: '/me' }, credentials)).rejects.toThrow('The access token is empty');
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
