import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { type NodeRunOptions, runNode } from '../../engine/engine.mts';
import { LocalProxy } from '../../engine/proxy.mts';
import { REFUSED_ADDRESS } from '../../engine/refusedAddress.mts';
import { byId, TestTenant } from '../../engine/tenant.mts';
import { TlsTenant } from '../../engine/tlsTenant.mts';
import { generation } from '../../n8n/generation.mts';

const tenant = TestTenant.inEachTest();
const proxy = LocalProxy.inEachTest();
const tls = TlsTenant.inEachTest();

const people = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, index) => ({
		json: { number: `49171${String(index).padStart(7, '0')}`, name: `Person ${index}` },
	}));

const CREATE = {
	resource: 'customer',
	operation: 'create',
	displayId: '={{ $json.number }}',
	name: '={{ $json.name }}',
};

/** What a run sent and gave back. */
async function outcome(parameters: NodeRunOptions['parameters'], options: Partial<NodeRunOptions>) {
	await tenant.sandbox.reset();
	tenant.sandbox.clearRequests();
	const { items, error } = await tenant.run(parameters, options);
	return {
		sent: tenant.sent().map(({ method, path, body }) => `${method} ${path} ${body}`),
		given: items.map(({ json, pairedItem }) => ({ name: json.name, error: json.error, pairedItem })),
		error: error && { message: error.message, description: error.description },
	};
}

describe('the values of parameters', () => {
	const values: Array<[string, IDataObject[string] | undefined | DateTime]> = [
		['text', 'Nora'],
		['text that looks like an expression', '={{ 1 + 1 }}'],
		['text in braces', '{{ $json.number }}'],
		['empty text', ''],
		['a number', 12.5],
		['a boolean', false],
		['null', null],
		['nothing', undefined],
		['an object', { first: 'Nora' }],
		['a list', ['Nora', 1]],
		['a date and time', DateTime.fromISO('2026-03-01T12:00:00Z')],
	];

	it.each(values)('are those that n8n reads: %s', async (_what, value) => {
		const items = [{ json: { number: '491710000001', name: value, 'a b': { name: value } } as IDataObject }];
		for (const name of [
			'={{ $json.name }}',
			'={{$json["name"]}}',
			"={{ $json['a b'].name }}",
			'=Dear {{ $json.name }}',
			'={{ $json.name ?? "none" }}',
		]) {
			const parameters = { ...CREATE, name };
			const theirs = await outcome(parameters, { items, byRoutingEngine: true });
			expect({ name, ...(await outcome(parameters, { items })) }).toEqual({ name, ...theirs });
		}
	});

	it.each([
		['a fixed ID', byId('2001')],
		['an ID by expression', byId('={{ $json.id }}')],
		['an ID by a longer expression', byId('={{ $json.id + 0 }}')],
		['an expression for the whole', '={{ $json.id }}'],
		['a field that is not there', byId('={{ $json.missing }}')],
		['the name of a property of all objects', byId('={{ $json.constructor }}')],
	])('are read from resource locators as n8n does: %s', async (_what, profileId) => {
		const parameters = { resource: 'profile', operation: 'get', profileId };
		const items = [{ json: { id: 2001 } }];
		const theirs = await outcome(parameters, { items, byRoutingEngine: true });
		expect(await outcome(parameters, { items })).toEqual(theirs);
	});
});

describe('a batch of items', () => {
	it('comes out in the order it went in, each item linked', async () => {
		tenant.sandbox.faults.add({ kind: 'latency', ms: 30, probability: 0.3 });
		const { items } = await tenant.run(CREATE, { items: people(60) });
		expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual(
			people(60).map(({ json }, item) => [json.name, { item }]),
		);
	});

	it('begins no further item after one that stops the run', async () => {
		const items = people(1_000);
		items[3].json.number = 'none';
		const { error } = await tenant.run(CREATE, { items });
		expect(error).toMatchObject({
			message: 'Phone Number "none" is not a phone number',
			context: { itemIndex: 3 },
		});
		expect(tenant.sent().length).toBeLessThan(100);
	});

	it('reports the first of several items that stop the run', async () => {
		const items = people(10);
		for (const item of [7, 4, 9]) items[item].json.number = 'none';
		expect((await tenant.run(CREATE, { items })).error).toMatchObject({ context: { itemIndex: 4 } });
	});

	it('reports an expression that fails with its item, and goes on with Continue', async () => {
		const parameters = { ...CREATE, name: '={{ $json.name.trim() }}' };
		const items = people(3);
		items[1].json.name = 5;
		expect((await tenant.run(parameters, { items })).error).toMatchObject({ context: { itemIndex: 1 } });
		await tenant.sandbox.reset();
		const { items: given } = await tenant.run(parameters, { items, onError: 'continueRegularOutput' });
		expect(given.map(({ json, pairedItem }) => [json.error === undefined, pairedItem])).toEqual([
			[true, { item: 0 }],
			[false, { item: 1 }],
			[true, { item: 2 }],
		]);
	});

	it('begins no further item when a person stops the execution', async () => {
		tenant.sandbox.faults.add({ kind: 'latency', ms: 20 });
		const items = people(2_000);
		await tenant.run(CREATE, {
			items,
			onStart: (stop) => {
				const poll = setInterval(() => {
					if (tenant.sent().length < 20) return;
					clearInterval(poll);
					stop();
				}, 5);
			},
		});
		const sent = tenant.sent().length;
		expect(sent).toBeGreaterThanOrEqual(20);
		expect(sent).toBeLessThan(items.length / 2);
	});

	it('lets other work through while thousands of expressions are evaluated', async () => {
		let turns = 0;
		const counter = setInterval(() => turns++, 1);
		const parameters = { ...CREATE, name: '={{ $json.name.trim() + "!" }}' };
		await tenant.run(parameters, { items: people(500) });
		clearInterval(counter);
		expect(turns).toBeGreaterThan(20);
	});
});

