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
const row = (index: number, more: IDataObject = {}) => ({
	json: { displayId: String(491_710_000_000 + index), name: `Row ${index}`, ...more } as IDataObject,
});
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));

/** Imports these rows with Map Automatically. */
const importing = async (
	given: IDataObject[],
	more: INodeParameters = {},
	options: Partial<NodeRunOptions> = {},
) => await tenant.run({ ...auto, ...more }, { items: given.map((json) => ({ json })), ...options });

/** The customers of each request. */
const sent = () => tenant.bodies(IMPORT).map(({ customers }) => customers as unknown as Sent[]);
const sentCustomers = () => sent().flat();
const profileOf = async (given: IDataObject) => {
	const { error } = await importing([row(1, given).json]);
	expect(error).toBeUndefined();
	return sentCustomers()[0].profile;
};

const numbersOf = (json: IDataObject) =>
	['created_count', 'updated_count', 'skipped_count'].map((name) => Number(json[name]));
const summed: INodeParameters = { ...auto, output: 'summary' };
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

it.each([
	[1, [1]],
	[500, [500]],
	[501, [500, 1]],
	[1001, [500, 500, 1]],
])('%i rows go out in requests of %j, and each has an item that is linked to it', async (count, sizes) => {
	const { items, error } = await tenant.run(auto, { items: rows(count) });
	expect(error).toBeUndefined();
	expect(sent().map(({ length }) => length)).toEqual(sizes);
	expect(sentCustomers().map(({ name }) => name)).toEqual(rows(count).map(({ json }) => json.name));
	expect(items).toEqual(
		rows(count).map(({ json }, item) => ({
			json: {
				...{ line: item + 2, name: `Row ${item}`, number: json.displayId },
				...{ result: 'created or updated', reason: '', row: json },
			},
			pairedItem: { item },
		})),
	);
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
		const { error, items: made } = await tenant.run({ ...auto, advanced: { maximumTries: 1 } }, { items });
		expect(error).toBeUndefined();
		expect(made.map(({ json }) => json.line)).toEqual(items.map((_, index) => index + 2));
		expect(tenant.bodies(IMPORT)).toHaveLength(3);
		return log;
	};
	const inOrderOfRows = [
		'0 arrives',
		'0 is answered',
		'1 arrives',
		'1 is answered',
		'2 arrives',
		'2 is answered',
	];

	it('are on their way at once where no row has tags', async () => {
		const log = await imported((index) => ({ email: `${index}@mail.example`, tags: '' }));
		expect(log.slice(0, 3).sort()).toEqual(['0 arrives', '1 arrives', '2 arrives']);
	});

	it('go out in the order of the rows where any row has tags, which two requests could create', async () => {
		expect(await imported((index) => (index === 1400 ? { tags: 'Spring' } : {}))).toEqual(inOrderOfRows);
	});
});

it('the output tells how many rows go out at once', async () => {
	expect(await numbersTold('output.summary', { operation: 'bulkImport' })).toEqual([500]);
});

it.each([500, 501])('%i rows are summed up in one item that is linked to all of them', async (count) => {
	const { items } = await tenant.run({ ...auto, output: 'summary' }, { items: rows(count) });
	expect(items).toEqual([
		{
			json: {
				...{ requests: Math.ceil(count / 500), created_count: count },
				...{ updated_count: 0, skipped_count: 0 },
			},
			pairedItem: rows(count).map((_, item) => ({ item })),
		},
	]);
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
	const padded = [1, 2].map((last) => ({
		json: JSON.parse(JSON.stringify(json).replace(/171 (x?)1/, `171 $1000000${last}`)) as IDataObject,
	}));
	const columns = { mappingMode: 'defineBelow', value: { displayId, name: 'Fixed' } };
	for (const byRoutingEngine of [false, true]) {
		tenant.arrived.splice(0);
		const { error } = await tenant.run({ ...auto, columns }, { items: padded, byRoutingEngine });
		expect(error).toBeUndefined();
		expect(sentCustomers()).toEqual(
			['491710000001', '491710000002'].map((display_id) => ({
				...{ channel: 'chatapp', display_id, name: 'Fixed', profile: {} },
			})),
		);
	}
});

