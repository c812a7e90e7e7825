import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeRun } from '../engine/engine.mts';
import { ProcessedData } from '../engine/processedData.mts';
import { inOrder, refusal, ScriptedTenant, sentMessages } from '../engine/scriptedTenant.mts';
import { rowOf } from '../engine/summaryOfSent.mts';
import { byId } from '../engine/tenant.mts';

ProcessedData.inEachTest();
const tenant = ScriptedTenant.inEachTest();
const TEMPLATE = 'POST /chatapp/send-template';
const SEND = 'POST /conversations/7/messages';
const LATE = { latest_error: { user_friendly_message: 'Too late' } };
const FIRST = ['result', 'reason', 'name', 'phone_number'];

const once = { sendOnce: { values: { key: '={{ $json.key }}' } } };
const template: INodeParameters = {
	...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '={{ $json.phone }}', options: once },
	...{ agentId: byId(11), templateName: byId('offer'), templateLanguage: 'en', variablesMode: 'components' },
	advanced: { maximumInFlight: 1 },
};
const text: INodeParameters = {
	...{ resource: 'message', operation: 'send', conversationId: '7', messageType: 'text', text: 'Hello' },
	...{ options: once, advanced: { maximumInFlight: 1 } },
};

const hints = ({ run }: NodeRun) =>
	(run.data.resultData.runData.Node.at(-1)?.hints ?? []).map(({ message }) => message);

const PHONE = '491711234567';
const known = { phone_number: PHONE, template: 'offer', language: 'en' };

/** Sends five items: one is sent, one skipped, one not delivered, one refused, and one has no number. */
async function sendAll(parameters: INodeParameters, endpoint: string): Promise<NodeRun> {
	const sent = sentMessages();
	const undelivered = () => ({ data: { id: 2, status: 'failed', ...LATE } });
	tenant.answer({ [endpoint]: inOrder(sent, undelivered, refusal(422, 'No such template')) });
	const items = ['a', 'a', 'b', 'c'].map((key) => ({ json: { key, phone: PHONE } as IDataObject }));
	items.push({ json: { key: 'd', phone: 'none', name: 'Jo' } });
	return await tenant.run(parameters, { items, onError: 'continueRegularOutput' });
}

describe('one table of a broadcast', () => {
	it('has a row with the same first columns for each message, whatever became of it', async () => {
		const run = await sendAll(template, TEMPLATE);
		const reason = 'The key "a" of Send Once was used before (Hours: 24)';
		const none = 'Phone Number "none" is not a phone number';
		const [sent, skipped, undelivered, refused, unusable] = run.items.map(({ json }) => json);
		expect(sent).toEqual(rowOf('sent', '', { ...known, id: 1, conversation_id: 7, status: 'created' }));
		expect(skipped).toEqual(rowOf('skipped', reason, { ...known, send_once_key: 'a' }));
		expect(undelivered).toEqual(rowOf('undelivered', 'Too late', { ...known, id: 2, status: 'failed' }));
		const error = { error: 'No such template', details: expect.anything() };
		expect(refused).toEqual(rowOf('failed', 'No such template', { ...known, ...error }));
		expect(unusable).toMatchObject(rowOf('failed', none, { name: 'Jo', phone_number: 'none', error: none }));
		for (const { json } of run.items) expect(Object.keys(json).slice(0, 4)).toEqual(FIRST);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(run.items.map((_, item) => ({ item })));
		expect(hints(run)).toEqual(['1 of 5 sent, 1 skipped, 1 undelivered, 2 failed.']);
	});

	it('has them for messages in conversations too', async () => {
		const run = await sendAll(text, SEND);
		expect(run.items.map(({ json }) => json.result)).toEqual([
			...['sent', 'skipped', 'undelivered', 'failed', 'failed'],
		]);
		for (const { json } of run.items) {
			expect(Object.keys(json).slice(0, 4)).toEqual(FIRST);
			expect(json).toMatchObject({ conversation_id: 7, text: 'Hello' });
		}
		expect(hints(run)).toEqual(['1 of 5 sent, 1 skipped, 1 undelivered, 2 failed.']);
	});

	it('has no hint where all are sent, and no empty value', async () => {
		tenant.answer({ [TEMPLATE]: () => ({ data: { id: 1, sent_at: null, contents: null } }) });
		const run = await tenant.run({ ...template, options: {} }, { items: [{ json: { phone: PHONE } }] });
		expect(run.items[0].json).toEqual(rowOf('sent', '', { ...known, id: 1 }));
		expect(hints(run)).toEqual([]);
	});

	it('keeps the columns of the input at the error output', async () => {
		tenant.answer({ [TEMPLATE]: refusal(422, 'No such template') });
		const input = { phone: PHONE, name: 'Jo', phone_number: 'as it was', tags: 'VIP' };
		const { errorItems } = await tenant.run(
			{ ...template, options: {}, phoneNumber: '={{ $json.none }}', recipient: 'phoneNumber' },
			{ items: [{ json: input }], onError: 'continueErrorOutput' },
		);
		expect(errorItems[0].json).toMatchObject({ ...input, result: 'failed', reason: 'Phone Number is empty' });
	});
});

