import { setTimeout } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { numbersTold } from '../../description/labels.mts';
import type { NodeRunOptions } from '../../engine/engine.mts';
import { type Answers, inOrder, refusal, ScriptedTenant } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const IMPORT = 'POST /customers/bulk-import';

interface Sent {
	display_id: string;
	name: string;
	profile: IDataObject;
}

const counts = (created: number, updated = 0, skipped = 0) => ({
	data: { created_count: created, updated_count: updated, skipped_count: skipped },
});

/** Answers as the service does: each new customer is created. */
const created: Answers[string] = ({ body }) => counts((body as { customers: Sent[] }).customers.length);

beforeEach(() => tenant.answer({ [IMPORT]: created }));

const auto: INodeParameters = {
	resource: 'customer',
	operation: 'bulkImport',
	columns: { mappingMode: 'autoMapInputData', value: null },
};
const row = (index: number, more: IDataObject = {}): IDataObject => ({
	...{ displayId: String(491_710_000_000 + index), name: `Row ${index}` },
	...more,
});
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));

/** Imports these rows with these options, mapped automatically unless a mapping is given. */
const importing = async (
	given: IDataObject[],
	options: INodeParameters = {},
	how: Partial<NodeRunOptions> = {},
	columns: INodeParameters = auto.columns as INodeParameters,
) => await tenant.run({ ...auto, columns, options }, { items: given.map((json) => ({ json })), ...how });

/** The customers of each request. */
const sent = () => tenant.bodies(IMPORT).map(({ customers }) => customers as unknown as Sent[]);
const sentCustomers = () => sent().flat();
const profileOf = async (given: IDataObject) => {
	const { error } = await importing([row(1, given)]);
	expect(error).toBeUndefined();
	return sentCustomers()[0].profile;
};

const numbersOf = (json: IDataObject) =>
	['created_count', 'updated_count', 'skipped_count'].map((name) => Number(json[name]));
const summed: INodeParameters = { output: 'summary' };
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

it.each([
	[1, [1]],
	[500, [500]],
	[501, [500, 1]],
	[1001, [500, 500, 1]],
])('%i rows go out in requests of %j, and each has an item that is linked to it', async (count, sizes) => {
	const { items, error } = await importing(rows(count));
	expect(error).toBeUndefined();
	expect(sent().map(({ length }) => length)).toEqual(sizes);
	expect(sentCustomers().map(({ name }) => name)).toEqual(rows(count).map(({ name }) => name));
	expect(items).toEqual(
		rows(count).map((input, item) => ({
			json: {
				...{ row: item + 2, name: `Row ${item}`, number: input.displayId },
				...{ result: 'created or updated', reason: '', input },
			},
			pairedItem: { item },
		})),
	);
	const counts = { created_count: count, updated_count: 0, skipped_count: 0 };
	expect((await importing(rows(count), summed)).items).toEqual([
		{ json: { requests: sizes.length, ...counts }, pairedItem: rows(count).map((_, item) => ({ item })) },
	]);
});

describe('requests of an import', () => {
	/** Three whole requests, with what a row has more. */
	const imported = async (more: (index: number) => IDataObject) => {
		const log: string[] = [];
		tenant.answer({
			async [IMPORT](arrived, reply) {
				const first = Math.trunc(
					(Number((arrived.body as { customers: Sent[] }).customers[0].display_id) - 491_710_000_000) / 500,
				);
				log.push(`${first} arrives`);
				// As long as another one needs to arrive, if it may.
				await setTimeout(100);
				log.push(`${first} is answered`);
				return await created(arrived, reply);
			},
		});
		const items = Array.from({ length: 1500 }, (_, index) => row(index, more(index)));
		const { error, items: made } = await importing(items);
		expect(error).toBeUndefined();
		expect(made.map(({ json }) => json.row)).toEqual(items.map((_, index) => index + 2));
		expect(tenant.bodies(IMPORT)).toHaveLength(3);
		return log;
	};
	const inOrderOfRows = [0, 1, 2].flatMap((first) => [`${first} arrives`, `${first} is answered`]);

	it('are on their way at once where no row has tags', async () => {
		const log = await imported((index) => ({ email: `${index}@mail.example`, tags: '' }));
		expect(log.slice(0, 3).sort()).toEqual(['0 arrives', '1 arrives', '2 arrives']);
	});

	it('go out in the order of the rows where any row has tags, which two requests could create', async () => {
		expect(await imported((index) => (index === 1400 ? { tags: 'Spring' } : {}))).toEqual(inOrderOfRows);
	});
});

