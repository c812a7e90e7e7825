import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Har, type Replay, type Sandbox, startSandbox } from '../../sandbox/server.mts';
import { ask, type Fields, startTenant, upload, uploadForm, useTenant } from './tenant.mts';

const tenant = useTenant();
afterEach(() => tenant.tenant.events.emit('reset'));

const customer = (display_id: string) => ({ channel: 'chatapp', display_id, name: 'Größe' });
const entries = ({ log }: Har) =>
	log.entries.map(({ request, response }) => [
		request.method,
		new URL(request.url).pathname,
		response.status,
	]);

/** Something of everything: records, an upload that is used, time, faults, a refusal, a connection that is closed. */
async function session(of: typeof tenant): Promise<Har> {
	of.startRecording();
	const { id } = await of.must<Fields>('POST', '/customers', customer('4915112345678'));
	const form = uploadForm({ type: 'document' }, { content: 'text', mimeType: 'text/plain', name: 'a.txt' });
	const file = (await upload(of, form)).body as { internal_uuid: string; url: string };
	await of.must('POST', '/media', {
		type: 'document',
		internal_uuid: file.internal_uuid,
		title: 'A',
		filename: 'a.txt',
	});
	await ask(file.url);
	await of
		.must('GET', `/customers/${id}?with=${file.internal_uuid}`, undefined, of.userToken)
		.catch(() => undefined);
	await of.control('POST', '/clock', { advance: { days: 2 } });
	await of.must('POST', '/conversations/2001/messages', { type: 'text', text: { content: 'Late' } });
	await of.control('POST', '/faults', { kind: 'drop-after', times: 1 });
	await of.ask('POST', '/tags', { title: 'Dropped' }).catch(() => undefined);
	await of.ask('POST', '/tags', { title: '' });
	await of.ask('GET', '/tags', undefined, 'somebody-elses-secret');
	await ask(`${of.url}/third-party/v1/tags`);
	return of.stopRecording();
}

