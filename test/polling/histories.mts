import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { FORMS } from '../engine/listForms.mts';
import type { PollingNode } from '../engine/polling.mts';
import { byId } from '../engine/tenant.mts';
import { type PolledProfile, type PolledTenant, TIMES } from './polledTenant.mts';

/** Minutes by which the clock of a tenant is set back, and by which it goes on. */
const pass = fc.integer({ min: -60_000, max: 120_000 });

/** How far a time may be ahead: not at all, by hours, and by years. */
const AHEAD = [0, 0, 0, 7_200_000, 3e11];

/** What happens in every history, and what beside that by event. */
const ALWAYS = ['pass', 'pass', 'pass', 'poll', 'poll', 'poll', 'failingPoll', 'restart'] as const;
const HAPPENS = {
	consentChanged: ['create', 'touch', 'consent', 'consent', 'consent', 'delete', 'restore'],
	joinedGroup: ['create', 'join', 'join', 'leave', 'delete', 'restore'],
	newCustomer: ['create', 'create', 'touch', 'delete', 'restore'],
	newNotification: ['notify', 'notify', 'notify', 'delete', 'restore'],
	profileChanged: ['create', 'update', 'update', 'touch', 'revert', 'consent', 'delete', 'restore'],
	tagAdded: ['create', 'join', 'join', 'leave', 'delete', 'restore'],
	templateChanged: ['newTemplate', 'decide', 'decide', 'recategorize'],
} as const;

type Event = keyof typeof HAPPENS;

const stepOf = (event: Event) =>
	fc.record({ kind: fc.constantFrom(...ALWAYS, ...HAPPENS[event]), which: fc.nat(20), ms: pass });
type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer S> ? S : never;

/** What a tenant of a history is like, and how much time n8n gives a poll. */
const world = fc.record({
	order: fc.constantFrom('kept' as const, 'ignored' as const, 'refused' as const),
	form: fc.constantFrom(...Object.values(FORMS)),
	time: fc.constantFrom(...Object.values(TIMES)),
	hasTimes: fc.boolean(),
	isHurried: fc.boolean(),
});

const [GROUP, TAG] = [3, 7];
const MEMBER = { groups: [{ id: GROUP }], tags: [{ id: TAG }] };
const NO_MEMBER = { groups: [], tags: [] };

/** What the workflow is to know of a tenant: each record that an event is about, and what is compared of it. */
type Known = Map<string, string>;

const byIds = (profiles: PolledProfile[]): Known => new Map(profiles.map(({ id }) => [String(id), '']));
const members = (profiles: PolledProfile[]) => profiles.filter(({ tags }) => (tags as unknown[]).length > 0);
const valuesOf = ({ custom_1: value, marketing_opt_in: isIn }: IDataObject) =>
	`${String(value ?? null)} ${String(isIn ?? null)}`;
const templateOf = ({ status, category }: IDataObject) => `${String(status)} ${String(category)}`;

/** By event, what there is to know, and which record an item tells of. */
const EVENTS: Record<
	string,
	[shown: (tenant: PolledTenant) => Known, toldOf: (item: IDataObject) => unknown]
> = {
	consentChanged: [
		(tenant) => new Map(tenant.consents().map((id) => [String(id), ''])),
		({ event }) => (event as IDataObject).activity_id,
	],
	joinedGroup: [({ profiles }) => byIds(members(profiles)), ({ id }) => id],
	newCustomer: [({ profiles }) => byIds(profiles), ({ id }) => id],
	newNotification: [
		({ notices }) => new Map(notices.map(({ uuid }) => [String(uuid), ''])),
		({ uuid }) => uuid,
	],
	profileChanged: [
		({ profiles }) => new Map(profiles.map((one) => [String(one.id), valuesOf(one)])),
		({ id }) => id,
	],
	tagAdded: [({ profiles }) => byIds(members(profiles)), ({ id }) => id],
	templateChanged: [
		({ templates }) => new Map(templates.map((one) => [String(one.id), templateOf(one)])),
		({ id }) => id,
	],
};