it('the output tells how many rows go out at once', async () => {
	expect(await numbersTold('options.output.summary', { operation: 'bulkImport' })).toEqual([500]);
});

it.each([
	['={{ $json.phone }}', { phone: '+49 171 1' }],
	['={{$json["phone number"]}}', { 'phone number': '+49 171 1' }],
	["={{ $json.contact['phone'] }}", { contact: { phone: '+49 171 1' } }],
	['={{ $json.phone.replace("x", "") }}', { phone: '+49 171 x1' }],
	['=+49 {{ $json.rest }}', { rest: '171 1' }],
	['={{ $input.item.json.rest }}', { rest: '+49 171 1' }],
	['={{ "+49171000000" + ($itemIndex + 1) }}', {}],
])('maps a column by %s, which is worked out for each row', async (displayId, json) => {
	const padded = [1, 2].map(
		(last) => JSON.parse(JSON.stringify(json).replace(/171 (x?)1/, `171 $1000000${last}`)) as IDataObject,
	);
	const columns = { mappingMode: 'defineBelow', value: { displayId, name: 'Fixed' } };
	for (const byRoutingEngine of [false, true]) {
		tenant.arrived.splice(0);
		const { error } = await importing(padded, {}, { byRoutingEngine }, columns);
		expect(error).toBeUndefined();
		// n8n's routing engine sends the items at once.
		const arrived = sentCustomers().sort((a, b) => a.display_id.localeCompare(b.display_id));
		expect(arrived).toEqual(
			['491710000001', '491710000002'].map((display_id) => ({
				...{ channel: 'chatapp', display_id, name: 'Fixed', profile: {} },
			})),
		);
	}
});

/** Maps the number, the name, and these columns by hand. */
const mapped = (value: object): INodeParameters => ({
	mappingMode: 'defineBelow',
	value: { displayId: '={{ $json.displayId }}', name: '={{ $json.name }}', ...value },
});

it('a field that an item does not have is an empty column, and one that n8n refuses fails in its words', async () => {
	const from = async (displayId: string) => await importing([row(1)], {}, {}, mapped({ displayId }));
	expect((await from('={{ $json.constructor }}')).error?.message).toBe(
		'Expression contains invalid constructor function call',
	);
	const { error } = await from('={{ $json.telefon }}');
	expect(tenant.requests).toEqual([]);
	expect(error).toMatchObject({
		message: 'No item has a phone number; nothing was sent',
		description:
			'The input has the fields "displayId", "name". In Columns, choose Map Each Column Manually, and map the right one to Phone Number. Map Automatically knows it as phone, mobile or displayId.',
	});
});

it('sends nothing for columns that are not mapped, which n8n keeps as null', async () => {
	const columns = mapped({ email: null, tags: null, custom1: null, dateOfBirth: '' });
	const { error } = await importing([row(1)], { invalidValues: 'fail' }, {}, columns);
	expect(error).toBeUndefined();
	expect(sentCustomers()[0].profile).toEqual({});
});

it('clears a field with an expression that gives null, if it is to clear', async () => {
	const columns = mapped({ email: '={{ null }}', custom1: 'x' });
	await importing([row(1)], { emptyCells: 'clear' }, {}, columns);
	expect(sentCustomers()[0].profile).toEqual({ email: null, custom_1: 'x' });
});

