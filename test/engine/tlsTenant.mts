import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';

/** A certificate and its key. */
const SELF_SIGNED = readFileSync(path.join(import.meta.dirname, 'selfSigned.pem'));

/** A tenant behind TLS with a certificate that nobody vouches for. Answers everything with the same record. */
export class TlsTenant {
	url = '';

	/** Method and path of the requests of this test. */
	readonly asked: string[] = [];

	/** The bodies of these requests, read to their end. */
	readonly bodies: string[] = [];

	/** Bytes that come in place of the encrypted answer, once a request has arrived whole. */
	breaksWith?: Buffer;

	/** How often somebody connected in this test, whether or not the certificate was accepted. */
	connections = 0;

	static inEachTest(): TlsTenant {
		const tenant = new TlsTenant();
		let server: Server | undefined;
		beforeAll(async () => {
			let below: Duplex | undefined;
			server = createServer({ key: SELF_SIGNED, cert: SELF_SIGNED }, async (request, response) => {
				tenant.asked.push(`${request.method} ${request.url}`);
				tenant.bodies.push(Buffer.concat(await request.toArray()).toString());
				if (tenant.breaksWith) below?.write(tenant.breaksWith);
				else response.setHeader('content-type', 'application/json').end('{"id":1,"title":"VIP"}');
			});
			server.on('connection', (socket) => {
				tenant.connections++;
				below = socket.on('error', () => {});
			});
			await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
			tenant.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
		});
		beforeEach(() => {
			tenant.asked.splice(0);
			tenant.bodies.splice(0);
			tenant.breaksWith = undefined;
			tenant.connections = 0;
		});
		afterAll(async () => {
			server?.closeAllConnections();
			await new Promise((resolve) => server?.close(resolve));
		});
		return tenant;
	}
}