it('a field that an item does not have is an empty column, and one that n8n refuses fails in its words', async () => {
	const importing = async (displayId: string) =>
		await tenant.run(
			{ ...auto, columns: { mappingMode: 'defineBelow', value: { displayId, name: 'x' } } },
			{ items: [row(1)] },
		);
	const { error: refused } = await importing('={{ $json.constructor }}');
	expect(refused?.message).toBe('Expression contains invalid constructor function call');
	const { error } = await importing('={{ $json.telefon }}');
	expect(tenant.requests).toEqual([]);
	expect(error).toMatchObject({
		message: 'No item has a phone number; nothing was sent',
		description:
			'The input has the fields "displayId", "name". Map the one with the number to Phone Number in Columns; Map Automatically knows it as phone, mobile or displayId.',
	});
});

const mapped = (value: object) => ({
	...{ resource: 'customer', operation: 'bulkImport', invalidValues: 'fail' },
	columns: {
		mappingMode: 'defineBelow',
		value: { displayId: '={{ $json.displayId }}', name: '={{ $json.name }}', ...value },
	},
});

it('sends nothing for columns that are not mapped, which n8n keeps as null', async () => {
	const { error } = await tenant.run(mapped({ email: null, tags: null, custom1: null, dateOfBirth: '' }), {
		items: [row(1)],
	});
	expect(error).toBeUndefined();
	expect(sentCustomers()).toMatchObject([{ profile: {} }]);
	expect(sentCustomers()[0].profile).toEqual({});
});

it('clears a field with an expression that gives null, if it is to clear', async () => {
	const parameters = mapped({ email: '={{ null }}', custom1: 'x' });
	await tenant.run({ ...parameters, emptyCells: 'clear' }, { items: [row(1)] });
	expect(sentCustomers()[0].profile).toEqual({ email: null, custom_1: 'x' });
});

it.each<[string, unknown, string]>([
	['titles', 'VIP,,Fresh ', 'VIP,Fresh'],
	['a list', ['VIP', ' Fresh'], 'VIP,Fresh'],
	['records', [{ id: 'crm-9', title: 'VIP' }], 'VIP'],
])('sends tags from %s', async (_what, tags, expected) => {
	for (const parameters of [mapped({ tags: '={{ $json.tags }}' }), auto]) {
		tenant.arrived.splice(0);
		const { error } = await tenant.run(parameters, {
			items: [row(1, { tags: tags as IDataObject[string] })],
		});
		expect(error).toBeUndefined();
		expect(sentCustomers()[0].profile).toEqual({ tags: expected });
	}
});

it.each<unknown>([undefined, null, ''])('leaves out mapped tags that are %j', async (tags) => {
	const { error } = await tenant.run(mapped({ tags: '={{ $json.tags }}' }), {
		items: [row(1, { tags: tags as IDataObject[string] })],
	});
	expect(error).toBeUndefined();
	expect(sentCustomers()[0].profile).toEqual({});
});

it.each<[string, unknown, string]>([
	['null among titles', ['VIP', null], 'contains "null", which has no title'],
	['a title with a comma', ['A, B'], 'contains "A, B", whose comma would make it several tags'],
])('imports nothing when mapped tags are %s', async (_what, tags, problem) => {
	const parameters = mapped({ tags: '={{ $json.tags }}' });
	const { error } = await tenant.run(parameters, { items: [row(1, { tags: tags as IDataObject[string] })] });
	expect(error?.description).toContain(`Line 2: Tags ${problem}`);
	expect(tenant.requests).toEqual([]);
});

it('takes a row without tags as it is when the columns are mapped automatically', async () => {
	const { items } = await tenant.run(auto, { items: [row(1)] });
	expect(sentCustomers()[0].profile).toEqual({});
	expect(items[0].json).toHaveProperty('reason', '');
});

it('gives an error item for each input item with Continue when nothing is imported', async () => {
	const { items } = await tenant.run(
		{ ...auto, invalidValues: 'fail' },
		{ items: [row(0), row(1, { email: 'nobody' })], onError: 'continueRegularOutput' },
	);
	expect(items.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
		[0, 1].map((item) => ['1 value cannot be imported; nothing was sent', { item }]),
	);
	expect(tenant.requests).toEqual([]);
});

