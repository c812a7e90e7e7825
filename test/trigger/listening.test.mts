import type { IDataObject } from 'n8n-workflow';

import { leaksIn, LogWatch } from '../engine/leaks.mts';
import { arrive, type Arrival, type Arrived, eventOf } from './arrival.mts';

// n8n's logger is only watched once it is loaded.
beforeAll(async () => void (await arrive()));

const log = LogWatch.inEachTest();

const SECRET = 'shared-secret-123456';
const header = { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: SECRET };
const login = { method: 'basicAuth', user: 'tenant-user', password: SECRET };
const hmac = {
	...{ method: 'hmac', signatureHeaderName: 'X-Signature', secret: SECRET },
	...{ encoding: 'hex', prefix: 'sha256=', timestampHeaderName: 'X-Timestamp', toleranceSeconds: 300 },
};
const standard = { method: 'standardWebhooks', secret: `whsec_${Buffer.alloc(24).toString('base64')}` };
const signed = (signature: string, timestamp?: number): Arrival => ({
	credential: hmac,
	headers: { 'x-signature': signature, ...(timestamp && { 'x-timestamp': String(timestamp) }) },
});
const filtered = (filters: IDataObject): Arrival => ({ parameters: { filters: filters as never } });

const PROOF = 'The secret, login or signature is wrong or missing';
const BODY = 'The body of the webhook is not a JSON object or a list of objects in UTF-8, or holds too much';
const KIND = 'The webhook is about another event';
const FILTERS = 'No message of the webhook passes the Filters';
const TYPE = 'The content type of the webhook is not JSON';
const noHeader = (name: string) => new RegExp(`^The webhook has no header "${name}"\\. Enter`);

/** Deliveries that do not start the workflow: the status, what the sender reads, and what else the person reads. */
const REFUSED: Array<[string, Arrival, number, string, RegExp]> = [
	['no secret', { credential: header }, 401, PROOF, noHeader('x-webhook-secret')],
	[
		'no name of a header',
		{ credential: { ...header, headerName: ' ' } },
		401,
		PROOF,
		/^The credential names no header\. E/,
	],
	[
		'another secret',
		{ credential: header, headers: { 'x-webhook-secret': 'x' } },
		401,
		PROOF,
		/^Enter the same/,
	],
	['no login', { credential: login }, 401, PROOF, noHeader('authorization')],
	[
		'another login',
		{ credential: login, headers: { authorization: 'Basic YTpi' } },
		401,
		PROOF,
		/^Enter the same/,
	],
	['no signature', { credential: hmac }, 401, PROOF, noHeader('x-signature')],
	['no timestamp', signed('sha256=0'), 401, PROOF, noHeader('x-timestamp')],
	[
		'an old timestamp',
		signed('sha256=0', 1e9),
		401,
		PROOF,
		/^The time in the header "x-timestamp" differs from now/,
	],
	['a wrong signature', signed('sha256=0', Math.floor(Date.now() / 1000)), 401, PROOF, /^Enter the same/],
	['no Standard Webhooks', { credential: standard }, 401, PROOF, noHeader('webhook-signature')],
	[
		'no credential',
		{ credential: header, isCredentialChosen: false },
		500,
		'The trigger has no credential',
		/^Choose/,
	],
	[
		'a form',
		{ headers: { 'content-type': 'application/x-www-form-urlencoded' } },
		415,
		TYPE,
		/application\/json/,
	],
	['another character set', { body: Buffer.from('{"a":"\xff"}', 'latin1') }, 400, BODY, /body/],
	['half a body', { body: Buffer.from('{"event":') }, 400, BODY, /body/],
	['1,001 events', { payload: Array.from({ length: 1001 }, () => eventOf()) }, 400, BODY, /body/],
	[
		'a large body',
		{ body: Buffer.alloc(2_000_000, ' ') },
		413,
		'The webhook is larger than Maximum Size',
		/^Raise/,
	],
	[
		'an unreadable credential',
		{ credential: new Error('No key') },
		500,
		'n8n could not take the webhook',
		/log of n8n/,
	],
	[
		'another event',
		{ payload: { event: 'another-event', data: { id: 7 } } },
		200,
		KIND,
		/Pass Unknown Events/,
	],
	[
		'a message of a customer',
		{ payload: eventOf({}, 'new-customer-message') },
		200,
		KIND,
		/not when a customer writes/,
	],
	[
		...(['another status', filtered({ status: 'failed', from: 'agent' }), 200, FILTERS] as const),
		/^In the first message, Status is created\. Ch/,
	],
];

