import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, type ResultPromise } from 'execa';
import { type SandboxOptions, startSandbox } from '../../sandbox/server.mts';
import { ask } from './tenant.mts';

describe('options of the start', () => {
	test.each<[string, object]>([
		['seed', { seed: -1 }],
		['seed', { seed: 1.5 }],
		['seed', { seed: Infinity }],
		['seed', { seed: '50' }],
		['profiles', { seed: { profiles: 100_001 } }],
		['port', { port: 65_536 }],
		['envelope', { envelope: 'constructor' }],
		['ids', { choices: { ids: 'words' } }],
		['idz', { choices: { idz: 'text' } }],
		['controlToken', { controlToken: '' }],
		['pageSize', { pageSize: 0 }],
		['url', { webhooks: [{ url: 'nowhere' }] }],
		['sent', { deliveryStatuses: { sent: -1 } }],
		['approvedAfter', { templateReview: { approvedAfter: 1 } }],
		['tenants', { tenants: 'acme' }],
		['sed', { sed: 50 }],
	])('%s is refused by its name: %p', async (name, options) => {
		const start = startSandbox(options as SandboxOptions);
		await expect(start).rejects.toThrow(`A sandbox cannot be started with these options: The ${name} `);
	});

	test('none at all, and seed 0, are well', async () => {
		for (const options of [undefined, { seed: 0, hooksDir: undefined }]) {
			const sandbox = await startSandbox(options);
			expect(sandbox.store.counts().customers).toBe(3);
			await sandbox.close();
		}
	});
});

test('it may be closed twice, at once too', async () => {
	const sandbox = await startSandbox();
	await Promise.all([sandbox.close(), sandbox.close()]);
	await sandbox.close();
	await expect(ask(`${sandbox.url}/sandbox/health`)).rejects.toThrow();
});

test('what is no rule cannot be added as a fault', async () => {
	const sandbox = await startSandbox();
	expect(() => sandbox.faults.add({ kind: 'latency', ms: Infinity })).toThrow(
		'The ms must be <= 2147483647.',
	);
	expect(sandbox.faults.list()).toEqual([]);
	await sandbox.close();
});

describe('on the command line', () => {
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'sandbox-options-'));
		writeFileSync(join(folder, 'words.har'), 'words');
	});

	afterEach(() => rmSync(folder, { recursive: true }));

	const run = async (args: string[], whenUp?: (started: ResultPromise) => void) => {
		const cwd = join(import.meta.dirname, '..', '..');
		const command = ['--import', 'tsx', 'sandbox/main.mts', '--port', '0', ...args];
		const started = execa(process.execPath, command, { cwd, reject: false });
		started.stdout.once('data', () => whenUp?.(started));
		const { exitCode, stderr } = await started;
		return [exitCode, stderr];
	};

	test.each<[string, string[], string]>([
		['a session that is none', ['--replay', 'FOLDER/words.har'], 'FOLDER/words.har cannot be replayed: '],
		['a session that is not there', ['--replay', 'FOLDER/none.har'], 'FOLDER/none.har cannot be replayed: '],
		['a folder to record into', ['--record', 'FOLDER'], 'The session cannot be recorded in FOLDER: '],
		['a place that is none', ['--record', 'FOLDER/no/x.har'], 'cannot be recorded in FOLDER/no/x.har: '],
		['an address of others', ['--host', '192.0.2.1'], 'Choose another one with --host.'],
		['no port for a tenant', ['--port', '65535', '--tenant', 'acme'], 'choose a smaller one.'],
	])('%s is told in one line', async (_, args, problem) => {
		const [exitCode, stderr] = await run(args.map((arg) => arg.replace('FOLDER', folder)));
		expect([exitCode, stderr]).toEqual([1, expect.stringContaining(problem.replace('FOLDER', folder))]);
		expect(String(stderr).split('\n')).toHaveLength(1);
	});

	test('a stop as soon as it says its address ends it in order', async () => {
		expect(await run([], (started) => started.kill('SIGTERM'))).toEqual([0, '']);
	});
});
