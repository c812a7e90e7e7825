import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const COLUMNS = [
	...['email', 'tags', 'dateOfBirth', 'address', 'custom1', 'custom2', 'custom3', 'custom4', 'custom5'],
];
const CLEARED = {
	...{ email: null, tags: null, date_of_birth: null, address: null },
	...{ custom_1: null, custom_2: null, custom_3: null, custom_4: null, custom_5: null },
};

const person = (more: IDataObject = {}) => ({ displayId: '491710000001', name: 'Nora', ...more });

const automatic: INodeParameters = {
	...{ resource: 'customer', operation: 'bulkImport' },
	columns: { mappingMode: 'autoMapInputData', value: null },
};

/** Maps each of these columns to the field of its name. */
const mapped = (columns: string[], schema: IDataObject[] = []) =>
	({
		...automatic,
		columns: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(
				['displayId', 'name', ...columns].map((column) => [column, `={{ $json.${column} }}`]),
			),
			schema,
		},
	}) as INodeParameters;

/** The profiles that go out, and the results and reasons that come back. */
async function imported(given: IDataObject[], parameters: INodeParameters, timezone?: string) {
	const { items, error } = await tenant.run(parameters, { items: given.map((json) => ({ json })), timezone });
	const bodies = tenant
		.sent()
		.map(({ body }) => JSON.parse(body) as { customers: Array<{ profile: IDataObject }> });
	return {
		error,
		profiles: bodies.flatMap(({ customers }) => customers.map(({ profile }) => profile)),
		results: items.map(({ json }) => json.result),
		reasons: items.map(({ json }) => json.reason),
	};
}

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
	const rows = (value: unknown) =>
		[
			// Another row has the columns, so that the mapping is not to blame.
			person({
				...Object.fromEntries(COLUMNS.map((column) => [column, undefined])),
				displayId: '491710000002',
			}),
			person(
				Object.fromEntries(
					[...COLUMNS, 'marketingOptIn', 'channel'].map((column) => [column, value]),
				) as IDataObject,
			),
		] as IDataObject[];

	it.each(NOTHING)('leaves everything as it is: %s', async (_what, value) => {
		for (const parameters of [automatic, mapped([...COLUMNS, 'marketingOptIn', 'channel'])]) {
			tenant.sandbox.clearRequests();
			const { profiles, results, reasons } = await imported(rows(value), parameters);
			expect(profiles).toEqual([{}, {}]);
			expect(results).toEqual(['created or updated', 'created or updated']);
			expect(reasons).toEqual(['', '']);
		}
	});

	it.each(NOTHING)('clears what can be cleared, if that is asked for: %s', async (_what, value) => {
		const [other, row] = rows(value);
		const filled = {
			...other,
			email: 'jo@mail.example',
			tags: 'VIP',
			dateOfBirth: '1990-05-17',
			address: 'Kiel',
		};
		for (const name of ['custom1', 'custom2', 'custom3', 'custom4', 'custom5'])
			Object.assign(filled, { [name]: 'x' });
		for (const parameters of [automatic, mapped([...COLUMNS, 'marketingOptIn', 'channel'])]) {
			tenant.sandbox.clearRequests();
			const { profiles, results, error } = await imported([filled, row], {
				...parameters,
				emptyCells: 'clear',
			});
			expect(error).toBeUndefined();
			expect(profiles[1]).toEqual(CLEARED);
			expect(results).toEqual(['created or updated', 'created or updated']);
		}
	});

	it.each(NOTHING)('in the column of the name, its row is not imported: %s', async (_what, name) => {
		for (const emptyCells of ['leave', 'clear']) {
			tenant.sandbox.clearRequests();
			const { results, reasons } = await imported([person({ name } as IDataObject)], {
				...automatic,
				emptyCells,
			});
			expect(results).toEqual(['not imported']);
			expect(reasons).toEqual(['Name is empty']);
			expect(tenant.sent()).toEqual([]);
		}
	});

	it('clears nothing in a column that is not mapped', async () => {
		const { profiles } = await imported([person({ email: '', address: '' })], {
			...mapped(['address']),
			emptyCells: 'clear',
		});
		expect(profiles).toEqual([{ address: null }]);
	});

	it('clears nothing in a row without the field, where the input decides about the columns', async () => {
		const { profiles } = await imported([person(), person({ displayId: '491710000002', email: '' })], {
			...automatic,
			emptyCells: 'clear',
		});
		expect(profiles).toEqual([{}, { email: null }]);
	});

	it('clears nobody by a field that no row has', async () => {
		const { error } = await imported([person(), person({ displayId: '491710000002' })], {
			...mapped(['email']),
			emptyCells: 'clear',
		});
		expect(error).toMatchObject({
			message: 'No item has the field of Email; nothing was sent',
			description:
				'The input has the fields "displayId", "name". Empty Cells on Clear would clear it for everybody. Map the right field to Email in Columns, or remove the column.',
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
	])("clears a tenant's own %s that is %s nullable, from %j", async (jsonType, nullable, tier, expected) => {
		const field = { id: 'tier', displayName: 'Tier', type: 'string', jsonType, nullable };
		const { profiles } = await imported([person({ tier })], {
			...mapped(['tier'], [field as IDataObject]),
			emptyCells: 'clear',
		});
		expect(profiles).toEqual([expected]);
	});
});

