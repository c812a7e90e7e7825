import { byId, TestTenant } from '../../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

interface Tag {
	id: number;
	title: string;
}

async function tagIds(): Promise<Record<string, number>> {
	const { data } = await tenant.ask<{ data: Tag[] }>('/tags');
	return Object.fromEntries(data.map(({ id, title }) => [title, id]));
}

async function profileIds(): Promise<number[]> {
	const { data } = await tenant.ask<{ data: Array<{ id: number }> }>('/profiles');
	return data.map(({ id }) => id);
}

function writes() {
	return tenant.sent().filter(({ method }) => method === 'POST');
}

describe('profile: setTags', () => {
	it('makes one set of both fields: known titles go out as IDs, new ones as titles', async () => {
		const [profileId] = await profileIds();
		const { VIP, Newsletter } = await tagIds();
		tenant.sandbox.clearRequests();
		const { items, error } = await tenant.run({
			resource: 'profile',
			operation: 'setTags',
			profileId: byId(profileId),
			tagIds: [Newsletter],
			tags: 'VIP, Brand New , Newsletter',
		});

		expect(error).toBeUndefined();
		expect(writes()).toMatchObject([
			{
				path: `/third-party/v1/profiles/${profileId}/tags`,
				body: `{"tags":[{"id":${Newsletter},"title":null},{"id":${VIP},"title":null},{"id":null,"title":"Brand New"}]}`,
			},
		]);
		expect(items).toEqual([
			{
				json: {
					profile_id: profileId,
					tags: [
						expect.objectContaining({ title: 'Brand New' }),
						expect.objectContaining({ id: Newsletter }),
						expect.objectContaining({ id: VIP }),
					],
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it('creates a new title once, however many items name it', async () => {
		const ids = await profileIds();
		const items = Array.from({ length: 12 }, (_, index) => ({ json: { id: ids[index % ids.length] } }));
		tenant.sandbox.clearRequests();
		const run = await tenant.run(
			{
				resource: 'profile',
				operation: 'setTags',
				profileId: byId('={{ $json.id }}'),
				tags: 'Brand New,Other New',
			},
			{ items },
		);

		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(12);
		const { data } = await tenant.ask<{ data: Tag[] }>('/tags');
		expect(data.filter(({ title }) => title.endsWith('New'))).toHaveLength(2);
		expect(tenant.sent().filter(({ method }) => method === 'GET')).toHaveLength(2);
		expect(writes().filter(({ body }) => body.includes('"id":null'))).toHaveLength(1);
	});

	it('carries the workflow on with an empty set', async () => {
		const [profileId] = await profileIds();
		tenant.sandbox.clearRequests();
		const { items } = await tenant.run({
			resource: 'profile',
			operation: 'setTags',
			profileId: byId(profileId),
			ifEmpty: 'removeAll',
		});

		expect(items).toEqual([{ json: { profile_id: profileId, tags: [] }, pairedItem: { item: 0 } }]);
		expect(tenant.sent()).toMatchObject([{ method: 'POST', body: '{"tags":[]}' }]);
	});

	it.each([
		['an array of titles', '={{ ["VIP", "Returns"] }}'],
		['objects', '={{ [{ id: null, title: "VIP" }, { title: "Returns" }] }}'],
	])('takes %s by expression', async (_, tags) => {
		const [profileId] = await profileIds();
		const { VIP, Returns } = await tagIds();
		tenant.sandbox.clearRequests();
		await tenant.run({ resource: 'profile', operation: 'setTags', profileId: byId(profileId), tags });
		expect(writes()).toMatchObject([
			{ body: `{"tags":[{"id":${VIP},"title":null},{"id":${Returns},"title":null}]}` },
		]);
	});

	it.each(['={{ "1, 2" }}', '={{ [1, "2"] }}', '={{ [{ id: 1 }, { id: 2 }] }}'])(
		'takes IDs as %s',
		async (expression) => {
			const [profileId] = await profileIds();
			tenant.sandbox.clearRequests();
			await tenant.run({
				resource: 'profile',
				operation: 'setTags',
				profileId: byId(profileId),
				tagIds: expression,
			});
			expect(tenant.sent()).toMatchObject([
				{ method: 'POST', body: '{"tags":[{"id":1,"title":null},{"id":2,"title":null}]}' },
			]);
		},
	);

	it.each([
		['', 'Profile ID is empty'],
		['Nathan', 'Profile ID is not a whole number'],
		['../users', 'Profile ID is not a whole number'],
	])('refuses the profile ID %j before anything is sent', async (id, message) => {
		const { error } = await tenant.run({
			resource: 'profile',
			operation: 'setTags',
			profileId: byId(`={{ "${id}" }}`),
		});
		expect(error?.message).toBe(message);
		expect(tenant.sent()).toEqual([]);
	});
});
