import { FAULT_KINDS } from '../../sandbox/faults.mts';
import { ask, startTenant, useTenant } from './tenant.mts';

const tenant = useTenant();

const create = (fault: string, headers: Record<string, string> = {}, of = tenant) =>
	ask(`${of.url}/third-party/v1/tags`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${of.token}`,
			'content-type': 'application/json',
			'x-sandbox-fault': fault,
			...headers,
		},
		body: JSON.stringify({ title: 'By header' }),
	});
const exists = (of = tenant) => of.store.tags.byTitle('By header') !== undefined;

describe('X-Sandbox-Fault', () => {
	test('a kind alone, or a rule, meets the request that carries it and no other', async () => {
		const limited = await create('rate-limit');
		expect([limited.status, limited.headers['retry-after'], exists()]).toEqual([429, '1', false]);
		const rule = await create('{"kind":"rate-limit","retryAfter":7}');
		expect([rule.status, rule.headers['retry-after'], exists()]).toEqual([429, '7', false]);
		expect((await tenant.ask('GET', '/tags')).status).toBe(200);
		expect(tenant.faults.list()).toEqual([]);
	});

	test('every kind may come so, such as a connection that is closed after processing', async () => {
		await expect(create('drop-after')).rejects.toThrow();
		expect(exists()).toBe(true);
	});

	test('latency is waited for', async () => {
		const startedAt = performance.now();
		expect((await create('{"kind":"latency","ms":120}')).status).toBe(200);
		expect(performance.now() - startedAt).toBeGreaterThan(115);
	});

	test('the operation of a rule counts, so that a client may send the header with all of its requests', async () => {
		expect((await create('{"kind":"html","operationId":"getTag"}')).status).toBe(200);
		expect((await create('{"kind":"html","operationId":"createTag","status":502}')).status).toBe(502);
	});

	test('it goes before the faults that were asked for, which wait for the next request', async () => {
		await tenant.control('POST', '/faults', { kind: 'server-error', times: 1 });
		expect((await create('rate-limit')).status).toBe(429);
		expect(tenant.faults.list()).toMatchObject([{ kind: 'server-error', met: 0 }]);
		expect((await create('{"kind":"latency","ms":1}')).status).toBe(500);
		expect(tenant.faults.list()).toMatchObject([{ kind: 'server-error', met: 1 }]);
	});

	const NO_KIND = `The kind must be one of ${FAULT_KINDS.join(', ')}.`;

	test.each([
		['an unknown kind', 'earthquake', NO_KIND],
		['an empty header', '', NO_KIND],
		['broken JSON', '{"kind":', 'JSON'],
		['a rule without a kind', '{}', 'The kind is required.'],
		['a wrong status', '{"kind":"html","status":42}', 'The status must be >= 200.'],
		[
			'an operation that there is none of',
			'{"kind":"html","operationId":"getTags"}',
			'The operationId is none of the known ones.',
		],
		['a misspelt member', '{"kind":"html","staus":500}', 'The staus is not known.'],
		['a member about several requests', '{"kind":"html","times":2}', 'The times is not known.'],
		['the header twice', 'html, html', NO_KIND],
	])('%s is refused with a sentence, and nothing is processed', async (_name, header, reason) => {
		const { status, body } = await create(header);
		expect([status, exists()]).toEqual([400, false]);
		expect((body as { message: string }).message).toContain('X-Sandbox-Fault takes latency, rate-limit');
		expect((body as { message: string }).message).toContain(reason);
	});

	test('a page of another origin cannot send it', async () => {
		expect((await create('rate-limit', { origin: 'https://evil.example' })).status).toBe(403);
		expect(exists()).toBe(false);
	});

	test('with a control token the header needs it', async () => {
		const controlToken = 'a-control-token-of-a-test';
		const guarded = await startTenant({ controlToken });
		const statuses = [];
		for (const token of [undefined, 'wrong', controlToken]) {
			const headers = token === undefined ? undefined : { 'x-sandbox-token': token };
			const { status, body } = await create('rate-limit', headers, guarded);
			statuses.push([status, (body as { message: string }).message]);
		}
		const refused = 'X-Sandbox-Fault needs the control token in X-Sandbox-Token.';
		expect(statuses).toEqual([
			[401, refused],
			[401, refused],
			[429, 'Too many requests.'],
		]);
		expect(exists(guarded)).toBe(false);
		await guarded.close();
	});
});
