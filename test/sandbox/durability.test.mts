import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.mts';
import { Database } from '../../sandbox/store/database.mts';
import { openStore } from '../../sandbox/store/store.mts';
import { ask, type Data, type Fields, until, upload, uploadForm } from './tenant.mts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The command line in a process of its own. */
interface CommandLine {
	/** What it has printed so far. */
	output(): string;
	kill(signal: NodeJS.Signals): void;
	/** Its exit code, once it has ended; undefined when it was killed. */
	ended: Promise<number | undefined>;
}

const running = new Set<CommandLine>();
const opened: Sandbox[] = [];
let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'))));
afterEach(async () => {
	for (const { kill, ended } of running) {
		kill('SIGKILL');
		await ended;
	}
	running.clear();
	for (const sandbox of opened.splice(0)) await sandbox.close();
	rmSync(folder, { recursive: true, force: true });
});

/** A sandbox in this process, closed after the test. */
async function open(options?: SandboxOptions): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	opened.push(sandbox);
	return sandbox;
}

async function run(...args: string[]): Promise<CommandLine> {
	const child = execa(process.execPath, ['--import', 'tsx', 'sandbox/main.mts', ...args], {
		cwd: ROOT,
		all: true,
		reject: false,
		buffer: false,
	});
	let text = '';
	child.all.setEncoding('utf8').on('data', (part: string) => (text += part));
	const commandLine: CommandLine = {
		output: () => text,
		kill: (signal) => void child.kill(signal),
		ended: child.then(({ exitCode }) => exitCode),
	};
	running.add(commandLine);
	return commandLine;
}

/** Starts the command line and waits until it says where it listens. */
async function start(...args: string[]): Promise<CommandLine & { url: string }> {
	const commandLine = await run('--port', '0', ...args);
	const url = await until(
		() => /Sandbox tenant +(\S+)[^]*Inbox/.exec(commandLine.output())?.[1],
		`the sandbox is up: ${commandLine.output()}`,
	);
	return { ...commandLine, url };
}

const api = (url: string, method: string, path: string, body?: object) =>
	ask(`${url}/third-party/v1${path}`, {
		method,
		headers: {
			authorization: 'Bearer sandbox-admin-token',
			...(body && { 'content-type': 'application/json' }),
		},
		body: body && JSON.stringify(body),
	});

