import { readFileSync } from 'node:fs';
import { CONTRACT_FILE } from '../../sandbox/contract.mts';
import { type Data, useTenant } from './tenant.mts';

const tenant = useTenant();

describe('settings', () => {
	test.each(['general', 'third-party', 'crm'])(
		'%s settings are changed member by member and answered in data',
		async (category) => {
			const path = `/settings/${category}`;
			const before = (await tenant.must<Data<object>>('GET', path)).data;
			expect(Object.keys(before).length).toBeGreaterThan(0);
			const { data } = await tenant.must<Data<object>>('PATCH', path, {
				own: 'value',
				other: { deep: [null] },
			});
			expect(data).toEqual({ ...before, own: 'value', other: { deep: [null] } });
			expect(await tenant.must('GET', path)).toEqual({ data });
		},
	);

	test('the categories are apart', async () => {
		await tenant.must('PATCH', '/settings/general', { own: 'value' });
		expect((await tenant.must<Data<object>>('GET', '/settings/crm')).data).not.toHaveProperty('own');
	});
});

describe('notifications', () => {
	interface Notification {
		uuid: string;
		read_at: string | null;
	}
	const list = async (token?: string) =>
		(await tenant.must<Data<Notification[]>>('GET', '/me/notifications', undefined, token)).data;

	test('one notification is marked as read', async () => {
		const [first, second] = await list();
		expect(await tenant.must('POST', `/me/notifications/${first.uuid}/read`)).toEqual({
			data: { ...first, read_at: expect.any(String) },
		});
		expect(await list()).toMatchObject([
			{ read_at: expect.any(String) },
			{ uuid: second.uuid, read_at: null },
		]);
	});

	test('all notifications are marked as read', async () => {
		const { data } = await tenant.must<Data<Notification[]>>('POST', '/me/notifications/read');
		expect(data.every(({ read_at }) => read_at !== null)).toBe(true);
		expect(await list()).toEqual(data);
	});

	test('a user sees and marks only their own', async () => {
		const [mine] = await list();
		expect(await list(tenant.userToken)).toHaveLength(1);
		const answer = await tenant.ask(
			'POST',
			`/me/notifications/${mine.uuid}/read`,
			undefined,
			tenant.userToken,
		);
		expect(answer.status).toBe(404);
		expect((await list())[0].read_at).toBeNull();
	});
});

describe('agents', () => {
	test('agents are listed by channel and read in data', async () => {
		expect(await tenant.must('GET', '/agents?channel=chatapp')).toMatchObject({
			data: [{ id: 11, name: 'Shop' }, { id: 12 }],
		});
		expect(await tenant.must('GET', '/agents?channel=sms')).toMatchObject({ data: [] });
		expect(await tenant.must('GET', '/agents/11')).toMatchObject({
			data: { id: 11, bot_id: null, proxy_email: null },
		});
		expect((await tenant.ask('GET', '/agents/99')).status).toBe(404);
	});

	test('default bot and proxy e-mail are set, and cleared by null', async () => {
		expect(
			await tenant.must('PATCH', '/agents/11', { bot_id: 7, proxy_email: 'p@tenant.example' }),
		).toMatchObject({
			data: { bot_id: 7, proxy_email: 'p@tenant.example', name: 'Shop' },
		});
		expect(await tenant.must('PATCH', '/agents/11', { bot_id: null })).toMatchObject({
			data: { bot_id: null, proxy_email: 'p@tenant.example' },
		});
		expect((await tenant.ask('PATCH', '/agents/11', { proxy_email: 'nobody' })).status).toBe(422);
	});
});

describe('support', () => {
	test('the contract is served as it lies there, as text/yaml', async () => {
		const { headers, body } = await tenant.ask('GET', '/support/openapi');
		expect(headers['content-type']).toMatch(/^text\/yaml/);
		expect(body).toBe(readFileSync(CONTRACT_FILE, 'utf8'));
	});

	test('a tenant can be given a description of its own', async () => {
		tenant.tenant.description = 'openapi: 3.1.0';
		expect((await tenant.ask('GET', '/support/openapi')).body).toBe('openapi: 3.1.0');
		tenant.tenant.description = undefined;
	});

	test.each(['channels', 'activity-types', 'chatapp-template-languages'])('%s are listed', async (what) => {
		expect(await tenant.must('GET', `/support/${what}`)).toMatchObject({
			data: expect.arrayContaining([expect.any(Object)]),
		});
	});

	test('size limits of uploads are at least the regular ones', async () => {
		const { data } = await tenant.must<Data<Record<string, Record<string, number>>>>(
			'GET',
			'/support/media-size-limits',
		);
		for (const [kind, limit] of Object.entries(data.regular_mb)) {
			expect(data.temporary_upload_mb[kind]).toBeGreaterThanOrEqual(limit);
		}
	});

	test('every calling code leads to a market of the prices', async () => {
		const { data } = await tenant.must<
			Data<{
				pricing: Array<{ market: string }>;
				calling_codes: Array<{ country: string; region: string | null }>;
			}>
		>('GET', '/support/chatapp-pricing');
		const markets = data.pricing.map(({ market }) => market);
		for (const { country, region } of data.calling_codes) expect(markets).toContain(region ?? country);
	});
});
