import type { IDataObject } from 'n8n-workflow';

import { FORMS } from './forms.mts';
import { LONG_PAGES, type PolledChoices, PolledTenant } from './polledTenant.mts';

const tenant = PolledTenant.inEachTest();

const choose = (choices: Partial<PolledChoices>) =>
	Object.assign(tenant, { choices: { ...tenant.choices, ...choices } });

const ids = (items: IDataObject[]) => items.map(({ id }) => String(id)).sort();
const idsOf = (profiles: Array<{ id: number }>) =>
	profiles.map(({ id }) => String(tenant.choices.id(id))).sort();

/** Polls; a failure that says what is wrong is an answer too. */
const polled = async (node: ReturnType<PolledTenant['node']>) =>
	await node.poll().catch((error: Error) => {
		expect(error.message).toEqual(expect.any(String));
		return undefined;
	});

const MAX_STATE = 64 * 1024;

/** Forms without a list under `data`, which the interface rules out. */
const OTHER_PLACES = ['DRF results', 'Spring content', 'OData value', 'HAL embedded', 'data within data'];
const FORM_NAMES = Object.keys(FORMS).filter((name) => !OTHER_PLACES.includes(name));

describe.each(FORM_NAMES)('a tenant whose lists are as of %s', (name) => {
	it.each(
		(['newCustomer', 'profileChanged'] as const).flatMap((event) =>
			(['kept', 'ignored'] as const).map((order) => [event, order] as const),
		),
	)('%s, with order_by %s, is told once each, or the poll fails', async (event, order) => {
		choose({ form: FORMS[name], order });
		const before = tenant.create(8);
		tenant.pass();
		const node = tenant.node(event);
		if ((await polled(node)) === undefined) return;
		tenant.pass();
		const expected = event === 'newCustomer' ? tenant.create(4) : before.slice(1, 6);
		if (event === 'profileChanged') for (const profile of expected) tenant.change(profile);
		const items = await polled(node);
		if (items === undefined) return;
		expect(ids(items)).toEqual(idsOf(expected));
		expect(await node.poll()).toEqual([]);
		node.restart();
		expect(await node.poll()).toEqual([]);
	});

	it('is asked once where nothing is new and it sorts', async () => {
		choose({ form: FORMS[name] });
		tenant.create(8);
		tenant.pass();
		const node = tenant.node('profileChanged');
		if ((await polled(node)) === undefined) return;
		tenant.pass();
		tenant.change(tenant.profiles[3]);
		if ((await polled(node)) === undefined) return;
		tenant.pass();
		await node.poll();
		tenant.requests();
		expect(await node.poll()).toEqual([]);
		expect(tenant.requests()).toHaveLength(1);
	});
});

const pad = (ms: number) => new Date(ms).toISOString();
const TIMES: Record<string, (ms: number) => unknown> = {
	seconds: (ms) => `${pad(ms).slice(0, 19)}Z`,
	microseconds: (ms) => `${pad(ms).slice(0, 23)}000Z`,
	'an offset': (ms) => `${pad(ms + 7_200_000).slice(0, 19)}+02:00`,
	'an offset that changes': (ms) =>
		(ms / 1000) % 2 === 0 ? `${pad(ms).slice(0, 19)}+00:00` : `${pad(ms + 7_200_000).slice(0, 19)}+02:00`,
	'no zone': (ms) => pad(ms).slice(0, 19).replace('T', ' '),
	'Unix seconds': (ms) => Math.floor(ms / 1000),
	'Unix milliseconds': (ms) => ms,
	'Unix seconds as text': (ms) => String(Math.floor(ms / 1000)),
	'RFC 2822': (ms) => new Date(ms).toUTCString(),
	'an object': (ms) => ({ date: pad(ms).slice(0, 19).replace('T', ' '), timezone: 'UTC' }),
	null: () => null,
	nothing: () => undefined,
	'an empty text': () => '',
	zeros: () => '0000-00-00 00:00:00',
};

