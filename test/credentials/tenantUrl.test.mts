import { accessOf, urlWithinTenant } from '../../nodes/CustomerMessaging/api/credential.ts';

const baseUrlOf = (tenantDomain: string) => accessOf({ tenantDomain, accessToken: 'a-token' }).baseUrl;

describe('the base URL of a tenant domain', () => {
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
		['http://127.0.0.10', 'http://127.0.0.10'],
		['http://127.200.0.1:80', 'http://127.200.0.1'],
		['http://a', 'http://a'],
		['http://a-b', 'http://a-b'],
		['http://sandbox:4010', 'http://sandbox:4010'],
		['https://sandbox', 'https://sandbox'],
		['münchen.example', 'https://xn--mnchen-3ya.example'],
	])('takes %j', (typed, origin) => {
		expect(baseUrlOf(typed)).toBe(`${origin}/third-party/v1`);
	});

	test.each([
		['', 'is empty'],
		['   ', 'is empty'],
		['http://acme.example.com', 'plain http'],
		['http://10.0.0.5', 'plain http'],
		['http://localhost.example.com', 'plain http'],
		['http://127.0.0.1.example.com', 'plain http'],
		['http://0.0.0.0', 'plain http'],
		['http://my.localhost', 'plain http'],
		['http://1127.0.0.1.example', 'plain http'],
		['http://-a.b', 'plain http'],
		['ftp://acme.example.com', 'something other than https://'],
		['https://me:secret@acme.example.com', 'user name'],
		['acme.example.com@evil.example', 'user name'],
		['acme.example.com/third-party/v1', 'path'],
		['https://acme.example.com/login', 'path'],
		['acme.example.com?x=1', 'path'],
		['acme.example.com#top', 'path'],
		['acme example.com', 'not a valid host name'],
		['acme.example.com\nevil.example', 'not a valid host name'],
		['acme.\texample.com', 'not a valid host name'],
		['acme.example.com\\evil', 'path'],
		['https://', 'not a valid host name'],
		['acme.example.com:port', 'not a valid host name'],
		['javascript:alert(1)', 'not a valid host name'],
	])('refuses %j', (typed, problem) => {
		expect(() => baseUrlOf(typed)).toThrow(problem);
	});

	it('does not repeat what was typed, since it may be a secret', () => {
		expect(() => baseUrlOf('my secret token')).toThrow(/^(?!.*secret token)/);
	});
});

describe('urlWithinTenant', () => {
	const base = 'https://acme.example.com/third-party/v1';

	test.each([
		['/me', '/me'],
		['me', '/me'],
		['/profiles?search=a:b', '/profiles?search=a:b'],
		['/files/x:y', '/files/x:y'],
		[`${base}/profiles?page=2`, '/profiles?page=2'],
	])('takes %s below the tenant', (url, path) => {
		expect(urlWithinTenant(base, url)).toBe(`${base}${path}`);
	});

	test.each([
		'https://evil.example/third-party/v1/me',
		'http://acme.example.com/third-party/v1/me',
		'https://acme.example.com:444/third-party/v1/me',
		'https://acme.example.com/other/me',
		'https://acme.example.com/third-party/v1evil/me',
		'https://acme.example.com/third-party/v1/../../me',
		'https://user@acme.example.com/third-party/v1/me',
		'https://:word@acme.example.com/third-party/v1/me',
		'/../admin',
	])('refuses %s, and says what to do', (url) => {
		expect(() => urlWithinTenant(base, url)).toThrow(
			expect.objectContaining({
				message: expect.stringContaining(`The access token is only sent to ${base}, not to http`),
				description: 'Use a URL of the account that the credential is made for.',
			}),
		);
	});
});
