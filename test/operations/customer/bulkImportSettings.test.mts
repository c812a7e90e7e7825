import { TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const auto = {
	resource: 'customer',
	operation: 'bulkImport',
	columns: { mappingMode: 'autoMapInputData', value: null },
};
const row = (index: number, more = {}) => ({
	json: { displayId: String(491_710_000_000 + index), name: `Row ${index}`, ...more },
});

describe('each row has its own settings', () => {
	const sentBodies = () => tenant.sent().map(({ body }) => JSON.parse(body) as unknown);
	const customer = (index: number, profile = {}) => ({
		channel: 'chatapp',
		display_id: String(491_710_000_000 + index),
		name: `Row ${index}`,
		profile,
	});

	it('sends rows that differ in what happens to existing customers in requests of their own', async () => {
		const { items, error } = await tenant.run(
			{ ...auto, duplicates: '={{ $json.existing }}' },
			{
				items: [row(1, { existing: 'skip' }), row(2, { existing: 'override' }), row(3, { existing: 'skip' })],
			},
		);
		expect(error).toBeUndefined();
		expect(sentBodies()).toEqual([
			{ duplicates: 'skip', customers: [customer(1), customer(3)] },
			{ duplicates: 'override', customers: [customer(2)] },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
	});

	it('leaves out the value of a row or the row, as its own item says', async () => {
		const wrong = (index: number, invalid: string) => row(index, { email: 'nobody', invalid });
		const { items, error } = await tenant.run(
			{ ...auto, invalidValues: '={{ $json.invalid }}' },
			{ items: [wrong(1, 'skipValue'), wrong(2, 'skipRow'), row(3, { invalid: 'fail' })] },
		);
		expect(error).toBeUndefined();
		expect(sentBodies()).toEqual([{ duplicates: 'override', customers: [customer(1), customer(3)] }]);
		const problem = 'Email "nobody" is not an email address';
		expect(items.map(({ json }) => [json.result, json.reason])).toEqual([
			['created or updated', `Left out: ${problem}`],
			['not imported', problem],
			['created or updated', ''],
		]);
	});

	it('sends nothing when a row with an invalid value says so, whatever the first row says', async () => {
		const { error } = await tenant.run(
			{ ...auto, invalidValues: '={{ $json.invalid }}' },
			{
				items: [
					row(1, { email: 'nobody', invalid: 'skipValue' }),
					row(2, { email: 'nothing', invalid: 'fail' }),
				],
			},
		);
		expect(error).toMatchObject({
			message: '1 value cannot be imported; nothing was sent',
			context: { itemIndex: 1 },
		});
		expect(tenant.sent()).toEqual([]);
	});

	it.each([
		['first', 'last', 'new'],
		['last', 'first', 'old'],
	])(
		'finds a number in rows of different settings: of %s and %s, the later one decides',
		async (earlier, later, address) => {
			const { items, error } = await tenant.run(
				{ ...auto, repeatedNumbers: '={{ $json.keep }}', duplicates: '={{ $json.existing }}' },
				{
					items: [
						row(1, { address: 'old', keep: earlier, existing: 'skip' }),
						row(1, { address: 'new', keep: later, existing: 'override' }),
					],
				},
			);
			expect(error).toBeUndefined();
			const [kept, left] = later === 'last' ? [1, 0] : [0, 1];
			expect(sentBodies()).toEqual([
				{ duplicates: ['skip', 'override'][kept], customers: [customer(1, { address })] },
			]);
			expect(items.map(({ json }) => json.result)).toEqual(
				kept === 0 ? ['created or updated', 'skipped'] : ['skipped', 'created or updated'],
			);
			expect(items[left].json.reason).toBe(`Phone Number 491710000001 is also that of line ${kept + 2}`);
		},
	);

	it('refuses the import when the later row of a repeated number says so', async () => {
		const { error } = await tenant.run(
			{ ...auto, repeatedNumbers: '={{ $json.keep }}' },
			{ items: [row(1, { keep: 'last' }), row(1, { keep: 'first' }), row(1, { keep: 'fail' })] },
		);
		expect(error?.message).toBe('1 value cannot be imported; nothing was sent');
		expect(tenant.sent()).toEqual([]);
	});

	it('names the item whose setting is none, and sends nothing', async () => {
		const { error } = await tenant.run(
			{ ...auto, duplicates: '={{ $json.existing }}' },
			{ items: [row(1, { existing: 'skip' }), row(2, { existing: 'both' })] },
		);
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
		expect(error?.message).toMatch(/^Existing Customers /);
		expect(tenant.sent()).toEqual([]);
	});
});
