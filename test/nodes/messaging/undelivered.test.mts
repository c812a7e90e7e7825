import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { NodeRun, NodeRunOptions } from '../../engine/engine.mts';
import { brokenOff, inOrder, refusal, ScriptedTenant } from '../guards/scriptedTenant.mts';
import { summaryOfSent } from '../guards/summaryOfSent.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /conversations/7/messages';
const TEMPLATE = 'POST /chatapp/send-template';

const EXPIRED = {
	id: 5,
	message_id: 1,
	type: 'session_expired',
	original_message: 'Error 131047: Re-engagement message',
	user_friendly_message: 'The customer has not written for 24 hours',
	created_at: '2026-01-01T00:00:00Z',
};

const fallback = { name: 'reopen', language: 'en_US', phoneNumber: '+49 171 1234567' };

/** Sends into the conversation 7. */
const message = (options: IDataObject) => ({
	resource: 'message',
	operation: 'send',
	conversationId: '7',
	messageType: 'text',
	text: 'Hello',
	options: options as never,
});

const instead = (template: IDataObject = fallback, options: IDataObject = {}) =>
	message({ ...options, ifUndelivered: 'sendTemplate', fallbackTemplate: { template } });

const answers =
	(id: number, latest_error: unknown, status = 'created') =>
	() => ({
		data: { id, conversation_id: 7, status, latest_error },
	});

const delivered = answers(2, null);
const expired = answers(1, EXPIRED, 'failed');

const retrying: NodeRunOptions['settings'] = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const described = ({ error }: NodeRun) => (error as { description?: string } | undefined)?.description;

const hints = ({ run }: NodeRun) =>
	(run.data.resultData.runData.Node.at(-1)?.hints ?? []).map(({ message: told }) => told);

const jsons = (items: INodeExecutionData[]) => items.map(({ json }) => json);

describe('continue', () => {
	it('is the default: the item tells of it', async () => {
		tenant.answer({ [SEND]: expired });
		for (const options of [{}, { ifUndelivered: 'continue' }]) {
			const run = await tenant.run(message(options));
			expect(run.error).toBeUndefined();
			expect(run.items[0].json.latest_error).toEqual(EXPIRED);
			expect(hints(run)).toEqual(['1 of 1 items were not delivered; see latest_error.']);
		}
	});

	it.each([[true], [false]])(
		'is no failure of the node: with Retry On Fail nothing is sent again (Skip Items Already Sent %s)',
		async (skipSent) => {
			tenant.answer({ [SEND]: inOrder(expired, delivered, delivered, delivered) });
			const run = await tenant.run(message({ skipSent }), {
				settings: retrying,
				items: [{ json: {} }, { json: {} }],
			});
			expect(run.error).toBeUndefined();
			expect(tenant.requests).toEqual([SEND, SEND]);
			expect(run.items.map(({ json }) => [json.id, json.latest_error, 'error' in json])).toEqual([
				[1, EXPIRED, false],
				[2, null, false],
			]);
		},
	);
});