const told = ({ error }: Arrived) => `${error?.message ?? ''}\n${error?.description ?? ''}`;

it.each(REFUSED)(
	'%s starts nothing: the sender reads why, the person what to do, and the log has a line',
	async (_, arrival, status, message, remedy) => {
		const listened = await arrive({ ...arrival, mode: 'manual' });
		expect(listened).toMatchObject({ status, body: { message }, items: undefined });
		expect(Object.keys(listened.body as object)).toEqual(['message']);
		expect(listened.error).toMatchObject({ name: 'NodeOperationError', message });
		expect(listened.error?.description).toMatch(remedy);
		expect(listened.error?.description).toMatch(/Then listen again for the next one\.$/);
		expect(told(listened)).not.toMatch(/undefined|\[object|tenant-user/);

		log.lines.splice(0);
		const { body, error, ...others } = await arrive(arrival);
		expect([body, error]).toEqual([status === 200 ? undefined : { message }, undefined]);
		expect(others).toMatchObject({ status, items: undefined, result: { noWebhookResponse: true } });
		const [[level, line], ...more] = log.lines as string[][];
		expect([level, more]).toEqual([status === 500 ? 'error' : 'debug', []]);
		const [, detail] = line.split(`refused a delivery with status ${status}: ${message}.`);
		if (detail !== ' No key') expect(listened.error?.description).toContain(detail.trim());
		expect(leaksIn([told(listened), listened.body, log.lines], SECRET)).toEqual([]);
	},
);

describe('while a person listens for a test event', () => {
	it('what a stranger sends is not in what is told', async () => {
		const headers = { 'x-webhook-secret': 'tried-secret-abcdef', authorization: 'Bearer tried-token-abcdef' };
		const arrived = await arrive({ credential: header, mode: 'manual', headers });
		for (const secret of ['tried-secret-abcdef', 'tried-token-abcdef'])
			expect(leaksIn([told(arrived), arrived.body, log.lines], secret)).toEqual([]);
	});

	it.each(['<script>alert(1)</script>', 'x'.repeat(100_000), '__proto__', '\0\u001b[31m'])(
		'what is told stays short and harmless for an event of the kind %.40j',
		async (kind) => {
			const arrived = await arrive({ payload: eventOf({}, kind), mode: 'manual' });
			expect(arrived.error?.message).toBe(KIND);
			expect(told(arrived).length).toBeLessThan(500);
			expect(told(arrived) + JSON.stringify([arrived.body, log.lines])).not.toContain(kind.slice(0, 10));
		},
	);

	it('a delivery that is right starts the workflow, as often as it comes', async () => {
		const same = { workflowId: 'listened', payload: eventOf(), credential: header };
		const headers = { 'x-webhook-secret': SECRET };
		for (const mode of ['manual', 'manual', 'webhook'] as const)
			expect(await arrive({ ...same, headers, mode })).toMatchObject({ items: [{}], error: undefined });
		expect(await arrive({ ...same, headers })).toMatchObject({ items: undefined, status: 200 });
	});

	it('of several events, those that pass are heard', async () => {
		const payload = [eventOf({ status: 'created' }), eventOf({ status: 'failed' })];
		const { items, error } = await arrive({ ...filtered({ status: 'failed' }), mode: 'manual', payload });
		expect([items?.map(({ status }) => status), error]).toEqual([['failed'], undefined]);
	});
});

describe('in production', () => {
	it('the values of a message stay on that line, cut', async () => {
		await arrive({ ...filtered({ status: 'x' }), payload: eventOf({ status: `a\n${'b'.repeat(1000)}` }) });
		const line = log.lines[0].slice(1).join(' ');
		expect(line).toMatch(/Status is a b+…\./);
		expect(line.length).toBeLessThan(300);
	});

	it('a delivery that starts the workflow is not logged', async () => {
		expect((await arrive()).items).toHaveLength(1);
		expect(log.lines).toEqual([]);
	});
});
