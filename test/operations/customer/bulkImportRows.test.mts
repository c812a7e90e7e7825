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

/** A new node maps automatically. */
const importing = async (
	given: IDataObject[],
	options: INodeParameters = {},
	{ columns, ...how }: Partial<NodeRunOptions> & { columns?: INodeParameters } = {},
) =>
	await tenant.run(
		{ ...{ resource: 'customer', operation: 'bulkImport', options }, ...(columns && { columns }) },
		{ items: given.map((json) => ({ json })), ...how },
	);

const hintsOf = ({ run }: Awaited<ReturnType<typeof importing>>) =>
	run.data.resultData.runData.Node[0].hints?.map(({ message }) => message) ?? [];

/** A good row, one without its email, one that cannot be imported, and one that comes twice. */
const mixed = [
	row(1),
	row(2, { email: 'nobody', date_of_birth: '31.02.1990' }),
	row(3, { displayId: '0171 3', email: 'nobody' }),
	row(4),
	row(4, { name: ' Again ' }),
	// One that was at the error output before.
	{ displayId: '', Notiz: 'empty', reason: 'old' },
];

const EMAIL =
	'Email "nobody" is not an email address. Use one address such as name@email.com. The service would leave out any other value.';
const BORN =
	'Date of Birth "31.02.1990" is not a date. Use YYYY-MM-DD or DD.MM.YYYY, e.g. 1990-05-17, or a date made by n8n.';
const NUMBER =
	'Phone Number "0171 3" has no country code. A country code is never guessed. Use the international format with country code, e.g. +49 171 1234567. For numbers of one country, set its code in Advanced of the credential.';

const DONE = 'created or updated';

const told = [
	['Row 1', '491710000001', DONE, ''],
	['Row 2', '491710000002', 'imported in part', `Left out: ${EMAIL} ${BORN}`],
	['Row 3', '0171 3', 'not imported', `${NUMBER} ${EMAIL}`],
	['Row 4', '491710000004', 'skipped', 'Phone Number 491710000004 is also that of row 6.'],
	['Again', '491710000004', DONE, ''],
	['', '', 'not imported', 'Phone Number is empty. Name is empty.'],
].map(([name, number, result, reason], index) => ({
	...{ row: index + 2, name, number, result, reason, input: mixed[index] },
}));

it('each row has an item with its number, what became of it, why, and the fields of the input', async () => {
	counts(3, 0, 0);
	for (const onError of [undefined, 'continueRegularOutput'] as const) {
		const found = await importing(mixed, {}, { onError });
		expect(found.items).toEqual(told.map((json, item) => ({ json, pairedItem: { item } })));
		expect(Object.keys(found.items[0].json)).toEqual(Object.keys(told[0]));
		expect(hintsOf(found)).toEqual([
			'2 of 6 items were not imported; the output says why.',
			'1 of 6 items were skipped, because another row has their phone number.',
			'1 of 6 items have an invalid value, which was left out; the output names it.',
			'1 of 6 items have fields that no column takes: "Notiz".',
		]);
	}
});

it.each(['rows', 'summary'])(
	'rows that were not imported go to the error output as columns of the file, with the reason as the last one: %s',
	async (output) => {
		counts(3, 0, 0);
		const alone = await importing(mixed, { output });
		const { items, errorItems } = await importing(mixed, { output }, { onError: 'continueErrorOutput' });
		expect(items).toEqual(
			output === 'summary' ? alone.items : [0, 1, 3, 4].map((index) => alone.items[index]),
		);
		expect(errorItems.map(({ json, pairedItem }) => [Object.entries(json), pairedItem])).toEqual(
			[2, 5].map((item) => {
				// n8n leaves out empty cells, and puts those that an item has before all others.
				const columns = { displayId: '', name: '', email: '', date_of_birth: '', Notiz: '' };
				const { reason } = told[item];
				return [Object.entries({ ...mixed[item], ...columns, ...mixed[item], reason }), { item }];
			}),
		);
	},
);

