import { Api } from '../../nodes/CustomerMessaging/api/client.ts';
import { TenantInMemory } from '../context/tenantInMemory.mts';

const tenant = TenantInMemory.inEachTest();

describe('what a credential says', () => {
	it('is known by a key that reveals neither the tenant nor the token', async () => {
		const keys = await Promise.all(
			['one', 'one', 'another'].map(async (user) => (await tenant.run({ user })().api.settings).tenantKey),
		);
		expect(keys[0]).toBe(keys[1]);
		expect(keys[0]).not.toBe(keys[2]);
		expect(keys[0]).toMatch(/^[\da-f]{64}$/);
	});

	it('is kept to by one limiter for all runs with this tenant and token, with the latest maximum', async () => {
		const limiterOf = async (user: string, maximumInFlight: number) =>
			(await tenant.run({ user, advanced: { maximumInFlight } })().api.settings).limiter;
		const limiter = await limiterOf('one', 3);
		expect(await limiterOf('one', 2)).toBe(limiter);
		expect(limiter.maximum).toBe(2);
		expect(await limiterOf('another', 2)).not.toBe(limiter);
	});

	it('are the limits of a run', async () => {
		const advanced = { maximumInFlight: 3, maximumTries: 2, pageDelay: 7, tryForSeconds: 30 };
		expect(await tenant.run({ advanced })().api.settings).toMatchObject({
			baseUrl: 'https://acme.example/third-party/v1',
			...advanced,
		});
	});

	it('are no more than the limits of the editor, where little time is left', async () => {
		const limitsOf = async (advanced: Record<string, number>) => {
			const { getCredentials, getNode, helpers } = tenant.run({ advanced })();
			const { maximumTries, tryForSeconds } = await new Api({
				getCredentials,
				getNode,
				helpers,
			} as never).settings;
			return { maximumTries, tryForSeconds };
		};
		expect(await limitsOf({ maximumTries: 9 })).toEqual({ maximumTries: 2, tryForSeconds: 10 });
		const low = { maximumTries: 1, tryForSeconds: 3 };
		expect(await limitsOf(low)).toEqual(low);
	});

	it('fails each request where it is unusable, and names the field', async () => {
		const { api } = tenant.run({ advanced: { maximumTries: 0 } })();
		for (const url of ['/tags', '/me'])
			await expect(api.send({ url })).rejects.toThrow('Advanced (Maximum Tries) 0 is less than 1');
		expect(tenant.requests).toEqual([]);
	});
});

describe('what is made once in a run', () => {
	/** Counts how often it is made, and fails the first few times. */
	function counted(failures = 0) {
		let times = 0;
		return async () => {
			await Promise.resolve();
			if (++times <= failures) throw new Error('Not now');
			return times;
		};
	}

	it('is made for each key, and again by the next run', async () => {
		const make = counted();
		const all = async ({ api }: { api: Api }) =>
			await Promise.all(['a', 'b', 'a'].map(async (key) => await api.once(key, make)));
		const contexts = tenant.run();
		expect(await all(contexts(0))).toEqual([1, 2, 1]);
		expect(await all(contexts(1))).toEqual([1, 2, 1]);
		expect(await all(tenant.run()())).toEqual([3, 4, 3]);
	});

	it('is not kept if it fails: the next item tries again', async () => {
		const { api } = tenant.run()();
		const make = counted(1);
		const results = await Promise.allSettled([api.once('a', make), api.once('a', make)]);
		expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(await api.once('a', make)).toBe(2);
		expect(await api.once('a', make)).toBe(2);
	});

	it('may be any value', () => {
		const { api } = tenant.run()();
		const set = api.once('names', () => new Set<string>());
		expect(api.once('names', () => new Set<string>())).toBe(set);
	});
});
