import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import { editorOf, type NodeRunOptions, runNode } from '../engine/engine.mts';
import { leaksOfRun } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';
import { arrive } from '../nodes/trigger/arrival.mts';
import { answerWith, created, sendTemplate, sendText } from './messages.mts';

const tenant = OddTenant.inEachTest();

const MAIN = ['text', 'template', 'language', 'customer_id', 'conversation_id', 'status'];

async function run(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) {
	return await runNode({ credentials: tenant.credentials, ...options, parameters });
}

/** The simplified message of a run that did not fail. */
async function simplified(answer: IDataObject, parameters = sendText): Promise<IDataObject> {
	const respond = () => ({ data: { id: 41, conversation_id: 3, status: 'created', ...answer } });
	answerWith(tenant, { send: respond, sendTemplate: respond });
	const { items, error } = await run(parameters);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(Object.keys(items[0].json)).toEqual(expect.arrayContaining(MAIN));
	return items[0].json;
}

const parsed = (json: string) => JSON.parse(json) as unknown;

/** Contents that hold no words. */
const WORDLESS: Array<[string, unknown]> = [
	['missing', undefined],
	['null', null],
	['empty', []],
	['an error, not words', { code: 5 }],
	['an empty record', {}],
	['an empty text', ''],
	['null in a list', [null]],
	['lists in a list', [[], [[]]]],
	['a number', 5],
	['true', true],
	['a record without words', [{ type: 'image', image: { id: 5 } }]],
	['a text that is null', [{ type: 'text', text: null }]],
	['a text that is empty', [{ type: 'text', text: { body: '' } }]],
	['10,000 empty records', Array.from({ length: 10_000 }, () => ({}))],
	['of odd names', [parsed('{"__proto__":{"text":"x"},"constructor":{"a":1}}')]],
];

/** Contents with the words "Good morning", as services give them. */
const WORDED: Array<[string, unknown]> = [
	['text', [{ type: 'text', text: 'Good morning' }]],
	['text.body', [{ type: 'text', text: { body: 'Good morning' } }]],
	['text.content', [{ type: 'text', text: { content: 'Good morning' } }]],
	['content', [{ type: 'text', content: 'Good morning' }]],
	['body', [{ type: 'text', body: 'Good morning' }]],
	['a text in the list', ['Good morning']],
	['behind what has no words', [null, {}, { type: 'image' }, { type: 'text', text: 'Good morning' }]],
];

describe('The text', () => {
	it.each(WORDED)('is that of the service: %s', async (_name, contents) => {
		expect((await simplified({ contents } as IDataObject)).text).toBe('Good morning');
	});

	it.each(WORDLESS)('is the sent one where the contents are %s', async (_name, contents) => {
		expect((await simplified({ contents } as IDataObject)).text).toBe('Hello');
	});

	it.each(WORDLESS)('of a template is null, or words, where the contents are %s', async (_name, contents) => {
		const { text } = await simplified({ contents } as IDataObject, sendTemplate);
		expect(text === null || text === 'Hi Jo, order A-1 is on its way.').toBe(true);
	});

	it('is bounded and quick where the contents are deep', async () => {
		let contents: unknown = 'x';
		for (let level = 0; level < 1000; level++) contents = [contents];
		expect(typeof (await simplified({ contents } as IDataObject)).text).toBe('string');
	});

	it.each<[string, INodeParameters, string | null]>([
		[
			'an image with a caption',
			{
				messageType: 'image',
				mediaSource: 'url',
				fileUrl: 'https://a.example/a.png',
				options: { caption: 'Look' },
			},
			'Look',
		],
		['an expression', { text: '={{ 5 }}' }, '5'],
	])('of %s is what was sent', async (_name, change, text) => {
		expect((await simplified({}, { ...sendText, ...change })).text).toBe(text);
	});
});

