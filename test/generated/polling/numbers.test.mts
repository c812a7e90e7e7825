import fc from 'fast-check';

import { FORMS } from '../../engine/listForms.mts';
import {
	ids,
	LONG_PAGES,
	type PolledChoices,
	type PolledProfile,
	PolledTenant,
	TIMES,
} from '../../polling/polledTenant.mts';

const tenant = PolledTenant.inEachTest();

const RUNS = Number(process.env.POLLING_RUNS ?? 25);

type Step =
	| { kind: 'create'; isHigh: boolean }
	| { kind: 'pass'; seconds: number }
	| { kind: 'poll' }
	| { kind: 'restart' };

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ kind: fc.constant('create' as const), isHigh: fc.boolean() }) },
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('pass' as const),
			seconds: fc.constantFrom(1, 30, 61, 600, 50_000),
		}),
	},
	{ weight: 4, arbitrary: fc.constantFrom({ kind: 'poll' as const }, { kind: 'restart' as const }) },
);

const choices: fc.Arbitrary<Partial<PolledChoices>> = fc.record({
	form: fc.constantFrom(LONG_PAGES, FORMS['links.next, and numbers in meta']),
	order: fc.constantFrom('kept', 'ignored', 'first field'),
	time: fc.constantFrom(TIMES['Unix milliseconds'], TIMES.seconds, TIMES['no zone']),
});

const steps = fc.array(step, { minLength: 5, maxLength: 40 });

describe('with some numbers that are far too high', () => {
	it('each new customer is told once, by the next poll', async () => {
		const high = fc.uniqueArray(fc.integer({ min: 10_000, max: 2 ** 52 }), { minLength: 1, maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(steps, high, choices, fc.nat(120), async (all, numbers, chosen, count) => {
				Object.assign(tenant, { profiles: [] });
				tenant.choose(chosen);
				tenant.create(count + 1);
				const node = tenant.node('newCustomer');
				let created: PolledProfile[] = [];
				const poll = async () => {
					expect(ids(await node.poll())).toEqual(tenant.idsOf(created));
					created = [];
				};
				const left = [...numbers];
				const create = (isHigh: boolean) => {
					const [profile] = tenant.create();
					if (isHigh && left.length > 0) profile.id = left.pop() as number;
					created.push(profile);
				};
				create(true);
				created = [];
				await poll();
				for (const one of all) {
					if (one.kind === 'pass') tenant.pass(one.seconds);
					else if (one.kind === 'poll' || one.kind === 'restart') {
						await poll();
						if (one.kind === 'restart') node.restart();
					} else create(one.isHigh);
				}
				await poll();
			}),
			{ numRuns: RUNS },
		);
	});
});
