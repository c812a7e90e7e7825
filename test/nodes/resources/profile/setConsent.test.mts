import { byId, TestTenant } from '../../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

describe('profile: setConsent', () => {
	it.each([true, false])('records opt_in %s and gives the profile back', async (optIn) => {
		const { data } = await tenant.ask<{ data: Array<{ id: number }> }>('/profiles');
		const [{ id }] = data;
		tenant.sandbox.clearRequests();
		const { items, error } = await tenant.run({
			resource: 'profile',
			operation: 'setConsent',
			profileId: byId(id),
			optIn,
		});

		expect(error).toBeUndefined();
		expect(tenant.sent()).toMatchObject([
			{
				method: 'POST',
				path: `/third-party/v1/profiles/${id}/marketing-opt-in`,
				body: `{"opt_in":${optIn}}`,
			},
		]);
		expect(items).toEqual([{ json: expect.objectContaining({ id }), pairedItem: { item: 0 } }]);
		const consent = await tenant.ask<{ data: { is_opted_in: boolean } }>(`/profiles/${id}/marketing-opt-in`);
		expect(consent.data.is_opted_in).toBe(optIn);
	});
});
