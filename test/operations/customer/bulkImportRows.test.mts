import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeRunOptions } from '../../engine/engine.mts';
import { brokenOff, refusal, ScriptedTenant } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const IMPORT = 'POST /customers/bulk-import';

const answer = (data: unknown) => tenant.answer({ [IMPORT]: () => ({ data }) });
const counts = (created_count: number, updated_count: number, skipped_count: number) =>
	answer({ created_count, updated_count, skipped_count });

const row = (index: number, more: IDataObject = {}): IDataObject => ({
	...{ displayId: `+49 171 000000${index}`, name: `Row ${index}` },
	...more,
});

const importing = async (
	given: IDataObject[],
	more: INodeParameters = {},
	options: Partial<NodeRunOptions> = {},
) =>
	await tenant.run(
		{
			...{ resource: 'customer', operation: 'bulkImport' },
			columns: { mappingMode: 'autoMapInputData', value: null },
			...more,
		},
		{ items: given.map((json) => ({ json })), ...options },
	);

/** A good row, one without its email, one that cannot be imported, and one that comes twice. */
const mixed = [
	row(1),
	row(2, { email: 'nobody', date_of_birth: '31.02.1990' }),
	row(3, { displayId: '0171 3', email: 'nobody' }),
	row(4),
	row(4, { name: ' Again ' }),
	{ Telefon: '', Name: '', Notiz: 'empty' },
];

const EMAIL = 'Email "nobody" is not an email address';
const TWICE = 'Phone Number 491710000004 is also that of line 6';

const told: Array<IDataObject & { row: IDataObject }> = [
	{ line: 2, name: 'Row 1', number: '491710000001', result: 'created or updated', reason: '', row: mixed[0] },
	{
		...{ line: 3, name: 'Row 2', number: '491710000002', result: 'created or updated' },
		reason: `Left out: ${EMAIL}; Date of Birth "31.02.1990" is not a date`,
		row: mixed[1],
	},
	{
		...{ line: 4, name: 'Row 3', number: '0171 3', result: 'not imported' },
		reason: `Phone Number "0171 3" has no country code; ${EMAIL}`,
		row: mixed[2],
	},
	{ line: 5, name: 'Row 4', number: '491710000004', result: 'skipped', reason: TWICE, row: mixed[3] },
	{
		line: 6,
		name: 'Again',
		number: '491710000004',
		result: 'created or updated',
		reason: '',
		row: mixed[4],
	},
	{
		...{ line: 7, name: '', number: '', result: 'not imported' },
		reason: 'Phone Number is empty; Name is empty',
		row: mixed[5],
	},
];

const HINTS = [
	'2 of 6 items were not imported; their reason or finding says why (lines 4, 7).',
	'1 of 6 items were skipped, because another row has their phone number (line 5).',
	'1 of 6 items have an invalid value, which was left out; their reason or finding names it (line 3).',
	'1 of 6 items have fields that no column takes: "Notiz".',
];

it('each row has an item with its line, what became of it, why, and the row as it was', async () => {
	counts(3, 0, 0);
	for (const onError of [undefined, 'continueRegularOutput'] as const) {
		const { items, error, run } = await importing(mixed, {}, { onError });
		expect(error).toBeUndefined();
		expect(items).toEqual(told.map((json, item) => ({ json, pairedItem: { item } })));
		const [{ hints }] = run.data.resultData.runData.Node;
		expect(hints?.map(({ message }) => message)).toEqual(HINTS);
	}
});

it('a hint names at most 20 lines', async () => {
	counts(1, 0, 0);
	const { run } = await importing([
		row(1),
		...Array.from({ length: 23 }, () => ({ Telefon: '', Name: 'Nobody' })),
	]);
	expect(run.data.resultData.runData.Node[0].hints?.map(({ message }) => message)).toEqual([
		'23 of 24 items were not imported; their reason or finding says why (lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22 and 3 more).',
	]);
});

it('rows that were not imported go to the error output, if there is one', async () => {
	counts(3, 0, 0);
	const { items, errorItems } = await importing(mixed, {}, { onError: 'continueErrorOutput' });
	expect(items.map(({ json }) => json)).toEqual([0, 1, 3, 4].map((index) => told[index]));
	expect(errorItems).toEqual(
		[2, 5].map((item) => ({
			// n8n adds the fields of the input.
			json: { ...mixed[item], ...told[item], error: told[item].reason },
			pairedItem: { item },
		})),
	);
});

