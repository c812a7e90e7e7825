import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { DAY } from '../../../sandbox/clock.mts';
import type { Profile } from '../../../sandbox/resources/profile.mts';
import { type Choices, CHOICES } from '../../../sandbox/choices.mts';
import { PollingNode } from '../../engine/polling.mts';
import { byId, TestTenant } from '../../engine/tenant.mts';

/** Pages are so short that most polls read several. */
const tenant = TestTenant.inEachTest({ pageSize: 3, choices: { pageSize: 'ignored' } });

const RUNS = Number(process.env.POLLING_RUNS ?? 25);

afterEach(() => {
	jest.restoreAllMocks();
	const usual = { orderBy: 'as-asked', profileTags: 'hidden', profileTimes: 'milliseconds' };
	Object.assign(tenant.sandbox.tenant.choices, usual);
});

/** The clock of a tenant is set back by less than the polls read again. */
const MAX_SET_BACK = 55_000;

const START = Date.parse('2031-05-06T07:08:09Z');

type Step =
	| { kind: 'create' }
	| { kind: 'update' | 'optIn' | 'optOut' | 'delete'; which: number }
	| { kind: 'notify' }
	| { kind: 'pass'; ms: number }
	| { kind: 'poll' }
	| { kind: 'failingPoll'; skip: number }
	| { kind: 'restart' };

const which = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 3, arbitrary: fc.constant({ kind: 'create' } as const) },
	{ weight: 5, arbitrary: which.map((one) => ({ kind: 'update' as const, which: one })) },
	{ weight: 3, arbitrary: which.map((one) => ({ kind: 'optIn' as const, which: one })) },
	{ weight: 3, arbitrary: which.map((one) => ({ kind: 'optOut' as const, which: one })) },
	{ weight: 1, arbitrary: which.map((one) => ({ kind: 'delete' as const, which: one })) },
	{ weight: 2, arbitrary: fc.constant({ kind: 'notify' } as const) },
	{
		weight: 5,
		arbitrary: fc.integer({ min: -40_000, max: 120_000 }).map((ms) => ({ kind: 'pass' as const, ms })),
	},
	{ weight: 6, arbitrary: fc.constant({ kind: 'poll' } as const) },
	{ weight: 2, arbitrary: fc.nat(6).map((skip) => ({ kind: 'failingPoll' as const, skip })) },
	{ weight: 1, arbitrary: fc.constant({ kind: 'restart' } as const) },
);

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

type ProfileList = Pick<Choices, 'orderBy' | 'profileTimes'>;

const profileList: fc.Arbitrary<ProfileList> = fc.record({
	orderBy: fc.constantFrom(...CHOICES.orderBy),
	profileTimes: fc.constantFrom(...CHOICES.profileTimes),
});

/** A tenant and its node through a history. */
class History {
	private now = START;

	private newest = START;

	private numbers = 0;

	/** In which consent was changed. */
	private readonly seconds = new Set<number>();

	private readonly node: PollingNode;

	/** Every item of every poll. */
	readonly items: IDataObject[] = [];

	constructor(
		event: string,
		/** Called before each poll that may succeed, and with its items after it did. */
		private readonly onPolled: (items: IDataObject[]) => void = () => {},
		private readonly onRestart: () => void = () => {},
		parameters: INodeParameters = {},
	) {
		for (const clock of [this.store.clock, Date]) jest.spyOn(clock, 'now').mockImplementation(() => this.now);
		const credentials = { ...tenant.credentials, advanced: { settings: { maximumTries: 1 } } };
		this.node = new PollingNode({ parameters: { event, ...parameters }, credentials });
	}

	private get store() {
		return tenant.sandbox.store;
	}

	profiles(): Profile[] {
		const [admin] = this.store.users.list().records;
		return this.store.profiles.list(admin, {}).records;
	}

	async poll(): Promise<void> {
		const items = await this.node.poll();
		this.items.push(...items);
		this.onPolled(items);
	}

