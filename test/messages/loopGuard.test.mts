import type { INodeExecutionData } from 'n8n-workflow';

import { pixelBinary } from '../engine/pixel.mts';
import { connected, nodeOf, passing } from '../engine/otherNodes.mts';
import { ScriptedTenant, sentMessages } from '../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /conversations/7/messages';
const TRIGGER = 'n8n-nodes-customer-messaging.customerMessagingTrigger';
const STOPPED = 'This message would start its own workflow again and again';

const text = {
	resource: 'message',
	operation: 'send',
	conversationId: '7',
	messageType: 'text',
	text: 'Hello',
};
const automatic = { ...text, options: { fromAutomation: true } };
/** A message of a type of its own, whose body says so. */
const custom = (from_automation: string) => ({
	...{ ...text, messageType: 'custom', customType: { __rl: true, mode: 'id', value: 'interactive' } },
	customBody: `{ "from_automation": ${from_automation} }`,
});

beforeEach(() => tenant.answer({ [SEND]: sentMessages() }));

describe('a message from an automation', () => {
	it.each([
		['the trigger of this package', TRIGGER, true],
		['the trigger of the package under another name', '@scope/messaging.customerMessagingTrigger', true],
		['the trigger from the folder of custom nodes', 'CUSTOM.customerMessagingTrigger', true],
		['a start by hand', 'n8n-nodes-base.manualTrigger', false],
		['a node whose name only ends alike', 'other.notTheCustomerMessagingTrigger', false],
		['a node whose name only ends with the very word', 'other.my_customerMessagingTrigger', false],
		['one whose name only begins alike', 'n8n-nodes-customer-messaging.customerMessagingTriggerTool', false],
	])('after %s', async (_start, sourceType, isStopped) => {
		const { error, items } = await tenant.run(automatic, { sourceType });
		expect(error?.message).toBe(isStopped ? STOPPED : undefined);
		expect(items).toHaveLength(isStopped ? 0 : 1);
		expect(tenant.requests).toEqual(isStopped ? [] : [SEND]);
	});

	it.each([
		['From Automation is off', { ...text, options: { fromAutomation: false } }, false],
		[
			'an expression switches From Automation off, and Allow Loop is off',
			{ ...text, options: { fromAutomation: '={{ false }}', allowLoop: false } },
			false,
		],
		['Allow Loop is on', { ...text, options: { fromAutomation: true, allowLoop: true } }, false],
		['Allow Loop is off', { ...text, options: { fromAutomation: true, allowLoop: false } }, true],
		['the body of a message of another type says so', custom('true'), true],
		['the body of a message of another type says otherwise', custom('false'), false],
	])('after the trigger, where %s', async (_what, parameters, isStopped) => {
		const { error } = await tenant.run(parameters, { sourceType: TRIGGER });
		expect(error?.message).toBe(isStopped ? STOPPED : undefined);
		expect(tenant.requests).toEqual(isStopped ? [] : [SEND]);
	});

	it.each(['"maybe"', '2', '[true]', '{}'])(
		'where a body of one’s own says %s, which is neither, nothing is sent',
		async (from_automation) => {
			const { error } = await tenant.run(custom(from_automation));
			expect(error?.message).toMatch(/^Custom Body \(JSON\): From Automation .* is neither true nor false$/);
			expect(tenant.requests).toEqual([]);
		},
	);

	it.each(['true', 'YES', '1', ' ja '])('after the trigger, where From Automation is %j', async (word) => {
		const { error } = await tenant.run(
			{ ...text, options: { fromAutomation: '={{ $json.word }}' } },
			{ items: [{ json: { word } }], sourceType: TRIGGER },
		);
		expect(error?.message).toBe(STOPPED);
		expect(tenant.requests).toEqual([]);
	});

	it('goes out when the workflow has the trigger, and another start has begun this execution', async () => {
		const { error } = await tenant.run(automatic, {
			surroundings: {
				nodes: [nodeOf('Trigger', TRIGGER)],
				types: { [TRIGGER]: passing() },
				connections: connected(['Source', 'Node'], ['Trigger', 'Node']),
			},
		});
		expect(error).toBeUndefined();
		expect(tenant.requests).toEqual([SEND]);
	});

	it('is stopped when the trigger has begun this execution, and the workflow has another start', async () => {
		const { error } = await tenant.run(automatic, {
			sourceType: TRIGGER,
			surroundings: {
				nodes: [nodeOf('Manual', 'test.manual')],
				types: { 'test.manual': passing() },
				connections: connected(['Manual', 'Node'], ['Source', 'Node']),
			},
		});
		expect(error?.message).toBe(STOPPED);
	});

	it('is stopped however many nodes stand between', async () => {
		const { error } = await tenant.run(automatic, {
			sourceType: TRIGGER,
			surroundings: {
				nodes: [nodeOf('First', 'test.passing'), nodeOf('Second', 'test.passing')],
				types: { 'test.passing': passing() },
				connections: connected(['Source', 'First'], ['First', 'Second'], ['Second', 'Node']),
			},
		});
		expect(error?.message).toBe(STOPPED);
		expect(tenant.requests).toEqual([]);
	});

	it.each(['Say "hello"', "The customer's answer", 'New {{message}}', 'Answer }} now'])(
		'is stopped when the trigger is called %s',
		async (name) => {
			const { error } = await tenant.run(automatic, {
				surroundings: {
					nodes: [nodeOf(name, TRIGGER)],
					types: { [TRIGGER]: passing() },
					connections: connected(['Source', name], [name, 'Node']),
				},
			});
			expect(error?.message).toBe(STOPPED);
		},
	);
});

describe('a stopped message', () => {
	const mixed: INodeExecutionData[] = [false, true].map((automatic) => ({ json: { automatic } }));
	const byItem = { ...text, options: { fromAutomation: '={{ $json.automatic }}' } };

	it('is that of its own item', async () => {
		const { error } = await tenant.run(byItem, { items: mixed, sourceType: TRIGGER });
		expect(error).toMatchObject({ message: STOPPED, context: { itemIndex: 1 } });
		expect(error?.description).toContain('switch Allow Loop on');
		expect(tenant.requests).toEqual([SEND]);
	});

	it('leaves the others alone with Continue', async () => {
		const { items } = await tenant.run(byItem, {
			items: mixed,
			sourceType: TRIGGER,
			onError: 'continueRegularOutput',
		});
		expect(items).toMatchObject([
			{ json: { id: 1 }, pairedItem: { item: 0 } },
			{ json: { error: STOPPED }, pairedItem: { item: 1 } },
		]);
	});

	it('uploads nothing', async () => {
		const { error } = await tenant.run(
			{ ...automatic, messageType: 'image', mediaSource: 'binary', binaryPropertyName: 'data' },
			{ items: [{ json: {}, binary: { data: pixelBinary } }], sourceType: TRIGGER },
		);
		expect(error?.message).toBe(STOPPED);
		expect(tenant.requests).toEqual([]);
	});

	it('is no message that may have been sent', async () => {
		const { error } = await tenant.run(automatic, { sourceType: TRIGGER });
		expect(error?.context).not.toHaveProperty('outcome');
	});
});
