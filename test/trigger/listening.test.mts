import type { IDataObject } from 'n8n-workflow';

import { leaksIn, LogWatch } from '../engine/leaks.mts';
import { arrive, type Arrival, type Arrived, eventOf } from '../engine/arrival.mts';

// n8n's logger is only watched once it is loaded.
beforeAll(async () => void (await arrive()));

const log = LogWatch.inEachTest();

const SECRET = 'shared-secret-123456';
const header = { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: SECRET };
const standard = { method: 'standardWebhooks', secret: `whsec_${Buffer.alloc(24).toString('base64')}` };
const hmac = {
	...{ method: 'hmac', signatureHeaderName: 'X-Signature', secret: SECRET, encoding: 'hex', prefix: '' },
	timestampHeaderName: 'X-Time',
};
const signed = (time?: number): Arrival => ({
	credential: hmac,
	headers: { 'x-signature': '0', ...(time !== undefined && { 'x-time': String(time) }) },
});
const filtered = (filters: IDataObject): Arrival => ({ parameters: { filters: filters as never } });
const noHeader = (name: string) => new RegExp(`^The webhook has no header "${name}"\\. Enter`);

/** The status, and what the sender reads. */
const REASONS = {
	body: [
		400,
		'The body of the webhook is not a JSON object or a list of objects in UTF-8, or has more than 100 levels',
	],
	credential: [500, 'The trigger has no credential'],
	failure: [500, 'n8n could not take the webhook'],
	filters: [200, 'No message of the webhook passes the Filters'],
	kind: [200, 'The webhook is about another event'],
	proof: [401, 'The secret, login or signature is wrong or missing'],
	size: [413, 'The webhook is larger than 1 MB'],
	type: [415, 'The content type of the webhook is not JSON'],
} as const;

const wrong = (name: string, value: string) => ({ credential: header, headers: { [name]: value } });
const unnamed = { credential: { ...header, headerName: ' ' } };
const unchosen = { credential: header, isCredentialChosen: false };
const deep = Buffer.from(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`);
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const another = { event: 'another', data: { id: 7 } };

/** Deliveries that do not start the workflow, and what the person reads first. */
const REFUSED: Array<[string, keyof typeof REASONS, Arrival, RegExp]> = [
	['no secret', 'proof', { credential: header }, noHeader('x-webhook-secret')],
	['no name of a header', 'proof', unnamed, /^The credential names no header\. Enter/],
	['another secret', 'proof', wrong('x-webhook-secret', 'x'), /^Enter the same/],
	['no signature', 'proof', { credential: hmac }, noHeader('x-signature')],
	['no timestamp', 'proof', signed(), noHeader('x-time')],
	['an old timestamp', 'proof', signed(1e9), /^The time in the header "x-time" differs from now/],
	['a wrong signature', 'proof', signed(Math.floor(Date.now() / 1000)), /^Enter the same/],
	['no headers of Standard Webhooks', 'proof', { credential: standard }, noHeader('webhook-signature')],
	['no credential', 'credential', unchosen, /^Choose/],
	['an unreadable credential', 'failure', { credential: new Error('No key') }, /^The log of n8n says why/],
	['a form', 'type', { headers: form }, /^Set it to application\/json/],
	['half a body', 'body', { body: Buffer.from('{"event":') }, /^Check the content type/],
	['101 levels', 'body', { body: deep }, /^Check the content type/],
	['a large body', 'size', { body: Buffer.alloc(2_000_000, ' ') }, /^Have the service send less/],
	['another event', 'kind', { payload: another }, /start it only if Pass Unknown Events/],
	['a customer', 'kind', { payload: eventOf({}, 'new-message') }, /^This.*not when a customer writes/],
	[
		'another status',
		'filters',
		filtered({ status: 'x', from: 'agent' }),
		/^In the first.*, Status is created/,
	],
];

const told = ({ error }: Arrived) => `${error?.message ?? ''}\n${error?.description ?? ''}`;

it.each(REFUSED)(
	'%s starts nothing: the sender reads why, the person what to do, and the log has a line',
	async (_, reason, arrival, remedy) => {
		const [status, message] = REASONS[reason];
		const listened = await arrive({ ...arrival, mode: 'manual' });
		expect(listened).toMatchObject({ status, body: { message }, items: undefined });
		expect(Object.keys(listened.body as object)).toEqual(['message']);
		expect(listened.error).toMatchObject({ name: 'NodeOperationError', message });
		expect(listened.error?.description).toMatch(remedy);
		expect(listened.error?.description).toMatch(/Then listen again for the next one\.$/);
		expect(told(listened)).not.toMatch(/undefined|\[object/);

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
			expect(arrived.error?.message).toBe(REASONS.kind[1]);
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
});

describe('in production', () => {
	it('the values of a message are cut on that line, and are neither lines nor markup', async () => {
		const status = `<a href="//x.example">\u001b\n${'b'.repeat(1000)}`;
		const arrival = { ...filtered({ status: 'x' }), payload: eventOf({ status }) };
		const { error } = await arrive({ ...arrival, mode: 'manual' });
		await arrive(arrival);
		for (const words of [error?.description, ...log.lines.map(([, line]) => line)])
			expect(words).toMatch(/Status is ‹a href="\/\/x\.example"> b+…\./);
	});

	it('a delivery that starts the workflow is not logged', async () => {
		expect((await arrive()).items).toHaveLength(1);
		expect(log.lines).toEqual([]);
	});
});
