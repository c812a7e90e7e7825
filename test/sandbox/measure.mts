/**
 * Measures the sandbox in a process of its own: `npm run bench -- sandbox`.
 * Reads per second over loopback, time and memory for 100,000 profiles, memory during an upload of 100 MB.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { execa } from 'execa';
import { ask } from './tenantClient.mts';

const CONNECTIONS = 16;
const SECONDS = 5;
const PROFILES = 100_000;
const UPLOAD_MB = 100;

/** Sends one request after the other over one connection until the time is over; answers how many were answered. */
async function readFor(port: number, path: (index: number) => string, until: number): Promise<number> {
	const socket = connect(port, '127.0.0.1').setNoDelay(true);
	await once(socket, 'connect');
	let count = 0;
	let rest = Buffer.alloc(0);
	return await new Promise((resolve, reject) => {
		const send = () =>
			socket.write(
				`GET /third-party/v1${path(count)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer sandbox-admin-token\r\n\r\n`,
			);
		socket.on('error', reject);
		socket.on('data', (chunk) => {
			rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
			const end = rest.indexOf('\r\n\r\n');
			if (end < 0) return;
			const head = rest.subarray(0, end).toString('latin1');
			const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
			if (rest.length < end + 4 + length) return;
			if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head));
			rest = rest.subarray(end + 4 + length);
			count++;
			if (performance.now() < until) send();
			else {
				socket.destroy();
				resolve(count);
			}
		});
		send();
	});
}

async function readsPerSecond(port: number, path: (index: number) => string): Promise<number> {
	await readFor(port, path, performance.now() + 500);
	const startedAt = performance.now();
	const until = startedAt + SECONDS * 1000;
	const counts = await Promise.all(
		Array.from({ length: CONNECTIONS }, (_, connection) =>
			readFor(port, (index) => path(index * CONNECTIONS + connection), until),
		),
	);
	return Math.round(counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000));
}

/** Resident memory of a process in MB, now and at its highest. */
function memoryOf(pid: number): { now: number; peak: number } {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const megabytes = (field: string) =>
		Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
	return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** Streams an upload without holding it, as a client with a large file does. */
async function upload(url: string, megabytes: number): Promise<void> {
	const boundary = 'measured';
	const parts = function* () {
		yield `--${boundary}\r\nContent-Disposition: form-data; name="type"\r\n\r\ndocument\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
		const chunk = Buffer.alloc(1024 * 1024, 7);
		for (let index = 0; index < megabytes; index++) yield chunk;
		yield `\r\n--${boundary}--\r\n`;
	};
	const { status } = await ask(`${url}/third-party/v1/files/temporary-upload`, {
		method: 'POST',
		headers: {
			authorization: 'Bearer sandbox-admin-token',
			'content-type': `multipart/form-data; boundary=${boundary}`,
		},
		body: Readable.from(parts()),
	});
	if (status !== 200) throw new Error(`The upload answered ${status}`);
}

async function main(): Promise<void> {
	const child = execa(process.execPath, ['--import', 'tsx', 'sandbox/main.mts', '--port', '0'], {
		cwd: join(import.meta.dirname, '..', '..'),
		all: true,
		reject: false,
		buffer: false,
	});
	child.all.setEncoding('utf8');
	const [output] = (await once(child.all, 'data')) as [string];
	const url = /Sandbox tenant +(\S+)/.exec(output)?.[1] ?? '';
	const port = Number(new URL(url).port);
	const pid = child.pid ?? 0;
	const say = (what: string, value: string | number) => console.log(`${what.padEnd(52)} ${value}`);

	say('RSS of a fresh sandbox, MB', memoryOf(pid).now);
	const uploadStartedAt = performance.now();
	const before = memoryOf(pid).now;
	await upload(url, UPLOAD_MB);
	say(`upload of ${UPLOAD_MB} MB, s`, ((performance.now() - uploadStartedAt) / 1000).toFixed(1));
	say('  memory above what it had before, peak, MB', memoryOf(pid).peak - before);

	const { body } = await ask(`${url}/sandbox/seed`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ profiles: PROFILES }),
	});
	say(`seeding ${PROFILES} profiles, s`, ((body as { duration_ms: number }).duration_ms / 1000).toFixed(1));
	say('RSS with them, MB', memoryOf(pid).now);

	const pages = (index: number) => `/profiles?per_page=100&page=${(index % 1000) + 1}`;
	say(
		'GET /customers/{id}, per s',
		await readsPerSecond(port, (index) => `/customers/${104 + (index % PROFILES)}`),
	);
	say(
		'GET /profiles/{id}, per s',
		await readsPerSecond(port, (index) => `/profiles/${105 + (index % PROFILES)}`),
	);
	say('GET /me, per s', await readsPerSecond(port, () => '/me'));
	say(
		'GET /profiles/{id}/tags, per s',
		await readsPerSecond(port, (index) => `/profiles/${105 + (index % PROFILES)}/tags`),
	);
	say('GET /profiles, 100 a page of 100,000, per s', await readsPerSecond(port, pages));
	say(
		'GET /profiles?search=<number>, per s',
		await readsPerSecond(port, (index) => `/profiles?search=49152000${10_000 + (index % 80_000)}`),
	);
	say('RSS after all that, MB', memoryOf(pid).now);
	child.kill('SIGTERM');
	await child;
}

void main();
