import { createHash, randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

import { freeWhenSent } from '../../nodes/CustomerMessaging/n8nInternals/streamingForm.ts';
import { loadedPackage, runNode } from '../engine/engine.mts';
import { LogWatch } from '../engine/leaks.mts';
import { waitFor } from '../n8n/waitFor.mts';

LogWatch.inEachTest();

const MEGABYTE = 1024 * 1024;
const PIECE = 256 * 1024;
const FREED_AFTER = 8 * MEGABYTE;

/** Memory as Node.js allocates it; jest may run tests with another `ArrayBuffer`. */
const memory = Object.getPrototypeOf(Buffer.allocUnsafeSlow(1).buffer) as { transfer?: unknown };
if (memory.transfer === undefined) {
	// Node.js 20 has no such method, but tests have to see what it does to uploads.
	memory.transfer = function (this: ArrayBuffer) {
		structuredClone(this, { transfer: [this] });
	};
	afterAll(() => delete memory.transfer);
}

const isFreed = (piece: Uint8Array) => piece.buffer.byteLength === 0;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('the pieces of a body', () => {
	async function* read(count: number, piece: () => Uint8Array) {
		for (let index = 0; index < count; index++) yield piece();
	}

	it('are freed after the 8 MB that follow them, none before', async () => {
		const seen: Uint8Array[] = [];
		for await (const piece of freeWhenSent(read(100, () => Buffer.allocUnsafeSlow(PIECE)))) {
			seen.push(piece);
			const following = (index: number) => (seen.length - 1 - index) * PIECE;
			// The one in hand is not sent yet.
			const tooEarly = seen.filter((one, index) => isFreed(one) && following(index) <= FREED_AFTER);
			expect(tooEarly).toEqual([]);
		}
		expect(seen).toHaveLength(100);
		expect(seen.filter(isFreed)).toHaveLength(100 - FREED_AFTER / PIECE);
	});

	it('keep their memory where it holds something else too', async () => {
		const shared = Buffer.allocUnsafeSlow(2 * PIECE);
		for await (const piece of freeWhenSent(read(100, () => shared.subarray(0, PIECE)))) {
			expect(isFreed(piece)).toBe(false);
		}
	});
});

describe('the upload of a stored file', () => {
	const config = Container.get(BinaryDataConfig);
	const { mode } = config;
	let server: Server;
	let url = '';
	let receive: (request: IncomingMessage, response: ServerResponse) => unknown;
	/** What n8n has opened to read the file. */
	let opened: ReadStream[] = [];
	/** Connections that this process has opened. */
	let connections: Socket[] = [];
	const connected = (event: unknown) => connections.push((event as { socket: Socket }).socket);

	beforeAll(async () => {
		server = createServer((request, response) => receive(request, response));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		subscribe('net.client.socket', connected);
	});
	afterAll(async () => {
		unsubscribe('net.client.socket', connected);
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	beforeEach(async () => {
		await loadedPackage();
		config.mode = 'filesystem';
		const store = Container.get(BinaryDataService);
		await store.init();
		[opened, connections] = [[], []];
		const open = store.getAsStream.bind(store);
		jest.spyOn(store, 'getAsStream').mockImplementation(async (...location) => {
			const stream = await open(...location);
			opened.push(stream as ReadStream);
			return stream;
		});
	});
	afterEach(async () => {
		config.mode = mode;
		await Container.get(BinaryDataService).init();
	});

	let uploads = 0;
	const upload = async (content: Buffer, advanced = {}, damage?: (file: string) => Promise<void>) => {
		const empty: IBinaryData = { data: '', mimeType: 'video/mp4', fileName: 'film.mp4' };
		const location = { type: 'execution', workflowId: 'test', executionId: '1' } as const;
		const data = await Container.get(BinaryDataService).store(location, content, empty);
		expect(data.id).toMatch(/^filesystem/);
		await damage?.(Container.get(BinaryDataService).getPath(data.id ?? ''));
		return await runNode({
			parameters: { resource: 'file', operation: 'upload', type: 'video', advanced },
			items: [{ json: {}, binary: { data } }],
			credentials: { tenantDomain: url, accessToken: `token-of-upload-${++uploads}` },
		});
	};

	/** Reads a request to its end and answers it. @returns its body */
	async function readAll(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece as Buffer);
		response.setHeader('content-type', 'application/json').end('{"internal_uuid":"u"}');
		return Buffer.concat(pieces);
	}

	it.each<[string, (file: string) => Promise<void>]>([
		['is gone', async (file) => await rm(file)],
		['has lost its size', async (file) => await rm(`${file}.metadata`)],
	])('a stored file that %s fails at once, by its field', async (_what, damage) => {
		receive = (request, response) => void readAll(request, response).catch(() => {});
		const { error } = await upload(Buffer.alloc(300_000, 'x'), {}, damage);
		expect(error?.message).toContain(`"data" cannot be read: n8n no longer has this file`);
		expect(error?.description).toBe('The file was not uploaded. Run the node that provides it again.');
		expect(error?.context).not.toHaveProperty('outcome');
	});

	/** The file in the body of a form. */
	function fileIn(body: Buffer, { length }: Buffer): Buffer {
		const start = body.indexOf('video/mp4\r\n\r\n') + 'video/mp4\r\n\r\n'.length;
		return body.subarray(start, start + length);
	}

	/** Waits until the upload stands still. @returns bytes that it has read so far */
	async function standstill(): Promise<number> {
		let before = -1;
		let still = 0;
		return await waitFor(
			'the end of all reading ahead',
			() => {
				const read = opened[0]?.bytesRead ?? 0;
				still = read > 0 && read === before ? still + 1 : 0;
				before = read;
				return still >= 10 ? read : undefined;
			},
			{ every: 10 },
		);
	}

	it('arrives byte for byte at a receiver that stands still in between', async () => {
		const content = randomBytes(17 * MEGABYTE);
		let length: string | undefined;
		let body: Buffer = Buffer.alloc(0);
		let held = Infinity;
		receive = async (request, response) => {
			length = request.headers['content-length'];
			const read = await standstill();
			const [socket] = connections;
			held = read - (socket.bytesWritten - socket.writableLength);
			body = await readAll(request, response);
		};
		const { items, error } = await upload(content);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(length).toBe(String(body.length));
		expect(sha256(fileIn(body, content))).toBe(sha256(content));
		// Pieces are freed only after four times as much.
		expect(held).toBeLessThan(2 * MEGABYTE);
		expect(opened.map(({ closed }) => closed)).toEqual([true]);
	});

	it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
		['the connection breaks', (request) => request.once('data', () => request.socket.destroy())],
		['it is refused', (_request, response) => response.writeHead(413).end('{"message":"Too large"}')],
	])('that fails because %s closes the file', async (_what, fail) => {
		receive = fail;
		const { error } = await upload(randomBytes(12 * MEGABYTE), { maximumTries: 1 });
		expect(error).toMatchObject({ name: 'NodeApiError' });
		// n8n may open the file only after the request has failed.
		await waitFor('the file to be closed', () => (opened[0]?.closed ? true : undefined), { every: 5 });
		expect(opened).toHaveLength(1);
	});

	it('is sent anew from its first byte by the next try, and both files are closed', async () => {
		const content = randomBytes(12 * MEGABYTE);
		const bodies: Buffer[] = [];
		receive = async (request, response) => {
			if (bodies.length === 0) response.writeHead(429, { 'retry-after': '0' });
			bodies.push(Buffer.alloc(0));
			const pieces: Buffer[] = [];
			for await (const piece of request) pieces.push(piece as Buffer);
			bodies[bodies.length - 1] = Buffer.concat(pieces);
			response.end('{"internal_uuid":"u"}');
		};
		expect((await upload(content)).error).toBeUndefined();
		expect(bodies.map((body) => sha256(fileIn(body, content)))).toEqual([sha256(content), sha256(content)]);
		expect(opened).toHaveLength(2);
		await waitFor('both to be closed', () => (opened.every(({ closed }) => closed) ? true : undefined), {
			every: 5,
		});
	});
});
