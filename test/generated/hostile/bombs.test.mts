import { constants, createBrotliCompress, createGzip } from 'node:zlib';

import { runNode } from '../../engine/engine.mts';
import { RawServer } from '../../engine/rawServer.mts';

const raw = RawServer.inEachTest();

const COMPRESSORS = {
	br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
	gzip: () => createGzip({ level: 9 }),
};

/** Megabytes of blanks, compressed. */
async function bomb(encoding: keyof typeof COMPRESSORS, megabytes: number): Promise<Buffer> {
	const compressor = COMPRESSORS[encoding]();
	const parts: Buffer[] = [];
	compressor.on('data', (part: Buffer) => parts.push(part));
	const piece = Buffer.alloc(1024 * 1024, 0x20);
	for (let count = 0; count < megabytes; count++)
		if (!compressor.write(piece)) await new Promise((resolve) => compressor.once('drain', resolve));
	compressor.end();
	await new Promise((resolve) => compressor.once('end', resolve));
	return Buffer.concat(parts);
}

it.each(['br', 'gzip'] as const)(
	'A download of at most 1 MB (%s) that inflates to more than the memory may take keeps the memory bounded',
	async (encoding) => {
		const body = await bomb(encoding, 300);
		raw.answer((socket) =>
			socket.end(
				Buffer.concat([
					Buffer.from(
						`HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`,
					),
					body,
				]),
			),
		);
		const before = process.memoryUsage().arrayBuffers;
		let peak = 0;
		const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().arrayBuffers - before)), 5);
		await runNode({
			parameters: { resource: 'file', operation: 'download', fileUuid: 'a-uuid' },
			credentials: { tenantDomain: raw.url, accessToken: 'token-of-the-bomb' },
		});
		clearInterval(watch);
		expect(peak / 1e6).toBeLessThan(200);
	},
	120_000,
);
