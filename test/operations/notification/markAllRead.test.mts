import { ScriptedTenant } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

it.each([
	['nothing was unread', [], [{ success: true }]],
	['one was', [{ uuid: 'a' }], [{ uuid: 'a' }]],
	['two were', [{ uuid: 'a' }, { uuid: 'b' }], [{ uuid: 'a' }, { uuid: 'b' }]],
])(
	'gives an item for each, and one where %s, so that the workflow goes on',
	async (_what, data, expected) => {
		tenant.answer({ 'POST /me/notifications/read': () => ({ data }) });
		const { items, error } = await tenant.run({ resource: 'notification', operation: 'markAllRead' });
		expect(error).toBeUndefined();
		expect(items).toEqual(expected.map((json) => ({ json, pairedItem: { item: 0 } })));
	},
);
