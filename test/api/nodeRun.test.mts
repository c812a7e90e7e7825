import {
	beginAttempt,
	nodeRunOf,
	oncePerAttempt,
	oncePerRun,
} from '../../nodes/CustomerMessaging/api/nodeRun.ts';
import { TenantInMemory } from '../context/tenantInMemory.mts';

const tenant = TenantInMemory.inEachTest();

describe('what the items of a run share', () => {
	it('is the same for all of them, and another for the next run', async () => {
		const [run, next] = [tenant.run(), tenant.run()];
		const first = await nodeRunOf(run(0));
		expect(await nodeRunOf(run(1))).toBe(first);
		expect(await nodeRunOf(next(0))).not.toBe(first);
	});

	it('is another for each tool of an agent, which share the data of the agent’s run', async () => {
		const [one, other] = [tenant.run()(), tenant.run({ user: 'another' })()];
		other.getExecuteData = one.getExecuteData;
		expect((await nodeRunOf(one)).tenantKey).not.toBe((await nodeRunOf(other)).tenantKey);
	});

	it('knows the tenant and the token by a key that reveals neither', async () => {
		const keys = await Promise.all(
			['one', 'one', 'another'].map(async (user) => (await nodeRunOf(tenant.run({ user })())).tenantKey),
		);
		expect(keys[0]).toBe(keys[1]);
		expect(keys[0]).not.toBe(keys[2]);
		expect(keys[0]).toMatch(/^[\da-f]{64}$/);
	});

	it('has the limits of the credential', async () => {
		const advanced = { maximumInFlight: 3, maximumTries: 2, pageDelay: 7, tryForSeconds: 30 };
		expect(await nodeRunOf(tenant.run({ advanced })())).toMatchObject({
			baseUrl: 'https://acme.example/third-party/v1',
			maximumInFlight: 3,
			maximumAttempts: 2,
			pageDelay: 7,
			tryFor: 30_000,
		});
	});

	it('has no more than them in the editor, and little time', async () => {
		const limitsOf = async (advanced: Record<string, number>) => {
			const { getCredentials, getNode, helpers } = tenant.run({ advanced })();
			const { maximumAttempts, tryFor } = await nodeRunOf({ getCredentials, getNode, helpers } as never);
			return { maximumAttempts, tryFor };
		};
		expect(await limitsOf({ maximumTries: 9 })).toEqual({ maximumAttempts: 2, tryFor: 10_000 });
		expect(await limitsOf({ maximumTries: 1, tryForSeconds: 3 })).toEqual({
			maximumAttempts: 1,
			tryFor: 3000,
		});
	});

	it('is not kept where the credential is unusable: a retry of the node reads it again', async () => {
		const advanced: Record<string, number> = { maximumTries: 0 };
		const context = tenant.run({ advanced })();
		await expect(nodeRunOf(context)).rejects.toThrow('Advanced (Maximum Tries) 0 is less than 1');
		advanced.maximumTries = 1;
		expect(await nodeRunOf(context)).toMatchObject({ maximumAttempts: 1 });
	});

	it('is made anew for each call of the editor, whose credential a person may change meanwhile', async () => {
		const { getCredentials, getNode, helpers } = tenant.run()();
		const editor = { getCredentials, getNode, helpers } as never;
		expect(await nodeRunOf(editor)).not.toBe(await nodeRunOf(editor));
	});
});

describe('what is found out', () => {
	/** Counts how often it is found out, and fails the first few times. */
	function counted(failures = 0) {
		const state = { times: 0 };
		const find = async (_context: unknown, key = '') => {
			await Promise.resolve();
			if (++state.times <= failures) throw new Error('Not now');
			return `${key}${state.times}`;
		};
		return { state, find };
	}

	it('once per run is found out again by the next run, also with another tenant between', async () => {
		const { find } = counted();
		const once = oncePerRun(find);
		const [first, between, again] = [tenant.run(), tenant.run({ user: 'another' }), tenant.run()];
		expect(await Promise.all([once(first(0)), once(first(1))])).toEqual(['1', '1']);
		expect(await once(between())).toBe('2');
		expect(await once(again())).toBe('3');
		expect(await once(first(2))).toBe('1');
	});

	it.each(['run', 'attempt'])('once per %s is no failure: the next item tries again', async (what) => {
		const { find } = counted(1);
		const context = tenant.run()();
		beginAttempt(context, await nodeRunOf(context));
		const once = what === 'run' ? oncePerRun(find) : oncePerAttempt(find);
		const results = await Promise.allSettled([once(context, 'a'), once(context, 'a')]);
		expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(await once(context, 'a')).toMatch(/2$/);
		expect(await once(context, 'a')).toMatch(/2$/);
	});

	it('once per attempt is found out for each key, and again by the next attempt', async () => {
		const { find } = counted();
		const once = oncePerAttempt(find);
		const context = tenant.run()();
		const run = await nodeRunOf(context);
		beginAttempt(context, run);
		const all = async () => await Promise.all(['a', 'b', 'a'].map(async (key) => await once(context, key)));
		expect(await all()).toEqual(['a1', 'b2', 'a1']);
		expect(await all()).toEqual(['a1', 'b2', 'a1']);
		beginAttempt(context, run);
		expect(await all()).toEqual(['a3', 'b4', 'a3']);
	});

	it('is only shared while it is under way where nobody tells of attempts, as in the calls of a tool', async () => {
		const { find } = counted();
		const once = oncePerAttempt(find);
		const context = tenant.run()();
		expect(await Promise.all([once(context, 'a'), once(context, 'a')])).toEqual(['a1', 'a1']);
		expect(await once(context, 'a')).toBe('a2');
	});
});