it.each<[unknown, IDataObject]>([
	['VIP,,Fresh ', { tags: 'VIP,Fresh' }],
	[['VIP', ' Fresh'], { tags: 'VIP,Fresh' }],
	[[{ id: 'crm-9', title: 'VIP' }], { tags: 'VIP' }],
	[undefined, {}],
	[null, {}],
	['', {}],
])('sends tags from %j', async (tags, profile) => {
	for (const columns of [mapped({ tags: '={{ $json.tags }}' }), undefined]) {
		tenant.arrived.splice(0);
		const { error } = await importing([row(1, { tags } as IDataObject)], {}, {}, columns);
		expect(error).toBeUndefined();
		expect(sentCustomers()[0].profile).toEqual(profile);
	}
});

it.each<[string, unknown, string]>([
	['null among titles', ['VIP', null], 'contains "null", which has no title'],
	['a title with a comma', ['A, B'], 'contains "A, B", whose comma would make it several tags'],
])('imports nothing when mapped tags are %s', async (_what, tags, problem) => {
	const given = [row(1, { tags } as IDataObject)];
	const columns = mapped({ tags: '={{ $json.tags }}' });
	const { error } = await importing(given, { invalidValues: 'fail' }, {}, columns);
	expect(error?.description).toContain(`Row 2: Tags ${problem}`);
	expect(tenant.requests).toEqual([]);
});

/** Imports that fail as a whole: what their rows say at an error output, in which each is a row of the file. */
it.each<[string, IDataObject[], INodeParameters, string, string[]]>([
	[
		'an invalid value on Fail',
		[row(0), row(1, { email: 'nobody' })],
		{ invalidValues: 'fail' },
		'1 value cannot be imported; nothing was sent',
		[
			'1 value cannot be imported; nothing was sent. Correct them, or choose in Invalid Values or Repeated Phone Numbers what to leave out.',
			'Email "nobody" is not an email address. Use one address such as name@email.com. The service would leave out any other value.',
		],
	],
	[
		'no column of phone numbers',
		[{ name: 'A' }, { name: 'B' }],
		{},
		'No item has a phone number; nothing was sent',
		Array<string>(2).fill(
			'No item has a phone number; nothing was sent. The input has the fields "name". In Columns, choose Map Each Column Manually, and map the right one to Phone Number. Map Automatically knows it as phone, mobile or displayId.',
		),
	],
])(
	'with Continue, each item says that nothing was sent for %s',
	async (_what, given, options, error, reasons) => {
		const { items } = await importing(given, options, { onError: 'continueRegularOutput' });
		expect(items.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
			given.map((_, item) => [error, { item }]),
		);
		const { errorItems } = await importing(given, options, { onError: 'continueErrorOutput' });
		expect(errorItems.map(({ json }) => json)).toEqual(
			given.map((json, index) => ({ ...json, reason: reasons[index] })),
		);
		expect(tenant.requests).toEqual([]);
	},
);

