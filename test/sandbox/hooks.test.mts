import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.mts';
import { asAdmin } from './tenantClient.mts';
import { ask } from './tenant.mts';

let hooks: string;
let sandbox: Sandbox | undefined;

beforeEach(() => (hooks = mkdtempSync(join(tmpdir(), 'sandbox-test-'))));
afterEach(async () => {
	await sandbox?.close();
	sandbox = undefined;
	rmSync(hooks, { recursive: true, force: true });
});

const write = (name: string, content: unknown) =>
	writeFileSync(join(hooks, name), typeof content === 'string' ? content : JSON.stringify(content));
const start = async (options?: SandboxOptions) =>
	(sandbox = await startSandbox({ hooksDir: hooks, ...options }));
const tag = (title: string) => ({ method: 'POST', path: '/third-party/v1/tags', body: { title } });
/** Titles of the tags that hooks made, in order. */
const made = ({ store }: Pick<Sandbox, 'store'>) =>
	store.database
		.all<{ title: string }>("SELECT title FROM tags WHERE title LIKE 'hook%' ORDER BY id")
		.map(({ title }) => title);

describe('hooks', () => {
	test('requests and modules run in the order of their names, before the start is over', async () => {
		write('30-last.yml', '- { method: POST, path: /third-party/v1/tags, body: { title: hook 3 } }');
		write(
			'20-module.mjs',
			"export default async (sandbox) => { await null; sandbox.store.tags.create('hook 2'); }",
		);
		write('10-first.json', [tag('hook 1a'), tag('hook 1b')]);
		write('.hidden', 'left alone');
		mkdirSync(join(hooks, 'data'));
		expect(made(await start())).toEqual(['hook 1a', 'hook 1b', 'hook 2', 'hook 3']);
	});

	test('control plane and interface are asked with the tokens they need', async () => {
		write('a.yaml', [
			{ method: 'POST', path: '/sandbox/faults', body: { kind: 'latency', ms: 1 } },
			{ method: 'POST', path: '/third-party/v1/customers/bulk-delete', body: { ids: [] }, as: 'user' },
		]);
		const { faults } = await start({ controlToken: 'a-control-token-of-a-test' });
		expect(faults.list()).toMatchObject([{ kind: 'latency', met: 1 }]);
	});

	test('they run at a kept tenant too; onlyWhenFresh leaves a request out there', async () => {
		const dataDir = join(hooks, 'tenant');
		write('a.json', [tag('hook always'), { ...tag('hook once'), onlyWhenFresh: true }]);
		await (await start({ dataDir })).close();
		expect(made(await start({ dataDir }))).toEqual(['hook always', 'hook once', 'hook always']);
	});

	test('what they do is no recorded request and no awaited message', async () => {
		write('a.json', {
			method: 'POST',
			path: '/third-party/v1/conversations/2001/messages',
			body: { type: 'text', text: { content: 'Hello' } },
		});
		const started = await start();
		expect(started.requests()).toEqual([]);
		await expect(started.nextMessage({ timeout: 0 })).rejects.toThrow('Nothing else came.');
		expect((await started.nextMessage({ timeout: 0, after: 30_003 })).text).toBe('Hello');
	});

	test('a module prepares every tenant, and what it does there is no recorded request either', async () => {
		write(
			'a.mjs',
			`export default async ({ tenants: { globex } }) => {
				const headers = { authorization: 'Bearer ' + globex.token, 'content-type': 'application/json' };
				const body = JSON.stringify({ title: 'hook of globex' });
				await fetch(globex.url + '/third-party/v1/tags', { method: 'POST', headers, body });
			}`,
		);
		const started = await start({ tenants: ['globex'] });
		const { globex } = started.tenants;
		expect([made(started), made(globex), globex.requests()]).toEqual([[], ['hook of globex'], []]);
	});

	test('it is healthy when they have run', async () => {
		write(
			'a.mjs',
			'export default async ({ url, tenant }) => { tenant.seen = (await fetch(`${url}/sandbox/health`)).status; }',
		);
		const { tenant, url } = await start();
		expect((tenant as unknown as { seen: number }).seen).toBe(503);
		expect((await ask(`${url}/sandbox/health`)).status).toBe(200);
	});

	test.each([
		[
			'a refused request',
			'a.json',
			[tag('hook'), tag('')],
			/request 2: POST \/third-party\/v1\/tags was answered with 422: A tag needs a title\.$/,
		],
		[
			'a single refused request',
			'a.json',
			tag(''),
			/failed: POST \/third-party\/v1\/tags was answered with 422/,
		],
		['a misspelt member', 'a.yaml', { ...tag('x'), boddy: 1 }, /failed: The boddy is not known\.$/],
		['a missing member', 'a.json', [{ method: 'GET' }], /failed: The path is required\.$/],
		['what is no YAML', 'a.yaml', 'a: [', /failed: .+$/],
		[
			'a module that throws',
			'a.mjs',
			"export default () => { throw new Error('No luck.\\nAt all.') }",
			/failed: No luck\.$/,
		],
		[
			'a module without a default',
			'a.mjs',
			'export const x = 1;',
			/failed: a module exports a function as its default\.$/,
		],
		['a module that does not compile', 'a.mjs', 'export default (', /failed: .+$/],
		[
			'a file of another type',
			'a.sh',
			'exit',
			/failed: a hook is a file of type \.json, \.yaml, \.yml, \.mjs\.$/,
		],
	])('%s ends the start in one sentence that names the file', async (_name, file, content, reason) => {
		write(file, content);
		const error = await start().then(
			() => undefined,
			(refused: Error) => refused,
		);
		expect(error?.message).toMatch(reason);
		expect(error?.message).toContain(`The hook ${join(hooks, file)} failed: `);
		expect(error?.message).not.toContain('\n');
	});

	test('after a hook has failed nothing is left open', async () => {
		write('a.json', tag(''));
		const dataDir = join(hooks, 'tenant');
		await expect(start({ dataDir })).rejects.toThrow('The hook');
		rmSync(join(hooks, 'a.json'));
		const { url, token } = await start({ dataDir });
		expect((await asAdmin({ url, token }).get('/me')).status).toBe(200);
	});

	test('a folder that is not there is named', async () => {
		await expect(start({ hooksDir: join(hooks, 'nowhere') })).rejects.toThrow(
			/^The hooks in .+nowhere cannot be read: ENOENT[^\n]+$/,
		);
	});
});