const broken = [
	row(0),
	row(1, { email: 'nobody', dateOfBirth: '31.02.1990', address: 'Berlin' }),
	{ json: { displayId: '0171 1', name: 'No country' } },
	row(3, { name: '' }),
	row(4, { email: 'a@mail.example', date_of_birth: '17.05.1990' }),
];

it('Skip Value leaves bad values out, and rows that cannot do without, and reports each', async () => {
	const { items, error } = await tenant.run(summed, { items: broken });
	expect(error).toBeUndefined();
	expect(sentCustomers().map(({ display_id, profile }) => [display_id, profile])).toEqual([
		['491710000000', {}],
		['491710000001', { address: 'Berlin' }],
		['491710000004', { email: 'a@mail.example', date_of_birth: '1990-05-17' }],
	]);
	expect(items).toHaveLength(1);
	expect(items[0].json).toEqual({
		requests: 1,
		created_count: 3,
		updated_count: 0,
		// Of them, the service has skipped none.
		skipped_count: 2,
		findings: [
			{
				line: 3,
				column: 'Email',
				problem: 'Email "nobody" is not an email address',
				done: 'value skipped',
			},
			{
				line: 3,
				column: 'Date of Birth',
				problem: 'Date of Birth "31.02.1990" is not a date',
				done: 'value skipped',
			},
			{
				line: 4,
				column: 'Phone Number',
				problem: 'Phone Number "0171 1" has no country code',
				done: 'row skipped',
			},
			{ line: 5, column: 'Name', problem: 'Name is empty', done: 'row skipped' },
		],
	});
});

it('a summary is linked to all rows that it counts, those that were skipped among them', async () => {
	const { items } = await tenant.run({ ...auto, output: 'summary' }, { items: broken });
	expect(items).toMatchObject([{ json: { created_count: 3, skipped_count: 2 } }]);
	expect(items[0].pairedItem).toEqual(broken.map((_, item) => ({ item })));
});

it('Skip Row leaves out rows with any bad value', async () => {
	const { items } = await tenant.run({ ...summed, invalidValues: 'skipRow' }, { items: broken });
	expect(sentCustomers().map(({ display_id }) => display_id)).toEqual(['491710000000', '491710000004']);
	expect(
		(items[0].json.findings as Array<{ done: string }>).every(({ done }) => done === 'row skipped'),
	).toBe(true);
});

it('Fail sends nothing and names what is wrong', async () => {
	const { error } = await tenant.run({ ...auto, invalidValues: 'fail' }, { items: broken });
	expect(error?.message).toBe('4 values cannot be imported; nothing was sent');
	expect(error?.description).toContain('Line 4: Phone Number "0171 1" has no country code');
	expect(tenant.requests).toEqual([]);
});

const repeated = [row(1, { address: 'old' }), row(2), row(1, { address: 'new' })];

it.each([
	['last', ['491710000002', '491710000001'], 'new', 2],
	['first', ['491710000001', '491710000002'], 'old', 4],
])('a number that comes twice: keeps the %s', async (repeatedNumbers, numbers, address, line) => {
	const { items } = await tenant.run({ ...summed, repeatedNumbers }, { items: repeated });
	expect(sentCustomers().map(({ display_id }) => display_id)).toEqual(numbers);
	expect(sentCustomers().find(({ display_id }) => display_id === '491710000001')?.profile).toEqual({
		address,
	});
	expect(items[0].json.findings).toMatchObject([
		{ line, problem: `Phone Number 491710000001 is also that of line ${6 - line}`, done: 'row skipped' },
	]);
});

it.each([
	['last', 'Brazil', '+55 11 8765 4321', '+55 11 98765 4321', ['5511987654321'], 2, '551187654321'],
	['first', 'Brazil', '+55 11 8765 4321', '+55 11 98765 4321', ['551187654321'], 3, '5511987654321'],
	['last', 'Argentina', '+54 9 11 2345 6789', '+54 11 2345 6789', ['541123456789'], 2, '5491123456789'],
	['first', 'Mexico', '+52 1 55 1234 5678', '+52 55 1234 5678', ['5215512345678'], 3, '525512345678'],
])(
	'keeps the %s of two writings of a number in %s, and sends it as it was written',
	async (repeatedNumbers, _country, one, other, numbers, line, left) => {
		const items = [one, other].map((displayId, index) => row(index, { displayId }));
		const { items: output } = await tenant.run({ ...summed, repeatedNumbers }, { items });
		expect(sentCustomers().map(({ display_id }) => display_id)).toEqual(numbers);
		expect(tenant.requests).toEqual([IMPORT]);
		expect(output[0].json.findings).toMatchObject([
			{ line, problem: `Phone Number ${left} is also that of line ${5 - line}`, done: 'row skipped' },
		]);
	},
);

