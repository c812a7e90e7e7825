import type { INodeListSearchResult, INodeParameters } from 'n8n-workflow';

import { editorOf, runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { byId, TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest({ pageSize: 5 });
const odd = OddTenant.inEachTest();

async function search(
	method: string,
	filter?: string,
	paginationToken?: string,
	parameters: INodeParameters = {},
	credentials = tenant.credentials,
): Promise<INodeListSearchResult> {
	const { methods, context } = await editorOf({ parameters, credentials });
	return (await methods.listSearch?.[method].call(context, filter, paginationToken)) ?? { results: [] };
}

async function options(method: string) {
	const { methods, context } = await editorOf({
		parameters: { resource: 'message', operation: 'sendTemplate' },
		credentials: tenant.credentials,
	});
	return (await methods.loadOptions?.[method].call(context)) ?? [];
}

const activityOf = (profile: number | string) => ({
	resource: 'profile',
	operation: 'getActivity',
	profileId: byId(profile),
});

describe('From List', () => {
	it.each([
		['searchAgents', 'Shop (11)', 11],
		['searchCustomers', 'Mira Example (101)', 101],
		['searchGroups', 'Regulars (61)', 61],
		['searchMedia', 'Parcel at sunset (71)', 71],
		['searchProfiles', 'Mira Example (500001)', 500001],
		['searchTags', 'VIP (41)', 41],
		['searchTemplates', 'opening_hours', 'opening_hours'],
		['searchUsers', 'Ada Admin (1)', 1],
	])('%s shows names and gives values', async (method, name, value) => {
		const { results } = await search(method);
		expect(results.map((result) => result.name)).toContain(name);
		expect(results.find((result) => result.name === name)?.value).toBe(value);
	});

	it('notifications are known by their UUID', async () => {
		const { results } = await search('searchNotifications');
		expect(results).toContainEqual({
			name: expect.stringContaining('Template approved'),
			value: expect.stringMatching(/^[0-9a-f-]{36}$/),
		});
	});

	it('activities are those of the chosen profile', async () => {
		await tenant.tell('/profiles/500001/marketing-opt-in', { opt_in: true });
		const { results } = await search('searchActivities', '', undefined, activityOf(500001));
		expect(results.map(({ name }) => name).join()).toContain('marketing_opt_in (');
		expect(await search('searchActivities', '', undefined, activityOf(''))).toEqual({ results: [] });
	});

	it('uses the search of the service where it has one', async () => {
		const { results } = await search('searchProfiles', 'mira');
		expect(results).toEqual([{ name: 'Mira Example (500001)', value: 500001 }]);
		expect(tenant.sent()).toMatchObject([{ query: { search: 'mira', per_page: '100' } }]);
	});

	it('filters what the service cannot search, also on later pages', async () => {
		for (let index = 0; index < 12; index++) await tenant.tell('/tags', { title: `Tag ${index}` });
		expect((await search('searchTags', 'tag 11')).results).toHaveLength(1);

		await tenant.tell('/customers/bulk-import', {
			duplicates: 'skip',
			customers: Array.from({ length: 12 }, (_, index) => ({
				channel: 'chatapp',
				display_id: String(4_917_000_000_000 + index),
				name: `Seeded ${index}`,
				profile: {},
			})),
		});
		const found: unknown[] = [];
		let token: string | undefined;
		let pages = 0;
		do {
			const { results, paginationToken } = await search('searchCustomers', 'seeded 11', token);
			found.push(...results.map(({ name }) => name));
			token = paginationToken as string | undefined;
			pages++;
		} while (token);
		expect(pages).toBe(3);
		expect(found).toEqual([expect.stringMatching(/^Seeded 11 \(\d+\)$/)]);
	});

	it('says why it cannot load, and By ID still works', async () => {
		odd.answer(async (request, reply) =>
			request.url.endsWith('/tags')
				? await reply.code(403).send({ message: 'Tags are for admins' })
				: { data: { id: 7, title: 'VIP' } },
		);
		await expect(search('searchTags', '', undefined, {}, odd.credentials)).rejects.toMatchObject({
			message: 'Tags are for admins',
			description: expect.stringContaining('Use the token of an admin'),
		});
		const { items } = await runNode({
			parameters: { resource: 'tag', operation: 'get', tagId: byId(7) },
			credentials: odd.credentials,
		});
		expect(items).toMatchObject([{ json: { id: 7 } }]);
	});
});

describe('option lists', () => {
	it.each([
		['getActivityTypes', 'marketing_opt_in'],
		['getChannels', 'chatapp'],
		['getCustomers', 101],
		['getGroups', 61],
		['getTags', 41],
		['getTemplateLanguages', 'en_US'],
		['getUsers', 1],
	])('%s holds %s', async (method, value) => {
		expect((await options(method)).map((option) => option.value)).toContain(value);
	});
});
