import type { INodeParameters } from 'n8n-workflow';

import { type NodeRunOptions, runNode } from '../engine/engine.mts';
import { ProcessedData } from '../engine/processedData.mts';
import { TlsTenant } from '../engine/tlsTenant.mts';

const store = ProcessedData.inEachTest();
const tls = TlsTenant.inEachTest();

const advanced = { allowUnauthorizedCerts: true };
const send: INodeParameters = {
	...{ resource: 'message', operation: 'send', conversationId: '7', messageType: 'text', text: 'Hello' },
	options: { sendOnce: { values: { key: 'a' } } },
	advanced,
};

const run = async (parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) =>
	await runNode({
		credentials: { tenantDomain: tls.url, accessToken: 'token-behind-tls' },
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		...options,
		parameters,
	});

/** A record of TLS: its kind, the version, and as many bytes as follow. */
const record = (kind: number, bytes: Buffer, version = [3, 3]) =>
	Buffer.concat([Buffer.from([kind, ...version, 0, bytes.length]), bytes]);

const BREAKS: Array<[what: string, bytes: Buffer, code: string]> = [
	['an alert', record(21, Buffer.from([2, 80])), 'ERR_SSL_BAD_RECORD_TYPE'],
	['plain text', Buffer.from('HTTP/1.1 502 Bad Gateway\r\n\r\n'), 'ERR_SSL_WRONG_VERSION_NUMBER'],
	[
		'a record with a wrong checksum',
		record(23, Buffer.alloc(40, 7)),
		'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
	],
	['a record of another version', record(23, Buffer.alloc(40, 7), [9, 9]), 'ERR_SSL_WRONG_VERSION_NUMBER'],
];

describe.each(BREAKS)('a service that takes a request and answers with %s', (_what, bytes, code) => {
	beforeEach(() => (tls.breaksWith = bytes));

	it('gets a message once, also with Retry On Fail, and its key of Send Once stays used', async () => {
		const { error, items } = await run(send);
		expect(tls.asked).toEqual(['POST /third-party/v1/conversations/7/messages']);
		expect(JSON.parse(tls.bodies[0])).toMatchObject({ type: 'text', text: { content: 'Hello' } });
		expect(items).toEqual([]);
		expect(error).toMatchObject({
			message: 'It is unclear whether the message was sent',
			context: { outcome: 'unknown', sent: { type: 'text', text: { content: 'Hello' } } },
		});
		expect(error?.description).toContain('may have been carried out');
		expect(store.calls.remove).toBeUndefined();
		tls.breaksWith = undefined;
		const [next] = (await run(send)).items;
		expect(next.json).toMatchObject({ result: 'skipped', send_once_key: 'a' });
		expect(tls.asked).toHaveLength(1);
	});

	it('has a write told as one that may be done, and a read asked again', async () => {
		const settings = { retryOnFail: false };
		const create = { resource: 'tag', operation: 'create', title: 'VIP', advanced };
		const write = await run(create, { settings });
		expect(tls.bodies).toEqual(['{"title":"VIP"}']);
		expect(write.error).toMatchObject({
			message: 'The connection to the service could not be encrypted',
			description: `The request may have been carried out: check in your account before you send it again (${code}).`,
			context: { outcome: 'unknown' },
		});
		tls.asked.splice(0);
		const get = {
			...{ resource: 'tag', operation: 'get', tagId: { __rl: true, mode: 'id', value: '1' } },
			advanced: { ...advanced, maximumTries: 2 },
		};
		const read = await run(get, { settings });
		expect(tls.asked).toEqual(['GET /third-party/v1/tags/1', 'GET /third-party/v1/tags/1']);
		expect(read.error?.context.outcome).toBeUndefined();
	});
});
