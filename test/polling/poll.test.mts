import type { IDataObject } from 'n8n-workflow';

import { FORMS } from '../engine/listForms.mts';
import { ids, isoTime, LONG_PAGES, type PolledChoices, PolledTenant, TIMES } from './polledTenant.mts';

const tenant = PolledTenant.inEachTest();

const choose = (choices: Partial<PolledChoices>) => tenant.choose(choices);
const idsOf = (profiles: Array<{ id: number }>) => tenant.idsOf(profiles);

it('a tenant that sorts is asked once where nothing is new', async () => {
	tenant.create(8);
	tenant.pass();
	const node = tenant.node('profileChanged');
	await node.poll();
	tenant.pass();
	tenant.change(tenant.profiles[3]);
	await node.poll();
	tenant.pass();
	await node.poll();
	tenant.requests();
	expect(await node.poll()).toEqual([]);
	expect(tenant.requests()).toEqual(['GET /profiles?order_by=updated_at%3Adesc%2Cid%3Adesc&per_page=100']);
});

it('a tenant with one page is not asked in which order it sorts', async () => {
	choose({ form: LONG_PAGES });
	tenant.create(8);
	const node = tenant.node('profileChanged');
	await node.poll();
	await node.poll();
	const all = 'GET /profiles?per_page=100';
	expect(tenant.requests()).toEqual([all, 'GET /me', all]);
});

it('the first poll logs once that the user sees only some customers', async () => {
	const me = { id: 5, name: 'Sam Service', roles: ['agent'] };
	choose({ before: ({ url }) => (url.endsWith('/me') ? { data: me } : undefined) });
	tenant.create(8);
	const node = tenant.node('newCustomer');
	for (let polls = 0; polls < 3; polls++) await node.poll();
	expect(node.log).toEqual(['"Node": Sam Service sees only the customers attached to them.']);
	expect(tenant.requests().filter((request) => request === 'GET /me')).toHaveLength(1);
});

describe('one poll at a time', () => {
	const notify = (title: string) => ({ uuid: `uuid-${title}`, title, created_at: isoTime(tenant.now) });

	it('a second one of the same node does nothing while the first goes on; that of a copy of the workflow polls', async () => {
		let list = [notify('Old')];
		let arrived = () => {};
		let goOn = Promise.resolve();
		choose({
			before: async () => {
				arrived();
				await goOn;
				return { data: list };
			},
		});
		const [node, copy] = [tenant.node('newNotification'), tenant.node('newNotification')];
		for (const one of [node, copy]) expect(await one.poll()).toEqual([]);
		list = [notify('New'), ...list];
		let release = () => {};
		goOn = new Promise((resolve) => (release = resolve));
		const isAsked = new Promise<void>((resolve) => (arrived = resolve));
		const first = node.poll();
		await isAsked;
		tenant.requests();
		expect(await node.poll()).toEqual([]);
		expect(tenant.requests()).toEqual([]);
		expect(node.log).toContainEqual(expect.stringContaining('did not poll, because its last poll goes on'));
		const ofCopy = copy.poll();
		release();
		for (const polled of [first, ofCopy]) expect(await polled).toMatchObject([{ title: 'New' }]);
		for (const one of [node, copy]) expect(await one.poll()).toEqual([]);
	});
});

describe('what changes between two polls', () => {
	const changed = async (node: ReturnType<PolledTenant['node']>, parameters: IDataObject) =>
		ids(await node.poll({ parameters: { event: 'profileChanged', ...parameters } as never }));

	it('is the filter for tags or groups: the memory is kept, what it left out does not come later, and nothing is asked that profiles show', async () => {
		const [mira, jonas] = tenant.create(3);
		Object.assign(mira, { tags: [{ id: '7' }], groups: [{ id: 3 }] });
		Object.assign(jonas, { tags: [{ id: 9 }], groups: [] });
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		for (const filters of [{ tagIds: [7] }, { groupIds: [3] }]) {
			tenant.pass();
			for (const one of [mira, jonas]) tenant.change(one);
			expect(await changed(node, { filters })).toEqual(idsOf([mira]));
			expect(await changed(node, {})).toEqual([]);
		}
		tenant.pass();
		for (const one of [mira, jonas]) tenant.change(one);
		expect(await changed(node, { filters: { tagIds: '={{ "8, 9" }}' } })).toEqual(idsOf([jonas]));
		expect(tenant.requests().filter((request) => /tags|groups/.test(request))).toEqual([]);
	});
});

