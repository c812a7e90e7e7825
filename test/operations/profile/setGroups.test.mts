import { byId } from '../../engine/tenant.mts';
import { labelOf, optionLabel } from '../../description/labels.mts';
import { type Answers, refusal, ScriptedTenant } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const records = (ids: number[]) => ids.map((id) => ({ id, name: `Record ${id}` }));

/** The sets of IDs, each with what it is called everywhere. */
const SETS = [
	{
		resource: 'profile',
		path: '/profiles/5/groups',
		owner: { profileId: byId(5) },
		parameter: 'groupIds',
		body: (ids: number[]) => ({ groups: ids.map((id) => ({ id })) }),
		operations: { set: 'setGroups', add: 'addGroups' },
		output: (ids: number[]) => ({ profile_id: 5, groups: records(ids) }),
	},
	{
		resource: 'customer',
		path: '/customers/5/users',
		owner: { customerId: byId(5) },
		parameter: 'userIds',
		body: (ids: number[]) => ({ user_ids: ids }),
		operations: { set: 'setUsers', add: 'addUsers', remove: 'removeUsers' },
		output: (ids: number[]) => ({ customer_id: 5, users: records(ids) }),
	},
];

describe.each(SETS)('$operations.set', ({ resource, path, owner, parameter, body, operations, output }) => {
	const label = async () => await labelOf(parameter, { resource });

	it.each<[string, unknown, number[]]>([
		['IDs', [3, 1], [3, 1]],
		['text', '={{ "3, 1,3" }}', [3, 1]],
		['records', '={{ [{ id: 3 }, { id: "1" }] }}', [3, 1]],
		['one ID', '={{ 3 }}', [3]],
	])('sends the set as it is given, and reads nothing: %s', async (_what, ids, expected) => {
		tenant.answer({ [`POST ${path}`]: () => ({ data: records(expected) }) });
		const { items, error } = await tenant.run({
			...{ resource, operation: operations.set, ...owner },
			[parameter]: ids as number[],
		});
		expect(error).toBeUndefined();
		expect(tenant.arrived).toEqual([{ request: `POST ${path}`, body: body(expected) }]);
		expect(items).toEqual([{ json: output(expected), pairedItem: { item: 0 } }]);
	});

	it.each<[string, unknown, string]>([
		['undefined', '={{ undefined }}', 'is empty'],
		['a field that is missing', '={{ $json.ids }}', 'is empty'],
		['null', '={{ null }}', 'is empty'],
		['null in a list', '={{ [1, null] }}', 'contains "null", which is not an ID'],
		['a record of another system', '={{ { id: "crm-9" } }}', 'contains "{"id":"crm-9"}", which is not an ID'],
		['one ID as a sheet shows it', '1,234', 'contains "1,234", which may be one ID or several'],
	])('writes nothing from %s', async (_what, ids, problem) => {
		tenant.answer({
			[`GET ${path}`]: () => ({ data: records([1]) }),
			[`POST ${path}`]: () => ({ data: [] }),
		});
		for (const operation of Object.values(operations)) {
			const { error } = await tenant.run({ resource, operation, ...owner, [parameter]: ids as string });
			expect(error).toMatchObject({ message: `${await label()} ${problem}`, context: { itemIndex: 0 } });
		}
		expect(tenant.requests).toEqual([]);
	});

	it.each<unknown>([[], '={{ [] }}', '[]', '={{ "" }}', '={{ [].filter(Boolean) }}'])(
		'empties the set with %j only where that is to remove all',
		async (ids) => {
			tenant.answer({ [`POST ${path}`]: () => ({ data: [] }) });
			const set = { resource, operation: operations.set, ...owner, [parameter]: ids as string };
			for (const ifEmpty of [undefined, 'fail', '={{ "fail" }}', '={{ "everything" }}', '={{ null }}']) {
				const { error } = await tenant.run({ ...set, ...(ifEmpty !== undefined && { ifEmpty }) });
				expect(error).toBeDefined();
			}
			expect((await tenant.run(set)).error).toMatchObject({
				message: `${await label()} would detach everything, because the set is empty; nothing was changed`,
				description: `Choose what to attach. To detach everything, set ${await labelOf('ifEmpty')} to ${await optionLabel('ifEmpty', 'removeAll')}. To go on without such items, set On Error to Continue.`,
				context: { itemIndex: 0 },
			});
			expect(tenant.arrived).toEqual([]);
			const { items, error } = await tenant.run({ ...set, ifEmpty: 'removeAll' });
			expect(error).toBeUndefined();
			expect(tenant.arrived).toEqual([{ request: `POST ${path}`, body: body([]) }]);
			expect(items).toEqual([{ json: output([]), pairedItem: { item: 0 } }]);
		},
	);

	it.each(['" "', '", ,"', '[undefined]', '[{}]', '{}', 'false', 'NaN', '"undefined"', '"null"'])(
		'removes nothing where it is %s, even where an empty set removes all',
		async (value) => {
			tenant.answer({ [`POST ${path}`]: () => ({ data: [] }) });
			const set = { resource, operation: operations.set, ...owner, [parameter]: `={{ ${value} }}` };
			expect((await tenant.run({ ...set, ifEmpty: 'removeAll' })).error?.message).toContain(await label());
			expect(tenant.arrived).toEqual([]);
		},
	);

	it('reads the set when the answer is empty', async () => {
		tenant.answer({
			[`GET ${path}`]: () => ({ data: records([3]) }),
			[`POST ${path}`]: async (_arrived, reply) => await reply.code(204).send(),
		});
		const { items, error } = await tenant.run({
			...{ resource, operation: operations.set, ...owner },
			[parameter]: [3],
		});
		expect(error).toBeUndefined();
		expect(tenant.requests).toEqual([`POST ${path}`, `GET ${path}`]);
		expect(items).toEqual([{ json: output([3]), pairedItem: { item: 0 } }]);
	});
});