it('words for nothing count in the capitals of programs only, and only alone', async () => {
	const names = ['Null', 'Nan', 'NAN', 'N/A', 'nan nan', 'NULL NULL', 'none', 'Nil'];
	const rows = names.map((name, index) => person({ displayId: `49171000000${index}`, name, address: name }));
	const { profiles } = await imported(rows, automatic);
	expect(profiles.map(({ address }) => address)).toEqual(names);
});

it('a word for nothing leaves the place to another spelling of the column', async () => {
	const { profiles, error } = await imported(
		[{ phone: 'NULL', mobile: '+49 171 0000001', Name: 'Nora', email: '\\N', mail: 'jo@mail.example' }],
		automatic,
	);
	expect(error).toBeUndefined();
	expect(profiles).toEqual([{ email: 'jo@mail.example' }]);
});

it.each([
	["'=1+1", '=1+1'],
	["'+49 30 123", '+49 30 123'],
	["'-5", '-5'],
	["'@nora", '@nora'],
	["'t Hooft", "'t Hooft"],
	["''=1", "''=1"],
	["a'=1", "a'=1"],
])('the text %s loses the apostrophe of an export: %s', async (given, sent) => {
	const { profiles } = await imported([person({ address: given, custom1: given, tags: given })], automatic);
	expect(profiles).toEqual([{ address: sent, custom_1: sent, tags: sent }]);
});

