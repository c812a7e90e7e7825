import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { optionLabel } from '../description/labels.mts';
import type { NodeRun, NodeRunOptions } from '../engine/engine.mts';
import { leaksOfRun } from '../engine/leaks.mts';
import { inOrder, ScriptedTenant } from '../engine/scriptedTenant.mts';
import { rowOfSent } from '../engine/summaryOfSent.mts';
import { byId } from '../engine/tenant.mts';

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
const REASON = EXPIRED.user_friendly_message;
const UNTOLD = 'The service accepted the message, but did not deliver it';

/** Sends into the conversation 7. */
const message = (options: INodeParameters): INodeParameters => ({
	...{ resource: 'message', operation: 'send', conversationId: '7', messageType: 'text', text: 'Hello' },
	options,
});
const template = (options: INodeParameters): INodeParameters => ({
	...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '+49 171 1234567', agentId: byId(11) },
	...{ templateName: byId('offer'), templateLanguage: 'en_US', options },
});

const answers =
	(id: number, more: IDataObject = {}) =>
	() => ({ data: { id, conversation_id: 7, status: 'created', ...more } });
const delivered = answers(2, { latest_error: null });
const expired = answers(1, { status: 'failed', latest_error: EXPIRED });

/** Both operations get these answers. */
const answer = (...given: Array<() => unknown>) => {
	const next = inOrder(...given);
	tenant.answer({ [SEND]: next, [TEMPLATE]: next });
};

const retrying: NodeRunOptions['settings'] = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const hints = ({ run }: NodeRun) =>
	(run.data.resultData.runData.Node.at(-1)?.hints ?? []).map(({ message: told }) => told);

const jsons = (items: INodeExecutionData[]) => items.map(({ json }) => json);