describe('rows with invalid values', () => {
	const broken = [
		row(0),
		row(1, { email: 'nobody', dateOfBirth: '31.02.1990', address: 'Berlin' }),
		{ displayId: '0171 1', name: 'No country' },
		row(3, { name: '' }),
		row(4, { email: 'a@mail.example', dateOfBirth: '17.05.1990' }),
	];

	it('are sent without these values with Skip Value, unless they cannot do without, and each is reported', async () => {
		const { items, error } = await importing(broken, summed);
		expect(error).toBeUndefined();
		expect(sentCustomers().map(({ display_id, profile }) => [display_id, profile])).toEqual([
			['491710000000', {}],
			['491710000001', { address: 'Berlin' }],
			['491710000004', { email: 'a@mail.example', date_of_birth: '1990-05-17' }],
		]);
		const finding = (
			of: number,
			column: string,
			problem: string,
			done: string,
			hint = expect.any(String) as string,
		) => ({
			...{ row: of, column, problem: `${column} ${problem}`, hint, done },
		});
		expect(items).toEqual([
			{
				json: {
					...{ requests: 1, created_count: 3, updated_count: 0 },
					// Of them, the service has skipped none.
					skipped_count: 2,
					findings: [
						finding(3, 'Email', '"nobody" is not an email address', 'value skipped'),
						finding(3, 'Date of Birth', '"31.02.1990" is not a date', 'value skipped'),
						finding(4, 'Phone Number', '"0171 1" has no country code', 'row skipped'),
						finding(5, 'Name', 'is empty', 'row skipped', ''),
					],
				},
				pairedItem: broken.map((_, item) => ({ item })),
			},
		]);
	});

	it('are left out with Skip Row', async () => {
		const { items } = await importing(broken, { ...summed, invalidValues: 'skipRow' });
		expect(sentCustomers().map(({ display_id }) => display_id)).toEqual(['491710000000', '491710000004']);
		const findings = items[0].json.findings as Array<{ done: string }>;
		expect(findings.every(({ done }) => done === 'row skipped')).toBe(true);
	});

	it('stop the import with Fail, which names what is wrong', async () => {
		const { error } = await importing(broken, { invalidValues: 'fail' });
		expect(error?.message).toBe('4 values cannot be imported; nothing was sent');
		expect(error?.description).toContain('Row 4: Phone Number "0171 1" has no country code');
		expect(tenant.requests).toEqual([]);
	});

	it.each(['fail', 'skipRow', 'skipValue'])('never send an unclear opt-in: %s', async (invalidValues) => {
		for (const value of ['maybe', 2, {}, 'x', '?'])
			await importing([row(1, { marketing_opt_in: value as string }), row(2)], { invalidValues });
		expect(JSON.stringify(sent())).not.toContain('marketing_opt_in');
	});
});

describe('a number that comes twice', () => {
	it.each([
		['last', '', '491710000001', '+49 171 0000001', ['491710000001'], 2, '491710000001'],
		['first', '', '+49 171 0000001', '0049 (0)171 0000001', ['491710000001'], 3, '491710000001'],
		['last', 'of Brazil', '+55 11 8765 4321', '+55 11 98765 4321', ['5511987654321'], 2, '551187654321'],
		['first', 'of Brazil', '+55 11 8765 4321', '+55 11 98765 4321', ['551187654321'], 3, '5511987654321'],
		['last', 'of Argentina', '+54 9 11 2345 6789', '+54 11 2345 6789', ['541123456789'], 2, '5491123456789'],
		['first', 'of Mexico', '+52 1 55 1234 5678', '+52 55 1234 5678', ['5215512345678'], 3, '525512345678'],
	])(
		'keeps the %s row %s, and sends it as it was written',
		async (repeatedNumbers, _country, one, other, numbers, of, left) => {
			const given = [one, other].map((displayId, index) => row(index, { displayId }));
			const { items } = await importing(given, { ...summed, repeatedNumbers });
			expect(sentCustomers().map(({ display_id, name }) => [display_id, name])).toEqual([
				[numbers[0], `Row ${3 - of}`],
			]);
			expect(tenant.requests).toEqual([IMPORT]);
			expect(items[0].json).toMatchObject({ created_count: 1, skipped_count: 1 });
			expect(items[0].json.findings).toMatchObject([
				{ row: of, problem: `Phone Number ${left} is also that of row ${5 - of}`, done: 'row skipped' },
			]);
		},
	);

	it.each([
		['last', ['491710000002', '491710000001']],
		['first', ['491710000001', '491710000002']],
	])('goes out at the place of the %s one', async (repeatedNumbers, numbers) => {
		await importing([row(1), row(2), row(1)], { repeatedNumbers });
		expect(sentCustomers().map(({ display_id }) => display_id)).toEqual(numbers);
	});

	it('can fail the import before it is sent', async () => {
		const { error } = await importing([row(1), row(2), row(1)], { repeatedNumbers: 'fail' });
		expect(error?.message).toContain('cannot be imported; nothing was sent');
		expect(tenant.requests).toEqual([]);
	});
});

