import type { IHttpRequestOptions } from 'n8n-workflow';

import { loadedPackage } from '../engine/engine.mts';

const CASES: Array<[string, Partial<IHttpRequestOptions> & Record<string, unknown>, boolean]> = [
	['its own', { url: 'https://acme.example.com/third-party/v1/me' }, true],
	['relative with base', { baseURL: 'https://acme.example.com/third-party/v1', url: '/me' }, true],
	['upper case', { url: 'HTTPS://ACME.EXAMPLE.COM/third-party/v1/me' }, true],
	['another host', { url: 'https://evil.example/x' }, false],
	['subdomain', { url: 'https://a.acme.example.com/x' }, false],
	['parent', { url: 'https://example.com/x' }, false],
	['suffix', { url: 'https://evil-acme.example.com.evil.example/x' }, false],
	['userinfo', { url: 'https://acme.example.com@evil.example/x' }, false],
	['userinfo 2', { url: 'https://acme.example.com:443@evil.example/x' }, false],
	['backslash', { url: 'https://acme.example.com\\@evil.example/x' }, true],
	['backslash 2', { url: 'https://evil.example\\@acme.example.com/x' }, false],
	['port', { url: 'https://acme.example.com:8443/x' }, false],
	['plain http', { url: 'http://acme.example.com/x' }, false],
	[
		'base of another, absolute own',
		{ baseURL: 'https://evil.example', url: 'https://acme.example.com/x' },
		true,
	],
	[
		'own base, absolute another',
		{ baseURL: 'https://acme.example.com', url: 'https://evil.example/x' },
		false,
	],
	['own base, scheme-relative', { baseURL: 'https://acme.example.com', url: '//evil.example/x' }, true],
	['own base, joined to another', { baseURL: 'https://acme.example.com', url: '@evil.example/x' }, true],
	['own base, joined suffix', { baseURL: 'https://acme.example.com', url: '.evil.example/x' }, true],
	['evil base, relative', { baseURL: 'https://evil.example', url: '/third-party/v1/me' }, true],
	['uri member', { uri: 'https://evil.example/x', url: undefined as never }, false],
	['uri beside url', { uri: 'https://evil.example/x', url: 'https://acme.example.com/x' }, false],
	['no url', { url: '' }, true],
	['ftp', { url: 'ftp://acme.example.com/x' }, false],
	['newline', { url: 'https://evil.exa\nmple/x' }, false],
	['trailing dot', { url: 'https://acme.example.com./x' }, false],
	[
		'proxy',
		{ url: 'https://acme.example.com/x', proxy: { host: 'evil.example', port: 1, protocol: 'http' } },
		true,
	],
];
it.each(CASES)('HTTP Request asks %s', async (_name, options, mayHaveToken) => {
	const loader = await loadedPackage();
	const { authenticate } = loader.getCredential('customerMessagingApi').type;
	let out: unknown;
	try {
		out = await (authenticate as (c: object, o: object) => Promise<unknown>)(
			{ tenantDomain: 'acme.example.com', accessToken: 'secret-token-123456' },
			{ method: 'GET', ...options },
		);
	} catch (error) {
		out = { threw: (error as Error).message.length };
	}
	const text = JSON.stringify(out);
	expect(text).not.toMatch(/"url":"https:\/\/(?!acme\.example\.com\/)|"baseURL":"https:\/\/evil/);
	if (!mayHaveToken) expect(text).not.toContain('secret-token');
});