const byPhone = (value: string) => ({ __rl: true, mode: 'phone', value });

it.each<[string, INodeParameters, string, IDataObject]>([
	[
		'another number',
		{ ...template, phoneNumber: '={{ $json.manager }}', agentId: byId('={{ $json.none }}') },
		'Sender (Agent) is empty',
		{ phone_number: PHONE },
	],
	[
		'another customer',
		{ ...template, recipient: 'customer', customerId: byId('7'), agentId: byId('={{ $json.none }}') },
		'Sender (Agent) is empty',
		{ customer_id: 7 },
	],
	[
		'a number that nobody has',
		{ ...template, recipient: 'customer', customerId: byPhone('={{ $json.manager }}') },
		`Customer was not found: nobody has the phone number ${PHONE}`,
		{ phone_number: PHONE, template: 'offer', language: 'en' },
	],
	['another conversation', { ...text, text: '={{ $json.none }}' }, 'Text is empty', { conversation_id: 7 }],
])(
	'a message to %s that fails before its request never names the person of its item',
	async (_to, parameters, reason, known) => {
		tenant.answer({ 'GET /profiles': () => ({ data: [] }) });
		const json = { name: 'Jo', phone: '+49 160 9999999', customer_id: 8, conversation_id: 9, manager: PHONE };
		const run = await tenant.run(
			{ ...parameters, options: {} },
			{ items: [{ json }], onError: 'continueRegularOutput' },
		);
		const row = rowOf('failed', reason, { ...known, error: reason, details: expect.anything() });
		expect(run.items.map((item) => item.json)).toEqual([row]);
		expect(tenant.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
	},
);

it('a customer who is found by phone number has that number in the row', async () => {
	tenant.answer({
		'GET /profiles': () => ({ data: [{ id: 3, customer_id: 42, phone_number: PHONE }] }),
		[TEMPLATE]: sentMessages(),
	});
	const customerId = { __rl: true, mode: 'phone', value: '+49 171 1234567' };
	const { items } = await tenant.run({ ...template, options: {}, recipient: 'customer', customerId });
	expect(tenant.bodies(TEMPLATE)).toMatchObject([{ customer_id: 42 }]);
	expect(items[0].json).toMatchObject({ phone_number: PHONE, customer_id: 42 });
});

it('an unclear message keeps its status, and how long the service asks to wait', async () => {
	tenant.answer({
		[SEND]: async (_arrived, reply) =>
			await reply.code(503).header('retry-after', '90').send({ message: 'Down for maintenance' }),
	});
	const { items } = await tenant.run({ ...text, options: {} }, { onError: 'continueRegularOutput' });
	const { description } = items[0].json.details as { description: string };
	expect(description).toMatch(/^Down for maintenance\.\n.*\(HTTP 503\)\./);
	expect(description).toContain('check in your account before you send it again');
	expect(description).toContain('The service asks to wait 90 s.');
});
