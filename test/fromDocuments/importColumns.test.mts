import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { editorOf, type NodeRunOptions, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';

const tenant = OddTenant.inEachTest();

interface Sent {
	display_id: string;
	name: string;
	profile: IDataObject;
}

/** The customers of each request. */
let sent: Sent[][];

/** Answers as the service does: each new customer is created. */
function importing(answer: (customers: Sent[]) => unknown = (customers) => counts(customers.length)): void {
	sent = [];
	tenant.answer(({ body }) => {
		const { customers } = body as { customers: Sent[] };
		sent.push(customers);
		return { data: answer(customers) };
	});
}

const counts = (created: number, updated = 0, skipped = 0) => ({
	...{ created_count: created, updated_count: updated, skipped_count: skipped },
});

beforeEach(() => importing());

const auto = { mappingMode: 'autoMapInputData', value: null };

const run = async (rows: IDataObject[], more: INodeParameters = {}, options: Partial<NodeRunOptions> = {}) =>
	await runNode({
		credentials: tenant.credentials,
		...options,
		items: rows.map((json) => ({ json })),
		parameters: {
			...{ resource: 'customer', operation: 'bulkImport', columns: auto, requestLimits: { maximumTries: 1 } },
			...more,
		},
	});

const row = (index: number, more: IDataObject = {}): IDataObject => ({
	phone: `+49170${1_000_000 + index}`,
	name: `Row ${index}`,
	...more,
});

it('offers e-mail, opt-in and tags before the custom fields', async () => {
	tenant.answer(async (_request, reply) => await reply.code(403).send({ message: 'no' }));
	const { methods, context } = await editorOf({
		credentials: tenant.credentials,
		parameters: { resource: 'customer', operation: 'bulkImport' },
	});
	const { fields } = (await methods.resourceMapping?.getImportColumns.call(context)) ?? { fields: [] };
	const ids = fields.map(({ id }) => id);
	const first = ids.findIndex((id) => /custom/i.test(id));
	for (const wanted of [/^displayId$/, /^name$/, /mail/i, /opt/i, /tags/i]) {
		const place = ids.findIndex((id) => wanted.test(id));
		expect(place).toBeGreaterThanOrEqual(0);
		expect(place).toBeLessThan(first);
	}
});

describe('Map Automatically', () => {
	it.each([
		...['phone', 'Phone', 'PHONE', ' phone ', 'phone number', 'Phone Number', 'phone_number', 'phone-number'],
		...['phoneNumber', 'PhoneNumber', 'mobile', 'Mobile', 'mobile number', 'mobile_phone', 'Mobile Phone'],
		...[
			'displayId',
			'display_id',
			'telefon',
			'Telefonnummer',
			'Handy',
			'tel',
			'telephone',
			'cell',
			'WhatsApp',
		],
		'\ufeffphone',
	])('knows "%s" as the phone number, or says that there is none', async (column) => {
		const { items, error } = await run([{ [column]: '+49 170 1000001', name: 'Jo' }]);
		if (error) {
			expect(error.message).toBe('No item has a phone number; nothing was sent');
			expect(error.description).toContain(column.trim());
			return expect(sent).toEqual([]);
		}
		expect(sent[0]).toMatchObject([{ display_id: '491701000001', name: 'Jo' }]);
		expect(items[0].json.skipped_count).toBe(0);
	});

	it.each([
		...['phone', 'Phone', 'PHONE', ' phone ', 'phone number', 'Phone Number', 'phone_number', 'phoneNumber'],
		...['mobile', 'Mobile', 'MOBILE', 'displayId', '\ufeffphone'],
	])('takes "%s" for the phone number', async (column) => {
		const { error } = await run([{ [column]: '+49 170 1000001', name: 'Jo' }]);
		expect(error).toBeUndefined();
		expect(sent[0]).toMatchObject([{ display_id: '491701000001' }]);
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
		const { error } = await run([row(1, { [column]: value as string })]);
		expect(error).toBeUndefined();
		expect(sent[0][0].profile).toEqual({ [field]: expected });
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
		const { error } = await run(rows);
		expect(error?.message).toBe('No item has a phone number; nothing was sent');
		expect(sent).toEqual([]);
	});
});

describe('where no row has a phone number', () => {
	it.each<[string, IDataObject[]]>([
		['other columns', [{ fax: '1', name: 'Jo' }]],
		['columns that differ from row to row', [{ name: 'Jo' }, { fax: '1' }, { 'Städte ,"\'': 'Kiel' }]],
	])('with %s, the columns are named', async (_what, rows) => {
		for (const invalidValues of ['fail', 'skipRow', 'skipValue']) {
			const { error } = await run(rows, { invalidValues });
			expect(error?.message).toBe('No item has a phone number; nothing was sent');
			for (const column of rows.flatMap((one) => Object.keys(one)))
				expect(error?.description).toContain(column);
		}
		expect(sent).toEqual([]);
	});

	it('with no columns at all, it fails too', async () => {
		const { error } = await run([{}]);
		expect(error?.message).toMatch(/phone number/i);
		expect(sent).toEqual([]);
	});

	it('with very many and very long columns, the error stays readable', async () => {
		const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`column ${index}`, 1]));
		const { error } = await run([{ ...many, ['x'.repeat(100_000)]: 1 }]);
		expect(error?.description).toContain('column 0');
		expect(String(error?.description).length).toBeLessThan(5000);
	});

	it('with Continue, each item says so', async () => {
		const { items } = await run([{ name: 'A' }, { name: 'B' }], {}, { onError: 'continueRegularOutput' });
		expect(items.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
			[0, 1].map((item) => ['No item has a phone number; nothing was sent', { item }]),
		);
	});
});

