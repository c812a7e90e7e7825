import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PREFIX } from '../../sandbox/contract.mts';
import type { SandboxOptions } from '../../sandbox/server.mts';
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

/** A server that is no sandbox, with the requests that reached it. It ends with its test. */
export async function serve(answer: RequestListener) {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	served.push(close);
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close };
}

const served: Array<() => Promise<void>> = [];

afterEach(async () => {
	for (const close of served.splice(0)) await close();
});

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
	Object.entries(store.tables)
		.filter(([table]) => table !== 'files' && table !== 'deletion_log')
		.map(([table, kept]) => ({ table, records: kept.all() }));

/** What tenants choose otherwise, by name. */
export const CHOSEN = Object.entries(OTHER_TENANTS);
