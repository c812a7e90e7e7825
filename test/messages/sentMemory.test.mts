import type { INodeExecutionData, NodeApiError } from 'n8n-workflow';

import { agentRun } from '../engine/agentTool.mts';
import type { NodeRun, NodeRunOptions } from '../engine/engine.mts';
import { pixelBinary } from '../engine/pixel.mts';
import { connected, nodeOf, rounds } from '../engine/otherNodes.mts';
import { brokenOff, inOrder, refusal, ScriptedTenant, sentMessages } from '../engine/scriptedTenant.mts';
import { rowOfSent } from '../engine/summaryOfSent.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /conversations/7/messages';

/** So that answers in an order are for the items in their order. */
const ONE_AFTER_ANOTHER = { maximumTries: 1, maximumInFlight: 1 };

const message = {
	resource: 'message',
	operation: 'send',
	conversationId: '7',
	messageType: 'text',
	text: '={{ $json.text }}',
	advanced: ONE_AFTER_ANOTHER,
};

const items = (...texts: string[]): INodeExecutionData[] => texts.map((text) => ({ json: { text } }));

/** Without a pause of its own the node waits for a second. */
const retrying: NodeRunOptions['settings'] = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

/** The texts that went out, in their order. */
const sentTexts = () => tenant.bodies(SEND).map(({ text }) => (text as { content: string }).content);

/** The simplified message that the tenant answers with when it takes a text. */
const messageOf = (id: number, content: string) =>
	rowOfSent({ id, conversation_id: 7, status: 'created' }, { type: 'text', text: { content } });

/** What the run has left in the node's own part of the execution. */
const keptIn = ({ run }: NodeRun) => run.data.executionData?.contextData['node:Node'] ?? {};

/** Runs the node in a loop, with the same items in each of two rounds. */
async function runTwoRounds(given: INodeExecutionData[]): Promise<NodeRun> {
	return await tenant.run(message, {
		items: given,
		settings: retrying,
		surroundings: {
			nodes: [nodeOf('Again', 'test.again')],
			types: { 'test.again': rounds(2, given) },
			connections: connected(['Source', 'Node'], ['Node', 'Again'], ['Again', 'Node']),
		},
	});
}

/** How many items each run of the node gave. */
const itemsByRun = ({ run }: NodeRun) =>
	run.data.resultData.runData.Node.map(({ data }) => data?.main[0]?.length);

describe('in a loop', () => {
	it('the same content in another round is a new message', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const run = await runTwoRounds(items('a', 'b'));
		expect(run.error).toBeUndefined();
		expect(sentTexts()).toEqual(['a', 'b', 'a', 'b']);
		expect(itemsByRun(run)).toEqual([2, 2]);
	});

	it('a retry leaves out what was sent in its own round', async () => {
		const sent = sentMessages();
		tenant.answer({ [SEND]: inOrder(sent, sent, sent, refusal(422), sent) });
		const run = await runTwoRounds(items('a', 'b'));
		expect(sentTexts()).toEqual(['a', 'b', 'a', 'b', 'b']);
		expect(itemsByRun(run)).toEqual([2, 2]);
	});
});

