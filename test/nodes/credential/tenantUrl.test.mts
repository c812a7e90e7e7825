import { tenantBaseUrl, urlWithinTenant } from '../../../nodes/CustomerMessaging/credential/tenantUrl.ts';

describe('tenantBaseUrl', () => {
	test.each([
		['acme.example.com', 'https://acme.example.com'],
		['https://acme.example.com/', 'https://acme.example.com'],
		['  acme.example.com \n', 'https://acme.example.com'],
		['HTTPS://Acme.Example.com', 'https://acme.example.com'],
		['acme.example.com///', 'https://acme.example.com'],
		['acme.example.com:8443', 'https://acme.example.com:8443'],
		['localhost:4010', 'https://localhost:4010'],
		['http://localhost:4010/', 'http://localhost:4010'],
		['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
		['http://[::1]:4010', 'http://[::1]:4010'],
		['http://sandbox:4010', 'http://sandbox:4010'],
		['https://sandbox', 'https://sandbox'],
		['münchen.example', 'https://xn--mnchen-3ya.example'],
	])('takes %j', (typed, origin) => {
		expect(tenantBaseUrl(typed)).toBe(`${origin}/third-party/v1`);
	});

	test.each([
		['', 'is empty'],
		['   ', 'is empty'],
		['http://acme.example.com', 'plain http'],
		['http://10.0.0.5', 'plain http'],
		['http://localhost.example.com', 'plain http'],
		['http://127.0.0.1.example.com', 'plain http'],
		['http://0.0.0.0', 'plain http'],
		['ftp://acme.example.com', 'something other than https://'],
		['https://me:secret@acme.example.com', 'user name'],
		['acme.example.com@evil.example', 'user name'],
		['acme.example.com/third-party/v1', 'path'],
		['https://acme.example.com/login', 'path'],
		['acme.example.com?x=1', 'query'],
		['acme.example.com/?', 'query'],
		['acme.example.com#top', 'query or a fragment'],
		['acme example.com', 'space'],
		['acme.example.com\\evil', 'backslash'],
		['https://', 'not a valid host name'],
		['acme.example.com:port', 'not a valid host name'],
		['javascript:alert(1)', 'not a valid host name'],
	])('refuses %j', (typed, problem) => {
		expect(() => tenantBaseUrl(typed)).toThrow(problem);
	});

	it('does not repeat what was typed, since it may be a secret', () => {
		expect(() => tenantBaseUrl('my secret token')).toThrow(/^(?!.*secret token)/);
	});
});

describe('urlWithinTenant', () => {
	const base = 'https://acme.example.com/third-party/v1';

	it('completes a path', () => {
		expect(urlWithinTenant(base, '/me')).toBe(`${base}/me`);
		expect(urlWithinTenant(base, 'me')).toBe(`${base}/me`);
	});

	it('keeps an absolute URL of the tenant', () => {
		expect(urlWithinTenant(base, `${base}/profiles?page=2`)).toBe(`${base}/profiles?page=2`);
	});

	test.each([
		'https://evil.example/third-party/v1/me',
		'http://acme.example.com/third-party/v1/me',
		'https://acme.example.com:444/third-party/v1/me',
		'https://acme.example.com/other/me',
		'https://acme.example.com/third-party/v1evil/me',
		'https://acme.example.com/third-party/v1/../../me',
		'https://user@acme.example.com/third-party/v1/me',
		'/../admin',
	])('refuses %s', (url) => {
		expect(() => urlWithinTenant(base, url)).toThrow('The access token is only sent to');
	});
});
