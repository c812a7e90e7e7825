import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { editorOf } from '../../engine/engine.mts';

async function optionsOf(method: string, parameters: INodeParameters): Promise<INodePropertyOptions[]> {
	const { methods, context } = await editorOf({ parameters, credentials: {} });
	return (await methods.loadOptions?.[method].call(context)) ?? [];
}

const sortedBy = (...fields: unknown[]) => ({
	resource: 'profile',
	operation: 'getAll',
	filters: { orderBy: { sort: fields.map((field) => ({ field, direction: 'asc' })) } } as never,
});

describe('the fields to sort by', () => {
	it('are listed without a request', async () => {
		const options = await optionsOf('getSortFields', sortedBy());
		expect(options.map(({ value }) => value)).toEqual(
			expect.arrayContaining(['name', 'email', 'custom_1', 'phone_number', 'id', 'updated_at']),
		);
		expect(options.map(({ name }) => name)).toEqual(options.map(({ name }) => name).toSorted());
	});

	it('hold those that the workflow has stored, once, so that the editor shows them', async () => {
		const before = await optionsOf('getSortFields', sortedBy());
		const options = await optionsOf('getSortFields', sortedBy('loyalty_points', 'name', '', 7, '={{ 1 }}'));
		expect(options).toContainEqual({ name: 'loyalty_points', value: 'loyalty_points' });
		expect(options).toHaveLength(before.length + 1);
	});

	it.each([{}, { filters: null }, { filters: { orderBy: 'name' } }, { filters: { orderBy: { sort: 'x' } } }])(
		'are there beside odd parameters: %j',
		async (odd) => {
			expect(await optionsOf('getSortFields', odd as never)).toHaveLength(14);
		},
	);
});
