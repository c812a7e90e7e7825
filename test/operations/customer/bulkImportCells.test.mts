import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const CUSTOM = [1, 2, 3, 4, 5];
const COLUMNS = ['email', 'tags', 'dateOfBirth', 'address', ...CUSTOM.map((number) => `custom${number}`)];
const CLEARED = Object.fromEntries(
	['email', 'tags', 'date_of_birth', 'address', ...CUSTOM.map((number) => `custom_${number}`)].map((name) => [
		name,
		null,
	]),
);

const person = (more: object = {}) => ({ displayId: '491710000001', name: 'Nora', ...more }) as IDataObject;

/** Maps each of these columns to the field of its name. */
const mapped = (columns: string[], schema: IDataObject[] = []): INodeParameters =>
	({
		mappingMode: 'defineBelow',
		value: Object.fromEntries(
			['displayId', 'name', ...columns].map((column) => [column, `={{ $json.${column} }}`]),
		),
		schema,
	}) as INodeParameters;

/** What goes out, and the results and reasons that come back. Columns that are not given are mapped automatically. */
async function imported(
	given: IDataObject[],
	options: INodeParameters = {},
	columns: INodeParameters = { mappingMode: 'autoMapInputData', value: null },
	timezone?: string,
) {
	tenant.sandbox.clearRequests();
	const { items, error } = await tenant.run(
		{ resource: 'customer', operation: 'bulkImport', options, columns },
		{ items: given.map((json) => ({ json })), timezone },
	);
	const bodies = tenant
		.sent()
		.map(({ body }) => JSON.parse(body) as { customers: Array<{ profile: IDataObject }> });
	const customers = bodies.flatMap((body) => body.customers);
	return {
		error,
		customers,
		profiles: customers.map(({ profile }) => profile),
		results: items.map(({ json }) => json.result),
		reasons: items.map(({ json }) => json.reason),
	};
}

/** A field of a profile that only this tenant has. */
const ownField = (id: string, more: object) =>
	({ id, displayName: id, type: 'string', ...more }) as IDataObject;

/** What a cell without a value may hold. */
const NOTHING: Array<[string, unknown]> = [
	['an empty text', ''],
	['spaces', ' \t '],
	['a space that does not break', '\u00a0'],
	['NULL', null],
	['undefined', undefined],
	['an empty list', []],
	['the word NULL of a database', 'NULL'],
	['the word null of a program', 'null'],
	['\\N of a dump', ' \\N '],
	['#N/A of a spreadsheet', '#N/A'],
	['#NV of a German spreadsheet', '#NV'],
	['nan of a data frame', 'nan'],
	['NaN of a data frame', 'NaN'],
];

describe('a cell that holds nothing', () => {
	const every = [...COLUMNS, 'marketingOptIn', 'channel'];
	const ways = [undefined, mapped(every)];
	const rowOf = (value: unknown) => person(Object.fromEntries(every.map((column) => [column, value])));
	/** A row that has the columns, so that the mapping is not to blame. */
	const other = person({
		...Object.fromEntries(COLUMNS.map((column) => [column, 'x'])),
		...{ displayId: '491710000002', email: 'jo@mail.example', dateOfBirth: '1990-05-17' },
	});

	it.each(NOTHING)('leaves everything as it is, or clears what can be cleared: %s', async (_what, value) => {
		for (const columns of ways) {
			for (const [emptyCells, profile] of [
				['leave', {}],
				['clear', CLEARED],
			] as const) {
				const { profiles, results, reasons, error } = await imported(
					[other, rowOf(value)],
					{ emptyCells },
					columns,
				);
				expect(error).toBeUndefined();
				expect(profiles[1]).toEqual(profile);
				expect(results).toEqual(['created or updated', 'created or updated']);
				expect(reasons).toEqual(['', '']);
			}
		}
	});

	it.each(NOTHING)('in the whole list is no different: %s', async (_what, value) => {
		for (const columns of ways) expect((await imported([rowOf(value)], {}, columns)).profiles).toEqual([{}]);
	});

	it.each(NOTHING)('in the column of the name, its row is not imported: %s', async (_what, name) => {
		for (const emptyCells of ['leave', 'clear']) {
			const { results, reasons } = await imported([person({ name })], { emptyCells });
			expect(results).toEqual(['not imported']);
			expect(reasons).toEqual(['Name is empty.']);
			expect(tenant.sent()).toEqual([]);
		}
	});

	it('clears nothing in a column that is not mapped', async () => {
		const given = [person({ email: '', address: '' })];
		expect((await imported(given, { emptyCells: 'clear' }, mapped(['address']))).profiles).toEqual([
			{ address: null },
		]);
	});

	it('clears nothing in a row without the field, where the input decides about the columns', async () => {
		const given = [person(), person({ displayId: '491710000002', email: '' })];
		expect((await imported(given, { emptyCells: 'clear' })).profiles).toEqual([{}, { email: null }]);
	});

	it('clears nobody by a field that no row has', async () => {
		const given = [person(), person({ displayId: '491710000002' })];
		const { error } = await imported(given, { emptyCells: 'clear' }, mapped(['email']));
		expect(error).toMatchObject({
			message: 'No item has the field of Email; nothing was sent',
			description:
				'The input has the fields "displayId", "name". In Mapping Column Mode, choose Map Each Column Manually, and map the right one to Email. Empty Cells on Clear would clear it for everybody.',
		});
		expect(tenant.sent()).toEqual([]);
	});

	it.each([
		['string', true, ' ', { tier: '' }],
		['string', false, ' ', { tier: '' }],
		['string', true, null, { tier: null }],
		['string', false, null, { tier: '' }],
		['number', true, ' ', { tier: null }],
		['number', undefined, ' ', { tier: null }],
		['number', false, ' ', {}],
	])("clears a tenant's own %s that is %s nullable, from %j", async (valueType, nullable, tier, expected) => {
		const columns = mapped(['tier'], [ownField('tier', { valueType, nullable })]);
		const { profiles } = await imported([person({ tier })], { emptyCells: 'clear' }, columns);
		expect(profiles).toEqual([expected]);
	});
});