describe.each([
	['Send', SEND, message],
	['Send Template', TEMPLATE, template],
])('%s, whose message is not delivered', (_operation, endpoint, parameters) => {
	it('goes on by default, and its item and a hint tell of it', async () => {
		answer(expired);
		for (const options of [{}, { ifUndelivered: 'continue' }]) {
			const run = await tenant.run(parameters(options), { items: [{ json: {} }, { json: {} }] });
			expect(run.error).toBeUndefined();
			expect(jsons(run.items)).toMatchObject([1, 2].map(() => ({ result: 'undelivered', reason: REASON })));
			expect(hints(run)).toEqual(['0 of 2 sent, 2 undelivered.']);
		}
		const raw = await tenant.run({ ...parameters({}), simple: false });
		expect(raw.items[0].json).toEqual(expired().data);
		expect(hints(raw)).toEqual(['0 of 1 sent, 1 undelivered.']);
	});

	// "error" in an item is a failure for n8n, which then runs the node again.
	it('is no failure of the node: nothing is sent again by Retry On Fail', async () => {
		answer(expired, delivered);
		const items = [{ json: {} }, { json: {} }];
		const run = await tenant.run(parameters({}), { settings: retrying, items });
		expect(run.error).toBeUndefined();
		expect(tenant.requests).toEqual([endpoint, endpoint]);
		expect(jsons(run.items).map(({ id, result, reason }) => [id, result, reason])).toEqual([
			[1, 'undelivered', REASON],
			[2, 'sent', ''],
		]);
		for (const json of jsons(run.items)) expect(json).not.toHaveProperty('error');
	});

	it('is no failure of the node either where the service has an error of its own', async () => {
		answer(answers(1, { error: 'Blocked by the carrier' }));
		const own = await tenant.run(parameters({}));
		expect(own.items[0].json.reason).toBe('Blocked by the carrier');
		const run = await tenant.run(parameters({}), { settings: retrying });
		expect(run.items[0].json).toMatchObject({ id: 1, status: 'created' });
		expect(run.items[0].json).not.toHaveProperty('error');
	});

	it('fails where that is chosen, with the reason and the way out', async () => {
		answer(expired);
		const { error, items } = await tenant.run(parameters({ ifUndelivered: 'error' }));
		expect(items).toEqual([]);
		expect(error).toMatchObject({
			message: REASON,
			description: `${UNTOLD} (Error 131047: Re-engagement message).\nCheck the recipient. After the session of a conversation has ended, only a template reaches the customer (${await optionLabel('operation', 'sendTemplate', { resource: 'message' })}). A retry of this node does not send the message again.`,
			context: { itemIndex: 0 },
		});
	});

	it('then fails with the same words after Retry On Fail, which sends nothing again', async () => {
		answer(expired, delivered);
		const { error } = await tenant.run(parameters({ ifUndelivered: 'error' }), { settings: retrying });
		expect(error?.message).toBe(REASON);
		expect(tenant.requests).toEqual([endpoint]);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'then fails its own item with %s',
		async (onError) => {
			answer(expired, delivered);
			const { items, errorItems } = await tenant.run(parameters({ ifUndelivered: 'error' }), {
				...{ onError, items: [{ json: { n: 1 } }, { json: { n: 2 } }] },
			});
			const [failed] = onError === 'continueErrorOutput' ? errorItems : items;
			const sent = items[onError === 'continueErrorOutput' ? 0 : 1];
			expect(failed).toMatchObject({
				json: {
					result: 'failed',
					reason: REASON,
					error: REASON,
					details: {
						description: expect.stringContaining('did not deliver it'),
						undelivered: { id: 1, latest_error: EXPIRED },
					},
				},
				pairedItem: { item: 0 },
			});
			expect(sent).toEqual({
				json: rowOfSent(delivered().data, tenant.bodies(endpoint)[1]),
				pairedItem: { item: 1 },
			});
		},
	);
});

describe('a message counts as undelivered', () => {
	const fail = message({ ifUndelivered: 'error' });

	it.each<[string, IDataObject, string]>([
		['a list', { latest_error: [EXPIRED] as never }, UNTOLD],
		['words that are no text', { latest_error: { user_friendly_message: { de: 'Vorbei' } } }, UNTOLD],
		['a type', { latest_error: { type: 'expired' } }, UNTOLD],
		['a number', { latest_error: 7 }, UNTOLD],
		['whatever status', { status: 'sent', latest_error: EXPIRED }, REASON],
		['the status "failed" alone', { status: 'failed' }, UNTOLD],
		['the status "failed" and null', { status: 'failed', latest_error: null }, UNTOLD],
		[
			'members of all objects',
			{
				latest_error: JSON.parse(
					'{"user_friendly_message":"Over","__proto__":{"polluted":1},"constructor":{},"message":{},"description":{}}',
				) as IDataObject,
			},
			'Over',
		],
	])('with an error that is %s', async (_what, more, told) => {
		answer(answers(1, more));
		expect((await tenant.run(fail)).error?.message).toBe(told);
		expect(({} as IDataObject).polluted).toBeUndefined();
	});

	it('without a wrapper too, and with endless words, which are cut', async () => {
		const latest_error = { ...EXPIRED, user_friendly_message: `Over ${'x'.repeat(1_000_000)}` };
		answer(() => ({ id: 1, status: 'created', latest_error }));
		const { error } = await tenant.run(fail);
		expect(error?.message).toMatch(/^Over x+/);
		expect(error?.message.length).toBeLessThan(10_000);
	});

	it.each([undefined, null, '', [], {}, false])('not with an error that is %j', async (latest_error) => {
		answer(answers(1, { latest_error: latest_error as never, status: 'queued' }));
		const run = await tenant.run(fail);
		expect(run.error).toBeUndefined();
		expect(hints(run)).toEqual([]);
	});

	it('also where the output leaves the fields out, and a model reads of it', async () => {
		answer(expired);
		const failing = { ...fail, output: 'selectedFields', outputFields: 'conversation_id' };
		for (const parameters of [failing, message({})]) {
			const call = await tenant.tool(parameters, {});
			expect(JSON.stringify(await call({}).catch(String))).toContain(REASON);
		}
	});

	it.each(['user_friendly_message', 'original_message', 'type'])(
		'and its words do not tell the token in %s',
		async (member) => {
			const { context } = await tenant.editor({});
			const { accessToken } = await context.getCredentials<{ accessToken: string }>('customerMessagingApi');
			answer(answers(1, { latest_error: { ...EXPIRED, [member]: `Bearer ${accessToken} was refused` } }));
			const run = await tenant.run(fail, { onError: 'continueRegularOutput' });
			expect(run.items).toHaveLength(1);
			expect(leaksOfRun(run, accessToken)).toEqual([]);
		},
	);
});
