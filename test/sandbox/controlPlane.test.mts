import { createHash } from 'node:crypto';
import {
	MAX_BODY_BYTES,
	MAX_REQUESTS,
	MAX_TOTAL_BYTES,
	type RecordedRequest,
	Recorder,
} from '../../sandbox/recorder.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { ask, type Data, type Fields, until, upload, uploadForm, useTenant } from './tenant.mts';

const tenant = useTenant();

const requests = async (query = '') =>
	(await tenant.control<Data<RecordedRequest[]>>('GET', `/requests${query}`)).data;

describe('control plane', () => {
	test('it needs no token on this machine and says what the tenant is and holds', async () => {
		expect(await tenant.control('GET', '')).toMatchObject({
			envelope: 'length-aware',
			now: expect.any(String),
			holds: { customers: 3, profiles: 3, users: 3 },
		});
	});

	test('it is not part of the interface', async () => {
		expect((await tenant.ask('GET', '/sandbox')).status).toBe(404);
		expect((await ask(`${tenant.url}/nothing`)).status).toBe(404);
	});

	test('web pages of other origins are refused', async () => {
		const headers = { origin: 'https://evil.example' };
		expect((await ask(`${tenant.url}/sandbox/reset`, { method: 'POST', headers })).status).toBe(403);
		expect(
			(await ask(`${tenant.url}/sandbox/reset`, { method: 'POST', headers: { origin: tenant.url } })).status,
		).toBe(200);
	});

	const control = (path: string, body: object) =>
		ask(`${tenant.url}/sandbox${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});

	test('what it does not understand is refused by field', async () => {
		for (const [path, body, field] of [
			['/seed', { profiles: 0 }, 'profiles'],
			['/seed', {}, 'profiles'],
			['/seed', { profiles: '5' }, 'profiles'],
			['/snapshots', { name: 5 }, 'name'],
			['/faults', { kind: 'html', status: '502' }, 'status'],
			['/clock', { advance: { days: null } }, 'advance.days'],
			['/webhooks', { url: 'nowhere' }, 'url'],
			['/clock', { set: 'tomorrow' }, 'set'],
			['/faults', { kind: 'earthquake' }, 'kind'],
			['/clock', { set: '2016-12-31T23:59:60Z' }, 'set'],
			['/clock', { advance: { days: 1e9 } }, 'advance'],
			['/faults', { kind: 'html', tiems: 1 }, 'tiems'],
			['/faults', { kind: 'html', operationId: 'listTag' }, 'operationId'],
			['/faults', { kind: 'html', path: 'tags' }, 'path'],
			['/faults', { kind: 'html', path: '/third-party/v1/tags' }, 'path'],
			['/faults', { kind: 'latency', ms: 2 ** 31 }, 'ms'],
			['/faults', { kind: 'redirect', location: '/\r\nset-cookie: a=b' }, 'location'],
			['/webhooks', { url: tenant.url, secretHeader: { name: 'a b', value: 'x' } }, 'secretHeader.name'],
			['/webhooks', { url: tenant.url, secretHeader: { name: 'a', value: 'x\r\ny' } }, 'secretHeader.value'],
			['/delivery-statuses', { sent: 1e300 }, 'sent'],
			['/templates/61/review', { status: 'approved', reason: 'Why?' }, 'reason'],
			['/messages/30002/failure', { type: 'x', message: 'Of a customer' }, 'id'],
		] as const) {
			const answer = await control(path, body);
			expect([path, answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([
				path,
				422,
				[field],
			]);
		}
	});

	test.each([
		['/seed', [], 'The body must be an object.'],
		['/seed', { profiles: '5' }, 'The profiles must be a whole number.'],
		['/faults', { kind: 'html', retryAfter: '5' }, 'The retryAfter must be a number. (and 1 more)'],
		['/faults', { kind: 'html', 5: 1 }, 'The 5 is not known.'],
		['/webhooks', { url: 'nowhere' }, 'The url must be an http or https URL.'],
		['/clock', { set: 'tomorrow' }, 'The set must be a time such as 2031-05-06T07:08:09Z.'],
		[
			'/faults',
			{ kind: 'html', path: 'tags' },
			'The path must be a path below /third-party/v1 that begins with / or *.',
		],
		[
			'/delivery-statuses',
			{ failing: { numbers: ['4915112345678', '+49'] } },
			'Item 2 of numbers must be a phone number of 7 to 15 digits, without +.',
		],
	])('%s with %j is refused in words for people', async (path, body, expected) => {
		const { status, body: answer } = await control(path, body);
		expect([status, (answer as Fields).message]).toEqual([422, expected]);
	});

	test('a type of a body that is not sent is no mistake', async () => {
		expect(
			(
				await ask(`${tenant.url}/sandbox/reset`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
				})
			).status,
		).toBe(200);
	});

	test('the admin is notified', async () => {
		const { data } = await tenant.control<Data<Fields>>('POST', '/notifications', {
			title: 'New',
			body: 'Text',
		});
		expect((await tenant.must<Data<Fields[]>>('GET', '/me/notifications')).data[0]).toEqual(data);
	});

	test('reset brings the demo data back: ids, tokens, time; webhooks, faults and requests are gone', async () => {
		await tenant.must('DELETE', '/customers/101');
		await tenant.control('POST', '/webhooks', { url: 'http://127.0.0.1:1/' });
		await tenant.control('POST', '/faults', { kind: 'html' });
		await tenant.control('POST', '/clock', { advance: { days: 400 } });
		await tenant.control('POST', '/reset');
		expect(await tenant.control('GET', '')).toMatchObject({ webhooks: 0, faults: 0, requests: 0 });
		expect(await tenant.must('GET', '/customers')).toMatchObject({
			data: [{ id: 101 }, { id: 102 }, { id: 103 }],
		});
		expect(await tenant.control<{ ahead_ms: number }>('GET', '/clock')).toMatchObject({ ahead_ms: 0 });
		expect(await tenant.control('GET', '/deletions')).toEqual({ data: [] });
	});

	test('seed adds invented customers with profiles, again and again, the same for the same seed', async () => {
		expect(await tenant.control('POST', '/seed', { profiles: 100, conversations: 5 })).toMatchObject({
			profiles: 100,
			holds: { customers: 103, profiles: 103, conversations: 6 },
		});
		await tenant.control('POST', '/seed', { profiles: 50 });
		const names = async () =>
			(await tenant.must<Data<Fields[]>>('GET', '/customers?page=2')).data.map(({ name }) => name);
		const first = await names();
		await tenant.reset();
		await tenant.control('POST', '/seed', { profiles: 150 });
		expect(await names()).toEqual(first);
	});

	test('100,000 profiles are there and can be searched', async () => {
		await tenant.control('POST', '/seed', { profiles: 100_000 });
		expect(await tenant.must('GET', '/profiles?search=4915200099999')).toMatchObject({ meta: { total: 1 } });
	});

	test.each([
		['advance', { advance: { minutes: 1e15 } }],
		['advance', { advance: { days: 365 * 9_000 } }],
		['advance', { set: '2031-05-06T07:08:09Z', advance: { days: -365 * 3_000 } }],
		['set', { set: '9999-12-31T23:59:59Z' }],
	])('the clock stays where it is when its time could not be written: %s', async (member, move) => {
		const refused = await ask(`${tenant.url}/sandbox/clock`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(move),
		});
		const text = 'The clock goes from the year 1 to the year 9999.';
		expect(refused).toMatchObject({ status: 422, body: { message: text, errors: { [member]: [text] } } });
		expect(await tenant.control('GET', '/clock')).toMatchObject({ ahead_ms: 0 });
	});

	test('the clock is set, advanced and put back', async () => {
		await tenant.control('POST', '/clock', { set: '2031-05-06T07:08:09Z' });
		const customer = await tenant.must<Fields>('POST', '/customers', {
			channel: 'chatapp',
			display_id: '4915112345678',
			name: 'Later',
		});
		expect(customer.created_at).toMatch(/^2031-05-06T07:08:/);
		const { now } = await tenant.control<{ now: string }>('POST', '/clock', {
			advance: { days: 1, hours: 1 },
		});
		expect(now).toMatch(/^2031-05-07T08:08:/);
		await tenant.control('DELETE', '/clock');
		expect(await tenant.control('GET', '/clock')).toMatchObject({ ahead_ms: 0 });
	});

	test('a delivery to the customer can be made to fail afterwards', async () => {
		const [message] = tenant.store.conversations.messages(2001);
		const failure = { type: 'undeliverable', message: 'The number is not in use' };
		expect(await tenant.control('POST', `/messages/${message.id}/failure`, failure)).toMatchObject({
			data: { status: 'failed', latest_error: { type: 'undeliverable', original_message: failure.message } },
		});
	});
});

describe('recorded requests', () => {
	test('a request is recorded as it arrived: method, path, query, headers, raw body, status', async () => {
		const body = '{ "title":\t"Größe" }';
		await ask(`${tenant.url}/third-party/v1/tags?a=1&b=2&b=3`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${tenant.token}`,
				'content-type': 'application/json',
				'x-own': 'yes',
			},
			body,
		});
		expect(await requests()).toMatchObject([
			{
				method: 'POST',
				path: '/third-party/v1/tags',
				query: { a: '1', b: ['2', '3'] },
				headers: { 'x-own': 'yes', 'content-type': 'application/json' },
				body: Buffer.from(body).toString('base64'),
				body_length: Buffer.byteLength(body),
				body_sha256: createHash('sha256').update(body).digest('hex'),
				status: 200,
				duration_ms: expect.any(Number),
			},
		]);
	});

	test('a large upload is recorded with its whole length and hash, its first bytes only', async () => {
		const content = new Uint8Array(1_000_000).fill(65);
		await upload(
			tenant,
			uploadForm({ type: 'document' }, { content, mimeType: 'text/plain', name: 'a.txt' }),
		);
		const [request] = await requests();
		expect(request.body_length).toBe(Number(request.headers['content-length']));
		expect(Buffer.from(request.body, 'base64')).toHaveLength(MAX_BODY_BYTES);
		expect(request.body_sha256).toMatch(/^[0-9a-f]{64}$/);
	});

	test('refused requests are recorded too, those of the control plane are not', async () => {
		await tenant.ask('POST', '/tags', { title: 'never' }, 'wrong');
		await tenant.ask('GET', '/nowhere');
		await tenant.control('GET', '');
		expect((await requests()).map(({ status }) => status)).toEqual([401, 404]);
	});

	test('the last ones are listed, and all are forgotten on demand', async () => {
		for (const title of ['a', 'b', 'c']) await tenant.must('POST', '/tags', { title });
		expect(await requests('?limit=2')).toHaveLength(2);
		await tenant.control('DELETE', '/requests');
		expect(await requests()).toEqual([]);
		expect(tenant.requests()).toEqual([]);
	});

	test('the inbox reads what changed since it last looked, and never a secret of a header', async () => {
		type Changes = ReturnType<Recorder['changesSince']>;
		const changes = (since: number) => tenant.control<Changes>('GET', `/inbox/requests?since=${since}`);
		await tenant.must('GET', '/tags?page=1');
		await tenant.must('GET', '/me');
		const first = await changes(0);
		expect(first.data).toMatchObject([
			{ method: 'GET', url: '/third-party/v1/me', status: 200, duration_ms: expect.any(Number) },
			{ method: 'GET', url: '/third-party/v1/tags?page=1', status: 200 },
		]);
		expect(first.oldest).toBe(first.data[1].id);
		await tenant.must('GET', '/groups');
		const { data, change } = await changes(first.change);
		expect(data.map(({ url }) => url)).toEqual(['/third-party/v1/groups']);
		expect(await changes(change)).toMatchObject({ data: [], change });

		const { headers } = await tenant.control<RecordedRequest>('GET', `/inbox/requests/${data[0].id}`);
		expect(headers).toMatchObject({ authorization: '(not shown)', host: expect.any(String) });
		await tenant.control('DELETE', '/requests');
		expect(await changes(change)).toMatchObject({ data: [], oldest: data[0].id + 1 });
		expect((await ask(`${tenant.url}/sandbox/inbox/requests/${data[0].id}`)).status).toBe(404);
	});

	test('a request whose connection was dropped has no status, but an end', async () => {
		tenant.faults.add({ kind: 'drop-before' });
		await expect(tenant.ask('GET', '/me')).rejects.toThrow();
		await until(async () => (await requests())[0].duration_ms ?? undefined, 'the connection is closed');
		expect(await requests()).toMatchObject([{ status: null }]);
	});

	test('memory is bounded in requests and bytes', () => {
		const recorder = new Recorder(() => 'now');
		const chunk = Buffer.alloc(MAX_BODY_BYTES);
		for (let index = 0; index < MAX_REQUESTS * 2 + 5; index++) {
			const request = { method: 'POST', url: '/', headers: { 'content-length': '1' }, push: () => true };
			recorder.begin(request as never);
			(request.push as (part: Buffer) => boolean)(chunk);
		}
		const list = recorder.list();
		expect(list).toHaveLength(MAX_REQUESTS);
		const bytes = list.reduce((sum, { body }) => sum + Buffer.from(body, 'base64').length, 0);
		expect(bytes).toBeLessThanOrEqual(MAX_TOTAL_BYTES);
		expect(Buffer.from(list[MAX_REQUESTS - 1].body, 'base64')).toHaveLength(MAX_BODY_BYTES);
	});

	test('recording can be switched off', async () => {
		const silent = await startSandbox({ record: false });
		await ask(`${silent.url}/third-party/v1/me`, { headers: { authorization: `Bearer ${silent.token}` } });
		expect(silent.requests()).toEqual([]);
		await silent.close();
	});
});