describe('The template', () => {
	it('and its language are those that were sent', async () => {
		expect(await simplified({}, sendTemplate)).toMatchObject({
			template: 'order_shipped',
			language: 'en_US',
		});
	});

	it('and its language are null for another message', async () => {
		expect(await simplified({ ca_template_id: null })).toMatchObject({ template: null, language: null });
	});

	it.each([null, undefined, 5, '5', {}, []])('is the same whatever ca_template_id is: %j', async (id) => {
		expect(await simplified({ ca_template_id: id } as IDataObject, sendTemplate)).toMatchObject({
			template: 'order_shipped',
			language: 'en_US',
		});
	});

	it('that is sent in place of a message is named', async () => {
		answerWith(tenant, { send: () => created({ latest_error: { user_friendly_message: 'Over' } }) });
		const { items } = await run({
			...sendText,
			options: {
				ifUndelivered: 'sendTemplate',
				fallbackTemplate: {
					template: { name: 'other', language: 'de', components: '[]', phoneNumber: '+49 171 0000001' },
				},
			},
		});
		expect(items[0].json).toMatchObject({ template: 'other', language: 'de' });
		expect(items[0].json.instead_of).toBeDefined();
	});
});

describe('The customer', () => {
	it.each<[string, IDataObject, INodeParameters, unknown]>([
		['that was chosen', {}, { ...sendTemplate, recipient: 'customer', customerId: byId(7) }, 7],
		['that the service names', { customer_id: 9 }, sendTemplate, 9],
		['with a text for an ID', { customer_id: 'c-9' }, sendTemplate, 'c-9'],
		['that nobody names', {}, sendTemplate, null],
		['that is null', { customer_id: null }, sendTemplate, null],
	])('%s', async (_name, answer, parameters, customerId) => {
		expect((await simplified(answer, parameters)).customer_id).toBe(customerId);
	});
});

