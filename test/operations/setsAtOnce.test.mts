import { setTimeout as delay } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { type Arrived, ScriptedTenant } from '../engine/scriptedTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

// Two executions at once share what it answers.
beforeEach(() => (tenant.startsRefused = false));

interface SetOfRecords {
	path: string;
	owner: INodeParameters;
	/** The parameter of the IDs. */
	ids: string;
	body: (...ids: number[]) => object;
}

const byTagId = (id: number) => ({ id, title: null });
const TAGS = { ids: 'tagIds', body: (...ids: number[]) => ({ tags: ids.map(byTagId) }) };
const OF_PROFILE: SetOfRecords = {
	path: '/profiles/5/tags',
	owner: { resource: 'profile', profileId: byId(5) },
	...TAGS,
};
const OF_MEDIA: SetOfRecords = {
	path: '/media/5/tags',
	owner: { resource: 'media', mediaId: byId(5) },
	...TAGS,
};
const GROUPS: SetOfRecords = {
	path: '/profiles/5/groups',
	owner: { resource: 'profile', profileId: byId(5) },
	ids: 'groupIds',
	body: (...ids) => ({ groups: ids.map((id) => ({ id })) }),
};
const USERS: SetOfRecords = {
	path: '/customers/5/users',
	owner: { resource: 'customer', customerId: byId(5) },
	ids: 'userIds',
	body: (...ids) => ({ user_ids: ids }),
};

/** Has the tenant keep a set. It takes its time, so that requests meet. @returns what is attached */
function keeps({ path }: SetOfRecords, ...attached: number[]) {
	const state = { ids: attached };
	const shown = () => ({ data: state.ids.map((id) => ({ id, title: `Record ${id}` })) });
	const idsIn = (body: unknown): number[] =>
		(Object.values(body as object)[0] as Array<number | { id: number }>).map((one) =>
			typeof one === 'number' ? one : one.id,
		);
	tenant.answer({
		[`GET ${path}`]: async () => {
			const now = shown();
			await delay(20);
			return now;
		},
		[`POST ${path}`]: async ({ body }: Arrived) => {
			await delay(20);
			state.ids = idsIn(body);
			return shown();
		},
		...Object.fromEntries(
			attached.map((id) => [
				`DELETE ${path}/${id}`,
				() => {
					state.ids = state.ids.filter((one) => one !== id);
					return shown();
				},
			]),
		),
	});
	return state;
}

const ADDS: Array<[operation: string, set: SetOfRecords]> = [
	['addTags', OF_PROFILE],
	['addTags', OF_MEDIA],
	['addGroups', GROUPS],
	['addUsers', USERS],
];

const advanced = { maximumTries: 1, maximumInFlight: 10 };

const parametersOf = (operation: string, { owner, ids }: SetOfRecords, ...given: number[]) => ({
	...{ ...owner, operation, advanced },
	[ids]: given,
});

describe('executions that change one set at the same moment', () => {
	it.each(ADDS.map(([operation, set]) => [operation, set.path, set] as const))(
		'lose nothing: %s at %s',
		async (operation, _path, set) => {
			const state = keeps(set, 1);
			const runs = await Promise.all(
				[2, 3, 4].map(async (id) => await tenant.run(parametersOf(operation, set, id))),
			);
			expect(runs.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
			expect([...state.ids].sort()).toEqual([1, 2, 3, 4]);
			// Each read what the one before has written.
			const [GET, POST] = [`GET ${set.path}`, `POST ${set.path}`];
			expect(tenant.requests).toEqual([GET, POST, GET, POST, GET, POST]);
			const [, second, third, fourth] = state.ids;
			expect(tenant.bodies(POST)).toEqual([
				set.body(1, second),
				set.body(1, second, third),
				set.body(1, second, third, fourth),
			]);
			expect(runs.map(({ items }) => items[0].json[set.path.split('/')[3]])).toContainEqual(
				[1, second, third, fourth].map((id) => ({ id, title: `Record ${id}` })),
			);
		},
	);

	const OTHERS: Array<[operation: string, more: INodeParameters, left: number[], set: SetOfRecords]> = [
		['removeTag', { tagId: byId(1) }, [2, 3], OF_PROFILE],
		['removeTag', { tagId: byId(1) }, [2, 3], OF_MEDIA],
		['removeGroup', { groupId: byId(1) }, [2, 3], GROUPS],
		['setTags', { tagIds: [7] }, [7], OF_PROFILE],
		['setGroups', { groupIds: [7] }, [7], GROUPS],
		['setUsers', { userIds: [7] }, [7], USERS],
		['removeUsers', { userIds: [1] }, [2, 3], USERS],
	];
	it.each(OTHERS.map(([operation, more, left, set]) => [operation, set.path, more, left, set] as const))(
		'have %s wait for what is being added to %s',
		async (operation, _path, more, left, set) => {
			const state = keeps(set, 1, 2);
			const [add] = ADDS.find(([, one]) => one === set) ?? [''];
			const adding = tenant.run(parametersOf(add, set, 3));
			while (tenant.requests.length === 0) await delay(1);
			const other = await tenant.run({ ...set.owner, operation, advanced, ...more });
			expect([(await adding).error, other.error]).toEqual([undefined, undefined]);
			expect(tenant.requests.slice(0, 2)).toEqual([`GET ${set.path}`, `POST ${set.path}`]);
			expect(tenant.bodies(`POST ${set.path}`)[0]).toEqual(set.body(1, 2, 3));
			expect(state.ids).toEqual(left);
		},
	);

	it('send nothing for an execution that is stopped while it waits', async () => {
		const state = keeps(OF_PROFILE, 1);
		const WRITE = 'POST /profiles/5/tags';
		let goOn = () => {};
		const gate = new Promise<void>((resolve) => (goOn = resolve));
		const kept = tenant.answers;
		tenant.answer({
			...kept,
			[WRITE]: async (arrived, reply) => {
				await gate;
				return await kept[WRITE](arrived, reply);
			},
		});
		const adding = tenant.run(parametersOf('addTags', OF_PROFILE, 2));
		while (!tenant.requests.includes(WRITE)) await delay(1);
		let stop = () => {};
		const stopped = tenant.run(parametersOf('addTags', OF_PROFILE, 3), {
			onStart: (given) => (stop = given),
		});
		await delay(50);
		stop();
		goOn();
		await Promise.allSettled([adding, stopped]);
		const next = await tenant.run(parametersOf('addTags', OF_PROFILE, 4));
		expect(next.error).toBeUndefined();
		expect(state.ids).toEqual([1, 2, 4]);
		expect(tenant.requests).toEqual([...['GET /profiles/5/tags', WRITE], ...['GET /profiles/5/tags', WRITE]]);
		expect(tenant.bodies(WRITE)).toEqual([OF_PROFILE.body(1, 2), OF_PROFILE.body(1, 2, 4)]);
	});

	it('do not wait for one that failed', async () => {
		const state = keeps(OF_PROFILE, 1);
		const runs = await Promise.all([
			tenant.run(parametersOf('addTags', OF_PROFILE, 2)),
			tenant.run({ ...parametersOf('addTags', OF_PROFILE), tagIds: '={{ ["x"] }}' }),
			tenant.run(parametersOf('addTags', OF_PROFILE, 3)),
		]);
		expect(runs.map(({ error }) => error === undefined)).toEqual([true, false, true]);
		expect(state.ids).toEqual(expect.arrayContaining([1, 2, 3]));
	});
});
