import type { IDataObject } from 'n8n-workflow';

import { FORMS } from '../engine/listForms.mts';
import { IDS, ids, isoTime, LONG_PAGES, type PolledChoices, PolledTenant, TIMES } from './polledTenant.mts';

const tenant = PolledTenant.inEachTest();

const choose = (choices: Partial<PolledChoices>) => tenant.choose(choices);
const idsOf = (profiles: Array<{ id: number }>) => tenant.idsOf(profiles);

const UNREADABLE = 'The service answered with a list that cannot be read (HTTP 200)';

const TENANTS: Array<[string, string, string, PolledChoices['order']]> = [
	['links.next, and numbers in meta', 'seconds', 'text', 'kept'],
	['links.next, and numbers in meta', 'an offset that changes', 'UUIDs', 'first field'],
	['numbers in meta', 'no zone', 'text', 'ignored'],
	['Link header, bare array', 'Unix seconds', 'text of 19 digits', 'refused'],
	['nothing told, all at once', 'nothing', 'text', 'kept'],
	['numbers in meta', 'seconds', 'text with leading zeros', 'kept'],
];

/** All others are in test/generated/polling. */
it.each(TENANTS)(
	'a tenant with lists as of %s, times as %s, IDs as %s and order_by %s is told from once each',
	async (form, time, id, order) => {
		choose({ form: FORMS[form], time: TIMES[time], id: IDS[id], order });
		const before = tenant.create(8);
		tenant.consent(before[0], true);
		tenant.pass();
		const [created, changed, consent] = ['newCustomer', 'profileChanged', 'consentChanged'].map((event) =>
			tenant.node(event),
		);
		for (const node of [created, changed, consent]) expect(await node.poll()).toEqual([]);
		for (const round of [1, 2, 3]) {
			tenant.pass(round === 2 ? 1 : 61);
			const news = tenant.create(2);
			tenant.pass(1);
			tenant.change(before[round], { custom_1: `round ${round}` });
			tenant.pass(1);
			tenant.consent(before[0], round === 2);
			const told = ids(await changed.poll()).filter((one) => !idsOf(news).includes(one));
			expect(told).toEqual(idsOf([before[0], before[round]]));
			expect(ids(await created.poll())).toEqual(idsOf(news));
			expect(await consent.poll()).toMatchObject([{ event: { is_opted_in: round === 2 } }]);
			for (const node of [created, changed, consent]) {
				expect(await node.poll()).toEqual([]);
				if (round === 2) node.restart();
			}
		}
	},
);

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
	expect(tenant.requests()).toEqual([all, all, all]);
});

it('a tenant that sorts no longer is not taken at its word again', async () => {
	tenant.create(8);
	tenant.pass();
	const node = tenant.node('profileChanged');
	await node.poll();
	choose({ order: 'ignored' });
	tenant.pass();
	tenant.change(tenant.profiles[7]);
	expect(ids(await node.poll())).toEqual(['8']);
	// The first page looks as if the list was sorted.
	const changed = [0, 6].map((index) => tenant.profiles[index]);
	tenant.pass();
	for (const profile of changed) tenant.change(profile);
	tenant.requests();
	expect(ids(await node.poll())).toEqual(idsOf(changed));
	expect(tenant.requests().filter((request) => request.includes('order_by'))).toEqual([]);
});

it('a change in the same second as the poll before is told', async () => {
	choose({ time: TIMES.seconds });
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

it.each([1000, 1001, 4001])(
	'%i changes on one page come a thousand at a time, oldest first, each once',
	async (count) => {
		choose({ form: FORMS['nothing told, all at once'] });
		const all = tenant.create(count + 1);
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		tenant.pass();
		for (const profile of all.slice(1)) {
			tenant.now += 20;
			tenant.change(profile, { custom_1: 'changed' });
		}
		const told: unknown[] = [];
		for (let polls = 0; polls < Math.ceil(count / 1000); polls++) {
			const items = await node.poll();
			expect(items).toHaveLength(Math.min(1000, count - told.length));
			expect(node.log.filter((line) => line.includes('The next poll goes on'))).toHaveLength(
				Math.min(polls + 1, Math.ceil(count / 1000) - 1),
			);
			told.push(...items.map(({ id }) => id));
		}
		expect(told).toEqual(all.slice(1).map(({ id }) => id));
		expect(await node.poll()).toEqual([]);
	},
);

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

	it('a failed one does not hold up the next, whatever it failed with', async () => {
		tenant.create(3);
		const node = tenant.node('newCustomer');
		await node.poll();
		tenant.create(1);
		choose({ before: async (_request, reply) => await reply.code(401).send({ message: 'no' }) });
		for (let polls = 0; polls < 2; polls++)
			await expect(node.poll()).rejects.toMatchObject({ httpCode: '401' });
		choose({ before: () => undefined });
		await expect(node.poll({ credentials: {} })).rejects.toThrow();
		const filters = { tagIds: '={{ null }}' };
		await expect(node.poll({ parameters: { event: 'newCustomer', filters } })).rejects.toThrow(
			'Tag Names or IDs',
		);
		expect(await node.poll()).toHaveLength(1);
	});
});