describe('filters for tags and groups', () => {
	const LISTS: Record<string, object[]> = {
		'/tags': [
			{ id: 7, title: 'VIP' },
			{ id: 8, title: 'Prospect' },
		],
		'/groups': [{ id: 3, name: 'Berlin' }],
	};
	const answer = () =>
		choose({
			before: ({ url }) => {
				const list = Object.entries(LISTS).find(([path]) => new RegExp(`${path}(\\?|$)`).test(url));
				return list && !url.includes('/profiles') ? { data: list[1] } : undefined;
			},
		});

	it.each<[IDataObject]>([
		[{ tagIds: '={{ "vip" }}' }],
		[{ tagIds: '={{ ["Prospect", 7] }}' }],
		[{ groupIds: '={{ "Berlin" }}' }],
	])('take names that an expression gives: %j', async (filters) => {
		answer();
		const [mira, jonas] = tenant.create(2);
		Object.assign(mira, { tags: [{ id: 7 }], groups: [{ id: 3 }] });
		Object.assign(jonas, { tags: [{ id: 9 }], groups: [] });
		tenant.pass();
		const node = tenant.node('profileChanged', { filters } as never);
		await node.poll();
		tenant.pass();
		for (const one of [mira, jonas]) tenant.change(one);
		expect(ids(await node.poll())).toEqual(idsOf([mira]));
	});

	it('fail the poll with a name that no tag has, and name the filter', async () => {
		answer();
		tenant.create(1);
		const node = tenant.node('profileChanged', { filters: { tagIds: '={{ "VIPs" }}' } } as never);
		await expect(node.poll()).rejects.toMatchObject({
			message: 'Tag Names or IDs "VIPs" is neither an ID nor a name in your account',
		});
	});
});

describe('records that vanish', () => {
	it.each<[string, object, string]>([
		['consentChanged', {}, 'activities'],
		['profileChanged', { filters: { tagIds: [1] } }, 'tags'],
		['newCustomer', { filters: { groupIds: [1] } }, 'groups'],
	])('after the list was read hold up nobody else: %s %j', async (event, parameters, what) => {
		const [mira, jonas] = tenant.create(5, { tags: undefined, groups: undefined });
		tenant.pass();
		const node = tenant.node(event, parameters as IDataObject as never);
		await node.poll();
		tenant.pass();
		const gone = event === 'newCustomer' ? tenant.create(1)[0] : mira;
		const there = event === 'newCustomer' ? tenant.create(1)[0] : jonas;
		for (const one of [gone, there])
			if (event === 'consentChanged') tenant.consent(one, true);
			else tenant.change(one);
		choose({
			more: () => ({ tags: undefined, groups: undefined }),
			before: async ({ url }, reply) => {
				if (!url.includes(`/${what}`) && !url.includes('marketing-opt-in')) return undefined;
				if (url.includes(`/profiles/${gone.id}/`)) return await reply.code(404).send({ message: 'Nobody' });
				return what === 'activities' ? undefined : { data: [{ id: 1 }] };
			},
		});
		expect(ids(await node.poll())).toEqual(idsOf([there]));
		expect(await node.poll()).toEqual([]);
		expect(node.log).toEqual([`"Node" left out profile ${gone.id}: The record does not exist`]);
	});
});

it.each([401, 403, 422, 500])(
	'a poll that fails with %i keeps the token out of its error',
	async (status) => {
		const { accessToken } = tenant.odd.credentials;
		choose({
			before: async ({ headers }, reply) =>
				await reply.code(status).send({ message: `No ${headers.authorization}` }),
		});
		const node = tenant.node('newCustomer');
		const error: unknown = await node.poll().catch((reason: unknown) => reason);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: String(status) });
		const { message, description } = error as Error & { description: string };
		expect([message, description, JSON.stringify(error), node.log, node.stored].join()).not.toContain(
			accessToken,
		);
	},
);

