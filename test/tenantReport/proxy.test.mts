import { createServer, request as ask, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { PREFIX } from '../../sandbox/contract.mts';
import type { Report } from '../../tenantReport/report.mts';
import { startTenantProxy, type TenantProxy } from '../../tenantReport/tenantProxy.mts';
import { check, CHOSEN, withTenant } from './tenants.mts';

const closing: Array<() => Promise<void>> = [];
afterEach(async () => {
	for (const close of closing.splice(0).toReversed()) await close();
});

async function proxyTo(url: string, say?: (line: string) => void): Promise<TenantProxy> {
	const proxy = await startTenantProxy({ baseUrl: `${url}${PREFIX}`, say });
	closing.push(() => proxy.close());
	return proxy;
}

/** A tenant of one handler, behind a proxy. */
async function behindProxy(answer: RequestListener, say?: (line: string) => void): Promise<TenantProxy> {
	const server = createServer(answer);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closing.push(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return await proxyTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, say);
}

/** Sends exactly these bytes, and gives back all that comes. */
async function raw(url: string, text: string): Promise<string> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	socket.write(text);
	const chunks: Buffer[] = [];
	for await (const chunk of socket) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('latin1');
}

/** The report, once a proxy has compared so many requests: that ends a little after the client has its answer. */
async function reportOf(proxy: TenantProxy, calls: number): Promise<Report> {
	while (proxy.report().calls < calls) await new Promise((resolve) => setTimeout(resolve, 5));
	return proxy.report();
}

const bytesOf = async (stream: AsyncIterable<unknown>) => {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
};

it.each(CHOSEN)(
	'between a client and the variant %s it reports exactly what that chooses otherwise',
	async (_name, choices) => {
		await withTenant({ choices }, async (tenant) => {
			const proxy = await proxyTo(tenant.url);
			// The check is the client. It takes links to the tenant itself for proxied ones, and the proxy does not.
			const { failure } = await check({ url: proxy.url, token: tenant.token }, { write: true });
			expect(failure).toBeUndefined();
			const report = proxy.report();
			expect(report.differences).toEqual({ choices, breaches: [] });
			expect(report.calls).toBe(tenant.requests().length);
			await proxy.close();
			closing.pop();
		});
	},
);

it('requests and answers pass as they are: methods, paths, headers, statuses, bodies', async () => {
	const seen: Array<{ line: string; headers: string[]; body: string }> = [];
	const proxy = await behindProxy((request, response) => {
		void bytesOf(request).then((body) => {
			const { method, url, rawHeaders } = request;
			seen.push({ line: `${method} ${url}`, headers: rawHeaders, body: body.toString('latin1') });
			response.sendDate = false;
			response.writeHead(418, 'Short And Stout', [
				'X-Odd',
				'a',
				'X-Odd',
				'b',
				'Set-Cookie',
				'c=1',
				'Set-Cookie',
				'd=2',
				'X-Bytes',
				'\u00c3\u00bc',
			]);
			response.end('\u00ff\u0000{not json', 'latin1');
		});
	});
	const answer = await raw(
		proxy.url,
		[
			'PATCH /third-party/v1/a%2Fb/%7E/../c?x=%20+&x=2&y HTTP/1.1',
			'Host: proxy',
			'X-Odd-Case: One',
			'x-odd-case: Two',
			'Authorization: Bearer abc',
			'Accept-Encoding: gzip, br',
			'Content-Type: application/json; charset=odd',
			'Content-Length: 4',
			'Connection: close, X-Only-Here',
			'X-Only-Here: 1',
			'',
			'{"\u00ff',
		].join('\r\n'),
	);
	expect(seen).toHaveLength(1);
	expect(seen[0].line).toBe('PATCH /third-party/v1/a%2Fb/%7E/../c?x=%20+&x=2&y');
	expect(seen[0].body).toHaveLength(4);
	const pairs = seen[0].headers.flatMap((name, index) =>
		index % 2 === 0 ? [`${name}: ${seen[0].headers[index + 1]}`] : [],
	);
	expect(pairs.map((pair) => pair.replace(/^host: 127.*/i, 'host'))).toEqual(
		expect.arrayContaining([
			'host',
			'X-Odd-Case: One',
			'x-odd-case: Two',
			'Authorization: Bearer abc',
			'Accept-Encoding: gzip, br',
			'Content-Type: application/json; charset=odd',
		]),
	);
	expect(pairs.join()).not.toContain('Only-Here');
	expect(pairs.filter((pair) => /^(x-forwarded|via|forwarded|user-agent)/i.test(pair))).toEqual([]);
	const [head, body] = answer.split('\r\n\r\n');
	expect(head.split('\r\n').slice(0, 6)).toEqual([
		'HTTP/1.1 418 Short And Stout',
		'X-Odd: a',
		'X-Odd: b',
		'Set-Cookie: c=1',
		'Set-Cookie: d=2',
		'X-Bytes: \u00c3\u00bc',
	]);
	expect(head).not.toMatch(/^date:/im);
	expect(body).toContain('\u00ff\u0000{not json');
});

