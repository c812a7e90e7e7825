import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { urlWithinTenant, tenantBaseUrl } from '../../../nodes/CustomerMessaging/credential/tenantUrl.ts';
import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { RawServer } from '../../engine/rawServer.mts';
import { byId } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();
const raw = RawServer.inEachTest();

const get = { resource: 'tag', operation: 'get', tagId: byId(42), requestLimits: { maximumTries: 1 } };
const create = { resource: 'tag', operation: 'create', title: 'VIP' };
const remove = { resource: 'tag', operation: 'delete', tagId: byId(42) };
const download = { resource: 'file', operation: 'download', fileUuid: 'u-1' };

const run = async (parameters: object, url = odd.url) =>
	await runNode({
		parameters: { ...parameters },
		credentials: { tenantDomain: url, accessToken: 'a-secret-token' },
	});

describe('an answer', () => {
	it('is read whole, also where a letter comes in two pieces', async () => {
		const text = Buffer.from('{"data":{"id":42,"title":"Größe 😀"}}');
		odd.answer(async (_request, reply) => {
			reply.hijack();
			reply.raw.writeHead(200, { 'content-type': 'application/json' });
			for (const byte of text) {
				reply.raw.write(Buffer.from([byte]));
				await delay(1);
			}
			reply.raw.end();
		});
		expect((await run(get)).items[0].json).toEqual({ id: 42, title: 'Größe 😀' });
	});

	/** Promises more than it sends. */
	const cut = (status: string) =>
		raw.answer((socket) => {
			socket.write(
				`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"data":{"id":1`,
				() => setTimeout(() => socket.destroy(), 20),
			);
		});

	it('that breaks off is none: a read says so', async () => {
		cut('200 OK');
		const { error } = await run(get, raw.url);
		expect(error?.message).toBe('The service did not answer');
		expect(error?.context.outcome).toBeUndefined();
	});

	it('that breaks off is none: a write may have been carried out', async () => {
		cut('200 OK');
		const { error } = await run(create, raw.url);
		expect(error?.context.outcome).toBe('unknown');
	});

	it.each([200, 201, 202, 299])('with status %i is a success', async (status) => {
		odd.answer(async (_request, reply) => await reply.code(status).send({ data: { id: 42 } }));
		expect((await run(get)).items).toMatchObject([{ json: { id: 42 } }]);
	});

	it.each([300, 304, 400])('with status %i is none', async (status) => {
		odd.answer(async (_request, reply) => await reply.code(status).send());
		expect((await run(get)).error).toMatchObject({ httpCode: String(status) });
	});
});

describe('a refusal', () => {
	it.each([400, 500])('with %i and much to read is not read to its end', async (status) => {
		let sent = 0;
		odd.answer(async (_request, reply) => {
			const page = Readable.from(
				(function* () {
					for (; sent < 50_000_000; sent += 100_000) yield 'x'.repeat(100_000);
				})(),
			);
			return await reply.code(status).type('application/json').send(page);
		});
		const { error } = await run({ ...get, requestLimits: { maximumTries: 1 } });
		expect(error?.message).toContain(`(HTTP ${status})`);
		expect(sent).toBeLessThan(20_000_000);
	});

	it('may be said in as much as 2,000 characters', async () => {
		odd.answer(async (_request, reply) => await reply.code(422).send({ message: 'x'.repeat(5000) }));
		expect((await run(get)).error?.message).toBe(`${'x'.repeat(1999)}…`);
	});
});

describe('a download', () => {
	const BYTES = Buffer.from([0, 255, 254, 128, 10, 13, 195]);

	it('is given out byte for byte', async () => {
		odd.answer(async (_request, reply) => await reply.type('application/octet-stream').send(BYTES));
		const { items, error } = await run(download);
		expect(error).toBeUndefined();
		const binary = items[0].binary?.data;
		const content = binary?.id
			? await Container.get(BinaryDataService).getAsBuffer(binary)
			: Buffer.from(binary?.data ?? '', 'base64');
		expect(content.equals(BYTES)).toBe(true);
	});

	it.each([300, 404])('that is refused with %i gives the service’s words, not a file', async (status) => {
		odd.answer(async (_request, reply) => await reply.code(status).send({ message: 'No such file' }));
		const { error } = await run(download);
		expect(error).toMatchObject({ message: 'No such file', httpCode: String(status) });
	});
});