describe.each(SETS)('$operations.add', ({ resource, path, owner, parameter, body, operations, output }) => {
	it('keeps all that are attached, also those who share a uuid', async () => {
		tenant.answer({
			[`GET ${path}`]: () => ({ data: [1, 2].map((id) => ({ id, uuid: 'a' })) }),
			[`POST ${path}`]: () => ({ data: records([1, 2, 3]) }),
		});
		await tenant.run({ resource, operation: operations.add, ...owner, [parameter]: [3] });
		expect(tenant.bodies(`POST ${path}`)).toEqual([body([1, 2, 3])]);
	});

	it.each<[number[], number[], number[]]>([
		[[1, 2], [3], [1, 2, 3]],
		[
			[2, 1],
			[1, 2],
			[2, 1],
		],
		[[], [4, 3], [4, 3]],
	])('to %j adds %j and writes %j', async (attached, given, expected) => {
		tenant.answer({
			[`GET ${path}`]: () => ({ data: records(attached) }),
			[`POST ${path}`]: () => ({ data: records(expected) }),
		});
		const { items, error } = await tenant.run({
			...{ resource, operation: operations.add, ...owner },
			[parameter]: given,
		});
		expect(error).toBeUndefined();
		expect(tenant.arrived).toEqual([
			{ request: `GET ${path}`, body: undefined },
			{ request: `POST ${path}`, body: body(expected) },
		]);
		expect(items).toEqual([{ json: output(expected), pairedItem: { item: 0 } }]);
	});

	it.each<unknown>([[], '={{ [] }}', '', '={{ "" }}'])(
		'writes nothing when it is given %j',
		async (given) => {
			tenant.answer({
				[`GET ${path}`]: () => ({ data: records([2, 1]) }),
				[`POST ${path}`]: () => ({ data: [] }),
			});
			for (const operation of [operations.add, operations.remove ?? operations.add]) {
				tenant.arrived.splice(0);
				const { items, error } = await tenant.run({
					...{ resource, operation, ...owner },
					[parameter]: given as string,
				});
				expect(error).toBeUndefined();
				expect(tenant.requests).toEqual([`GET ${path}`]);
				expect(items).toEqual([{ json: output([2, 1]), pairedItem: { item: 0 } }]);
			}
		},
	);

	it('keeps what is attached on all pages, and IDs that are text', async () => {
		tenant.answer({
			[`GET ${path}`]: ({ request }) =>
				request.endsWith('page=2')
					? { data: [{ id: '7' }], meta: { current_page: 2, last_page: 2 } }
					: { data: [{ id: '3' }, { id: '1' }], meta: { current_page: 1, last_page: 2 } },
			[`POST ${path}`]: () => ({ data: [] }),
		});
		const { error } = await tenant.run({
			...{ resource, operation: operations.add, ...owner },
			[parameter]: [1, 2],
		});
		expect(error).toBeUndefined();
		expect(tenant.bodies(`POST ${path}`)).toEqual([body([3, 1, 7, 2])]);
	});

	it.each<[string, unknown]>([
		['a page in HTML', '<!doctype html><title>Log in</title>'],
		['nothing', ''],
		['null', { data: null }],
		['a list within data', { data: { items: [{ id: 1 }] } }],
		['a record without an ID', { data: [{ id: 1 }, { name: 'Sam' }] }],
		['null among records', { data: [{ id: 1 }, null] }],
		['IDs alone', { data: [1, 2] }],
		['a part of a list', { data: [{ id: 1 }], meta: { total: 2 } }],
		['a page that repeats', { data: [{ id: 1 }], next_page_url: '/third-party/v1' + path }],
	])('writes nothing when the set is read as %s', async (_what, answer) => {
		tenant.answer({ [`GET ${path}`]: () => answer, [`POST ${path}`]: () => ({ data: [] }) });
		for (const operation of [operations.add, operations.remove ?? operations.add]) {
			tenant.arrived.splice(0);
			const { error } = await tenant.run({ ...{ resource, operation, ...owner }, [parameter]: [3] });
			expect(error?.message).toMatch(
				/^The service (answered with|sent the same page)|^The response has more pages, but no link|^The list has 2 records, but only 1 came$/,
			);
			// It may have looked for another page.
			const asked = new Set(tenant.requests.map((one) => one.replace('?page=2', '')));
			expect(asked).toEqual(new Set([`GET ${path}`]));
		}
	});

	it.each<unknown>([...[null, '', -5, '-5', 1.5, 1e300, '9007199254740993', 'x', 'a-7', true, { id: 1 }]])(
		'writes nothing when an ID of the set is read as %j, and says so',
		async (id) => {
			tenant.answer({ [`GET ${path}`]: () => ({ data: [{ id: 1 }, { id }] }) });
			for (const operation of [operations.add, operations.remove ?? operations.add]) {
				tenant.arrived.splice(0);
				const { error } = await tenant.run({ ...{ resource, operation, ...owner }, [parameter]: [3] });
				expect(error?.message).toBe('The service answered with a list that cannot be read (HTTP 200)');
				expect(tenant.requests).toEqual([`GET ${path}`]);
			}
		},
	);

	it('writes nothing when the set cannot be read', async () => {
		tenant.answer({ [`GET ${path}`]: refusal(403, 'Not for you') });
		const { error } = await tenant.run({
			...{ resource, operation: operations.add, ...owner },
			[parameter]: [3],
		});
		expect(error?.message).toBe('Not for you');
		expect(tenant.requests).toEqual([`GET ${path}`]);
	});
});

