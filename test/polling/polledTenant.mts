import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { OddTenant } from '../engine/oddTenant.mts';
import { PollingNode } from '../engine/polling.mts';
import { asked, type Form, FORMS } from '../engine/listForms.mts';

export interface PolledProfile extends IDataObject {
	id: number;
	created: number;
	updated: number;
}

interface Activity {
	id: number;
	type: string;
	at: number;
}

const START = Date.parse('2031-05-06T07:08:09Z');

/** How a tenant shows what the interface leaves open. */
export interface PolledChoices {
	form: Form;
	/** What becomes of `order_by`. */
	order: 'kept' | 'first field' | 'ignored' | 'refused';
	time: (ms: number) => unknown;
	id: (id: number) => unknown;
	/** Members that a profile is shown with beside its own. */
	more: (profile: PolledProfile) => object;
	/** Comes before every answer; an answer of its own goes out instead. */
	before: (request: FastifyRequest, reply: FastifyReply) => unknown;
	/** Order of the activities of a profile. */
	activities: 'newest first' | 'oldest first' | 'without times';
}

export const isoTime = (ms: number) => new Date(ms).toISOString();
/** How tenants write times. */
export const TIMES = {
	milliseconds: isoTime,
	seconds: (ms) => `${isoTime(ms).slice(0, 19)}Z`,
	microseconds: (ms) => `${isoTime(ms).slice(0, 23)}000Z`,
	'an offset': (ms) => `${isoTime(ms + 7_200_000).slice(0, 19)}+02:00`,
	'no zone': (ms) => isoTime(ms).slice(0, 19).replace('T', ' '),
} satisfies Record<string, (ms: number) => unknown>;

/** The IDs of items, sorted. */
export const ids = (items: IDataObject[]) => items.map(({ id }) => String(id)).sort();

/** Long pages, with a link to the next one. */
export const LONG_PAGES: Form = ({ records, query, self }) => {
	const page = Number(query.get('page') ?? 1);
	const next = new URLSearchParams([...query].filter(([name]) => name !== 'page'));
	next.set('page', String(page + 1));
	const data = records.slice((page - 1) * 100, page * 100);
	return { body: { data, links: { next: page * 100 < records.length ? `${self}?${next}` : null } } };
};

const PLAIN: PolledChoices = {
	form: FORMS['links.next, and numbers in meta'],
	order: 'kept',
	time: (ms) => new Date(ms).toISOString(),
	id: (id) => id,
	more: () => ({}),
	before: () => undefined,
	activities: 'newest first',
};

/** A tenant of some profiles whose answers a test chooses. */
export class PolledTenant {
	profiles: PolledProfile[] = [];

	/** The notifications of the token's user, and the templates. */
	notices: IDataObject[] = [];

	templates: IDataObject[] = [];

	choices: PolledChoices = PLAIN;

	now = START;

	private readonly activities = new Map<number, Activity[]>();

	private ids = 0;

	private constructor(readonly odd: OddTenant) {}

	/** Method and path of the requests since the last call. */
	requests(): string[] {
		return this.odd.asked.splice(0).map((request) => request.replace('/third-party/v1', ''));
	}

	node(event: string, parameters: INodeParameters = {}): PollingNode {
		const credentials = { ...this.odd.credentials, advanced: { settings: { maximumTries: 1 } } };
		return new PollingNode({ parameters: { event, ...parameters }, credentials });
	}

	choose(choices: Partial<PolledChoices>): void {
		this.choices = { ...this.choices, ...choices };
	}

	/** The IDs as the tenant writes them, sorted. */
	idsOf(profiles: Array<{ id: number }>): string[] {
		return profiles.map(({ id }) => String(this.choices.id(id))).sort();
	}

	pass(seconds = 120): void {
		this.now += seconds * 1000;
	}

	create(count = 1, fields: IDataObject = {}): PolledProfile[] {
		const created = Array.from({ length: count }, () => {
			const id = ++this.ids;
			return { id, name: `Name ${id}`, custom_1: null, ...fields, created: this.now, updated: this.now };
		});
		this.profiles.push(...created);
		return created;
	}

	change(profile: PolledProfile, fields: IDataObject = { custom_1: `value ${++this.ids}` }, ahead = 0): void {
		Object.assign(profile, fields, { updated: this.now + ahead });
	}

	/** The IDs of the changes of consent of those who are there. */
	consents(): number[] {
		const own = this.profiles.flatMap(({ id }) => this.activities.get(id) ?? []);
		return own.flatMap(({ id, type }) => (type.startsWith('marketing') ? id : []));
	}

