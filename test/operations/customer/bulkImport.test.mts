import { setTimeout } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { fieldsByName, importColumns } from '../../../nodes/CustomerMessaging/customers/importFields.ts';
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
	columns: INodeParameters = { mappingMode: 'autoMapInputData', value: null },
) =>
	await tenant.run(
		{ resource: 'customer', operation: 'bulkImport', columns, options },
		{ items: given.map((json) => ({ json })), ...how },
	);

/** The customers of each request. */
const sent = () => tenant.bodies(IMPORT).map(({ customers }) => customers as unknown as Sent[]);
const sentCustomers = () => sent().flat();
const summed: INodeParameters = { output: 'summary' };

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
	it('are on their way at once where no row has tags', async () => {
		const log = await imported((index) => ({ email: `${index}@mail.example`, tags: '' }));
		expect(log.slice(0, 3).sort()).toEqual(['0 arrives', '1 arrives', '2 arrives']);
	});

	it('go out in the order of the rows where any row has tags, which two requests could create', async () => {
		expect(await imported((index) => (index === 1400 ? { tags: 'Spring' } : {}))).toEqual(
			[0, 1, 2].flatMap((first) => [`${first} arrives`, `${first} is answered`]),
		);
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
			'The input has the fields "displayId", "name". In Mapping Column Mode, choose Map Each Column Manually, and map the right one to Phone Number. Map Automatically knows it as phone, mobile or displayId.',
	});
});

it('sends nothing for columns that are not mapped, which n8n keeps as null, and clears by an expression that gives null', async () => {
	const columns = mapped({ email: null, tags: null, custom1: null, dateOfBirth: '', custom2: '={{ null }}' });
	for (const [emptyCells, profile] of [
		['leave', {}],
		['clear', { custom_2: null }],
	] as const) {
		tenant.arrived.splice(0);
		const { error } = await importing([row(1)], { invalidValues: 'fail', emptyCells }, {}, columns);
		expect(error).toBeUndefined();
		expect(sentCustomers()[0].profile).toEqual(profile);
	}
});

it.each<[string, IDataObject[], string, string[]]>([
	[
		'an invalid value on Fail',
		[row(0), row(1, { email: 'nobody' })],
		'1 value cannot be imported; nothing was sent',
		[
			'. Correct them, or choose in Invalid Values or ',
			'Email "nobody" is not an email address. Use one address ',
		],
	],
	[
		'no column of phone numbers',
		[{ name: 'A' }, { name: 'B' }],
		'No item has a phone number; nothing was sent',
		[
			'. The input has the fields "name". In Mapping Column Mode, choose ',
			'. The input has the fields "name". In Mapping Column Mode, choose ',
		],
	],
])(
	'with Continue, each item says that nothing was sent for %s, also as a row of the file',
	async (_what, given, error, reasons) => {
		const options = { invalidValues: 'fail' };
		const { items } = await importing(given, options, { onError: 'continueRegularOutput' });
		expect(items.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
			given.map((_, item) => [error, { item }]),
		);
		const { errorItems } = await importing(given, options, { onError: 'continueErrorOutput' });
		const whys = reasons.map((why) => expect.stringContaining(why.replace(/^\./, `${error}.`)) as string);
		const columns = Object.fromEntries(given.flatMap(Object.keys).map((name) => [name, '']));
		expect(errorItems.map(({ json }) => json)).toEqual(
			given.map((json, index) => ({ ...columns, ...json, reason: whys[index] })),
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
		const [{ json, pairedItem }, ...others] = items;
		expect(others).toEqual([]);
		// Of those that went out, the service has skipped none.
		expect(json).toMatchObject({ requests: 1, created_count: 3, updated_count: 0, skipped_count: 2 });
		expect(
			(json.findings as IDataObject[]).map((one) => [one.row, one.problem, one.done, one.hint !== '']),
		).toEqual([
			[3, 'Email "nobody" is not an email address', 'value skipped', true],
			[3, 'Date of Birth "31.02.1990" is not a date', 'value skipped', true],
			[4, 'Phone Number "0171 1" has no country code', 'row skipped', true],
			[5, 'Name is empty', 'row skipped', false],
		]);
		expect(pairedItem).toEqual(broken.map((_, item) => ({ item })));
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
		['last', ['491710000002', '491710000001'], undefined],
		['first', ['491710000001', '491710000002'], undefined],
		['fail', [], '1 value cannot be imported; nothing was sent'],
	])(
		'goes out at the place of the one that counts, or nothing is sent: %s',
		async (repeatedNumbers, numbers, failure) => {
			const { error } = await importing([row(1), row(2), row(1)], { repeatedNumbers });
			expect(error?.message).toBe(failure);
			expect(sentCustomers().map(({ display_id }) => display_id)).toEqual(numbers);
		},
	);
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
	const counted = await importsTo('continueErrorOutput', summed);
	expect(counted.items).toMatchObject([{ json: { requests: 2, created_count: 600 } }]);
	expect(counted.errorItems).toEqual(errorItems);
});

