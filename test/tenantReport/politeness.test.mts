import type { RequestListener } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { check, linesOf, serve, withTenant } from './tenants.mts';

it('it waits as long as the tenant asks, then goes on, and reports it', async () => {
	await withTenant({}, async (tenant) => {
		tenant.faults.add({ kind: 'rate-limit', operationId: 'listTags', retryAfter: 1, times: 2 });
		const lines: string[] = [];
		const { report, failure } = await check(tenant, { say: (line) => lines.push(line) });
		expect(failure).toBeUndefined();
		expect(report.rateLimit).toEqual({ refusals: 2, retryAfter: [1], headers: [] });
		expect(report.operations.find(({ operation }) => operation === 'listTags')?.statuses).toEqual({
			200: 1,
			429: 2,
		});
		expect(lines.filter((line) => line.includes('waits 1 s'))).toHaveLength(2);
		const times = tenant
			.requests()
			.filter(({ path }) => path.endsWith('/tags'))
			.map(({ at }) => Date.parse(at));
		expect(times[2] - times[0]).toBeGreaterThanOrEqual(1_900);
		// A limit of requests is no difference from the contract.
		expect(report.findings).toEqual([]);
	});
});

it('headers of a quota are reported by their names', async () => {
	await withTenant({}, async (tenant) => {
		tenant.faults.add({ kind: 'rate-limit', perSecond: 10_000, quotaHeaders: true });
		const { report } = await check(tenant);
		expect(report.rateLimit.headers.sort()).toEqual([
			'x-ratelimit-limit',
			'x-ratelimit-remaining',
			'x-ratelimit-reset',
		]);
	});
});

it.each([
	['a long wait', 3600, 2, 'in 60 min'],
	['no end of refusals', 0, 4, 'in 1 min'],
])('%s ends the check with a sentence, after few requests', async (_what, retryAfter, requests, when) => {
	await withTenant({}, async (tenant) => {
		tenant.faults.add({ kind: 'rate-limit', retryAfter, skip: 1 });
		const { failure } = await check(tenant);
		expect(failure?.message).toBe(`The tenant takes no more requests for now (429): try again ${when}.`);
		expect(tenant.requests()).toHaveLength(requests);
	});
});

it('a wait can be stopped', async () => {
	await withTenant({}, async (tenant) => {
		tenant.faults.add({ kind: 'rate-limit', retryAfter: 50, skip: 1 });
		const stop = new AbortController();
		const say = (line: string) => {
			if (line.includes('waits')) setTimeout(() => stop.abort(), 20);
		};
		const { report } = await check(tenant, { stop: stop.signal, say });
		expect(report.calls).toBe(2);
	});
});

it('no redirect is followed: the token goes to no other host', async () => {
	const other = await serve((_request, response) => response.end('{"data":{}}'));
	const { url, requests } = await serve((_request, response) =>
		response.writeHead(302, { location: `${other.url}/third-party/v1/me` }).end(),
	);
	const { failure } = await check({ url, token: 'a-token' });
	expect(failure?.message).toMatch(/^The tenant redirects elsewhere \(302 Found\).*name the host/);
	expect([requests.length, other.requests.length]).toEqual([1, 0]);
});

it.each<[string, RequestListener, RegExp]>([
	[
		'a website',
		(_request, response) => response.end('<html>'),
		/no interface at this domain: .* a page of HTML/,
	],
	[
		'another service',
		(_request, response) => response.writeHead(404).end(),
		/no interface at this domain: .* 404/,
	],
	[
		'a tenant that is down',
		(_request, response) => response.writeHead(503).end(),
		/out of order \(503 Service Unavailable\)/,
	],
	['a refused token', (_request, response) => response.writeHead(401).end('{}'), /refuses the token \(401\)/],
	[
		'a closed connection',
		(request) => void request.socket.destroy(),
		/closed the connection without an answer/,
	],
	[
		'an answer that breaks off',
		(_request, response) => {
			response.writeHead(200, { 'content-length': 100 }).write('{"data":');
			setTimeout(() => response.destroy(), 20);
		},
		/closed the connection before the end of its answer/,
	],
])('%s ends the check with one sentence', async (_what, answer, sentence) => {
	const { url, requests } = await serve(answer);
	const { failure } = await check({ url, token: 'a-token' });
	expect(failure?.message).toMatch(sentence);
	expect(failure?.message).not.toContain('a-token');
	expect(requests).toHaveLength(1);
});

