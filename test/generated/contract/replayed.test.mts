import { VARIANTS } from '../../../sandbox/choices.mts';
import { type Har, startSandbox } from '../../../sandbox/server.mts';
import { byId, TestTenant } from '../../engine/tenant.mts';
import { caseNames, runCase } from '../../contract/runCase.mts';

/** Marks a notification by a UUID that no answer of the session shows: each start invents it anew. */
const NOT_REPEATABLE = 'notification: markRead';

it('what the node asks a sandbox in each case, another one answers alike', async () => {
	// Pages, and IDs of the other type, are what a replay has to find its way through.
	const options = { choices: VARIANTS['text-ids'], pageSize: 2 };
	const [sandbox, other] = [await startSandbox(options), await startSandbox(options)];
	try {
		for (const name of caseNames.filter((one) => one !== NOT_REPEATABLE)) {
			sandbox.startRecording();
			await runCase(TestTenant.of(sandbox), name);
			const text = JSON.stringify(sandbox.stopRecording());
			expect(text).not.toContain(sandbox.token);
			const har = JSON.parse(text) as Har;
			expect(har.log.entries.length).toBeGreaterThan(0);
			expect({ name, ...(await other.replay(har)) }).toEqual({
				name,
				requests: har.log.entries.length,
				differences: [],
			});
		}
	} finally {
		await Promise.all([sandbox.close(), other.close()]);
	}
});

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
