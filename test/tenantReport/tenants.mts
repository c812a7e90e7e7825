import { PREFIX } from '../../sandbox/contract.mts';
import type { SandboxOptions } from '../../sandbox/server.mts';
import { tables } from '../../sandbox/store/store.mts';
import { type Checked, checkTenant, type CheckOptions } from '../../scripts/tenantReport/check.mts';
import type { Report } from '../../scripts/tenantReport/findings.mts';
import { OTHER_TENANTS } from '../sandbox/otherTenants.mts';
import { startTenant, type TestTenant } from '../sandbox/tenant.mts';

/** A sandbox for one test. */
export async function withTenant<Result>(
	options: SandboxOptions,
	run: (tenant: TestTenant) => Promise<Result>,
): Promise<Result> {
	const tenant = await startTenant(options);
	try {
		return await run(tenant);
	} finally {
		await tenant.close();
	}
}

/** Checks a sandbox without pauses. */
export const check = async (
	{ url, token }: Pick<TestTenant, 'token' | 'url'>,
	options: Partial<CheckOptions> = {},
): Promise<Checked> => await checkTenant({ baseUrl: `${url}${PREFIX}`, token, pauseMs: 0, ...options });

/** The findings of a report, each for each of its requests. */
export const linesOf = ({ findings }: Report) =>
	findings.flatMap(({ requests, consequence, came }) =>
		requests.map((request) => [request, consequence, came]),
	);

/** Everything that a tenant holds, but for uploads, which stay, and the log of deletions. */
export const holdings = ({ store }: TestTenant) =>
	Object.keys(tables)
		.filter((table) => table !== 'files' && table !== 'deletion_log')
		.map((table) => ({ table, records: store.database.all(`SELECT * FROM ${table}`) }));

/** What tenants choose otherwise, by name. */
export const CHOSEN = Object.entries(OTHER_TENANTS);
