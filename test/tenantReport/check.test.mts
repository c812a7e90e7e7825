import { seed } from '../../sandbox/control/seed.mts';
import { operations } from '../../sandbox/contract.mts';
import { toMarkdown } from '../../scripts/tenantReport/report.mts';
import { check, CHOSEN, linesOf, withTenant } from './tenants.mts';

const isWritten = (name: string) => name === 'created' || name === 'deleted';

describe.each(CHOSEN)('the check of the variant %s', (_name, choices) => {
	it('with --write reports exactly what the variant chooses otherwise', async () => {
		await withTenant({ choices }, async (tenant) => {
			const { report, failure } = await check(tenant, { write: true });
			expect(failure).toBeUndefined();
			expect(report.choices).toEqual(choices);
			expect(report.findings.filter(({ choice }) => choice === undefined)).toEqual([]);
			expect([report.notRead, report.leftBehind]).toEqual([[], []]);
		});
	});

	it('without it reports exactly what reading shows, whatever the size of the lists', async () => {
		await withTenant({ choices, pageSize: 2 }, async (tenant) => {
			seed(tenant.store, { profiles: 30 });
			const { report, failure } = await check(tenant);
			expect(failure).toBeUndefined();
			const shown = Object.fromEntries(Object.entries(choices).filter(([choice]) => !isWritten(choice)));
			expect(report.choices).toEqual(shown);
			expect(report.findings.filter(({ choice }) => choice === undefined)).toEqual([]);
			expect(report.notRead).toEqual([]);
		});
	});
});

it('a check only reads, and reads everything that the contract lets read, with few requests', async () => {
	await withTenant({}, async (tenant) => {
		const { report } = await check(tenant);
		const requests = tenant.requests();
		expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
		expect(requests.length).toBeLessThan(60);
		const reads = operations().filter(({ method }) => method === 'GET');
		expect(report.operations.map(({ operation }) => operation).sort()).toEqual(
			reads.map(({ operationId }) => operationId).sort(),
		);
		expect(report.operations.filter(({ statuses }) => !(statuses[200] > 0))).toEqual([]);
	});
});

it('a report names known members beyond the interface, and counts all others', async () => {
	await withTenant({}, async (tenant) => {
		const { report } = await check(tenant);
		expect(report.members).toContainEqual({
			request: 'GET /me/notifications',
			place: 'data[]',
			members: 'title (text), created_at (text), 2 further members: 1 text, 1 null',
		});
		const named = await check(tenant, { names: true });
		expect(named.report.members).toContainEqual(
			expect.objectContaining({ request: 'GET /me/notifications', names: ['body', 'read_at'] }),
		);
	});
});

it('the report for people says how to start a sandbox that answers so', async () => {
	await withTenant({ choices: { ids: 'text', envelope: 'cursor' } }, async (tenant) => {
		const { report } = await check(tenant);
		const text = toMarkdown(report);
		expect(text).toContain('This sandbox shows 2 of the 2 differences:');
		expect(text).toContain('npm run sandbox -- --variant ids=text --variant envelope=cursor\n');
	});
});

it('what a tenant refuses or does not answer is a finding', async () => {
	await withTenant({}, async (tenant) => {
		tenant.faults.add({ kind: 'server-error', operationId: 'listTemplates' });
		tenant.faults.add({ kind: 'drop-before', operationId: 'getCrmSettings' });
		const { report, failure } = await check(tenant);
		expect(failure).toBeUndefined();
		expect(linesOf(report)).toEqual([
			['GET /settings/crm', 'breaks', 'no response: it closed the connection without an answer'],
			['GET /templates', 'unknown', 'status 500 Internal Server Error'],
		]);
	});
});