describe('what is remembered', () => {
	it.each(['{"node":1}', '{"polling":"x"}', '{"polling":"{}"}', '{"polling":5}'])(
		'that is %s is begun anew',
		async (stored) => {
			tenant.create(5);
			tenant.pass();
			const node = tenant.node('newCustomer');
			node.stored = stored;
			await node.poll();
			tenant.pass();
			const news = tenant.create(1);
			expect(ids(await node.poll())).toEqual(idsOf(news));
			expect(await node.poll()).toEqual([]);
		},
	);

	it.each([
		['emial', 'emial'],
		['email, custom_9', 'custom_9'],
	])('tells of a field that no profile has, at once: %s', async (fields, unknown) => {
		tenant.create(2);
		const node = tenant.node('profileChanged', { fields });
		for (const poll of [async () => await node.poll(), async () => await node.fetchTestEvent()])
			await expect(poll()).rejects.toMatchObject({
				message: `Fields contains "${unknown}", which no profile has`,
				description: expect.stringContaining(
					'Correct or remove it. Profiles have these fields: name,',
				) as string,
			});
	});

	it('is begun anew with another event or other fields, and kept with another token', async () => {
		const [mira] = tenant.create(5);
		tenant.pass();
		const node = tenant.node('profileChanged', { fields: 'email' });
		await node.poll();
		tenant.pass();
		tenant.change(mira, { custom_1: 'x', email: 'x@mail.example' });
		expect(await node.poll({ parameters: { event: 'profileChanged', fields: 'custom_1' } })).toEqual([]);
		tenant.pass();
		tenant.change(mira, { custom_1: 'y' });
		const credentials = { ...tenant.odd.credentials, accessToken: 'another' };
		const parameters = { event: 'profileChanged', fields: 'custom_1' };
		expect(await node.poll({ parameters, credentials })).toMatchObject([
			{ id: mira.id, event: { changes: [{ field: 'custom_1', old: 'x', new: 'y' }] } },
		]);
		tenant.create(1);
		expect(await node.poll({ parameters: { event: 'newCustomer' } })).toEqual([]);
	});
});

describe('what comes out', () => {
	it('tells only what changed, and not the time of change', async () => {
		const [mira] = tenant.create(3, { tags: [{ id: 1, title: 'VIP' }], nested: { b: 1, a: [2] } });
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		tenant.pass();
		tenant.change(mira, { nested: { a: [2], b: 1 }, email: 'a@mail.example', name: null });
		const [item] = await node.poll();
		const { changes } = item.event as { changes: Array<{ field: string; old: unknown; new: unknown }> };
		expect(changes.map(({ field }) => field).sort()).toEqual(['email', 'name']);
	});

	it('a list in which no record has an ID cannot be read', async () => {
		tenant.create(3);
		choose({ id: () => null });
		for (const event of ['profileChanged', 'newCustomer']) {
			const node = tenant.node(event);
			for (const ask of [async () => await node.poll(), async () => await node.fetchTestEvent()])
				await expect(ask()).rejects.toMatchObject({
					name: 'NodeApiError',
					message: 'The service answered with a list that cannot be read (HTTP 200)',
				});
			expect(node.stored).toBe('{}');
		}
	});
});

