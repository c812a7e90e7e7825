import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import { labelOf, numbersTold } from '../../description/labels.mts';
import { inOrder, refusal, ScriptedTenant } from '../../engine/scriptedTenant.mts';
import { WAY_ON } from '../../engine/wayOn.mts';

const tenant = ScriptedTenant.inEachTest();

const DELETE = 'POST /customers/bulk-delete';

const bulkDelete = { resource: 'customer', operation: 'bulkDelete', customerIds: '={{ $json.ids }}' };

const done = () => ({ data: [] });

/** So many IDs, counted from one. */
const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

const withIds = (...ids: unknown[]): INodeExecutionData[] =>
	ids.map((one) => ({ json: { ids: one } as IDataObject }));

/** The items that went in from which one came out. */
const linkedItems = ({ pairedItem }: INodeExecutionData) => [
	...new Set((pairedItem as IPairedItemData[]).map(({ item }) => item)),
];

const sentIds = () => tenant.bodies(DELETE).map(({ ids }) => ids as number[]);

beforeEach(() => tenant.answer({ [DELETE]: done }));

describe('which customers are deleted', () => {
	it.each<[string, INodeExecutionData[], number[]]>([
		['one ID of each item', withIds(5, 3, 4), [5, 3, 4]],
		['a list in one item', withIds([5, 3, 4]), [5, 3, 4]],
		['a record that names itself', withIds({ id: 5, customer_id: '5' }), [5]],
		['the same one in one item', withIds([5, 5, '5', { id: 5 }]), [5]],
		['the same one in several items', withIds([5, 3], 5, [4, 3], '3,6'), [5, 3, 4, 6]],
		['none in some items', withIds('', [], '[]', 5), [5]],
	])('%s, each once, in their order', async (_what, items, ids) => {
		const { error } = await tenant.run(bulkDelete, { items });
		expect(error).toBeUndefined();
		expect(tenant.arrived).toEqual([{ request: DELETE, body: { ids } }]);
	});

	it('those chosen from the list', async () => {
		await tenant.run({ ...bulkDelete, customerIds: [8, 9] });
		expect(tenant.arrived).toEqual([{ request: DELETE, body: { ids: [8, 9] } }]);
	});

	it('none, and the tenant is not asked, where no items name any', async () => {
		const { items: given, error } = await tenant.run(bulkDelete, { items: withIds('', []) });
		expect(error).toBeUndefined();
		expect(given).toEqual([]);
		expect(tenant.requests).toEqual([]);
	});

	it.each<[string, unknown, string]>([
		['a word', 'Nathan', 'Nathan'],
		['a negative number', [4, -5], '-5'],
		['a record without an ID', [{ name: 'Jo' }], '{"name":"Jo"}'],
		['null in a list', [null], 'null'],
	])('none at all when one item holds %s', async (_what, wrong, named) => {
		const { error } = await tenant.run(bulkDelete, { items: withIds(3, 7, wrong) });
		expect(error).toMatchObject({
			message: `${await labelOf('customerIds')} contains "${named}", which is not an ID`,
			context: { itemIndex: 2 },
		});
		expect(tenant.requests).toEqual([]);
	});
});

it.each([
	['undefined', { json: {} }],
	['null', { json: { ids: null } }],
])('nobody is deleted when the customers of an item are %s', async (_what, item) => {
	const { error } = await tenant.run(bulkDelete, { items: [...withIds(3), item] });
	expect(error).toMatchObject({ message: 'Customer Names or IDs is empty', context: { itemIndex: 1 } });
	expect(tenant.requests).toEqual([]);
});

it('a profile, whose ID is another than that of its customer, deletes nobody', async () => {
	const items = withIds(3, [{ id: 99, customer_id: 7 }]);
	const { error } = await tenant.run(bulkDelete, { items });
	expect(error).toMatchObject({
		message:
			'Customer Names or IDs contains a record with the ID 99 that belongs to customer 7, such as a profile',
		context: { itemIndex: 1 },
	});
	expect(tenant.requests).toEqual([]);
});

it.each([
	['1,234', '1,234'],
	['5; 1,234', '1,234'],
])('%j, as a sheet shows one ID, deletes nobody', async (given, grouped) => {
	const { error } = await tenant.run(bulkDelete, { items: withIds(3, given) });
	expect(error).toMatchObject({
		message: `${await labelOf('customerIds')} contains "${grouped}", which may be one ID or several`,
		description: `Write one ID as 1234, and several as 1, 234.${WAY_ON}`,
		context: { itemIndex: 1 },
	});
	expect(tenant.requests).toEqual([]);
});