it('a failed request fails only its rows, and names them', async () => {
	const answer = () => tenant.answer({ [IMPORT]: inOrder(created, refusal(422, 'No'), created) });
	const importsTo = async (onError?: NodeRunOptions['onError'], options?: INodeParameters) => {
		answer();
		return await importing(rows(1100), options, { onError });
	};
	expect((await importsTo()).error).toMatchObject({
		message: '500 of 1100 records failed',
		description: expect.stringMatching(/^Items 500 to 999: No/) as string,
	});
	expect(tenant.requests).toEqual([IMPORT, IMPORT, IMPORT]);
	const { items, errorItems } = await importsTo('continueErrorOutput');
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		rows(1100).flatMap((_, item) => (item < 500 || item > 999 ? [{ item }] : [])),
	);
	expect(errorItems).toEqual(
		rows(500).map((_, index) => ({
			json: { ...row(500 + index), reason: expect.stringMatching(/^No\. .*\(HTTP 422\)\. /) as string },
			pairedItem: { item: 500 + index },
		})),
	);
	const regular = await importsTo('continueRegularOutput');
	expect(regular.items[500].json).toEqual({
		...{ row: 502, name: 'Row 500', number: '491710000500', result: 'not imported' },
		...{ reason: errorItems[0].json.reason, input: row(500) },
		...{ error: 'No', details: { description: expect.stringContaining('HTTP 422') as string } },
	});
	const counted = await importsTo('continueErrorOutput', summed);
	expect(counted.items).toMatchObject([{ json: { requests: 2, created_count: 600 } }]);
	expect(counted.errorItems).toEqual(errorItems);
});

it('says what was skipped also when nothing is left to send', async () => {
	const { items, error } = await importing([row(0, { displayId: '' })], summed);
	expect(error).toBeUndefined();
	expect(items).toMatchObject([
		{ json: { requests: 0, skipped_count: 1, findings: [{ row: 2 }] }, pairedItem: [{ item: 0 }] },
	]);
	expect(tenant.requests).toEqual([]);
});