describe('consent', () => {
	/** What becomes of the activities of everybody. */
	const activitiesAnswer = (answer: number | unknown[] | undefined, consent?: number) =>
		choose({
			before: async ({ url }, reply) => {
				const own = url.includes('/activities') ? answer : undefined;
				const status = url.includes('/marketing-opt-in') ? consent : own;
				if (typeof status === 'number') return await reply.code(status).send({ message: 'no' });
				return own && { data: own };
			},
		});

	it.each([403, 404, 501, 'without times'] as const)(
		'is told from itself where activities are %j',
		async (answer) => {
			if (answer === 'without times') choose({ activities: answer });
			else activitiesAnswer(answer);
			const [mira, jonas] = tenant.create(3);
			tenant.consent(mira, true);
			tenant.pass();
			const node = tenant.node('consentChanged');
			expect(await node.poll()).toEqual([]);
			tenant.pass();
			tenant.consent(mira, false);
			tenant.pass(5);
			tenant.consent(mira, true);
			tenant.change(jonas);
			const told = await node.poll();
			expect(told.map(({ id, event }) => [id, (event as IDataObject).is_opted_in])).toEqual([
				[mira.id, false],
				[mira.id, true],
			]);
			expect(await node.poll()).toEqual([]);
			node.restart();
			tenant.pass(20);
			tenant.change(mira);
			expect(await node.poll()).toEqual([]);
			tenant.pass();
			tenant.consent(mira, false);
			expect(await node.poll()).toMatchObject([{ id: mira.id, event: { is_opted_in: false } }]);
			expect(node.log).toEqual([]);
		},
	);

	it('fails the poll where it is refused like the activities, and only the log tells where both are missing', async () => {
		const [mira] = tenant.create(3);
		tenant.pass();
		const node = tenant.node('consentChanged');
		await node.poll();
		tenant.pass();
		tenant.change(mira);
		activitiesAnswer(403, 403);
		await expect(node.poll()).rejects.toThrow();
		activitiesAnswer(429);
		await expect(node.poll()).rejects.toThrow();
		activitiesAnswer([], 403);
		expect(await node.poll()).toEqual([]);
		tenant.pass();
		tenant.change(mira);
		expect(node.log).toEqual([]);
		activitiesAnswer(404, 404);
		expect(await node.poll()).toEqual([]);
		expect(node.log).toEqual([`"Node" left out profile ${mira.id}: The record does not exist`]);
	});
});

describe('records without the time of the others', () => {
	it('are told with their old values once they are changed', async () => {
		choose({ more: ({ created, updated }) => (created === updated ? { updated_at: null } : {}) });
		const [mira, jonas] = tenant.create(5);
		tenant.change(mira);
		tenant.pass();
		const node = tenant.node('profileChanged');
		expect(await node.poll()).toEqual([]);
		tenant.pass();
		tenant.change(jonas, { custom_1: 'new' });
		tenant.create(1);
		expect(await node.poll()).toMatchObject([
			{ id: jonas.id, event: { changes: [{ field: 'custom_1', old: null, new: 'new' }] } },
		]);
		expect(await node.poll()).toEqual([]);
	});
});

it('a change that is shown half a minute late is told, although a whole page of newer ones stands before it', async () => {
	choose({ form: LONG_PAGES });
	tenant.create(300);
	tenant.pass();
	const node = tenant.node('profileChanged');
	await node.poll();
	tenant.pass();
	const changed = tenant.profiles.slice(0, 150);
	for (const profile of changed) tenant.change(profile);
	expect(ids(await node.poll())).toEqual(idsOf(changed));
	const late = tenant.profiles[200];
	tenant.change(late, { custom_1: 'late' }, -30_000);
	expect(ids(await node.poll())).toEqual(idsOf([late]));
	expect(await node.poll()).toEqual([]);
});

describe('records that are ahead of the others', () => {
	it.each(['kept', 'ignored'] as const)(
		'hide no later customers: 49 very high IDs, with order_by %s',
		async (order) => {
			choose({ order, form: LONG_PAGES });
			tenant.create(120);
			tenant.pass();
			const node = tenant.node('newCustomer');
			await node.poll();
			for (let high = 0; high < 49; high++) {
				const [profile] = tenant.create();
				profile.id = 10 ** 9 + high;
				if (high % 10 === 0) expect(await node.poll()).not.toEqual([]);
			}
			await node.poll();
			for (let round = 0; round < 3; round++) {
				expect(await node.poll()).toEqual([]);
				const news = tenant.create(2);
				expect(ids(await node.poll())).toEqual(idsOf(news));
				node.restart();
			}
		},
	);

	it('with times of a tenant that is ahead of UTC, without a zone, hide none', async () => {
		const HOURS_AHEAD = 2 * 3600 * 1000;
		choose({ form: LONG_PAGES, time: (ms) => TIMES['no zone'](ms + HOURS_AHEAD) });
		tenant.create(400);
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		for (let round = 0; round < 4; round++) {
			tenant.pass(4000);
			const changed = tenant.profiles.slice(round * 60, round * 60 + 60);
			for (const profile of changed) tenant.change(profile);
			expect(ids(await node.poll())).toEqual(idsOf(changed));
			tenant.requests();
			expect(await node.poll()).toEqual([]);
			// Those of the last two hours are read again.
			expect(tenant.requests().length).toBeLessThanOrEqual(4);
		}
	});
});