describe('the ID of a profile, where its customer’s is meant', () => {
	const PROBLEM =
		"Customer Names or IDs is 71, the ID of the item's own record, such as a profile; its customer_id is 7";

	it.each([
		['by itself', '={{ $json.id }}'],
		['in a list', '={{ [3, $json.id] }}'],
		['as text', '={{ $json.id }}, 3'],
	])('deletes nobody, also in one item of many: %s', async (_how, customerIds) => {
		const { error } = await tenant.run(
			{ ...bulkDelete, customerIds },
			{ items: [{ json: { id: 5, customer_id: 5 } }, { json: { id: 71, customer_id: 7 } }] },
		);
		expect(error).toMatchObject({
			message: PROBLEM,
			description: `Use {{ $json.customer_id }} in place of {{ $json.id }}.${WAY_ON}`,
			context: { itemIndex: 1 },
		});
		expect(tenant.requests).toEqual([]);
	});

	it('is an error item with Continue, and the others are deleted', async () => {
		const { items } = await tenant.run(
			{ ...bulkDelete, customerIds: '={{ $json.id }}' },
			{
				items: [{ json: { id: 71, customer_id: 7 } }, { json: { id: 5 } }],
				onError: 'continueRegularOutput',
			},
		);
		expect(sentIds()).toEqual([[5]]);
		expect(items).toMatchObject([
			{ json: { ids: [5] } },
			{ json: { error: PROBLEM }, pairedItem: { item: 0 } },
		]);
	});

	it('is no mistake where the ID was chosen, the customer_id is no ID, or a list has both', async () => {
		await tenant.run({ ...bulkDelete, customerIds: [71] }, { items: [{ json: { id: 71, customer_id: 7 } }] });
		await tenant.run(
			{ ...bulkDelete, customerIds: '={{ $json.id }}' },
			{ items: [{ json: { id: 71, customer_id: 'K-7' } }] },
		);
		await tenant.run(
			{ ...bulkDelete, customerIds: '={{ [7, 71, 20] }}' },
			{ items: [{ json: { id: 71, customer_id: 7 } }] },
		);
		expect(sentIds()).toEqual([[71], [71], [7, 71, 20]]);
	});
});

