import { Access } from '../../sandbox/control/access.mts';
import { ask, startTenant, type TestTenant, useTenant } from './tenant.mts';

const tenant = useTenant();

/** The parts of the sandbox that hold or change something, without a token. */
const READS = [
	...['', '/webhooks', '/deliveries', '/clock', '/faults', '/requests'],
	...['/conversations', '/conversations/2001', '/requests', '/operations', '/events'].map(
		(path) => `/inbox${path}`,
	),
].map((path) => `/sandbox${path}`);
const CHANGES: Array<[string, string, object?]> = [
	['POST', '/sandbox/reset'],
	['POST', '/sandbox/seed', { profiles: 1 }],
	['POST', '/sandbox/webhooks', { url: 'http://127.0.0.1:1/' }],
	['POST', '/sandbox/clock', { advance: { days: 1 } }],
	['DELETE', '/sandbox/clock'],
	['POST', '/sandbox/faults', { kind: 'html' }],
	['DELETE', '/sandbox/faults'],
	['DELETE', '/sandbox/requests'],
	['POST', '/sandbox/conversations/2001/customer-messages', { text: 'forged' }],
	['POST', '/sandbox/messages/30003/status', { status: 'read' }],
	['POST', '/sandbox/templates/81/review', { status: 'rejected' }],
];
const PAGE = ['/', '/inbox/inbox.js', '/inbox/inbox.css'];

/** What another site could have changed. */
const state = async () => {
	const { now, ...rest } = await tenant.control<Record<string, unknown>>('GET', '');
	return { ...rest, messages: tenant.store.conversations.messages(2001), now: String(now).slice(0, 10) };
};

async function statusOf(method: string, path: string, headers: Record<string, string>, body?: object) {
	const json: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
	const signal = AbortSignal.timeout(5_000);
	const question = { method, headers: { ...json, ...headers }, body: body && JSON.stringify(body), signal };
	return (await ask(`${tenant.url}${path}`, question)).status;
}

/** Sends everything with these headers, and gives what was not answered with 403. */
async function notRefused(headers: Record<string, string>, reads = READS): Promise<string[]> {
	const before = await state();
	const answers: Array<[string, number]> = [];
	for (const path of reads) answers.push([path, await statusOf('GET', path, headers)]);
	for (const [method, path, body] of CHANGES) {
		answers.push([`${method} ${path}`, await statusOf(method, path, headers, body)]);
	}
	expect(await state()).toEqual(before);
	return answers.filter(([, status]) => status !== 403).map(([what]) => what);
}

describe('a web page that a developer visits', () => {
	const NAMES = ['attacker.example:4010', '127.0.0.1.attacker.example', 'localhost.attacker.example'];

	test.each(NAMES)(
		'whose name turns into 127.0.0.1 (Host: %s) reads and changes nothing, with a token neither',
		async (host) => {
			expect(await notRefused({ host }, [...READS, ...PAGE])).toEqual([]);
			const authorization = `Bearer ${tenant.token}`;
			expect(await statusOf('GET', '/third-party/v1/customers', { host, authorization })).toBe(403);
			expect(await statusOf('DELETE', '/third-party/v1/customers/101', { host, authorization })).toBe(403);
			expect((await tenant.ask('GET', '/customers/101')).status).toBe(200);
		},
	);

	const all = [...READS, ...PAGE];

	test.each(['null', 'https://attacker.example', 'http://127.0.0.1:1', 'file://', 'http://localhost.'])(
		'of the origin %s reads and changes nothing',
		async (origin) => expect(await notRefused({ origin }, all)).toEqual([]),
	);

	test.each(['cross-site', 'same-site'])(
		'gets nothing by a request without Origin, as for a picture or a script (Sec-Fetch-Site: %s)',
		async (site) => expect(await notRefused({ 'sec-fetch-site': site }, all)).toEqual([]),
	);

	test('may link to the inbox, but not to the control plane, and cannot put the inbox into a frame', async () => {
		const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
		expect(await statusOf('GET', '/', { ...link, 'sec-fetch-dest': 'document' })).toBe(200);
		expect(await statusOf('GET', '/', { ...link, 'sec-fetch-dest': 'iframe' })).toBe(403);
		expect(await statusOf('GET', '/sandbox', { ...link, 'sec-fetch-dest': 'document' })).toBe(403);
		const { headers } = await ask(`${tenant.url}/`);
		expect(headers).toMatchObject({
			'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
			'x-content-type-options': 'nosniff',
			'cross-origin-resource-policy': 'same-origin',
		});
	});

	test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
		'changes nothing with a body of type %s, which browsers send to foreign sites without asking',
		async (type) => {
			await tenant.must('DELETE', '/customers/101');
			const before = await state();
			for (const [method, path, body] of CHANGES.filter(([method]) => method === 'POST')) {
				const question = { method, headers: { 'content-type': type }, body: JSON.stringify(body ?? {}) };
				expect([path, (await ask(`${tenant.url}${path}`, question)).status]).toEqual([path, 422]);
			}
			expect(await state()).toEqual(before);
		},
	);

	test('finds no GET that changes something', async () => {
		const before = await state();
		for (const path of READS.filter((name) => !name.endsWith('/events'))) {
			expect([path, await statusOf('GET', path, {})]).toEqual([path, 200]);
		}
		expect(await state()).toEqual(before);
	});
});

