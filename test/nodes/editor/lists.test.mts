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
		['searchAgents', 'Shop (+4930111222)', 11],
		['searchCustomers', 'Mira Example (+491700000001)', 101],
		['searchGroups', 'Regulars', 61],
		['searchMedia', 'Parcel at sunset', 71],
		['searchProfiles', 'Mira Example (+491700000001)', 500001],
		['searchTags', 'VIP', 41],
		['searchTemplates', 'opening_hours · English (US) (en_US)', 'opening_hours\u00a0·\u00a0en_US'],
		['searchUsers', 'Ada Admin (ada@tenant.example)', 1],
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
		expect(results).toEqual([{ name: 'Mira Example (+491700000001)', value: 500001 }]);
		expect(tenant.sent()).toMatchObject([{ query: { search: 'mira', per_page: '100' } }]);
	});

	it('filters what the service cannot search', async () => {
		for (let index = 0; index < 12; index++) await tenant.tell('/tags', { title: `Tag ${index}` });
		expect((await search('searchTags', 'tag 11')).results).toHaveLength(1);
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

describe('a very large tenant', () => {
	/** Answers with one page of a list, as long as it is told to be. */
	function pagesOf(total: number, pageSize: number, recordOf: (index: number) => object) {
		odd.answer((request) => {
			const { query, url } = request as unknown as { query: { page?: string }; url: string };
			const page = Number(query.page ?? 1);
			const first = (page - 1) * pageSize;
			const count = Math.max(0, Math.min(pageSize, total - first));
			return {
				data: Array.from({ length: count }, (_, index) => recordOf(first + index)),
				path: url,
				current_page: page,
				last_page: Math.ceil(total / pageSize),
			};
		});
	}

	async function oddOptions(method: string, parameters: INodeParameters = {}) {
		const { methods, context } = await editorOf({
			parameters: { resource: 'message', operation: 'sendTemplate', ...parameters },
			credentials: odd.credentials,
		});
		return (await methods.loadOptions?.[method].call(context)) ?? [];
	}

	const tag = (index: number) => ({ id: index + 1, title: `Tag ${index + 1}` });

	it.each([
		[10_000, 100, 10, 1000],
		[10_000, 15, 67, 1000],
		[10_000, 10_000, 1, 1000],
		[10_000, 1, 100, 100],
	])('of %i tags on pages of %i, %i requests list %i', async (total, pageSize, requests, listed) => {
		pagesOf(total, pageSize, tag);
		const found = await oddOptions('getTags');
		expect(odd.asked).toHaveLength(requests);
		expect(found).toHaveLength(listed + 1);
		expect(found[listed]).toEqual({ name: `Tag ${listed}`, value: listed });
		expect(found[0]).toEqual({
			name: `Only the first ${listed.toLocaleString('en')} are listed: give others by expression`,
			value: '',
		});
	});

	it('a list that is just as long as possible is complete, and says nothing', async () => {
		pagesOf(1000, 100, tag);
		expect((await oddOptions('getTags')).map(({ value }) => value)).toEqual(
			Array.from({ length: 1000 }, (_, index) => index + 1),
		);
	});

	it('the languages of a template among many say that there may be more', async () => {
		pagesOf(5000, 5, (index) => ({ name: 'a', language: `l${index}`, code: `l${index}` }));
		const found = await oddOptions('getTemplateLanguages', {
			templateName: { __rl: true, mode: 'name', value: 'a' },
		});
		expect(odd.asked).toHaveLength(200);
		expect(found[0].name).toBe('Only the first 500 are listed: give others by expression');
	});

	it('a template that is not among the first says among how many it was looked for', async () => {
		pagesOf(5000, 5, (index) => ({ name: `t${index}` }));
		const { methods, context } = await editorOf({
			parameters: {
				resource: 'message',
				operation: 'sendTemplate',
				templateName: { __rl: true, mode: 'name', value: 't4000' },
			},
			credentials: odd.credentials,
		});
		const { emptyFieldsNotice } = (await methods.resourceMapping?.getTemplateVariables.call(context)) ?? {};
		expect(emptyFieldsNotice).toBe(
			'The tenant has no template "t4000" among its first 500. Check its name, or set Variables to JSON.',
		);
	});

	it('a template with too many variables names the limit and the way out', async () => {
		const places = Array.from({ length: 16_000 }, (_, index) => `{{${index}}}`);
		pagesOf(1, 1, () => ({
			name: 'a',
			components: [{ type: 'BODY', text: places.join('').slice(0, 60_000) }],
		}));
		const { methods, context } = await editorOf({
			parameters: {
				resource: 'message',
				operation: 'sendTemplate',
				templateName: { __rl: true, mode: 'name', value: 'a' },
			},
			credentials: odd.credentials,
		});
		expect(await methods.resourceMapping?.getTemplateVariables.call(context)).toEqual({
			fields: [],
			emptyFieldsNotice:
				'This template has more than 500 variables, too many for a form. Set Variables to Build Components or JSON.',
		});
	});

	it('a page of 2,500 records is shown in parts, none of them lost', async () => {
		pagesOf(3000, 2500, (index) => ({ ...tag(index), title: `${tag(index).title} ${'x'.repeat(1000)}` }));
		const found: unknown[] = [];
		const lengths: number[] = [];
		let token: string | undefined;
		do {
			const { results, paginationToken } = await search('searchTags', '', token, {}, odd.credentials);
			lengths.push(results.length);
			found.push(...results.map(({ value }) => value));
			expect(Math.max(...results.map(({ name }) => name.length))).toBe(200);
			token = paginationToken as string | undefined;
		} while (token);
		expect(lengths).toEqual([1000, 1000, 500, 500]);
		expect(found).toEqual(Array.from({ length: 3000 }, (_, index) => index + 1));
	});

	it('channels with 100,000 message types show some of them, and say so', async () => {
		odd.answer((request) =>
			request.url.endsWith('/channels')
				? {
						data: [1, 2].map((channel) => ({
							channel,
							message_type: Array.from({ length: 100_000 }, (_, index) => `type ${channel} ${index}`),
						})),
					}
				: 'nothing',
		);
		const { results } = await search('searchMessageTypes', '', undefined, {}, odd.credentials);
		expect(results).toHaveLength(2001);
		expect(results.at(-1)).toEqual({
			name: 'Only some of the types are listed: enter others by name',
			value: '',
		});
	});
});