describe('a date that can be read in two ways', () => {
	const born = (dateOfBirth: unknown) => person({ dateOfBirth } as IDataObject);
	const ASKED = 'Date of Birth "04/12/1990" is ambiguous: day or month first?';

	it.each<[string | undefined, IDataObject, string]>([
		[undefined, {}, `Left out: ${ASKED}`],
		['refuse', {}, `Left out: ${ASKED}`],
		['dayFirst', { date_of_birth: '1990-12-04' }, ''],
		['monthFirst', { date_of_birth: '1990-04-12' }, ''],
	])('with Dates Like 04/12 on %s', async (ambiguousDates, profile, reason) => {
		const { profiles, reasons } = await imported([born('04/12/1990')], {
			...automatic,
			...(ambiguousDates !== undefined && { ambiguousDates }),
		});
		expect(profiles).toEqual([profile]);
		expect(reasons).toEqual([reason]);
	});

	it("is one in a tenant's own field too", async () => {
		const field = {
			id: 'joined_on',
			displayName: 'Joined On',
			type: 'string',
			jsonType: 'string',
			format: 'date',
		};
		const { profiles } = await imported([person({ joined_on: '04/12/1990' })], {
			...mapped(['joined_on'], [field]),
			ambiguousDates: 'dayFirst',
		});
		expect(profiles).toEqual([{ joined_on: '1990-12-04' }]);
	});

	it.each(['25/12/1990', '12/25/1990', '25.12.1990', '1990-12-25', '1990/12/25'])(
		'%s is none',
		async (value) => {
			for (const ambiguousDates of ['refuse', 'dayFirst', 'monthFirst']) {
				tenant.sandbox.clearRequests();
				const { profiles } = await imported([born(value)], { ...automatic, ambiguousDates });
				expect(profiles).toEqual([{ date_of_birth: '1990-12-25' }]);
			}
		},
	);

	it.each([
		['1604-05-17', '"1604-05-17" is before 1900, as programs write a day without a year'],
		['17.05.2190', '"17.05.2190" is in the future'],
	])('%s is no day of birth, and is left out with the reason', async (value, problem) => {
		const { profiles, reasons } = await imported([born(value)], automatic);
		expect(profiles).toEqual([{}]);
		expect(reasons).toEqual([`Left out: Date of Birth ${problem}`]);
	});

	it("a time of a tenant's own field is in the workflow's time zone", async () => {
		const field = {
			id: 'seen_at',
			displayName: 'Seen At',
			type: 'string',
			jsonType: 'string',
			format: 'date-time',
		};
		const rows = ['2026-03-25T10:00', 'soon', '25.03.1990'].map((seen_at, index) =>
			person({ displayId: `49171000000${index}`, seen_at }),
		);
		const { profiles, reasons } = await imported(rows, mapped(['seen_at'], [field]), 'Europe/Berlin');
		expect(profiles).toEqual([{ seen_at: '2026-03-25T10:00:00.000+01:00' }, {}, {}]);
		expect(reasons).toEqual([
			'',
			'Left out: Seen At "soon" is not a date and time',
			'Left out: Seen At "25.03.1990" is not a date and time',
		]);
	});
});

describe('titles of tags in a cell', () => {
	it.each<[string, unknown, string]>([
		['semicolons', 'VIP; Newsletter', 'VIP,Newsletter'],
		['commas', 'VIP , Newsletter', 'VIP,Newsletter'],
		['bars', 'VIP|Newsletter', 'VIP,Newsletter'],
		['lines', 'VIP\r\nNewsletter\n', 'VIP,Newsletter'],
		['all of them', 'VIP; Fair,Gold|Newsletter\nOld;;', 'VIP,Fair,Gold,Newsletter,Old'],
		['nothing between them', ' VIP ', 'VIP'],
		['a list, whose titles are not divided', ['VIP; Gold', 'Newsletter'], 'VIP; Gold,Newsletter'],
		['a list as text', '["VIP; Gold", "Newsletter"]', 'VIP; Gold,Newsletter'],
		['a number', 2024, '2024'],
		['the quotes of Mailchimp', '"VIP","Newsletter"', 'VIP,Newsletter'],
		['the braces of Postgres', '{VIP,"Big spender"}', 'VIP,Big spender'],
		['the brackets of Python', "['VIP', 'Newsletter']", 'VIP,Newsletter'],
		['the colons of Google Contacts', 'VIP ::: Newsletter', 'VIP,Newsletter'],
	])('with %s', async (_what, tags, expected) => {
		for (const parameters of [automatic, mapped(['tags'])]) {
			tenant.sandbox.clearRequests();
			const { profiles, reasons } = await imported([person({ tags } as IDataObject)], parameters);
			expect(profiles).toEqual([{ tags: expected }]);
			expect(reasons).toEqual(['']);
		}
	});

	it.each(['{}', '{NULL}', '[]', ' [ ] '])(
		'that are none are a cell that holds nothing: %s',
		async (tags) => {
			const given = [person({ tags: 'VIP', displayId: '491710000002' }), person({ tags, address: tags })];
			const { profiles, reasons } = await imported(given, automatic);
			expect(profiles[1]).toEqual({ address: tags });
			expect(reasons).toEqual(['', '']);
			tenant.sandbox.clearRequests();
			expect((await imported(given, { ...automatic, emptyCells: 'clear' })).profiles[1]).toEqual({
				...{ address: tags, tags: null },
			});
		},
	);

	it.each([
		['/', 'VIP; Gold / Newsletter', 'VIP; Gold,Newsletter'],
		[' - ', 'Well-known - VIP|Gold', 'Well-known,VIP|Gold'],
		[';', 'VIP; Gold|Silver', 'VIP,Gold|Silver'],
		[' ', 'VIP  Gold', 'VIP,Gold'],
		['', 'VIP; Gold', 'VIP,Gold'],
	])('are divided only at the Separator "%s", if there is one', async (separator, tags, expected) => {
		const { profiles } = await imported([person({ tags })], { ...automatic, separator });
		expect(profiles).toEqual([{ tags: expected }]);
	});

	it('are left out if one has a comma, at which the service would divide it', async () => {
		const { profiles, reasons } = await imported([person({ tags: 'A, B / C' })], {
			...automatic,
			separator: '/',
		});
		expect(profiles).toEqual([{}]);
		expect(reasons).toEqual(['Left out: Tags contains "A, B", whose comma would make it several tags']);
	});
});