describe('--data', () => {
	test('nothing that was answered is lost on kill -9', async () => {
		const first = await start('--data', folder);
		const answered: Fields[] = [];
		let next = 0;
		let isKilled = false;
		const writer = async () => {
			// What is under way may still be answered. Nothing new is sent: its port may be somebody else's by then.
			while (!isKilled) {
				const display_id = String(4_915_100_000_000 + next++);
				const body = { channel: 'chatapp', display_id, name: `Customer ${display_id}` };
				const answer = await api(first.url, 'POST', '/customers', body).catch(() => undefined);
				if (!answer) return;
				answered.push(answer.body as Fields);
				if (answered.length < 300) continue;
				isKilled = true;
				first.kill('SIGKILL');
			}
		};
		const content = new Uint8Array(200_000).fill(7);
		const form = uploadForm(
			{ type: 'document', public: '1' },
			{ content, mimeType: 'text/plain', name: 'a.txt' },
		);
		const file = (await upload({ url: first.url, token: 'sandbox-admin-token' } as never, form)).body as {
			internal_uuid: string;
		};
		await Promise.all(Array.from({ length: 8 }, writer));
		await first.ended;
		expect(answered.length).toBeGreaterThanOrEqual(300);

		const second = await start('--data', folder);
		for (const customer of answered) {
			expect((await api(second.url, 'GET', `/customers/${customer.id}`)).body).toEqual({ data: customer });
		}
		const { data: profiles } = (
			await api(second.url, 'GET', `/profiles?search=${String(answered.at(-1)?.display_id)}`)
		).body as Data<Fields[]>;
		expect(profiles).toHaveLength(1);
		const { body } = await api(second.url, 'GET', `/files/${file.internal_uuid}`);
		expect(body).toBe(Buffer.from(content).toString());
		const created = await api(second.url, 'POST', '/customers', {
			channel: 'chatapp',
			display_id: '4916000000000',
			name: 'N',
		});
		expect((created.body as Fields).id).toBeGreaterThan(Math.max(...answered.map(({ id }) => id)));
	});

	test('everything is kept over an orderly restart: clock, webhooks, deletions, signed addresses', async () => {
		const first = await open({ dataDir: folder, webhooks: [{ url: 'http://127.0.0.1:1/' }] });
		const post = (path: string, body: object) =>
			ask(`${first.url}/sandbox${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
		await api(first.url, 'DELETE', '/customers/102');
		await post('/clock', { advance: { days: 3 } });
		const form = uploadForm({ type: 'document' }, { content: 'kept', mimeType: 'text/plain', name: 'a.txt' });
		const { url } = (await upload(first, form)).body as { url: string };
		await opened.pop()?.close();

		const { port } = new URL(first.url);
		const second = await open({
			dataDir: folder,
			port: Number(port),
			webhooks: [{ url: 'http://127.0.0.1:1/' }],
		});
		expect(second.isFresh).toBe(false);
		expect(second.store.webhooks.list()).toMatchObject([{ url: 'http://127.0.0.1:1/' }]);
		expect(second.store.customers.deletions()).toMatchObject([{ customer_id: 102 }]);
		expect(second.store.clock.ahead()).toBeGreaterThan(2.9 * 86_400_000);
		// The pooled connection may still be the one to the first sandbox.
		const again = await ask(url).catch(async () => await ask(url));
		expect(again.body).toBe('kept');
	});

	test('without it, everything is gone after a restart', async () => {
		const first = await open();
		await api(first.url, 'DELETE', '/customers/102');
		await opened.pop()?.close();
		const second = await open();
		expect((await api(second.url, 'GET', '/customers/102')).status).toBe(200);
	});

	test('a folder that another sandbox has open is refused in one sentence', async () => {
		await open({ dataDir: folder });
		await expect(open({ dataDir: folder })).rejects.toThrow(`${folder} is in use by another sandbox.`);
	});

	test('a folder of another version is brought up to date, and its file stays beside the new one', async () => {
		const first = await open({ dataDir: folder });
		await api(first.url, 'DELETE', '/customers/102');
		await api(first.url, 'POST', '/tags', { title: 'Kept' });
		await opened.pop()?.close();
		// As if the other version had one column more, one less that may be empty, and an index of its own.
		const older = new Database(join(folder, 'sandbox.sqlite'));
		older.script(`
			ALTER TABLE tags ADD COLUMN colour TEXT;
			ALTER TABLE profiles DROP COLUMN custom_5;
			CREATE INDEX other ON tags (colour);
			UPDATE facts SET value = 'older' WHERE name = 'schema_version';
		`);
		older.close();
		const second = await open({ dataDir: folder });
		expect((await api(second.url, 'GET', '/customers/102')).status).toBe(404);
		expect((await api(second.url, 'GET', '/profiles/102')).body).toMatchObject({
			data: { name: 'Mira Example', custom_1: 'Prefers mornings', custom_5: null },
		});
		expect((await api(second.url, 'POST', '/tags', { title: 'Next' })).body).toMatchObject({ id: 45 });
		expect(existsSync(join(folder, 'sandbox.older.sqlite'))).toBe(true);
		await opened.pop()?.close();
		expect((await open({ dataDir: folder })).isFresh).toBe(false);
	});

	test('a folder of another version that cannot be taken over is refused in one sentence, and stays as it is', () => {
		const store = openStore(folder);
		store.database.run("UPDATE facts SET value = '0' WHERE name = 'schema_version'");
		store.database.script('DROP TABLE profiles; CREATE TABLE profiles (id INTEGER PRIMARY KEY)');
		store.close();
		expect(() => openStore(folder)).toThrow(
			/was written by another version of the sandbox, .* npx customer-messaging-sandbox@\d+\.\d+\.\d+ --data ".*bulk-import\.$/,
		);
		expect(readdirSync(folder).sort()).toEqual(['files', 'sandbox.sqlite']);
	});

	test('a file in place of the folder is named in one sentence', () => {
		const file = join(folder, 'file');
		writeFileSync(file, '');
		for (const place of [file, join(file, 'deeper')])
			expect(() => openStore(place)).toThrow(`${place} is a file, or lies in one.`);
	});
});

describe('command line', () => {
	test('it prints address, tenant domain, tokens, what it holds and where the inbox is, and stops on SIGTERM', async () => {
		const { url, output, kill, ended } = await start('--seed', '50', '--envelope', 'cursor');
		expect(output()).toContain(`Tenant domain         ${url}`);
		expect(output()).toContain('sandbox-admin-token');
		expect(output()).toContain('sandbox-agent-token');
		expect(output()).toContain('53 customers');
		expect(output()).toContain(`Inbox                 ${url}/`);
		expect((await api(url, 'GET', '/customers')).body).toHaveProperty('next_cursor');
		kill('SIGTERM');
		expect(await ended).toBe(0);
	});

	test('it prints the control token with a link to the inbox, and takes the names of the machine', async () => {
		const token = 'sixteen-letters&or+more';
		const { url, output } = await start('--control-token', token, '--allow-host', 'tenant.lan');
		expect(output()).toContain(
			`Inbox                 ${url}/?token=${encodeURIComponent(token)}\n  Control token         ${token}`,
		);
		expect((await ask(`${url}/sandbox`)).status).toBe(401);
		const headers = { authorization: `Bearer ${token}`, host: 'tenant.lan' };
		expect((await ask(`${url}/sandbox`, { headers })).status).toBe(200);
	});

	test('later statuses and the review of templates are switched on', async () => {
		const { url } = await start('--delivery-statuses', '--template-review');
		const switched = async (path: string) => (await ask(`${url}/sandbox${path}`)).body;
		expect(await switched('/delivery-statuses')).toMatchObject({ data: { sent: 200, read: 5_000 } });
		expect(await switched('/template-review')).toEqual({ data: { approveAfter: 5_000 } });
	});

	test('it prints where each further tenant is, and its tokens', async () => {
		const { url, output } = await start('--tenant', 'acme', '--tenant', 'globex');
		const text = await until(
			() => (output().includes('globex-agent-token') ? output() : undefined),
			'the tenants are named',
		);
		const [, globex] = /Tenant globex +(\S+) /.exec(text) ?? [];
		expect(text).toContain(`http://globex.localhost:${new URL(url).port}`);
		const headers = { authorization: 'Bearer globex-admin-token' };
		expect((await ask(`${globex}/third-party/v1/me`, { headers })).status).toBe(200);
		expect((await ask(`${url}/third-party/v1/me`, { headers })).status).toBe(401);
	});

	test('a taken port is one clear sentence', async () => {
		const other = createServer().listen(0, '127.0.0.1');
		await once(other, 'listening');
		const { ended, output } = await run('--port', String((other.address() as AddressInfo).port));
		const exitCode = await ended;
		expect([exitCode, output().trim()]).toEqual([
			1,
			expect.stringMatching(/^The port \d+ is taken\.[^\n]*$/),
		]);
		other.close();
	});

	test.each([
		[['--port', 'x'], '--port must be a whole number'],
		[['--envelope', 'x'], '--envelope must be one of'],
		[['--webhook', 'x'], '--webhook must be an http or https URL'],
		[['--seed', '1000000'], '--seed must be a whole number up to 100000'],
		[['--port', '0', '--hooks', 'nowhere'], 'The hooks in nowhere cannot be read'],
		[['--control-token', 'short'], '--control-token must have at least 16 characters'],
		[['--tenant', 'Globex!'], 'A tenant is named as a part of a host name'],
		[['--what'], 'Usage:'],
	])('%p is explained', async (args, message) => {
		const { ended, output } = await run(...args);
		const exitCode = await ended;
		expect([exitCode, output()]).toEqual([1, expect.stringContaining(message)]);
	});
});
