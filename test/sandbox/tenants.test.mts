import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	type Sandbox,
	type SandboxOptions,
	type SandboxTenant,
	startSandbox,
} from '../../sandbox/server.mts';
import { useReceiver } from './receiver.mts';
import { type Answer, ask, type Data, type Fields, until } from './tenant.mts';

const receiver = useReceiver();
const opened: Sandbox[] = [];

/** A sandbox of its own for one test, closed after it. */
async function open(options: SandboxOptions = {}): Promise<Sandbox> {
	const started = await startSandbox({ tenants: ['acme', 'globex'], ...options });
	opened.push(started);
	return started;
}

/** The one for all other tests, back to its demo data before each. */
let sandbox: Sandbox;
let acme: SandboxTenant;
let globex: SandboxTenant;

beforeAll(async () => {
	sandbox = await startSandbox({ tenants: ['acme', 'globex'], allowedHosts: ['tenant.lan'] });
	({ acme, globex } = sandbox.tenants);
});
beforeEach(async () => void (await Promise.all([sandbox, acme, globex].map((tenant) => tenant.reset()))));
afterEach(async () => {
	for (const started of opened.splice(0)) await started.close();
});
afterAll(() => sandbox.close());

/** Asks a tenant: its interface, or its control plane, at its own address unless told otherwise. */
async function send(
	{ url, token }: Pick<SandboxTenant, 'token' | 'url'>,
	method: string,
	path: string,
	body?: object,
	headers: Record<string, string> = {},
): Promise<Answer> {
	return await ask(`${url}${path.startsWith('/sandbox') ? '' : '/third-party/v1'}${path}`, {
		method,
		headers: {
			authorization: `Bearer ${token}`,
			...(body && { 'content-type': 'application/json' }),
			...headers,
		},
		body: body && JSON.stringify(body),
	});
}

const customer = (name: string) => ({ channel: 'chatapp', display_id: '4915112345678', name });
const namesOf = async (tenant: SandboxTenant) =>
	((await send(tenant, 'GET', '/customers')).body as Data<Fields[]>).data.map(({ name }) => name);