describe('Map Automatically', () => {
	const hintsOf = ({ run }: Awaited<ReturnType<typeof importing>>) =>
		run.data.resultData.runData.Node[0].hints?.map(({ message }) => message);

	it.each<[string, IDataObject[], string[], string]>([
		['its own name', [{ displayId: '1', phone: '2' }], ['1'], '"phone"'],
		['its own name before another spelling', [{ 'Display ID': '2', displayId: '1' }], ['1'], '"Display ID"'],
		['the usual one of a mobile number', [{ phone: '2', mobile: '1' }], ['1'], '"phone"'],
		[
			'one that holds something',
			[
				{ mobile: '', phone: '1' },
				{ mobile: ' ', phone: '2' },
			],
			['1', '2'],
			'',
		],
		[
			'one that holds something in any row',
			[{ mobile: '1', phone: '9' }, { mobile: '2' }],
			['1', '2'],
			'"phone"',
		],
		['only one', [{ mobile: '1' }, { phone: '2' }], ['1'], '"phone"'],
	])('reads each column from one field of the list: %s', async (_what, given, numbers, unmapped) => {
		const number = (value: unknown) => (/\d/.test(String(value)) ? `49171000000${String(value)}` : value);
		const list = given.map((json) =>
			Object.fromEntries([
				['name', 'Nora'],
				...Object.entries(json).map(([name, value]) => [name, number(value)]),
			]),
		) as IDataObject[];
		const found = await importing(list);
		expect(sentCustomers().map(({ display_id }) => display_id)).toEqual(numbers.map(number));
		const hint =
			unmapped === '' ? [] : [expect.stringContaining(`fields that no column takes: ${unmapped}.`) as string];
		expect(hintsOf(found)?.filter((message) => message.includes('no column')) ?? []).toEqual(hint);
	});

	it('takes another spelling where the field with the name of the column is empty', async () => {
		for (const blank of ['', null, '  '])
			expect(await profileOf({ Email: 'jo@mail.example', email: blank })).toEqual({
				email: 'jo@mail.example',
			});
	});

	it.each<[string, string, unknown, unknown]>([
		...(
			[
				...[
					'phone',
					'Phone',
					'PHONE',
					' phone ',
					'phone number',
					'Phone Number',
					'phone_number',
					'phoneNumber',
				],
				...['mobile', 'Mobile', 'MOBILE', 'telefon', 'displayId', '\ufeffphone', '\ufeff"Phone Number"'],
				...[
					'"Phone Number"',
					"'phone'",
					'“Telefon”',
					'\ufeff"displayId"',
					'"display_id"',
					'„Handy“',
					'«Tel.»',
				],
				...['Phone 1 - Value', 'Mobile Phone Number', 'Mobiltelefon', 'WhatsApp'],
			] as const
		).map((column): [string, string, string, string] => [
			column,
			'display_id',
			'0049 170 1000001',
			'491701000001',
		]),
		...['Full Name', 'Kundenname', 'name', '\ufeff"Name"'].map((column): [string, string, string, string] => [
			column,
			'name',
			'Nora',
			'Nora',
		]),
		...[
			'e-mail',
			'E-Mail',
			'email',
			'E Mail',
			'EMAIL',
			'email address',
			'E-mail 1 - Value',
			'E-Mail-Adresse',
		].map((column): [string, string, string, string] => [
			column,
			'email',
			'a@mail.example',
			'a@mail.example',
		]),
		...['birthday', 'Birthday', 'date_of_birth', 'Date of Birth', 'dateOfBirth', 'Geburtstag'].map(
			(column): [string, string, string, string] => [column, 'date_of_birth', '17.05.1990', '1990-05-17'],
		),
		['Tags', 'tags', 'VIP, New', 'VIP,New'],
		['Address', 'address', 'Berlin', 'Berlin'],
		['marketing_opt_in', 'marketing_opt_in', 'yes', 1],
		['Marketing Opt-In', 'marketing_opt_in', 'ja', 1],
		['marketingOptIn', 'marketing_opt_in', true, 1],
		...['custom_1', 'custom1', 'Custom 1'].map((column): [string, string, string, string] => [
			column,
			'custom_1',
			'x',
			'x',
		]),
	])('takes "%s" for %s', async (column, member, value, expected) => {
		const own = { display_id: { phone: '+491701000001' }, name: { name: 'Nora' } };
		const others = Object.entries(own).flatMap(([name, field]) => (name === member ? [] : [field]));
		const { items, error } = await importing([Object.assign({ [column]: value }, ...others) as IDataObject]);
		expect(error).toBeUndefined();
		expect(items[0].json).toHaveProperty('reason', '');
		const profile = member in own ? {} : { [member]: expected };
		expect(sentCustomers()).toEqual([
			{ channel: 'chatapp', display_id: '491701000001', name: 'Nora', profile },
		]);
	});

	it.each([
		...[
			'constructor',
			'__proto__',
			'toString',
			'hasOwnProperty',
			'fax',
			'telefax',
			'phone_type',
			'has phone',
		],
	])('does not take "%s" for a column', async (column) => {
		const given = JSON.parse(`[{"${column}":"+491701000001","name":"Jo"}]`) as IDataObject[];
		const { error } = await importing(given);
		expect(error?.message).toBe('No item has a phone number; nothing was sent');
		expect(tenant.requests).toEqual([]);
	});

	it('an undefined tag, birthday or e-mail of a row clears nothing', async () => {
		const nothing = { email: undefined, tags: undefined, birthday: '' } as unknown as IDataObject;
		expect(await profileOf(nothing)).toEqual({});
	});
});