describe('Map Automatically', () => {
	it.each([
		['its own name', 'displayId=1, phone=2', '1', '"phone"'],
		['its own name before another spelling', 'Display ID=2, displayId=1', '1', '"Display ID"'],
		['the usual one of a mobile number', 'phone=2, mobile=1', '1', '"phone"'],
		['one that holds something', 'mobile=, phone=1 | mobile=, phone=2', '12', ''],
		['one that does in any row', 'mobile=1, phone=9 | mobile=2', '12', '"phone"'],
		['only one', 'mobile=1 | phone=2', '1', '"phone"'],
	])('reads each column from one field of the list: %s', async (_what, list, numbers, unmapped) => {
		const number = (last: string) => (last === '' ? '' : `49171000000${last}`);
		const given = list.split(' | ').map((cells) => {
			const fields = cells.split(', ').map((cell) => cell.split('='));
			return Object.fromEntries([
				['name', 'Nora'],
				...fields.map(([name, last]) => [name, number(last)]),
			]) as IDataObject;
		});
		const { run } = await importing(given);
		expect(sentCustomers().map(({ display_id }) => display_id)).toEqual([...numbers].map(number));
		const hints = run.data.resultData.runData.Node[0].hints?.map(({ message }) => message) ?? [];
		const [hint = ''] = hints.flatMap((message) => /no column takes: (.*)\.$/.exec(message)?.[1] ?? []);
		expect(hint).toBe(unmapped);
	});

	it.each<[string, unknown, unknown, string]>([
		[
			'display_id',
			'00491701000001',
			'491701000001',
			'display id|phone|phone number|mobile|tel|telefon|handy|phone_no',
		],
		[
			'display_id',
			'00491701000001',
			'491701000001',
			'mobile phone number|mobiltelefon|whatsapp|phone 1 - value',
		],
		['name', 'Nora', 'Nora', 'name|full name|kundenname'],
		[
			'email',
			'a@mail.example',
			'a@mail.example',
			'email|e-mail|email address|e-mail 1 - value|e-mail-adresse',
		],
		['date_of_birth', '17.05.1990', '1990-05-17', 'date of birth|birthday|geburtstag'],
		['tags', 'VIP, New', 'VIP,New', 'tags|tag'],
		['address', 'Berlin', 'Berlin', 'address|anschrift'],
		['marketing_opt_in', true, 1, 'marketing opt in|marketing opt-in|marketing consent'],
		['custom_1', 'x', 'x', 'custom 1'],
		['custom_5', 'x', 'x', 'custom 5'],
	])('knows the column of %s, from %j to %j, as %s', async (member, value, expected, names) => {
		const others = Object.entries({ display_id: ['phone', '+491701000001'], name: ['name', 'Nora'] });
		const known = others.flatMap(([other, cell]) => (other === member ? [] : [cell]));
		for (const name of names.split('|')) {
			tenant.arrived.splice(0);
			const { items } = await importing([Object.fromEntries([...known, [name, value]]) as IDataObject]);
			expect([name, items.map(({ json }) => json.reason)]).toEqual([name, ['']]);
			const profile = ['display_id', 'name'].includes(member) ? {} : { [member]: expected };
			expect(sentCustomers()).toEqual([
				{ channel: 'chatapp', display_id: '491701000001', name: 'Nora', profile },
			]);
			const camel = name.replace(/[ -]+(\w)/g, (_, letter: string) => letter.toUpperCase());
			const written = [name.toUpperCase(), camel, name.replaceAll(' ', '_'), name.replaceAll(' ', '')];
			for (const one of [...written, `“${name}”`, `„${name}“`, `«${name}.»`, `'${name}'`, ` ${name} `])
				for (const writing of [one, `\ufeff${one}`, `\ufeff"${one}"`])
					expect([...fieldsByName(importColumns, [[writing]])]).toMatchObject([
						[{ target: { name: expect.stringMatching(`(^|\\.)${member}$`) as string } }, writing],
					]);
		}
	});

	it('takes nothing else for a column', async () => {
		const names = 'constructor|__proto__|toString|hasOwnProperty|fax|telefax|phone_type|has phone';
		for (const column of names.split('|')) {
			const given = JSON.parse(`[{"${column}":"+491701000001","name":"Jo"}]`) as IDataObject[];
			expect((await importing(given)).error?.message).toBe('No item has a phone number; nothing was sent');
		}
		expect(tenant.requests).toEqual([]);
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

	it('is not where it is there and empty, which is told though nothing is left to send', async () => {
		const given = ['', null, undefined, ' '].map((displayId, index) =>
			row(index, { displayId } as IDataObject),
		);
		const { items, error } = await importing(given, summed);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([
			{
				json: {
					requests: 0,
					created_count: 0,
					updated_count: 0,
					skipped_count: 4,
					findings: [{ row: 2 }, {}, {}, {}],
				},
				pairedItem: given.map((_, item) => ({ item })),
			},
		]);
		expect((await importing(given)).items).toMatchObject(
			given.map(() => ({ json: { result: 'not imported', reason: 'Phone Number is empty.' } })),
		);
		expect(tenant.requests).toEqual([]);
	});
});

describe('the counts', () => {
	const kinds: IDataObject[] = [
		{},
		{ email: 'nobody' },
		{ displayId: '0170 1' },
		{ displayId: '' },
		{ name: '' },
	];
	const given = Array.from({ length: 1407 }, (_, index) =>
		index % 7 === 5 ? row(7) : row(index, kinds[index % 7] ?? { marketing_opt_in: 'maybe' }),
	);

	it.each([
		['skipRow', 0],
		['skipValue', 0],
		['skipValue', 1],
	])(
		'with %s are together the rows that came in and did not fail, where %i requests fail',
		async (invalidValues, failing) => {
			const some: Answers[string] = ({ body }) =>
				counts((body as { customers: Sent[] }).customers.length - 3, 2, 1);
			tenant.answer({ [IMPORT]: inOrder(failing > 0 ? refusal(422) : some, some) });
			const { items } = await importing(
				given,
				{ ...summed, invalidValues },
				{ onError: 'continueRegularOutput' },
			);
			const [{ json }, ...failed] = items;
			expect(failed).toHaveLength(failing * sent()[0].length);
			const counted = Number(json.created_count) + Number(json.updated_count) + Number(json.skipped_count);
			expect(counted + failed.length).toBe(given.length);
			expect(json.skipped_count).toBe(given.length - sentCustomers().length + sent().length - failing);
		},
	);

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
	expect(items.map(({ json }) => json.result)).toEqual(['created or updated', 'not imported', 'skipped']);
});
