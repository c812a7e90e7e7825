import { seed } from '../../sandbox/control/seed.mts';
import { operations } from '../../sandbox/contract.mts';
import { toMarkdown } from '../../scripts/tenantReport/report.mts';
import { check, CHOSEN, withTenant } from './tenants.mts';

const isWritten = (name: string) => name === 'created' || name === 'deleted';

describe.each(CHOSEN)('the check of the variant %s', (_name, choices) => {
	it('with --write reports exactly what the variant chooses otherwise', async () => {
		await withTenant({ choices }, async (tenant) => {
			const { report, failure } = await check(tenant, { write: true });
			expect(failure).toBeUndefined();
			expect(report.differences).toEqual({ choices, breaches: [] });
			expect([report.notRead, report.leftBehind]).toEqual([[], []]);
		});
	});

	it('without it reports exactly what reading shows, whatever the size of the lists', async () => {
		await withTenant({ choices, pageSize: 2 }, async (tenant) => {
			seed(tenant.store, { profiles: 30 });
			const { report, failure } = await check(tenant);
			expect(failure).toBeUndefined();
			const shown = Object.fromEntries(Object.entries(choices).filter(([choice]) => !isWritten(choice)));
			expect(report.differences).toEqual({ choices: shown, breaches: [] });
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
		expect(
			report.operations.filter(({ calls, medianMs, longestMs }) => calls < 1 || medianMs > longestMs),
		).toEqual([]);
	});
});

it.each([
	['length-aware', { page: 'works', offset: 'ignored', cursor: 'not clear' }],
	['cursor', { page: 'ignored', offset: 'ignored', cursor: 'works' }],
	['offset', { page: 'ignored', offset: 'works', cursor: 'not clear' }],
	['headers', { page: 'works', offset: 'ignored', cursor: 'not clear' }],
] as const)('which page parameters work, with the envelope %s', async (envelope, expected) => {
	await withTenant({ envelope }, async (tenant) => {
		const { report } = await check(tenant);
		expect(report.pageParameters).toEqual({
			'per_page (listProfiles)': 'works',
			'per_page (listUsers)': 'ignored',
			...expected,
		});
	});
});

it('the report tells members beyond the interface with their types, and those that never came', async () => {
	await withTenant({}, async (tenant) => {
		const { report } = await check(tenant);
		const [groups] = report.members.filter(({ operation }) => operation === 'listGroups');
		expect(groups).toEqual({
			operation: 'listGroups',
			place: 'data[]',
			beyond: [
				{ name: 'name', types: ['string'] },
				{ name: 'description', types: ['null', 'string'] },
				{ name: 'created_at', types: ['string'] },
				{ name: 'updated_at', types: ['string'] },
			],
			hidden: 0,
			neverSeen: [],
		});
		expect(report.envelopeMembers).toContain('meta.current_page');
		expect(report.errorMembers).toEqual(['message']);
	});
});

it('the report for people says how to start a sandbox that answers so', async () => {
	await withTenant({ choices: { ids: 'text', envelope: 'cursor' } }, async (tenant) => {
		const { report } = await check(tenant);
		const text = toMarkdown(report);
		expect(text).toContain('npm run sandbox -- --variant envelope=cursor --variant ids=text\n');
		expect(text).toContain('| IDs in answers | `text` |');
	});
});

it('a token that may not read everything gets a report that says what it could not read', async () => {
	await withTenant({}, async (tenant) => {
		tenant.faults.add({ kind: 'server-error', operationId: 'listTemplates' });
		tenant.faults.add({ kind: 'drop-before', operationId: 'getCrmSettings' });
		const { report, failure } = await check(tenant);
		expect(failure).toBeUndefined();
		expect(report.notRead).toEqual([
			{ operation: 'getCrmSettings', reason: 'gave no answer' },
			{ operation: 'listTemplates', reason: 'was answered with 500 Internal Server Error' },
		]);
	});
});