/** A tenant and its node through a history, and what the workflow has to be told. */
class History {
	private numbers = 0;

	private newest: number;

	private gone: { profiles: PolledProfile[]; notices: IDataObject[] } = { profiles: [], notices: [] };

	private known: Known | undefined;

	/** What the node knows when n8n starts again. */
	private stored: Known | undefined;

	/** Records that vanished before a poll saw them as they were: they may be told when they come back, and need not. */
	private readonly lost = new Set<string>();

	/** Profiles that were told without their old values. */
	private readonly unknown = new Set<string>();

	/** What the parts of a poll have told so far. */
	private readonly told: IDataObject[] = [];

	private readonly node: PollingNode;

	constructor(
		private readonly tenant: PolledTenant,
		private readonly event: Event,
		private readonly isHurried: boolean,
	) {
		tenant.create(8, NO_MEMBER);
		for (const [index, status] of ['APPROVED', 'PENDING', 'REJECTED'].entries())
			tenant.templates.push({ id: index + 1, name: `t${index}`, status, category: 'UTILITY' });
		tenant.pass(300);
		this.newest = tenant.now;
		this.node = tenant.node(event, { groupId: byId(GROUP), tagId: byId(TAG) });
	}

	private get shown(): Known {
		return EVENTS[this.event][0](this.tenant);
	}

	/** Whether a record that no poll has seen is told when it comes. */
	private comes(id: string): boolean {
		const { profiles, templates, choices } = this.tenant;
		const profile = profiles.find((one) => String(one.id) === id);
		if (this.event === 'profileChanged')
			return profile !== undefined && choices.time(profile.created) !== choices.time(profile.updated);
		const template = templates.find((one) => String(one.id) === id);
		return this.event !== 'templateChanged' || /APPROVED|REJECTED/.test(String(template?.status));
	}

	private check(items: IDataObject[]): void {
		const [{ known }, now] = [this, this.shown];
		const told = items.map((item) => String(EVENTS[this.event][1](item)));
		expect(new Set(told).size).toBe(told.length);
		const isNews = (id: string) => (known?.has(id) ? known.get(id) !== now.get(id) : this.comes(id));
		const must = known ? [...now.keys()].filter((id) => isNews(id) && !this.lost.has(id)) : [];
		expect(told).toEqual(expect.arrayContaining(must));
		for (const [index, id] of told.entries()) {
			const { changes } = items[index].event as { changes?: Array<{ old: unknown; new: unknown }> | null };
			// What changed was as the tenant told it last.
			for (const { old } of this.lost.has(id) ? [] : (changes ?? []))
				expect(known?.get(id)?.split(/ (?=\w+$)/)).toContain(String(old));
			if (must.includes(id) || this.lost.has(id)) continue;
			// A new time of a profile whose values were never read is told once.
			expect({ id, changes, isFirst: !this.unknown.has(id) }).toEqual({ id, changes: null, isFirst: true });
			this.unknown.add(id);
		}
		const forgets = ['joinedGroup', 'tagAdded'].includes(this.event);
		this.known = new Map([...(forgets ? [] : (known ?? [])), ...now]);
	}

	private get isPart(): boolean {
		return this.node.remembered.includes('"scan"');
	}

	private async poll(): Promise<void> {
		const before = this.node.stored;
		do this.told.push(...(await this.node.poll(this.isHurried ? { budgetMs: 0 } : {})));
		while (this.isPart);
		this.check(this.told.splice(0));
		if (this.node.stored !== before && !this.node.stored.includes('scan')) this.stored = this.known;
	}

	/** Moves the clock of the tenant, at most a minute behind where it was. */
	private move(ms: number): void {
		this.tenant.now = Math.max(this.tenant.now + ms, this.newest - 60_000);
		this.newest = Math.max(this.newest, this.tenant.now);
	}

	private vanish(id: string, value?: string): void {
		if (this.known?.get(id) !== value || value === undefined) this.lost.add(id);
	}