it('a redirect is passed on and not followed', async () => {
	const proxy = await behindProxy((_request, response) =>
		response.writeHead(302, { location: 'https://a.example/' }).end(),
	);
	const answer = await fetch(`${proxy.url}${PREFIX}/me`, { redirect: 'manual' });
	expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://a.example/']);
});

it('a compressed answer is passed on compressed, and compared all the same', async () => {
	const compressed = gzipSync(JSON.stringify({ data: [{ title: 'without id' }] }));
	const proxy = await behindProxy((_request, response) =>
		response
			.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
			.end(compressed),
	);
	const answer = await new Promise<IncomingMessage>((resolve) =>
		ask(`${proxy.url}${PREFIX}/tags`, resolve).end(),
	);
	expect(await bytesOf(answer)).toEqual(compressed);
	expect((await reportOf(proxy, 1)).differences.breaches).toEqual([
		{ operation: 'listTags', in: 'answer', place: 'data[].id', problem: 'is missing', count: 1 },
	]);
});

it('requests are compared too', async () => {
	await withTenant({}, async (tenant) => {
		const proxy = await proxyTo(tenant.url);
		const headers = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' };
		const post = async (path: string, body: string) =>
			(await fetch(`${proxy.url}${PREFIX}${path}`, { method: 'POST', headers, body })).status;
		expect(await post('/customers', '{"channel":"chatapp","display_id":7}')).toBe(422);
		expect(await post('/customers/bulk-delete', '{"ids":')).toBe(422);
		expect(await post('/tags', '{"title":"Fine"}')).toBe(200);
		expect((await reportOf(proxy, 3)).differences.breaches).toEqual([
			{ operation: 'createCustomer', in: 'request', place: 'name', problem: 'is missing', count: 1 },
			{
				operation: 'createCustomer',
				in: 'request',
				place: 'display_id',
				problem: 'is integer, not string',
				count: 1,
			},
			{ operation: 'bulkDeleteCustomers', in: 'request', place: 'body', problem: 'is no JSON', count: 1 },
		]);
		await proxy.close();
		closing.pop();
	});
});

it.each(['drop-before', 'drop-after', 'drop-mid-answer'] as const)(
	'what breaks off at the tenant breaks off here: %s',
	async (kind) => {
		await withTenant({}, async (tenant) => {
			const lines: string[] = [];
			const proxy = await proxyTo(tenant.url, (line) => lines.push(line));
			tenant.faults.add({ kind, times: 1 });
			const headers = { authorization: `Bearer ${tenant.token}` };
			const asked = fetch(`${proxy.url}${PREFIX}/customers`, { headers }).then(
				async (answer) => await answer.text(),
			);
			await expect(asked).rejects.toThrow();
			// Nothing is sent twice.
			expect(tenant.requests()).toHaveLength(1);
			expect(lines).toEqual([expect.stringMatching(/^GET \/customers {2}broken off: 127/)]);
			await proxy.close();
			closing.pop();
		});
	},
);

it('a client that goes away ends the request to the tenant', async () => {
	let hasEnded: () => void;
	const ended = new Promise<void>((resolve) => (hasEnded = resolve));
	const proxy = await behindProxy((request) => request.once('close', () => hasEnded()));
	const gone = new AbortController();
	const asked = fetch(`${proxy.url}${PREFIX}/me`, { signal: gone.signal });
	setTimeout(() => gone.abort(), 50);
	await expect(asked).rejects.toThrow();
	await ended;
});

