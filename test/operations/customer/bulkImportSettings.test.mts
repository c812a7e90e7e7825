import { TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

it('the settings of the first item count for all rows of an import', async () => {
	const given = [
		{ keep: 'first', invalid: 'skipRow', existing: 'skip', out: 'rows' },
		{ keep: 'fail', invalid: 'fail', existing: 'override', out: 'summary', email: 'nobody' },
		{ keep: 'last', invalid: 'both', existing: 'both', out: 'both' },
	];
	const { items, error } = await tenant.run(
		{
			...{ resource: 'customer', operation: 'bulkImport' },
			columns: { mappingMode: 'autoMapInputData', value: null },
			...{ duplicates: '={{ $json.existing }}', invalidValues: '={{ $json.invalid }}' },
			...{ repeatedNumbers: '={{ $json.keep }}', output: '={{ $json.out }}' },
		},
		{
			items: given.map((more, index) => ({
				json: { displayId: `49171000000${index % 2}`, name: `Row ${index}`, ...more },
			})),
		},
	);
	expect(error).toBeUndefined();
	expect(tenant.sent().map(({ body }) => JSON.parse(body) as unknown)).toEqual([
		{
			duplicates: 'skip',
			customers: [{ channel: 'chatapp', display_id: '491710000000', name: 'Row 0', profile: {} }],
		},
	]);
	expect(items.map(({ json, pairedItem }) => [json.result, pairedItem])).toEqual([
		['created or updated', { item: 0 }],
		['not imported', { item: 1 }],
		['skipped', { item: 2 }],
	]);
});
