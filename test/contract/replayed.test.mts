import { VARIANTS, type VariantName } from '../../sandbox/choices.mts';
import { type Har, type Sandbox, startSandbox } from '../../sandbox/server.mts';
import { byId, TestTenant } from '../engine/tenant.mts';
import { caseNames, runCase } from './runCase.mts';

/** Marks a notification by a UUID that no answer of the session shows: each start invents it anew. */
const NOT_REPEATABLE = 'notification: markRead';

describe.each<VariantName>(['plain', 'proxied-cursor', 'text-ids'])(
	'what the node asks a sandbox, variant %s, another one answers alike',
	(variant) => {
		const options = { choices: VARIANTS[variant], pageSize: 2 };
		const tenant = TestTenant.inEachTest(options);
		let other: Sandbox;
		beforeAll(async () => {
			other = await startSandbox(options);
		});
		afterAll(async () => await other.close());

		it.each(caseNames.filter((name) => name !== NOT_REPEATABLE))('%s', async (name) => {
			tenant.sandbox.startRecording();
			await runCase(tenant, name);
			const text = JSON.stringify(tenant.sandbox.stopRecording());
			expect(text).not.toContain(tenant.sandbox.token);
			const har = JSON.parse(text) as Har;
			expect(har.log.entries.length).toBeGreaterThan(0);
			expect(await other.replay(har)).toEqual({ requests: har.log.entries.length, differences: [] });
		});
	},
);

describe('a session of many requests at once', () => {
	const tenant = TestTenant.inEachTest();
	const create = {
		resource: 'customer',
		operation: 'create',
		channel: 'chatapp',
		displayId: '={{ $json.number }}',
		name: '={{ $json.name }}',
	};
	const people = Array.from({ length: 60 }, (_, index) => ({
		json: { number: `4915100000${100 + index}`, name: `Customer ${index}` },
	}));

	it('gives each record the same id again, also where the node repeats requests because of faults', async () => {
		const { sandbox } = tenant;
		sandbox.startRecording();
		const control = async (fault: object) =>
			await fetch(`${sandbox.url}/sandbox/faults`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(fault),
			});
		await control({ kind: 'rate-limit', retryAfter: 0, times: 3 });
		await control({ kind: 'drop-after', times: 1, method: 'PATCH' });
		const { items, error } = await tenant.run(create, { items: people });
		expect(error).toBeUndefined();
		const changed = await tenant.run({
			resource: 'tag',
			operation: 'update',
			tagId: byId(41),
			title: 'Changed',
		});
		expect(changed.error).toBeUndefined();
		const other = await startSandbox();
		const { differences } = await other.replay(sandbox.stopRecording(), ['times']);
		const names = items.map(({ json }) => other.store.customers.find(Number(json.id))?.name);
		await other.close();
		expect(differences).toEqual([]);
		expect(names).toEqual(people.map(({ json }) => json.name));
	});
});
