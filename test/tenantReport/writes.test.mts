import type { TestTenant } from '../sandbox/tenant.mts';
import { check, holdings, withTenant } from './tenants.mts';

const writesOf = (tenant: TestTenant) => tenant.requests().filter(({ method }) => method !== 'GET');

it('--write creates, changes and deletes a tag, a group, a media item and a customer, and nothing else', async () => {
	await withTenant({}, async (tenant) => {
		const before = holdings(tenant);
		await check(tenant, { write: true });
		expect(holdings(tenant)).toEqual(before);
		const writes = writesOf(tenant).map(
			({ method, path }) => `${method} ${path.replace('/third-party/v1', '').replace(/\d+/, '{id}')}`,
		);
		expect(writes).toEqual([
			...['POST /tags', 'PATCH /tags/{id}'],
			...['POST /groups', 'PATCH /groups/{id}'],
			...['POST /files/temporary-upload', 'POST /media', 'PATCH /media/{id}', 'POST /media/{id}/tags'],
			...[
				'POST /customers',
				'PATCH /profiles/{id}',
				'POST /profiles/{id}/tags',
				'POST /profiles/{id}/groups',
			],
			...['DELETE /customers/{id}', 'DELETE /media/{id}', 'DELETE /groups/{id}', 'DELETE /tags/{id}'],
		]);
		// What is changed and deleted is what was created, whatever else the tenant holds.
		const ids = writesOf(tenant).flatMap(({ method, path }) =>
			method === 'DELETE' ? [Number(path.split('/').at(-1))] : [],
		);
		expect(ids).toHaveLength(4);
		for (const table of ['tags', 'groups', 'media', 'customers'] as const) {
			expect(ids.some((id) => tenant.store[table].find(id) !== undefined)).toBe(false);
		}
	});
});

it('everything that it creates carries its mark, and only that is attached', async () => {
	await withTenant({}, async (tenant) => {
		await check(tenant, { write: true });
		const bodies = writesOf(tenant)
			.filter(({ method, path }) => method !== 'DELETE' && !path.endsWith('upload'))
			.map(({ body }) => Buffer.from(body, 'base64').toString());
		const [mark] = /tenant:check [0-9a-f]{8}, delete me/.exec(bodies[0]) ?? [''];
		expect(mark).not.toBe('');
		const [tag, group] = ['tags', 'groups'].map((path) => {
			const deletion = writesOf(tenant).find((one) => one.method === 'DELETE' && one.path.includes(path));
			return [{ id: Number(deletion?.path.split('/').at(-1)) }];
		});
		expect(bodies.filter((body) => !body.includes(mark)).map((body) => JSON.parse(body) as unknown)).toEqual([
			{ tags: tag },
			{ tags: tag },
			{ groups: group },
		]);
	});
});

it.each([
	['its answer is lost', 'drop-after'],
	['its answer cannot be read', 'truncate'],
] as const)('a record is found and removed if %s', async (_what, kind) => {
	await withTenant({}, async (tenant) => {
		const before = holdings(tenant);
		for (const operationId of ['createTag', 'createGroup', 'createMedia', 'createCustomer']) {
			tenant.faults.add({ kind, operationId });
			const { report } = await check(tenant, { write: true });
			expect(report.leftBehind).toEqual([]);
			expect([operationId, holdings(tenant)]).toEqual([operationId, before]);
			tenant.faults.clear();
		}
	});
});

it('what cannot be removed is said, with its mark and the reason', async () => {
	await withTenant({}, async (tenant) => {
		tenant.faults.add({ kind: 'server-error', operationId: 'deleteGroup' });
		const { report } = await check(tenant, { write: true });
		expect(report.leftBehind).toEqual([
			expect.stringMatching(
				/^Delete the group "tenant:check [0-9a-f]{8}, delete me" in the tenant yourself: its removal was answered with 500 Internal Server Error\.$/,
			),
		]);
		expect(tenant.store.groups.list().map(({ name }) => name)).toContainEqual(
			expect.stringContaining('delete me'),
		);
	});
});

it.each([
	'POST /tags',
	'PATCH /tags',
	'POST /groups',
	'DELETE /groups',
	'POST /files/temporary-upload',
	'POST /media',
	'PATCH /media',
	'POST /customers',
	'PATCH /profiles',
])('stopped after %s, it leaves nothing behind and creates nothing more', async (last) => {
	await withTenant({}, async (tenant) => {
		const before = holdings(tenant);
		const stop = new AbortController();
		let sent = 0;
		const say = (line: string) => {
			if (!line.includes(last)) return;
			sent = tenant.requests().length;
			stop.abort();
		};
		const { report } = await check(tenant, { write: true, stop: stop.signal, say });
		expect(stop.signal.aborted).toBe(true);
		expect([report.leftBehind, holdings(tenant)]).toEqual([[], before]);
		const after = tenant.requests().slice(sent);
		const removed = after.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
		// It removes nothing that it has not read, and reads nothing else.
		const isRead = ({ method, path }: (typeof after)[number]) => method === 'GET' && removed.includes(path);
		expect(after.filter((request) => request.method !== 'DELETE' && !isRead(request))).toEqual([]);
	});
});

it('stopped while a creation is under way, it waits for the answer and removes what was created', async () => {
	await withTenant({}, async (tenant) => {
		const before = holdings(tenant);
		tenant.faults.add({ kind: 'latency', ms: 300, operationId: 'createCustomer' });
		const stop = new AbortController();
		const checked = check(tenant, { write: true, stop: stop.signal });
		while (!tenant.requests().some(({ method, path }) => method === 'POST' && path.endsWith('/customers'))) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		stop.abort();
		const { report } = await checked;
		expect([report.leftBehind, holdings(tenant)]).toEqual([[], before]);
	});
});