it('an address where nothing answers is told with the remedy', async () => {
	const { url, close } = await serve(() => undefined);
	await close();
	const { failure } = await check({ url, token: 'a-token' });
	expect(failure?.message).toBe(
		`${new URL(url).host} cannot be reached: check the domain, the port and your network.`,
	);
});

it.each([
	['reading', 'GET', {}, /^/],
	[
		'writing',
		'POST',
		{ write: true },
		/^The check stopped writing, since the outcome of the creation of the tag .* is not clear: /,
	],
])('an answer that comes in drops has an end: %s', async (_what, method, options, before) => {
	const { url } = await serve((request, response) => {
		response.setHeader('content-type', 'application/json');
		if (request.method !== method) return void response.end('{"data":{}}');
		response.write('{"data":');
		const drops = setInterval(() => response.write(' '), 20);
		response.once('close', () => clearInterval(drops));
	});
	const { failure } = await check({ url, token: 'a-token' }, { longestRequestMs: 200, ...options });
	const sentence = `${new URL(url).host} did not answer in time: try again later.`;
	expect(failure?.message).toMatch(before);
	expect(failure?.message.endsWith(sentence)).toBe(true);
});

it('a port without https is told as that, and not as an untrusted certificate', async () => {
	const { url } = await serve((_request, response) => response.end());
	const { failure } = await check({ url: url.replace('http:', 'https:'), token: 'a-token' });
	expect(failure?.message).toBe(
		`${new URL(url).host} does not speak https there: check the domain and the port.`,
	);
});

const NESTED = `${'{"data":'.repeat(20_000)}1${'}'.repeat(20_000)}`;

it.each([
	['the first answer', () => true, /GET .*\/me gave JSON with more than 200 levels/, []],
	[
		'another answer',
		(path: string) => path.endsWith('/tags'),
		undefined,
		['GET /tags', 'unknown', 'JSON with more than 200 levels'],
	],
])('JSON that nests too deeply is told as that: %s', async (_what, isNested, sentence, line) => {
	await withTenant({}, async (tenant) => {
		const { url } = await serve((request, response) => {
			response.setHeader('content-type', 'application/json');
			if (isNested(String(request.url))) return void response.end(NESTED);
			void fetch(`${tenant.url}${request.url}`, {
				headers: { authorization: `Bearer ${tenant.token}` },
			}).then(async (answer) => {
				response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
				response.end(Buffer.from(await answer.arrayBuffer()));
			});
		});
		const { report, failure } = await check({ url, token: 'a-token' });
		if (sentence === undefined) {
			expect(failure).toBeUndefined();
			expect(linesOf(report)).toContainEqual(line);
		} else expect(failure?.message).toMatch(sentence);
		expect(report.findings.filter(({ came }) => came.startsWith('no response'))).toEqual([]);
	});
});

it.each([
	['gzip', gzipSync],
	['br', brotliCompressSync],
])('answers that come compressed as %s are read like others', async (encoding, compressed) => {
	const { url } = await serve((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
		response.end(compressed(JSON.stringify({ data: [{ title: 'without id' }] })));
	});
	const { report } = await check({ url, token: 'a-token' });
	expect(linesOf(report)).toContainEqual(['GET /tags', 'breaks', '`data[].id`: no such member']);
});

it('a tenant whose lists have no end costs no more requests than another one', async () => {
	await withTenant({ pageSize: 1 }, async (tenant) => {
		const { report } = await check(tenant);
		expect(report.calls).toBeLessThan(60);
	});
});

it('of a file, no more is read than a report looks at', async () => {
	let written = 0;
	const { url } = await serve((request, response) => {
		const path = String(request.url);
		response.setHeader('content-type', 'application/json');
		if (path.endsWith('/me')) response.end('{"data":{}}');
		else if (path.endsWith('/media')) response.end('{"data":[{"id":1,"internal_uuid":"u"}]}');
		else if (path.endsWith('/files/u')) {
			const piece = Buffer.alloc(64 * 1024);
			const write = () => {
				while (!response.destroyed && written < 200 * 1024 * 1024) {
					written += piece.length;
					if (!response.write(piece)) return void response.once('drain', write);
				}
				response.end();
			};
			write();
		} else response.end('{"data":[]}');
	});
	const { report } = await check({ url, token: 'a-token' });
	expect(report.operations.map(({ operation }) => operation)).toContain('downloadFile');
	expect(written).toBeLessThan(20 * 1024 * 1024);
});