describe('what changes between two polls', () => {
	const changed = async (node: ReturnType<PolledTenant['node']>, parameters: IDataObject) =>
		ids(await node.poll({ parameters: { event: 'profileChanged', ...parameters } as never }));

	it('is the filter for tags or groups: the memory is kept, and what it left out does not come later', async () => {
		const [mira, jonas] = tenant.create(3);
		Object.assign(mira, { tags: [{ id: 7 }], groups: [{ id: 3 }] });
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
		expect(await changed(node, { filters: { tagIds: [9] } })).toEqual(idsOf([jonas]));
	});

	it('is the channel or the tenant: the poll begins anew, and going back tells nothing twice', async () => {
		const [mira] = tenant.create(3);
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		tenant.pass();
		tenant.change(mira);
		const another = {
			...tenant.odd.credentials,
			tenantDomain: tenant.odd.url.replace('127.0.0.1', 'localhost'),
		};
		expect(await node.poll({ credentials: another })).toEqual([]);
		expect(await changed(node, { filters: { channel: 'sms' } })).toEqual([]);
		expect(await changed(node, {})).toEqual([]);
		tenant.pass();
		tenant.change(mira);
		expect(await changed(node, {})).toEqual(idsOf([mira]));
	});

	it('of two nodes with one tenant is told to both, and neither knows what the other has seen', async () => {
		const [mira] = tenant.create(3, { email: null });
		tenant.pass();
		const [one, other] = [tenant.node('profileChanged', { fields: 'email' }), tenant.node('profileChanged')];
		for (const node of [one, other]) await node.poll();
		tenant.pass();
		tenant.change(mira, { email: 'a@mail.example' });
		for (const node of [one, other]) expect(await node.poll()).toHaveLength(1);
		for (const node of [one, other]) expect(await node.poll()).toEqual([]);
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

	it.each(['newCustomer', 'profileChanged'])('and come back are no news of %s', async (event) => {
		const [first] = tenant.create(3);
		tenant.pass();
		const node = tenant.node(event);
		await node.poll();
		tenant.pass();
		const one = event === 'newCustomer' ? tenant.create(1)[0] : first;
		if (event === 'profileChanged') tenant.change(one);
		expect(ids(await node.poll())).toEqual(idsOf([one]));
		for (const polls of [1, 2]) {
			tenant.delete(one);
			for (let poll = 0; poll < polls; poll++) expect(await node.poll()).toEqual([]);
			tenant.profiles.push(one);
			expect(await node.poll()).toEqual([]);
		}
	});

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
		const words = what === 'activities' ? 'marketing consent' : what;
		// The profile itself is still there.
		expect(node.log.filter((line) => line.includes(`the ${words} of profile ${gone.id}`))).toHaveLength(1);
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

	it.each(['Email', 'EMAIL; name', 'e-mail,Custom 1\nDate of Birth'])(
		'compares the fields that are meant by %j',
		async (fields) => {
			const [mira] = tenant.create(2);
			tenant.pass();
			const node = tenant.node('profileChanged', { fields });
			await node.poll();
			tenant.pass();
			tenant.change(mira, { address: 'A', email: 'x@mail.example' });
			expect(await node.poll()).toMatchObject([
				{ id: mira.id, event: { changes: [{ field: 'email', new: 'x@mail.example' }] } },
			]);
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

	it.each<unknown>([null, '', {}, [], -5, 1.5, true, undefined, 1e300])(
		'a record whose ID is %j is left out, and hides no other',
		async (id) => {
			tenant.create(40);
			tenant.pass();
			const [early, late] = [tenant.node('profileChanged'), tenant.node('profileChanged')];
			await early.poll();
			choose({ id: (one) => (one === 2 ? id : one) });
			await late.poll();
			for (const which of [2, 5, 39]) {
				tenant.pass();
				for (const changed of [1, which]) tenant.change(tenant.profiles[changed]);
				for (const node of [early, late]) {
					expect(ids(await node.poll())).toEqual([String(which + 1)]);
					expect(await node.poll()).toEqual([]);
				}
			}
		},
	);

	it.each<unknown>([null, '', -5, 2 ** 53, 'x', '9007199254740993', '../1'])(
		'a customer whose ID is %j among numbers is left out, and hides no other',
		async (id) => {
			for (const order of ['kept', 'ignored'] as const) {
				choose({ form: LONG_PAGES, order, id: (one) => one });
				Object.assign(tenant, { profiles: [] });
				tenant.create(110);
				const [odd] = tenant.create(1);
				const node = tenant.node('newCustomer');
				choose({ id: (one) => (one === odd.id ? id : one) });
				expect(await node.poll()).toEqual([]);
				for (let round = 0; round < 3; round++) {
					const news = tenant.create(2);
					expect(ids(await node.poll())).toEqual(idsOf(news));
					expect(await node.poll()).toEqual([]);
				}
			}
		},
	);

	it('a list in which no record has an ID cannot be read', async () => {
		tenant.create(3);
		choose({ id: () => null });
		for (const event of ['profileChanged', 'newCustomer']) {
			const node = tenant.node(event);
			for (const ask of [async () => await node.poll(), async () => await node.fetchTestEvent()])
				await expect(ask()).rejects.toMatchObject({ name: 'NodeApiError', message: UNREADABLE });
			expect(node.stored).toBe('{}');
		}
	});

	it('a record whose ID is a path does not come again and again', async () => {
		tenant.create(4);
		tenant.pass();
		choose({ id: (one) => (one === 2 ? '../1' : one) });
		const node = tenant.node('profileChanged');
		await node.poll();
		tenant.pass();
		tenant.change(tenant.profiles[1]);
		tenant.change(tenant.profiles[2]);
		expect(ids(await node.poll())).toEqual(['../1', '3']);
		expect(await node.poll()).toEqual([]);
	});
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
		const items = await node.poll();
		expect(items.map(({ event }) => (event as IDataObject).is_opted_in)).toEqual([false, true]);
		expect(await node.poll()).toEqual([]);
		tenant.pass();
		tenant.consent(mira, false);
		expect((await node.poll()).map(({ event }) => (event as IDataObject).is_opted_in)).toEqual([false]);
		expect(await node.poll()).toEqual([]);
	});

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

	it.each([400, 403, 404, 405, 406, 410, 422, 501])(
		'is told from itself where the activities are %j',
		async (answer) => {
			activitiesAnswer(answer);
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

	it.each<[number | undefined, number | undefined]>([
		[undefined, 403],
		[403, undefined],
	])('is told once where the activities answer %p, and then %p', async (first, then) => {
		// One of them may write a time more precisely than the other.
		choose({ time: TIMES.seconds });
		const [mira] = tenant.create(3);
		tenant.pass(120.25);
		const node = tenant.node('consentChanged');
		await node.poll();
		activitiesAnswer(first);
		tenant.pass();
		tenant.consent(mira, true);
		tenant.pass(5);
		tenant.consent(mira, false);
		expect(await node.poll()).toHaveLength(2);
		activitiesAnswer(then);
		tenant.pass(5);
		tenant.change(mira);
		expect(await node.poll()).toEqual([]);
		tenant.pass(5);
		tenant.consent(mira, true);
		expect(await node.poll()).toMatchObject([{ event: { is_opted_in: true } }]);
		activitiesAnswer(first);
		tenant.change(mira);
		expect(await node.poll()).toEqual([]);
	});

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
		expect(node.log.join()).not.toContain('cannot see');
		activitiesAnswer(404, 404);
		expect(await node.poll()).toEqual([]);
		expect(node.log.join()).toContain(`cannot see the marketing consent of profile ${mira.id}`);
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
		created_at: isoTime(tenant.now + index),
		...more,
	});
	const upTo = (count: number) => Array.from({ length: count }, (_, index) => notification(index + 1));

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

	it.each<unknown>([undefined, null, {}, ''])(
		'with a UUID that is %j are left out until they have one, and hide no other',
		async (uuid) => {
			let list: unknown[] = upTo(1);
			answer(() => list);
			const node = tenant.node('newNotification');
			await node.poll();
			list = [...upTo(1), notification(2, { uuid }), notification(3)];
			expect(await node.poll()).toMatchObject([{ title: 'T3' }]);
			list = upTo(3);
			expect(await node.poll()).toMatchObject([{ title: 'T2' }]);
			expect(await node.poll()).toEqual([]);
		},
	);

	it('with a UUID that is a number do not come again and again', async () => {
		let list: unknown[] = upTo(1);
		answer(() => list);
		const node = tenant.node('newNotification');
		await node.poll();
		list = [...upTo(1), notification(2, { uuid: 5 }), notification(3)];
		expect((await node.poll()).map(({ title }) => title)).toEqual(['T2', 'T3']);
		expect(await node.poll()).toEqual([]);
	});
});

describe('records without the time of the others', () => {
	it('that were never changed are no news where a tenant no longer sorts', async () => {
		choose({
			form: LONG_PAGES,
			more: ({ created, updated }) => (created === updated ? { updated_at: null } : {}),
		});
		const all = tenant.create(230);
		tenant.pass();
		for (const profile of all.slice(0, 120)) tenant.change(profile);
		tenant.pass();
		const node = tenant.node('profileChanged');
		expect(await node.poll()).toEqual([]);
		choose({ order: 'ignored' });
		for (let round = 0; round < 3; round++) {
			tenant.pass();
			tenant.change(all[229 - round]);
			expect(ids(await node.poll())).toEqual(idsOf([all[229 - round]]));
		}
	});

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

describe('a new time of change without another field', () => {
	it('is not told, with Fields or without them', async () => {
		const [mira] = tenant.create(3);
		tenant.pass();
		const nodes = [tenant.node('profileChanged'), tenant.node('profileChanged', { fields: 'email' })];
		for (const node of nodes) await node.poll();
		for (let round = 0; round < 2; round++) {
			tenant.pass();
			tenant.change(mira, {});
			for (const node of nodes) expect(await node.poll()).toEqual([]);
		}
	});

	it('is told once of a profile whose old values are not known', async () => {
		const [mira] = tenant.create(150);
		tenant.pass();
		const node = tenant.node('profileChanged');
		// It reads the newest page only.
		await node.poll();
		for (const told of [[{ id: mira.id, event: { changes: null } }], [], []]) {
			tenant.pass();
			tenant.change(mira, {});
			expect(await node.poll()).toMatchObject(told);
		}
	});

	it('ends a workflow that writes each profile that starts it, also where they are too many to remember', async () => {
		const profiles = tenant.create(200);
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		tenant.pass();
		for (const profile of profiles) tenant.change(profile, { address: 'x'.repeat(100) });
		const counts: number[] = [];
		for (let told = await node.poll(); told.length > 0; told = await node.poll()) {
			counts.push(told.length);
			expect(counts.length).toBeLessThan(20);
			tenant.pass();
			for (const { id } of told) tenant.change(profiles[idsOf(profiles).indexOf(String(id))], {});
		}
		expect(counts[0]).toBe(200);
		expect([...counts].sort((a, b) => b - a)).toEqual(counts);
	});

	it('is not told of a profile with a long value, whose change is', async () => {
		const [mira] = tenant.create(1, { custom_1: 'x'.repeat(600) });
		tenant.pass();
		const node = tenant.node('profileChanged');
		await node.poll();
		tenant.pass();
		tenant.change(mira, {});
		expect(await node.poll()).toEqual([]);
		tenant.pass();
		const other = 'y'.repeat(600);
		tenant.change(mira, { custom_1: other });
		const old = 'x'.repeat(600);
		expect(await node.poll()).toMatchObject([
			{ id: mira.id, event: { changes: [{ field: 'custom_1', old, new: other }] } },
		]);
	});
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
		tenant.requests();
		for (let round = 0; round < 4; round++) {
			tenant.pass(4000);
			const changed = tenant.profiles.slice(round * 60, round * 60 + 60);
			for (const profile of changed) tenant.change(profile);
			expect(ids(await node.poll())).toEqual(idsOf(changed));
			tenant.requests();
			expect(await node.poll()).toEqual([]);
			expect(tenant.requests().length).toBeLessThanOrEqual(2);
		}
	});
});