describe('a recorded session', () => {
	test('holds what was asked and what changed the tenant, with its answers, in order', async () => {
		expect(entries(await session(tenant))).toEqual([
			['POST', '/third-party/v1/customers', 200],
			['POST', '/third-party/v1/files/temporary-upload', 200],
			['POST', '/third-party/v1/media', 200],
			['GET', expect.stringMatching(/^\/files\/temporary\//), 200],
			['GET', '/third-party/v1/customers/104', 403],
			['POST', '/sandbox/clock', 200],
			['POST', '/third-party/v1/conversations/2001/messages', 200],
			['POST', '/sandbox/faults', 200],
			['POST', '/third-party/v1/tags', 0],
			['POST', '/third-party/v1/tags', 422],
			['GET', '/third-party/v1/tags', 401],
			['GET', '/third-party/v1/tags', 401],
		]);
	});

	test('is HAR 1.2 with the bytes of the bodies', async () => {
		const bytes = Buffer.from([0xff, 0x00, 0xfe]);
		tenant.startRecording();
		await tenant.must('POST', '/tags', { title: 'Größe' });
		await ask(`${tenant.url}/third-party/v1/tags?a=1&a=2`, { method: 'POST', body: bytes });
		const { log } = tenant.stopRecording();
		expect(log).toMatchObject({
			version: '1.2',
			creator: { name: expect.any(String), version: expect.any(String) },
			entries: [
				{
					startedDateTime: expect.stringMatching(/Z$/),
					time: expect.any(Number),
					request: {
						url: `${tenant.url}/third-party/v1/tags`,
						httpVersion: 'HTTP/1.1',
						cookies: [],
						queryString: [],
						postData: { mimeType: 'application/json', text: '{"title":"Größe"}' },
						headersSize: -1,
						bodySize: 19,
					},
					response: {
						statusText: 'OK',
						cookies: [],
						content: { mimeType: 'application/json; charset=utf-8', text: expect.stringContaining('Größe') },
						redirectURL: '',
					},
					cache: {},
					timings: { send: 0, wait: expect.any(Number), receive: 0 },
				},
				{
					request: {
						queryString: [
							{ name: 'a', value: '1' },
							{ name: 'a', value: '2' },
						],
						postData: { encoding: 'base64', text: bytes.toString('base64') },
					},
				},
			],
		});
	});

	test('names no token, whoever sent which', async () => {
		const controlToken = 'a-control-token-"of"-a-test';
		const guarded = await startTenant({ controlToken });
		guarded.startRecording();
		const control = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' };
		await ask(`${guarded.url}/sandbox/clock`, { method: 'POST', headers: control, body: '{}' });
		await ask(`${guarded.url}/sandbox/webhooks`, {
			method: 'POST',
			headers: control,
			body: JSON.stringify({ url: 'http://127.0.0.1:1/', signature: { secret: 'webhook-secret' } }),
		});
		await guarded.ask('POST', '/tags', { title: `${guarded.token} and ${controlToken}` });
		await guarded.ask('POST', '/tags', { title: guarded.token });
		await guarded.ask('GET', '/me', undefined, guarded.userToken);
		await guarded.ask('GET', '/me', undefined, 'somebody-elses-secret');
		await ask(`${guarded.url}/third-party/v1/me`, {
			headers: {
				authorization: 'Basic c29tZTpib2R5',
				cookie: 'a=cookie-secret',
				'x-api-key': 'api-key-secret',
				'x-auth-token': 'auth-token-secret',
				'x-sandbox-fault': 'html',
				'x-sandbox-token': controlToken,
			},
		});
		const har = guarded.stopRecording();
		expect(har.log.entries).toHaveLength(6);
		const text = JSON.stringify(har);
		const secrets = [
			guarded.token,
			guarded.userToken,
			controlToken,
			JSON.stringify(controlToken).slice(1, -1),
		];
		const others = [
			'somebody-elses-secret',
			'c29tZTpib2R5',
			'cookie-secret',
			'webhook-secret',
			'api-key-secret',
			'auth-token-secret',
		];
		expect([...secrets, ...others].filter((secret) => text.includes(secret))).toEqual([]);
		const authorizations = har.log.entries.map(
			({ request }) => request.headers.find(({ name }) => name === 'authorization')?.value,
		);
		expect(authorizations).toEqual(
			['control', 'admin', 'admin', 'user', 'unknown', 'unknown'].map((name) => `Bearer {{${name}}}`),
		);
		// A token that is no JSON as it is would have to be put into the JSON of a body.
		const { differences } = await guarded.replay({ log: { entries: har.log.entries.toSpliced(1, 1) } });
		await guarded.close();
		expect(differences).toEqual([]);
	});
});

describe('recording over HTTP', () => {
	const state = (method: string) => tenant.control(method, '/recording');

	test('is started, looked at, stopped and read', async () => {
		expect(await state('GET')).toMatchObject({ recording: false });
		expect(await state('POST')).toEqual({ recording: true, entries: 0 });
		expect((await ask(`${tenant.url}/sandbox/recording`, { method: 'POST' })).status).toBe(409);
		await tenant.must('GET', '/me');
		const running = await tenant.control<Har>('GET', '/recording/session.har');
		expect(entries(running)).toEqual([['GET', '/third-party/v1/me', 200]]);
		expect(await state('DELETE')).toEqual({ recording: false, entries: 1 });
		await tenant.must('GET', '/me');
		expect(await tenant.control('GET', '/recording/session.har')).toEqual(running);
	});

	test('there is nothing to read before', async () => {
		const other = await startSandbox();
		expect((await ask(`${other.url}/sandbox/recording/session.har`)).status).toBe(404);
		await other.close();
	});

	test('a session is replayed against the demo data', async () => {
		const har = await session(tenant);
		const replay = await tenant.control<Replay>('POST', '/replay', har);
		expect(replay).toEqual({ requests: 12, differences: [] });
		expect(tenant.store.counts()).toMatchObject({ customers: 4 });
		expect(tenant.store.media.list()).toHaveLength(2);
	});

	test('what is no session is refused', async () => {
		const answer = await ask(`${tenant.url}/sandbox/replay`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"log":{}}',
		});
		expect(answer).toMatchObject({
			status: 422,
			body: { message: 'This is no HAR file: The entries is required.' },
		});
	});

	test.each(['', 'times,ids'])('leaves nothing out by the name "%s"', async (none) => {
		const answer = await ask(`${tenant.url}/sandbox/replay?ignore=${none}`, { method: 'POST' });
		expect(answer).toMatchObject({
			status: 422,
			body: { message: expect.stringContaining('must be times, ids or the name of one member.') },
		});
	});
});