it.each([
	['before the answer', false],
	['in the middle of the answer', true],
])('a client that goes away is told as that, and not as a silent tenant: %s', async (_what, begins) => {
	const lines: string[] = [];
	const proxy = await behindProxy(
		(_request, response) => {
			if (begins) response.write('{"data":');
		},
		(line) => lines.push(line),
	);
	const { hostname, port } = new URL(proxy.url);
	const socket = connect(Number(port), hostname);
	socket.write(`GET ${PREFIX}/tags HTTP/1.1\r\nHost: proxy\r\n\r\n`);
	if (begins) await new Promise((resolve) => socket.once('data', resolve));
	else await new Promise((resolve) => setTimeout(resolve, 50));
	socket.destroy();
	while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	expect(lines).toEqual(['GET /tags  broken off: the client went away before it had the answer.']);
});

it('JSON that nests too deeply to look at is passed on, and told as that', async () => {
	const nested = `${'{"data":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
	const lines: string[] = [];
	const proxy = await behindProxy(
		(_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(nested),
		(line) => lines.push(line),
	);
	expect(await (await fetch(`${proxy.url}${PREFIX}/tags`)).text()).toBe(nested);
	expect((await reportOf(proxy, 1)).differences.breaches).toEqual([
		{
			operation: 'listTags',
			in: 'answer',
			place: 'body',
			problem: 'nests too deeply: more than 200 levels',
			count: 1,
		},
	]);
	expect(lines).toEqual([expect.stringMatching(/^GET \/tags {2}200 {2}\d+ ms {2}breaks the contract$/)]);
});

it('a tenant that cannot be reached is told in a sentence', async () => {
	const proxy = await proxyTo('http://127.0.0.1:1');
	const answer = await fetch(`${proxy.url}${PREFIX}/me`);
	expect([answer.status, await answer.json()]).toEqual([
		502,
		{ message: expect.stringMatching(/^127\.0\.0\.1:1 cannot be reached/) },
	]);
});

it('it is no proxy to other hosts', async () => {
	const proxy = await behindProxy((_request, response) => response.end());
	const answer = await raw(
		proxy.url,
		'GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n',
	);
	expect(answer).toMatch(/^HTTP\/1.1 400 /);
});

describe('files of 100 MB', () => {
	const SIZE = 100 * 1024 * 1024;
	const piece = Buffer.alloc(64 * 1024, 7);

	/** Writes pieces as fast as they are taken, and calls `onPiece` with how many bytes that were. */
	function pour(into: NodeJS.WritableStream, onPiece: (written: number) => void): void {
		let written = 0;
		const write = () => {
			while (written < SIZE) {
				written += piece.length;
				onPiece(written);
				if (!into.write(piece)) return void into.once('drain', write);
			}
			into.end();
		};
		write();
	}

	/** What lies between sender and receiver at most: the buffers of four sockets. */
	const MOST_ON_THE_WAY = 32 * 1024 * 1024;

	it('are uploaded without being held in memory, and are reported as not looked at', async () => {
		let [received, onTheWay] = [0, 0];
		const proxy = await behindProxy((request, response) => {
			request.on('data', (chunk: Buffer) => (received += chunk.length));
			request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
		});
		const headers = { 'content-type': 'application/json', 'content-length': SIZE };
		const answer = await new Promise<IncomingMessage>((resolve) => {
			pour(
				ask(`${proxy.url}${PREFIX}/customers/bulk-import`, { method: 'POST', headers }, resolve),
				(written) => {
					onTheWay = Math.max(onTheWay, written - received);
				},
			);
		});
		await bytesOf(answer);
		expect(received).toBe(SIZE);
		expect(onTheWay).toBeLessThan(MOST_ON_THE_WAY);
		expect((await reportOf(proxy, 1)).notValidated).toEqual([
			{ operation: 'bulkImportCustomers', reason: 'the request is too large', count: 1 },
		]);
	});

	it('are downloaded without being held in memory', async () => {
		let [received, onTheWay] = [0, 0];
		const proxy = await behindProxy((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': SIZE });
			pour(response, (written) => (onTheWay = Math.max(onTheWay, written - received)));
		});
		const answer = await new Promise<IncomingMessage>((resolve) =>
			ask(`${proxy.url}${PREFIX}/files/u`, resolve).end(),
		);
		for await (const chunk of answer) received += (chunk as Buffer).length;
		expect(received).toBe(SIZE);
		expect(onTheWay).toBeLessThan(MOST_ON_THE_WAY);
	});
});