describe('programs and the own page', () => {
	test('need no headers that only browsers send, send the own origin, and may use a name that the sandbox was told', async () => {
		expect(await statusOf('POST', '/sandbox/faults', {}, { kind: 'html' })).toBe(200);
		const own = { origin: tenant.url, 'sec-fetch-site': 'same-origin' };
		expect(await statusOf('POST', '/sandbox/reset', own)).toBe(200);
		expect(await statusOf('GET', '/sandbox', { 'sec-fetch-site': 'none' })).toBe(200);
		for (const host of ['localhost:4010', 'tenant.localhost', '[::1]:4010', '192.168.1.5:4010']) {
			expect([host, await statusOf('GET', '/sandbox', { host })]).toEqual([host, 200]);
		}
		const named = await startTenant({ allowedHosts: ['host.docker.internal'] });
		const asked = async (host: string) => (await ask(`${named.url}/sandbox`, { headers: { host } })).status;
		expect(await asked('host.docker.internal:4010')).toBe(200);
		expect(await asked('attacker.example')).toBe(403);
		await named.close();
	});
});

describe('a sandbox that others can reach', () => {
	const TOKEN = 'a-token-of-the-tests';
	let open: TestTenant;
	const status = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
		(await ask(`${open.url}${path}`, { method, headers })).status;

	beforeAll(async () => void (open = await startTenant({ controlToken: TOKEN })));
	afterAll(async () => await open.close());

	test.each(['0.0.0.0', '::', '192.168.1.5', '::ffff:10.0.0.1', 'my-machine.lan'])(
		'makes a token at random when it listens on %s',
		(host) => {
			const [first, second] = [new Access(host).token, new Access(host).token];
			expect(first).toMatch(/^[\w-]{32}$/);
			expect(second).not.toBe(first);
			expect(new Access(host, TOKEN).token).toBe(TOKEN);
			for (const own of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) {
				expect(new Access(own).token).toBeUndefined();
			}
		},
	);

	test('asks for it on the control plane and for what the inbox shows, from this machine too', async () => {
		for (const path of READS) expect([path, await status(path)]).toEqual([path, 401]);
		for (const [method, path] of CHANGES) {
			expect([path, await status(path, {}, method)]).toEqual([path, 401]);
		}
		for (const token of [open.token, open.userToken, `${TOKEN}x`, TOKEN.slice(1)]) {
			expect(await status('/sandbox', { authorization: `Bearer ${token}` })).toBe(401);
		}
		expect(await status('/sandbox', { authorization: `Bearer ${TOKEN}` })).toBe(200);
	});

	test('does not take it from the address of the control plane, and not for the interface; its health needs none', async () => {
		const { status: healthy, body } = await ask(`${open.url}/sandbox/health`);
		expect([healthy, body]).toEqual([200, { status: 'ok' }]);
		expect(await status(`/sandbox?token=${TOKEN}`)).toBe(401);
		expect((await open.ask('GET', '/me')).status).toBe(200);
		expect((await open.ask('GET', '/me', undefined, TOKEN)).status).toBe(401);
	});

	test('lets a browser in by a link, with a cookie that scripts and other sites do not get', async () => {
		expect(await status('/?token=wrong')).toBe(401);
		const entered = await ask(`${open.url}/?token=${TOKEN}`);
		expect(entered).toMatchObject({ status: 303, headers: { location: '/' } });
		const [setCookie] = [entered.headers['set-cookie'] ?? []].flat();
		expect(setCookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
		expect(setCookie).not.toContain(TOKEN);

		const [cookie] = setCookie.split(';');
		expect(await status('/sandbox/inbox/conversations', { cookie })).toBe(200);
		expect(await status('/sandbox/inbox/conversations', { cookie: `${cookie}x` })).toBe(401);
		expect(await status('/sandbox/reset', { cookie, origin: 'null' }, 'POST')).toBe(403);
		expect(await status('/sandbox/reset', { cookie, 'sec-fetch-site': 'same-site' }, 'POST')).toBe(403);
	});
});
