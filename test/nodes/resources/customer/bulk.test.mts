import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../../../sandbox/server.mts';
import { TestTenant } from '../../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const auto = {
	resource: 'customer',
	operation: 'bulkImport',
	columns: { mappingMode: 'autoMapInputData', value: null },
};
const row = (index: number, more = {}) => ({
	json: { displayId: String(491_710_000_000 + index), name: `Row ${index}`, ...more },
});
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));

const sentCustomers = () =>
	tenant
		.sent()
		.flatMap(
			({ body }) =>
				(JSON.parse(body) as { customers: Array<{ display_id: string; profile: object }> }).customers,
		);

const arm = (rule: FaultRule) => tenant.sandbox.faults.add(rule);

describe('customer: bulkImport', () => {
	it('sends up to 500 at a time, one request after another, and links each item to its rows', async () => {
		const { items, error } = await tenant.run(auto, { items: rows(1200) });
		expect(error).toBeUndefined();
		expect(tenant.sent().map(({ body }) => (JSON.parse(body) as { customers: [] }).customers.length)).toEqual(
			[500, 500, 200],
		);
		expect(items.map(({ json }) => json.created_count)).toEqual([500, 500, 200]);
		expect(items[1].pairedItem).toEqual(Array.from({ length: 500 }, (_, index) => ({ item: 500 + index })));
	});

	it('sums up in one item when that is chosen', async () => {
		const { items } = await tenant.run({ ...auto, output: 'summary' }, { items: rows(700) });
		expect(items).toEqual([
			{
				json: { requests: 2, created_count: 700, updated_count: 0, skipped_count: 0 },
				pairedItem: rows(700).map((_, item) => ({ item })),
			},
		]);
	});

	it.each([
		['={{ $json.phone }}', { phone: '+49 171 1' }],
		['={{$json["phone number"]}}', { 'phone number': '+49 171 1' }],
		["={{ $json.contact['phone'] }}", { contact: { phone: '+49 171 1' } }],
		['={{ $json.phone.replace("x", "") }}', { phone: '+49 171 x1' }],
		['=+49 {{ $json.rest }}', { rest: '171 1' }],
	])('maps a column by %s', async (displayId, json) => {
		const padded = JSON.parse(JSON.stringify(json).replace('171', '171 000000')) as object;
		const { error } = await tenant.run(
			{ ...auto, columns: { mappingMode: 'defineBelow', value: { displayId, name: 'Fixed' } } },
			{ items: [{ json: padded as never }] },
		);
		expect(error).toBeUndefined();
		expect(sentCustomers()).toEqual([
			{ channel: 'chatapp', display_id: '491710000001', name: 'Fixed', profile: {} },
		]);
	});

	it('a field that an item does not have is an empty column, not something of JavaScript', async () => {
		const { error } = await tenant.run(
			{
				...auto,
				columns: { mappingMode: 'defineBelow', value: { displayId: '={{ $json.constructor }}', name: 'x' } },
			},
			{ items: [row(1)] },
		);
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

	it('clears a field with an expression that gives null', async () => {
		await tenant.run(mapped({ email: '={{ null }}', custom1: '={{ $json.none }}' }), { items: [row(1)] });
		expect(sentCustomers()[0].profile).toEqual({ email: null });
	});

	it.each<[string, unknown, string]>([
		['titles', 'VIP,,Fresh ', 'VIP,Fresh'],
		['a list', ['VIP', ' Fresh'], 'VIP,Fresh'],
		['records', [{ id: 'crm-9', title: 'VIP' }], 'VIP'],
	])('sends tags from %s', async (_what, tags, expected) => {
		for (const parameters of [mapped({ tags: '={{ $json.tags }}' }), auto]) {
			tenant.sandbox.clearRequests();
			const { error } = await tenant.run(parameters, { items: [row(1, { tags })] });
			expect(error).toBeUndefined();
			expect(sentCustomers()[0].profile).toEqual({ tags: expected });
		}
	});

	it.each<unknown>([undefined, null, ''])('leaves out mapped tags that are %j', async (tags) => {
		const { error } = await tenant.run(mapped({ tags: '={{ $json.tags }}' }), { items: [row(1, { tags })] });
		expect(error).toBeUndefined();
		expect(sentCustomers()[0].profile).toEqual({});
	});

	it.each<[string, unknown, string]>([
		['null among titles', ['VIP', null], 'contains "null", which has no title'],
		['a title with a comma', ['A, B'], 'contains "A, B", whose comma would make it several tags'],
	])('imports nothing when mapped tags are %s', async (_what, tags, problem) => {
		const parameters = mapped({ tags: '={{ $json.tags }}' });
		const { error } = await tenant.run(parameters, { items: [row(1, { tags })] });
		expect(error?.description).toContain(`Item 0: Tags ${problem}`);
		expect(tenant.sent()).toEqual([]);
	});

	it('takes a row without tags as it is when the columns are mapped automatically', async () => {
		const { items } = await tenant.run(auto, { items: [row(1)] });
		expect(sentCustomers()[0].profile).toEqual({});
		expect(items[0].json.findings).toBeUndefined();
	});

	it('gives an error item for each input item with Continue when nothing is imported', async () => {
		const { items } = await tenant.run(
			{ ...auto, invalidValues: 'fail' },
			{ items: [row(0), row(1, { email: 'nobody' })], onError: 'continueRegularOutput' },
		);
		expect(items.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
			[0, 1].map((item) => ['1 values cannot be imported; nothing was sent', { item }]),
		);
		expect(tenant.sent()).toEqual([]);
	});

	const broken = [
		row(0),
		row(1, { email: 'nobody', dateOfBirth: '31.02.1990', address: 'Berlin' }),
		{ json: { displayId: '0171 1', name: 'No country' } },
		row(3, { name: '' }),
		row(4, { email: 'a@mail.example', date_of_birth: '17.05.1990' }),
	];

	it('Skip Value leaves bad values out, and rows that cannot do without, and reports each', async () => {
		const { items, error } = await tenant.run(auto, { items: broken });
		expect(error).toBeUndefined();
		expect(sentCustomers().map(({ display_id, profile }) => [display_id, profile])).toEqual([
			['491710000000', {}],
			['491710000001', { address: 'Berlin' }],
			['491710000004', { email: 'a@mail.example', date_of_birth: '1990-05-17' }],
		]);
		expect(items).toHaveLength(1);
		expect(items[0].pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 4 }]);
		expect(items[0].json).toEqual({
			created_count: 3,
			updated_count: 0,
			// Of them, the service has skipped none.
			skipped_count: 2,
			findings: [
				{
					item: 1,
					column: 'Email',
					problem: 'Email "nobody" is not an email address',
					done: 'value skipped',
				},
				{
					item: 1,
					column: 'Date of Birth',
					problem: 'Date of Birth "31.02.1990" is not a date',
					done: 'value skipped',
				},
				{
					item: 2,
					column: 'Phone Number',
					problem: 'Phone Number "0171 1" has no country code',
					done: 'row skipped',
				},
				{ item: 3, column: 'Name', problem: 'Name is empty', done: 'row skipped' },
			],
		});
	});

	it('Skip Row leaves out rows with any bad value', async () => {
		const { items } = await tenant.run({ ...auto, invalidValues: 'skipRow' }, { items: broken });
		expect(sentCustomers().map(({ display_id }) => display_id)).toEqual(['491710000000', '491710000004']);
		expect(
			(items[0].json.findings as Array<{ done: string }>).every(({ done }) => done === 'row skipped'),
		).toBe(true);
	});

	it('Fail sends nothing and names what is wrong', async () => {
		const { error } = await tenant.run({ ...auto, invalidValues: 'fail' }, { items: broken });
		expect(error?.message).toBe('4 values cannot be imported; nothing was sent');
		expect(error?.description).toContain('Item 2: Phone Number "0171 1" has no country code');
		expect(tenant.sent()).toEqual([]);
	});

	const repeated = [row(1, { address: 'old' }), row(2), row(1, { address: 'new' })];

	it.each([
		['last', ['491710000002', '491710000001'], 'new', 0],
		['first', ['491710000001', '491710000002'], 'old', 2],
	])('a number that comes twice: keeps the %s', async (repeatedNumbers, numbers, address, item) => {
		const { items } = await tenant.run({ ...auto, repeatedNumbers }, { items: repeated });
		expect(sentCustomers().map(({ display_id }) => display_id)).toEqual(numbers);
		expect(sentCustomers().find(({ display_id }) => display_id === '491710000001')?.profile).toEqual({
			address,
		});
		expect(items[0].json.findings).toMatchObject([
			{ item, problem: `Phone Number 491710000001 is also that of item ${2 - item}`, done: 'row skipped' },
		]);
	});

	it('a number that comes twice can fail the import before it is sent', async () => {
		const { error } = await tenant.run({ ...auto, repeatedNumbers: 'fail' }, { items: repeated });
		expect(error?.message).toContain('cannot be imported; nothing was sent');
		expect(tenant.sent()).toEqual([]);
	});

	it('a failed request fails only its rows, and names them', async () => {
		arm({ kind: 'server-error', operationId: 'bulkImportCustomers', skip: 1, times: 1 });
		const stopped = await tenant.run(auto, { items: rows(1200) });
		expect(stopped.error?.message).toBe('500 of 1200 records failed');
		expect(stopped.error?.description).toMatch(/^Items 500 to 999: /);
		expect(tenant.sent()).toHaveLength(3);

		await tenant.sandbox.reset();
		arm({ kind: 'server-error', operationId: 'bulkImportCustomers', skip: 1, times: 1 });
		const { items, errorItems } = await tenant.run(auto, {
			items: rows(1200),
			onError: 'continueErrorOutput',
		});
		expect(items.map(({ json }) => json.created_count)).toEqual([500, 200]);
		expect(errorItems).toHaveLength(500);
		expect(errorItems[0]).toMatchObject({ json: { name: 'Row 500' }, pairedItem: { item: 500 } });
	});

	const importing = async (...rows: IDataObject[]) => {
		const { items, error } = await tenant.run(auto, { items: rows.map((json) => ({ json })) });
		expect(error).toBeUndefined();
		return { sent: sentCustomers(), findings: items[0].json.findings };
	};

	it.each([
		{ phone: '+49 171 0000001', 'Full Name': 'Nora', 'E-Mail': 'n@mail.example', birthday: '17.05.1990' },
		{ Mobile: '0049 171 0000001', name: 'Nora', email_address: 'n@mail.example', DOB: '1990-05-17' },
		{
			'Phone Number': '491710000001',
			Name: 'Nora',
			EMAIL: 'n@mail.example',
			'Date of Birth': '1990-05-17',
		},
		{
			telefon: '+491710000001',
			Kundenname: 'Nora',
			mail: 'n@mail.example',
			Geburtsdatum: '17.05.1990',
		},
	])('Map Automatically knows columns by their usual names: %j', async (json) => {
		const { sent, findings } = await importing(json);
		expect(findings).toBeUndefined();
		const profile = { email: 'n@mail.example', date_of_birth: '1990-05-17' };
		expect(sent).toEqual([{ channel: 'chatapp', display_id: '491710000001', name: 'Nora', profile }]);
	});

	it('the name of a column wins over what is usual, and of two usual ones that differ none is taken', async () => {
		const own = { displayId: '491710000001', phone: '491719999999', name: 'Nora' };
		const same = { phone: '491710000002', mobile: '491710000002', name: 'Nils' };
		const torn = { phone: '491710000003', mobile: '491719999999', name: 'Nadja' };
		const half = { phone: '', mobile: '491710000004', name: 'Nele' };
		const { sent, findings } = await importing(own, same, torn, half);
		expect(sent.map(({ display_id }) => display_id)).toEqual([
			'491710000001',
			'491710000002',
			'491710000004',
		]);
		expect(findings).toEqual([
			{
				item: 2,
				column: 'Phone Number',
				problem: 'Phone Number is in phone and in mobile, with different values',
				done: 'row skipped',
			},
		]);
	});

	it.each([
		['Map Automatically', auto],
		['a mapping without it', { ...auto, columns: { mappingMode: 'defineBelow', value: { name: 'x' } } }],
	])('fails when no column has phone numbers, and names the columns: %s', async (_what, parameters) => {
		const items = [{ json: { name: 'Nora', fax: '491710000001' } }, { json: { name: 'Nils', city: 'Kiel' } }];
		const { error } = await tenant.run(parameters, { items });
		expect(error).toMatchObject({ message: 'No item has a phone number; nothing was sent' });
		expect(error?.description).toContain('The input has the fields "name", "fax", "city".');
		expect(tenant.sent()).toEqual([]);
	});

	it('says what was skipped also when nothing is left to send', async () => {
		const { items, error } = await tenant.run(auto, { items: [row(0, { displayId: '' })] });
		expect(error).toBeUndefined();
		expect(items).toMatchObject([
			{ json: { skipped_count: 1, findings: [{ item: 0 }] }, pairedItem: [{ item: 0 }] },
		]);
		expect(tenant.sent()).toEqual([]);
	});
});

