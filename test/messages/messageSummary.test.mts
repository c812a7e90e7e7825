import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ACTION_NODE } from '../engine/engine.mts';
import { type Answers, ScriptedTenant } from '../engine/scriptedTenant.mts';
import { rowOfSent } from '../engine/summaryOfSent.mts';
import { byId } from '../engine/tenant.mts';
import { arrive } from '../engine/arrival.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /conversations/7/messages';
const TEMPLATE = 'POST /chatapp/send-template';

const sendText: INodeParameters = {
	...{ resource: 'message', operation: 'send', conversationId: '7', messageType: 'text', text: 'Hello' },
};
const sendTemplate: INodeParameters = {
	...{ resource: 'message', operation: 'sendTemplate', recipient: 'customer', customerId: byId(42) },
	...{ agentId: byId(11), templateName: byId('shipped'), templateLanguage: 'en_US' },
};
const toNumber = { ...sendTemplate, recipient: 'phoneNumber', phoneNumber: '+49 171 1234567' };

const MESSAGE = { id: 1, conversation_id: 7, status: 'created' };

/** The item of one message that the tenant answers with. */
async function itemOf(parameters: INodeParameters, message: unknown): Promise<IDataObject> {
	const answer: Answers[string] = () => ({
		data: message === null || typeof message !== 'object' ? message : { ...MESSAGE, ...message },
	});
	tenant.answer({ [SEND]: answer, [TEMPLATE]: answer });
	const { items, error } = await tenant.run(parameters);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	return items[0].json;
}

/** What the trigger tells of a message that was sent. */
async function toldByTrigger(message: IDataObject, output = 'simplified'): Promise<IDataObject> {
	const id = `summary-${++deliveries}`;
	const payload = { event: 'new-agent-message', message: { ...MESSAGE, id, ...message } };
	const { items } = await arrive({ parameters: { output }, payload });
	expect(items).toHaveLength(1);
	return (items as IDataObject[])[0];
}

let deliveries = 0;

/** Contents that hold words, as services give them, with these words. */
const WORDED: Array<[contents: unknown, words: string]> = [
	...[
		{ type: 'text', text: 'Good morning' },
		{ type: 'text', text: { body: 'Good morning' } },
		{ type: 'text', text: { content: 'Good morning' } },
		{ type: 'text', content: 'Good morning' },
		{ type: 'text', body: 'Good morning' },
		{ type: 'image', image: { caption: 'Good morning' } },
		{ type: 'image', caption: 'Good morning' },
		{ type: 'template', template: { name: 'x', body: { text: 'Good morning' } } },
		'Good morning',
	].map((content): [unknown, string] => [[content], 'Good morning']),
	[[null, {}, { type: 'image' }, { type: 'text', text: 'Good morning' }], 'Good morning'],
];

/** Contents that hold no words. */
const WORDLESS: unknown[] = [
	...[undefined, null, [], { code: 5 }, {}, '', [null], [[], [[]]], 5, true, 'x', { a: 1 }],
	[{ type: 'image', image: { id: 5 } }],
	[{ type: {} }],
	[{ type: '__proto__' }],
	[{ type: 'text', text: null }],
	[{ type: 'text', text: { body: '' } }],
	[JSON.parse('{"__proto__":{"text":"x"},"constructor":{"a":1}}')],
];

describe('the text', () => {
	it.each(WORDED)('is that of the service: %j', async (contents, words) => {
		expect((await itemOf(sendText, { contents })).text).toBe(words);
		expect((await toldByTrigger({ contents } as IDataObject)).text).toBe(words);
	});

	it.each(WORDLESS)('is the sent one where the contents are %j; the trigger knows none', async (contents) => {
		expect((await itemOf(sendText, { contents })).text).toBe('Hello');
		expect(await itemOf(sendTemplate, { contents })).not.toHaveProperty('text');
		expect((await toldByTrigger({ contents } as IDataObject)).text).toBeNull();
	});

	it.each<[string, INodeParameters, string]>([
		[
			'a caption',
			{
				...{ messageType: 'image', mediaSource: 'url', fileUrl: 'https://a.example/a.png' },
				options: { caption: 'Look' },
			},
			'Look',
		],
		['an expression', { text: '={{ 5 }}' }, '5'],
	])('is also that of %s', async (_name, change, text) => {
		expect((await itemOf({ ...sendText, ...change }, {})).text).toBe(text);
	});
});

