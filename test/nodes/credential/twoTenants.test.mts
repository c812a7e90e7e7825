import { type Sandbox, type SandboxTenant, startSandbox } from '../../../sandbox/server.mts';
import { runNode } from '../../engine/engine.mts';

/** Two credentials of n8n, each for one tenant of the same server. */
describe('two tenants', () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ tenants: ['globex'] });
		const { acme, globex } = { acme: sandbox, globex: sandbox.tenants.globex };
		acme.store.customers.create('chatapp', '4915100000001', 'Of Acme');
		globex.store.customers.create('chatapp', '4915100000002', 'Of Globex');
	});
	afterAll(async () => await sandbox.close());

	const list = (domain: string, accessToken: string) =>
		runNode({
			credentials: { tenantDomain: domain, accessToken },
			parameters: { resource: 'customer', operation: 'getAll', returnAll: true },
		});
	const names = async ({ url, token }: SandboxTenant) =>
		(await list(url, token)).items
			.map(({ json }) => String(json.name))
			.filter((name) => name.startsWith('Of '));

	it('are read with their own credentials, each its own customers alone', async () => {
		expect(await names(sandbox)).toEqual(['Of Acme']);
		expect(await names(sandbox.tenants.globex)).toEqual(['Of Globex']);
	});

	it('do not hold each other up: a rate limit is that of its tenant', async () => {
		const { globex } = sandbox.tenants;
		globex.faults.add({ kind: 'rate-limit', retryAfter: 3, times: 1 });
		const inTurn: string[] = [];
		const note = async (tenant: SandboxTenant) => inTurn.push(...(await names(tenant)));
		await Promise.all([note(globex), note(sandbox)]);
		expect(inTurn).toEqual(['Of Acme', 'Of Globex']);
	});

	it('refuse the access token of each other', async () => {
		const { globex } = sandbox.tenants;
		for (const [{ url }, { token }] of [
			[sandbox, globex],
			[globex, sandbox],
		]) {
			const { items, error } = await list(url, token);
			expect(items).toEqual([]);
			expect(error).toMatchObject({ httpCode: '401' });
		}
	});
});