	readonly take = async ({ kind, which, ms }: Step): Promise<void> => {
		const { tenant, gone } = this;
		const at = <T,>(list: T[]): T | undefined => list[which % Math.max(1, list.length)];
		const [profile, template, notice] = [at(tenant.profiles), at(tenant.templates), at(tenant.notices)];
		const ahead = AHEAD[which % AHEAD.length];
		switch (kind) {
			case 'create':
				return void tenant.create(1 + (which % 3), NO_MEMBER);
			case 'update':
				return profile && tenant.change(profile, { custom_1: `value ${++this.numbers}` }, ahead);
			case 'touch':
				return profile && tenant.change(profile, {}, ahead);
			case 'revert':
				return profile && tenant.change(profile, { custom_1: null });
			case 'consent':
				// Two that take each other back are told only if they are not of one moment.
				this.move(1000);
				return void (profile && tenant.consent(profile, profile.marketing_opt_in !== 1));
			case 'delete': {
				const before = this.shown;
				if (profile) gone.profiles.push(...tenant.profiles.splice(tenant.profiles.indexOf(profile), 1));
				if (notice) gone.notices.push(...tenant.notices.splice(tenant.notices.indexOf(notice), 1));
				for (const [id, value] of before) if (!this.shown.has(id)) this.vanish(id, value);
				return;
			}
			case 'restore':
				tenant.profiles.push(...gone.profiles.splice(0, 1));
				return void tenant.notices.push(...gone.notices.splice(0, 1));
			case 'notify': {
				const created_at = tenant.choices.time(tenant.now + ahead) as string;
				return void tenant.notices.unshift({ uuid: `n-${++this.numbers}`, created_at });
			}
			case 'join':
			case 'leave':
				return void Object.assign(profile ?? {}, kind === 'join' ? MEMBER : NO_MEMBER);
			case 'newTemplate': {
				const status = which % 2 ? 'PENDING' : 'APPROVED';
				return void tenant.templates.push({ id: 100 + ++this.numbers, status, category: 'MARKETING' });
			}
			case 'decide':
				return void Object.assign(template ?? {}, { status: ['APPROVED', 'PAUSED', 'REJECTED'][which % 3] });
			case 'recategorize':
				return void Object.assign(template ?? {}, { category: which % 2 ? 'MARKETING' : 'UTILITY' });
			case 'pass':
				return this.move(ms);
			case 'poll':
				return await this.poll();
			case 'failingPoll': {
				let left = which % 6;
				const fail = async (
					_: unknown,
					reply: { code: (status: number) => { send: (body: object) => unknown } },
				) => (left-- === 0 ? await reply.code(500).send({ message: 'no' }) : undefined);
				tenant.choose({ before: fail });
				await this.poll().catch((error: Error) => expect(error.name).toBe('NodeApiError'));
				tenant.choose({ before: () => undefined });
				// What changes between the parts of a poll is another test.
				return this.isPart ? await this.poll() : undefined;
			}
			case 'restart':
				if (!this.stored || this.node.stored.includes('scan')) return;
				this.node.restart();
				this.known = this.stored;
		}
	};

	async through(steps: Step[]): Promise<void> {
		await this.poll();
		for (const one of [...steps, { kind: 'poll' as const, which: 0, ms: 0 }]) await this.take(one);
	}
}

/** What holds for any history of a tenant: each difference is told, and once. */
export function tellsEachOnce(tenant: PolledTenant, numRuns: number): void {
	it.each(Object.keys(EVENTS) as Event[])(
		'%s is told once each, through changes, failing polls, restarts and a clock that is set back',
		async (event) => {
			await fc.assert(
				fc.asyncProperty(
					fc.array(stepOf(event), { minLength: 5, maxLength: 40 }),
					world,
					async (steps, chosen) => {
						tenant.clear();
						const { form, order, time, hasTimes, isHurried } = chosen;
						tenant.choose({ form, order });
						tenant.choose({ time: hasTimes || event === 'consentChanged' ? time : () => undefined });
						await new History(tenant, event, isHurried).through(steps);
					},
				),
				{ numRuns, seed: jest.getSeed() },
			);
		},
	);
}