describe('a record with a long ID', () => {
	it('is deleted when the second try finds it gone', async () => {
		let asked = 0;
		odd.answer(async (_request, reply) =>
			++asked === 1
				? await reply.code(502).header('retry-after', '0').send({})
				: await reply.code(404).send({}),
		);
		expect((await run(remove)).items).toMatchObject([{ json: { id: 42, deleted: true } }]);
	});
});

describe('the wait before the next try', () => {
	it('is at least a quarter of a second where the service does not say', async () => {
		const at: number[] = [];
		odd.answer(async (_request, reply) => {
			at.push(Date.now());
			return at.length === 1 ? await reply.code(502).send({}) : { data: { id: 42 } };
		});
		await run({ ...get, requestLimits: {} });
		expect(at[1] - at[0]).toBeGreaterThanOrEqual(249);
	});

	it.each([' ', ''])('is the same where the service says %j', async (retryAfter) => {
		const at: number[] = [];
		odd.answer(async (_request, reply) => {
			at.push(Date.now());
			return at.length === 1
				? await reply.code(502).header('retry-after', retryAfter).send({})
				: { data: { id: 42 } };
		});
		await run({ ...get, requestLimits: {} });
		expect(at[1] - at[0]).toBeGreaterThanOrEqual(249);
	});
});

describe('pages', () => {
	const getAll = { resource: 'customer', operation: 'getAll' };
	const pagesOf = (...pages: number[][]) => {
		odd.answer(({ query }) => {
			const page = Number((query as { page?: string }).page ?? 1);
			return { data: pages[page - 1].map((id) => ({ id })), current_page: page, last_page: pages.length };
		});
	};

	it('are not read on where the limit is reached to the record', async () => {
		pagesOf([1, 2], [3, 4], [5]);
		const { items } = await run({ ...getAll, limit: 4 });
		expect(items.map(({ json }) => json.id)).toEqual([1, 2, 3, 4]);
		expect(odd.asked).toHaveLength(2);
	});

	it('may begin alike', async () => {
		pagesOf([1, 2], [1, 3], [4, 3]);
		const { items, error } = await run({ ...getAll, returnAll: true });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toEqual([1, 2, 1, 3, 4, 3]);
	});

	it('are at an end where one is empty', async () => {
		pagesOf([1], [], []);
		const { items, error } = await run({ ...getAll, returnAll: true });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(odd.asked).toHaveLength(2);
	});
});

describe('where the token goes', () => {
	const BASE = 'https://acme.example/third-party/v1';

	it.each([
		['/profiles?search=a:b', `${BASE}/profiles?search=a:b`],
		['/files/x:y', `${BASE}/files/x:y`],
		['profiles', `${BASE}/profiles`],
	])('is below the tenant: %s', (url, expected) => {
		expect(urlWithinTenant(BASE, url)).toBe(expected);
	});

	it.each(['https://:word@acme.example/third-party/v1/me', 'https://who@acme.example/third-party/v1/me'])(
		'is not where somebody else logs in: %s',
		(url) => {
			expect(() => urlWithinTenant(BASE, url)).toThrow('only sent to');
		},
	);

	it('is said with what to do instead', () => {
		let error: unknown;
		try {
			urlWithinTenant(BASE, 'https://evil.example/me');
		} catch (caught) {
			error = caught;
		}
		expect(error).toMatchObject({ description: 'Use a URL of the tenant that the credential is made for.' });
	});

	it.each(['http://127.0.0.10', 'http://127.200.0.1:80', 'http://a', 'http://a-b'])(
		'may be without TLS on this machine and to containers: %s',
		(domain) => {
			expect(tenantBaseUrl(domain)).toMatch(/^http:/);
		},
	);

	it.each(['http://my.localhost', 'http://1127.0.0.1.example', 'http://-a.b'])(
		'is never without TLS elsewhere: %s',
		(domain) => {
			expect(() => tenantBaseUrl(domain)).toThrow();
		},
	);
});