describe("n8n's Request Options", () => {
	const run = async (requestOptions: IDataObject, items = people(4)) =>
		await tenant.run({ ...CREATE, requestOptions } as NodeRunOptions['parameters'], { items });

	it('space the beginnings of items', async () => {
		const startedAt = Date.now();
		const { error } = await run({ batching: { batch: { batchSize: 2, batchInterval: 150 } } }, people(6));
		expect(error).toBeUndefined();
		const times = tenant.sent().map(({ at }) => Date.parse(at) - startedAt);
		expect(times).toHaveLength(6);
		expect(times[2]).toBeGreaterThanOrEqual(149);
		expect(times[4]).toBeGreaterThanOrEqual(299);
	});

	it('bound the wait for an answer', async () => {
		tenant.sandbox.faults.add({ kind: 'latency', ms: 500 });
		// A read: the tenant may carry it out late, in the next test.
		const { error } = await tenant.run({
			resource: 'account',
			operation: 'get',
			requestOptions: { timeout: 50 },
			requestLimits: { maximumTries: 1 },
		});
		expect(error?.message).toBe('The service did not answer');
	});

	describe('name a proxy', () => {
		const login = `${proxy.user}:${proxy.password}`;

		it('which the requests then go through, with its login', async () => {
			const { error, items } = await run({ proxy: proxy.url() }, people(2));
			expect(error).toBeUndefined();
			const target = `${tenant.sandbox.url}/third-party/v1/customers`;
			expect(proxy.asked).toEqual(Array.from({ length: 2 }, () => ({ method: 'POST', target, login })));
			expect(tenant.sent().map(({ headers }) => headers.authorization)).toEqual([
				`Bearer ${tenant.sandbox.token}`,
				`Bearer ${tenant.sandbox.token}`,
			]);
			expect(items.map(({ json }) => json.name)).toEqual(['Person 0', 'Person 1']);
		});

		it('through which they go in a tunnel where the tenant is behind TLS', async () => {
			const requestOptions = { proxy: proxy.url(), allowUnauthorizedCerts: true };
			const { error, items } = await runNode({
				parameters: { ...CREATE, requestOptions },
				items: people(1),
				credentials: { tenantDomain: tls.url, accessToken: 'token-behind-tls' },
			});
			const target = tls.url.replace('https://', '');
			expect(proxy.asked).toEqual([{ method: 'CONNECT', target, login }]);
			// In a tunnel n8n 1 does not let an unknown certificate pass, whatever the Request Options say.
			const isTrusted = generation === 2;
			expect(error?.message).toBe(isTrusted ? undefined : "The tenant's certificate is not trusted");
			expect(tls.asked).toEqual(isTrusted ? ['POST /third-party/v1/customers'] : []);
			expect(items.map(({ json }) => json.id)).toEqual(isTrusted ? [1] : []);
		});

		it.each([
			['no login', () => proxy.urlWithoutLogin, undefined],
			['another password', () => proxy.url(proxy.user, 'wrong'), `${proxy.user}:wrong`],
		])('that refuses them, with %s', async (_, address, sent) => {
			const { error } = await run({ proxy: address() }, people(1));
			expect(error).toMatchObject({ httpCode: '407' });
			expect(proxy.asked.map((asked) => asked.login)).toEqual([sent]);
			expect(tenant.sent()).toEqual([]);
		});

		it('that is not there', async () => {
			const { error } = await tenant.run(
				{ ...CREATE, requestOptions: { proxy: REFUSED_ADDRESS }, requestLimits: { maximumTries: 1 } },
				{ items: people(1) },
			);
			expect(error?.description).toContain('(ECONNREFUSED)');
			expect(tenant.sent()).toEqual([]);
		});
	});

	it('say what is wrong with a proxy', async () => {
		const { error } = await run({ proxy: 'nowhere' }, people(1));
		expect(error).toMatchObject({
			message: 'Proxy is not a URL',
			description: expect.stringContaining('http://'),
		});
		expect(tenant.sent()).toEqual([]);
	});
});