it('they go there beside a summary too, which still counts them', async () => {
	counts(3, 0, 0);
	const parameters = { output: 'summary' };
	const alone = await importing(mixed, parameters);
	const { items, errorItems } = await importing(mixed, parameters, { onError: 'continueErrorOutput' });
	expect(items).toEqual(alone.items);
	expect(items).toMatchObject([
		{
			json: {
				...{ requests: 1, created_count: 3, updated_count: 0, skipped_count: 3 },
				findings: [3, 3, 4, 4, 5, 7, 7].map((line) => ({ line })),
			},
			pairedItem: mixed.map((_, item) => ({ item })),
		},
	]);
	expect(errorItems.map(({ json }) => [json.line, json.result, json.error])).toEqual(
		[2, 5].map((item) => [told[item].line, 'not imported', told[item].reason]),
	);
});

describe('an empty row', () => {
	// n8n's Google Sheets node numbers its rows.
	const nothing = { row_number: 3, displayId: '', name: ' ', email: 'NULL', note: null, tags: [] };
	const byHand = {
		columns: {
			mappingMode: 'defineBelow',
			// What does not come from the row does not make it one.
			value: {
				displayId: '={{ $json.displayId }}',
				name: '={{ $json.name }}',
				tags: 'VIP',
				custom1: '={{ $now }}',
			},
		},
	};

	it.each([
		['automatically', {}],
		['by hand', byHand],
	])(
		'is none, whatever Invalid Values says, and the lines of others stay: mapped %s',
		async (_how, mapping) => {
			for (const invalidValues of ['fail', 'skipRow', 'skipValue']) {
				tenant.arrived.splice(0);
				counts(2, 0, 0);
				const rows = [nothing, row(1), {}, nothing, row(2), nothing];
				const { items, errorItems, error, run } = await importing(
					rows,
					{ ...mapping, invalidValues },
					{ onError: 'continueErrorOutput' },
				);
				expect(error).toBeUndefined();
				expect(items.map(({ json, pairedItem }) => [json.line, json.result, pairedItem])).toEqual([
					[3, 'created or updated', { item: 1 }],
					[6, 'created or updated', { item: 4 }],
				]);
				expect(errorItems).toEqual([]);
				expect(run.data.resultData.runData.Node[0].hints ?? []).toEqual([]);
				const [{ customers }] = tenant.bodies(IMPORT) as Array<{ customers: IDataObject[] }>;
				expect(customers.map(({ display_id }) => display_id)).toEqual(['491710000001', '491710000002']);
			}
		},
	);

	it('is not counted in a summary, and clears nothing', async () => {
		counts(1, 0, 0);
		const { items } = await importing([row(1), nothing], { output: 'summary', emptyCells: 'clear' });
		expect(items.map(({ json }) => json)).toEqual([
			{ requests: 1, created_count: 1, updated_count: 0, skipped_count: 0 },
		]);
		expect(tenant.bodies(IMPORT)).toMatchObject([{ customers: [{ display_id: '491710000001' }] }]);
	});

	it('alone gives no item, and a summary of nothing', async () => {
		expect((await importing([nothing, nothing])).items).toEqual([]);
		const { items } = await importing([nothing, nothing], { output: 'summary' });
		expect(items.map(({ json }) => json)).toEqual([
			{ requests: 0, created_count: 0, updated_count: 0, skipped_count: 0 },
		]);
		expect(tenant.requests).toEqual([]);
	});

	it('is one where any field of the item holds something, or an expression finds the person elsewhere', async () => {
		counts(1, 0, 0);
		const { items } = await importing([row(1), { ...nothing, note: 'call back' }]);
		expect(items.map(({ json }) => json.result)).toEqual(['created or updated', 'not imported']);
		const value = { displayId: '={{ "+49 171 000000" + $itemIndex }}', name: '={{ "No. " + $itemIndex }}' };
		await importing([nothing, {}], { columns: { mappingMode: 'defineBelow', value } });
		expect(tenant.bodies(IMPORT)[1].customers).toHaveLength(2);
	});
});

it('a summary has its counts too where nothing was sent', async () => {
	const { items } = await importing([row(1, { displayId: 'none' }), row(2, { name: '' })], {
		output: 'summary',
	});
	expect(tenant.requests).toEqual([]);
	expect(items).toMatchObject([
		{
			json: { requests: 0, created_count: 0, updated_count: 0, skipped_count: 2 },
			pairedItem: [{ item: 0 }, { item: 1 }],
		},
	]);
});

