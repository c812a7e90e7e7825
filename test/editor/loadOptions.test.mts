import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { editorOf } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { TestTenant } from '../engine/tenant.mts';

const sandbox = TestTenant.inEachTest({ pageSize: 5 });
const tenant = OddTenant.inEachTest();

async function optionsOf(
	method: string,
	parameters: INodeParameters = {},
	{ credentials }: Pick<TestTenant, 'credentials'> = tenant,
): Promise<INodePropertyOptions[]> {
	const { methods, context } = await editorOf({ parameters, credentials });
	return (await methods.loadOptions?.[method].call(context)) ?? [];
}

const valuesOf = (options: INodePropertyOptions[]) => options.map(({ value }) => value);
const counted = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const named = (index: number): object => ({
	...{ id: index + 1, name: `N${index}`, title: `N${index}` },
	display_id: `49171${1_000_000 + index}`,
});

/** Answers with pages of a list. */
const pages = (total: number, pageSize: number, recordOf = named) =>
	tenant.answer(({ query }) => {
		const page = Number((query as { page?: string }).page ?? 1);
		const first = (page - 1) * pageSize;
		const count = Math.max(0, Math.min(pageSize, total - first));
		const data = Array.from({ length: count }, (_, index) => recordOf(first + index));
		return { data, current_page: page, last_page: Math.ceil(total / pageSize) };
	});

const only = (count: string) => ({
	name: `Only the first ${count} are listed: give others by expression`,
	value: '',
});

it.each([
	['getActivityTypes', 'marketing_opt_in'],
	['getChannels', 'chatapp'],
	['getCustomers', 101],
	['getGroups', 61],
	['getTags', 41],
	['getLanguages', 'en_US'],
	['getUsers', 1],
])('%s holds %s', async (method, value) => {
	expect(valuesOf(await optionsOf(method, {}, sandbox))).toContain(value);
});

it.each([0, 1, 1000])('a list of %i is complete, and says nothing', async (count) => {
	pages(count, 100);
	expect(valuesOf(await optionsOf('getTags'))).toEqual(counted(count));
});

it.each(['getUsers', 'getTags', 'getGroups'])(
	'%s says first when it is cut, at 100 pages',
	async (method) => {
		pages(10_000, 5);
		const [notice, ...others] = await optionsOf(method);
		expect(notice).toEqual(only('500'));
		expect(valuesOf(others)).toEqual(counted(500));
		expect(tenant.asked).toHaveLength(100);
	},
);

describe('the customers of a bulk delete', () => {
	const bulkDelete = { resource: 'customer', operation: 'bulkDelete' };

	it('are one page of 194, and take one request', async () => {
		pages(194, 15);
		const [notice, ...others] = await optionsOf('getCustomers', bulkDelete);
		expect(notice).toEqual(only('15'));
		expect(valuesOf(others)).toEqual(counted(15));
		expect(tenant.asked).toEqual(['GET /third-party/v1/customers']);
	});

	it('are all of a short list, without a notice', async () => {
		pages(15, 15);
		expect(valuesOf(await optionsOf('getCustomers', bulkDelete))).toEqual(counted(15));
	});

	it('are those that are found by a part of the name, or by the number, with one request', async () => {
		const asked = (findCustomers: string) =>
			optionsOf('getCustomers', { ...bulkDelete, findCustomers }, sandbox);
		expect(await asked('jonas')).toEqual([
			{ name: expect.stringContaining('Jonas Sample') as string, value: 102 },
		]);
		expect(sandbox.sandbox.requests().map(({ path }) => path)).toEqual(['/third-party/v1/profiles']);
		expect(valuesOf(await asked('+49 170 0000002'))).toEqual([102]);
	});

	it('are the chosen ones too, by name, which takes a request for each that is not listed', async () => {
		const options = await optionsOf(
			'getCustomers',
			{ ...bulkDelete, findCustomers: 'jonas', customerIds: [102, 101, 9_999_999] },
			sandbox,
		);
		expect(options).toEqual([
			{ name: expect.stringContaining('Mira Example') as string, value: 101 },
			{ name: '9999999', value: 9_999_999 },
			{ name: expect.stringContaining('Jonas Sample') as string, value: 102 },
		]);
	});

	it('are named by at most twenty requests', async () => {
		pages(15, 15);
		const customerIds = counted(1000);
		expect(valuesOf(await optionsOf('getCustomers', { ...bulkDelete, customerIds })).toSorted()).toEqual(
			customerIds.toSorted(),
		);
		expect(tenant.asked).toHaveLength(21);
	});

	it.each([['={{ $json.ids }}'], [[null, {}, '']]])('chosen as %j are none', async (customerIds) => {
		pages(15, 15);
		expect(
			await optionsOf('getCustomers', { ...bulkDelete, customerIds: customerIds as never }),
		).toHaveLength(15);
	});
});

it('the fields to sort by are listed without a request, in the order of the alphabet', async () => {
	const options = await optionsOf('getSortFields');
	const known = ['name', 'email', 'custom_1', 'phone_number', 'id', 'updated_at'];
	expect(valuesOf(options)).toEqual(expect.arrayContaining(known));
	const names = options.map(({ name }) => name);
	expect(names).toEqual(names.toSorted());
	expect(tenant.asked).toEqual([]);
});
