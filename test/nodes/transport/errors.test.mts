import { TestTenant } from '../../engine/tenant.mts';
import { runNode } from '../../engine/engine.mts';
import { leaksOfRun, LogWatch } from '../../engine/leaks.mts';
import { REFUSED_ADDRESS } from '../../engine/refusedAddress.mts';

const tenant = TestTenant.inEachTest();
const log = LogWatch.inEachTest();
const getAll = { resource: 'profile', operation: 'getAll', requestLimits: { maximumTries: 1 } };

async function failure(credentials: { tenantDomain: string; accessToken: string }) {
	const run = await runNode({ parameters: getAll, credentials });
	expect(leaksOfRun(run, credentials.accessToken, log)).toEqual([]);
	return run.error;
}

describe('errors a user can act on', () => {
	it('wrong token', async () => {
		const error = await failure({ tenantDomain: tenant.sandbox.url, accessToken: 'wrong-token-value' });
		expect(error).toMatchObject({ httpCode: '401' });
		expect(error?.description).toContain('Open the credential and enter a complete, valid access token');
	});

	it('unreachable host', async () => {
		const error = await failure({ tenantDomain: REFUSED_ADDRESS, accessToken: 'secret-token' });
		expect(error?.message).toBe('Nothing answers at the tenant domain');
		expect(error?.description).toBe('Check the tenant domain and its port in the credential. (ECONNREFUSED)');
	});

	it('unknown host', async () => {
		const error = await failure({ tenantDomain: 'tenant.invalid', accessToken: 'secret-token' });
		expect(error?.message).toMatch(/^The tenant domain (is unknown|could not be looked up)$/);
	});

	it('malformed domain', async () => {
		const error = await failure({ tenantDomain: 'acme.example.com/login', accessToken: 'secret-token' });
		expect(error?.message).toBe('The tenant domain contains a path');
		expect(error?.description).toContain('e.g. acme.example.com');
	});

	it('empty token', async () => {
		const { error } = await runNode({
			parameters: getAll,
			credentials: { tenantDomain: tenant.sandbox.url, accessToken: ' ' },
		});
		expect(error?.message).toBe('The access token is empty');
		expect(tenant.sent()).toEqual([]);
	});
});
