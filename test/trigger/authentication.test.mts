import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import path from 'node:path';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { arrive, type Arrival, eventOf, outcome } from '../engine/arrival.mts';

const SECRET = 'sixteen-or-more-characters';
const KEY = Buffer.alloc(24, 7).toString('base64');
const BODY = Buffer.from(JSON.stringify(eventOf()));

// Loading n8n takes time, which would not pass.
beforeAll(async () => void (await arrive()));

let now = Date.UTC(2026, 0, 1);
beforeEach(() => void jest.spyOn(Date, 'now').mockImplementation(() => now));
afterEach(() => jest.restoreAllMocks());

type Headers = NonNullable<Arrival['headers']>;

const sign = (key: Buffer | string, ...parts: unknown[]) =>
	createHmac('sha256', key).update(`${parts.map((part) => `${part}.`).join('')}${BODY}`);
const byHeader = { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: SECRET };
const withSecret = { 'x-webhook-secret': SECRET };
const login = { method: 'basicAuth', user: 'tenant', password: SECRET };
const hmac = {
	...{ method: 'hmac', signatureHeaderName: 'X-Signature', secret: SECRET },
	encoding: 'hex',
	prefix: 'sha256=',
	timestampHeaderName: 'X-Timestamp',
};
const standard = { method: 'standardWebhooks', secret: `whsec_${KEY}` };
const standardAs = (id: string, time = now / 1000) => ({
	...{ 'webhook-id': id, 'webhook-timestamp': String(time) },
	'webhook-signature': `v1,${sign(Buffer.from(KEY, 'base64'), id, time).digest('base64')}`,
});

const basic = `Basic ${Buffer.from(`tenant:${SECRET}`).toString('base64')}`;
const signed = (signature = sign(SECRET, now / 1000).digest('hex')) => ({
	...{ 'x-timestamp': String(now / 1000), 'x-signature': `sha256=${signature}` },
});

/** Each method with what proves the service. */
const METHODS: Array<[string, ICredentialDataDecryptedObject, () => Headers]> = [
	['a secret in a header', byHeader, () => withSecret],
	['a login', login, () => ({ authorization: basic })],
	['a signature', hmac, signed],
	['Standard Webhooks', standard, () => standardAs('msg_1')],
];

describe.each(METHODS)('with %s', (_, credential, proofOf) => {
	it('the service starts the workflow, and the item shows nothing of the proof', async () => {
		const { items } = await arrive({
			...{ credential, body: BODY, headers: { ...proofOf(), 'x-request-id': '7' } },
			parameters: { additionalOptions: { includeHeaders: true } },
		});
		expect(items?.[0].headers).toEqual({ 'content-type': 'application/json', 'x-request-id': '7' });
	});

	it('a stranger starts nothing', async () => {
		for (const body of [BODY, Buffer.from('no JSON')])
			expect(await arrive({ credential, body })).toMatchObject({ status: 401, items: undefined });
	});
});

it('a body is read once for a signature, and not at all without one', async () => {
	expect(await arrive({ credential: hmac, headers: signed('no') })).toMatchObject({
		status: 401,
		bodyReads: 1,
	});
	expect(await arrive({ credential: hmac })).toMatchObject({ status: 401, bodyReads: 0 });
	expect(await arrive({ credential: byHeader })).toMatchObject({ status: 401, bodyReads: 0 });
});

it('a credential that nobody has chosen is asked for nothing, and the delivery comes again', async () => {
	const same = { workflowId: 'unchosen', payload: eventOf(), credential: byHeader, headers: withSecret };
	const arrived = await arrive({ ...same, isCredentialChosen: false });
	expect(arrived).toMatchObject({ status: 500, credentialReads: 0, items: undefined });
	expect(await outcome(same)).toBe('started');
});

describe('the ID of Standard Webhooks', () => {
	const same = { credential: standard, body: BODY };

	it('starts the workflow once, whatever its message, also with a new time', async () => {
		const one = { ...same, workflowId: 'standard', credentialId: 'standard' };
		expect(await outcome({ ...one, headers: standardAs('msg_1') })).toBe('started');
		expect(await outcome({ ...one, headers: standardAs('msg_1') })).toBe(200);
		now += 1000;
		expect(await outcome({ ...one, headers: standardAs('msg_1') })).toBe(200);
		// Another ID does not make the same message another.
		expect(await outcome({ ...one, headers: standardAs('msg_2') })).toBe(200);
	});

	it('is free again after n8n could not start, and may come again where redeliveries are wanted', async () => {
		const one = { ...same, workflowId: 'free', credentialId: 'free', headers: standardAs('msg_1') };
		const { answer } = await arrive(one);
		answer(500);
		expect(await outcome(one)).toBe('started');
		const parameters = { additionalOptions: { ignoreRedeliveries: false } };
		expect(await outcome({ ...one, parameters })).toBe('started');
	});
});

