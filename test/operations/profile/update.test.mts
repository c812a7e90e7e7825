import { byId, TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const PROFILE = 102;

async function bodyOf(parameters: Record<string, unknown>): Promise<unknown> {
	const { error } = await tenant.run(parameters as Parameters<TestTenant['run']>[0]);
	expect(error && `${error.message} ${error.description}`).toBeUndefined();
	return JSON.parse(tenant.sent().at(-1)?.body ?? 'null');
}

describe('profile: update', () => {
	const update = { resource: 'profile', operation: 'update', profileId: byId(PROFILE) };

	it('a field without a value is not sent, or is cleared where Empty Cells says so', async () => {
		const updateFields = { email: '={{ null }}', dateOfBirth: ' ', address: '', custom1: 'x' };
		expect(await bodyOf({ ...update, updateFields })).toEqual({ custom_1: 'x' });
		expect(await bodyOf({ ...update, updateFields, options: { emptyCells: 'clear' } })).toEqual({
			...{ email: null, date_of_birth: null, address: null },
			custom_1: 'x',
		});
	});

	it.each([
		['={{ "17.05.1990" }}', '1990-05-17'],
		['={{ DateTime.fromISO("1990-05-17T12:00:00") }}', '1990-05-17'],
		['1990-05-17T00:00:00.000Z', '1990-05-17'],
	])('the date %s', async (dateOfBirth, expected) => {
		expect(await bodyOf({ ...update, updateFields: { dateOfBirth } })).toEqual({ date_of_birth: expected });
	});

	it('names the field and the item of a wrong date', async () => {
		const { items } = await tenant.run(
			{ ...update, updateFields: { dateOfBirth: '={{ $json.born }}' } },
			{
				items: [{ json: { born: '1990-01-01' } }, { json: { born: 'soon' } }],
				onError: 'continueRegularOutput',
			},
		);
		expect(items[1]).toMatchObject({
			json: { error: 'Date of Birth "soon" is not a date' },
			pairedItem: { item: 1 },
		});
	});

	it.each([
		['Europe/Berlin', '1990-03-25', '1990-03-25'],
		['America/New_York', '1990-03-25', '1990-03-25'],
		['Europe/Berlin', '1990-03-25T00:00:00Z', '1990-03-25'],
		['America/New_York', '1990-03-25T00:00:00Z', '1990-03-25'],
		['America/New_York', '1990-03-25T02:00:00Z', '1990-03-24'],
	])('in %s, the Date of JavaScript that is made of %s is %s', async (timezone, made, expected) => {
		const dateOfBirth = `={{ DateTime.fromISO("${made}").toJSDate() }}`;
		const { error } = await tenant.run({ ...update, updateFields: { dateOfBirth } }, { timezone });
		expect(error).toBeUndefined();
		expect(JSON.parse(tenant.sent()[0].body)).toEqual({ date_of_birth: expected });
	});

	const described = (format: string, value: unknown) => ({
		...update,
		fields: {
			field: [
				{
					name: { __rl: true, mode: 'list', value: `closes_at (${format})`, cachedResultName: 'Closes At' },
					value,
				},
			],
		},
	});

	it.each<[string, unknown, string]>([
		['date-time', '2026-03-25T10:00:00', '2026-03-25T10:00:00.000+01:00'],
		['date-time', '={{ "2026-03-25 10:00" }}', '2026-03-25T10:00:00.000+01:00'],
		['date-time', '2026-03-25T10:00:00Z', '2026-03-25T10:00:00Z'],
		['date-time', '={{ DateTime.fromISO("2026-03-25").toJSDate() }}', '2026-03-24T23:00:00.000Z'],
		['date', '={{ DateTime.fromISO("2026-03-25").toJSDate() }}', '2026-03-25'],
	])("sends a tenant's own %s from %s as %s", async (format, value, expected) => {
		const { error } = await tenant.run(described(format, value) as never, { timezone: 'Europe/Berlin' });
		expect(error).toBeUndefined();
		expect(JSON.parse(tenant.sent()[0].body)).toEqual({ closes_at: expected });
	});

	it.each([
		['date-time', 'soon', 'is not a date and time'],
		['date-time', '25.03.1990', 'is not a date and time'],
		['date-time', '2026-03-25', 'is not a date and time'],
		['date', 'soon', 'is not a date'],
		['date', '04/12/1990', 'is ambiguous: day or month first?'],
	])("refuses a tenant's own %s of %s", async (format, value, problem) => {
		const { error } = await tenant.run(described(format, value) as never);
		expect(error?.message).toBe(`Other Fields: Closes At "${value}" ${problem}`);
		expect(tenant.sent()).toEqual([]);
	});

	it('asks for an ambiguous date', async () => {
		const { error } = await tenant.run({ ...update, updateFields: { dateOfBirth: '04/12/1990' } });
		expect(error?.message).toBe('Date of Birth "04/12/1990" is ambiguous: day or month first?');
		expect(tenant.sent()).toEqual([]);
	});
});
