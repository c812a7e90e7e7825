import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { labelOf, optionLabel } from '../../description/labels.mts';
import { byId } from '../../engine/tenant.mts';
import {
	type Answers,
	type Arrived,
	inOrder,
	refusal,
	ScriptedTenant,
} from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const TAGS = 'GET /tags';
const READ = 'GET /profiles/5/tags';
const WRITE = 'POST /profiles/5/tags';

const setTags = { resource: 'profile', operation: 'setTags', profileId: byId(5) };
const addTags = { ...setTags, operation: 'addTags' };

const KNOWN = [
	{ id: 1, title: 'VIP' },
	{ id: 2, title: 'Newsletter' },
	{ id: 3, title: 'Returns' },
];

const byTagId = (id: number) => ({ id, title: null });
const byTitle = (title: string) => ({ id: null, title });

interface WrittenTag {
	id: number | null;
	title: string | null;
}

/** A tenant with some tags, which gives new ones the next ID. */
function answering(attached: IDataObject[] = [], profiles: number[] = [5]): Answers {
	const tags: Array<{ id: number; title: string }> = [...KNOWN];
	const written = ({ body }: Arrived) => ({
		data: (body as { tags: WrittenTag[] }).tags.map(({ id, title }) => {
			const known = tags.find((tag) => tag.id === id);
			if (known) return known;
			const created = { id: tags.length + 1, title: String(title) };
			tags.push(created);
			return created;
		}),
	});
	return {
		[TAGS]: () => ({ data: [...tags] }),
		...Object.fromEntries(profiles.map((id) => [`GET /profiles/${id}/tags`, () => ({ data: attached })])),
		...Object.fromEntries(profiles.map((id) => [`POST /profiles/${id}/tags`, written])),
	};
}

const writtenTags = () => tenant.bodies(WRITE).map(({ tags }) => tags);

