import { type Choices, PROXIED_BASE, VARIANTS, type VariantName } from '../../sandbox/choices.mts';
import { PIXEL } from '../engine/pixel.mts';
import { type Answer, type Fields, startTenant, type TestTenant, upload, uploadForm } from './tenant.mts';

/** Runs what is asked of a tenant that makes these choices. */
async function withChoices<Result>(
	choices: Partial<Choices>,
	run: (tenant: TestTenant) => Promise<Result>,
): Promise<Result> {
	const tenant = await startTenant({ choices, pageSize: 2 });
	try {
		return await run(tenant);
	} finally {
		await tenant.close();
	}
}

const isJson = ({ headers }: Answer) => headers['content-type']?.includes('json') ?? false;

test('ids as text are text wherever an answer has one, and are taken back in paths and bodies', async () => {
	await withChoices({ ids: 'text' }, async (tenant) => {
		const { data: customers } = await tenant.must<{ data: Fields[] }>('GET', '/customers');
		expect(customers[0]).toMatchObject({
			id: expect.stringMatching(/^\d+$/),
			display_id: expect.any(String),
		});
		const { data: profiles } = await tenant.must<{ data: Fields[] }>('GET', '/profiles');
		const { data: tags } = await tenant.must<{ data: Fields[] }>('GET', '/tags');
		const path = `/profiles/${profiles[0].id}/tags`;
		const set = await tenant.must<{ data: Fields[] }>('POST', path, { tags: [{ id: tags[1].id }] });
		expect(set.data.map(({ id }) => id)).toEqual([tags[1].id]);
		const created = await tenant.must('POST', '/customers', {
			channel: 'chatapp',
			display_id: '491711234567',
			name: 'New',
		});
		expect(created).toMatchObject({ id: expect.stringMatching(/^\d+$/), display_id: '491711234567' });
	});
});

test('a creation is answered with 201', async () => {
	await withChoices({ created: '201' }, async (tenant) => {
		expect(await tenant.ask('POST', '/tags', { title: 'New' })).toMatchObject({
			status: 201,
			body: { title: 'New' },
		});
		const file = { content: new Uint8Array(PIXEL), mimeType: 'image/png', name: 'dot.png' };
		expect((await upload(tenant, uploadForm({ type: 'image' }, file))).status).toBe(201);
		expect((await tenant.ask('GET', '/tags')).status).toBe(200);
	});
});

test.each([
	['204', 204],
	['empty-body', 200],
] as const)('a deletion is answered with nothing: %s', async (deleted, status) => {
	await withChoices({ deleted }, async (tenant) => {
		const { data } = await tenant.must<{ data: Fields[] }>('GET', '/tags');
		const answer = await tenant.ask('DELETE', `/tags/${data[0].id}`);
		expect([answer.status, answer.body || '']).toEqual([status, '']);
		expect((await tenant.ask('GET', `/tags/${data[0].id}`)).status).toBe(404);
	});
});

test('failures are told after RFC 9457, with the errors of fields', async () => {
	await withChoices({ errors: 'problem' }, async (tenant) => {
		const answer = await tenant.ask('POST', '/customers', { channel: 'chatapp', name: 'New' });
		expect(answer).toMatchObject({
			status: 422,
			headers: { 'content-type': expect.stringContaining('application/problem+json') },
			body: {
				type: 'about:blank',
				title: 'Unprocessable Entity',
				status: 422,
				detail: 'The display id is required.',
				errors: { display_id: ['The display id is required.'] },
			},
		});
		expect((await tenant.ask('GET', '/me', undefined, 'unknown')).body).toMatchObject({ status: 401 });
	});
});

test('links that a tenant behind a proxy writes have another scheme, host and prefix', async () => {
	await withChoices({ links: 'proxied' }, async (tenant) => {
		const { links, meta } = await tenant.must<Record<'links' | 'meta', Record<string, string>>>(
			'GET',
			'/customers?channel=chatapp',
		);
		expect(links.next).toBe(`${PROXIED_BASE}/customers?channel=chatapp&page=2`);
		expect(meta.path).toBe(`${PROXIED_BASE}/customers`);
	});
});

test.each([
	['everywhere', [1, 1]],
	['ignored', [2, 2]],
	['where-shown', [1, 2]],
	['422', [422, 422]],
	['400', [400, 400]],
] as const)('per_page, %s', async (pageSize, expected) => {
	await withChoices({ pageSize }, async (tenant) => {
		const seen = async (path: string) => {
			const { status, body } = await tenant.ask('GET', `${path}?per_page=1`);
			return status === 200 ? (body as { data: unknown[] }).data.length : status;
		};
		expect([await seen('/profiles'), await seen('/customers')]).toEqual(expected);
	});
});

test('order_by, times and tags of the list of profiles', async () => {
	const first = async (choices: Partial<Choices>) =>
		await withChoices(choices, async (tenant) => {
			const { status, body } = await tenant.ask('GET', '/profiles?order_by=id:desc');
			return status === 200 ? (body as { data: Fields[] }).data[0] : status;
		});
	expect(await first({})).toMatchObject({ id: 104, created_at: expect.stringMatching(/\.\d{3}Z$/) });
	expect(await first({ orderBy: 'refused' })).toBe(422);
	expect(await first({ orderBy: 'ignored', profileTimes: 'hidden' })).not.toHaveProperty('created_at');
	expect(await first({ profileTimes: 'seconds' })).toMatchObject({
		created_at: expect.stringMatching(/:\d\dZ$/),
	});
	expect(await first({ profileTimes: 'local' })).toMatchObject({
		created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
	});
	expect(await first({})).not.toHaveProperty('tags');
	expect(await first({ orderBy: 'ignored', profileTags: 'records' })).toMatchObject({
		tags: [{ id: 42, title: 'Newsletter' }, { title: 'VIP' }],
	});
	expect(await first({ orderBy: 'ignored', profileTags: 'titles' })).toMatchObject({
		tags: 'Newsletter,VIP',
	});
});

test.each([
	['stays-closed', 'failed'],
	['opens', 'created'],
] as const)(
	'after a template, a session %s until the customer has written',
	async (templateSession, status) => {
		await withChoices({ templateSession }, async (tenant) => {
			const send = { phone_number: 491711234567, template_name: 'opening_hours', template_language: 'en_US' };
			const { data: sent } = await tenant.must<{ data: Fields }>('POST', '/chatapp/send-template', send);
			const path = `/conversations/${sent.conversation_id}/messages`;
			const reply = { type: 'text', text: { content: 'Hello' } };
			expect((await tenant.must<{ data: Fields }>('POST', path, reply)).data.status).toBe(status);
			await tenant.control('POST', `/conversations/${sent.conversation_id}/customer-messages`, {
				text: 'Hi',
			});
			expect((await tenant.must<{ data: Fields }>('POST', path, reply)).data.status).toBe('created');
		});
	},
);

test('each whole variant answers every list', async () => {
	for (const name of Object.keys(VARIANTS) as VariantName[]) {
		await withChoices(VARIANTS[name], async (tenant) => {
			for (const path of ['/users', '/agents', '/customers', '/profiles', '/templates', '/tags', '/media']) {
				const answer = await tenant.ask('GET', path);
				expect([name, path, answer.status, isJson(answer)]).toEqual([name, path, 200, true]);
			}
		});
	}
});
