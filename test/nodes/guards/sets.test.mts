import { byId } from '../../engine/tenant.mts';
import { inOrder, refusal, ScriptedTenant } from './scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const records = (ids: number[]) => ids.map((id) => ({ id, name: `Record ${id}` }));

/** The sets of IDs, each with what it is called everywhere. */
const SETS = [
	{
		resource: 'profile',
		path: '/profiles/5/groups',
		owner: { profileId: byId(5) },
		parameter: 'groupIds',
		label: 'Group Names or IDs',
		body: (ids: number[]) => ({ groups: ids.map((id) => ({ id })) }),
		operations: { set: 'setGroups', add: 'addGroups' },
		output: (ids: number[]) => ({ profile_id: 5, groups: records(ids) }),
	},
	{
		resource: 'customer',
		path: '/customers/5/users',
		owner: { customerId: byId(5) },
		parameter: 'userIds',
		label: 'User Names or IDs',
		body: (ids: number[]) => ({ user_ids: ids }),
		operations: { set: 'setUsers', add: 'addUsers', remove: 'removeUsers' },
		output: (ids: number[]) => ({ customer_id: 5, users: records(ids) }),
	},
];

describe.each(SETS)(
	'$operations.set',
	({ resource, path, owner, parameter, label, body, operations, output }) => {
		it.each<[string, unknown, number[]]>([
			['IDs', [3, 1], [3, 1]],
			['text', '={{ "3, 1,3" }}', [3, 1]],
			['records', '={{ [{ id: 3 }, { id: "1" }] }}', [3, 1]],
			['one ID', '={{ 3 }}', [3]],
			['none', [], []],
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

		it('names the parameter and the item of what is no ID', async () => {
			tenant.answer({ [`POST ${path}`]: () => ({ data: [] }) });
			for (const operation of [operations.set, operations.add]) {
				const { items } = await tenant.run(
					{ resource, operation, ...owner, [parameter]: '={{ $json.ids }}' },
					{ items: [{ json: { ids: 'Sam' } }], onError: 'continueRegularOutput' },
				);
				expect(items).toMatchObject([
					{ json: { error: `${label} contains "Sam", which is not an ID` }, pairedItem: { item: 0 } },
				]);
			}
			expect(tenant.requests).toEqual([]);
		});
	},
);

describe.each(SETS)('$operations.add', ({ resource, path, owner, parameter, body, operations, output }) => {
	it.each<[number[], number[], number[]]>([
		[[1, 2], [3], [1, 2, 3]],
		[
			[2, 1],
			[1, 2],
			[2, 1],
		],
		[[], [4, 3], [4, 3]],
		[[2, 1], [], [2, 1]],
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

it.each(['addUsers', 'removeUsers'])(
	'%s makes up no user when the answer holds no list',
	async (operation) => {
		tenant.answer({
			'GET /customers/5/users': () => ({ data: { users: 2 } }),
			'POST /customers/5/users': () => ({ data: [] }),
		});
		await tenant.run({ resource: 'customer', operation, customerId: byId(5), userIds: [3] });
		const written = tenant.bodies('POST /customers/5/users').flatMap(({ user_ids }) => user_ids);
		expect([[], [3]]).toContainEqual(written);
	},
);

describe('many items', () => {
	const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

	const addUsers = (more = {}) => ({
		...{ resource: 'customer', operation: 'addUsers' },
		customerId: byId('={{ $json.customer }}'),
		userIds: '={{ $json.user }}',
		requestLimits: { maximumTries: 1, maximumInFlight: 10 },
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
							await pause(5);
							return { data };
						},
					],
					[
						`POST /customers/${id}/users`,
						async ({ body }: { body: unknown }) => {
							await pause(5);
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

	it('on different records do not wait for each other', async () => {
		const sets = keeping([5, 6]);
		await tenant.run(addUsers(), { items: [5, 6].map((customer) => ({ json: { customer, user: 1 } })) });
		expect([...sets.values()]).toEqual([[1], [1]]);
		expect(tenant.requests.slice(0, 2).sort()).toEqual(['GET /customers/5/users', 'GET /customers/6/users']);
	});

	it('on the same record go on after one that failed', async () => {
		tenant.answer({
			'GET /customers/5/users': inOrder(refusal(404, 'Gone'), () => ({ data: records([9]) })),
			'POST /customers/5/users': () => ({ data: records([9, 2]) }),
		});
		const { items } = await tenant.run(addUsers(), {
			items: [1, 2].map((user) => ({ json: { customer: 5, user } })),
			onError: 'continueRegularOutput',
		});
		expect(items).toMatchObject([{ json: { error: 'Gone' } }, { json: { customer_id: 5 } }]);
		expect(tenant.bodies('POST /customers/5/users')).toEqual([{ user_ids: [9, 2] }]);
	});
});