describe('a column that is mapped to an expression', () => {
	const json = {
		...person({ note: 'Grüße', list: ['a', 'b'], group: { name: 'Gold', no: null } }),
		...{ at: new Date('1990-05-16T22:00:00Z'), when: DateTime.fromISO('1990-05-17T12:00:00Z'), zero: 0 },
	} as unknown as IDataObject;
	const imports = async (expression: string) => {
		const columns = { displayId: '={{ $json.displayId }}', name: 'Nora', custom1: `={{ ${expression} }}` };
		const mapping = { mappingMode: 'defineBelow', value: columns };
		const { error, ...found } = await imported([json], { ...automatic, columns: mapping });
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
		tenant.sandbox.clearRequests();
		expect(await imports(`$json.${place}`)).toEqual(evaluated);
	});
});

describe('a cell that was read in the wrong character set', () => {
	it('is an invalid value, and the reason says how to read the file', async () => {
		const rows = [
			person({ name: 'J\ufffdrgen' }),
			person({ address: 'K\ufffdln', tags: 'VIP, B\ufffdcher' }),
		];
		const { profiles, reasons } = await imported(rows, automatic);
		expect(profiles).toEqual([{}]);
		const lost = (label: string, text: string) =>
			`${label} "${text}" has lost letters; read the file as Windows-1252`;
		expect(reasons).toEqual([
			lost('Name', 'J\ufffdrgen'),
			`Left out: ${lost('Tags', 'B\ufffdcher')}; ${lost('Address', 'K\ufffdln')}`,
		]);
	});

	it('stops the import with Invalid Values on Fail', async () => {
		const { error } = await imported([person({ name: 'J\ufffdrgen' })], {
			...automatic,
			invalidValues: 'fail',
		});
		expect(error?.description).toContain(
			'Line 2: Name "J\ufffdrgen" has lost letters; read the file as Windows-1252\n',
		);
		expect(tenant.sent()).toEqual([]);
	});
});

describe('a number with a 0 behind its country code', () => {
	it('is not imported, and the reason has the number that is probably meant', async () => {
		const rows = ['+49 0170 1000001', '+39 06 6982 1234'].map((displayId) => person({ displayId }));
		const { results, reasons } = await imported(rows, automatic);
		expect(results).toEqual(['not imported', 'created or updated']);
		expect(reasons[0]).toBe(
			'Phone Number "+49 0170 1000001" has a 0 behind the country code 49; probably +491701000001 is meant',
		);
	});
});
