import { createHash } from 'node:crypto';
import { execa } from 'execa';
import { seed } from '../../sandbox/control/seed.mts';
import { type SandboxOptions, startSandbox } from '../../sandbox/server.mts';
import { ask, type Data, type Fields, until, useTenant } from './tenant.mts';

const tenant = useTenant();

const names = async () =>
	(await tenant.must<Data<Fields[]>>('GET', '/customers?page=2')).data.map(({ name }) => name);

test('it says what the tenant is and holds, and is not part of the interface', async () => {
	const holds = { customers: 3, profiles: 3, users: 3, messages: 3 };
	expect(await tenant.control('GET', '')).toMatchObject({ envelope: 'length-aware', ahead_ms: 0, holds });
	const { status, body } = await tenant.ask('GET', '/sandbox?a=1');
	expect([status, body]).toEqual([404, { message: 'No such endpoint: GET /third-party/v1/sandbox.' }]);
});

test('reset brings the demo data back: ids, tokens, time; webhooks, faults, files and requests are gone', async () => {
	await tenant.must('DELETE', '/customers/101');
	await tenant.control('POST', '/webhooks', { url: 'http://127.0.0.1:1/' });
	await tenant.control('POST', '/faults', { kind: 'html' });
	await tenant.control('POST', '/clock', { advance: { days: 400 } });
	await tenant.control('POST', '/reset');
	expect(await tenant.control('GET', '')).toMatchObject({ webhooks: 0, faults: 0, requests: 0, ahead_ms: 0 });
	const ids = [{ id: 101 }, { id: 102 }, { id: 103 }];
	expect(await tenant.must('GET', '/customers')).toMatchObject({ data: ids });
});

test('seed adds invented customers, again and again, the same for the same seed', async () => {
	const more = { profiles: 100, conversations: 5 };
	const holds = { customers: 103, profiles: 103, conversations: 6 };
	expect(await tenant.control('POST', '/seed', more)).toMatchObject({ profiles: 100, holds });
	tenant.seed({ profiles: 50 });
	const first = await names();
	await tenant.reset();
	seed(tenant.store, { profiles: 20_000 });
	expect(await names()).toEqual(first);
	expect(await tenant.must('GET', '/profiles?search=4915200019999')).toMatchObject({ meta: { total: 1 } });
});

test('the clock is set, advanced and put back', async () => {
	await tenant.control('POST', '/clock', { set: '2031-05-06T07:08:09Z' });
	expect(await tenant.must('POST', '/tags', { title: 'Later' })).toMatchObject({
		created_at: expect.stringMatching(/^2031-05-06T07:08:/),
	});
	const { now } = await tenant.control('POST', '/clock', { advance: { days: 1, hours: 1 } });
	expect(now).toMatch(/^2031-05-07T08:08:/);
	await tenant.control('DELETE', '/clock');
	expect(await tenant.control('GET', '/clock')).toMatchObject({ ahead_ms: 0 });
});

test('the admin is notified, and customers write, over HTTP or in the same process', async () => {
	const { data } = await tenant.control<Data<Fields>>('POST', '/notifications', {
		title: 'New',
		body: 'Text',
	});
	expect((await tenant.must<Data<Fields[]>>('GET', '/me/notifications')).data[0]).toEqual(data);
	const written = await tenant.control('POST', '/conversations/2001/customer-messages', { text: 'Hello?' });
	expect(written).toMatchObject({ data: { from: 'customer', status: 'received' } });
	const message = tenant.writeAsCustomer('+49 170 000 0001', 'Yes');
	expect(tenant.store.conversations.lastMessage(2001)).toBe(message);
	expect(() => tenant.writeAsCustomer(491700000002, 'Hi')).toThrow(
		'Conversation with 491700000002 not found.',
	);
});

describe('recorded requests', () => {
	test('a request is recorded as it arrived: method, path, query, headers, raw body, status', async () => {
		const body = '{ "title":\t"Größe" }';
		const headers = {
			authorization: `Bearer ${tenant.token}`,
			'content-type': 'application/json',
			'x-own': 'yes',
		};
		await ask(`${tenant.baseUrl}/tags?a=1&b=2&b=3`, { method: 'POST', headers, body });
		await tenant.ask('GET', '/me', undefined, 'wrong');
		await tenant.control('GET', '');
		const { data } = await tenant.control<Data<object[]>>('GET', '/requests');
		expect(data).toEqual(tenant.requests());
		expect(data).toMatchObject([
			{
				...{ method: 'POST', path: '/third-party/v1/tags', query: { a: '1', b: ['2', '3'] }, headers },
				body: Buffer.from(body).toString('base64'),
				body_length: Buffer.byteLength(body),
				body_sha256: createHash('sha256').update(body).digest('hex'),
				...{ status: 200, duration_ms: expect.any(Number) },
			},
			{ status: 401, body_sha256: null },
		]);
		await tenant.control('DELETE', '/requests');
		expect(tenant.requests()).toEqual([]);
	});

	test('one whose connection was dropped has no status, but an end', async () => {
		tenant.faults.add({ kind: 'drop-before' });
		await expect(tenant.ask('GET', '/me')).rejects.toThrow();
		await until(() => tenant.requests()[0].duration_ms ?? undefined, 'the connection is closed');
		expect(tenant.requests()).toMatchObject([{ status: null }]);
	});
});

describe('the start', () => {
	test.each<[string, object]>([
		['seed', { seed: 1.5 }],
		['port', { port: 65_536 }],
		['ids', { choices: { ids: 'words' } }],
		['controlToken', { controlToken: '' }],
		['url', { webhooks: [{ url: 'nowhere' }] }],
		['sed', { sed: 50 }],
	])('%s is refused by its name: %p', async (name, options) => {
		const start = startSandbox(options as SandboxOptions);
		await expect(start).rejects.toThrow(`A sandbox cannot be started with these options: The ${name} `);
	});

	test('a port that is taken, and a host that is none of this machine, are said in one sentence with the way out', async () => {
		const port = Number(new URL(tenant.url).port);
		await expect(startSandbox({ port })).rejects.toThrow(
			`Port ${port} is taken: stop what runs there, or choose another one (0 is any free one).`,
		);
		await expect(startSandbox({ host: '192.0.2.1' })).rejects.toThrow(
			/"192.0.2.1" is no address of this machine/,
		);
	});

	test('it may be closed twice, at once too', async () => {
		const sandbox = await startSandbox({ record: false, seed: 5 });
		await ask(`${sandbox.baseUrl}/me`);
		expect([sandbox.requests(), sandbox.store.counts().customers]).toEqual([[], 8]);
		await Promise.all([sandbox.close(), sandbox.close()]);
	});

	test.each([
		['an option that is none', ['--data', 'x'], /Unknown option '--data'[^]*--port N/],
		['a variant that is none', ['--variant', 'ids'], /The ids must be one of number, text/],
	])('on the command line, %s ends it with a sentence', async (_what, args, said) => {
		const command = ['--import', 'tsx', 'sandbox/main.mts', '--port', '0', ...args];
		const { exitCode, stderr } = await execa(process.execPath, command, { reject: false });
		expect([exitCode, stderr]).toEqual([1, expect.stringMatching(said)]);
		expect(stderr).not.toContain('    at ');
	});
});
