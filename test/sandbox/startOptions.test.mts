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