	readonly take = async (one: Step): Promise<void> => {
		const profiles = this.profiles();
		const chosen = 'which' in one ? profiles[one.which % Math.max(1, profiles.length)] : undefined;
		const [admin] = this.store.users.list().records;
		switch (one.kind) {
			case 'create':
				this.store.customers.create('chatapp', `49170${1_000_000 + ++this.numbers}`, 'New');
				return;
			case 'update':
				if (chosen) this.store.profiles.update(chosen.id, { custom_1: `value ${++this.numbers}` });
				return;
			case 'optIn':
			case 'optOut':
				// Changes of the same second that take each other back are told only if no poll came between them.
				while (this.seconds.has(Math.floor(this.now / 1000))) this.now += 1000;
				this.seconds.add(Math.floor(this.now / 1000));
				this.newest = Math.max(this.newest, this.now);
				if (chosen) this.store.profiles.setConsent(chosen.id, one.kind === 'optIn');
				return;
			case 'delete': {
				const customer = chosen && this.store.customers.find(chosen.customer_id);
				if (customer) this.store.customers.delete(customer);
				return;
			}
			case 'notify':
				this.store.notifications.add(admin.id, `Notice ${++this.numbers}`, 'Text');
				return;
			case 'pass':
				this.now = Math.max(this.now + one.ms, this.newest - MAX_SET_BACK);
				this.newest = Math.max(this.newest, this.now);
				return;
			case 'poll':
				return await this.poll();
			case 'failingPoll':
				tenant.sandbox.faults.add({ kind: 'server-error', skip: one.skip });
				await this.poll().catch((error: Error) => expect(error.name).toBe('NodeApiError'));
				tenant.sandbox.faults.clear();
				return;
			case 'restart':
				this.node.restart();
				this.onRestart();
		}
	};

	async through<S>(steps: S[], take: (one: S) => Promise<void>): Promise<void> {
		await this.poll();
		for (const one of steps) await take(one);
		await this.poll();
	}
}

const steps = fc.array(step, { minLength: 5, maxLength: 40 });

async function forAll(check: (steps: Step[], list: ProfileList) => Promise<void>): Promise<void> {
	await fc.assert(
		fc.asyncProperty(steps, profileList, async (all, list) => {
			await tenant.sandbox.reset();
			Object.assign(tenant.sandbox.tenant.choices, list);
			await check(all, list).finally(() => jest.restoreAllMocks());
		}),
		{ numRuns: RUNS },
	);
}

const ids = (items: IDataObject[]) => items.map(({ id }) => id);

describe('through changes, restarts, failing polls and a clock that is set back', () => {
	it('each new customer is told exactly once', async () => {
		await forAll(async (all) => {
			const history = new History('newCustomer');
			const before = new Set(history.profiles().map(({ id }) => id));
			// One that is deleted before a poll was never there for it.
			await history.through(
				all.filter(({ kind }) => kind !== 'delete'),
				history.take,
			);
			const expected = history.profiles().filter(({ id }) => !before.has(id));
			expect(ids(history.items).sort()).toEqual(ids(expected as never).sort());
		});
	});

	it('each changed profile is told exactly once by each poll after a change', async () => {
		await forAll(async (all, { profileTimes: times }) => {
			const history: History = new History(
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

	it('each change of consent is told exactly once', async () => {
		await forAll(async (all, { profileTimes: times }) => {
			fc.pre(times !== 'hidden');
			const { tables } = tenant.sandbox.store;
			const activities = () =>
				tables.activities.all().flatMap(({ id, type }) => (type.startsWith('marketing') ? [id] : []));
			const history = new History('consentChanged');
			const before = activities();
			await history.through(
				all.filter(({ kind }) => kind !== 'delete'),
				history.take,
			);
			const told = history.items.map(({ event }) => (event as IDataObject).activity_id);
			expect(told.sort()).toEqual(
				activities()
					.filter((id) => !before.includes(id))
					.sort(),
			);
		});
	});

	it('each notification is told exactly once', async () => {
		await forAll(async (all) => {
			const history = new History('newNotification');
			const told = () => history.items.map(({ title }) => title);
			await history.through(all, history.take);
			const [admin] = tenant.sandbox.store.users.list().records;
			const expected = tenant.sandbox.store.notifications.of(admin.id).map(({ title }) => title);
			expect([...told(), 'New device', 'Template approved'].sort()).toEqual(expected.sort());
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