it('a number that comes twice can fail the import before it is sent', async () => {
	const { error } = await tenant.run({ ...auto, repeatedNumbers: 'fail' }, { items: repeated });
	expect(error?.message).toContain('cannot be imported; nothing was sent');
	expect(tenant.requests).toEqual([]);
});

it('a failed request fails only its rows, and names them', async () => {
	const answer = () => tenant.answer({ [IMPORT]: inOrder(created, refusal(422, 'No'), created) });
	answer();
	const stopped = await tenant.run(auto, { items: rows(1100) });
	expect(stopped.error).toMatchObject({
		message: '500 of 1100 records failed',
		description: expect.stringMatching(/^Items 500 to 999: No/),
	});
	expect(tenant.requests).toEqual([IMPORT, IMPORT, IMPORT]);
	answer();
	const { items, errorItems } = await tenant.run(auto, { items: rows(1100), onError: 'continueErrorOutput' });
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		rows(1100).flatMap((_, item) => (item < 500 || item > 999 ? [{ item }] : [])),
	);
	expect(errorItems.map(({ json, pairedItem }) => [json, pairedItem])).toEqual(
		rows(500).map((_, index) => [
			{
				...{ line: 502 + index, name: `Row ${500 + index}`, number: String(491_710_000_500 + index) },
				...{ result: 'not imported', reason: 'No', row: row(500 + index).json },
				// n8n adds the fields of the item.
				...row(500 + index).json,
				...{ error: 'No', details: { description: expect.stringContaining('HTTP 422') } },
			},
			{ item: 500 + index },
		]),
	);
	answer();
	const counted = await tenant.run(summed, { items: rows(1100), onError: 'continueErrorOutput' });
	expect(counted.items).toMatchObject([{ json: { requests: 2, created_count: 600 } }]);
	expect(counted.errorItems).toEqual(errorItems);
});

it('the name of a column wins over what is usual, and the first usual one with a value over the others, a mobile number first', async () => {
	const own = { displayId: '491710000001', phone: '491719999999', name: 'Nora' };
	const same = { phone: '491710000002', mobile: '491710000002', name: 'Nils' };
	const torn = { phone: '491710000003', mobile: '491719999999', name: 'Nadja' };
	const half = { phone: '', mobile: '491710000004', name: 'Nele' };
	const { run } = await importing([own, same, torn, half], summed);
	expect(sentCustomers().map(({ display_id }) => display_id)).toEqual([
		'491710000001',
		'491710000002',
		'491719999999',
		'491710000004',
	]);
	expect(run.data.resultData.runData.Node[0].hints).toMatchObject([
		{ message: '2 of 4 items have fields that no column takes: "phone".' },
	]);
});

it('says what was skipped also when nothing is left to send', async () => {
	const { items, error } = await tenant.run(summed, { items: [row(0, { displayId: '' })] });
	expect(error).toBeUndefined();
	expect(items).toMatchObject([
		{ json: { requests: 0, skipped_count: 1, findings: [{ line: 2 }] }, pairedItem: [{ item: 0 }] },
	]);
	expect(tenant.requests).toEqual([]);
});