const numbersOf = (json: IDataObject) =>
	['created_count', 'updated_count', 'skipped_count'].map((name) => Number(json[name]));

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

describe('the counts', () => {
	const broken = (index: number): IDataObject =>
		[
			row(index),
			row(index, { email: 'nobody' }),
			row(index, { phone: '0170 1' }),
			row(index, { phone: '' }),
			row(index, { name: '' }),
			row(7),
			row(index, { marketing_opt_in: 'maybe' }),
		][index % 7];
	const rows = Array.from({ length: 1407 }, (_, index) => broken(index));

	it.each(
		['skipRow', 'skipValue'].flatMap((invalidValues) =>
			['first', 'last'].flatMap((repeatedNumbers) =>
				['requests', 'summary'].map((output) => ({ invalidValues, repeatedNumbers, output })),
			),
		),
	)('are together the rows that came in: %j', async (parameters) => {
		importing((customers) => counts(customers.length - 3, 2, 1));
		const { items, error } = await run(rows, parameters);
		expect(error).toBeUndefined();
		expect(sum(items.flatMap(({ json }) => numbersOf(json)))).toBe(rows.length);
		const isSummary = parameters.output === 'summary';
		expect(items).toHaveLength(isSummary ? 1 : sent.length);
		const skippedHere = rows.length - sum(sent.map((customers) => customers.length));
		const skipped = sum(items.map(({ json }) => Number(json.skipped_count)));
		expect(skipped).toBe(skippedHere + sent.length);
	});

	it('are together all rows that did not fail where a request failed', async () => {
		let requests = 0;
		sent = [];
		tenant.answer(async ({ body }, reply) => {
			const { customers } = body as { customers: Sent[] };
			sent.push(customers);
			if (++requests === 1) return await reply.code(422).send({ message: 'no' });
			return { data: counts(customers.length) };
		});
		const { items, errorItems } = await run(rows, {}, { onError: 'continueErrorOutput' });
		expect(sent.length).toBeGreaterThan(1);
		expect(errorItems).toHaveLength(sent[0].length);
		expect(sum(items.flatMap(({ json }) => numbersOf(json))) + errorItems.length).toBe(rows.length);
	});

	it.each<unknown>([{}, [], null, { skipped_count: null }, { skipped_count: '0' }, { skipped_count: 0 }])(
		'of a service that answers %j are those of the node, and never nonsense',
		async (answer) => {
			importing(() => answer);
			for (const output of ['requests', 'summary']) {
				const { items, error } = await run([row(1), row(2, { phone: 'x' })], { output });
				expect(error).toBeUndefined();
				expect(items.map(({ json }) => json.skipped_count)).toEqual([1]);
			}
		},
	);

	it('count a number that comes twice in two writings as skipped', async () => {
		const { items } = await run([
			{ phone: '+49 170 1000001', name: 'A' },
			{ phone: '0049 (0)170 1000001', name: 'B' },
			{ phone: 491701000001, name: 'C' },
		]);
		expect(sent).toMatchObject([[{ display_id: '491701000001', name: 'C' }]]);
		expect(numbersOf(items[0].json)).toEqual([1, 0, 2]);
	});
});

it.each([
	['Fail', 'fail'],
	['Skip Row', 'skipRow'],
	['Skip Value', 'skipValue'],
])('an opt-in that is unclear is never sent: %s', async (_name, invalidValues) => {
	for (const value of ['maybe', 2, {}, 'x', '?']) {
		importing();
		await run([row(1, { marketing_opt_in: value as string }), row(2)], { invalidValues });
		expect(JSON.stringify(sent)).not.toContain('marketing_opt_in');
	}
});

it('an undefined tag, birthday or e-mail of a row clears nothing', async () => {
	await run([row(1, { email: undefined, tags: undefined, birthday: '' } as unknown as IDataObject)]);
	expect(sent[0][0].profile).toEqual({});
});
