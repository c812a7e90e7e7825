import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { execa } from 'execa';

import { CustomerMessagingWebhookApi } from '../../credentials/CustomerMessagingWebhookApi.credentials.ts';
import { proofOf } from '../../nodes/CustomerMessaging/trigger/proofs.ts';
import { readDocument } from './markdown.mts';

const [, block] =
	/^### Send a signed delivery\n[^]*?```sh\n([^]*?)```/m.exec(readDocument('docs/triggers.md')) ?? [];

const server = createServer();
afterAll(() => server.close());

it('the commands that send a signed delivery sign it as the credential asks by default', async () => {
	const received = new Promise<{ signature: string; body: Buffer }>((resolve) => {
		server.on('request', (request, response) => {
			const signature = String(request.headers['x-signature']);
			response.end();
			void buffer(request).then((body) => resolve({ signature, body }));
		});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	await execa('sh', ['-ec', block.replace(/http:[^']+/, `http://127.0.0.1:${port}/`)]);
	const { signature, body } = await received;
	const secret = /secret='([^']+)'/.exec(block)?.[1];
	const { properties } = new CustomerMessagingWebhookApi();
	const defaults = Object.fromEntries(properties.map((one) => [one.name, one.default]));
	const proof = proofOf({ ...defaults, method: 'hmac', secret } as never);
	const isGiven = async (given: string) =>
		await proof.isGivenBy([given], async () => await Promise.resolve(body));
	expect(await isGiven(signature)).toBe(true);
	expect(await isGiven(signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).toBe(false);
	expect(JSON.parse(body.toString())).toMatchObject({ event: 'new-agent-message', message: { id: 1 } });
});
