import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../../engine/tenant.mts';
import { ScriptedTenant } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const LIST = 'GET /profiles/5/activities';

beforeEach(() =>
	tenant.answer({
		[LIST]: () => ({ data: ['marketing_opt_in', 'privacy_message'].map((type) => ({ type })) }),
	}),
);

const run = async (types: unknown, more: INodeParameters = {}) =>
	await tenant.run({
		...more,
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

	it.each([
		[1, ['a5'], 2],
		[2, ['a5', 'a7'], 3],
		[3, ['a5', 'a7'], 3],
		[50, ['a5', 'a7'], 3],
	])('count for Limit %d only where they are wanted, on whichever page', async (limit, titles, pages) => {
		const of = (page: number) => [1, 2, 3].map((place) => 3 * (page - 1) + place);
		const activity = (id: number) => ({
			...{ id, title: `a${id}` },
			type: [5, 7].includes(id) ? 'marketing_opt_in' : 'privacy_message',
		});
		const page = (number: number) => ({
			data: of(number).map(activity),
			meta: { current_page: number, last_page: 3 },
		});
		tenant.answer({ [LIST]: ({ request }) => page(Number(/page=(\d)/.exec(request)?.[1] ?? 1)) });
		const { items, error, run: whole } = await run(['marketing_opt_in'], { returnAll: false, limit });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.title)).toEqual(titles);
		expect(tenant.requests).toHaveLength(pages);
		const [task] = whole.data.resultData.runData.Node;
		const told = 'The list ended at Limit, and there may be more. To get everything, switch on Return All.';
		// Two are wanted.
		const isCut = limit < 2;
		expect(task.hints?.map(({ message }) => message) ?? []).toEqual(isCut ? [told] : []);
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