describe.each(Object.entries(TIMES))('a tenant that writes times as %s', (_name, time) => {
	it.each(['kept', 'ignored', 'refused'] as const)(
		'with order_by %s, tells changes and newcomers once',
		async (order) => {
			choose({ time, order });
			const before = tenant.create(7);
			tenant.pass();
			const [changed, created] = [tenant.node('profileChanged'), tenant.node('newCustomer')];
			await changed.poll();
			await created.poll();
			for (const round of [1, 2, 3]) {
				tenant.pass(round === 2 ? 1 : 61);
				const news = tenant.create(2);
				tenant.pass(1);
				tenant.change(before[round]);
				tenant.change(before[0]);
				const items = await changed.poll();
				const told = ids(items).filter((id) => !idsOf(news).includes(id));
				expect(told).toEqual(idsOf([before[0], before[round]]));
				expect(ids(await created.poll())).toEqual(idsOf(news));
				expect(await changed.poll()).toEqual([]);
				if (round === 2) for (const node of [changed, created]) node.restart();
				expect(await created.poll()).toEqual([]);
			}
		},
	);

	it('tells a change in the same second as the poll before', async () => {
		choose({ time });
		const [mira, jonas] = tenant.create(5);
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		tenant.pass();
		tenant.change(mira, { custom_1: 'one' });
		expect(await node.poll()).toMatchObject([{ custom_1: 'one' }]);
		tenant.change(mira, { custom_1: 'two' });
		tenant.change(jonas, { custom_1: 'other' });
		expect((await node.poll()).map(({ custom_1 }) => custom_1).sort()).toEqual(['other', 'two']);
		expect(await node.poll()).toEqual([]);
	});

	it('tells consent once each', async () => {
		choose({ time });
		const [mira, jonas] = tenant.create(5);
		tenant.consent(mira, true);
		tenant.pass();
		const node = tenant.node('consentChanged');
		await node.poll();
		tenant.pass();
		tenant.consent(mira, false);
		tenant.pass(1);
		tenant.consent(jonas, true);
		const told = (items: IDataObject[]) =>
			items.map(({ id, event }) => [id, (event as IDataObject).is_opted_in]).sort();
		expect(told(await node.poll())).toEqual([
			[mira.id, false],
			[jonas.id, true],
		]);
		expect(await node.poll()).toEqual([]);
		tenant.pass(1);
		tenant.consent(mira, true);
		expect(told(await node.poll())).toEqual([[mira.id, true]]);
		node.restart();
		tenant.pass();
		tenant.change(mira, { custom_1: 'no consent' });
		expect(await node.poll()).toEqual([]);
	});
});