describe('a retry of the node', () => {
	it('gives out what the first try gave, and sends only the rest', async () => {
		const sent = sentMessages();
		tenant.answer({ [SEND]: inOrder(sent, sent, refusal(422), sent) });
		const { items: given, error } = await tenant.run(message, {
			items: items('a', 'b', 'c'),
			settings: retrying,
		});
		expect(error).toBeUndefined();
		expect(sentTexts()).toEqual(['a', 'b', 'c', 'c']);
		expect(given).toEqual(
			['a', 'b', 'c'].map((text, item) => ({ json: messageOf(item + 1, text), pairedItem: { item } })),
		);
	});

	it('sends the same text to the same conversation once for each item that holds it', async () => {
		const sent = sentMessages();
		tenant.answer({ [SEND]: inOrder(sent, sent, refusal(422), sent) });
		const { items: given } = await tenant.run(message, { items: items('a', 'a', 'a'), settings: retrying });
		expect(sentTexts()).toEqual(['a', 'a', 'a', 'a']);
		expect(given.map(({ json }) => json.id)).toEqual([1, 2, 3]);
	});

	it('does not send again a message that holds the time, or something else that changes', async () => {
		const sent = sentMessages();
		tenant.answer({ [SEND]: inOrder(sent, refusal(422), sent) });
		const { items: given } = await tenant.run(
			{ ...message, text: '={{ $json.text + " " + Math.random() }}' },
			{ items: items('a', 'b'), settings: retrying },
		);
		expect(sentTexts().map(([first]) => first)).toEqual(['a', 'b', 'b']);
		expect(given.map(({ json }) => json.id)).toEqual([1, 2]);
	});

	it('takes an item that holds what JSON has not', async () => {
		tenant.answer({ [SEND]: inOrder(refusal(422), sentMessages()) });
		const json = { text: 'a', large: BigInt(1) } as unknown as INodeExecutionData['json'];
		const { error } = await tenant.run(message, { items: [{ json }], settings: retrying });
		expect(error).toBeUndefined();
		expect(sentTexts()).toEqual(['a', 'a']);
	});

	it('does not ask again whether somebody agrees who has the message already', async () => {
		const template = {
			resource: 'message',
			operation: 'sendTemplate',
			phoneNumber: '={{ $json.text }}',
			agentId: { __rl: true, mode: 'id', value: '11' },
			templateName: { __rl: true, mode: 'id', value: 'welcome' },
			templateLanguage: 'en_US',
			options: { withoutConsent: 'skip' },
			advanced: ONE_AFTER_ANOTHER,
		};
		const consent = (is_opted_in: boolean) => () => ({ data: { is_opted_in } });
		const sent = sentMessages();
		tenant.answer({
			'GET /profiles': ({ request }) => {
				const [, phone_number] = /search=(\d+)/.exec(request) ?? [];
				return { data: [{ id: 8, phone_number }] };
			},
			'GET /profiles/8/marketing-opt-in': inOrder(consent(true), consent(true), consent(false)),
			'POST /chatapp/send-template': inOrder(sent, refusal(422), sent),
		});
		const { items: given } = await tenant.run(template, {
			items: items('491711234567', '491711234568'),
			settings: retrying,
		});
		expect(given).toMatchObject([
			{ json: { id: 1, status: 'created' }, pairedItem: { item: 0 } },
			{ json: { result: 'skipped', profile_id: 8 }, pairedItem: { item: 1 } },
		]);
		expect(tenant.requests.filter((request) => request.includes('opt-in'))).toHaveLength(3);
	});

	it('does not send again what may have been sent, and says so again', async () => {
		tenant.answer({ [SEND]: brokenOff });
		const { items: given } = await tenant.run(message, {
			items: items('a'),
			settings: retrying,
			onError: 'continueRegularOutput',
		});
		expect(sentTexts()).toEqual(['a']);
		expect(given).toEqual([
			{
				json: {
					...{ result: 'failed', reason: 'It is unclear whether the message was sent' },
					...{ name: '', phone_number: '', conversation_id: 7, text: 'a' },
					error: 'It is unclear whether the message was sent',
					details: {
						description: expect.stringMatching(/^.+\.\n.+/),
						outcome: 'unknown',
						sent: { type: 'text', text: { content: 'a' } },
					},
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it('says of what may have been sent the same as the first try', async () => {
		const unclear = async (settings: NodeRunOptions['settings']) => {
			tenant.answer({ [SEND]: inOrder(refusal(502, 'The gateway is tired')) });
			const { error } = await tenant.run(message, { items: items('x', 'a'), settings });
			const { message: told, description, context, httpCode } = error as NodeApiError;
			return { told, description, context, httpCode };
		};
		const first = await unclear({});
		expect(first.description).toMatch(/^The gateway is tired\.\n.*HTTP 502/);
		expect(first.description).toContain('check in your account before you send it again');
		expect(first.httpCode).toBe('502');
		expect(await unclear(retrying)).toEqual(first);
		expect(sentTexts()).toEqual(['x', 'x']);
	});

	it('names the item of which it is unclear', async () => {
		tenant.answer({ [SEND]: inOrder(sentMessages(), brokenOff) });
		const { error } = await tenant.run(message, { items: items('a', 'b'), settings: retrying });
		expect(error?.context).toMatchObject({
			itemIndex: 1,
			outcome: 'unknown',
			sent: { type: 'text', text: { content: 'b' } },
		});
		expect(sentTexts()).toEqual(['a', 'b']);
	});

	it('reports a refusal as it is, not as unclear', async () => {
		tenant.answer({ [SEND]: refusal(422, 'No such conversation') });
		const { error } = await tenant.run(message, { items: items('a'), settings: retrying });
		expect(error).toMatchObject({ message: 'No such conversation', httpCode: '422' });
		expect(error?.context.outcome).toBeUndefined();
		expect(error?.context.itemIndex).toBe(0);
		expect(sentTexts()).toEqual(['a', 'a']);
	});

	it('uploads a file again only for an item that was not sent', async () => {
		const sent = sentMessages();
		tenant.answer({
			'GET /support/allowed-mime-types': () => ({ data: { image: ['image/png'] } }),
			'GET /support/media-size-limits': () => ({ data: { temporary_upload_mb: { image: 5 } } }),
			'POST /files/temporary-upload': () => ({ internal_uuid: 'file-1' }),
			[SEND]: inOrder(sent, refusal(422), sent),
		});
		const { items: given } = await tenant.run(
			{ ...message, messageType: 'image', mediaSource: 'binary', binaryPropertyName: 'data' },
			{ items: [1, 2].map(() => ({ json: {}, binary: { data: pixelBinary } })), settings: retrying },
		);
		expect(given).toHaveLength(2);
		expect(tenant.requests.filter((request) => request.includes('upload'))).toHaveLength(3);
	});
});

describe('as a tool of an agent before version 3, or of the MCP Server Trigger', () => {
	const asked = { ...message, text: "={{ $fromAI('text', 'The text', 'string') }}" };

	it('a retry does not send again what may have been sent, and says so', async () => {
		tenant.answer({ [SEND]: inOrder(brokenOff, sentMessages()) });
		const call = await tenant.tool(asked, { ...retrying, maxTries: 5 });
		await expect(call({ text: 'a' })).rejects.toThrow('It is unclear whether the message was sent');
		expect(sentTexts()).toEqual(['a']);
	});

	it('a retry sends again what the tenant has refused', async () => {
		tenant.answer({ [SEND]: inOrder(refusal(422), sentMessages()) });
		const call = await tenant.tool(asked, retrying);
		expect(await call({ text: 'a' })).toEqual([messageOf(1, 'a')]);
		expect(sentTexts()).toEqual(['a', 'a']);
	});

	it('another call of the model is a new message, whatever became of the one before', async () => {
		const sent = sentMessages();
		tenant.answer({ [SEND]: inOrder(brokenOff, sent) });
		const call = await tenant.tool(asked, retrying);
		await expect(call({ text: 'a' })).rejects.toThrow('It is unclear whether the message was sent');
		expect(await call({ text: 'a' })).toMatchObject([{ id: 1 }]);
		expect(await call({ text: 'a' })).toMatchObject([{ id: 2 }]);
		expect(sentTexts()).toEqual(['a', 'a', 'a']);
	});

	it('each item of an agent that begins several at once sends its message', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const run = agentRun();
		const first = await tenant.tool(asked, retrying, run);
		const second = await tenant.tool(asked, retrying, run);
		expect(await first({ text: 'a' })).toMatchObject([{ id: 1 }]);
		expect(await second({ text: 'a' })).toMatchObject([{ id: 2 }]);
		expect(sentTexts()).toEqual(['a', 'a']);
	});
});

describe('what is kept of sent messages', () => {
	// What is kept depends on Retry On Fail.
	beforeEach(() => (tenant.startsRefused = false));

	it('is nothing when no retry can come', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const run = await tenant.run(message, { items: items('a') });
		expect(run.items).toHaveLength(1);
		expect(keptIn(run)).toEqual({});
	});

	it('is what came out, for each item by itself, and nothing else of the item', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const given = items('a', 'b').map(({ json }) => ({ json: { ...json, note: 'secret words' } }));
		const run = await tenant.run(message, { items: given, settings: retrying });
		const { sentMessages: kept } = keptIn(run) as { sentMessages: Record<string, unknown> };
		expect(Object.values(kept)).toEqual(
			['a', 'b'].map((text, item) => ({ items: [{ json: messageOf(item + 1, text) }] })),
		);
		expect(JSON.stringify(kept)).not.toContain('secret words');
	});

	it('is why the outcome is unclear', async () => {
		tenant.answer({ [SEND]: refusal(502, 'The gateway is tired') });
		const run = await tenant.run(message, { items: items('a'), settings: retrying });
		const { sentMessages: kept } = keptIn(run) as { sentMessages: Record<string, unknown> };
		const body = tenant.bodies(SEND)[0];
		const description = expect.stringMatching(/^The gateway is tired\.\n/);
		expect(Object.values(kept)).toEqual([
			{ description, httpCode: '502', body, execution: expect.any(String) },
		]);
	});
});