describe('removeUsers', () => {
	it.each<[number[], unknown, number[]]>([
		[[3, 1, 2], [1], [3, 2]],
		[[3, 1, 2], '={{ "2, 3" }}', [1]],
		[[3, 1], [9], [3, 1]],
		[[3], [3], []],
	])('of %j leaves out %j and writes %j', async (attached, given, expected) => {
		tenant.answer({
			'GET /customers/5/users': () => ({ data: records(attached) }),
			'POST /customers/5/users': () => ({ data: records(expected) }),
		});
		const { items } = await tenant.run({
			resource: 'customer',
			operation: 'removeUsers',
			customerId: byId(5),
			userIds: given as number[],
		});
		expect(tenant.bodies('POST /customers/5/users')).toEqual([{ user_ids: expected }]);
		expect(items).toMatchObject([{ json: { customer_id: 5 } }]);
	});
});

it('removeUsers removes a user whose ID is text', async () => {
	tenant.answer({
		'GET /customers/5/users': () => ({ data: [{ id: '7' }, { id: '8' }] }),
		'POST /customers/5/users': () => ({ data: [{ id: '8' }] }),
	});
	const { error } = await tenant.run({
		...{ resource: 'customer', operation: 'removeUsers', customerId: byId(5) },
		userIds: [7],
	});
	expect(error).toBeUndefined();
	expect(tenant.bodies('POST /customers/5/users')).toEqual([{ user_ids: [8] }]);
});