	consent(profile: PolledProfile, optIn: boolean): number {
		const id = ++this.ids;
		const type = optIn ? 'marketing_opt_in' : 'marketing_opt_out';
		const own = this.activities.get(profile.id) ?? [];
		this.activities.set(profile.id, [...own, { id, type, at: this.now }]);
		this.change(profile, { marketing_opt_in: optIn ? 1 : 0 });
		return id;
	}

	/** Makes it a tenant that nobody has used. */
	clear(): void {
		Object.assign(this, { profiles: [], notices: [], templates: [], choices: PLAIN, now: START, ids: 0 });
		this.activities.clear();
	}

	delete(profile: PolledProfile): void {
		this.profiles = this.profiles.filter((one) => one !== profile);
	}

	static inEachTest(): PolledTenant {
		const tenant = new PolledTenant(OddTenant.inEachTest());
		beforeEach(() => {
			tenant.clear();
			jest.spyOn(Date, 'now').mockImplementation(() => tenant.now);
			tenant.odd.answer(async (request, reply) => {
				void reply.header('date', new Date(tenant.now).toUTCString());
				const given = await tenant.choices.before(request, reply);
				return given ?? (await tenant.answer(request, reply));
			});
		});
		afterEach(() => jest.restoreAllMocks());
		return tenant;
	}

	private async answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
		const [path, query] = request.url.slice('/third-party/v1'.length).split('?');
		const [, set, of] = /^\/(groups|tags)\/(\d+)/.exec(path) ?? [];
		const isIn = ({ groups }: IDataObject) => (groups as IDataObject[]).some(({ id }) => String(id) === of);
		if (path === '/profiles') return await this.list(request, reply, new URLSearchParams(query));
		if (path === '/me/notifications') return { data: this.notices };
		if (path === '/templates') return await this.send(request, reply, this.templates);
		if (set === 'groups') return { data: this.profiles.filter(isIn) };
		if (set === 'tags') return { data: { id: Number(of), title: 'VIP' } };
		const [, shown, what] = /^\/profiles\/([^/]+)\/?([\w-]*)/.exec(path) ?? [];
		const profile = this.profiles.find(({ id }) => String(this.choices.id(id)) === shown);
		if (!profile) return await reply.code(404).send({ message: 'Nobody' });
		if (what === '') return { data: { ...profile, id: this.choices.id(profile.id) } };
		const own = this.activities.get(profile.id) ?? [];
		if (what === 'activities') return await this.listActivities(request, reply, own);
		if (what === 'marketing-opt-in') {
			const last = (type: string) => {
				const found = own.filter((one) => one.type === type).at(-1);
				return found ? new Date(found.at).toISOString() : null;
			};
			const [latest_opt_in_at, latest_opt_out_at] = [last('marketing_opt_in'), last('marketing_opt_out')];
			return {
				data: { id: 1, is_opted_in: profile.marketing_opt_in === 1, latest_opt_in_at, latest_opt_out_at },
			};
		}
		return { data: profile[what] ?? [] };
	}

	private async send(request: FastifyRequest, reply: FastifyReply, records: object[]): Promise<unknown> {
		const { body, headers = {} } = this.choices.form(
			asked(request, records as Array<Record<string, unknown>>),
		);
		return await reply.headers(headers).type('application/json').send(JSON.stringify(body));
	}

	private async listActivities(
		request: FastifyRequest,
		reply: FastifyReply,
		own: Activity[],
	): Promise<unknown> {
		const { activities, time } = this.choices;
		const ordered = activities === 'newest first' ? [...own].reverse() : own;
		return await this.send(
			request,
			reply,
			ordered.map(({ at, ...one }) =>
				activities === 'without times' ? one : { ...one, created_at: time(at) },
			),
		);
	}

	private async list(request: FastifyRequest, reply: FastifyReply, query: URLSearchParams): Promise<unknown> {
		const { order, time, id, more } = this.choices;
		const by = query.get('order_by');
		if (by && order === 'refused') return await reply.code(422).send({ message: 'order_by' });
		const fields = by && order !== 'ignored' ? by.split(',').map((part) => part.trim().split(':')) : [];
		const sorted = [...this.profiles].sort((a, b) => {
			for (const [name, direction] of order === 'first field' ? fields.slice(0, 1) : fields) {
				const member = { created_at: 'created', updated_at: 'updated' }[name] ?? name;
				const [x, y] = [a[member] as number, b[member] as number];
				if (x !== y) return x < y === (direction === 'asc') ? -1 : 1;
			}
			return 0;
		});
		return await this.send(
			request,
			reply,
			sorted.map((profile) => {
				const { created, updated, ...own } = profile;
				const times = { created_at: time(created), updated_at: time(updated) };
				return { ...own, ...times, ...more(profile), id: id(profile.id) };
			}),
		);
	}
}
