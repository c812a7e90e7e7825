import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultRule } from '../../sandbox/server.mts';
import { http } from '../http.mts';
import { type Fields, upload, uploadForm, useTenant } from './tenant.mts';

const tenant = useTenant();

const arm = (rule: FaultRule) => tenant.control<Fields>('POST', '/faults', rule);
const create = async () =>
	(await tenant.ask('POST', '/customers', { channel: 'chatapp', display_id: '4915112345678', name: 'F' }))
		.status;
const exists = () => tenant.store.customers.byDisplayId('chatapp', '4915112345678') !== undefined;
/** Status, some header and the text of an answer, as it is. */
const raw = async (path: string, header = 'content-type') => {
	const headers = { authorization: `Bearer ${tenant.token}` };
	const answer = await http.get<Readable>(tenant.baseUrl + path, { headers, responseType: 'stream' });
	return [answer.status, answer.headers[header] as unknown, await text(answer.data)];
};
const status = async (path = '/me', method = 'GET') => (await tenant.ask(method, path)).status;
const statuses = async (count: number) => {
	const all = [];
	for (let index = 0; index < count; index++) all.push(await status());
	return all;
};

describe('kinds of faults', () => {
	test('latency delays the answer', async () => {
		await arm({ kind: 'latency', ms: 120 });
		const startedAt = performance.now();
		expect(await status()).toBe(200);
		expect(performance.now() - startedAt).toBeGreaterThan(115);
	});

	test("response answers with a status, headers and a body of one's own", async () => {
		const headers = { 'content-type': 'application/vnd.api+json; charset=utf-8', 'x-own': 'yes' };
		await arm({ kind: 'response', status: 203, headers, body: { data: [7] }, times: 2 });
		expect(await raw('/tags', 'x-own')).toEqual([203, 'yes', '{"data":[7]}']);
		expect(await raw('/tags')).toEqual([203, headers['content-type'], '{"data":[7]}']);
		await arm({ kind: 'response', body: 'plain' });
		expect(await raw('/me')).toEqual([200, 'text/plain; charset=utf-8', 'plain']);
	});

	test.each<[FaultRule, unknown, unknown]>([
		[{ kind: 'rate-limit', retryAfter: 7 }, 429, '7'],
		[{ kind: 'server-error', status: 503 }, 503, undefined],
		[{ kind: 'html', status: 502 }, 502, undefined],
	])(
		'%j is answered in place of the answer, and nothing is processed',
		async (rule, expected, retryAfter) => {
			await arm({ ...rule, times: 2 });
			expect([await create(), exists()]).toEqual([expected, false]);
			expect((await tenant.ask('GET', '/me')).headers['retry-after']).toBe(retryAfter);
			expect([await create(), exists()]).toEqual([200, true]);
		},
	);

	test('rate-limit with perSecond lets so many requests pass', async () => {
		await arm({ kind: 'rate-limit', perSecond: 2 });
		expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
		await delay(600);
		expect(await status()).toBe(200);
	});

	test.each([
		['drop-before', false],
		['drop-after', true],
		['drop-mid-answer', true],
	] as const)(
		'%s closes the connection; whether the request was processed: %p',
		async (kind, isProcessed) => {
			await arm({ kind, times: 1 });
			await expect(create()).rejects.toThrow();
			expect(exists()).toBe(isProcessed);
		},
	);

	test('html answers with a page', async () => {
		await arm({ kind: 'html', times: 1 });
		expect(await raw('/me')).toEqual([200, 'text/html; charset=utf-8', expect.stringContaining('<html>')]);
	});
});

describe('whom faults meet', () => {
	test('one operation, or a method and a path pattern', async () => {
		await arm({ kind: 'server-error', operationId: 'getTag' });
		expect([await status('/tags/41'), await status('/tags')]).toEqual([500, 200]);
		await arm({ kind: 'server-error', method: 'get', path: '/profiles/*/tags' });
		const id = tenant.store.profiles.ofCustomer(101)?.id;
		const other = await status(`/profiles/${id}/tags/99`, 'DELETE');
		expect([await status(`/profiles/${id}/tags`), other, await status('/profiles')]).toEqual([500, 404, 200]);
	});

	test('a number of times, after letting some pass', async () => {
		await arm({ kind: 'server-error', times: 2, skip: 1 });
		expect(await statuses(5)).toEqual([200, 500, 500, 200, 200]);
	});

	test('one after the other, where several are to take the place of an answer; a latency goes along', async () => {
		for (const kind of ['server-error', 'latency', 'html'] as const)
			await arm({ kind, status: 502, ms: 1, times: 1 });
		expect([await status(), tenant.faults.list().map(({ met }) => met)]).toEqual([502, [1, 1, 0]]);
		expect(await statuses(2)).toEqual([502, 200]);
	});

	test('by probability, the same requests for the same seed', async () => {
		const rounds = [];
		for (let round = 0; round < 2; round++) {
			const { id } = await arm({ kind: 'server-error', probability: 0.3, seed: 42 });
			rounds.push(await statuses(100));
			await tenant.control('DELETE', `/faults/${id}`);
		}
		const failed = rounds[0].filter((code) => code === 500).length;
		expect([failed > 15 && failed < 45, rounds[1]]).toEqual([true, rounds[0]]);
	});

	test('an upload, but never the control plane', async () => {
		await arm({ kind: 'rate-limit' });
		const file = { content: new Uint8Array(5_000_000), mimeType: 'text/plain', name: 'a.txt' };
		expect((await upload(tenant, uploadForm({ type: 'document' }, file))).status).toBe(429);
		expect(await tenant.control('GET', '/faults')).toMatchObject({ data: [{ kind: 'rate-limit', met: 1 }] });
		await tenant.control('DELETE', '/faults');
		expect(await status()).toBe(200);
	});
});
