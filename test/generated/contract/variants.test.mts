import { type SandboxOptions, startSandbox } from '../../../sandbox/server.mts';
import { endpointOf } from '../../contract/contract.mts';
import { exchanged } from '../../contract/exchanged.mts';
import { caseNames, type Reached, runCase } from '../../contract/runCase.mts';
import { TestTenant } from '../../engine/tenant.mts';
import { OTHER_TENANTS } from '../../sandbox/otherTenants.mts';
import { leaveMemory, reachInMemory } from '../../tenant/memoryNetwork.mts';

/** Less than the demo data has of most kinds: lists have several pages. */
const PAGE_SIZE = 2;

/** Ids that a tenant writes as text stand for the same records. */
const withNumbers = (text: string) => text.replace(/"(\d+)"/g, '$1');

/** What a case changed at the tenant and gave back. How it gets through a list is its own matter. */
function outcome(tenant: TestTenant, reached: Reached) {
	const { requests, items } = exchanged(tenant, {
		...reached,
		requests: reached.requests.filter(({ method }) => method !== 'GET'),
	});
	return { writes: requests.map(withNumbers), items: items.map(withNumbers) };
}

/** Whether a variant can answer a request of the case otherwise: only IDs are in all answers. */
function isConcerned(variant: string, { requests }: Reached): boolean {
	if ('ids' in OTHER_TENANTS[variant]) return true;
	return requests.some(
		({ method, path }) =>
			method === 'DELETE' || method === 'POST' || endpointOf(method, path)?.list === 'paged',
	);
}

/** Does something with a tenant of its own, without sockets. */
async function withTenant(choices: SandboxOptions['choices'], work: (tenant: TestTenant) => Promise<void>) {
	const sandbox = await startSandbox({ choices, pageSize: PAGE_SIZE });
	reachInMemory(sandbox.url, sandbox.server);
	try {
		await work(TestTenant.of(sandbox));
	} finally {
		leaveMemory(sandbox.url);
		await sandbox.close();
	}
}

/** What the cases did with the tenant that makes the sandbox's own choices. */
const plain = new Map<string, { reached: Reached; outcome: ReturnType<typeof outcome> }>();

beforeAll(async () => {
	await withTenant({}, async (tenant) => {
		for (const name of caseNames) {
			const reached = await runCase(tenant, name);
			plain.set(name, { reached, outcome: outcome(tenant, reached) });
		}
	});
});

it.each(Object.keys(OTHER_TENANTS))(
	'with the variant %s the node does and gives the same',
	async (variant) => {
		await withTenant(OTHER_TENANTS[variant], async (tenant) => {
			for (const [name, { reached, outcome: expected }] of plain) {
				if (!isConcerned(variant, reached)) continue;
				const came = outcome(tenant, await runCase(tenant, name));
				expect({ name, ...came }).toEqual({ name, ...expected });
			}
		});
	},
);
