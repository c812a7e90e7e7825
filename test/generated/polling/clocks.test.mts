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

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** How far the clock that writes a record is from the one of the tenant: late by less than the polls overlap, or ahead. */
const offset = fc.oneof(
	{ weight: 6, arbitrary: fc.integer({ min: -50 * SECOND, max: 0 }) },
	{ weight: 2, arbitrary: fc.integer({ min: 0, max: 2 * MINUTE }) },
	{ weight: 3, arbitrary: fc.integer({ min: 15 * MINUTE, max: 2 * DAY }) },
	{ weight: 1, arbitrary: fc.constantFrom(30 * DAY, 3650 * DAY) },
);

type Step =
	| { kind: 'write'; which: number; offset: number }
	| { kind: 'pass'; seconds: number }
	| { kind: 'jump'; ahead: number }
	| { kind: 'poll' }
	| { kind: 'restart' };

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('write' as const),
			which: fc.nat(30),
			offset,
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('pass' as const),
			seconds: fc.constantFrom(1, 30, 61, 600, 50_000),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('jump' as const),
			ahead: fc.constantFrom(0, 0, -5 * MINUTE, 10 * MINUTE, DAY, 3650 * DAY),
		}),
	},
	{ weight: 4, arbitrary: fc.constantFrom({ kind: 'poll' as const }, { kind: 'restart' as const }) },
);

/** How far the clock of the answers has jumped, until it jumps again. */
let jumped = 0;

/** How many minutes the clock of the answers is off, or undefined for no `Date` at all. */
const skew = fc.option(fc.integer({ min: -120, max: 60 }), { nil: undefined });

/** How many minutes the clock of n8n is late. */
const ownSkew = fc.constantFrom(0, 0, -1, -120);

const choices: fc.Arbitrary<Partial<PolledChoices>> = fc.record({
	form: fc.constantFrom(LONG_PAGES, FORMS['links.next, and numbers in meta']),
	order: fc.constantFrom('kept', 'ignored', 'first field'),
	time: fc.constantFrom(TIMES['Unix milliseconds'], TIMES.seconds, TIMES['no zone']),
});

async function forAll(
	steps: fc.Arbitrary<Step[]>,
	check: (steps: Step[], before: number[]) => Promise<void>,
): Promise<void> {
	const before = fc.array(offset, { minLength: 1, maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(steps, before, choices, skew, ownSkew, async (all, offsets, chosen, minutes, own) => {
			Object.assign(tenant, { profiles: [] });
			jumped = 0;
			const date = (ms: number) =>
				minutes === undefined ? undefined : new Date(ms + minutes * MINUTE + jumped).toUTCString();
			tenant.choose({ ...chosen, date, ownClock: (ms) => ms + own * MINUTE });
			await check(all, offsets);
		}),
		{ numRuns: RUNS },
	);
}

/** Writes a record by a clock that is so far from the tenant's. */
const writtenAt = (profile: PolledProfile, ahead: number) =>
	Object.assign(profile, { updated: tenant.now + ahead });

const steps = fc.array(step, { minLength: 5, maxLength: 40 });

describe('with any clocks, and records that are ahead of them by any time', () => {
	it('each change is told once, by the next poll', async () => {
		await forAll(steps, async (all, offsets) => {
			for (const [index, profile] of tenant.create(offsets.length).entries())
				writtenAt(profile, offsets[index]);
			const node = tenant.node('profileChanged');
			const changed = new Set<PolledProfile>();
			const poll = async () => {
				expect(ids(await node.poll())).toEqual(tenant.idsOf([...changed]));
				changed.clear();
			};
			await poll();
			for (const one of [...all, { kind: 'poll' } as const]) {
				if (one.kind === 'pass') tenant.pass(one.seconds);
				else if (one.kind === 'jump') jumped = one.ahead;
				else if (one.kind === 'poll') await poll();
				else if (one.kind === 'restart') {
					await poll();
					node.restart();
				} else {
					const profile = tenant.profiles[one.which % tenant.profiles.length];
					tenant.change(profile);
					writtenAt(profile, one.offset);
					changed.add(profile);
				}
			}
			await poll();
		});
	});
});

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
					} else if (one.kind === 'write') create(one.offset > 0);
				}
				await poll();
			}),
			{ numRuns: RUNS },
		);
	});
});