describe('where a column is missing', () => {
	it.each<[string, string, IDataObject[]]>([
		['phone number', 'other columns', [{ fax: '1', name: 'Jo' }]],
		[
			'phone number',
			'columns that differ from row to row',
			[{ name: 'Jo' }, { fax: '1' }, { 'Städte ,"\'': 'Kiel' }],
		],
		['phone number', 'no columns at all', [{}]],
		['name', 'first and last name', [{ phone: '491701000001', 'First Name': 'Jo', 'Last Name': 'Smith' }]],
	])('that of the %s, an error names the %s', async (column, _what, given) => {
		for (const invalidValues of ['fail', 'skipRow', 'skipValue']) {
			const { error } = await importing(given, { invalidValues });
			expect(error?.message).toBe(`No item has a ${column}; nothing was sent`);
			for (const name of given.flatMap((one) => Object.keys(one)))
				expect(error?.description).toContain(`"${name}"`);
		}
		expect(tenant.requests).toEqual([]);
	});

	it('an error about very many and very long ones stays readable', async () => {
		const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`column ${index}`, 1]));
		const { error } = await importing([{ ...many, ['x'.repeat(100_000)]: 1 }]);
		expect(error?.description).toContain('column 0');
		expect(String(error?.description).length).toBeLessThanOrEqual(10_000);
	});

	it('is not where it is there and empty', async () => {
		const given = ['', null, undefined, ' '].map((displayId, index) =>
			row(index, { displayId } as IDataObject),
		);
		const { items, error } = await importing(given, summed);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { skipped_count: 4 } }]);
		expect((await importing(given)).items).toMatchObject(
			given.map(() => ({ json: { result: 'not imported', reason: 'Phone Number is empty.' } })),
		);
		expect(tenant.requests).toEqual([]);
	});
});

describe('the counts', () => {
	const broken = (index: number) =>
		[
			row(index),
			row(index, { email: 'nobody' }),
			row(index, { displayId: '0170 1' }),
			row(index, { displayId: '' }),
			row(index, { name: '' }),
			row(7),
			row(index, { marketing_opt_in: 'maybe' }),
		][index % 7];
	const given = Array.from({ length: 1407 }, (_, index) => broken(index));

	it.each(['skipRow', 'skipValue'])('are together the rows that came in: %s', async (invalidValues) => {
		tenant.answer({
			[IMPORT]: ({ body }) => counts((body as { customers: Sent[] }).customers.length - 3, 2, 1),
		});
		const { items, error } = await importing(given, { ...summed, invalidValues });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(sum(numbersOf(items[0].json))).toBe(given.length);
		expect(items[0].json.skipped_count).toBe(given.length - sentCustomers().length + sent().length);
	});

	it('are together all rows that did not fail where a request failed', async () => {
		tenant.answer({ [IMPORT]: inOrder(refusal(422), created) });
		const { items } = await importing(given, summed, { onError: 'continueRegularOutput' });
		const failed = items.filter(({ json }) => json.error !== undefined);
		expect(failed).toHaveLength(sent()[0].length);
		expect(sum(numbersOf(items[0].json)) + failed.length).toBe(given.length);
	});

	it.each<unknown>([{}, [], null, { skipped_count: null }, { skipped_count: '0' }, { skipped_count: 0 }])(
		'of a service that answers %j are those of the node, and never nonsense',
		async (data) => {
			tenant.answer({ [IMPORT]: () => ({ data }) });
			const { items } = await importing([row(1), row(2, { displayId: 'x' })], summed);
			expect(items.map(({ json }) => json.skipped_count)).toEqual([1]);
		},
	);
});

it('the settings of the first item count for all rows', async () => {
	const given = [
		{ keep: 'first', invalid: 'skipRow', existing: 'skip', out: 'rows' },
		{ keep: 'fail', invalid: 'fail', existing: 'override', out: 'summary', email: 'nobody' },
		{ keep: 'last', invalid: 'both', existing: 'both', out: 'both' },
	].map((more, index) => row(index % 2, { name: `Row ${index}`, ...more }));
	const { items, error } = await importing(given, {
		...{ duplicates: '={{ $json.existing }}', invalidValues: '={{ $json.invalid }}' },
		...{ repeatedNumbers: '={{ $json.keep }}', output: '={{ $json.out }}' },
	});
	expect(error).toBeUndefined();
	expect(tenant.bodies(IMPORT)).toEqual([
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