it('words for nothing count in the capitals of programs only, and only alone', async () => {
	const names = ['Null', 'Nan', 'NAN', 'N/A', 'nan nan', 'NULL NULL', 'none', 'Nil'];
	const rows = names.map((name, index) => person({ displayId: `49171000000${index}`, name, address: name }));
	expect((await imported(rows)).profiles.map(({ address }) => address)).toEqual(names);
});

it('words for nothing leave the place to another spelling of the column', async () => {
	const { profiles, error } = await imported([
		{ phone: 'NULL', mobile: '+49 171 0000001', Name: 'Nora', email: '\\N', mail: 'jo@mail.example' },
	]);
	expect(error).toBeUndefined();
	expect(profiles).toEqual([{ email: 'jo@mail.example' }]);
});

// As CRMs with protection against formulas write it.
it.each([
	["'=1+1", '=1+1'],
	["'+49 30 123", '+49 30 123'],
	["'-5", '-5'],
	["'@nora", '@nora'],
	["'t Hooft", "'t Hooft"],
	["''=1", "''=1"],
	["a'=1", "a'=1"],
])('the text %s loses the apostrophe of an export: %s', async (given, sent) => {
	const texts = { name: given, address: given, custom1: given, tags: given };
	const { customers } = await imported([{ displayId: "'+49 171 0000001", ...texts }]);
	const profile = { address: sent, custom_1: sent, tags: sent };
	expect(customers).toEqual([{ channel: 'chatapp', display_id: '491710000001', name: sent, profile }]);
});

describe('a date', () => {
	const ASKED =
		'Left out: Date of Birth "04/12/1990" is ambiguous: day or month first? Use YYYY-MM-DD or DD.MM.YYYY, e.g. 1990-05-17, or a date made by n8n.';

	it.each<[string, string, string | undefined, string]>([
		['04/12/1990', '', undefined, ASKED],
		['04/12/1990', 'refuse', undefined, ASKED],
		['04/12/1990', 'dayFirst', '1990-12-04', ''],
		['04/12/1990', 'monthFirst', '1990-04-12', ''],
		['25/12/1990', 'monthFirst', '1990-12-25', ''],
		['12/25/1990', 'dayFirst', '1990-12-25', ''],
	])('of birth, %s, with Dates Like 04/12 on %s', async (dateOfBirth, read, date_of_birth, reason) => {
		const options = read ? { ambiguousDates: read } : {};
		const { profiles, results, reasons } = await imported([person({ dateOfBirth })], options);
		expect(profiles).toEqual([date_of_birth === undefined ? {} : { date_of_birth }]);
		expect(results).toEqual([reason === '' ? 'created or updated' : 'imported in part']);
		expect(reasons).toEqual([reason]);
	});

	it("of a tenant's own is read like one of birth", async () => {
		const columns = mapped(['joined'], [ownField('joined', { valueType: 'date' })]);
		const given = [person({ joined: '04/12/1990' })];
		expect((await imported(given, { ambiguousDates: 'dayFirst' }, columns)).profiles).toEqual([
			{ joined: '1990-12-04' },
		]);
	});

	it("with a time of a tenant's own field is in the workflow's time zone", async () => {
		const columns = mapped(['seen'], [ownField('seen', { valueType: 'date-time' })]);
		const rows = ['2026-03-25T10:00', 'soon', '25.03.1990'].map((seen, index) =>
			person({ displayId: `49171000000${index}`, seen }),
		);
		const { profiles, reasons } = await imported(rows, {}, columns, 'Europe/Berlin');
		expect(profiles).toEqual([{ seen: '2026-03-25T10:00:00.000+01:00' }, {}, {}]);
		const none = (date: string) =>
			expect.stringContaining(`Left out: seen "${date}" is not a date and time. `) as string;
		expect(reasons).toEqual(['', none('soon'), none('25.03.1990')]);
	});
});

