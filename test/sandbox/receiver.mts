import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What hears webhooks. */
export interface Receiver {
	url: string;
	/** What arrived in this test, the oldest first. */
	received: Array<{ headers: IncomingHttpHeaders; body: string }>;
	/** The status that it answers with, 200 unless a test says otherwise. */
	answer: () => number;
}

/** A receiver of webhooks for the tests of one file. */
export function useReceiver(): Receiver {
	const receiver: Receiver = { url: '', received: [], answer: () => 200 };
	const server = createServer((request, response) => {
		let body = '';
		request.setEncoding('utf8').on('data', (part: string) => (body += part));
		request.on('end', () => {
			receiver.received.push({ headers: request.headers, body });
			response.statusCode = receiver.answer();
			response.end('heard');
		});
	});
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	});
	beforeEach(() => {
		receiver.received = [];
		receiver.answer = () => 200;
	});
	afterAll(() => new Promise((resolve) => server.close(resolve)));
	return receiver;
}
