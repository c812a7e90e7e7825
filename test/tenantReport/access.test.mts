import { PassThrough } from 'node:stream';
import { baseUrlOf, readToken, refuseTokenArgument } from '../../scripts/tenantReport/access.mts';

const SECRET = 'secret-token-7';

it.each([
	['acme.example.com', 'https://acme.example.com/third-party/v1'],
	['https://acme.example.com/', 'https://acme.example.com/third-party/v1'],
	['http://127.0.0.1:4010', 'http://127.0.0.1:4010/third-party/v1'],
	['http://localhost:4010', 'http://localhost:4010/third-party/v1'],
])('--domain %s is %s', (domain, baseUrl) => {
	expect(baseUrlOf(domain)).toBe(baseUrl);
});

it.each([
	[undefined, 'Name the tenant: --domain acme.example.com.'],
	['', /is empty/],
	['http://acme.example.com', /unencrypted/],
	// A container may have such a name, and the network between is not this machine.
	['http://tenant:4010', /unencrypted/],
	['http://127.0.0.1.example.com', /unencrypted/],
	['https://user:pass@acme.example.com', /user name/],
	['acme.example.com/other', /path/],
	['ftp://acme.example.com', /other than https/],
])('--domain %s is refused', (domain, problem) => {
	expect(() => baseUrlOf(domain)).toThrow(problem);
});

it.each([
	['--token', SECRET],
	[`--token=${SECRET}`],
	['--access-token', SECRET],
	[`--tenant-token=${SECRET}`],
	[`-token=${SECRET}`],
	['Bearer', SECRET],
	[`Bearer ${SECRET}`],
])('a token among the arguments is refused and not repeated: %s %s', (...args) => {
	expect(() => refuseTokenArgument(['--domain', 'a.example', ...args])).toThrow(/set TENANT_TOKEN/);
	expect(() => refuseTokenArgument(args)).not.toThrow(SECRET);
});

it.each([
	['as domain', ['--domain', SECRET]],
	['within a domain', [`--domain=https://${SECRET}.example.com`]],
	['in small letters', ['--domain', SECRET.toLowerCase()]],
	['as folder', ['--domain', 'a.example', '--report', `./${SECRET}`]],
])('the token is refused in any argument and not repeated: %s', (_what, args) => {
	for (const token of [SECRET, SECRET.toUpperCase(), ` Bearer ${SECRET}\n`]) {
		expect(() => refuseTokenArgument(args, token)).toThrow(/^A token among the arguments/);
		expect(() => refuseTokenArgument(args, token)).not.toThrow(SECRET);
	}
	expect(() => refuseTokenArgument(args, 'another-token')).not.toThrow();
	expect(() => refuseTokenArgument(args, '')).not.toThrow();
});

/** A terminal at which somebody types, with what it shows. */
function terminal(typed: string) {
	const input = Object.assign(new PassThrough(), { isTTY: true });
	const output = new PassThrough();
	let shown = '';
	output.on('data', (chunk: Buffer) => (shown += chunk.toString()));
	input.write(typed);
	return { input, output, shown: () => shown };
}

it('the token is typed unseen', async () => {
	const { input, output, shown } = terminal(`${SECRET}\r`);
	expect(await readToken({}, input, output)).toBe(SECRET);
	expect(shown()).toBe('Access token (not shown): \n');
});

it('Ctrl-C at the question ends it', async () => {
	const { input, output } = terminal('sec\u0003');
	await expect(readToken({}, input, output)).rejects.toThrow('Stopped');
});

it('the environment goes before, without "Bearer" and spaces', async () => {
	const { input, output, shown } = terminal('');
	expect(await readToken({ TENANT_TOKEN: ` Bearer ${SECRET}\n` }, input, output)).toBe(SECRET);
	expect(shown()).toBe('');
});

it.each(['', '  ', 'zwei Wörter', 'a\nb'])('%j is no token', async (given) => {
	const { input, output } = terminal('');
	await expect(readToken({ TENANT_TOKEN: given }, input, output)).rejects.toThrow(
		'TENANT_TOKEN is no access token',
	);
});

it('without a terminal and without the variable it says what to set', async () => {
	await expect(readToken({}, new PassThrough(), new PassThrough())).rejects.toThrow('Set TENANT_TOKEN');
});

it('the question is only asked when keys are no longer shown', async () => {
	const { input, output, shown } = terminal('');
	let isRaw = false;
	const token = readToken(
		{},
		Object.assign(input, { setRawMode: (raw: boolean) => void (isRaw = raw) }),
		output,
	);
	expect([isRaw, shown()]).toEqual([true, 'Access token (not shown): ']);
	input.write(`${SECRET}\r`);
	await token;
	expect(isRaw).toBe(false);
});
