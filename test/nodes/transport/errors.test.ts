import { createServer } from 'node:net';

import { TestTenant } from '../../engine/tenant';
import { runNode } from '../../engine/engine';

const tenant = TestTenant.inEachTest();
const getAll = { resource: 'profile', operation: 'getAll', requestLimits: { maximumTries: 1 } };

/** A port of this machine on which nothing listens. */
async function freePort(): Promise<number> {
	return await new Promise((resolve) => {
		const server = createServer().listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
}

async function failure(credentials: { tenantDomain: string; accessToken: string }) {
	const { error } = await runNode({ parameters: getAll, credentials });
	expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(credentials.accessToken);
	return error;
}

describe('errors a user can act on', () => {
	it('wrong token', async () => {
		const error = await failure({ tenantDomain: tenant.sandbox.url, accessToken: 'wrong-token-value' });
		expect(error).toMatchObject({ httpCode: '401' });
		expect(error?.description).toContain('Open the credential and enter a complete, valid access token');
	});

	it('unreachable host', async () => {
		const error = await failure({
			tenantDomain: `http://127.0.0.1:${await freePort()}`,
			accessToken: 'secret-token',
		});
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