const IDS: Record<string, (id: number) => unknown> = {
	text: String,
	'text of 19 digits': (id) => `90071992547409${String(id).padStart(5, '0')}`,
	'text with leading zeros': (id) => String(id).padStart(8, '0'),
	UUIDs: (id) =>
		`${((id * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
};

describe.each(Object.entries(IDS))('IDs that are %s', (_name, id) => {
	it.each([
		['kept', TIMES.seconds],
		['ignored', TIMES.seconds],
		['ignored', TIMES.nothing],
		['kept', TIMES.nothing],
	] as const)('with order_by %s, are told once each', async (order, time) => {
		choose({ id, order, time });
		const before = tenant.create(8);
		tenant.pass();
		const [changed, created] = [tenant.node('profileChanged'), tenant.node('newCustomer')];
		await changed.poll();
		if ((await polled(created)) === undefined) return;
		for (let round = 0; round < 3; round++) {
			tenant.pass();
			const news = tenant.create(3);
			tenant.pass(2);
			tenant.change(before[round]);
			const told = ids(await changed.poll()).filter((one) => !idsOf(news).includes(one));
			expect(told).toEqual(idsOf([before[round]]));
			expect(ids(await created.poll())).toEqual(idsOf(news));
			expect(await created.poll()).toEqual([]);
			created.restart();
			changed.restart();
		}
	});
});

describe('records that vanish', () => {
	it.each(['newCustomer', 'profileChanged'])(
		'between two polls of %s are no news, and hold nothing up',
		async (event) => {
			const before = tenant.create(7);
			tenant.pass();
			const node = tenant.node(event);
			await node.poll();
			for (let round = 0; round < 3; round++) {
				const newest = tenant.profiles.at(-1);
				if (newest) tenant.delete(newest);
				expect(await node.poll()).toEqual([]);
				tenant.pass();
				const expected = event === 'newCustomer' ? tenant.create(1) : [before[round]];
				if (event === 'profileChanged') tenant.change(before[round]);
				expect(ids(await node.poll())).toEqual(idsOf(expected));
			}
		},
	);

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
	});
});

describe('a poll that fails in the middle', () => {
	it.each([
		['consentChanged', 'activities'],
		['profileChanged', 'page=2'],
		['newCustomer', 'page=2'],
	])('of %s tells nothing, and the next one tells all, once', async (event, where) => {
		const before = tenant.create(7);
		tenant.pass();
		const node = tenant.node(event);
		await node.poll();
		tenant.pass();
		const expected = event === 'newCustomer' ? tenant.create(5) : before.slice(0, 5);
		for (const profile of expected) {
			tenant.pass(1);
			if (event === 'consentChanged') tenant.consent(profile, true);
			if (event === 'profileChanged') tenant.change(profile);
		}
		let seen = 0;
		const failing: PolledChoices['before'] = async ({ url }, reply) =>
			url.includes(where) && ++seen > (where === 'activities' ? 2 : 0)
				? await reply.code(500).send({ message: 'no' })
				: undefined;
		choose({ before: failing });
		const stored = node.stored;
		await expect(node.poll()).rejects.toThrow();
		expect(node.stored).toBe(stored);
		await expect(node.poll()).rejects.toThrow();
		choose({ before: () => undefined });
		expect(ids(await node.poll())).toEqual(idsOf(expected));
		expect(await node.poll()).toEqual([]);
	});

	it.each(['newCustomer', 'profileChanged', 'consentChanged'])(
		'as the first one of %s is none',
		async (event) => {
			tenant.create(7);
			tenant.pass();
			const node = tenant.node(event);
			choose({ before: async (_request, reply) => await reply.code(503).send({ message: 'no' }) });
			await expect(node.poll()).rejects.toThrow();
			choose({ before: () => undefined });
			node.restart();
			expect(await node.poll()).toEqual([]);
			tenant.pass();
			tenant.consent(tenant.profiles[0], true);
			expect(await node.poll()).toHaveLength(event === 'newCustomer' ? 0 : 1);
		},
	);

	it.each([401, 403, 422, 500])('with %i keeps the token out of its error', async (status) => {
		const { accessToken } = tenant.odd.credentials;
		choose({
			before: async ({ headers }, reply) =>
				await reply.code(status).send({ message: `No ${headers.authorization}` }),
		});
		const node = tenant.node('newCustomer');
		const error = await node.poll().then(
			() => undefined,
			(reason: Error & { description?: string }) => reason,
		);
		expect(error).toBeDefined();
		const told = `${error?.message} ${error?.description} ${JSON.stringify(error)} ${node.log.join()} ${node.stored}`;
		expect(told).not.toContain(accessToken);
	});
});

describe('the clock of the tenant', () => {
	it.each(['1999-12-31T23:59:00Z', '2099-01-01T00:00:00Z', '1970-01-01T00:00:10Z'])(
		'may stand at %s',
		async (time) => {
			tenant.now = Date.parse(time);
			const before = tenant.create(7);
			tenant.pass();
			const [changed, created, consent] = ['profileChanged', 'newCustomer', 'consentChanged'].map((event) =>
				tenant.node(event),
			);
			for (const node of [changed, created, consent]) expect(await node.poll()).toEqual([]);
			tenant.pass(1);
			tenant.consent(before[0], true);
			const news = tenant.create(2);
			expect(ids(await changed.poll())).toEqual(idsOf([before[0]]));
			expect(ids(await consent.poll())).toEqual(idsOf([before[0]]));
			expect(ids(await created.poll())).toEqual(idsOf(news));
			for (const node of [changed, created, consent]) expect(await node.poll()).toEqual([]);
		},
	);

	it('may be set back by half a minute', async () => {
		const before = tenant.create(7);
		tenant.pass();
		const nodes = ['profileChanged', 'newCustomer', 'consentChanged'].map((event) => tenant.node(event));
		for (const node of nodes) await node.poll();
		tenant.pass();
		tenant.consent(before[0], true);
		tenant.create(1);
		for (const node of nodes) expect(await node.poll()).toHaveLength(1);
		tenant.pass(-30);
		tenant.consent(before[1], true);
		tenant.create(1);
		for (const node of nodes) expect(await node.poll()).toHaveLength(1);
		for (const node of nodes) expect(await node.poll()).toEqual([]);
	});
});

describe('what is remembered', () => {
	it('stays small with large values of 500 profiles of one moment, whose IDs are long', async () => {
		choose({ id: IDS['text of 19 digits'], form: LONG_PAGES });
		const all = tenant.create(500);
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		for (const profile of all)
			tenant.change(profile, { address: 'ä'.repeat(5000), notes: { deep: [profile.id] } });
		const items = await node.poll();
		expect(ids(items)).toEqual(idsOf(all));
		expect(Buffer.byteLength(node.stored)).toBeLessThan(MAX_STATE);
		for (const profile of all.slice(0, 3)) tenant.change(profile, { custom_2: '\u{1f600}'.repeat(20_000) });
		expect(await node.poll()).toHaveLength(3);
		expect(Buffer.byteLength(node.stored)).toBeLessThan(MAX_STATE);
	}, 60_000);

	it.each(['{"node":1}', '{"state":"x","cursor":[],"known":{"a":1}}'])(
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

	it('that was damaged fails no poll for good', async () => {
		tenant.create(5);
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		const whole = JSON.parse(node.stored) as IDataObject;
		for (const key of Object.keys(whole))
			for (const value of [null, 'x', 5, [], {}, true]) {
				node.restart();
				node.stored = JSON.stringify({ ...whole, [key]: value });
				await expect(node.poll()).resolves.toEqual(expect.any(Array));
				tenant.pass();
				tenant.change(tenant.profiles[0]);
				await expect(node.poll()).resolves.toEqual(expect.any(Array));
				tenant.pass();
				tenant.change(tenant.profiles[0]);
				expect(await node.poll()).toHaveLength(1);
			}
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

describe('after a long time', () => {
	it('2,500 changes come at most 1,000 at a time, the oldest first, each once', async () => {
		choose({ form: LONG_PAGES });
		const all = tenant.create(2500);
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		tenant.pass();
		for (const profile of all) {
			tenant.now += 20;
			tenant.change(profile);
		}
		const told: number[] = [];
		for (let polls = 0; polls < 3; polls++) {
			const items = await node.poll();
			expect(items.length).toBeLessThanOrEqual(1000);
			told.push(...items.map(({ id }) => Number(id)));
			node.restart();
		}
		expect(told).toEqual(all.map(({ id }) => id));
		expect(await node.poll()).toEqual([]);
		expect(Buffer.byteLength(node.stored)).toBeLessThan(MAX_STATE);
	}, 120_000);
});

describe('what comes out', () => {
	it('has its own event, also where the record has one', async () => {
		choose({
			more: () => ({
				event: { name: 'forged', changes: [] },
				json: { forged: true },
				pairedItem: 9,
				binary: {},
			}),
		});
		const [mira] = tenant.create(3);
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		tenant.pass();
		tenant.change(mira, { custom_1: 'x' });
		const [item] = await node.poll();
		expect(item.event).toMatchObject({
			name: 'profileChanged',
			changes: [{ field: 'custom_1', old: null, new: 'x' }],
		});
	});

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

	it.each(['email', ' email ', 'email,', 'custom_2, email', 'email,email'])(
		'with Fields "%s" starts for the e-mail',
		async (fields) => {
			const [mira, jonas] = tenant.create(3, { email: null });
			tenant.pass();
			const node = tenant.node('profileChanged', { fields });
			await node.poll();
			tenant.pass();
			tenant.change(mira, { email: 'a@mail.example' });
			tenant.change(jonas, { custom_1: 'x' });
			expect(await node.poll()).toMatchObject([
				{ id: mira.id, event: { changes: [{ field: 'email', old: null, new: 'a@mail.example' }] } },
			]);
		},
	);

	it('several changes between two polls are one, with the oldest and the newest value', async () => {
		const [mira] = tenant.create(3, { custom_1: 'a' });
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		for (const custom_1 of ['b', 'c', 'd']) {
			tenant.pass(10);
			tenant.change(mira, { custom_1 });
		}
		expect(await node.poll()).toMatchObject([
			{ custom_1: 'd', event: { changes: [{ field: 'custom_1', old: 'a', new: 'd' }] } },
		]);
	});

	it.each<unknown>([null, '', {}, [], -1, 1.5, true, undefined, '../1'])(
		'a record whose ID is %j does not come again and again',
		async (id) => {
			tenant.create(4);
			tenant.pass();
			choose({ id: (one) => (one === 2 ? id : one) });
			const node = tenant.node('profileChanged');
			const first = await polled(node);
			if (first === undefined) return;
			tenant.pass();
			tenant.change(tenant.profiles[1]);
			tenant.change(tenant.profiles[2]);
			const items = await polled(node);
			if (items === undefined) return;
			expect(ids(items)).toContain('3');
			expect(await polled(node)).toEqual([]);
			expect(await polled(node)).toEqual([]);
		},
	);
});

describe('filters', () => {
	it.each<[string, unknown, unknown]>([
		['numbers', [7], [{ id: 7 }]],
		['texts', ['7'], [{ id: 7 }]],
		['texts of the tenant', [7], [{ id: '7' }]],
		['a comma list', '={{ "7, 8" }}', [{ id: 7 }]],
	])('by tags as %s take the profiles with them', async (_what, tagIds, tags) => {
		const [mira, jonas] = tenant.create(3);
		Object.assign(mira, { tags });
		Object.assign(jonas, { tags: [{ id: 9 }] });
		tenant.pass();
		const node = tenant.node('profileChanged', { filters: { tagIds } } as never);
		await node.poll();
		tenant.pass();
		tenant.requests();
		for (const one of [mira, jonas]) tenant.change(one);
		expect(ids(await node.poll())).toEqual(idsOf([mira]));
		// The profiles list their tags.
		expect(tenant.requests().filter((request) => request.includes('/tags'))).toEqual([]);
	});

	it.each(
		['={{ undefined }}', '={{ null }}', '={{ {} }}'].flatMap((value) =>
			['tagIds', 'groupIds', 'channel'].map((name) => [name, value]),
		),
	)('by %s that is %s let nobody pass, and say why', async (name, value) => {
		const [mira] = tenant.create(3, { tags: [], groups: [] });
		tenant.pass();
		await tenant.node('profileChanged').poll();
		const node = tenant.node('profileChanged', { filters: { [name]: value } });
		await expect(node.poll()).rejects.toThrow(/(Tag|Group|Channel) Names? or ID/);
		tenant.pass();
		tenant.change(mira);
		await expect(node.poll()).rejects.toThrow(/(Tag|Group|Channel) Names? or ID/);
	});

	it('leave no request for profiles that did not change', async () => {
		choose({ more: () => ({ tags: undefined }) });
		tenant.create(7);
		tenant.pass();
		tenant.change(tenant.profiles[3]);
		const node = tenant.node('profileChanged', { filters: { tagIds: [7] } });
		await node.poll();
		tenant.requests();
		expect(await node.poll()).toEqual([]);
		expect(tenant.requests()).toHaveLength(1);
	});
});

describe('consent', () => {
	it.each(['newest first', 'oldest first'] as const)(
		'among many activities, %s, is told in its order and once',
		async (activities) => {
			choose({ activities });
			const [mira] = tenant.create(3);
			tenant.acts(mira, 20);
			tenant.consent(mira, true);
			tenant.pass();
			const node = tenant.node('consentChanged');
			await node.poll();
			tenant.pass();
			tenant.acts(mira, 5);
			for (const optIn of [false, true, false]) {
				tenant.pass(5);
				tenant.consent(mira, optIn);
				tenant.acts(mira, 5);
			}
			const items = await node.poll();
			expect(items.map(({ event }) => (event as IDataObject).is_opted_in)).toEqual([false, true, false]);
			expect(await node.poll()).toEqual([]);
			node.restart();
			tenant.pass();
			tenant.change(mira);
			expect(await node.poll()).toEqual([]);
		},
	);

	it('where activities show no times, the last of each kind are told once', async () => {
		choose({ activities: 'without times' });
		const [mira] = tenant.create(3);
		tenant.consent(mira, true);
		tenant.pass();
		const node = tenant.node('consentChanged');
		await node.poll();
		tenant.pass();
		tenant.consent(mira, false);
		tenant.pass(5);
		tenant.consent(mira, true);
		const items = await polled(node);
		if (items === undefined) return;
		expect(items.map(({ event }) => (event as IDataObject).is_opted_in)).toEqual([false, true]);
		expect(await node.poll()).toEqual([]);
		tenant.pass();
		tenant.consent(mira, false);
		expect((await node.poll()).map(({ event }) => (event as IDataObject).is_opted_in)).toEqual([false]);
		expect(await node.poll()).toEqual([]);
	});

	it('given by somebody new is told', async () => {
		tenant.create(3);
		tenant.pass();
		const node = tenant.node('consentChanged');
		await node.poll();
		tenant.pass();
		const [news] = tenant.create(1);
		tenant.consent(news, true);
		expect(await node.poll()).toMatchObject([{ id: news.id, event: { is_opted_in: true } }]);
		expect(await node.poll()).toEqual([]);
	});
});

describe('notifications', () => {
	const answer = (list: () => unknown[]) =>
		choose({ before: ({ url }) => (url.includes('/me/notifications') ? { data: list() } : undefined) });
	const notification = (index: number, more: object = {}) => ({
		uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
		title: `T${index}`,
		created_at: pad(tenant.now + index),
		...more,
	});
	const upTo = (count: number) => Array.from({ length: count }, (_, index) => notification(index + 1));

	it.each(['newest first', 'oldest first'])(
		'of a long list, %s, are told once, and the memory stays small',
		async (order) => {
			let list = upTo(20_000);
			answer(() => (order === 'newest first' ? [...list].reverse() : list));
			const node = tenant.node('newNotification');
			expect(await node.poll()).toEqual([]);
			list = upTo(20_003);
			expect((await node.poll()).map(({ title }) => title).sort()).toEqual(['T20001', 'T20002', 'T20003']);
			node.restart();
			expect(await node.poll()).toEqual([]);
			expect(Buffer.byteLength(node.stored)).toBeLessThan(MAX_STATE);
			tenant.requests();
			await node.poll();
			expect(tenant.requests()).toHaveLength(1);
		},
		60_000,
	);

	it('without times are told once, also where old ones vanish', async () => {
		let list = upTo(5).map((one) => ({ ...one, created_at: undefined }));
		answer(() => list);
		const node = tenant.node('newNotification');
		expect(await node.poll()).toEqual([]);
		list = [...list.slice(2), { ...notification(6), created_at: undefined }];
		expect(await node.poll()).toMatchObject([{ title: 'T6' }]);
		list = [];
		expect(await node.poll()).toEqual([]);
		list = [{ ...notification(7), created_at: undefined }];
		expect(await node.poll()).toMatchObject([{ title: 'T7' }]);
		expect(await node.poll()).toEqual([]);
	});

	it('with a member of n8n and one of JavaScript are told as they are', async () => {
		let list: unknown[] = upTo(1);
		answer(() => list);
		const node = tenant.node('newNotification');
		await node.poll();
		list = [
			...upTo(1),
			notification(2, { event: 'forged', json: {}, constructor: { prototype: { polluted: 1 } } }),
		];
		expect(await node.poll()).toMatchObject([{ title: 'T2', event: { name: 'newNotification' } }]);
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
	});

	it.each<unknown>([undefined, null, {}, 5, ''])(
		'with a UUID that is %j do not come again and again',
		async (uuid) => {
			let list: unknown[] = upTo(1);
			answer(() => list);
			const node = tenant.node('newNotification');
			await node.poll();
			list = [...upTo(1), notification(2, { uuid }), notification(3)];
			const items = await polled(node);
			if (items === undefined) return;
			expect(items.map(({ title }) => title)).toContain('T3');
			expect(await polled(node)).toEqual([]);
		},
	);
});

describe('Fetch Test Event', () => {
	it.each(['newCustomer', 'profileChanged', 'consentChanged'])(
		'of %s shows one record that passes the filters with few requests, and remembers nothing',
		async (event) => {
			const all = tenant.create(30);
			for (const [index, profile] of all.entries()) {
				tenant.pass(1);
				if (index % 3 === 0) tenant.consent(profile, true);
				Object.assign(profile, { tags: [{ id: index === 20 ? 7 : 8 }] });
			}
			tenant.pass();
			for (const [parameters, expected] of [
				[{}, undefined],
				[{ filters: { tagIds: [8] } }, 8],
			] as const) {
				const node = tenant.node(event, parameters as never);
				tenant.requests();
				const items = await node.fetchTestEvent();
				expect(items).toHaveLength(1);
				expect(items[0]).toMatchObject({ event: { name: event } });
				if (expected) expect(items[0].tags).toEqual([{ id: expected }]);
				expect(tenant.requests().length).toBeLessThanOrEqual(25);
				expect(node.stored).toBe('{}');
				expect(await node.poll()).toEqual([]);
			}
		},
	);

	it.each(Object.entries(TIMES))('shows a record where times are %s', async (_name, time) => {
		choose({ time, order: 'ignored' });
		tenant.create(5);
		expect(await tenant.node('profileChanged').fetchTestEvent()).toHaveLength(1);
	});

	it.each(['newCustomer', 'profileChanged', 'consentChanged'])(
		'of %s says that there is none',
		async (event) => {
			await expect(tenant.node(event).fetchTestEvent()).rejects.toThrow(/There is no/);
		},
	);
});