describe('Map Automatically', () => {
	it('takes another spelling where the field with the name of the column is empty', async () => {
		for (const blank of ['', null, '  '])
			expect(await profileOf({ Email: 'jo@mail.example', email: blank })).toEqual({
				email: 'jo@mail.example',
			});
	});

	it('names a field that another one is taken for, if it says something else', async () => {
		const { run } = await importing([
			row(1, { phone: '491719999999', 'Custom 1': 'x', custom_1: 'y', Email: 'jo@mail.example' }).json,
			row(2, { phone: String(491_710_000_002), 'Custom 1': '', custom_1: 'y' }).json,
		]);
		expect(sentCustomers()[0]).toMatchObject({ profile: { custom_1: 'y', email: 'jo@mail.example' } });
		const [{ hints }] = run.data.resultData.runData.Node;
		expect(hints?.map(({ message }) => message)).toEqual([
			'1 of 2 items have fields that no column takes: "phone", "Custom 1".',
		]);
	});

	it.each([
		{ phone: '+49 171 0000001', 'Full Name': 'Nora' },
		{ Mobile: '0049 171 0000001', name: 'Nora' },
		{ telefon: '+491710000001', Kundenname: 'Nora' },
	])('knows names by their usual columns: %j', async (json) => {
		const { items } = await importing([json as unknown as IDataObject]);
		expect(items[0].json).toHaveProperty('reason', '');
		expect(sentCustomers()).toEqual([
			{ channel: 'chatapp', display_id: '491710000001', name: 'Nora', profile: {} },
		]);
	});

	it.each([
		...['phone', 'Phone', 'PHONE', ' phone ', 'phone number', 'Phone Number', 'phone_number', 'phoneNumber'],
		...['mobile', 'Mobile', 'MOBILE', 'telefon', 'displayId', '\ufeffphone', '\ufeff"Phone Number"'],
		...['"Phone Number"', "'phone'", '“Telefon”', '\ufeff"displayId"', '"display_id"', '„Handy“', '«Tel.»'],
	])('takes "%s" for the phone number', async (column) => {
		const { error } = await importing([{ [column]: '+49 170 1000001', name: 'Jo' }]);
		expect(error).toBeUndefined();
		expect(sentCustomers()).toMatchObject([{ display_id: '491701000001' }]);
	});

	it.each<[string, string, unknown, unknown]>([
		['e-mail', 'email', 'a@mail.example', 'a@mail.example'],
		['E-Mail', 'email', 'a@mail.example', 'a@mail.example'],
		['email', 'email', 'a@mail.example', 'a@mail.example'],
		['E Mail', 'email', 'a@mail.example', 'a@mail.example'],
		['EMAIL', 'email', 'a@mail.example', 'a@mail.example'],
		['email address', 'email', 'a@mail.example', 'a@mail.example'],
		['birthday', 'date_of_birth', '17.05.1990', '1990-05-17'],
		['Birthday', 'date_of_birth', '1990-05-17', '1990-05-17'],
		['date_of_birth', 'date_of_birth', '1990-05-17', '1990-05-17'],
		['Date of Birth', 'date_of_birth', '1990-05-17', '1990-05-17'],
		['dateOfBirth', 'date_of_birth', '1990-05-17', '1990-05-17'],
		['Tags', 'tags', 'VIP, New', 'VIP,New'],
		['Address', 'address', 'Berlin', 'Berlin'],
		['marketing_opt_in', 'marketing_opt_in', 'yes', 1],
		['Marketing Opt-In', 'marketing_opt_in', 'ja', 1],
		['marketingOptIn', 'marketing_opt_in', true, 1],
		['custom_1', 'custom_1', 'x', 'x'],
		['custom1', 'custom_1', 'x', 'x'],
		['Custom 5', 'custom_5', 'x', 'x'],
	])('takes "%s" for %s', async (column, field, value, expected) => {
		expect(await profileOf({ [column]: value as string })).toEqual({ [field]: expected });
	});

	it.each([
		'constructor',
		'__proto__',
		'toString',
		'hasOwnProperty',
		'fax',
		'telefax',
		'phone_type',
		'has phone',
	])('does not take "%s" for a column', async (column) => {
		const rows = JSON.parse(`[{"${column}":"+491701000001","name":"Jo"}]`) as IDataObject[];
		const { error } = await importing(rows);
		expect(error?.message).toBe('No item has a phone number; nothing was sent');
		expect(tenant.requests).toEqual([]);
	});
});

it('where no row has a name, the columns are named, as with first and last name', async () => {
	const { error } = await importing([{ phone: '491701000001', 'First Name': 'Jo', 'Last Name': 'Smith' }]);
	expect(error?.message).toBe('No item has a name; nothing was sent');
	expect(error?.description).toContain('The input has the fields "phone", "First Name", "Last Name".');
	expect(tenant.requests).toEqual([]);
});

