import type { INodeParameters } from 'n8n-workflow';

import { ScriptedTenant } from '../../engine/scriptedTenant.mts';
import { byId } from '../../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

const LIST = 'GET /profiles';
const GROUP = 'GET /groups/3/profiles';
const profiles = (...ids: number[]) => ids.map((id) => ({ id, name: `Person ${id}` }));
async function found(filters: INodeParameters, more: INodeParameters = {}) {
	const { items, error, run } = await tenant.run({
		...{ resource: 'profile', operation: 'getAll', simple: false, returnAll: true },
		filters,
		...more,
	});
	const hints = (run.data.resultData.runData.Node?.[0].hints ?? []).map(({ message }) => message);
	return { ids: items.map(({ json }) => json.id), error, hints };
}

describe('profile: getAll: Group', () => {
	it('takes the list of the group, in one request', async () => {
		tenant.answer({ [GROUP]: () => ({ data: profiles(4, 2) }) });
		expect((await found({ group: byId(3) })).ids).toEqual([4, 2]);
		expect((await found({ group: byId(3) }, { returnAll: false, limit: 1 })).ids).toEqual([4]);
		expect(tenant.requests).toEqual([GROUP, 'GET /me', GROUP]);
	});

	it('searches and sorts in the list of all profiles, until the whole group has come', async () => {
		const pages = [profiles(1, 2), profiles(3, 4), profiles(5)];
		tenant.answer({
			[GROUP]: () => ({ data: profiles(4, 2) }),
			[LIST]: ({ request }) => {
				const page = Number(/[?&]page=(\d)/.exec(request)?.[1] ?? 1);
				return { data: pages[page - 1], current_page: page, last_page: 3 };
			},
		});
		const orderBy = { sort: [{ field: 'id', direction: 'asc' }] };
		expect((await found({ group: byId(3), search: 'Person' }, { orderBy })).ids).toEqual([2, 4]);
		const query = 'search=Person&order_by=id%3Aasc&per_page=100';
		expect(tenant.requests.map((one) => decodeURIComponent(one))).toEqual(
			[GROUP, `${LIST}?${query}`, `${LIST}?${query}&page=2`, 'GET /me'].map(decodeURIComponent),
		);
	});

	it.each([
		[1, ['The list ended at Limit, and there may be more. To get everything, switch on Return All.']],
		[2, []],
		[3, []],
	])('of two says whether a Limit of %i left somebody out, with a search', async (limit, hints) => {
		tenant.answer({
			[GROUP]: () => ({ data: profiles(4, 2) }),
			[LIST]: () => ({ data: profiles(1, 2, 3, 4, 5) }),
		});
		const run = await found({ group: byId(3), search: 'Person' }, { returnAll: false, limit });
		expect(run.ids).toEqual([2, 4].slice(0, limit));
		expect(run.hints).toEqual(hints);
		expect(tenant.requests.slice(0, 2)).toEqual([GROUP, `${LIST}?search=Person&per_page=100`]);
	});

	it('that is chosen but empty is an error, and not everyone', async () => {
		expect((await found({ group: byId('') })).error?.message).toBe('Group is empty');
		expect(tenant.requests).toEqual([]);
	});

	it('of nobody gives nobody, and asks no further', async () => {
		tenant.answer({ [GROUP]: () => ({ data: [] }) });
		expect((await found({ group: byId(3), search: 'a' })).ids).toEqual([]);
		expect(tenant.requests).toEqual([GROUP]);
	});
});
