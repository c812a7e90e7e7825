import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.mts';
import { asAdmin } from './tenantClient.mts';

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
	test('requests run in the order of their names, before the start is over', async () => {
		write('30-last.yml', '- { method: POST, path: /third-party/v1/tags, body: { title: hook 3 } }');
		write('20-second.yaml', tag('hook 2'));
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
			'a file of another type',
			'a.mjs',
			'export default () => 1',
			/failed: a hook is a file of type \.json, \.yaml, \.yml\.$/,
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
