import { PREFIX } from '../../sandbox/contract.mts';
import { startTenantProxy } from '../../tenantReport/tenantProxy.mts';
import { caseNames, runCase } from './runCase.mts';
import { byId, TestTenant } from '../engine/tenant.mts';
import { CHOSEN } from '../tenantReport/tenants.mts';

describe.each(CHOSEN)('the node, a proxy and the variant %s', (name, choices) => {
	const tenant = TestTenant.inEachTest({ choices });
	/** Each operation with the sandbox's own choices, and with others those in which they show. */
	const cases = caseNames.filter(
		(one) => name === 'plain' || /: (getAll|create|delete|upload|get)( |$)/.test(one),
	);

	it('work together, and the report has nothing but what the variant chooses otherwise', async () => {
		const proxy = await startTenantProxy({ baseUrl: `${tenant.sandbox.url}${PREFIX}` });
		const credentials = { ...tenant.credentials, tenantDomain: proxy.url };
		for (const one of cases) {
			const { output } = await runCase(tenant, one, { credentials });
			expect([one, output.length > 0]).toEqual([one, true]);
		}
		const missing = { resource: 'tag', operation: 'get', tagId: byId(999) };
		expect((await tenant.run(missing, { credentials })).error).toBeDefined();
		await proxy.close();
		const { differences, calls, otherPaths } = proxy.report();
		// What a page size does can only be seen where all records fit into one page if it is refused.
		const isRefused = /^\d+$/.test(choices.pageSize ?? '');
		const shown = Object.fromEntries(
			Object.entries(choices).filter(([choice]) => choice !== 'pageSize' || isRefused),
		);
		expect(differences).toEqual({ choices: shown, breaches: [] });
		expect(calls).toBeGreaterThan(cases.length);
		expect(otherPaths).toBe(0);
	});
});
