import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestTenant } from '../sandbox/tenant.mts';
import { startCommand } from './command.mts';
import { withTenant } from './tenants.mts';

const TEXT_IDS = { ids: 'text', created: '201', deleted: '204' } as const;

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'tenant-report-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

const startCheck = ({ url, token }: Pick<TestTenant, 'token' | 'url'>, ...more: string[]) =>
	startCommand('tenantReport/tenantCheck', ['--domain', url, '--report', folder, '--pause', '0', ...more], {
		TENANT_TOKEN: token,
	});

it('npm run tenant:check shows its progress and the differences, and writes two reports', async () => {
	await withTenant({ choices: TEXT_IDS }, async (tenant) => {
		const command = startCheck(tenant, '--write');
		expect(await command.ended).toBe(0);
		expect(command.shown()).toMatch(/^ +1 {2}GET \/me {2}200 {2}\d+ ms\n/);
		expect(command.shown()).toMatch(
			/\nDifferences:\n {2}The node copes: GET \/me and \d+ more: IDs as text \(expected: IDs as numbers\)\n/,
		);
		expect(command.shown()).toContain('This sandbox shows 3 of the 3 differences:');
		expect((await readdir(folder)).sort()).toEqual(['tenant-check.json', 'tenant-check.md']);
	});
});

it.each([
	['nothing', [], 'Name the tenant: --domain acme.example.com.'],
	[
		'http',
		['--domain', 'http://acme.example.com'],
		/^The Tenant Domain uses plain http, which would send the access token unencrypted/,
	],
	['a token', ['--domain', 'a.example', '--token', 'secret-token-7'], /^A token among the arguments/],
	['a token that stands alone', ['--domain', 'a.example', 'secret-token-7'], /^An argument stands alone/],
	['the token as domain', ['--domain', 'secret-token-8'], /^A token among the arguments/],
	['the token as folder', ['--domain', 'a.example', '--report', 'secret-token-8'], /^A token among/],
	['no port', ['--domain', '127.0.0.1:1'], /^127\.0\.0\.1:1 /],
])('given %s it ends with one sentence and no stack', async (_what, args, sentence) => {
	const command = startCommand('tenantReport/tenantCheck', [...args, '--report', folder], {
		TENANT_TOKEN: 'secret-token-8',
	});
	expect(await command.ended).toBe(1);
	const lines = command.shown().trim().split('\n');
	expect(lines.at(-1)).toMatch(sentence);
	expect(command.shown()).not.toMatch(/secret-token|\n\s+at /);
});

it.each(['SIGINT', 'SIGTERM'] as const)('after %s it removes its test records', async (signal) => {
	await withTenant({}, async (tenant) => {
		const before = tenant.store.counts();
		tenant.faults.add({ kind: 'latency', ms: 2_000, operationId: 'updateGroup' });
		const command = startCheck(tenant, '--write');
		await command.until(/POST \/groups/);
		expect(tenant.store.counts()).not.toEqual(before);
		command.signal(signal);
		expect(await command.ended).toBe(130);
		expect(tenant.store.counts()).toEqual(before);
		expect(command.shown()).not.toContain('POST /media');
		expect((await readdir(folder)).sort()).toEqual(['tenant-check.json', 'tenant-check.md']);
	});
});

it('Ctrl-C once more ends it at once, and says what is still there', async () => {
	await withTenant({}, async (tenant) => {
		tenant.faults.add({ kind: 'latency', ms: 4_000, operationId: 'deleteTag' });
		const command = startCheck(tenant, '--write');
		await command.until(/PATCH \/tags/);
		command.signal('SIGINT');
		await command.until(/Stopping/);
		await new Promise((resolve) => setTimeout(resolve, 1_100));
		command.signal('SIGINT');
		expect(await command.ended).toBe(130);
		expect(command.shown()).toMatch(
			/\nDelete the tag "tenant:check [0-9a-f]{8}, delete me" in the tenant yourself\.\n/,
		);
	});
});

it('what could not be removed is on the terminal, and the exit code tells it', async () => {
	await withTenant({}, async (tenant) => {
		tenant.faults.add({ kind: 'server-error', operationId: 'deleteTag' });
		const command = startCheck(tenant, '--write');
		expect(await command.ended).toBe(1);
		expect(command.shown()).toMatch(
			/\nDelete the tag ".*" in the tenant yourself: its removal was answered with 500/,
		);
	});
});

/** The files of the report folder with their content. */
const files = async () =>
	Object.fromEntries(
		await Promise.all(
			(await readdir(folder)).map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')]),
		),
	) as Record<string, string>;

it('a check that could read nothing says so, fails, and keeps the report of one that could', async () => {
	await withTenant({}, async (tenant) => {
		tenant.faults.add({ kind: 'server-error', status: 403 });
		const first = startCheck(tenant);
		expect(await first.ended).toBe(1);
		expect(first.shown()).toMatch(/\nNothing could be read, .*: 403 \(\d+\)\.\n/);
		expect(first.shown()).not.toContain('No differences');
		expect(first.shown()).toContain('No report was written.');
		expect(await files()).toEqual({});

		tenant.faults.clear();
		expect(await startCheck(tenant).ended).toBe(0);
		const good = await files();
		expect(good['tenant-check.md']).toContain('No differences were seen.');

		tenant.faults.add({ kind: 'server-error', status: 403 });
		const last = startCheck(tenant);
		expect(await last.ended).toBe(1);
		expect(await files()).toEqual(good);
	});
});

it('--names says what it means before anything is asked, and tells the names', async () => {
	await withTenant({}, async (tenant) => {
		const command = startCheck(tenant, '--names');
		expect(await command.ended).toBe(0);
		expect(command.shown()).toMatch(
			/^With --names, .*read the report before you give it to anybody\.\n +1 {2}GET \/me/,
		);
		expect((await files())['tenant-check.md']).toContain('"read_at"');
	});
});