describe('The error', () => {
	it.each<[string, unknown, unknown]>([
		['for users', { user_friendly_message: 'Over', original_message: 'E131' }, 'Over'],
		['of the provider', { user_friendly_message: null, original_message: 'E131' }, 'E131'],
		[
			'of the provider, where the other is empty',
			{ user_friendly_message: '', original_message: 'E131' },
			'E131',
		],
		['null', null, undefined],
		['missing', undefined, undefined],
	])('%s', async (_name, error, told) => {
		expect((await simplified({ latest_error: error } as IDataObject)).error).toBe(told);
	});

	it.each<[string, unknown]>([
		['only a type', { type: 'session' }],
		['a text', 'Not delivered'],
		['numbers', { user_friendly_message: 5, original_message: 6 }],
		['an ID alone', { id: 5 }],
	])('with %s is not lost', async (_name, error) => {
		const json = await simplified({ latest_error: error } as IDataObject);
		expect(json.error).toMatch(/\S/);
		expect(json.error).not.toMatch(/\[object|undefined/);
		expect(json.latest_error).toEqual(error);
	});
});

it.each<[string, IDataObject]>([
	['numbers', { conversation_id: 3, status: 'created' }],
	['texts', { conversation_id: 'abc', status: 'Created' }],
	['large numbers as texts', { conversation_id: '90071992547409931', status: '' }],
	['null', { conversation_id: null, status: null }],
])('conversation and status are as the service gives them: %s', async (_name, answer) => {
	expect(await simplified(answer)).toMatchObject(answer);
});

it.each([{}, [], null, 'ok', 5])('a success that says nothing (%j) is one', async (data) => {
	answerWith(tenant, { send: { data } as object });
	const { items, error } = await run(sendText);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(JSON.stringify(items[0].json)).not.toMatch(/\[object|undefined/);
});

it('raw output is the message as it is', async () => {
	const data = { id: 1, contents: [{ text: 'x' }], extra: { a: [1] }, latest_error: null };
	answerWith(tenant, { send: { data } });
	const { items } = await run({ ...sendText, simple: false });
	expect(items[0].json).toEqual(data);
});

it('a model gets the main fields', async () => {
	answerWith(tenant);
	const call = await agentTool({
		credentials: tenant.credentials,
		parameters: { ...sendText, output: 'simplified' },
	});
	const answer = JSON.stringify(await call({}));
	for (const name of MAIN) expect(answer).toContain(name);
});

it('a token in a message is the message of its sender', async () => {
	const secret = String(tenant.credentials.accessToken);
	answerWith(tenant, { send: () => created({ latest_error: { user_friendly_message: 'No' } }) });
	const result = await run(
		{ ...sendText, options: { ifUndelivered: 'error' } },
		{ onError: 'continueRegularOutput' },
	);
	expect(leaksOfRun(result, secret)).toEqual([]);
});

describe('The trigger', () => {
	const event = (message: IDataObject, more: IDataObject = {}) => ({
		...more,
		event: 'new-agent-message',
		message: { id: `simple-${Math.random()}`, conversation_id: 3, status: 'created', ...message },
	});

	const simplifiedBy = async (payload: IDataObject): Promise<IDataObject> => {
		const { items } = await arrive({ parameters: { output: 'simplified' }, payload });
		expect(items).toHaveLength(1);
		const [json] = items as IDataObject[];
		expect(Object.keys(json)).toEqual(expect.arrayContaining(MAIN));
		return json;
	};

	it.each(WORDED)('tells the text of %s', async (_name, contents) => {
		expect((await simplifiedBy(event({ contents } as IDataObject))).text).toBe('Good morning');
	});

	it.each(WORDLESS.filter(([name]) => !name.startsWith('10,000')))(
		'tells null where the contents are %s',
		async (_name, contents) => {
			expect((await simplifiedBy(event({ contents } as IDataObject))).text).toBeNull();
		},
	);

	it('tells null of all that it does not know', async () => {
		expect(await simplifiedBy(event({}))).toMatchObject({
			...{ text: null, template: null, language: null, customer_id: null },
			...{ conversation_id: 3, status: 'created' },
		});
	});

	it('tells the error in words for users', async () => {
		const latest_error = { user_friendly_message: 'Over', original_message: 'E1' };
		expect((await simplifiedBy(event({ latest_error }))).error).toBe('Over');
	});

	it.each<[string, IDataObject, IDataObject]>([
		['template_name', { template_name: 'a', template_language: 'de' }, {}],
		['a template', { template: { name: 'a', language: 'de' } }, {}],
	])('tells the template that the message names by %s', async (_name, message) => {
		expect(await simplifiedBy(event(message))).toMatchObject({ template: 'a', language: 'de' });
	});

	it.each(['message', 'raw'])('has the output of before with %s', async (output) => {
		const payload = event({ contents: [{ text: 'x' }] });
		const { items } = await arrive({ parameters: { output }, payload });
		const [json] = items as IDataObject[];
		if (output === 'raw') expect(json).toEqual(payload);
		else expect(json).toMatchObject(payload.message);
		expect(json).not.toHaveProperty('text');
	});
});

describe('Order By', () => {
	const getAll: INodeParameters = { resource: 'profile', operation: 'getAll', returnAll: false };

	const orderOf = async (sort: unknown): Promise<string | null> => {
		tenant.answer(() => ({ data: [] }));
		const { error } = await run({ ...getAll, filters: { orderBy: { sort } as never } });
		expect(error).toBeUndefined();
		return new URL(tenant.asked[0].split(' ')[1], 'http://x').searchParams.get('order_by');
	};

	it.each<[string, unknown, string | null]>([
		['one field', [{ field: 'name', direction: 'asc' }], 'name:asc'],
		['a field that is not in the list', [{ field: 'custom_7', direction: 'desc' }], 'custom_7:desc'],
		[
			'several, in their order',
			[
				{ field: 'name', direction: 'desc' },
				{ field: 'created_at', direction: 'asc' },
			],
			'name:desc,created_at:asc',
		],
		['an expression', [{ field: '={{ "na" + "me" }}', direction: '={{ "desc" }}' }], 'name:desc'],
		['no field', [], null],
	])('asks for %s', async (_name, sort, order) => {
		expect(await orderOf(sort)).toBe(order);
	});

	it.each<[string, (request: { url: string }) => unknown]>([
		['profiles', () => ({ data: [{ id: 1, name: 'a', score: 5 }] })],
		['nothing', () => ({ data: [] })],
		['rubbish', () => 'x'],
		['null', () => ({ data: null })],
	])('lists fields, and keeps a stored one, where the tenant answers %s', async (_name, answer) => {
		tenant.answer(answer);
		const { methods, context } = await editorOf({
			credentials: tenant.credentials,
			parameters: { ...getAll, filters: { orderBy: { sort: [{ field: 'my_field', direction: 'asc' }] } } },
		});
		const options = await methods.loadOptions?.getSortFields.call(context);
		const values = options?.map(({ value }) => value) ?? [];
		expect(values).toEqual(expect.arrayContaining(['name', 'my_field']));
		expect(new Set(values).size).toBe(values.length);
		for (const { name } of options ?? []) expect(name).toMatch(/\S/);
	});
});
