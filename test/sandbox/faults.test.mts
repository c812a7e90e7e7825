import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import type { FaultRule } from '../../sandbox/server.mts';
import { http } from '../http.mts';
import { type Fields, upload, uploadForm, useTenant } from './tenant.mts';

const tenant = useTenant();

const arm = (rule: FaultRule) => tenant.control<Fields>('POST', '/faults', rule);
const create = (display_id = '4915112345678') =>
	tenant.ask('POST', '/customers', { channel: 'chatapp', display_id, name: 'F' });
const exists = () => tenant.store.customers.byDisplayId('chatapp', '4915112345678') !== undefined;
/** The answer with a body that is still to be read, and is read as it is. */
const raw = async (path = '/me') => {
	const headers = { authorization: `Bearer ${tenant.token}` };
	const url = `${tenant.url}/third-party/v1${path}`;
	return await http.get<Readable>(url, { headers, responseType: 'stream' });
};

describe('kinds of faults', () => {
	test('latency delays the answer', async () => {
		await arm({ kind: 'latency', ms: 120, times: 1 });
		const startedAt = performance.now();
		expect((await tenant.ask('GET', '/me')).status).toBe(200);
		expect(performance.now() - startedAt).toBeGreaterThan(115);
	});

	test("response answers with a status, headers and a body of one's own, so many times, for a path", async () => {
		const headers = { 'content-type': 'application/vnd.api+json; charset=utf-8', 'x-own': 'yes' };
		await arm({ kind: 'response', status: 203, headers, body: { data: [7] }, path: '/tags*', times: 2 });
		const first = await tenant.ask('GET', '/tags');
		expect([first.status, first.headers['x-own'], first.headers['content-type']]).toEqual([
			...[203, 'yes', 'application/vnd.api+json; charset=utf-8'],
		]);
		expect(await text((await raw('/tags')).data)).toBe('{"data":[7]}');
		expect((await tenant.ask('GET', '/tags')).status).toBe(200);
		await arm({ kind: 'response', body: 'plain', times: 1 });
		const second = await tenant.ask('GET', '/me');
		expect([second.status, second.body, second.headers['content-type']]).toEqual([
			...[200, 'plain', 'text/plain; charset=utf-8'],
		]);
	});

	test('a server error with a status of success is refused', async () => {
		const rule = { kind: 'server-error', status: 200 } as const;
		expect(() => tenant.faults.add(rule)).toThrow('The status must be >= 400.');
	});

	test('rate-limit answers 429 with Retry-After in seconds, and processes nothing', async () => {
		await arm({ kind: 'rate-limit', retryAfter: 7, times: 1 });
		const answer = await create();
		expect([answer.status, answer.headers['retry-after'], exists()]).toEqual([429, '7', false]);
		expect((await create()).status).toBe(200);
	});

	test('rate-limit can give Retry-After as a date', async () => {
		await arm({ kind: 'rate-limit', retryAfter: { date: true, seconds: 60 } });
		const { headers } = await tenant.ask('GET', '/me');
		const seconds = (Date.parse(headers['retry-after'] ?? '') - Date.now()) / 1000;
		expect(seconds).toBeGreaterThan(55);
		expect(seconds).toBeLessThanOrEqual(60);
	});

	test('rate-limit with perSecond lets so many requests pass, and tells the quota', async () => {
		await arm({ kind: 'rate-limit', perSecond: 2, quotaHeaders: true });
		const answers = [await tenant.ask('GET', '/me'), await tenant.ask('GET', '/me'), await create()];
		expect(
			answers.map(({ status, headers }) => [
				status,
				headers['x-ratelimit-limit'],
				headers['x-ratelimit-remaining'],
				headers['x-ratelimit-reset'],
			]),
		).toEqual([
			[200, '2', '1', '0'],
			[200, '2', '0', '1'],
			[429, '2', '0', '1'],
		]);
		expect(exists()).toBe(false);
		await new Promise((resolve) => setTimeout(resolve, 600));
		expect((await create()).status).toBe(200);
	});

	test('server-error answers 5xx, before or after processing', async () => {
		await arm({ kind: 'server-error', status: 503, times: 1 });
		expect([(await create()).status, exists()]).toEqual([503, false]);
		await arm({ kind: 'server-error', processed: true, times: 1 });
		expect([(await create()).status, exists()]).toEqual([500, true]);
	});

	test('drop-before closes the connection, and nothing is processed', async () => {
		await arm({ kind: 'drop-before', times: 1 });
		await expect(create()).rejects.toThrow();
		expect(exists()).toBe(false);
	});

	test('drop-after closes the connection after processing', async () => {
		await arm({ kind: 'drop-after', times: 1 });
		await expect(create()).rejects.toThrow();
		expect(exists()).toBe(true);
		expect(tenant.requests().at(-1)).toMatchObject({ method: 'POST', status: null });
	});

	test('drop-mid-answer closes the connection while the answer is on its way', async () => {
		await arm({ kind: 'drop-mid-answer', times: 1 });
		const response = await raw('/tags');
		expect(response.status).toBe(200);
		await expect(text(response.data)).rejects.toThrow();
	});

	test('truncate answers 200 with half of the JSON', async () => {
		await arm({ kind: 'truncate', times: 1 });
		const response = await raw('/tags');
		expect([response.status, response.headers['content-type']]).toEqual([
			200,
			'application/json; charset=utf-8',
		]);
		const half = await text(response.data);
		expect(() => JSON.parse(half) as unknown).toThrow();
	});

	test('html answers a page instead of JSON', async () => {
		await arm({ kind: 'html', status: 502, times: 1 });
		const response = await raw();
		expect([response.status, response.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
		expect(await text(response.data)).toContain('<html>');
	});

	test('redirect leads to another host', async () => {
		await arm({ kind: 'redirect', location: 'https://elsewhere.example/x', times: 1 });
		const first = await raw('/me');
		expect([first.status, first.headers.location]).toEqual([302, 'https://elsewhere.example/x']);
		await arm({ kind: 'redirect', status: 307, times: 1 });
		const second = await raw('/me?a=1');
		const { port } = new URL(tenant.url);
		expect([second.status, second.headers.location]).toEqual([
			307,
			`http://localhost:${port}/third-party/v1/me?a=1`,
		]);
	});
});

describe('whom faults meet', () => {
	const status = async (method: string, path: string) => (await tenant.ask(method, path)).status;

	test('one operation', async () => {
		await arm({ kind: 'server-error', operationId: 'getTag' });
		expect([await status('GET', '/tags/41'), await status('GET', '/tags')]).toEqual([500, 200]);
	});

	test('a method and a path pattern', async () => {
		await arm({ kind: 'server-error', method: 'get', path: '/profiles/*/tags' });
		expect([
			await status('GET', '/profiles/102/tags'),
			await status('DELETE', '/profiles/102/tags/99'),
			await status('GET', '/profiles'),
		]).toEqual([500, 404, 200]);
	});

	test('a number of times, after letting some pass', async () => {
		await arm({ kind: 'server-error', times: 2, skip: 1 });
		const statuses = [];
		for (let index = 0; index < 5; index++) statuses.push(await status('GET', '/me'));
		expect(statuses).toEqual([200, 500, 500, 200, 200]);
	});

	test('one after the other, where several are to take the place of an answer; a latency goes along', async () => {
		await arm({ kind: 'server-error', times: 1 });
		await arm({ kind: 'latency', ms: 1, times: 1 });
		await arm({ kind: 'html', status: 502, times: 2 });
		expect([await status('GET', '/me'), tenant.faults.list().map(({ met }) => met)]).toEqual([
			500,
			[1, 1, 0],
		]);
		const next = [await status('GET', '/me'), await status('GET', '/me'), await status('GET', '/me')];
		expect(next).toEqual([502, 502, 200]);
	});

	test('by probability, the same requests for the same seed', async () => {
		const round = async () => {
			const fault = await arm({ kind: 'server-error', probability: 0.3, seed: 42 });
			const statuses = [];
			for (let index = 0; index < 100; index++) statuses.push(await status('GET', '/me'));
			await tenant.control('DELETE', `/faults/${fault.id}`);
			return statuses;
		};
		const first = await round();
		const failed = first.filter((code) => code === 500).length;
		expect(failed).toBeGreaterThan(15);
		expect(failed).toBeLessThan(45);
		expect(await round()).toEqual(first);
	});

	test('never the control plane', async () => {
		await arm({ kind: 'server-error' });
		expect(await tenant.control('GET', '/faults')).toMatchObject({
			data: [{ kind: 'server-error', met: 0 }],
		});
		await tenant.control('DELETE', '/faults');
		expect(await status('GET', '/me')).toBe(200);
	});

	test('an upload is disturbed like any other request', async () => {
		await arm({ kind: 'rate-limit', operationId: 'uploadTemporaryFile' });
		const file = { content: new Uint8Array(5_000_000), mimeType: 'text/plain', name: 'a.txt' };
		expect((await upload(tenant, uploadForm({ type: 'document' }, file))).status).toBe(429);
	});
});
