import { type NodeRun, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { asked, type Form, FORMS } from './forms.mts';

const tenant = OddTenant.inEachTest();

const recordsTo = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Record ${index + 1}` }));

const idsTo = (count: number) => recordsTo(count).map(({ id }) => id);

async function read(
	form: Form,
	count: number,
	parameters: { returnAll: boolean; limit?: number },
): Promise<NodeRun> {
	tenant.answer(async (request, reply) => {
		const { body, headers = {} } = form(asked(request, recordsTo(count)));
		return await reply.headers(headers).type('application/json').send(JSON.stringify(body));
	});
	return await runNode({
		credentials: tenant.credentials,
		parameters: {
			resource: 'customer',
			operation: 'getAll',
			requestLimits: { maximumTries: 1 },
			...parameters,
		},
	});
}

const idsOf = ({ items }: NodeRun) => items.map(({ json }) => json.id);

/** Whole, or an error with what was read, each record once. */
function expectWholeOrFailed(run: NodeRun, whole: number[]): void {
	if (run.error === undefined) return expect(idsOf(run)).toEqual(whole);
	const { read: records = [] } = run.error.context as { read?: Array<{ id: number }> };
	expect(idsOf(run)).toEqual([]);
	expect(records.map(({ id }) => id)).toEqual(whole.slice(0, records.length));
	expect(records.length).toBeGreaterThan(0);
}

/** Forms without a list under `data`, which the interface rules out: an error is enough. */
const OTHER_PLACES = ['DRF results', 'Spring content', 'OData value', 'HAL embedded', 'data within data'];

describe.each(Object.entries(FORMS).filter(([name]) => !OTHER_PLACES.includes(name)))(
	'a list as of %s',
	(_, form) => {
		it.each([7, 6, 1])('is whole or fails, never short nor doubled, with %i records', async (count) => {
			expectWholeOrFailed(await read(form, count, { returnAll: true }), idsTo(count));
		});

		it('is asked for once when the first page is enough', async () => {
			expect(idsOf(await read(form, 7, { returnAll: false, limit: 1 }))).toEqual([1]);
			expect(idsOf(await read(form, 7, { returnAll: false, limit: 3 }))).toEqual([1, 2, 3]);
			expect(tenant.asked).toHaveLength(2);
		});

		it('gives one more than a page, or fails', async () => {
			expectWholeOrFailed(await read(form, 7, { returnAll: false, limit: 4 }), idsTo(4));
		});
	},
);

it.each(OTHER_PLACES)('a list as of %s, which has its records elsewhere, fails', async (name) => {
	const { items, error } = await read(FORMS[name], 7, { returnAll: true });
	expect(items).toEqual([]);
	expect(error?.message).toEqual(expect.any(String));
});

it.each(OTHER_PLACES)('a list as of %s is JSON, and the error does not deny it', async (name) => {
	const { error } = await read(FORMS[name], 7, { returnAll: true });
	expect(error?.message).not.toMatch(/other than JSON/);
});

const pageOf = (query: URLSearchParams) => Number(query.get('page') ?? 1);

it.each([1, 2, 10, 11, 12])(
	'goes on behind %i empty pages while a link or a cursor says so, or fails',
	async (gap) => {
		const byLink: Form = ({ query }) => {
			const page = pageOf(query);
			const next = page < gap + 2 ? `?page=${page + 1}` : null;
			const data = page === 1 ? recordsTo(3) : page === gap + 2 ? [{ id: 4 }] : [];
			return { body: { data, links: { next } } };
		};
		expectWholeOrFailed(await read(byLink, 4, { returnAll: true }), [1, 2, 3, 4]);
		const byCursor: Form = ({ query }) => {
			const at = Number(query.get('cursor') ?? 0);
			const data = at === 0 ? recordsTo(3) : at === gap + 1 ? [{ id: 4 }] : [];
			return { body: { data, next_cursor: at === gap + 1 ? null : String(at + 1) } };
		};
		expectWholeOrFailed(await read(byCursor, 4, { returnAll: true }), [1, 2, 3, 4]);
	},
);

/** Reads all customers, with one try for each page. */
const readOnce = async () =>
	await runNode({
		credentials: tenant.credentials,
		parameters: {
			resource: 'customer',
			operation: 'getAll',
			returnAll: true,
			requestLimits: { maximumTries: 1 },
		},
	});

it.each([403, 500])('keeps what was read when a later page is answered with %i', async (status) => {
	tenant.answer(async (request, reply) =>
		request.url.includes('page=')
			? await reply.status(status).send({ message: 'x' })
			: { data: recordsTo(3), links: { next: '?page=2' } },
	);
	const { items, error } = await readOnce();
	expect(items).toEqual([]);
	expect(error?.context.read).toEqual(recordsTo(3));
});

it.each([{ url: 'http://h/x?page=2' }, 2])('does not end at a next page told as %j', async (next) => {
	const form: Form = ({ query }) => ({
		body: pageOf(query) === 1 ? { data: recordsTo(3), links: { next } } : { data: [{ id: 4 }] },
	});
	expectWholeOrFailed(await read(form, 4, { returnAll: true }), [1, 2, 3, 4]);
});

it('reads no content as an empty list, or names the status that came', async () => {
	tenant.answer(async (_request, reply) => await reply.status(204).send());
	const { items, error } = await readOnce();
	expect(items).toEqual([]);
	expect(error?.message ?? '').not.toContain('HTTP 200');
});

it.each(['links', 'has_more', 'total'])('the channels of Support are whole or fail with %s', async (way) => {
	tenant.answer((request) => {
		const query = new URL(request.url, 'http://x').searchParams;
		const data = [{ channel: 'a' }, { channel: 'b' }, { channel: 'c' }].slice(
			(pageOf(query) - 1) * 2,
			pageOf(query) * 2,
		);
		const next = pageOf(query) === 1 ? '?page=2' : null;
		return {
			data,
			...{
				links: { links: { next } },
				has_more: { has_more: next !== null },
				total: { total: 3, per_page: 2 },
			}[way],
		};
	});
	const { items, error } = await runNode({
		credentials: tenant.credentials,
		parameters: { resource: 'support', operation: 'getChannels', requestLimits: { maximumTries: 1 } },
	});
	if (error === undefined) expect(items.map(({ json }) => json.channel)).toEqual(['a', 'b', 'c']);
});

it('asks once per run for a page size that is refused', async () => {
	tenant.answer(async (request, reply) =>
		request.url.includes('per_page')
			? await reply.status(422).send({ message: 'x' })
			: { data: recordsTo(2) },
	);
	const { items } = await runNode({
		credentials: tenant.credentials,
		items: [{ json: {} }, { json: {} }, { json: {} }],
		parameters: {
			resource: 'profile',
			operation: 'getAll',
			returnAll: true,
			requestLimits: { maximumTries: 1 },
		},
	});
	expect(items).toHaveLength(6);
	expect(tenant.asked.filter((request) => request.includes('per_page'))).toHaveLength(1);
});

it.each([
	'https://acme.example.com/third-party/v1/customers',
	'http://10.0.0.1:9999/x',
	'//evil.example/y',
	'http://a:b@evil.example/z',
	'',
])('takes only the query of a link to "%s"', async (address) => {
	const form: Form = ({ records, query }) => {
		const page = pageOf(query);
		return {
			body: {
				data: records.slice((page - 1) * 3, page * 3),
				links: { next: page < 3 ? `${address}?page=${page + 1}` : null },
			},
		};
	};
	expect(idsOf(await read(form, 7, { returnAll: true }))).toEqual(idsTo(7));
	expect(tenant.asked).toEqual(
		['', '?page=2', '?page=3'].map((query) => `GET /third-party/v1/customers${query}`),
	);
});