describe('with Continue', () => {
	it('an item without usable IDs is an error item, and the others are deleted', async () => {
		const { items } = await tenant.run(bulkDelete, {
			items: withIds(4, 'Jo', 5),
			onError: 'continueRegularOutput',
		});
		expect(sentIds()).toEqual([[4, 5]]);
		expect(items).toMatchObject([
			{ json: { ids: [4, 5], deleted: true }, pairedItem: [{ item: 0 }, { item: 2 }] },
			{ json: { error: 'Customer Names or IDs contains "Jo", which is not an ID' }, pairedItem: { item: 1 } },
		]);
	});

	it('each item is an error item when their number is not confirmed', async () => {
		const { items } = await tenant.run(bulkDelete, {
			items: withIds(idsFrom(1, 1000), 1001),
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
			[0, 1].map((item) => ['1001 customers would be deleted; nothing was deleted', { item }]),
		);
		expect(tenant.requests).toEqual([]);
	});
});

describe('what comes out', () => {
	it('one item for each request, linked to the items that name its customers, also again', async () => {
		const { items } = await tenant.run(bulkDelete, { items: withIds(idsFrom(1, 499), 1, 500, 501) });
		expect(items.map(({ json }) => json)).toEqual([
			{ ids: idsFrom(1, 500), deleted: true },
			{ ids: [501], deleted: true },
		]);
		expect(items.map(linkedItems)).toEqual([[0, 1, 2], [3]]);
	});
});

describe('the confirmation', () => {
	it('is needed for more than the parameter tells', async () => {
		expect(await numbersTold('confirmedCount')).toEqual([1000]);
	});

	const items = (count: number) => withIds(idsFrom(1, count - 1), count);

	it.each<[string, number, unknown, boolean]>([
		['1,000 without a number', 1000, undefined, true],
		['1,000 with another number', 1000, 3, true],
		['1,001 without a number', 1001, undefined, false],
		['1,001 with 0', 1001, 0, false],
		['1,001 with one less', 1001, 1000, false],
		['1,001 with one more', 1001, 1002, false],
		['1,001 with their number', 1001, 1001, true],
		['1,001 with their number as text', 1001, '={{ "1001" }}', true],
	])('%s', async (_what, count, confirmedCount, isDone) => {
		const { error } = await tenant.run(
			{ ...bulkDelete, ...(confirmedCount !== undefined && { confirmedCount: confirmedCount as number }) },
			{ items: items(count) },
		);
		expect(error?.message).toBe(
			isDone ? undefined : `${count} customers would be deleted; nothing was deleted`,
		);
		expect(sentIds().flat()).toHaveLength(isDone ? count : 0);
	});

	it('counts a customer named twice once', async () => {
		const twice = withIds(idsFrom(1, 1000), idsFrom(1, 1000));
		const { error } = await tenant.run(bulkDelete, { items: twice });
		expect(error).toBeUndefined();
		expect(sentIds().flat()).toHaveLength(1000);
	});

	it.each([
		[-5, '-5 is less than 0'],
		[1.5, '"1.5" is not a whole number'],
	])('%j is no number of customers', async (confirmedCount, problem) => {
		const { error } = await tenant.run({ ...bulkDelete, confirmedCount }, { items: items(2) });
		expect(error?.message).toBe(`${await labelOf('confirmedCount')} ${problem}`);
		expect(tenant.requests).toEqual([]);
	});

	it('says which number to enter', async () => {
		const { error } = await tenant.run(bulkDelete, { items: items(1001) });
		expect(error?.description).toBe(
			`More than 1000 are only deleted when their number is confirmed: enter 1001 as ${await labelOf('confirmedCount')}.`,
		);
	});
});

describe('a request that fails', () => {
	/** One item that fills the first request, some that name nobody, and four with a customer each. */
	const items = withIds(idsFrom(1, 500), '', '', '', 501, '', '', 502, 503, 504);

	it('does not keep the later ones from being sent', async () => {
		tenant.answer({ [DELETE]: inOrder(done, refusal(422, 'No such customer'), done) });
		const { error } = await tenant.run(
			{ ...bulkDelete, confirmedCount: 1200 },
			{ items: withIds(...idsFrom(1, 1200)) },
		);
		expect(sentIds().map((ids) => ids.length)).toEqual([500, 500, 200]);
		expect(error).toMatchObject({ message: '500 of 1200 records failed', context: { itemIndex: 500 } });
		expect(error?.description).toMatch(/^Items 500 to 999: No such customer\n/);
		expect(error?.description).toMatch(
			/\nThe other requests were carried out: items 0 to 499, 1000 to 1199\.$/,
		);
	});

	it('names an item with several customers once', async () => {
		tenant.answer({ [DELETE]: refusal(422, 'No such customer') });
		const { error } = await tenant.run(bulkDelete, { items: withIds([4, 5, 6], [7, 8]) });
		expect(error?.message).toBe('5 of 5 records failed');
		expect(error?.description).toMatch(/^Items 0 to 1: No such customer\n/);
		const { items: given } = await tenant.run(bulkDelete, {
			items: withIds([4, 5, 6], [7, 8]),
			onError: 'continueRegularOutput',
		});
		expect(given.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('gives with Continue an item with the error for each of its customers, and the results of the others', async () => {
		tenant.answer({ [DELETE]: inOrder(done, refusal(422, 'No such customer')) });
		const { items: given, error } = await tenant.run(bulkDelete, { items, onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		expect(given[0].json).toEqual({ ids: idsFrom(1, 500), deleted: true });
		expect(given.slice(1)).toEqual(
			[4, 7, 8, 9].map((item) => ({
				json: { error: 'No such customer', details: { description: expect.stringContaining('HTTP 422') } },
				pairedItem: { item },
			})),
		);
	});

	it('goes to the error output with the fields of its items', async () => {
		tenant.answer({ [DELETE]: inOrder(done, refusal(422, 'No such customer')) });
		const { items: given, errorItems } = await tenant.run(bulkDelete, {
			items,
			onError: 'continueErrorOutput',
		});
		expect(given).toHaveLength(1);
		expect(errorItems).toMatchObject([
			{ json: { ids: 501, error: 'No such customer' }, pairedItem: { item: 4 } },
			{ json: { ids: 502 }, pairedItem: { item: 7 } },
			{ json: { ids: 503 }, pairedItem: { item: 8 } },
			{ json: { ids: 504 }, pairedItem: { item: 9 } },
		]);
	});

	it('is not sent again, since nobody knows how far it came', async () => {
		tenant.answer({ [DELETE]: refusal(500) });
		const { error } = await tenant.run(
			{ ...bulkDelete, advanced: { maximumTries: 5 } },
			{ items: withIds(4) },
		);
		expect(error?.message).toBe('1 of 1 records failed');
		expect(error?.description).toMatch(/^Item 0: /);
		expect(tenant.requests).toEqual([DELETE]);
	});
});