describe('a poll that n8n would give up', () => {
	const hurried = { budgetMs: 0 };

	it.each(['kept', 'ignored'] as const)(
		'ends after a page, and the next ones tell the rest once, with order_by %s',
		async (order) => {
			choose({ order });
			const all = tenant.create(12);
			tenant.pass();
			const node = tenant.node('profileChanged');
			await node.poll();
			tenant.pass();
			for (const profile of all) tenant.change(profile);
			const told: unknown[] = [];
			for (let poll = 0; poll < 4; poll++) {
				tenant.requests();
				const items = await node.poll(hurried);
				told.push(...items.map(({ id }) => id));
				expect(items).toHaveLength(3);
				// From the second one on, it reads the last page again.
				expect(tenant.requests()).toHaveLength(poll === 0 ? 1 : 2);
				node.restart();
			}
			expect(told.sort()).toEqual(all.map(({ id }) => id).sort());
			expect(await node.poll()).toEqual([]);
		},
	);

	it.each(['newCustomer', 'profileChanged', 'consentChanged'])(
		'of %s tells what happens between its parts once',
		async (event) => {
			const all = tenant.create(12);
			tenant.pass();
			const node = tenant.node(event);
			await node.poll();
			tenant.pass();
			const told: unknown[] = [];
			const expected: unknown[] = [];
			for (let round = 0; round < 30; round++) {
				tenant.pass(round % 3);
				if (round < 20) {
					const [profile] = event === 'newCustomer' ? tenant.create() : all.slice(round % 12);
					if (event === 'profileChanged') tenant.change(profile, { custom_1: `round ${round}` });
					if (event === 'consentChanged') tenant.consent(profile, round < 12);
					if (event === 'newCustomer') expected.push(profile.id);
				}
				if (round === 15) tenant.delete(all[11]);
				for (const { id, custom_1, event: own } of await node.poll(round < 28 ? hurried : {})) {
					const { activity_id } = own as IDataObject;
					told.push(event === 'newCustomer' ? id : (activity_id ?? custom_1));
				}
			}
			expect(new Set(told).size).toBe(told.length);
			if (event === 'newCustomer') expect(told.sort()).toEqual(expected.sort());
			if (event === 'consentChanged') expect(told).toEqual(expect.arrayContaining(tenant.consents()));
			if (event !== 'profileChanged') return;
			const last = tenant.profiles.map(({ custom_1 }) => custom_1).filter(Boolean);
			expect(told).toEqual(expect.arrayContaining(last));
		},
	);

	it.each(['links.next', 'links.next, and numbers in meta'])(
		'begins anew where so many were deleted that its page is another, in a list with %s',
		async (form) => {
			choose({ order: 'ignored', form: FORMS[form] });
			const all = tenant.create(12);
			tenant.pass();
			const node = tenant.node('profileChanged');
			await node.poll();
			const changed = [...tenant.create(3), ...all.slice(6)];
			for (const profile of changed) {
				tenant.pass();
				tenant.change(profile);
			}
			tenant.profiles.splice(6, 0, ...tenant.profiles.splice(12));
			for (let poll = 0; poll < 2; poll++) expect(await node.poll(hurried)).toEqual([]);
			for (const profile of all.slice(0, 6)) tenant.delete(profile);
			const told: IDataObject[] = [];
			for (let poll = 0; poll < 4; poll++) told.push(...(await node.poll(hurried)));
			expect(ids(told)).toEqual(idsOf(changed));
		},
	);
});
