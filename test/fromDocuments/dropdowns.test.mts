import { editorOf } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';

const tenant = OddTenant.inEachTest();

const SEARCHES = [
	'searchCustomers',
	'searchTags',
	'searchGroups',
	'searchUsers',
	'searchAgents',
	'searchMedia',
	'searchProfiles',
];

const records = Array.from({ length: 8 }, (_, index) => ({
	id: index + 1,
	name: `N${index}`,
	title: `T${index}`,
}));

/** Scrolls a From List to its end, as the editor does. */
async function scroll(search: string): Promise<unknown[]> {
	const { methods, context } = await editorOf({ credentials: tenant.credentials, parameters: {} });
	const seen: unknown[] = [];
	let token: string | undefined;
	for (let page = 0; page < 20; page++) {
		const { results, paginationToken } = (await methods.listSearch?.[search].call(
			context,
			undefined,
			token,
		)) ?? { results: [] };
		seen.push(...results.map(({ value }) => value));
		token = paginationToken as string | undefined;
		if (token === undefined) break;
	}
	return seen;
}

it.each(SEARCHES)('%s has each record of all pages once', async (search) => {
	tenant.answer((request) => {
		const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
		return {
			data: records.slice((page - 1) * 3, page * 3),
			links: { next: page < 3 ? `https://other/x?page=${page + 1}` : null },
		};
	});
	expect(await scroll(search)).toEqual(records.map(({ id }) => id));
});

it.each(SEARCHES)(
	'%s fails, and shows no record twice, when the tenant knows no page numbers',
	async (search) => {
		tenant.answer(() => ({ data: records.slice(0, 3), total: 8 }));
		await expect(scroll(search)).rejects.toThrow('The service says that the list goes on');
	},
);
