// Measures what hostile answers of a tenant take, each in a process of its own: `npx tsx test/bench/answers.mts`. n8n's HTTP
// client unpacks them as in an execution. Prints the longest stop of the event loop and the highest memory above idle.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import axios from 'axios';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { exchange } from '../../nodes/CustomerMessaging/transport/exchange.ts';

const MEGABYTE = 1024 * 1024;
const many = (count: number, of: (index: number) => string) =>
	Array.from({ length: count }, (_, at) => of(at));
const list = (elements: string[]) => `{"data":[${elements.join()}]}`;

/** The bodies, before they are packed. */
const BODIES: Record<string, () => string> = {
	'one record': () => '{"data":{"id":1}}',
	'records, 12 MB': () =>
		list(
			many(
				50_000,
				(id) => `{"id":${id},"name":"Person ${id}","tags":[{"id":1}],"text":"${'x'.repeat(180)}"}`,
			),
		),
	'empty records, 63 MB': () => `{"data":[${'{},'.repeat(21 * MEGABYTE)}{}]}`,
	'empty records, 3 MB': () => `{"data":[${'{},'.repeat(MEGABYTE)}{}]}`,
	'empty records, as many as may be': () => list(many(5, () => `[${'{},'.repeat(99_990)}{}]`)),
	'records of their own shapes': () =>
		list(many(5, (part) => `[${many(99_000, (at) => `{"k${part}_${at}":0}`).join()}]`)),
	'large objects': () => list(many(10, (at) => `{${many(49_000, (name) => `"k${at}_${name}":0`).join()}}`)),
	'one record of 20 million characters': () => `{"data":{"text":"${'x'.repeat(20_000_000)}"}}`,
	'texts of 31 MB in two bytes each': () => list(many(30, () => `"${'x'.repeat(MEGABYTE)}ĳ"`)),
	'escapes, 31 MB': () => list(many(16, () => `"${'\\u0041'.repeat(320_000)}"`)),
	'80,000 levels': () => `${'{"a":'.repeat(80_000)}1${'}'.repeat(80_000)}`,
	'text of 8 MB': () => 'ĳ'.repeat(4_000_000),
};

/** Serves a body. Tells its address to the process that began this one. */
function serve(name: string): void {
	const packed = { '/large/': gzipSync(BODIES[name]()), '/small/': gzipSync('{"data":{"id":1}}') };
	const server = createServer(({ url }, response) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		response.end(packed[url as keyof typeof packed]);
	});
	server.listen(0, () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

/** Asks as the package does, by the client that n8n uses. */
async function ask(url: string): Promise<unknown> {
	const helpers = {
		httpRequestWithAuthentication: async (_credential: string, options: IHttpRequestOptions) => {
			const { data, status, headers } = await axios.get<unknown>(options.url, { responseType: 'stream' });
			return { statusCode: status, headers, body: data };
		},
	};
	const context = { getExecutionCancelSignal: () => undefined, helpers };
	return await exchange(context as never, url, { url: '/' }, { timeout: 60_000 });
}

async function measure(name: string, url: string): Promise<void> {
	for (let warm = 0; warm < 20; warm++) await ask(`${url}/small`);
	global.gc?.();
	await wait(300);
	const idle = process.memoryUsage.rss();
	let peak = 0;
	const look = () => (peak = Math.max(peak, process.memoryUsage.rss() - idle));
	const watch = setInterval(look, 1);
	const delays = monitorEventLoopDelay({ resolution: 1 });
	delays.enable();
	const kept = await ask(`${url}/large`).catch((error: Error) => error);
	look();
	await wait(20);
	clearInterval(watch);
	const said = kept instanceof Error ? kept.message : 'read';
	const figures = [`${(delays.max / 1e6).toFixed(0)} ms`, `${(peak / 1e6).toFixed(0)} MB`];
	console.log([name.padEnd(36), ...figures.map((figure) => figure.padStart(8)), said].join('  '));
}

/** Runs this file again in a process of its own. */
const begin = (...given: string[]) =>
	fork(fileURLToPath(import.meta.url), given, { execArgv: [...process.execArgv, '--expose-gc'] });

const [task, name, url] = process.argv.slice(2);
if (task === 'serve') serve(name);
else if (task === 'measure') await measure(name, url);
else {
	for (const one of Object.keys(BODIES)) {
		const server = begin('serve', one);
		const [address] = (await once(server, 'message')) as [string];
		await once(begin('measure', one, address), 'exit');
		server.kill();
	}
}
