import { byId, TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const PROFILE = 500001;

async function bodyOf(parameters: Record<string, unknown>): Promise<unknown> {
	const { error } = await tenant.run(parameters as Parameters<TestTenant['run']>[0]);
	expect(error && `${error.message} ${error.description}`).toBeUndefined();
	return JSON.parse(tenant.sent().at(-1)?.body ?? 'null');
}

describe('profile: update', () => {
	const update = { resource: 'profile', operation: 'update', profileId: byId(PROFILE) };

	it('null clears a field, an empty field is not sent', async () => {
		const body = await bodyOf({
			...update,
			updateFields: { email: '={{ null }}', dateOfBirth: '={{ null }}', address: '', custom1: 'x' },
		});
		expect(body).toEqual({ email: null, date_of_birth: null, custom_1: 'x' });
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
});