describe('several tenants in one process', () => {
	test('each has data of its own, also where ids and numbers are the same', async () => {
		for (const [tenant, name] of [
			[acme, 'Of Acme'],
			[globex, 'Of Globex'],
		] as const) {
			expect((await send(tenant, 'POST', '/customers', customer(name))).status).toBe(200);
		}
		expect(await namesOf(acme)).toContain('Of Acme');
		expect(await namesOf(acme)).not.toContain('Of Globex');
		expect(await namesOf(globex)).toContain('Of Globex');
		expect(await namesOf(globex)).not.toContain('Of Acme');
		expect((await namesOf(sandbox)).filter((name) => String(name).startsWith('Of '))).toEqual([]);
	});

	test('a token of one tenant is refused by every other one', async () => {
		const tenants = [sandbox, acme, globex];
		for (const { url } of tenants) {
			for (const { token, userToken, url: own } of tenants) {
				const expected = url === own ? 200 : 401;
				expect((await send({ url, token }, 'GET', '/me')).status).toBe(expected);
				expect((await send({ url, token: userToken }, 'GET', '/me')).status).toBe(expected);
			}
		}
		expect(globex.token).toBe('globex-admin-token');
	});

	test('each has webhooks, a clock, faults and recorded requests of its own, and is reset alone', async () => {
		sandbox.registerWebhook({ url: receiver.url });
		const reply = { type: 'text', text: { content: 'Hello' }, from_automation: true };
		await send(acme, 'POST', '/sandbox/clock', { advance: { days: 400 } });
		await send(acme, 'POST', '/sandbox/faults', { kind: 'server-error' });
		await send(globex, 'POST', '/sandbox/delivery-statuses', {});
		expect((await send(acme, 'GET', '/me')).status).toBe(500);
		expect((await send(globex, 'POST', '/conversations/2001/messages', reply)).status).toBe(200);
		await globex.deliveriesSettled();
		expect(receiver.received).toEqual([]);
		globex.registerWebhook({ url: receiver.url });
		await send(globex, 'POST', '/conversations/2001/messages', reply);
		await globex.deliveriesSettled();
		expect(receiver.received).toHaveLength(1);
		expect(acme.deliveries()).toEqual([]);
		expect([sandbox, acme, globex].map((tenant) => tenant.requests().length)).toEqual([0, 1, 2]);
		expect(globex.store.clock.ahead()).toBe(0);
		expect((await send(acme, 'GET', '/sandbox/delivery-statuses')).body).toEqual({ data: null });

		await send(globex, 'POST', '/sandbox/reset');
		expect((await send(globex, 'GET', '/sandbox')).body).toMatchObject({
			tenant: 'globex',
			requests: 0,
			webhooks: 0,
		});
		expect((await send(acme, 'GET', '/sandbox')).body).toMatchObject({
			tenant: 'acme',
			requests: 1,
			faults: 1,
		});
	});

	test('an upload has an address of its tenant, and no other tenant has the file', async () => {
		const form = new FormData();
		form.append('type', 'document');
		form.append('public', '1');
		form.append('file', new Blob(['of acme'], { type: 'text/plain' }), 'a.txt');
		const { body } = await ask(`${acme.url}/third-party/v1/files/temporary-upload`, {
			method: 'POST',
			headers: { authorization: `Bearer ${acme.token}` },
			body: form,
		});
		const { url, internal_uuid } = body as { url: string; internal_uuid: string };
		expect((await ask(url)).body).toBe('of acme');
		expect((await ask(url.replace(acme.url, globex.url))).status).toBe(404);
		expect((await send(globex, 'GET', `/files/${internal_uuid}`)).status).toBe(404);
	});

	test('each keeps its data over a restart, and only the first has the webhooks that are named at the start', async () => {
		const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
		const first = await open({ dataDir, webhooks: [{ url: receiver.url }] });
		const webhooks = [first, first.tenants.acme].map(({ store }) => store.webhooks.list().length);
		expect(webhooks).toEqual([1, 0]);
		await send(first.tenants.acme, 'POST', '/customers', customer('Of Acme'));
		await opened.pop()?.close();
		const second = await open({ dataDir });
		expect(await namesOf(second.tenants.acme)).toContain('Of Acme');
		expect(await namesOf(second.tenants.globex)).not.toContain('Of Acme');
		expect(await namesOf(second)).not.toContain('Of Acme');
		expect([second, ...Object.values(second.tenants)].map(({ isFresh }) => isFresh)).toEqual([
			false,
			false,
			false,
		]);
		await opened.pop()?.close();
		rmSync(dataDir, { recursive: true, force: true });
	});
});