describe('what the tenant counts', () => {
	const three = [row(1), row(2), row(3)];
	const unknown = (imported: number) =>
		`The service imported ${imported} of the 3 rows of this request, and does not say which`;

	it.each<[string, unknown, string, string]>([
		['override', { created_count: 3, updated_count: 0, skipped_count: 0 }, 'created or updated', ''],
		['override', { created_count: 1, updated_count: 2, skipped_count: 0 }, 'created or updated', ''],
		['skip', { created_count: 3, updated_count: 0, skipped_count: 0 }, 'created or updated', ''],
		[
			'skip',
			{ created_count: 0, updated_count: 0, skipped_count: 3 },
			'skipped',
			'The service has this number already',
		],
		['skip', { created_count: 1, updated_count: 0, skipped_count: 2 }, 'imported or skipped', unknown(1)],
		[
			'override',
			{ created_count: 0, updated_count: 0, skipped_count: 3 },
			'skipped',
			'The service left this customer as it is',
		],
		['override', { created_count: 0, updated_count: 2, skipped_count: 1 }, 'imported or skipped', unknown(2)],
		['override', { created_count: 2, updated_count: 0, skipped_count: 0 }, 'imported or skipped', unknown(2)],
		...['override', 'skip'].flatMap((duplicates) =>
			[
				{ created_count: 'three', updated_count: 'none', skipped_count: 'none' },
				{ created_count: 'three', updated_count: 0, skipped_count: 0 },
				{ created_count: 1, updated_count: {}, skipped_count: 0 },
				{ skipped_count: 1 },
				{},
				{ created_count: null },
			].map((data): [string, unknown, string, string] => [
				...([duplicates, data, 'imported or skipped'] as const),
				'The service gives no readable count of its imports',
			]),
		),
		['skip', { created_count: 3, updated_count: 'none' }, 'created or updated', ''],
	])('with %s, of %j: %s', async (duplicates, data, result, reason) => {
		answer(data);
		const { items } = await importing(three, { duplicates });
		expect(items.map(({ json }) => [json.result, json.reason])).toEqual(three.map(() => [result, reason]));
	});

	it('is told beside what the node left out', async () => {
		counts(1, 0, 1);
		const { items } = await importing([row(1), row(2, { email: 'nobody' })], { duplicates: 'skip' });
		expect(items[1].json.reason).toBe(
			`The service imported 1 of the 2 rows of this request, and does not say which. Left out: ${EMAIL}`,
		);
	});
});

describe('rows of a failed request', () => {
	it.each<[string, Parameters<ScriptedTenant['answer']>[0][string], string]>([
		['refused', refusal(422, 'No'), 'not imported'],
		['broken off', brokenOff, 'unknown'],
	])('that was %s are told apart', async (_what, failing, result) => {
		tenant.answer({ [IMPORT]: failing });
		for (const output of ['rows', 'summary']) {
			const given = [row(1), row(2, { displayId: 'x' })];
			const { items, errorItems } = await importing(given, { output }, { onError: 'continueErrorOutput' });
			expect(items.filter(({ json }) => json.result !== undefined)).toEqual([]);
			expect(errorItems.map(({ json }) => [json.line, json.result])).toEqual([
				[2, result],
				[3, 'not imported'],
			]);
			const [{ json }] = errorItems;
			expect(json.reason).toBe(json.error);
			expect(json.row).toEqual(given[0]);
		}
	});
});

it('a refused row keeps what the tenant says about its fields, with the line of each', async () => {
	const wrong = ['is unknown here'];
	const errors = { 'customers.1.profile.email': wrong, 'customers.7.name': wrong };
	const refused = { error: { code: 'invalid', message: 'The data is not valid' }, errors };
	tenant.answer({ [IMPORT]: async (_arrived, reply) => await reply.code(422).send(refused) });
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		const { items, errorItems } = await importing(
			[row(1), row(2, { displayId: 'x' }), row(3)],
			{},
			{ onError },
		);
		const [{ json }] = onError === 'continueRegularOutput' ? items : errorItems;
		expect(json).toMatchObject({
			...{ line: 2, result: 'not imported', reason: 'The data is not valid', error: 'The data is not valid' },
			details: {
				description: expect.stringContaining(
					'Email (line 4): is unknown here\nName (entry 8): is unknown here',
				) as string,
			},
		});
	}
	const { error } = await importing([row(1), row(3)]);
	expect(error?.description).toContain('Email (line 3): is unknown here');
});

it('a row with two numbers is left out, and says why', async () => {
	counts(1, 0, 0);
	const { items } = await importing([row(1), row(2, { displayId: '+49 170 1000000; +49 171 2000000' })]);
	expect(items[1].json).toMatchObject({
		result: 'not imported',
		reason: 'Phone Number "+49 170 1000000; +49 171 2000000" is not a phone number',
	});
});

it('a row has the same line where n8n runs the operation for each item', async () => {
	counts(1, 0, 0);
	const given = [row(1), row(2, { displayId: 'x' }), row(3)];
	const { items } = await importing(given, {}, { byRoutingEngine: true });
	expect(items.map(({ json, pairedItem }) => [json.line, json.result, pairedItem])).toEqual([
		[2, 'created or updated', { item: 0 }],
		[3, 'not imported', { item: 1 }],
		[4, 'created or updated', { item: 2 }],
	]);
});
