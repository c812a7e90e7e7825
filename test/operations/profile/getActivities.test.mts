import { byId } from '../../engine/tenant.mts';
import { ScriptedTenant } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const LIST = 'GET /profiles/5/activities';

beforeEach(() =>
	tenant.answer({
		[LIST]: () => ({ data: ['marketing_opt_in', 'privacy_message'].map((type) => ({ type })) }),
	}),
);

const run = async (types: unknown) =>
	await tenant.run({
		...{ resource: 'profile', operation: 'getActivities', profileId: byId(5) },
		filters: { types: types as string[] },
	});

describe('the types of activities', () => {
	it.each<[string, unknown, string[]]>([
		['chosen', ['marketing_opt_in'], ['marketing_opt_in']],
		['with commas', ' privacy_message ,, marketing_opt_in', ['marketing_opt_in', 'privacy_message']],
		['a list as text', '["privacy_message"]', ['privacy_message']],
		['none', [], ['marketing_opt_in', 'privacy_message']],
		['an empty text', '', ['marketing_opt_in', 'privacy_message']],
	])('filter the list: %s', async (_what, types, expected) => {
		const { items, error } = await run(types);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.type)).toEqual(expected);
	});

	it.each<[string, string, string]>([
		['undefined', '={{ undefined }}', 'is empty'],
		['null', '={{ null }}', 'is empty'],
		['an empty list', '={{ [] }}', 'has no value'],
		['NaN', '={{ NaN }}', 'contains "NaN", which is not a name'],
		['null in a list', '={{ [null] }}', 'contains "null", which is not a name'],
		['a record', '={{ { label: "A" } }}', 'contains "{"label":"A"}", which is not a name'],
	])('are not taken from %s', async (_what, types, problem) => {
		const { error } = await run(types);
		expect(error?.message).toBe(`Type Names or IDs ${problem}`);
		expect(tenant.requests).toEqual([]);
	});
});