describe('a set of tags', () => {
	it.each<[string, IDataObject, WrittenTag[]]>([
		['IDs alone', { tagIds: [3, 1] }, [byTagId(3), byTagId(1)]],
		['IDs alone, each once', { tagIds: '={{ [3, 1, "3"] }}' }, [byTagId(3), byTagId(1)]],
		[
			'records with IDs',
			{ tags: '={{ [{ id: 3, title: " " }, { id: 1, title: null }] }}' },
			[byTagId(3), byTagId(1)],
		],
		['records with IDs as text', { tags: '={{ [{ id: "3" }] }}' }, [byTagId(3)]],
		['a record alone', { tags: '={{ { id: 3 } }}' }, [byTagId(3)]],
		['text', { tagIds: '={{ "3, 1" }}' }, [byTagId(3), byTagId(1)]],
		['an ID beside Remove All', { tagIds: [1], ifEmpty: 'removeAll' }, [byTagId(1)]],
		[
			'the same ID in both fields',
			{ tagIds: [3], tags: '={{ [{ id: 3 }, { id: 3 }, { id: 2 }] }}' },
			[byTagId(3), byTagId(2)],
		],
		['an ID of 0', { tags: '={{ [{ id: 0 }] }}' }, [byTagId(0)]],
	])('without titles goes out without a look at the tags: %s', async (_what, parameters, tags) => {
		tenant.answer(answering());
		const { error, items } = await tenant.run({ ...setTags, ...(parameters as object) });
		expect(error).toBeUndefined();
		expect(tenant.arrived).toEqual([{ request: WRITE, body: { tags } }]);
		expect(items).toHaveLength(1);
	});

	it.each<[string, IDataObject, WrittenTag[]]>([
		['a known title goes out as its ID', { tags: 'VIP' }, [byTagId(1)]],
		['a new one by its title', { tags: 'Fresh' }, [byTitle('Fresh')]],
		['both together', { tags: 'Fresh, VIP' }, [byTitle('Fresh'), byTagId(1)]],
		['with blanks around them', { tags: ' VIP ,\tFresh ' }, [byTagId(1), byTitle('Fresh')]],
		['IDs come first', { tagIds: [2], tags: 'VIP' }, [byTagId(2), byTagId(1)]],
		['a title and its ID are one tag', { tagIds: [1], tags: 'VIP' }, [byTagId(1)]],
		['a new title twice is one tag', { tags: 'Fresh,Fresh, Fresh' }, [byTitle('Fresh')]],
		[
			'an ID twice is one tag',
			{ tagIds: [2], tags: '={{ [{ id: 2 }, "Fresh"] }}' },
			[byTagId(2), byTitle('Fresh')],
		],
		['a list', { tags: '={{ ["VIP", "Fresh, and new"] }}' }, [byTagId(1), byTitle('Fresh, and new')]],
		[
			'records with titles',
			{ tags: '={{ [{ title: " VIP " }, { id: null, title: "Fresh" }] }}' },
			[byTagId(1), byTitle('Fresh')],
		],
		['a record whose ID is empty', { tags: '={{ [{ id: "", title: "VIP" }] }}' }, [byTagId(1)]],
		['a record alone', { tags: '={{ { title: "VIP" } }}' }, [byTagId(1)]],
		['a number is a title', { tags: '={{ 7 }}' }, [byTitle('7')]],
		['a title of digits is no ID', { tagIds: [2], tags: '2' }, [byTagId(2), byTitle('2')]],
		['in other capitals', { tags: 'vip' }, [byTagId(1)]],
		[
			'with semicolons, bars and lines',
			{ tags: 'VIP; Fresh|Returns\r\nNew' },
			[byTagId(1), byTitle('Fresh'), byTagId(3), byTitle('New')],
		],
		['a list is not divided', { tags: '={{ ["VIP; Fresh"] }}' }, [byTitle('VIP; Fresh')]],
		[
			'with a separator',
			{ tags: 'VIP; Fresh / New', options: { separator: '/' } },
			[byTitle('VIP; Fresh'), byTitle('New')],
		],
		[
			'with a separator that the item lacks',
			{ tags: 'VIP;Fresh', options: { separator: '={{ $json.missing }}' } },
			[byTagId(1), byTitle('Fresh')],
		],
		['a new one in one form', { tags: ' Cafe\u0301\u200b  bar ' }, [byTitle('Caf\u00e9 bar')]],
		[
			'with an empty separator',
			{ tags: 'VIP;Fresh', options: { separator: '' } },
			[byTagId(1), byTitle('Fresh')],
		],
		['a new one in two spellings is one tag', { tags: 'Fresh start,fresh  start' }, [byTitle('Fresh start')]],
		[
			'a record that the tenant has counts by its ID',
			{ tags: '={{ [{ id: 3, title: "Whatever" }, { id: "2", title: "An older title" }] }}' },
			[byTagId(3), byTagId(2)],
		],
		[
			'a record of another system counts by its title',
			{ tags: '={{ [{ id: "crm-9", title: " VIP " }, { id: 77, title: "Returns" }] }}' },
			[byTagId(1), byTagId(3)],
		],
	])('with titles is matched with the tags: %s', async (_what, parameters, tags) => {
		tenant.answer(answering());
		const { error } = await tenant.run({ ...setTags, ...(parameters as object) });
		expect(error).toBeUndefined();
		expect(tenant.arrived).toEqual([
			{ request: TAGS, body: undefined },
			{ request: WRITE, body: { tags } },
		]);
	});

	it.each<[string, string]>([
		['with the title of another tag is refused', '{ id: 2, title: "VIP" }'],
		['of another system creates no tag', '{ id: "crm-9", title: "Fresh" }'],
	])('of a record %s, and nothing is written', async (_what, tag) => {
		tenant.answer(answering());
		const { error } = await tenant.run({ ...setTags, tags: `={{ [${tag}] }}` });
		expect(error?.message).toMatch(
			/^New or Existing Tags by Title contains "\{.*\}", but your account has (this ID and this title as two tags|no tag with this title)$/,
		);
		expect(tenant.requests).toEqual([TAGS]);
	});

	it.each<[string, IDataObject[], IDataObject, WrittenTag[]]>([
		['keeps what is attached', [{ id: 3 }, { id: 2 }], { tagIds: [1] }, [byTagId(3), byTagId(2), byTagId(1)]],
		['attaches nothing twice', [{ id: 3, title: 'Returns' }], { tagIds: [3, 1] }, [byTagId(3), byTagId(1)]],
		['begins with an empty set', [], { tagIds: [1] }, [byTagId(1)]],
	])('that is added to %s', async (_what, attached, parameters, tags) => {
		tenant.answer(answering(attached));
		const { error, items } = await tenant.run({ ...addTags, ...(parameters as object) });
		expect(error).toBeUndefined();
		expect(tenant.arrived).toEqual([
			{ request: READ, body: undefined },
			{ request: WRITE, body: { tags } },
		]);
		expect(items).toMatchObject([{ json: { profile_id: 5 }, pairedItem: { item: 0 } }]);
	});

	it.each<IDataObject>([
		...[{}, { tags: '' }, { tags: '={{ [] }}' }, { tagIds: '={{ "" }}', tags: ' [] ' }],
		...[{ tags: '{}' }, { tags: '{NULL}' }],
	])('is only read when nothing is given to add: %j', async (given) => {
		tenant.answer(answering([{ id: 1, title: 'VIP' }]));
		const { items, error } = await tenant.run({ ...addTags, ...(given as object) });
		expect(error).toBeUndefined();
		expect(tenant.requests).toEqual([READ]);
		expect(items).toEqual([
			{ json: { profile_id: 5, tags: [{ id: 1, title: 'VIP' }] }, pairedItem: { item: 0 } },
		]);
	});

	/** A tenant that has tags which look alike. */
	const alike = (titles: string[]): Answers => ({
		...answering(),
		[TAGS]: () => ({ data: titles.map((title, index) => ({ id: index + 1, title })) }),
		[WRITE]: () => ({ data: [] }),
	});

	it.each<[string, string[], string, WrittenTag[]]>([
		['the one in these capitals, of two', ['VIP', 'Vip'], 'Vip', [byTagId(2)]],
		['both of them', ['VIP', 'Vip'], 'Vip, VIP', [byTagId(2), byTagId(1)]],
		['with doubled spaces', ['Gold  Member'], 'gold member', [byTagId(1)]],
		['with doubled spaces in the cell', ['Gold Member'], 'Gold \t Member', [byTagId(1)]],
		['with surrounding spaces', [' VIP '], 'VIP', [byTagId(1)]],
		['in decomposed letters', ['Caf\u00e9'], 'Cafe\u0301', [byTagId(1)]],
		['in composed letters', ['Cafe\u0301'], 'CAF\u00c9', [byTagId(1)]],
		['not one with another letter', ['Café'], 'Cafe', [byTitle('Cafe')]],
	])('is found by a title that looks like it: %s', async (_what, titles, tags, written) => {
		tenant.answer(alike(titles));
		expect((await tenant.run({ ...setTags, tags })).error).toBeUndefined();
		expect(writtenTags()).toEqual([written]);
	});

	it('that two tags of the account share is that of the ID in a record', async () => {
		tenant.answer(alike(['Twin', 'Twin', 'twin']));
		for (const id of [1, 2, 3]) {
			const { error } = await tenant.run({ ...setTags, tags: `={{ [{ id: ${id}, title: "Twin" }] }}` });
			expect(error).toBeUndefined();
		}
		expect(writtenTags()).toEqual([[byTagId(1)], [byTagId(2)], [byTagId(3)]]);
	});

	it('is not guessed between two that only differ in capitals', async () => {
		tenant.answer(alike(['VIP', 'Vip']));
		const { error } = await tenant.run({ ...setTags, tags: 'vip' });
		expect(error).toMatchObject({
			message:
				'New or Existing Tags by Title contains "vip", but your account has several such tags: VIP, Vip',
			description: expect.stringContaining('Give the title with the capitals of the one you mean.') as string,
		});
		expect(tenant.requests).toEqual([TAGS]);
	});

	it('that is new is created once, in whatever capitals two items give it', async () => {
		tenant.answer(answering([], [5]));
		const { error } = await tenant.run(
			{ ...setTags, tags: '={{ $json.tags }}' },
			{ items: [{ json: { tags: 'Fresh' } }, { json: { tags: 'FRESH' } }] },
		);
		expect(error).toBeUndefined();
		expect(writtenTags()).toEqual([[byTitle('Fresh')], [byTagId(4)]]);
	});

	it('that is added by title is matched too', async () => {
		tenant.answer(answering([{ id: 1, title: 'VIP' }]));
		await tenant.run({ ...addTags, tags: 'VIP, Returns, Fresh' });
		expect(tenant.requests).toEqual([TAGS, READ, WRITE]);
		expect(writtenTags()).toEqual([[byTagId(1), byTagId(3), byTitle('Fresh')]]);
	});

	it.each<[string, unknown, string]>([
		['undefined', '={{ undefined }}', 'is empty'],
		['null', '={{ null }}', 'is empty'],
		['a field that is missing', '={{ $json.tags }}', 'is empty'],
		['an empty record', '={{ {} }}', 'contains "{}", which has no title'],
		['null among titles', '={{ ["VIP", null] }}', 'contains "null", which has no title'],
		['an empty title', '={{ [{ title: " " }] }}', 'contains "{"title":" "}", which has no title'],
		['a list within the list', '={{ [["VIP"]] }}', 'contains "["VIP"]", which has no title'],
		['an ID that is a word', '={{ [{ id: "VIP" }] }}', 'contains "{"id":"VIP"}", which is not an ID'],
		['a truth as an ID', '={{ [{ id: true }] }}', 'contains "{"id":true}", which is not an ID'],
		[
			'a fraction as an ID',
			'={{ [{ id: 4.5, title: "VIP" }] }}',
			'contains "{"id":4.5,"title":"VIP"}", which is not an ID',
		],
		[
			'an ID of too many digits',
			'={{ [{ id: "9007199254740993" }] }}',
			'contains "9007199254740993", which has too many digits for a number',
		],
	])('is not written from %s', async (_what, tags, problem) => {
		tenant.answer(answering([{ id: 3 }]));
		for (const operation of ['setTags', 'addTags']) {
			const { error } = await tenant.run({ ...setTags, operation, tags: tags as string });
			expect(error).toMatchObject({
				message: `New or Existing Tags by Title ${problem}`,
				context: { itemIndex: 0 },
			});
		}
		expect(tenant.requests).toEqual([]);
	});

	it('of a tenant whose IDs are text is matched too', async () => {
		tenant.answer({
			[READ]: () => ({ data: [{ id: '3' }, { id: '9' }] }),
			[TAGS]: () => ({
				data: [...KNOWN.map(({ id, title }) => ({ id: String(id), title })), { id: '8', title: 'New' }],
			}),
			[WRITE]: () => ({ data: [] }),
		});
		const { error } = await tenant.run({
			...addTags,
			tagIds: [3],
			tags: '={{ ["VIP", "New", { id: "3", title: "x" }] }}',
		});
		expect(error).toBeUndefined();
		expect(writtenTags()).toEqual([[3, 9, 1, 8].map((id) => ({ id, title: null }))]);
	});

	it('is matched with the tags of all pages', async () => {
		tenant.answer({
			...answering(),
			[TAGS]: ({ request }) => {
				const page = Number(/page=(\d)/.exec(request)?.[1] ?? 1);
				return { data: [KNOWN[page - 1]], current_page: page, last_page: 3 };
			},
		});
		const { error } = await tenant.run({ ...setTags, tags: 'Returns' });
		expect(error).toBeUndefined();
		expect(writtenTags()).toEqual([[byTagId(3)]]);
	});

	it('comes out as the tenant answers it', async () => {
		tenant.answer(answering());
		const { items } = await tenant.run({ ...setTags, tags: 'VIP, Fresh' });
		expect(items).toEqual([
			{
				json: {
					profile_id: 5,
					tags: [
						{ id: 1, title: 'VIP' },
						{ id: 4, title: 'Fresh' },
					],
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it.each([
		['={{ [1, 2.5] }}', 'contains "2.5", which is not an ID'],
		['1,234', 'contains "1,234", which may be one ID or several'],
	])('names the field of what is no ID: %s', async (tagIds, problem) => {
		const { error } = await tenant.run({ ...setTags, tagIds });
		expect(error?.message).toBe(`Existing Tag Names or IDs ${problem}`);
		expect(tenant.requests).toEqual([]);
	});

	it.each([
		['={{ "VIP, 3" }}', [byTagId(1), byTagId(3)]],
		['={{ ["vip"] }}', [byTagId(1)]],
		['={{ ["VIP", "Newsletter"] }}', [byTagId(1), byTagId(2)]],
	])('takes titles of tags in the place of IDs: %s', async (tagIds, tags) => {
		tenant.answer(answering());
		const { error } = await tenant.run({ ...setTags, tagIds });
		expect(error).toBeUndefined();
		expect(tenant.arrived).toEqual([
			{ request: TAGS, body: undefined },
			{ request: WRITE, body: { tags } },
		]);
	});

	it('creates no tag of a title in the place of an ID, and says where it would', async () => {
		tenant.answer(answering());
		const { error } = await tenant.run({ ...setTags, tagIds: '={{ ["VIP", "Fresh"] }}' });
		expect(error).toMatchObject({
			message: 'Existing Tag Names or IDs contains "Fresh", but your account has no tag with this title',
			description:
				'Check the title. To create the tag, give it in New or Existing Tags by Title, without an ID.',
		});
		expect(tenant.requests).toEqual([TAGS]);
	});
});

describe.each([
	['a profile', setTags, WRITE],
	['a media item', { resource: 'media', operation: 'setTags', mediaId: byId(5) }, 'POST /media/5/tags'],
])('the set of %s', (_owner, parameters, write) => {
	beforeEach(() => tenant.answer({ ...answering(), [write]: () => ({ data: [] }) }));

	it.each<IDataObject>([
		{},
		{ tags: '={{ [] }}' },
		{ tagIds: '[]', tags: ' [] ' },
		{ tagIds: '={{ "" }}', ifEmpty: '={{ "fail" }}' },
	])('that has no tag fails unless that is to remove all: %j', async (fields) => {
		const { error } = await tenant.run({ ...parameters, ...(fields as object) });
		expect(error).toMatchObject({
			message: `${await labelOf('tagIds')}, ${await labelOf('tags')} would detach everything, because the set is empty; nothing was changed`,
			description: `Choose what to attach. To detach everything, set ${await labelOf('ifEmpty')} to ${await optionLabel('ifEmpty', 'removeAll')}. To go on without such items, set On Error to Continue.`,
			context: { itemIndex: 0 },
		});
		expect(tenant.arrived).toEqual([]);
		const { items } = await tenant.run({ ...parameters, ...(fields as object), ifEmpty: 'removeAll' });
		expect(items).toMatchObject([{ json: { tags: [] }, pairedItem: { item: 0 } }]);
		expect(tenant.arrived).toEqual([{ request: write, body: { tags: [] } }]);
	});

	it.each<IDataObject>([
		...['everything', true, undefined, 'Remove All', null].map((ifEmpty) => ({
			ifEmpty: `={{ ${JSON.stringify(ifEmpty)} }}`,
		})),
		...['undefined', 'null', '" "', '", ,"', '[null]', '[""]', '[{}]', '{}', 'false', 'NaN', '"null"'].map(
			(tagIds) => ({ tagIds: `={{ ${tagIds} }}`, ifEmpty: 'removeAll' }),
		),
		{ tagIds: [1], tags: '={{ undefined }}', ifEmpty: 'removeAll' },
		{ tagIds: '={{ $json.ids }}', tags: 'VIP', ifEmpty: 'removeAll' },
		{ tagIds: [], tags: '={{ null }}', ifEmpty: 'removeAll' },
	])('is not written where a value is missing or odd: %j', async (fields) => {
		const { error } = await tenant.run({ ...parameters, ...(fields as object) });
		expect(error?.message).toMatch(/\w+ \w+/);
		expect(tenant.arrived).toEqual([]);
	});

	it('fails for its own item only', async () => {
		const { items } = await tenant.run(
			{ ...parameters, tagIds: '={{ $json.set }}' },
			{
				items: [[1], [], undefined, [2]].map((set) => ({ json: { set } as IDataObject })),
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ json, pairedItem }) => ['error' in json, pairedItem])).toEqual(
			[false, true, true, false].map((failed, item) => [failed, { item }]),
		);
		expect(tenant.bodies(write)).toEqual([1, 2].map((id) => ({ tags: [byTagId(id)] })));
	});
});

it.each<[unknown, RegExp]>([
	[{ data: null }, /^The service answered with/],
	[{ success: false, message: 'shard down', data: [], total: 0 }, /^shard down$/m],
])('when the attached tags cannot be read (%j), none is attached or detached', async (answer, message) => {
	tenant.answer({ [READ]: () => answer, [WRITE]: () => ({ data: [] }) });
	const { error } = await tenant.run({ ...addTags, tagIds: [1] });
	expect(`${error?.message}\n${error?.description}`).toMatch(message);
	expect(tenant.requests).toEqual([READ]);
});

describe('many items', () => {
	const atOnce = { advanced: { maximumTries: 1, maximumInFlight: 20 } };
	const items = (...tags: string[]): INodeExecutionData[] =>
		tags.map((tag, index) => ({ json: { profile: index + 1, tag } }));
	const each = { ...setTags, profileId: byId('={{ $json.profile }}'), tags: '={{ $json.tag }}', ...atOnce };

	const allWritten = () =>
		tenant.arrived
			.filter(({ request }) => request.startsWith('POST'))
			.map(({ request, body }) => ({ request, tags: (body as { tags: WrittenTag[] }).tags }));

	const profiles = [1, 2, 3, 4, 5, 6];

	it('look at the tags once, and create a new title once', async () => {
		tenant.answer(answering([], profiles));
		const { error } = await tenant.run(each, { items: items('Fresh', 'VIP', 'Fresh', 'Fresh', 'Fresh') });
		expect(error).toBeUndefined();
		expect(tenant.requests.filter((request) => request === TAGS)).toHaveLength(1);
		const titles = allWritten().flatMap(({ tags }) => tags.flatMap(({ title }) => title ?? []));
		expect(titles).toEqual(['Fresh']);
		const ids = allWritten().flatMap(({ tags }) => tags.flatMap(({ id }) => id ?? []));
		expect(ids.sort()).toEqual([1, 4, 4, 4]);
	});

	it('with different new titles do not wait for each other', async () => {
		let open = 0;
		let most = 0;
		const answers = answering([], profiles);
		const slowly = (endpoint: string) => async (arrived: Arrived, reply: Parameters<Answers[string]>[1]) => {
			most = Math.max(most, ++open);
			// As long as the others need to come too, on however busy a machine.
			for (let turns = 0; turns < 500 && most < 3; turns++) await delay(2);
			open--;
			return answers[endpoint](arrived, reply);
		};
		tenant.answer({
			...answers,
			...Object.fromEntries(
				profiles.map((id) => [`POST /profiles/${id}/tags`, slowly(`POST /profiles/${id}/tags`)]),
			),
		});
		await tenant.run(each, { items: items('One', 'Two', 'Three') });
		expect(most).toBe(3);
	});

	it('that share only some new titles create each once', async () => {
		tenant.answer(answering([], profiles));
		await tenant.run(each, { items: items('One,Two', 'Two,Three', 'Three,One', 'VIP') });
		const titles = allWritten().flatMap(({ tags }) => tags.flatMap(({ title }) => title ?? []));
		expect(titles.sort()).toEqual(['One', 'Three', 'Two']);
		expect(allWritten()).toHaveLength(4);
	});

	it('that add to the same record go one after another, so that nothing is lost', async () => {
		let attached: IDataObject[] = [];
		tenant.answer({
			[READ]: () => ({ data: attached }),
			[WRITE]: ({ body }) => {
				attached = (body as { tags: WrittenTag[] }).tags.map(({ id }) => ({ id }));
				return { data: attached };
			},
		});
		await tenant.run(
			{ ...addTags, tagIds: '={{ $json.id }}', ...atOnce },
			{ items: [1, 2, 3].map((id) => ({ json: { id } })) },
		);
		expect(tenant.requests).toEqual([READ, WRITE, READ, WRITE, READ, WRITE]);
		expect(attached).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
	});

	it('create a new title again when creating it failed', async () => {
		tenant.answer({
			...answering([], profiles),
			'POST /profiles/1/tags': refusal(404, 'No such profile'),
		});
		const { items: given } = await tenant.run(each, {
			items: items('Fresh', 'Fresh', 'Fresh'),
			onError: 'continueRegularOutput',
		});
		expect(given).toMatchObject([
			{ json: { error: 'No such profile' }, pairedItem: { item: 0 } },
			{ json: { profile_id: 2, tags: [{ id: 4, title: 'Fresh' }] }, pairedItem: { item: 1 } },
			{ json: { profile_id: 3, tags: [{ id: 4, title: 'Fresh' }] }, pairedItem: { item: 2 } },
		]);
	});

	it('look again when looking at the tags failed', async () => {
		tenant.answer({
			...answering([], profiles),
			[TAGS]: inOrder(refusal(403, 'Not now'), () => ({ data: KNOWN })),
		});
		const { items: given } = await tenant.run(
			{ ...each, advanced: { maximumTries: 1, maximumInFlight: 1 } },
			{ items: items('VIP', 'VIP', 'Returns'), onError: 'continueRegularOutput' },
		);
		expect(given[0]).toMatchObject({ json: { error: 'Not now' }, pairedItem: { item: 0 } });
		expect(allWritten()).toEqual([
			{ request: 'POST /profiles/2/tags', tags: [byTagId(1)] },
			{ request: 'POST /profiles/3/tags', tags: [byTagId(3)] },
		]);
		expect(tenant.requests.filter((request) => request === TAGS)).toHaveLength(2);
	});

	it.each<[string, unknown]>([
		['no ID', [{ title: 'VIP' }]],
		['no title', [{ id: 8 }]],
		['no record', ['VIP']],
		['no list', { tags: [] }],
		['a page in HTML', '<!doctype html><title>Log in</title>'],
	])('create no tag when those of the tenant have %s', async (_what, data) => {
		tenant.answer({ ...answering(), [TAGS]: () => ({ data }) });
		const { error } = await tenant.run({ ...setTags, tags: 'VIP, Fresh' });
		expect(error?.message).toMatch(/^The service answered with/);
		expect(tenant.requests).toEqual([TAGS]);
	});

	it('look again when nobody knows whether a new title was created', async () => {
		const answers = answering([], profiles);
		const write = 'POST /profiles/1/tags';
		tenant.answer({
			...answers,
			[write]: async (arrived, reply) => {
				await answers[write](arrived, reply);
				return await reply.code(500).send({ message: 'Lost' });
			},
		});
		const { items: given } = await tenant.run(each, {
			items: items('Fresh', 'Fresh'),
			onError: 'continueRegularOutput',
		});
		expect(given[0].json.error).toBe('Lost');
		expect(allWritten().map(({ tags }) => tags)).toEqual([[byTitle('Fresh')], [byTagId(4)]]);
	});

	it('that are new are created once by Retry On Fail, although the first answer was lost', async () => {
		const answers = answering([], profiles);
		const write = 'POST /profiles/1/tags';
		tenant.answer({
			...answers,
			[write]: inOrder(async (arrived: Arrived, reply: FastifyReply) => {
				await answers[write](arrived, reply);
				return await reply.code(500).send({ message: 'Lost' });
			}, answers[write]),
		});
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { error } = await tenant.run(each, { items: items('Fresh', 'Fresh'), settings });
		expect(error).toBeUndefined();
		const created = allWritten().filter(({ tags }) => tags.some(({ title }) => title === 'Fresh'));
		expect(created.map(({ request }) => request)).toEqual([write]);
	});

	it('look again also while another new title is being created', async () => {
		const answers = answering([], profiles);
		const [lost, again, slow] = [1, 2, 3].map((id) => `POST /profiles/${id}/tags`);
		tenant.answer({
			...answers,
			[lost]: async (arrived, reply) => {
				await answers[lost](arrived, reply);
				return await reply.code(500).send({ message: 'Lost' });
			},
			[slow]: async (arrived, reply) => {
				for (let turns = 0; turns < 500 && !tenant.requests.includes(again); turns++) await delay(2);
				return answers[slow](arrived, reply);
			},
		});
		await tenant.run(each, { items: items('Fresh', 'Fresh', 'Other'), onError: 'continueRegularOutput' });
		const written = allWritten().filter(({ request }) => request !== slow);
		expect(written.map(({ tags }) => tags)).toEqual([[byTitle('Fresh')], [byTagId(4)]]);
	});
});
