import { execa } from 'execa';

import { operations, PREFIX } from '../../sandbox/contract.mts';
import { seed } from '../../sandbox/control/seed.mts';
import { readAccess } from '../../tenant-check/access.mts';
import { projectFolder } from '../docs/markdown.mts';
import { startTenant, type TestTenant } from '../sandbox/tenant.mts';
import { check, listen, scripted } from './scriptedAccount.mts';

const SECRET = 'Secret-token-7';

let tenant: TestTenant;
beforeAll(async () => (tenant = await startTenant()));
afterAll(async () => await tenant.close());

/** Runs the command as npm does. */
async function run(args: string[], token: string | undefined) {
	const command = ['--import', 'tsx', 'tenant-check/main.mts', ...args];
	const env = { NODE_OPTIONS: '', TENANT_TOKEN: token };
	const options = { cwd: projectFolder, env, all: true, reject: false } as const;
	const { exitCode, all } = await execa(process.execPath, command, options);
	return { exitCode, all };
}

describe('npm run tenant:check', () => {
	it('says of each row of the sandbox that it is kept, or cannot be seen', async () => {
		const { exitCode, all } = await run(['--domain', tenant.url], tenant.token);
		expect(all).not.toContain('does not keep it');
		expect(all.match(/^(keeps it|not seen) /gm)).toHaveLength(12);
		expect([exitCode, all]).toEqual([0, expect.stringMatching(/\n\n\d\d requests\.$/)]);
	});

	it('ends with one sentence and no stack where it cannot begin', async () => {
		const { exitCode, all } = await run(['--domain', tenant.url], 'wrong');
		expect([exitCode, all.split('\n').at(-1)]).toEqual([
			1,
			'The account refuses the token (401): check it, and that it belongs to this account.',
		]);
	});

	it('shows neither the token nor a word of the account, whatever that answers', async () => {
		const word = 'zqxcanary';
		const account = await listen((request, response) => {
			const name = `${word} ${SECRET}`;
			const record = { id: name, uuid: name, name, [name]: name, created_at: name, [`${word}_at`]: name };
			const isMissing = request.url?.endsWith('937');
			response.writeHead(isMissing ? 404 : 200, `${word} ${SECRET}`, {
				...{ 'content-type': `text/${word}`, [`x-${word}`]: SECRET },
				link: `<https://${word}.example/?${word}=${SECRET}>; rel="next"`,
			});
			const isRecord = /\/me$|settings|support\/(a.*s|m|.*pricing)/.test(String(request.url));
			response.end(JSON.stringify({ data: isRecord ? record : [record], [word]: SECRET, total: 99 }));
		});
		const { all } = await run(['--domain', account], SECRET);
		expect(all).toContain('does not keep it');
		expect(all).not.toMatch(new RegExp(`${word}|${SECRET}`, 'i'));
	});
});

describe('the check', () => {
	it.each([
		{},
		{ ids: 'text', created: '201' },
		{ envelope: 'cursor', links: 'proxied' },
		{ envelope: 'headers' },
	] as const)(
		'reads a sandbox with %j to its last endpoint, and finds nothing that breaks',
		async (choices) => {
			const variant = await startTenant({ choices, pageSize: 2 });
			seed(variant.store, { profiles: 30 });
			const { text, rows, problem } = await check(variant.url, variant.token);
			const requests = variant.requests();
			await variant.close();
			expect([problem, text]).toEqual([undefined, expect.not.stringMatching(/does not keep it|Not read/)]);
			expect(rows['Next page']).toMatch(/^keeps it: /);
			expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
			expect(requests.length).toBeLessThanOrEqual(70);
			const reads = operations().filter(({ method }) => method === 'GET');
			const isAsked = ({ path }: { path: string }) => {
				const like = new RegExp(`^${PREFIX}${path.replace(/\{\w+\}/g, '[^/]+')}$`);
				return requests.some((request) => like.test(request.path));
			};
			expect(reads.filter((one) => !isAsked(one))).toEqual([]);
		},
	);

	it('has one request under way at a time, and few for lists without end', async () => {
		let [most, now, id] = [0, 0, 0];
		const url = await listen((_request, response) => {
			most = Math.max(most, ++now);
			const body = { data: [{ id: ++id }], next: `?page=${id}` };
			setTimeout(() => response.end(JSON.stringify(body), () => now--), 1);
		});
		const { problem } = await check(url);
		expect([most, problem]).toEqual([1, undefined]);
		expect(id).toBeLessThan(100);
	});

	it.each([
		['a redirect', [302, { location: 'http://127.0.0.1:9/' }], 'The account redirects elsewhere (302)'],
		['no interface', [404, {}], 'There is no interface at this domain (GET /me: 404)'],
		['an account out of order', [500, {}], 'The account is out of order (GET /me: 500)'],
		[
			'a long wait',
			[429, { 'retry-after': '600' }],
			'The account takes no more requests for now (429): try again in 10 min.',
		],
	] as const)('ends at once with %s', async (_what, [status, headers], sentence) => {
		const { url, requests } = await scripted({
			'/me': (response) => void response.writeHead(status, headers).end(),
		});
		expect((await check(url)).problem).toContain(sentence);
		expect(requests).toEqual(['GET /me']);
	});

	it('ends after three requests in a row without a response', async () => {
		const silent = await listen((request, response) => {
			if (request.url?.endsWith('/me')) response.end('{"data":{"id":1}}');
			else response.destroy();
		});
		expect((await check(silent)).problem).toMatch(
			/^127\.0\.0\.1:\d+ gave no response \(UND_ERR_SOCKET\): check/,
		);
	});
});

describe('the arguments', () => {
	it.each([
		['acme.example.com', 'https://acme.example.com/third-party/v1'],
		['http://127.0.0.1:4010', 'http://127.0.0.1:4010/third-party/v1'],
	])('name the account %s', (domain, baseUrl) => {
		const access = { baseUrl, token: SECRET };
		const env = { TENANT_TOKEN: ` Bearer ${SECRET}\n` };
		expect(readAccess(['--domain', domain], env)).toEqual(access);
		expect(readAccess([`--domain=${domain}`], env)).toEqual(access);
	});

	it.each([
		['http://acme.example.com', /plain http/],
		// A container may have such a name, and the network between is not this machine.
		['http://tenant:4010', /unencrypted/],
		['acme.example.com/other', /path/],
		['', /is empty/],
	])('may not name %s', (domain, problem) => {
		expect(() => readAccess(['--domain', domain], { TENANT_TOKEN: SECRET })).toThrow(problem);
	});

	it.each([
		['as an option', ['--domain', 'a.example', '--token', SECRET]],
		['alone', [SECRET]],
		['as domain', ['--domain', SECRET]],
		['within a domain, in small letters', [`--domain=https://${SECRET.toLowerCase()}.example`]],
	])('never hold the token: %s it is refused and not repeated', (_where, args) => {
		for (const TENANT_TOKEN of [SECRET, `Bearer ${SECRET}`]) {
			expect(() => readAccess(args, { TENANT_TOKEN })).toThrow(/^The only argument is --domain/);
			expect(() => readAccess(args, { TENANT_TOKEN })).not.toThrow(SECRET);
		}
	});

	it.each([undefined, '', '  ', 'a\nb'])('need a token in the environment, not %j', (TENANT_TOKEN) => {
		expect(() => readAccess(['--domain', 'a.example'], { TENANT_TOKEN })).toThrow(/access token/);
	});

	it('need a domain', () => {
		expect(() => readAccess([], { TENANT_TOKEN: SECRET })).toThrow('Name the account');
	});
});
