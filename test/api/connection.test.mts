import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { testCredential } from '../engine/credentialTest.mts';
import { editorOf, type NodeRunOptions, runNode, workbench } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { pixelBinary } from '../engine/pixel.mts';
import { PollingNode } from '../engine/polling.mts';
import { LocalProxy } from '../engine/proxy.mts';
import { RawServer } from '../engine/rawServer.mts';
import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { byId } from '../engine/tenant.mts';
import { TlsTenant } from '../engine/tlsTenant.mts';

const odd = OddTenant.inEachTest();
const raw = RawServer.inEachTest();
const tls = TlsTenant.inEachTest();
const proxy = LocalProxy.inEachTest();

const advanced = { maximumTries: 1 };
const get = { resource: 'tag', operation: 'get', tagId: byId(1), advanced };
const create = { resource: 'tag', operation: 'create', title: 'VIP', advanced };
const download = { resource: 'file', operation: 'download', fileUuid: 'u-1', advanced };

const run = async (parameters: object, options: Partial<NodeRunOptions> = {}) =>
	await runNode({ credentials: odd.credentials, ...options, parameters: { ...parameters } });

/** A run whose tenant is at another address. */
const at = async (tenantDomain: string, parameters: object) =>
	await run(parameters, { credentials: { tenantDomain, accessToken: 'token-for-another-address' } });

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n';

