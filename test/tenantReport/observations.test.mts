import { Observations } from '../../scripts/tenantReport/observations.mts';
import { type Exchange, readContent } from '../../scripts/tenantReport/exchange.mts';

const BASE_URL = 'https://acme.example.com/third-party/v1';

/** The answer to a read, unless a test says otherwise. */
async function observed(path: string, body: unknown, more: Partial<Exchange> = {}) {
	const observations = new Observations(BASE_URL);
	observations.add({
		method: 'GET',
		path,
		query: new URLSearchParams(),
		status: 200,
		headers: { 'content-type': 'application/json' },
		answer: await readContent(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))),
		ms: 1,
		...more,
	});
	return observations.report();
}

const USER = {
	id: 7,
	name: 'Jo',
	email: 'a@b.example',
	roles: [],
	permissions: [],
	uses_personal_access_token: true,
};
const FILE = { public: true, url: 'u', name: 'n', type: 'image', mime_type: 'm', size: 1 };

it.each<[string, string, unknown, string, string]>([
	['a member is missing', '/me', { data: { ...USER, roles: undefined } }, 'data.roles', 'is missing'],
	['a type differs', '/me', { data: { ...USER, name: 7 } }, 'data.name', 'is integer, not string'],
	[
		'a type differs in a list',
		'/tags',
		{
			data: [
				{ id: 1, title: 'a' },
				{ id: 2, title: null },
			],
		},
		'data[].title',
		'is null, not string',
	],
	[
		'a fraction stands for a whole number',
		'/tags',
		{ data: [{ id: 1.5, title: 'a' }] },
		'data[].id',
		'is number, not integer',
	],
	[
		'a time is none',
		'/profiles/7/marketing-opt-in',
		{ data: { id: 7, is_opted_in: true, latest_opt_in_at: 'yesterday', latest_opt_out_at: null } },
		'data.latest_opt_in_at',
		'is no date-time',
	],
	[
		'a member is beyond what the contract allows',
		'/tags',
		{ data: [], total: 7 },
		'total',
		'is beyond the contract',
	],
	[
		'such a member has a name that may be a datum',
		'/tags',
		{ data: [], 'Mira Example': 7 },
		'*',
		'is beyond the contract',
	],
	['a record stands alone', '/me', USER, 'data', 'is missing: its content stands alone'],
	['a list stands alone', '/tags', [{ id: 1, title: 'a' }], 'data', 'is missing: its content stands alone'],
	['a page has its records elsewhere', '/users', { items: [] }, 'data', 'is missing'],
	['a map stands for a list', '/tags', { data: { Mira: { id: 1 } } }, 'data', 'is object, not array'],
	['there is no JSON', '/me', '<html>', 'body', 'is no JSON'],
	['there is nothing', '/me', '', 'body', 'is empty'],
	['a byte order mark comes first', '/tags', '\uFEFF{"data":[]}', 'body', 'begins with a byte order mark'],
])('%s', async (_what, path, body, place, problem) => {
	const { differences } = await observed(path, body);
	expect(differences.breaches.map((breach) => [breach.place, breach.problem])).toContainEqual([
		place,
		problem,
	]);
	expect(differences.breaches).toHaveLength(1);
});

it.each<[string, unknown, Partial<Exchange>, string, string]>([
	[
		'another content type',
		{ data: [] },
		{ headers: { 'content-type': 'text/html; charset=utf-8' } },
		'content type',
		'is text/html, not application/json',
	],
	[
		'a content type that nobody knows',
		{ data: [] },
		{ headers: { 'content-type': 'x/mira' } },
		'content type',
		'is another one, not application/json',
	],
	['another success', { data: [] }, { status: 202 }, 'status', 'is 202 Accepted, not 200'],
	['a redirect', '', { status: 302 }, 'status', 'is 302 Found, not 200'],
])('%s', async (_what, body, more, place, problem) => {
	const { differences } = await observed('/tags', body, more);
	expect(differences).toEqual({
		choices: {},
		breaches: [{ operation: 'listTags', in: 'answer', place, problem, count: 1 }],
	});
});

it('a created record that comes in data is looked at all the same', async () => {
	const { differences } = await observed(
		'/files/temporary-upload',
		{ data: { ...FILE, size: '1' } },
		{ method: 'POST' },
	);
	expect(differences.breaches.map(({ place, problem }) => [place, problem])).toEqual([
		['body', 'is wrapped in data'],
		['internal_uuid', 'is missing'],
		['size', 'is string, not integer'],
	]);
});

it('what occurs often is told once, with how often', async () => {
	const observations = new Observations(BASE_URL);
	const answer = await readContent(Buffer.from('{"data":[{"id":1},{"id":2}]}'));
	const headers = { 'content-type': 'application/json' };
	const exchange = {
		method: 'GET',
		path: '/tags',
		query: new URLSearchParams(),
		status: 200,
		headers,
		answer,
		ms: 1,
	};
	for (let times = 0; times < 3; times++) observations.add(exchange);
	expect(observations.report().differences.breaches).toEqual([
		{ operation: 'listTags', in: 'answer', place: 'data[].title', problem: 'is missing', count: 3 },
	]);
});

it('an envelope without a name and a failure without one are told as such, with their members', async () => {
	const page = await observed('/users', { data: [], page: 1, page_info: { mira: 1, has_more: true } });
	expect(page.differences.choices).toEqual({ envelope: 'other' });
	expect(page.envelopeMembers).toEqual(['page', 'page_info', '*', 'page_info.has_more']);
	const failure = await observed('/tags/7', { error: { code: 'x' } }, { status: 404 });
	expect(failure.differences.choices).toEqual({ errors: 'other' });
	expect(failure.errorMembers).toEqual(['error']);
});

it('ids of both kinds are told as several', async () => {
	const { differences, choices } = await observed('/agents', { data: [{ id: 1 }, { id: 'a' }] });
	expect(differences.choices).toEqual({ envelope: 'other', ids: 'several' });
	expect(choices.filter(({ choice }) => choice === 'ids')).toEqual([
		{ choice: 'ids', value: 'number', operations: ['listAgents'] },
		{ choice: 'ids', value: 'text', operations: ['listAgents'] },
	]);
});

it('members that the interface shows and that never came are told', async () => {
	const { members } = await observed('/customers/7', { data: { id: 7, display_id: '1' } });
	expect(members).toEqual([
		{ operation: 'getCustomer', place: 'data', beyond: [], hidden: 0, neverSeen: ['channel', 'name'] },
	]);
});