describe('fail', () => {
	const fail = message({ ifUndelivered: 'error' });

	it("gives the service's reason and the way out", async () => {
		tenant.answer({ [SEND]: expired });
		const run = await tenant.run(fail, { items: [{ json: {} }] });
		expect(run.error?.message).toBe('The customer has not written for 24 hours');
		expect(described(run)).toBe(
			'The service accepted the message, but did not deliver it (Error 131047: Re-engagement message).\nCheck the recipient. After the session of a conversation has ended, only a template reaches the customer (If Undelivered: Send Template). A retry of this node does not send the message again.',
		);
		expect(run.error?.context?.itemIndex).toBe(0);
	});

	it('does not send again with Retry On Fail', async () => {
		tenant.answer({ [SEND]: inOrder(expired, delivered) });
		const run = await tenant.run(fail, { settings: retrying });
		expect(run.error?.message).toBe('The customer has not written for 24 hours');
		expect(tenant.requests).toEqual([SEND]);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'fails one item with %s',
		async (onError) => {
			tenant.answer({ [SEND]: inOrder(expired, delivered) });
			const { items, errorItems } = await tenant.run(fail, { onError, items: [{ json: {} }, { json: {} }] });
			const all = [...jsons(items), ...jsons(errorItems)];
			expect(all).toContainEqual({
				...{ id: 2, conversation_id: 7, status: 'created', latest_error: null },
				...summaryOfSent({ type: 'text', text: { content: 'Hello' } }),
			});
			expect(all).toContainEqual({
				error: 'The customer has not written for 24 hours',
				details: {
					description: expect.stringContaining('did not deliver it'),
					undelivered: { id: 1, latest_error: EXPIRED },
				},
			});
			expect(onError === 'continueErrorOutput' ? errorItems : items.slice(0, 1)).toHaveLength(1);
		},
	);

	it.each([
		['a text', 'Blocked by the carrier', 'Blocked by the carrier'],
		['a list', [EXPIRED], 'The service accepted the message, but did not deliver it'],
		['only the original text', { original_message: 'Error 1' }, 'Error 1'],
		['an empty friendly text', { user_friendly_message: ' ', original_message: 'Error 1' }, 'Error 1'],
		['a type', { type: 'expired' }, 'The service accepted the message, but did not deliver it'],
		['a number', 7, 'The service accepted the message, but did not deliver it'],
	])('knows an error that is %s', async (_what, latestError, told) => {
		tenant.answer({ [SEND]: answers(1, latestError) });
		expect((await tenant.run(fail)).error?.message).toBe(told);
	});

	it('knows the status "failed" alone', async () => {
		tenant.answer({ [SEND]: answers(1, null, 'failed') });
		expect((await tenant.run(fail)).error?.message).toBe(
			'The service accepted the message, but did not deliver it',
		);
	});

	it.each([
		['null', null],
		['an empty text', ''],
		['an empty list', []],
		['an empty object', {}],
		['false', false],
	])('takes an error that is %s for none', async (_what, latestError) => {
		tenant.answer({ [SEND]: answers(1, latestError, 'queued') });
		const run = await tenant.run(fail);
		expect(run.error).toBeUndefined();
		expect(hints(run)).toEqual([]);
	});

	it('sees it also where the output leaves the fields out', async () => {
		tenant.answer({ [SEND]: expired });
		const call = await tenant.tool(
			{ ...fail, output: 'selectedFields', outputFields: 'conversation_id' },
			{},
		);
		expect(JSON.stringify(await call({}).catch((failure: unknown) => String(failure)))).toContain(
			'The customer has not written for 24 hours',
		);
	});
});

describe('send a template', () => {
	it('sends it once to the recipient that is given, and tells what it is instead of', async () => {
		tenant.answer({ [SEND]: expired, [TEMPLATE]: delivered });
		const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Jo' }] }];
		const run = await tenant.run(
			instead(
				{ ...fallback, agentId: '11', components: JSON.stringify(components) },
				{ fromAutomation: true },
			),
		);
		expect(run.error).toBeUndefined();
		expect(tenant.arrived).toEqual([
			{ request: SEND, body: { type: 'text', text: { content: 'Hello' }, from_automation: true } },
			{
				request: TEMPLATE,
				body: {
					phone_number: 491711234567,
					agent_id: 11,
					template_name: 'reopen',
					template_language: 'en_US',
					template_components: components,
					from_automation: true,
				},
			},
		]);
		expect(jsons(run.items)).toEqual([
			{
				id: 2,
				conversation_id: 7,
				status: 'created',
				latest_error: null,
				...{ text: null, template: 'reopen', language: 'en_US', customer_id: null },
				instead_of: { id: 1, latest_error: EXPIRED },
			},
		]);
		expect(hints(run)).toEqual(['1 of 1 items were not delivered and got the fallback template instead.']);
	});

	it('sends none if the message was delivered', async () => {
		tenant.answer({ [SEND]: delivered });
		const { items } = await tenant.run(instead());
		expect(jsons(items)).toEqual([
			{
				...{ id: 2, conversation_id: 7, status: 'created', latest_error: null },
				...summaryOfSent(tenant.bodies(SEND)[0]),
			},
		]);
		expect(tenant.requests).toEqual([SEND]);
	});

	it('takes a customer instead of a number', async () => {
		tenant.answer({ [SEND]: expired, [TEMPLATE]: delivered });
		await tenant.run(instead({ name: 'reopen', language: 'en_US', customerId: '42' }));
		expect(tenant.bodies(TEMPLATE)).toEqual([
			{ customer_id: 42, template_name: 'reopen', template_language: 'en_US', template_components: [] },
		]);
	});

	it('goes to the same recipient from the same agent where that was a template too', async () => {
		tenant.answer({ [TEMPLATE]: inOrder(expired, delivered) });
		const { items } = await tenant.run({
			resource: 'message',
			operation: 'sendTemplate',
			phoneNumber: '+49 171 1234567',
			agentId: { __rl: true, mode: 'id', value: '11' },
			templateName: { __rl: true, mode: 'id', value: 'offer' },
			templateLanguage: 'en_US',
			options: {
				assignBotId: '3',
				ifUndelivered: 'sendTemplate',
				fallbackTemplate: { template: { name: 'plain', language: 'de' } },
			},
		});
		expect(tenant.bodies(TEMPLATE)).toEqual([
			{
				phone_number: 491711234567,
				agent_id: 11,
				template_name: 'offer',
				template_language: 'en_US',
				assign_bot_id: 3,
				template_components: [],
			},
			{
				phone_number: 491711234567,
				agent_id: 11,
				template_name: 'plain',
				template_language: 'de',
				template_components: [],
			},
		]);
		expect(items[0].json.instead_of).toEqual({ id: 1, latest_error: EXPIRED });
	});

	it('fails if it is not delivered either, and no retry sends one of them', async () => {
		tenant.answer({ [SEND]: expired, [TEMPLATE]: answers(2, { user_friendly_message: 'No such number' }) });
		const run = await tenant.run(instead(), { settings: retrying });
		expect(run.error?.message).toBe('No such number');
		expect(described(run)).toBe(
			'The service accepted the message, but did not deliver it.\nThis is about the fallback template. The message itself was not delivered either: The customer has not written for 24 hours.\nCheck the recipient. A retry of this node sends neither of them again.',
		);
		expect(tenant.requests).toEqual([SEND, TEMPLATE]);
	});

	it('tells both reasons if it is refused, and a retry sends only it', async () => {
		tenant.answer({ [SEND]: expired, [TEMPLATE]: inOrder(refusal(422, 'No such template'), delivered) });
		const run = await tenant.run(instead());
		expect(run.error?.message).toBe('No such template');
		expect(described(run)).toContain(
			'This is about the fallback template. The message itself was not delivered: The customer has not written for 24 hours.',
		);

		tenant.arrived.splice(0);
		tenant.answer({ [SEND]: expired, [TEMPLATE]: inOrder(refusal(422, 'No such template'), delivered) });
		const retried = await tenant.run(instead(), { settings: retrying });
		expect(retried.error).toBeUndefined();
		expect(retried.items[0].json.id).toBe(2);
		expect(tenant.requests).toEqual([SEND, TEMPLATE, TEMPLATE]);
	});

	it('is not sent again if that is unclear', async () => {
		tenant.answer({ [SEND]: expired, [TEMPLATE]: brokenOff });
		const run = await tenant.run(instead(), { settings: retrying });
		expect(run.error?.message).toBe('It is unclear whether the message was sent');
		expect(described(run)).toContain('This is about the fallback template');
		expect(tenant.requests).toEqual([SEND, TEMPLATE]);
	});

	it('neither message is sent again when another item fails', async () => {
		tenant.answer({
			[SEND]: inOrder(expired, refusal(422), delivered),
			[TEMPLATE]: answers(9, null),
		});
		const run = await tenant.run(instead(), {
			items: [{ json: { n: 1 } }, { json: { n: 2 } }],
			settings: retrying,
		});
		expect(run.error).toBeUndefined();
		expect(jsons(run.items).map(({ id }) => id)).toEqual([9, 2]);
		expect(tenant.requests).toEqual([SEND, TEMPLATE, SEND, SEND]);
	});

	it.each([
		['no template', message({ ifUndelivered: 'sendTemplate' }), 'Fallback Template is empty'],
		['no name', instead({ ...fallback, name: '' }), 'Fallback Template (Template) is empty'],
		['no language', instead({ ...fallback, language: ' ' }), 'Fallback Template (Language) is empty'],
		['no recipient', instead({ name: 'reopen', language: 'en_US' }), 'Fallback Template has no recipient'],
		[
			'no components',
			instead({ ...fallback, components: '{}' }),
			'Fallback Template (Components (JSON)) is not a JSON array',
		],
	])('sends nothing with %s', async (_what, parameters, problem) => {
		const { error } = await tenant.run(parameters);
		expect(error?.message).toBe(problem);
		expect(tenant.requests).toEqual([]);
	});
});