describe('customer: bulkDelete', () => {
	const remove = { resource: 'customer', operation: 'bulkDelete', customerIds: '={{ $json.id }}' };

	it('deletes those of all items in one request, each once', async () => {
		const { items, error } = await tenant.run(remove, {
			items: [{ json: { id: 101 } }, { json: { id: '102, 101' } }],
		});
		expect(error).toBeUndefined();
		expect(tenant.sent()).toMatchObject([{ method: 'POST', body: '{"ids":[101,102]}' }]);
		expect(items).toEqual([
			{ json: { ids: [101, 102], deleted: true }, pairedItem: [{ item: 0 }, { item: 1 }] },
		]);
	});

	it('asks for the number of more than 1,000 to be typed in', async () => {
		const ids = `={{ Array.from({ length: 1001 }, (_, index) => index + 1) }}`;
		const { error } = await tenant.run({ ...remove, customerIds: ids });
		expect(error?.message).toBe('1001 customers would be deleted; nothing was deleted');
		expect(error?.description).toContain('enter 1001 as Confirmed Count');
		expect(tenant.sent()).toEqual([]);

		const wrong = await tenant.run({ ...remove, customerIds: ids, confirmedCount: 1000 });
		expect(wrong.error?.message).toContain('nothing was deleted');
		await tenant.run({ ...remove, customerIds: ids, confirmedCount: 1001 });
		expect(tenant.sent()).not.toEqual([]);
	});
});
