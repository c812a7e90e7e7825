import { PREFIX } from '../../sandbox/contract.mts';
import type { Data, Fields, TestTenant } from '../sandbox/tenant.mts';
import { startPassing } from './passing.mts';
import { check, holdings, withTenant } from './tenants.mts';

const CREATION = /\/(tags|groups|media|customers)$/;

interface Forgery {
	/** Whether the tenant creates what it is asked to create. */
	creates: boolean;
	/** The ID that answers to creations name, out of those of the list. */
	named: (ids: number[]) => number;
}

/** Runs with a sandbox behind a server that passes on everything but the IDs in the answers to creations. */
async function withForgery(
	{ creates, named }: Forgery,
	run: (tenant: TestTenant, url: string) => Promise<void>,
) {
	await withTenant({}, async (tenant) => {
		const forged = await startPassing(tenant, async ({ method, url }, pass) => {
			if (method !== 'POST' || !CREATION.test(url)) return await pass();
			const { data } = await tenant.must<Data<Fields[]>>('GET', url.slice(PREFIX.length));
			const ids = data.map(({ id }) => id);
			if (creates) await pass();
			return { status: 200, type: 'application/json', json: { id: named(ids) } } as never;
		});
		try {
			await run(tenant, forged.url);
		} finally {
			await forged.close();
		}
	});
}

/** PATCH and DELETE requests that reached the tenant. */
const changes = (tenant: TestTenant) =>
	tenant
		.requests()
		.filter(({ method }) => method === 'PATCH' || method === 'DELETE')
		.map(({ method, path }) => `${method} ${path.slice(PREFIX.length)}`);

const first = ([id]: number[]) => id;

const ANOTHER_RECORD =
	/^The check stopped writing, since the outcome of the creation of the tag "tenant:check [0-9a-f]{8}, delete me" is not clear: its response named another record, .*\. Look for the mark in the tenant\.$/;

it('whatever ID an answer names, only the record with its mark is removed, and the check ends with a sentence', async () => {
	await withForgery({ creates: true, named: first }, async (tenant, url) => {
		const before = holdings(tenant);
		const { report, failure } = await check({ url, token: tenant.token }, { write: true });
		expect(holdings(tenant)).toEqual(before);
		expect(changes(tenant)).toEqual([expect.stringMatching(/^DELETE \/tags\/\d+$/)]);
		expect(failure?.message).toMatch(ANOTHER_RECORD);
		expect(report.leftBehind).toEqual([]);
	});
});

it('a record of the tenant stays as it is if nothing was created, and what to look for is said', async () => {
	await withForgery({ creates: false, named: first }, async (tenant, url) => {
		const before = holdings(tenant);
		const { report, failure } = await check({ url, token: tenant.token }, { write: true });
		expect(holdings(tenant)).toEqual(before);
		expect(changes(tenant)).toEqual([]);
		expect(failure?.message).toMatch(ANOTHER_RECORD);
		expect(report.leftBehind).toEqual([
			expect.stringMatching(
				/^Delete the tag "tenant:check [0-9a-f]{8}, delete me" in the tenant yourself: .* does not show this mark, and was left as it is\.$/,
			),
		]);
	});
});

it('what was never there under its ID does not count as removed', async () => {
	await withForgery({ creates: false, named: () => 987_654 }, async (tenant, url) => {
		const { report } = await check({ url, token: tenant.token }, { write: true });
		expect(changes(tenant)).toEqual([]);
		expect(report.leftBehind.map((sentence) => /^Delete the ([a-z ]+) "/.exec(sentence)?.[1])).toEqual([
			'tag',
		]);
	});
});

it('what cannot be read under its ID is not changed, and is removed once the list shows its mark', async () => {
	await withTenant({}, async (tenant) => {
		const before = holdings(tenant);
		tenant.faults.add({ kind: 'server-error', operationId: 'getGroup', skip: 1 });
		const { report, failure } = await check(tenant, { write: true });
		expect(failure?.message).toMatch(/ is not clear: the record did not show its mark\.$/);
		expect(holdings(tenant)).toEqual(before);
		expect(changes(tenant).filter((change) => change.startsWith('PATCH /groups'))).toEqual([]);
		expect(report.leftBehind).toEqual([]);
	});
});