describe('where n8n’s client meets no answer that it can use', () => {
	/** For answers of which nothing usable comes, however long it takes. */
	const SHORT = { timeout: 50 };

	/** A thousand seconds pass within one. The silence of an answer ends soon then, long before the exchange as a whole. */
	function hurry(): { timeout: number } {
		const now = performance.now.bind(performance);
		const start = now();
		jest.spyOn(performance, 'now').mockImplementation(() => start + 1000 * (now() - start));
		return { timeout: 10 * 3_600_000 };
	}

	afterEach(() => jest.restoreAllMocks());

	it.each<[string, string, () => object, (socket: Socket) => void]>([
		['a connection that is closed', 'The service did not answer', () => ({}), (socket) => socket.destroy()],
		['an answer that never begins', 'The service did not answer', () => SHORT, () => {}],
		[
			'headers that never end',
			'The service did not answer',
			() => SHORT,
			(socket) => socket.write('HTTP/1.1 200 OK\r\nX-Long: x'),
		],
		[
			'an answer that stalls',
			'The response of the service came to a halt',
			hurry,
			(socket) => socket.write(`${HEAD}{"data":`),
		],
		[
			'an answer that breaks off',
			'The service did not answer',
			() => ({}),
			(socket) => socket.write(`${HEAD}{"data":{"id":1`, () => socket.destroy()),
		],
	])('%s is told: of a write, that it may be done', async (_what, message, given, act) => {
		raw.answer(act);
		const limits = { ...advanced, ...given() };
		const [read, write] = await Promise.all([
			at(raw.url, { ...get, advanced: limits }),
			at(raw.url, { ...create, advanced: limits }),
		]);
		expect(read.error?.message).toBe(message);
		expect(read.error?.context.outcome).toBeUndefined();
		expect(write.error).toMatchObject({ message, context: { outcome: 'unknown' } });
		expect(write.error?.description).toContain('may have been carried out');
	});

	it.each(['099', '000', '199'])('the status %s is no success, and a write may be done', async (status) => {
		const body = '{"data":{"id":1,"title":"VIP"}}';
		const length = `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
		raw.answer((socket) =>
			socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Type: application/json\r\n${length}${body}`),
		);
		const [read, write] = [await at(raw.url, get), await at(raw.url, create)];
		expect([...read.items, ...write.items]).toEqual([]);
		expect(read.error?.context.outcome).toBeUndefined();
		expect(write.error?.context.outcome).toBe('unknown');
		expect(write.error?.description).toContain('may have been carried out');
	});

	it('a download that stalls ends, and gives no part of the file', async () => {
		raw.answer((socket) => socket.write(`${HEAD.replace('application/json', 'application/pdf')}part`));
		const { error, items } = await at(raw.url, { ...download, advanced: { ...advanced, ...hurry() } });
		expect(error).toMatchObject({ message: 'The response of the service came to a halt' });
		expect(items).toEqual([]);
	});

	it.each([
		['an address where nothing listens', REFUSED_ADDRESS, /^Nothing answers at the Tenant Domain$/],
		['an unknown host', 'tenant.invalid', /^The Tenant Domain (is unknown|could not be looked up)$/],
	])('%s', async (_what, address, message) => {
		expect((await at(address, get)).error?.message).toMatch(message);
	});

	it('an untrusted certificate is met once, and nothing is sent', async () => {
		const { error } = await at(tls.url, { ...get, advanced: {} });
		expect(error?.message).toBe("The service's certificate is not trusted");
		expect(tls.connections).toBe(1);
		expect(tls.asked).toEqual([]);
	});

	it('a redirect is not followed, so that the token stays here', async () => {
		odd.answer(async (_request, reply) => await reply.redirect(`${odd.url}/elsewhere`, 302));
		const { error } = await run(get);
		expect(error?.message).toContain('answered with a redirect, which is not followed');
		expect(odd.asked).toEqual(['GET /third-party/v1/tags/1']);
	});

	it('an answer with too much to read leaves no connection open', async () => {
		const closed = new Promise((resolve) => {
			raw.answer((socket) => {
				socket.on('close', resolve);
				socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 99000000\r\n\r\n`);
				socket.write(Buffer.alloc(40_000_000, 'x'));
			});
		});
		const { error } = await at(raw.url, get);
		expect(error?.message).toMatch(/is larger than 32 MB$/);
		await closed;
	});
});

describe('a proxy in the credential', () => {
	const login = `${proxy.user}:${proxy.password}`;
	const through = (address: string, more = {}, parameters: object = create) => ({
		...parameters,
		advanced: { ...advanced, proxy: address, ...more },
	});
	const credentials = () => ({
		...odd.credentials,
		advanced: { settings: { ...advanced, proxy: proxy.url() } },
	});
	beforeEach(() => odd.answer(() => ({ data: { id: 1 } })));

	it('passes the requests on, with its login', async () => {
		let token: unknown;
		odd.answer(({ headers }) => {
			token = headers.authorization;
			return { id: 1 };
		});
		const { error, items } = await run(through(proxy.url()));
		expect(error).toBeUndefined();
		expect(proxy.asked).toEqual([{ method: 'POST', target: `${odd.url}/third-party/v1/tags`, login }]);
		expect(token).toBe(`Bearer ${String(odd.credentials.accessToken)}`);
		expect(items.map(({ json }) => json.id)).toEqual([1]);
	});

	const upload = { resource: 'file', operation: 'upload', type: 'image' };

	it.each<[what: string, last: string, ask: () => Promise<unknown>]>([
		['a download', 'GET /files/u-1', async () => await run(through(proxy.url(), {}, download))],
		[
			'an upload',
			'POST /files/temporary-upload',
			async () =>
				await run(upload, {
					credentials: credentials(),
					items: [{ json: {}, binary: { data: pixelBinary } }],
				}),
		],
		[
			'a list in the editor',
			'GET /tags',
			async () => {
				const { methods, context } = await editorOf({ parameters: {}, credentials: credentials() });
				await methods.loadOptions?.getTags.call(context).catch(() => undefined);
			},
		],
		['the test of the credential', 'GET /me', async () => await testCredential(credentials())],
		[
			'a poll',
			'GET /profiles',
			async () =>
				await new PollingNode({ parameters: { event: 'newCustomer' }, credentials: credentials() })
					.poll()
					.catch(() => undefined),
		],
	])('passes on %s too', async (_what, last, ask) => {
		await ask();
		expect(odd.asked.length).toBeGreaterThan(0);
		expect(proxy.asked.map(({ method, target }) => `${method} ${target.replace(odd.url, '')}`)).toEqual(
			odd.asked,
		);
		expect(odd.asked.at(-1)?.replace('/third-party/v1', '')).toContain(last);
	});

	it('makes a tunnel where the tenant is behind TLS', async () => {
		const { error, items } = await at(tls.url, through(proxy.url(), { allowUnauthorizedCerts: true }));
		const target = tls.url.replace('https://', '');
		expect(proxy.asked).toEqual([{ method: 'CONNECT', target, login }]);
		expect(error).toBeUndefined();
		expect(tls.asked).toEqual(['POST /third-party/v1/tags']);
		expect(items.map(({ json }) => json.id)).toEqual([1]);
	});

	it.each([
		['no login', () => proxy.urlWithoutLogin, undefined],
		['another password', () => proxy.url(proxy.user, 'wrong'), `${proxy.user}:wrong`],
	])('refuses them with %s', async (_what, address, sent) => {
		const message = expect.stringContaining('The proxy refused its login');
		const { error } = await run(through(address()));
		expect(error).toMatchObject({
			httpCode: '407',
			description: expect.stringContaining('Proxy, under Advanced'),
		});
		expect([error?.message, error?.description?.split('\n')[0]]).toContainEqual(message);
		expect(proxy.asked.map((asked) => asked.login)).toEqual([sent]);
		expect(odd.asked).toEqual([]);
	});

	it('that is not there is told, and the Tenant Domain is not blamed', async () => {
		const { error } = await run(through(REFUSED_ADDRESS));
		expect(error).toMatchObject({
			message: 'The proxy cannot be reached',
			description:
				'Check Proxy, under Advanced in the credential, and that the proxy is running (ECONNREFUSED).',
		});
		expect(odd.asked).toEqual([]);
	});
});

describe('a certificate that nobody vouches for', () => {
	it('passes where the credential ignores SSL issues', async () => {
		const { error } = await at(tls.url, { ...get, advanced: { allowUnauthorizedCerts: true } });
		expect(error).toBeUndefined();
		expect(tls.asked).toEqual(['GET /third-party/v1/tags/1']);
	});

	it('passes in the test of such a credential', async () => {
		const { message } = await testCredential({
			...{ tenantDomain: tls.url, accessToken: 'token-for-another-address' },
			advanced: { settings: { allowUnauthorizedCerts: true } },
		});
		// What answers there is no user.
		expect(message).toContain('The Tenant Domain leads to another service');
		expect(tls.asked).toEqual(['GET /third-party/v1/me']);
	});
});

describe('a person who stops the execution', () => {
	/** Runs the node, stops it at its first request, and waits until its function has ended. */
	async function stopped(
		parameters: INodeParameters,
		answer: (stopNow: () => void) => Parameters<OddTenant['answer']>[0],
		options: Partial<NodeRunOptions> = {},
	): Promise<string[]> {
		const { nodeType } = await workbench({ parameters });
		const operations = nodeType.customOperations?.[String(parameters.resource)] ?? {};
		const name = String(parameters.operation);
		const original = operations[name];
		let ended = () => {};
		const end = new Promise<void>((resolve) => (ended = resolve));
		operations[name] = async function (...all) {
			try {
				return await original.apply(this, all);
			} finally {
				ended();
			}
		};
		let stop = () => {};
		odd.answer(answer(() => stop()));
		try {
			await run(parameters, { ...options, onStart: (given) => (stop = given) });
			await end;
		} finally {
			operations[name] = original;
		}
		return odd.asked;
	}

	/** Operations that read before they write, and lists of many pages. */
	it.each<[resource: string, operation: string, parameters: INodeParameters]>([
		['profile', 'addTags', { profileId: byId(1), tagIds: [1] }],
		['profile', 'addGroups', { profileId: byId(1), groupIds: [1] }],
		['customer', 'addUsers', { customerId: byId(1), userIds: [1] }],
		['customer', 'removeUsers', { customerId: byId(1), userIds: [2] }],
		['customer', 'getAll', { returnAll: true }],
	])(
		'has nothing more sent by %s: %s, whose answer comes behind the stop',
		async (resource, operation, more) => {
			const asked = await stopped({ resource, operation, ...more }, (stopNow) => async () => {
				stopNow();
				await turn();
				return { data: [{ id: 2, title: 'x' }], links: { next: '?page=2' } };
			});
			expect(asked).toHaveLength(1);
		},
	);

	it.each([
		['that waits for its answers', { ...get, tagId: byId('={{ $json.id }}') }, 6],
		['within an upload', { resource: 'file', operation: 'upload', type: 'image' }, 1],
	])('ends a run %s', async (_what, parameters, count) => {
		const image = { data: Buffer.alloc(1000).toString('base64'), mimeType: 'image/png', fileName: 'a.png' };
		const items = Array.from({ length: count }, (_, id) => ({ json: { id }, binary: { data: image } }));
		const hang = (stopNow: () => void) => async () => {
			if (odd.asked.length === count) stopNow();
			await new Promise(() => {});
		};
		expect(await stopped(parameters as INodeParameters, hang, { items })).toHaveLength(count);
	});

	it('ends a bulk import between its requests', async () => {
		const asked = await stopped(
			{
				resource: 'customer',
				operation: 'bulkImport',
				columns: { mappingMode: 'autoMapInputData', value: null },
			},
			(stopNow) => async () => {
				if (odd.asked.length === 2) stopNow();
				await delay(1);
				return { data: { created_count: 500, updated_count: 0, skipped_count: 0 } };
			},
			{
				items: Array.from({ length: 1501 }, (_row, index) => ({
					json: { displayId: String(491_710_000_000 + index), name: 'N' },
				})),
			},
		);
		expect(asked).toHaveLength(2);
	});
});