describe.each([
	['profile', 'removeTag', 'tags', '/profiles/5/tags', { profileId: byId(5), tagId: byId(3) }],
	['profile', 'removeGroup', 'groups', '/profiles/5/groups', { profileId: byId(5), groupId: byId(3) }],
	['media', 'removeTag', 'tags', '/media/5/tags', { mediaId: byId(5), tagId: byId(3) }],
])('%s: %s', (resource, operation, set, path, records) => {
	const parameters = { resource, operation, ...records };
	const owner = { [`${resource}_id`]: 5 };
	const noContent: Answers[string] = async (_arrived, reply) => await reply.code(204).send();

	it.each<[string, Answers[string]]>([
		['status 204', noContent],
		['an empty body', () => ''],
		['no set', () => ({ data: null })],
		['an empty record', () => ({})],
		['a word about it', () => ({ success: true })],
	])('answered with %s is done, and the set is read', async (_what, answer) => {
		tenant.answer({ [`DELETE ${path}/3`]: answer, [`GET ${path}`]: () => ({ data: [{ id: 4 }] }) });
		const { items, error } = await tenant.run(parameters);
		expect(error).toBeUndefined();
		expect(tenant.requests).toEqual([`DELETE ${path}/3`, `GET ${path}`]);
		expect(items).toEqual([{ json: { ...owner, [set]: [{ id: 4 }] }, pairedItem: { item: 0 } }]);
	});

	it.each<[string, Answers[string]]>([
		['refused', refusal(403)],
		['a page in HTML', () => '<!doctype html>'],
	])('is also done when the reading is %s, without the set', async (_what, answer) => {
		tenant.answer({ [`DELETE ${path}/3`]: noContent, [`GET ${path}`]: answer });
		const { items, error } = await tenant.run(parameters);
		expect(error).toBeUndefined();
		expect(items).toEqual([{ json: { ...owner, success: true }, pairedItem: { item: 0 } }]);
	});

	it('answered with the set reads nothing', async () => {
		tenant.answer({ [`DELETE ${path}/3`]: () => ({ data: [] }) });
		const { items } = await tenant.run(parameters);
		expect(tenant.requests).toEqual([`DELETE ${path}/3`]);
		expect(items).toEqual([{ json: { ...owner, [set]: [] }, pairedItem: { item: 0 } }]);
	});

	it('answered with a page in HTML fails', async () => {
		tenant.answer({ [`DELETE ${path}/3`]: () => '<!doctype html>' });
		const { error } = await tenant.run(parameters);
		expect(error?.message).toMatch(/^The service answered with a page in place of JSON/);
	});
});

it('a set that is read after the write comes from all pages, as the tenant gives it', async () => {
	tenant.answer({
		'POST /customers/5/users': async (_arrived, reply) => await reply.code(204).send(),
		'GET /customers/5/users': ({ request }) =>
			request.endsWith('page=2')
				? { data: [{ id: '2' }], current_page: 2, last_page: 2 }
				: { data: [{ id: '1' }], current_page: 1, last_page: 2 },
	});
	const { items } = await tenant.run({
		...{ resource: 'customer', operation: 'setUsers', customerId: byId(5) },
		userIds: [1, 2],
	});
	expect(items[0].json).toEqual({ customer_id: 5, users: [{ id: '1' }, { id: '2' }] });
});

describe('many items', () => {
	const pause = async () => await new Promise((resolve) => setImmediate(resolve));

	const addUsers = (more = {}) => ({
		...{ resource: 'customer', operation: 'addUsers' },
		customerId: byId('={{ $json.customer }}'),
		userIds: '={{ $json.user }}',
		advanced: { maximumTries: 1, maximumInFlight: 10 },
		...more,
	});

	/** A tenant that takes its time, and keeps the sets of some customers. */
	function keeping(customers: number[]) {
		const sets = new Map(customers.map((id): [number, number[]] => [id, []]));
		tenant.answer(
			Object.fromEntries(
				customers.flatMap((id) => [
					[
						`GET /customers/${id}/users`,
						async () => {
							const data = records(sets.get(id) ?? []);
							await pause();
							return { data };
						},
					],
					[
						`POST /customers/${id}/users`,
						async ({ body }: { body: unknown }) => {
							await pause();
							const { user_ids } = body as { user_ids: number[] };
							sets.set(id, user_ids);
							return { data: records(user_ids) };
						},
					],
				]),
			),
		);
		return sets;
	}

	it('on the same record go one after another, so that nothing is lost', async () => {
		const sets = keeping([5]);
		const { items, error } = await tenant.run(addUsers(), {
			items: [1, 2, 3, 4].map((user) => ({ json: { customer: 5, user } })),
		});
		expect(error).toBeUndefined();
		expect(sets.get(5)).toEqual([1, 2, 3, 4]);
		expect(tenant.requests).toEqual(
			[1, 2, 3, 4].flatMap(() => ['GET /customers/5/users', 'POST /customers/5/users']),
		);
		expect(items.map(({ json }) => (json.users as unknown[]).length)).toEqual([1, 2, 3, 4]);
	});
});
