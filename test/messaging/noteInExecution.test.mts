import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeRun } from '../engine/engine.mts';
import { ProcessedData } from '../engine/processedData.mts';
import { refusal, ScriptedTenant } from '../engine/scriptedTenant.mts';
import { byId } from '../engine/tenant.mts';

ProcessedData.inEachTest();
const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /chatapp/send-template';

const parameters = (options: IDataObject = {}, more: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '+49 171 1234567', agentId: byId(11) },
	...{ templateName: byId('welcome'), templateLanguage: 'en_US' },
	options: { noteInExecution: true, ...options } as INodeParameters,
	...more,
});

const notes = ({ run }: NodeRun) => run.data.resultData.metadata;

const message = { id: 1, conversation_id: 7, customer_id: 101, status: 'created' };

beforeEach(() =>
	tenant.answer({
		[SEND]: () => ({ data: message }),
		'POST /conversations/8/messages': () => ({ data: { id: 2 } }),
	}),
);

it('the execution tells customer, conversation and key', async () => {
	const ran = await tenant.run(parameters({ sendOnce: { values: { key: 'order 5' } } }));
	expect(notes(ran)).toEqual({ customer_id: '101', conversation_id: '7', send_once_key: 'order 5' });
});

it.each([false, '', '={{ null }}'])('with %j for the option, it tells nothing', async (noteInExecution) => {
	const ran = await tenant.run(parameters({ noteInExecution }));
	expect(ran.error).toBeUndefined();
	expect(notes(ran)).toBeUndefined();
});

it('it tells the conversation of Send', async () => {
	const ran = await tenant.run({
		...{ resource: 'message', operation: 'send', conversationId: '8', messageType: 'text', text: 'Hi' },
		options: { noteInExecution: true },
	});
	expect(notes(ran)).toEqual({ conversation_id: '8' });
});

it('it tells a customer whose message failed', async () => {
	tenant.answer({ [SEND]: refusal(422) });
	const ran = await tenant.run(parameters({}, { recipient: 'customer', customerId: byId(102) }));
	expect(ran.error).toBeDefined();
	expect(notes(ran)).toEqual({ customer_id: '102' });
});

it('of many items it tells the first ones whole, and each once', async () => {
	const customers = Array.from({ length: 100 }, (_, index) => 1000 + Math.floor(index / 2));
	tenant.answer({ [SEND]: () => ({ data: { id: 1 } }) });
	const ran = await tenant.run(
		parameters({}, { recipient: 'customer', customerId: byId('={{ $json.id }}') }),
		{
			items: customers.map((id) => ({ json: { id } })),
		},
	);
	const first = Array.from({ length: 42 }, (_, index) => 1000 + index);
	expect(notes(ran)).toEqual({ customer_id: first.join(', ') });
	expect(ran.items).toHaveLength(100);
});

it.each<[string, (token: string) => unknown]>([
	['the token', (token) => token],
	['the token among other text', (token) => `id-${token}`],
	['the token in Base64', (token) => Buffer.from(token).toString('base64')],
	['a record', () => ({ id: 7 })],
	['a list', () => [7]],
	['true', () => true],
])('it tells nothing of %s that the service gives as an ID', async (_what, given) => {
	tenant.answer({
		'POST /conversations/8/messages'(_arrived, { request }) {
			const token = String(request.headers.authorization).replace('Bearer ', '');
			return { data: { id: 1, customer_id: given(token), conversation_id: given(token) } };
		},
	});
	const ran = await tenant.run({
		...{ resource: 'message', operation: 'send', conversationId: '8', messageType: 'text', text: 'Hi' },
		options: { noteInExecution: true },
	});
	expect(ran.error).toBeUndefined();
	expect(notes(ran)).toEqual({ conversation_id: '8' });
});

it('it tells IDs in text, and a key as it is', async () => {
	tenant.answer({ [SEND]: () => ({ data: { ...message, customer_id: 'c-4f1e', conversation_id: ' 7 ' } }) });
	const ran = await tenant.run(parameters({ sendOnce: { values: { key: '007' } } }));
	expect(notes(ran)).toEqual({ customer_id: 'c-4f1e', conversation_id: '7', send_once_key: '007' });
});

it("a tool, and n8n's routing engine, tell the same", async () => {
	const ran = await tenant.run(parameters(), { byRoutingEngine: true });
	expect(notes(ran)).toEqual({ customer_id: '101', conversation_id: '7' });
});
