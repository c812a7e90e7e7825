import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Choices, CHOICES } from '../../sandbox/choices.mts';
import type { Profile } from '../../sandbox/resources/profile.mts';
import { PollingNode } from '../engine/polling.mts';
import type { TestTenant } from '../engine/tenant.mts';

/** The clock of a tenant is set back by less than the polls read again. */
const MAX_SET_BACK = 55_000;

export const START = Date.parse('2031-05-06T07:08:09Z');

export type Step =
	| { kind: 'create' }
	| { kind: 'update' | 'optIn' | 'optOut' | 'delete'; which: number }
	| { kind: 'notify' }
	| { kind: 'pass'; ms: number }
	| { kind: 'poll' }
	| { kind: 'failingPoll'; skip: number }
	| { kind: 'restart' };

export const which = fc.nat(20);
export const step: fc.Arbitrary<Step> = fc.oneof(
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

/** A tenant and its node through a history. */
export class History {
	private now = START;

	private newest = START;

	private numbers = 0;

	/** In which consent was changed. */
	private readonly seconds = new Set<number>();

	private readonly node: PollingNode;

	/** Every item of every poll. */
	readonly items: IDataObject[] = [];

	constructor(
		private readonly tenant: TestTenant,
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
		return this.tenant.sandbox.store;
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
				this.tenant.sandbox.faults.add({ kind: 'server-error', skip: one.skip });
				await this.poll().catch((error: Error) => expect(error.name).toBe('NodeApiError'));
				this.tenant.sandbox.faults.clear();
				return;
			case 'restart':
				this.node.restart();
				this.onRestart();
		}
	};

	async through<S>(steps: S[], take: (one: S) => Promise<void>): Promise<void> {
		await this.poll();
		for (const one of steps) await take(one);
		// One poll looks at only so many changes.
		do {
			this.node.log.splice(0);
			await this.poll();
		} while (this.node.log.some((line) => line.endsWith('The next poll goes on with them')));
	}
}

type ProfileList = Pick<Choices, 'orderBy' | 'profileTimes'>;

const profileList: fc.Arbitrary<ProfileList> = fc.record({
	orderBy: fc.constantFrom(...CHOICES.orderBy),
	profileTimes: fc.constantFrom(...CHOICES.profileTimes),
});

const steps = fc.array(step, { minLength: 5, maxLength: 40 });

/** Makes what checks so many histories, of tenants whose lists differ. */
export const histories =
	(tenant: TestTenant, numRuns: number) =>
	async (check: (steps: Step[], list: ProfileList) => Promise<void>): Promise<void> => {
		await fc.assert(
			fc.asyncProperty(steps, profileList, async (all, list) => {
				await tenant.sandbox.reset();
				Object.assign(tenant.sandbox.tenant.choices, list);
				await check(all, list).finally(() => jest.restoreAllMocks());
			}),
			{ numRuns, seed: jest.getSeed() },
		);
	};

export const ids = (items: IDataObject[]) => items.map(({ id }) => id);

/** What holds for whole histories, however many changes a poll tells. */
export function tellsEachOnce(tenant: TestTenant, forAll: ReturnType<typeof histories>): void {
	it('each new customer is told exactly once', async () => {
		await forAll(async (all) => {
			const history = new History(tenant, 'newCustomer');
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

	it('each change of consent is told exactly once', async () => {
		await forAll(async (all, { profileTimes: times }) => {
			fc.pre(times !== 'hidden');
			const { tables } = tenant.sandbox.store;
			const activities = () =>
				tables.activities.all().flatMap(({ id, type }) => (type.startsWith('marketing') ? [id] : []));
			const history = new History(tenant, 'consentChanged');
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
			const history = new History(tenant, 'newNotification');
			const told = () => history.items.map(({ title }) => title);
			await history.through(all, history.take);
			const [admin] = tenant.sandbox.store.users.list().records;
			const expected = tenant.sandbox.store.notifications.of(admin.id).map(({ title }) => title);
			expect([...told(), 'New device', 'Template approved'].sort()).toEqual(expected.sort());
		});
	});
}
