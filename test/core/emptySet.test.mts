import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type NodeRunOptions, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = OddTenant.inEachTest();

/** Bodies of the writes of this test. */
let written: unknown[];

beforeEach(() => {
	written = [];
	tenant.answer(({ method, body }) => {
		if (method !== 'GET') written.push(body);
		return { data: method === 'GET' ? [{ id: 1, title: 'VIP', name: 'VIP' }] : { id: 5 } };
	});
});

const run = async (parameters: object, options: Partial<NodeRunOptions> = {}) =>
	await runNode({
		credentials: tenant.credentials,
		...options,
		parameters: { advanced: { maximumTries: 1 }, ...parameters } as INodeParameters,
	});

describe.each<[string, INodeParameters, string, string]>([
	['profile tags', { resource: 'profile', operation: 'setTags', profileId: byId(5) }, 'tagIds', 'tags'],
	[
		'profile groups',
		{ resource: 'profile', operation: 'setGroups', profileId: byId(5) },
		'groupIds',
		'groups',
	],
	[
		'customer users',
		{ resource: 'customer', operation: 'setUsers', customerId: byId(5) },
		'userIds',
		'user_ids',
	],
	['media tags', { resource: 'media', operation: 'setTags', mediaId: byId(5) }, 'tagIds', 'tags'],
])('the set of %s', (_what, parameters, field, member) => {
	it.each([[], '', '={{ [] }}', '={{ "" }}', '={{ "[]" }}'])(
		'that is %j fails, unless Remove All is chosen',
		async (value) => {
			for (const ifEmpty of [{}, { ifEmpty: 'fail' }, { ifEmpty: '={{ "fail" }}' }]) {
				const { error } = await run({ ...parameters, [field]: value, ...ifEmpty });
				expect(error?.message).toMatch(
					/would detach everything, because the set is empty; nothing was changed$/,
				);
				expect(error?.description).toContain('set If Empty to Remove All');
			}
			expect(written).toEqual([]);
			const { items, error } = await run({ ...parameters, [field]: value, ifEmpty: 'removeAll' });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(written).toEqual([{ [member]: [] }]);
		},
	);

	it.each([
		'={{ undefined }}',
		'={{ null }}',
		'={{ $json.nothing }}',
		'={{ " " }}',
		'={{ ", ," }}',
		'={{ [null] }}',
		'={{ [""] }}',
		'={{ [{}] }}',
		'={{ {} }}',
		'={{ false }}',
		'={{ NaN }}',
		'={{ "undefined" }}',
	])('that is %s removes nothing, even with Remove All', async (value) => {
		for (const ifEmpty of ['fail', 'removeAll'])
			expect((await run({ ...parameters, [field]: value, ifEmpty })).error).toBeDefined();
		expect(written).toEqual([]);
	});

	it('that is not empty is written with Remove All as without', async () => {
		for (const ifEmpty of ['fail', 'removeAll']) await run({ ...parameters, [field]: [1], ifEmpty });
		expect(written).toHaveLength(2);
		expect(written[0]).toEqual(written[1]);
		expect(JSON.stringify(written[0])).toContain('1');
	});

	it('is not emptied where If Empty is something else', async () => {
		for (const ifEmpty of ['={{ "everything" }}', '={{ true }}', '={{ undefined }}', '={{ "Remove All" }}'])
			await run({ ...parameters, [field]: [], ifEmpty });
		expect(written).toEqual([]);
	});

	it('fails for its own item only', async () => {
		const { items } = await run(
			{ ...parameters, [field]: '={{ $json.set }}' },
			{
				items: [[1], [], undefined, [1]].map((set) => ({ json: { set } as IDataObject })),
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ json, pairedItem }) => ['error' in json, pairedItem])).toEqual(
			[false, true, true, false].map((failed, item) => [failed, { item }]),
		);
		expect(written).toHaveLength(2);
	});
});

describe('both fields of a set of tags', () => {
	const setTags = { resource: 'profile', operation: 'setTags', profileId: byId(5), ifEmpty: 'removeAll' };

	it.each<[object]>([
		[{ tagIds: [1], tags: '={{ undefined }}' }],
		[{ tagIds: '={{ undefined }}', tags: 'VIP' }],
		[{ tagIds: [], tags: '={{ undefined }}' }],
		[{ tagIds: '={{ $json.ids }}', tags: '' }],
		[{ tagIds: '={{ [] }}', tags: '={{ null }}' }],
	])('%j, of which one is missing, remove nothing', async (fields) => {
		expect((await run({ ...setTags, ...fields })).error).toBeDefined();
		expect(written).toEqual([]);
	});

	it('make the set together', async () => {
		await run({ ...setTags, tagIds: [1], tags: 'New' });
		const tags = [
			{ id: 1, title: null },
			{ id: null, title: 'New' },
		];
		expect(written).toEqual([{ tags }]);
	});
});