describe('titles of tags in a cell', () => {
	it.each<[string, unknown, string]>([
		['all of them', 'VIP; Fair,Gold|Newsletter\nOld;;', 'VIP,Fair,Gold,Newsletter,Old'],
		['a list, whose titles are not divided', ['VIP; Gold', 'Newsletter'], 'VIP; Gold,Newsletter'],
		['records', [{ id: 'crm-9', title: 'VIP' }], 'VIP'],
		['a list as text', '["VIP; Gold", "Newsletter"]', 'VIP; Gold,Newsletter'],
		['a number', 2024, '2024'],
	])('with %s', async (_what, tags, expected) => {
		for (const columns of [undefined, mapped(['tags'])]) {
			const { profiles, reasons } = await imported([person({ tags })], {}, columns);
			expect(profiles).toEqual([{ tags: expected }]);
			expect(reasons).toEqual(['']);
		}
	});

	it.each(['{}', '{NULL}', '[]', ' [ ] '])(
		'that are none are a cell that holds nothing: %s',
		async (tags) => {
			const given = [person({ tags: 'VIP', displayId: '491710000002' }), person({ tags, address: tags })];
			const { profiles, reasons } = await imported(given);
			expect(profiles[1]).toEqual({ address: tags });
			expect(reasons).toEqual(['', '']);
			const cleared = await imported(given, { emptyCells: 'clear' });
			expect(cleared.profiles[1]).toEqual({ address: tags, tags: null });
		},
	);

	it.each([
		['/', 'VIP; Gold / Newsletter', 'VIP; Gold,Newsletter'],
		[' - ', 'Well-known - VIP|Gold', 'Well-known,VIP|Gold'],
		[';', 'VIP; Gold|Silver', 'VIP,Gold|Silver'],
		[' ', 'VIP  Gold', 'VIP,Gold'],
		['', 'VIP; Gold', 'VIP,Gold'],
	])('are divided only at the Separator "%s", if there is one', async (separator, tags, expected) => {
		expect((await imported([person({ tags })], { separator })).profiles).toEqual([{ tags: expected }]);
	});

	it.each<[string, unknown, string]>([
		[
			'a comma, at which the service would divide it',
			'A, B / C',
			'"A, B", whose comma would make it several tags',
		],
		['no title', ['VIP', null], '"null", which has no title'],
	])('are left out if one has %s', async (_what, tags, problem) => {
		const { profiles, reasons } = await imported([person({ tags })], { separator: '/' });
		expect(profiles).toEqual([{}]);
		expect(reasons).toEqual([expect.stringContaining(`Left out: Tags contains ${problem}. `)]);
	});
});

describe('a column that is mapped to an expression', () => {
	const json = {
		...person({ note: 'Grüße', list: ['a', 'b'], group: { name: 'Gold', no: null } }),
		...{ at: new Date('1990-05-16T22:00:00Z'), when: DateTime.fromISO('1990-05-17T12:00:00Z'), zero: 0 },
	} as unknown as IDataObject;
	const imports = async (expression: string) => {
		const columns = { displayId: '={{ $json.displayId }}', name: 'Nora', custom1: `={{ ${expression} }}` };
		const { error, ...found } = await imported([json], {}, { mappingMode: 'defineBelow', value: columns });
		return { ...found, error: error?.message };
	};

	it.each([
		['$json.note.length', '5'],
		['$json["note"].length', '5'],
		['$json.list.length', '2'],
		['$json.list["1"]', 'b'],
		['$json.when.year', '1990'],
		['$json.group.name', 'Gold'],
		['$json.group.name.length', '4'],
		['$json.zero', '0'],
		['$json.at', '1990-05-16T22:00:00.000Z'],
	])('imports the value of %s', async (expression, custom_1) => {
		expect(await imports(expression)).toMatchObject({ profiles: [{ custom_1 }], reasons: [''] });
	});

	it.each([
		...['note', 'note.length', 'note.size', 'note["0"]', 'list', 'list.length', 'list["0"]', 'group'],
		...['group.name', 'group.no', 'group.no.at', 'group.none', 'group.none.at', 'at', 'at.length', 'when'],
		...['when.year', 'when.ts', 'zero', 'zero.toFixed', 'nothing', 'nothing.at', 'group.toString'],
	])('sends the same whether the node reads $json.%s or n8n evaluates it', async (place) => {
		// The node leaves what stands in parentheses to n8n.
		const evaluated = await imports(`($json.${place})`);
		expect(await imports(`$json.${place}`)).toEqual(evaluated);
	});
});

it('a cell that was read in the wrong character set is an invalid value, and the reason says how to read the file', async () => {
	const rows = [person({ name: 'J\ufffdrgen' }), person({ address: 'K\ufffdln', tags: 'VIP, B\ufffdcher' })];
	const { profiles, reasons } = await imported(rows);
	expect(profiles).toEqual([{}]);
	const lost = (label: string, text: string) =>
		`${label} "${text}" has lost letters; read the file as Windows-1252. For a CSV file, that is Encoding: Latin1 in the options of Extract from File.`;
	for (const [index, label, text] of [
		[0, 'Name', 'J\ufffdrgen'],
		[1, 'Tags', 'B\ufffdcher'],
		[1, 'Address', 'K\ufffdln'],
	] as const)
		expect(reasons[index]).toContain(lost(label, text));
});