describe('the name that a request is addressed to', () => {
	/** Who answers at an address under a host name: the tenant of its control plane. */
	const tenantAt = async (url: string, host: string) => {
		const { status, body } = await ask(`${url}/sandbox`, { headers: { host } });
		return status === 200 ? (body as { tenant: string }).tenant : status;
	};

	test('tells the tenant, at the port of any of them', async () => {
		for (const { url } of [sandbox, acme, globex]) {
			const { port } = new URL(url);
			expect(await tenantAt(url, `acme.localhost:${port}`)).toBe('acme');
			expect(await tenantAt(url, `GLOBEX.localhost:${port}`)).toBe('globex');
			expect(await tenantAt(url, `globex:${port}`)).toBe('globex');
			expect(await tenantAt(url, `sandbox.localhost:${port}`)).toBe('sandbox');
		}
		const { url } = sandbox;
		const headers = { host: `globex.localhost:${new URL(url).port}` };
		const { token } = globex;
		expect((await send({ url, token }, 'POST', '/customers', customer('By name'), headers)).status).toBe(200);
		expect((await send(sandbox, 'GET', '/me', undefined, headers)).status).toBe(401);
		expect(await namesOf(globex)).toContain('By name');
		expect(globex.requests()[0]).toMatchObject({ method: 'POST', status: 200 });
	});

	test('that is an address, or localhost, leaves it to the port', async () => {
		for (const [name, { url }] of [['sandbox', sandbox] as const, ...Object.entries(sandbox.tenants)]) {
			const { port } = new URL(url);
			for (const host of ['127.0.0.1', 'localhost', '[::1]', '192.168.1.5']) {
				expect(await tenantAt(url, `${host}:${port}`)).toBe(name);
			}
		}
	});

	test('is refused when no tenant has it, and when it is none of this machine', async () => {
		const { url } = sandbox;
		for (const host of [
			'golbex.localhost',
			'www.globex.localhost',
			'globex.attacker.example',
			'globex.localhost.attacker.example',
			'golbex',
			'golbex.tenant.lan',
		]) {
			expect([host, await tenantAt(url, host)]).toEqual([host, 403]);
			const headers = { host };
			const { token } = globex;
			expect((await send({ url, token }, 'GET', '/customers', undefined, headers)).status).toBe(403);
		}
		expect(await tenantAt(url, 'globex.tenant.lan')).toBe('globex');
		expect(await tenantAt(url, 'tenant.lan')).toBe('sandbox');
	});

	test('a page of one tenant cannot control another one', async () => {
		const { url } = sandbox;
		const { port } = new URL(url);
		const reset = (origin: string, host: string) =>
			ask(`${url}/sandbox/reset`, { method: 'POST', headers: { origin, host } });
		expect((await reset(`http://acme.localhost:${port}`, `globex.localhost:${port}`)).status).toBe(403);
		expect((await reset(url, `globex.localhost:${port}`)).status).toBe(403);
		expect((await reset(`http://globex.localhost:${port}`, `globex.localhost:${port}`)).status).toBe(200);
	});
});

describe('names and ports', () => {
	test.each([['Globex'], ['127'], ['glo.bex'], ['localhost'], ['-a'], ['']])(
		'"%s" is no name of a tenant',
		async (name) => {
			await expect(startSandbox({ tenants: [name] })).rejects.toThrow(`not "${name}"`);
		},
	);

	test('no two tenants have the same name', async () => {
		await expect(startSandbox({ tenants: ['acme', 'acme'] })).rejects.toThrow('already a tenant');
		await expect(startSandbox({ tenants: ['sandbox'] })).rejects.toThrow('already a tenant');
	});

	test('the further tenants have the ports behind the first; one that is taken stops the start, and frees the others', async () => {
		// Anybody may take a port meanwhile: then it is tried with others.
		const isTaken = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
		await until(async () => {
			const other = createServer().listen(0, '127.0.0.1');
			await once(other, 'listening');
			const { port } = other.address() as AddressInfo;
			const options = { port: port - 1, tenants: ['acme'] };
			const failure: unknown = await open(options).catch((error: unknown) => error);
			expect(isTaken(failure)).toBe(true);
			other.close();
			await once(other, 'close');
			if ((failure as { port: number }).port !== port) return undefined;
			const started = await open(options).catch((error: unknown) => {
				if (!isTaken(error)) throw error;
			});
			if (!started) return undefined;
			const { url, tenants } = started;
			expect([url, tenants.acme.url]).toEqual([port - 1, port].map((number) => `http://127.0.0.1:${number}`));
			return started;
		}, 'two ports in a row are free');
	});

	test('a control token is asked for by every tenant', async () => {
		const controlToken = 'a-token-of-the-tests';
		const { url, tenants } = await open({ controlToken });
		for (const address of [url, tenants.acme.url]) {
			expect((await ask(`${address}/sandbox`)).status).toBe(401);
			const headers = { authorization: `Bearer ${controlToken}` };
			expect((await ask(`${address}/sandbox`, { headers })).status).toBe(200);
		}
	});

	test('what happens in a tenant is heard by its own inbox alone', async () => {
		const heard: string[] = [];
		acme.tenant.events.on('message', () => heard.push('acme'));
		globex.tenant.events.on('message', () => heard.push('globex'));
		await send(globex, 'POST', '/sandbox/conversations/2001/customer-messages', { text: 'Hi' });
		await until(() => heard.at(0), 'the message is heard');
		expect(heard).toEqual(['globex']);
	});
});