describe('a replay', () => {
	let har: Har;
	beforeEach(async () => {
		tenant.startRecording();
		await tenant.must('POST', '/tags', { title: 'One' });
		await tenant.must('GET', '/tags/41');
		har = tenant.stopRecording();
	});
	/** The session with another text somewhere in its answers. */
	const changed = (was: string, is: string) => {
		const [first, second] = har.log.entries;
		const content = { ...second.response.content, text: second.response.content.text?.replace(was, is) };
		return { log: { entries: [first, { ...second, response: { ...second.response, content } }] } };
	};

	test('tells another status, another value and a member that is missing', async () => {
		const [first] = har.log.entries;
		const other = { ...first, response: { ...first.response, status: 201 } };
		expect((await tenant.replay({ log: { entries: [other] } })).differences).toEqual([
			{ request: 1, method: 'POST', path: '/third-party/v1/tags', where: 'status', was: 201, is: 200 },
		]);
		const { title } = tenant.store.tags.find(41) ?? {};
		expect((await tenant.replay(changed(`"title":"${title}"`, '"title":"Else"'))).differences).toEqual([
			{
				request: 2,
				method: 'GET',
				path: '/third-party/v1/tags/41',
				where: 'data.title',
				was: 'Else',
				is: title,
			},
		]);
		expect((await tenant.replay(changed('"title"', '"name"'))).differences).toMatchObject([
			{ where: 'data.name', was: title },
			{ where: 'data.title', is: title },
		]);
	});

	test('compares times and ids only when it is told to, and leaves out members that are named', async () => {
		const moved = changed('"id":41', '"id":42');
		expect((await tenant.replay(moved)).differences).toEqual([]);
		expect((await tenant.replay(moved, ['times'])).differences).toMatchObject([
			{ where: 'data.id', was: 42, is: 41 },
		]);
		expect((await tenant.replay(moved, ['times', 'id'])).differences).toEqual([]);
		tenant.startRecording();
		await tenant.must('POST', '/customers', customer('4915112345678'));
		const later = tenant.stopRecording();
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect((await tenant.replay(later)).differences).toEqual([]);
		expect((await tenant.replay(later, ['ids'])).differences.map(({ where }) => where)).toContain(
			'created_at',
		);
	});

	test('knows tokens in headers, and leaves placeholders of that name in bodies alone', async () => {
		tenant.startRecording();
		await tenant.must('POST', '/tags', { title: 'Dear {{user}}' });
		await ask(`${tenant.url}/third-party/v1/me`, { headers: { authorization: `bearer ${tenant.token}` } });
		expect((await tenant.replay(tenant.stopRecording())).differences).toEqual([]);
		expect(tenant.store.tags.byTitle('Dear {{user}}')).toBeDefined();
	});

	test('tells a connection that is not closed any more', async () => {
		const [first] = har.log.entries;
		const dropped = { ...first, response: { ...first.response, status: 0 } };
		expect((await tenant.replay({ log: { entries: [dropped] } })).differences).toMatchObject([
			{ was: 0, is: 200 },
		]);
	});
});

describe('files', () => {
	let folder: string;
	let sandbox: Sandbox | undefined;
	beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'))));
	afterEach(async () => {
		await sandbox?.close();
		sandbox = undefined;
		rmSync(folder, { recursive: true, force: true });
	});

	const run = async (...args: string[]) => {
		const root = join(import.meta.dirname, '..', '..');
		const command = ['--import', 'tsx', 'sandbox/main.mts', ...args];
		const { exitCode, all } = await execa(process.execPath, command, { cwd: root, all: true, reject: false });
		return [exitCode, all];
	};

	test('sessionFile is whole after every request, and --replay tells whether the answers are the same', async () => {
		const sessionFile = join(folder, 'session.har');
		sandbox = await startSandbox({ sessionFile });
		const me = () =>
			ask(`${sandbox?.url}/third-party/v1/me`, { headers: { authorization: `Bearer ${sandbox?.token}` } });
		for (const count of [0, 1, 2]) {
			if (count > 0) await me();
			const { log } = JSON.parse(readFileSync(sessionFile, 'utf8')) as Har;
			expect(log.entries).toHaveLength(count);
		}
		await sandbox.close();
		sandbox = undefined;
		expect(existsSync(sessionFile)).toBe(true);
		expect(await run('--replay', sessionFile)).toEqual([0, 'Replayed 2 requests: no differences.']);

		const text = readFileSync(sessionFile, 'utf8').replace('Ada Admin', 'Eve Admin');
		writeFileSync(sessionFile, text);
		expect(await run('--replay', sessionFile)).toEqual([
			1,
			'Replayed 2 requests: 1 difference.\n  1. GET /third-party/v1/me: data.name was "Eve Admin", is "Ada Admin"',
		]);
		const elsewhere = text.replaceAll('/third-party/v1/', '/elsewhere/');
		writeFileSync(sessionFile, elsewhere);
		expect(await run('--replay', sessionFile)).toEqual([1, 'Replayed no requests: no differences.']);
	});

	test('two that record into one file do not write into each other', async () => {
		const sessionFile = join(folder, 'session.har');
		const me = ({ url, token }: Sandbox) =>
			ask(`${url}/third-party/v1/me`, { headers: { authorization: `Bearer ${token}` } });
		sandbox = await startSandbox({ sessionFile });
		await me(sandbox);
		const other = await startSandbox({ sessionFile });
		await me(sandbox);
		await me(other);
		await other.close();
		expect((JSON.parse(readFileSync(sessionFile, 'utf8')) as Har).log.entries).toHaveLength(1);
	});

	test('the command says its version and its options, and what makes no sense', async () => {
		const { version } = JSON.parse(
			readFileSync(join(import.meta.dirname, '..', '..', 'sandbox', 'package.json'), 'utf8'),
		) as { version: string };
		expect(await run('--version')).toEqual([0, version]);
		expect(await run('-h')).toEqual([0, expect.stringContaining('--replay FILE')]);
		expect(await run('--replay', 'a.har', '--data', folder)).toEqual([1, expect.stringContaining('a.har')]);
	});

	test('a file that is none is one sentence', async () => {
		writeFileSync(join(folder, 'a.har'), '{}');
		const [exitCode, text] = await run('--replay', join(folder, 'a.har'));
		expect([exitCode, text]).toEqual([1, `${join(folder, 'a.har')} is no HAR file: The log is required.`]);
	});
});