describe('a simplified message', () => {
	it('tells what was sent where the service does not, and leaves out what nobody tells', async () => {
		expect(await itemOf(sendText, {})).toEqual(
			rowOfSent(MESSAGE, { type: 'text', text: { content: 'Hello' } }),
		);
		const body = { customer_id: 42, template_name: 'shipped', template_language: 'en_US' };
		expect(await itemOf(sendTemplate, {})).toEqual(rowOfSent(MESSAGE, body));
		const { id, ...told } = await toldByTrigger({});
		expect(id).toEqual(expect.any(String));
		expect(told).toMatchObject({
			...{ conversation_id: 7, status: 'created' },
			...{ customer_id: null, text: null, template: null, language: null },
		});
	});

	it.each<[IDataObject, unknown]>([
		[{ customer_id: 9 }, 9],
		[{ customer_id: 'c-9' }, 'c-9'],
		[{ customer_id: null }, undefined],
		[{}, undefined],
	])('has the customer that the service names: %j', async (message, customerId) => {
		expect((await itemOf(toNumber, message)).customer_id).toBe(customerId);
	});

	it.each<IDataObject>([
		{ template_name: 'a', template_language: 'de' },
		{ template: { name: 'a', language: 'de' } },
	])('of the trigger has the template that the message names: %j', async (message) => {
		expect(await toldByTrigger(message)).toMatchObject({ template: 'a', language: 'de' });
	});

	it.each<[unknown, string | undefined]>([
		[null, undefined],
		[{}, undefined],
		['Blocked', 'Blocked'],
		[{ user_friendly_message: 'Write a template', original_message: '131047' }, 'Write a template'],
		[{ user_friendly_message: ' ', original_message: '131047' }, '131047'],
		[{ user_friendly_message: null, original_message: '131047' }, '131047'],
		[{ message: 'Blocked' }, 'Blocked'],
	])('tells why a message was not delivered: %j', async (latest_error, error) => {
		const item = await itemOf(sendText, { latest_error });
		expect([item.result, item.reason]).toEqual([error ? 'undelivered' : 'sent', error ?? '']);
		expect(item).not.toHaveProperty('error');
		expect((await toldByTrigger({ latest_error } as IDataObject)).error).toBe(error);
	});

	it.each([{ type: 'session' }, { user_friendly_message: 5, original_message: 6 }, { id: 5 }])(
		'tells of an error without words in words of its own: %j',
		async (latest_error) => {
			const { reason } = await itemOf(sendText, { latest_error });
			expect(reason).toBe('The message was not delivered. The service gives no reason.');
		},
	);

	it('tells of a message that failed without an error', async () => {
		const item = await itemOf(sendText, { status: 'failed', latest_error: null });
		expect(item.reason).toBe('The message was not delivered. The service gives no reason.');
		expect((await toldByTrigger({ status: 'failed' })).error).toBe(item.reason);
	});

	it.each<IDataObject>([
		{ conversation_id: 'abc', status: 'Created' },
		{ conversation_id: '90071992547409931' },
		{ text: 'Own', customer_id: 5 },
	])('keeps what the service itself calls so: %j', async (message) => {
		expect(await itemOf(sendText, message)).toMatchObject(message);
	});

	it('of a template has the name and the customer of the input item, if it is that person', async () => {
		tenant.answer({ [TEMPLATE]: () => ({ data: MESSAGE }) });
		const jo = { name: 'Jo', customer_id: 5, phone_number: '+49 171 1234567' };
		const items = [jo, { ...jo, phone_number: '+49 171 7654321' }].map((json) => ({ json }));
		const ran = await tenant.run(toNumber, { items });
		expect(ran.items.map(({ json: { name, customer_id } }) => [name, customer_id])).toEqual([
			['Jo', 5],
			['', undefined],
		]);
	});

	it.each([
		['by number', toNumber],
		['by ID', { ...toNumber, recipient: 'customer', customerId: byId(5) }],
	])('of a template %s knows the person in the record of a customer too', async (_how, parameters) => {
		tenant.answer({ [TEMPLATE]: () => ({ data: MESSAGE }) });
		const json = { id: 5, name: 'Jo', channel: 'chatapp', display_id: '491711234567' };
		const { items } = await tenant.run(parameters as INodeParameters, { items: [{ json }] });
		expect(items).toMatchObject([{ json: { name: 'Jo', customer_id: 5, phone_number: '491711234567' } }]);
	});

	it('is the whole message with Simplify off, and as the trigger gave it before there was a summary', async () => {
		const own = { text: 'Own', contents: [{ text: 'x' }], extra: { a: [1] }, latest_error: null };
		expect(await itemOf({ ...sendText, simple: false }, own)).toEqual({ ...MESSAGE, ...own });
		const message = { contents: [{ text: 'x' }] };
		expect(await toldByTrigger(message, 'message')).not.toHaveProperty('text');
		expect(await toldByTrigger(message, 'raw')).toMatchObject({ event: 'new-agent-message', message });
	});

	it('is read by a model, whole or by its fields', async () => {
		tenant.answer({ [SEND]: () => ({ data: MESSAGE }), [TEMPLATE]: () => ({ data: MESSAGE }) });
		const call = await tenant.tool({ ...sendText, output: 'simplified' }, {});
		expect(await call({})).toEqual([await itemOf(sendText, {})]);
		const { items } = await tenant.run(
			{ ...sendTemplate, output: 'selectedFields', outputFields: 'template, reason, error' },
			{ type: `${ACTION_NODE}Tool` },
		);
		expect(items[0].json).toEqual({ template: 'shipped', reason: '' });
	});
});
