import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

describe('a group', () => {
	const one = async (operation: string, parameters: IDataObject) => {
		tenant.sandbox.clearRequests();
		const groupId = byId(61);
		const run = await tenant.run({ resource: 'group', operation, groupId, ...parameters } as INodeParameters);
		return { error: run.error, bodies: tenant.sent().map(({ body }) => body) };
	};
	const rows = (...fields: Array<[string, unknown]>) => ({
		field: fields.map(([name, value]) => ({ name, value })),
	});

	it.each(['create', 'update'])('has a name (%s)', async (operation) => {
		expect((await one(operation, { name: ' Regulars ' })).bodies).toEqual(['{"name":"Regulars"}']);
	});

	it.each(['create', 'update'])('goes out by Other Fields alone (%s)', async (operation) => {
		const { bodies } = await one(operation, { fields: rows(['name', 'Old'], ['lead', 'Jo']) });
		expect(bodies).toEqual(['{"name":"Old","lead":"Jo"}']);
	});

	it.each(['create', 'update'])('has what workflows have stored as its fields (%s)', async (operation) => {
		const fields = { field: [{ name: 'title', value: 'x' }] };
		expect((await one(operation, { fields })).bodies).toEqual(['{"title":"x"}']);
	});

	it('has the name of Other Fields, and keeps its own before JSON', async () => {
		expect((await one('create', { name: 'form', fields: rows(['name', 'rows']) })).bodies).toEqual([
			'{"name":"rows"}',
		]);
		const options = { fieldsJson: '{"name":"json"}' };
		expect((await one('create', { name: 'form', options })).bodies).toEqual(['{"name":"form"}']);
	});

	it.each(['', '={{ $json.missing }}', '={{ null }}', '={{ [] }}'])(
		'keeps its name in an update whose name is %j, also where Empty Cells clears',
		async (name) => {
			const fields = rows(['lead', 'Jo']);
			expect((await one('update', { name, fields })).bodies).toEqual(['{"lead":"Jo"}']);
			const clearing = { name, fields, options: { emptyCells: 'clear' } };
			expect((await one('update', clearing)).bodies).toEqual(['{"lead":"Jo"}']);
		},
	);

	it.each<[INodeParameters, string]>([
		[{ name: '={{ 5 }}' }, '{"name":"5"}'],
		[{ name: 'a', options: { fieldsJson: '{"color":"red"}' } }, '{"name":"a","color":"red"}'],
		[{ options: { fieldsJson: '{"name":null,"x":[1]}' } }, '{"x":[1]}'],
		[{ options: { fieldsJson: '{"name":null,"x":[1]}', emptyCells: 'clear' } }, '{"name":null,"x":[1]}'],
	])('goes out with %j', async (parameters, body) => {
		expect((await one('update', parameters)).bodies).toEqual([body]);
		expect(tenant.sent()).toMatchObject([{ method: 'PATCH', path: '/third-party/v1/groups/61' }]);
	});

	it.each([{}, { name: '' }, { name: '', options: { fieldsJson: '{}' } }])(
		'is not written with %j',
		async (parameters) => {
			for (const operation of ['create', 'update']) {
				const { error, bodies } = await one(operation, parameters);
				expect(error?.message).toMatch(/\w+ \w+/);
				expect(bodies).toEqual([]);
			}
		},
	);

	it('without a name is refused by the tenant under that name', async () => {
		const { error } = await one('create', { fields: rows(['lead', 'Jo']) });
		expect(error?.message).toBe('Name: A group needs a name.');
	});
});
