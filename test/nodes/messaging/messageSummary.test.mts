import type { IDataObject } from 'n8n-workflow';

import { OddTenant } from '../../engine/oddTenant.mts';
import { byId } from '../../engine/tenant.mts';
import { ACTION_NODE, runNode } from '../../engine/engine.mts';

const tenant = OddTenant.inEachTest();

const send = {
	resource: 'message',
	operation: 'send',
	conversationId: '7',
	messageType: 'text',
	text: 'Hello',
};
const sendTemplate = {
	...{ resource: 'message', operation: 'sendTemplate', recipient: 'customer', customerId: byId(42) },
	...{ agentId: byId(11), templateName: { __rl: true, mode: 'id', value: 'shipped' } },
	...{ templateLanguage: 'en_US', variableMode: 'json', templateComponents: '[]' },
};

/** The item of one message that the tenant answers with. */
async function itemOf(parameters: IDataObject, message: IDataObject): Promise<IDataObject> {
	tenant.answer(() => ({ data: { id: 1, conversation_id: 7, status: 'created', ...message } }));
	const { items, error } = await runNode({
		parameters: parameters as never,
		credentials: tenant.credentials,
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	return items[0].json;
}

const FIELDS = ['text', 'template', 'language', 'customer_id', 'conversation_id', 'status'];

describe('a simplified message', () => {
	it.each([
		['send', send],
		['sendTemplate', sendTemplate],
	])('of %s always has the same fields', async (_, parameters) => {
		expect(Object.keys(await itemOf(parameters, {}))).toEqual(expect.arrayContaining(FIELDS));
	});

	it('tells what was sent where the service does not', async () => {
		expect(await itemOf(send, {})).toEqual({
			...{ id: 1, conversation_id: 7, customer_id: null, status: 'created' },
			...{ text: 'Hello', template: null, language: null },
		});
		expect(await itemOf(sendTemplate, {})).toEqual({
			...{ id: 1, conversation_id: 7, customer_id: 42, status: 'created' },
			...{ text: null, template: 'shipped', language: 'en_US' },
		});
	});

	it.each<[string, IDataObject]>([
		['text with content', { type: 'text', text: { content: 'Of the service' } }],
		['text with body', { type: 'text', text: { body: 'Of the service' } }],
		['plain text', { type: 'text', text: 'Of the service' }],
		['a caption', { type: 'image', image: { caption: 'Of the service' } }],
		['a caption beside the file', { type: 'image', caption: 'Of the service' }],
		['a template', { type: 'template', template: { name: 'x', body: { text: 'Of the service' } } }],
	])('tells the words of the service: %s', async (_, content) => {
		expect(await itemOf(send, { contents: [content] })).toMatchObject({ text: 'Of the service' });
	});

	it.each<[IDataObject[string], string | undefined]>([
		[null, undefined],
		[{}, undefined],
		['Blocked', 'Blocked'],
		[{ user_friendly_message: 'Write a template', original_message: '131047' }, 'Write a template'],
		[{ user_friendly_message: ' ', original_message: '131047' }, '131047'],
		[{ message: 'Blocked' }, 'Blocked'],
	])('tells why a message was not delivered: %j', async (latest_error, error) => {
		const item = await itemOf(send, { latest_error });
		expect([item.error, item.latest_error]).toEqual([error, latest_error]);
		// n8n 1 would take a null for a failure, and try the node again.
		expect('error' in item).toBe(error !== undefined);
	});

	it('tells of the template that was sent instead, not of the message', async () => {
		tenant.answer(({ url }) => ({
			data: url.endsWith('/send-template')
				? { id: 2, conversation_id: 7, status: 'created' }
				: { id: 1, conversation_id: 7, status: 'failed', latest_error: { original_message: 'Late' } },
		}));
		const template = { name: 'reopen', language: 'de', customerId: '42' };
		const { items } = await runNode({
			parameters: { ...send, options: { ifUndelivered: 'sendTemplate', fallbackTemplate: { template } } },
			credentials: tenant.credentials,
		});
		expect(items[0].json).toMatchObject({
			...{ text: null, template: 'reopen', language: 'de', customer_id: 42 },
			instead_of: { id: 1 },
		});
	});

	it('keeps what the service itself calls so, and what earlier workflows read', async () => {
		const own = { text: 'Own', customer_id: 5, contents: [{ type: 'x' }], latest_error: null };
		expect(await itemOf(send, own)).toMatchObject(own);
		expect(await itemOf({ ...send, simple: false }, own)).toEqual({
			...{ id: 1, conversation_id: 7, status: 'created' },
			...own,
		});
	});

	it('survives contents of any shape', async () => {
		for (const contents of [null, 'x', [null], [[]], [{ type: {} }], [{ type: '__proto__' }], { a: 1 }])
			expect(await itemOf(send, { contents: contents as never })).toMatchObject({ text: 'Hello' });
	});

	it('can be selected by its fields as a tool', async () => {
		tenant.answer(() => ({ data: { id: 1, conversation_id: 7, status: 'created' } }));
		const { items } = await runNode({
			type: `${ACTION_NODE}Tool`,
			credentials: tenant.credentials,
			parameters: { ...sendTemplate, output: 'selectedFields', outputFields: 'template, error' },
		});
		expect(items[0].json).toEqual({ template: 'shipped' });
	});
});