describe('the credential', () => {
	it('is read once for the deliveries of ten seconds, and not a millisecond longer', async () => {
		const ids = { credentialId: 'read once', workflowId: 'read once' };
		const readsAfter = async (ms: number) => {
			now += ms;
			return (await arrive({ ...ids, credential: byHeader, headers: withSecret })).credentialReads;
		};
		expect([await readsAfter(0), await readsAfter(0), await readsAfter(9_999), await readsAfter(1)]).toEqual([
			...[1, 0, 0, 1],
		]);
	});

	it('that is changed counts from a second on, and the one before for ten', async () => {
		const outcomeOf = async (sent: string, secret: string) =>
			await outcome({
				...{ credentialId: 'changing', workflowId: 'changing' },
				credential: { ...byHeader, secret },
				headers: { 'x-webhook-secret': sent },
			});
		const [before, after] = ['the secret before', 'the secret after'];
		expect(await outcomeOf(before, before)).toBe('started');
		now += 999;
		expect(await outcomeOf(after, after)).toBe(401);
		expect(await outcomeOf(before, after)).toBe('started');
		now += 1;
		expect(await outcomeOf('another', after)).toBe(401);
		expect(await outcomeOf(after, after)).toBe('started');
		expect(await outcomeOf(before, after)).toBe(401);
		now += 9_999;
		expect(await outcomeOf(after, before)).toBe('started');
		now += 1;
		expect(await outcomeOf(after, before)).toBe(401);
		expect(await outcomeOf(before, before)).toBe('started');
	});

	it('of another trigger is not taken for this one, however the IDs look together', async () => {
		const ids = [
			{ workflowId: 'a1', nodeId: 'b', credentialId: 'c' },
			{ workflowId: 'a', nodeId: '1b', credentialId: 'c' },
			{ workflowId: 'a', nodeId: '1', credentialId: 'bc' },
			// A copy of the workflow, and another credential in the same trigger.
			{ workflowId: 'a2', nodeId: 'b', credentialId: 'c' },
			{ workflowId: 'a1', nodeId: 'b', credentialId: 'd' },
		];
		for (const one of [...ids, ...ids]) {
			const secret = `secret of ${Object.values(one).join()}`;
			const credential = { ...byHeader, secret };
			const arrival = { ...one, credential, headers: { 'x-webhook-secret': secret } };
			expect([one, await outcome(arrival)]).toEqual([one, 'started']);
		}
	});

	it('is not in the memory of the process after a delivery', () => {
		// A process of its own: the memory of this one holds the text of this test. No literal there holds a secret.
		const module = path.resolve(import.meta.dirname, '../../nodes/CustomerMessaging/trigger/proofs.ts');
		const program = `
			const { getHeapSnapshot } = require('node:v8');
			const { proveCaller } = require(${JSON.stringify(module)});
			const secretOf = (kind) => ['kept', 'nowhere', 'in', 'memory'].map((word) => kind + word + process.pid).join('K');
			const methods = JSON.parse(process.argv[1]);
			(async () => {
			for (const [id, [data, member]] of Object.entries(methods)) {
				const context = {
					getNode: () => ({ id, credentials: { customerMessagingWebhookApi: { id } } }),
					getWorkflow: () => ({ id }),
					getNodeParameter: () => 'credential',
					getCredentials: async () => ({ ...data, [member]: secretOf(id) }),
					getHeaderData: () => ({}),
				};
				const refused = await proveCaller(context, async () => undefined).catch((error) => error.kind);
				if (refused !== 'proof') throw new Error(id);
			}
			const found = new Set();
			let tail = '';
			for await (const chunk of getHeapSnapshot()) {
				const text = tail + chunk;
				for (const [, kind] of text.matchAll(/(\\w+)kept\\d+K\\1nowhere\\d+K\\1in\\d+K\\1memory\\d+/g)) found.add(kind);
				tail = text.slice(-200);
			}
			console.log(JSON.stringify([...found]));
			})();`;
		const methods = {
			...{ header: [byHeader, 'secret'], login: [login, 'password'], hmac: [hmac, 'secret'] },
			standard: [standard, 'secret'],
		};
		const flags = ['--require', 'tsx/cjs', '-e', program];
		const found = execFileSync(process.execPath, [...flags, JSON.stringify(methods)], { encoding: 'utf8' });
		expect(found).toBe('[]\n');
	});
});
