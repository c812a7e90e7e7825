import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { DAY } from '../../../sandbox/clock.mts';
import type { Profile } from '../../../sandbox/resources/profile.mts';
import { PollingNode } from '../../engine/polling.mts';
import { byId, TestTenant } from '../../engine/tenant.mts';
import {
	histories,
	History,
	ids,
	START,
	type Step,
	step,
	tellsEachOnce,
	which,
} from '../../polling/history.mts';

/** Pages are so short that most polls read several. */
const tenant = TestTenant.inEachTest({ pageSize: 3, choices: { pageSize: 'ignored' } });

const RUNS = Number(process.env.POLLING_RUNS ?? 25);

afterEach(() => {
	jest.restoreAllMocks();
	const usual = { orderBy: 'as-asked', profileTags: 'hidden', profileTimes: 'milliseconds' };
	Object.assign(tenant.sandbox.tenant.choices, usual);
});

/** A step that makes somebody join or leave, or decides about a template. */
type OfSets = { kind: 'join' | 'leave' | 'decide'; which: number };
type SetStep = OfSets | Step;

const isOfSets = (one: SetStep): one is OfSets => ['join', 'leave', 'decide'].includes(one.kind);

const setStep: fc.Arbitrary<SetStep> = fc.oneof(
	{ weight: 3, arbitrary: step },
	...(['join', 'leave', 'decide'] as const).map((kind) => ({
		weight: 2,
		arbitrary: which.map((one) => ({ kind, which: one })),
	})),
);

const forAll = histories(tenant, RUNS);

describe('through changes, restarts, failing polls and a clock that is set back', () => {
	tellsEachOnce(tenant, forAll);

	it('each changed profile is told exactly once by each poll after a change', async () => {
		await forAll(async (all, { profileTimes: times }) => {
			const history: History = new History(
				tenant,
				'profileChanged',
				(items) => {
					const now = history.profiles();
					const changed = now.filter((profile) => {
						const known = before.get(profile.id);
						if (known) return known.custom_1 !== profile.custom_1;
						return times !== 'hidden' && shown(profile.updated_at) !== shown(profile.created_at);
					});
					if (hasBegun) expect(ids(items).sort()).toEqual(ids(changed as never).sort());
					for (const { id, event } of items) {
						const { changes } = event as { changes: unknown };
						const [old] = [before.get(id as number)];
						const current = now.find((profile) => profile.id === id)?.custom_1;
						if (changes)
							expect(changes).toEqual([{ field: 'custom_1', old: old?.custom_1 ?? null, new: current }]);
					}
					before = new Map(now.map((profile) => [profile.id, profile]));
					if (items.length > 0 || !hasBegun) stored = before;
					hasBegun = true;
				},
				() => (before = stored),
			);
			const shown = (time: string) => (times === 'milliseconds' ? time : time.slice(0, 19));
			let hasBegun = false;
			let before = new Map<number, Profile>();
			let stored = before;
			// A change of consent without another value is told by another event.
			await history.through(
				all.filter(({ kind }) => kind !== 'optIn' && kind !== 'optOut'),
				history.take,
			);
			const values = history.items.map(({ custom_1 }) => custom_1);
			expect(new Set(values).size).toBe(values.length);
		});
	});
});

const GROUP = 61;
const TAG = 41;

describe.each(['joinedGroup', 'tagAdded', 'templateStatus'] as const)(
	'what comes, as %s, is told exactly once',
	(event) => {
		it.each(['records', 'titles'] as const)(
			'with tags as %s',
			async (profileTags) => {
				const store = () => tenant.sandbox.store;
				/** What the event is about now, by what an item tells of it. */
				const present = (): string[] => {
					const { records: templates } = store().templates.list();
					const decided = templates.filter(({ status }) => status !== 'pending');
					if (event === 'templateStatus') return decided.map(({ id, status }) => `${id} ${status}`);
					const { profile_groups: groups, profile_tags: tags } = store().tables;
					return (event === 'joinedGroup' ? groups.owners(GROUP) : tags.owners(TAG)).map(String);
				};
				const toldOf = ({ id, event: told }: IDataObject) =>
					event === 'templateStatus' ? `${id} ${(told as IDataObject).status}` : String(id);
				await fc.assert(
					fc.asyncProperty(fc.array(setStep, { minLength: 5, maxLength: 40 }), async (all) => {
						await tenant.sandbox.reset();
						tenant.sandbox.tenant.choices.profileTags = profileTags;
						let before = new Set<string>();
						let stored = before;
						let hasBegun = false;
						const history: History = new History(
							tenant,
							event,
							(items) => {
								const now = new Set(present());
								const expected = [...now].filter((one) => !before.has(one));
								expect(items.map(toldOf).sort()).toEqual(hasBegun ? expected.sort() : []);
								before = now;
								if (items.length > 0 || !hasBegun) stored = before;
								hasBegun = true;
							},
							() => (before = stored),
							{ groupId: byId(GROUP), tagId: byId(TAG) },
						);
						const take = async (one: SetStep) => {
							if (!isOfSets(one)) return await history.take(one);
							const { groups, tags, templates } = store();
							const profiles = history.profiles();
							const [chosen] = profiles.slice(one.which % Math.max(1, profiles.length));
							const status = (['approved', 'rejected', 'pending'] as const)[one.which % 3];
							if (one.kind === 'decide') templates.review(templates.list().records[one.which % 4].id, status);
							else if (chosen && one.kind === 'join') {
								groups.attach(chosen.id, GROUP);
								tags.attach('profile', chosen.id, TAG);
							} else if (chosen) {
								groups.detach(chosen.id, GROUP);
								tags.detach('profile', chosen.id, TAG);
							}
						};
						await history.through(all, take).finally(() => jest.restoreAllMocks());
					}),
					{ numRuns: RUNS },
				);
			},
			300_000,
		);
	},
);

it('after a long time, tells all changes, the oldest first', async () => {
	const [mira, jonas] = [102, 103];
	const { profiles } = tenant.sandbox.store;
	const { credentials } = tenant;
	let now = START;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	const node = new PollingNode({
		parameters: { event: 'profileChanged' },
		credentials,
	});
	await node.poll();
	now += DAY;
	profiles.update(mira, { custom_1: 'three days ago' });
	now += 3 * DAY;
	profiles.update(jonas, { custom_1: 'now' });
	expect(await node.poll()).toMatchObject([{ id: mira }, { id: jonas }]);
	expect(await node.poll()).toEqual([]);
});
