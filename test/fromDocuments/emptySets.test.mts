import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import { type NodeRunOptions, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';
import { generation } from '../n8n/generation.mts';

/** What n8n says before the run. n8n 1 names no parameter. */
const refusalOf = (said: RegExp) => (generation === 1 ? /The workflow has issues/ : said);

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

const run = async (parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) =>
	await runNode({
		credentials: tenant.credentials,
		...options,
		parameters: { requestLimits: { maximumTries: 1 }, ...parameters },
	});

const SETS: Array<[string, INodeParameters, string]> = [
	['profile tags', { resource: 'profile', operation: 'setTags', profileId: byId(5) }, 'tagIds'],
	['profile groups', { resource: 'profile', operation: 'setGroups', profileId: byId(5) }, 'groupIds'],
	['customer users', { resource: 'customer', operation: 'setUsers', customerId: byId(5) }, 'userIds'],
	['media tags', { resource: 'media', operation: 'setTags', mediaId: byId(5) }, 'tagIds'],
];

const EMPTY: unknown[] = [[], '', '={{ [] }}', '={{ "" }}', '={{ "[]" }}', '={{ [].filter(Boolean) }}'];
const MISSING: unknown[] = [
	'={{ undefined }}',
	'={{ null }}',
	'={{ $json.nothing }}',
	'={{ $json.no?.thing }}',
	'={{ " " }}',
	'={{ ", ," }}',
	'={{ [null] }}',
	'={{ [undefined] }}',
	'={{ [""] }}',
	'={{ [{}] }}',
	'={{ {} }}',
	'={{ false }}',
	'={{ NaN }}',
	'={{ "undefined" }}',
	'={{ "null" }}',
];

describe.each(SETS)('the set of %s', (_what, parameters, field) => {
	it.each(EMPTY)('that is %j fails unless Remove All is chosen', async (value) => {
		for (const ifEmpty of [undefined, 'fail', '={{ "fail" }}']) {
			const { error } = await run({
				...parameters,
				[field]: value,
				...(ifEmpty && { ifEmpty }),
			} as INodeParameters);
			expect(error?.message).toMatch(/empty|no value|nothing/i);
			expect(`${error?.message} ${error?.description}`).toContain('Remove All');
		}
		expect(written).toEqual([]);
	});

	it.each(MISSING)('that is %j removes nothing, even with Remove All', async (value) => {
		for (const ifEmpty of ['fail', 'removeAll']) {
			const { error } = await run({ ...parameters, [field]: value, ifEmpty } as INodeParameters);
			expect(error?.message).toEqual(expect.any(String));
		}
		expect(written).toEqual([]);
	});

	it('is emptied with Remove All, and one item comes out', async () => {
		const { items, error } = await run({ ...parameters, [field]: '={{ [] }}', ifEmpty: 'removeAll' });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(written).toHaveLength(1);
		expect(Object.values(written[0] as IDataObject)).toEqual([[]]);
	});

	it('that is not empty is written with Remove All as without', async () => {
		for (const ifEmpty of ['fail', 'removeAll']) await run({ ...parameters, [field]: [1], ifEmpty });
		expect(written).toHaveLength(2);
		expect(written[0]).toEqual(written[1]);
		expect(JSON.stringify(written[0])).toContain('1');
	});

	it.each<unknown>([
		'={{ "everything" }}',
		'={{ true }}',
		'={{ undefined }}',
		'={{ "Remove All" }}',
		'={{ null }}',
	])('is not emptied where If Empty is %j', async (ifEmpty) => {
		await run({ ...parameters, [field]: [], ifEmpty } as INodeParameters);
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

	it.each<[INodeParameters, unknown]>([
		[{ tagIds: [1], tags: '={{ undefined }}' }, undefined],
		[{ tagIds: '={{ undefined }}', tags: 'VIP' }, undefined],
		[{ tagIds: [], tags: '={{ undefined }}' }, undefined],
		[{ tagIds: '={{ $json.ids }}', tags: '' }, undefined],
		[{ tagIds: '={{ [] }}', tags: '={{ null }}' }, undefined],
	])('%j, of which one is missing, removes nothing', async (fields) => {
		const { error } = await run({ ...setTags, ...fields });
		expect(error?.message).toEqual(expect.any(String));
		expect(written).toEqual([]);
	});

	it('make the set together', async () => {
		await run({ ...setTags, tagIds: [1], tags: 'New' });
		expect(written).toEqual([
			{
				tags: [
					{ id: 1, title: null },
					{ id: null, title: 'New' },
				],
			},
		]);
	});
});

describe('Set Marketing Consent', () => {
	const consent = (optIn?: unknown) =>
		({
			...{ resource: 'profile', operation: 'setConsent', profileId: byId(5) },
			...(optIn !== undefined && { optIn }),
		}) as INodeParameters;

	it.each<unknown>([undefined, ''])('with %j is not run at all', async (optIn) => {
		await expect(run(consent(optIn))).rejects.toThrow(refusalOf(/Marketing Consent/));
		expect(tenant.asked).toEqual([]);
	});

	it.each<unknown>([
		'={{ undefined }}',
		'={{ null }}',
		'={{ $json.optIn }}',
		'={{ "" }}',
		'={{ " " }}',
		'={{ "maybe" }}',
		'={{ 2 }}',
		'={{ -1 }}',
		'={{ NaN }}',
		'={{ [] }}',
		'={{ [false] }}',
		'={{ {} }}',
		'={{ "undefined" }}',
		'={{ "null" }}',
		'={{ "truee" }}',
	])('with %j neither gives nor withdraws', async (optIn) => {
		const { error } = await run(consent(optIn));
		expect(error?.message).toMatch(/Marketing Consent/);
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		expect(tenant.asked).toEqual([]);
	});

	it.each<[unknown, boolean]>([
		[true, true],
		[false, false],
		['={{ true }}', true],
		['={{ false }}', false],
		['={{ 1 }}', true],
		['={{ 0 }}', false],
		['={{ "yes" }}', true],
		['={{ "no" }}', false],
		['={{ "Ja" }}', true],
		['={{ "NEIN" }}', false],
		['={{ "on" }}', true],
		['={{ "off" }}', false],
		['={{ " true " }}', true],
		['={{ "False" }}', false],
	])('with %j is %s', async (optIn, sent) => {
		const { error } = await run(consent(optIn));
		expect(error).toBeUndefined();
		expect(written).toEqual([{ opt_in: sent }]);
	});

	it.each<[unknown, boolean]>([
		['={{ "Given" }}', true],
		['={{ "given" }}', true],
		['={{ "Withdrawn" }}', false],
		['={{ "withdrawn" }}', false],
	])('with its own word %j is what it says, or an error', async (optIn, sent) => {
		const { error } = await run(consent(optIn));
		expect(written).toEqual(error ? [] : [{ opt_in: sent }]);
	});

	it.each<unknown>([undefined, null, '', 'perhaps', {}, []])(
		'as a tool records nothing for %j',
		async (optIn) => {
			const call = await agentTool({
				credentials: tenant.credentials,
				parameters: {
					...consent("={{ $fromAI('consent', '', 'boolean') }}"),
					requestLimits: { maximumTries: 1 },
				},
			});
			await expect(call({ consent: optIn } as IDataObject)).rejects.toThrow();
			expect(written).toEqual([]);
		},
	);

	it('as a tool takes true and false', async () => {
		const call = await agentTool({
			credentials: tenant.credentials,
			parameters: consent("={{ $fromAI('consent', '', 'boolean') }}"),
		});
		await call({ consent: true });
		await call({ consent: false });
		expect(written).toEqual([{ opt_in: true }, { opt_in: false }]);
	});
});

describe.each<[string, INodeParameters]>([
	['Update', { resource: 'profile', operation: 'update', profileId: byId(5), updateFields: {} }],
	[
		'Create or Update',
		{
			resource: 'customer',
			operation: 'upsert',
			displayId: '+49 170 0000001',
			name: 'Jo',
			additionalFields: {},
		},
	],
])('the consent of %s', (_what, parameters) => {
	const collection = 'updateFields' in parameters ? 'updateFields' : 'additionalFields';

	it.each<unknown>(['={{ "maybe" }}', '={{ 2 }}', '={{ {} }}', '={{ "" + undefined }}'])(
		'that is %j is no withdrawal',
		async (marketingOptIn) => {
			const { error } = await run({ ...parameters, [collection]: { marketingOptIn } } as INodeParameters);
			expect(error?.message).toEqual(expect.any(String));
			expect(written).toEqual([]);
		},
	);

	it.each<unknown>(['={{ undefined }}', '={{ null }}', '={{ "" }}'])(
		'that is %j is not sent',
		async (marketingOptIn) => {
			await run({ ...parameters, [collection]: { marketingOptIn, address: 'Berlin' } } as INodeParameters);
			expect(JSON.stringify(written)).not.toContain('marketing_opt_in');
		},
	);
});