describe('an empty row', () => {
	// n8n's Google Sheets node numbers its rows.
	const about = { row_number: 3, reason: 'Name is empty.' };
	const nothing = { ...about, displayId: '', name: ' ', email: 'NULL', note: null, tags: [] };
	const byHand = {
		mappingMode: 'defineBelow',
		// What does not come from the row does not make it one.
		value: {
			displayId: '={{ $json.displayId }}',
			name: '={{ $json.name }}',
			tags: 'VIP',
			custom1: '={{ $now }}',
		},
	};

	it.each([
		['automatically', undefined],
		['by hand', byHand],
	])(
		'is none, whatever Invalid Values says, and others keep their numbers: mapped %s',
		async (_how, columns) => {
			for (const invalidValues of ['fail', 'skipRow', 'skipValue']) {
				tenant.arrived.splice(0);
				counts(2, 0, 0);
				const given = [nothing, row(1), {}, nothing, row(2), nothing];
				const found = await importing(given, { invalidValues }, { onError: 'continueErrorOutput', columns });
				expect(found.error).toBeUndefined();
				expect(found.items.map(({ json, pairedItem }) => [json.row, json.result, pairedItem])).toEqual([
					[3, DONE, { item: 1 }],
					[6, DONE, { item: 4 }],
				]);
				expect(found.errorItems).toEqual([]);
				expect(hintsOf(found)).toEqual([]);
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
		expect(items.map(({ json }) => json.result)).toEqual([DONE, 'not imported']);
		const value = { displayId: '={{ "+49 171 000000" + $itemIndex }}', name: '={{ "No. " + $itemIndex }}' };
		await importing([nothing, {}], {}, { columns: { mappingMode: 'defineBelow', value } });
		expect(tenant.bodies(IMPORT)[1].customers).toHaveLength(2);
	});
});

describe('what the service counts', () => {
	const three = [row(1), row(2), row(3)];
	const LEFT = 'imported or skipped';
	const SKIPPED = 'The service has this number already.';
	const some = (imported: number) =>
		`The service counts ${imported} of the 3 rows of this request as imported, and does not say which.`;

	it.each<[string, unknown[], string, string]>([
		['override', [3, 0, 0], DONE, ''],
		['override', [1, 2, 0], DONE, ''],
		['skip', [3, 0, 0], DONE, ''],
		['skip', [3, 'none'], DONE, ''],
		['skip', [0, 0, 3], 'skipped', SKIPPED],
		['override', [0, 0, 3], 'skipped', SKIPPED],
		['skip', [1, 0, 2], LEFT, some(1)],
		['override', [0, 2, 1], LEFT, some(2)],
		['override', [2, 0, 0], LEFT, some(2)],
		['skip', ['three', 'none', 'none'], LEFT, some(0)],
		['skip', [1, {}, 0], LEFT, some(1)],
		['override', [undefined, undefined, 1], LEFT, some(0)],
		['skip', [], LEFT, some(0)],
	])(
		'with %s, of %j: %s',
		async (duplicates, [created_count, updated_count, skipped_count], result, reason) => {
			answer({ created_count, updated_count, skipped_count });
			const { items } = await importing(three, { duplicates });
			expect(items.map(({ json }) => [json.result, json.reason])).toEqual(three.map(() => [result, reason]));
		},
	);

	it('is told beside what the node left out', async () => {
		counts(1, 0, 1);
		const { items } = await importing([row(1), row(2, { email: 'nobody' })], { duplicates: 'skip' });
		expect(items[1].json).toMatchObject({
			result: LEFT,
			reason: `${some(1).replace('3', '2')} Left out: ${EMAIL}`,
		});
	});
});

describe('rows of a failed request', () => {
	it.each<[string, Parameters<ScriptedTenant['answer']>[0][string], string, string]>([
		['refused', refusal(422, 'No'), 'not imported', 'No. '],
		['broken off', brokenOff, 'unknown', 'The request may have been carried out: '],
	])('that was %s are told apart', async (_what, failing, result, reason) => {
		tenant.answer({ [IMPORT]: failing });
		for (const output of ['rows', 'summary']) {
			const given = [row(1), row(2, { displayId: 'x' })];
			const { items } = await importing(given, { output }, { onError: 'continueRegularOutput' });
			expect(items.find(({ json }) => json.row === 2)?.json).toMatchObject({ result, input: given[0] });
			const errors = await importing(given, { output }, { onError: 'continueErrorOutput' });
			expect(errors.items.filter(({ json }) => json.result !== undefined)).toEqual([]);
			expect(errors.errorItems.map(({ json }) => json)).toEqual([
				{ ...given[0], reason: expect.stringContaining(reason) as string },
				{
					...given[1],
					reason: expect.stringMatching(/^Phone Number "x" is not a phone number\. /) as string,
				},
			]);
		}
	});

	it('keep what the service says about their fields, each what is said about itself', async () => {
		const wrong = ['is unknown here'];
		const errors = { 'customers.1.profile.email': wrong, 'customers.7.name': wrong };
		const refused = { error: { code: 'invalid', message: 'The data is not valid' }, errors };
		tenant.answer({ [IMPORT]: async (_arrived, reply) => await reply.code(422).send(refused) });
		const given = [row(1), row(2, { displayId: 'x' }), row(3)];
		const { errorItems } = await importing(given, {}, { onError: 'continueErrorOutput' });
		const [first, third] = [0, 2].map((index) => String(errorItems[index].json.reason));
		expect(first).toMatch(/^The data is not valid\. .*Name \(entry 8\): is unknown here\. /);
		expect(first).not.toContain('(row');
		expect(third).toBe(`Email (row 4): is unknown here. ${first}`);
		const { items } = await importing(given, {}, { onError: 'continueRegularOutput' });
		expect(items[0].json).toMatchObject({
			...{ row: 2, result: 'not imported', reason: first, error: 'The data is not valid' },
			details: {
				description: expect.stringContaining(
					'Email (row 4): is unknown here\nName (entry 8): is unknown here',
				) as string,
			},
		});
		const { error } = await importing([row(1), row(3)]);
		expect(error?.description).toContain('Email (row 3): is unknown here');
	});
});

it('a row has the same number where n8n runs the operation for each item', async () => {
	counts(1, 0, 0);
	const given = [row(1), row(2, { displayId: 'x' }), row(3)];
	const { items } = await importing(given, {}, { byRoutingEngine: true });
	expect(items.map(({ json, pairedItem }) => [json.row, json.result, pairedItem])).toEqual([
		[2, DONE, { item: 0 }],
		[3, 'not imported', { item: 1 }],
		[4, DONE, { item: 2 }],
	]);
});
