import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A server below HTTP: it does with a request's bytes what a test wants. */
export class RawServer {
	url = '';

	private act: (socket: Socket, request: string) => void = (socket) => socket.destroy();

	/** @param act is called once for each connection, with the first bytes of its request */
	answer(act: (socket: Socket, request: string) => void): void {
		this.act = act;
	}

	static inEachTest(): RawServer {
		const raw = new RawServer();
		const open = new Set<Socket>();
		let server: Server | undefined;
		beforeAll(async () => {
			server = createServer((socket) => {
				open.add(socket.on('close', () => open.delete(socket)).on('error', () => {}));
				socket.once('data', (bytes) => raw.act(socket, bytes.toString('latin1')));
			});
			await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
			raw.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		});
		afterAll(async () => {
			for (const socket of open) socket.destroy();
			await new Promise((resolve) => server?.close(resolve));
		});
		return raw;
	}
}