it('a list of HubSpot or Google Sheets is known by its columns', async () => {
	const { run, error } = await importing([
		{ row_number: 2, Name: 'Jo', 'Phone Number': '+49 30 1234567', 'Mobile Phone Number': '491701000001' },
	]);
	expect(error).toBeUndefined();
	expect(sentCustomers()).toMatchObject([{ display_id: '491701000001' }]);
	const hints = run.data.resultData.runData.Node[0].hints?.map(({ message }) => message);
	expect(hints).toEqual(['1 of 1 items have fields that no column takes: "Phone Number".']);
});

describe('where no row has a phone number', () => {
	it.each<[string, IDataObject[]]>([
		['other columns', [{ fax: '1', name: 'Jo' }]],
		['columns that differ from row to row', [{ name: 'Jo' }, { fax: '1' }, { 'Städte ,"\'': 'Kiel' }]],
	])('with %s, the columns are named', async (_what, rows) => {
		for (const invalidValues of ['fail', 'skipRow', 'skipValue']) {
			const { error } = await importing(rows, { invalidValues });
			expect(error?.message).toBe('No item has a phone number; nothing was sent');
			for (const column of rows.flatMap((one) => Object.keys(one)))
				expect(error?.description).toContain(column);
		}
		expect(tenant.requests).toEqual([]);
	});

	it('though they have the column: all numbers are empty', async () => {
		const given = ['', null, undefined, ' '].map(
			(displayId, index) => row(index, { displayId } as IDataObject).json,
		);
		const { items, error } = await importing(given, summed);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { skipped_count: 4 } }]);
		expect(items[0].pairedItem).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect((await importing(given)).items).toMatchObject(
			given.map(() => ({ json: { result: 'not imported', reason: 'Phone Number is empty' } })),
		);
		expect(tenant.requests).toEqual([]);
	});

	it('with no columns at all, it fails too', async () => {
		const { error } = await importing([{}]);
		expect(error?.message).toMatch(/phone number/i);
		expect(tenant.requests).toEqual([]);
	});

	it('with very many and very long columns, the error stays readable', async () => {
		const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`column ${index}`, 1]));
		const { error } = await importing([{ ...many, ['x'.repeat(100_000)]: 1 }]);
		expect(error?.description).toContain('column 0');
		expect(String(error?.description).length).toBeLessThanOrEqual(10_000);
	});

	it('with Continue, each item says so', async () => {
		const { items } = await importing(
			[{ name: 'A' }, { name: 'B' }],
			{},
			{ onError: 'continueRegularOutput' },
		);
		expect(items.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
			[0, 1].map((item) => ['No item has a phone number; nothing was sent', { item }]),
		);
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
		][index % 7].json;
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
			const { items } = await importing([row(1).json, row(2, { displayId: 'x' }).json], summed);
			expect(items.map(({ json }) => json.skipped_count)).toEqual([1]);
		},
	);

	it('count a number that comes twice in two writings as skipped', async () => {
		const { items } = await importing(
			[
				{ phone: '+49 170 1000001', name: 'A' },
				{ phone: '0049 (0)170 1000001', name: 'B' },
				{ phone: 491701000001, name: 'C' },
			],
			summed,
		);
		expect(sentCustomers()).toMatchObject([{ display_id: '491701000001', name: 'C' }]);
		expect(numbersOf(items[0].json)).toEqual([1, 0, 2]);
	});
});

it.each(['fail', 'skipRow', 'skipValue'])(
	'an opt-in that is unclear is never sent: %s',
	async (invalidValues) => {
		for (const value of ['maybe', 2, {}, 'x', '?'])
			await importing([row(1, { marketing_opt_in: value as string }).json, row(2).json], { invalidValues });
		expect(JSON.stringify(sent())).not.toContain('marketing_opt_in');
	},
);

it('an undefined tag, birthday or e-mail of a row clears nothing', async () => {
	expect(
		await profileOf({ email: undefined, tags: undefined, birthday: '' } as unknown as IDataObject),
	).toEqual({});
});
