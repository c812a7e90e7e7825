import type { IDataObject, INode } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { errorOf, itemsOf } from '../rest.mts';
import { asAdmin } from '../../sandbox/tenantClient.mts';
import { chain, type Given, givenByItem, givenByModel, nodeOf, stepOf, toolOf } from './agentWorkflows.mts';
import { type Call, doors, type House, openHouse, type Result, runAgent, withMcpClient } from './doors.mts';
import { CREDENTIAL_TYPE } from './tenantAndN8n.mts';

let house: House;

beforeAll(async () => {
	house = await openHouse();
});

beforeEach(async () => await house.sandbox.reset());

afterAll(async () => await house?.stop());

const byId = (value: number | string) => ({ __rl: true, mode: 'id', value });

/** Method, path and body of what the tenant was sent. */
const sent = () =>
	house.sandbox
		.requests()
		.map(({ method, path, body }) =>
			[method, path.replace('/third-party/v1', ''), Buffer.from(body, 'base64').toString()].join(' ').trim(),
		);

const mira = () => house.sandbox.store.conversations.search('Mira').records[0].id;

const tags = async () => {
	const { data } = await asAdmin(house.sandbox).get<{ data: IDataObject[] }>('/tags');
	return data.data;
};

interface Kind extends Call {
	name: string;
	/** What the tenant is sent. */
	sends: () => string[];
	gives: () => Promise<Result> | Result;
}

const refused = (named: string): Result => ({
	error: `${named} does not exist, or cannot be chosen by an expression`,
	description: 'Choose Resource and Operation from their lists.',
});

/** Every parameter that some operation requires: where it is unknown, n8n 2 publishes a tool only with all of them. */
const everyParameter = {
	...Object.fromEntries(
		[
			'agentId',
			'customerId',
			'fileUuid',
			'groupId',
			'mediaId',
			'profileId',
			'tagId',
			'templateName',
			'userId',
		].map((name) => [name, byId(1)]),
	),
	...Object.fromEntries(
		[
			'activityId',
			'conversationId',
			'displayId',
			'email',
			'name',
			'notificationUuid',
			'phoneNumber',
			'pin',
		].map((name) => [name, '1']),
	),
	customerIds: [1],
	message: 'Never sent',
	optIn: true,
	templateLanguage: 'en_US',
	text: 'Never sent',
	title: 'Never sent',
};

const kinds: Kind[] = [
	{
		name: 'a write',
		parameters: (given) => ({ resource: 'tag', operation: 'create', title: given('title') }),
		values: { title: 'Through a door' },
		sends: () => ['POST /tags {"title":"Through a door"}'],
		gives: async () => ({ items: (await tags()).filter(({ title }) => title === 'Through a door') }),
	},
	{
		name: 'a list',
		parameters: () => ({ resource: 'tag', operation: 'getAll', returnAll: false, limit: 2 }),
		values: {},
		sends: () => ['GET /tags'],
		gives: async () => ({ items: (await tags()).slice(0, 2) }),
	},
	{
		name: 'a bulk import',
		parameters: (given) => ({
			resource: 'customer',
			operation: 'bulkImport',
			columns: { mappingMode: 'defineBelow', value: { displayId: given('phone'), name: given('name') } },
			options: { output: 'summary' },
		}),
		values: { phone: '+49 171 0000001', name: 'Nora' },
		sends: () => [
			'POST /customers/bulk-import {"duplicates":"override","customers":[{"channel":"chatapp","display_id":"491710000001","name":"Nora","profile":{}}]}',
		],
		gives: () => ({ items: [{ requests: 1, created_count: 1, updated_count: 0, skipped_count: 0 }] }),
	},
	{
		name: 'a message',
		parameters: (given) => ({
			resource: 'message',
			operation: 'send',
			conversationId: given('conversation'),
			messageType: 'text',
			text: given('text'),
		}),
		get values() {
			return { conversation: String(mira()), text: 'Good morning' };
		},
		sends: () => [`POST /conversations/${mira()}/messages {"type":"text","text":{"content":"Good morning"}}`],
		gives() {
			const [{ id, sent_at }] = house.sandbox.store.conversations.messages(mira()).slice(-1);
			const row = { result: 'sent', reason: '', name: '', phone_number: '' };
			const message = { id, conversation_id: mira(), status: 'created', text: 'Good morning', sent_at };
			return { items: [{ ...row, ...message }] };
		},
	},
	{
		name: 'a write that fails',
		parameters: (given) => ({
			resource: 'media',
			operation: 'update',
			mediaId: byId(given('media')),
			updateFields: { title: 'New' },
		}),
		values: { media: 'first' },
		sends: () => [],
		gives: () => ({
			error: 'Media Item "first" is not a whole number',
			description: 'Choose a record from the list or enter its numeric ID, e.g. 42.',
			isOfValue: true,
		}),
	},
	{
		name: 'a bulk delete that fails',
		parameters: (given) => ({ resource: 'customer', operation: 'bulkDelete', customerIds: given('ids') }),
		values: { ids: '1, x' },
		sends: () => [],
		gives: () => ({
			error: 'Customer Names or IDs contains "x", which is not an ID',
			description:
				'IDs are whole numbers: choose from the list, or give an array or a list of IDs, e.g. 3, 14.',
			isOfValue: true,
		}),
	},
	{
		name: 'an operation by expression',
		parameters: (given) => ({ ...everyParameter, resource: 'tag', operation: given('operation') }),
		values: { operation: 'create' },
		sends: () => [],
		gives: () => refused('Operation'),
	},
];

const cells = doors.flatMap((door) => kinds.map((kind) => ({ door, kind })));

it.each(cells)('through $door.name: $kind.name', async ({ door, kind }) => {
	const outcome = await door.run(house, kind);
	const requests = sent();
	expect(requests).toEqual(kind.sends());
	expect(outcome).toEqual(door.outcome(await kind.gives()));
});

interface ToolCall {
	tool: INode;
	values: IDataObject;
}

/** Has these calls of tools made one after the other, and gives what they answered. */
type Caller = (calls: ToolCall[]) => Promise<string[]>;

/** By agents of these versions, and by an MCP client. */
const callers: Array<[name: string, call: Caller]> = [
	...[1.7, 2.2, 3].map((version): [string, Caller] => [
		`AI Agent ${version}`,
		async (calls) => {
			await runAgent(house, version, calls);
			return house.model.told();
		},
	]),
	[
		'the MCP Server Trigger',
		async (calls) =>
			await withMcpClient(house, [...new Set(calls.map(({ tool }) => tool))], async (client) => {
				const told: string[] = [];
				for (const { tool, values } of calls) {
					const { content } = await client.callTool({ name: tool.name, arguments: values });
					told.push((content as Array<{ text: string }>)[0].text);
				}
				return told;
			}),
	],
];

describe('Retry On Fail', () => {
	const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	const sending = (given: Given) => ({
		resource: 'message',
		operation: 'send',
		conversationId: String(mira()),
		messageType: 'text',
		text: given('text'),
	});

	/** Two items that are the same. */
	const twoItems = [
		nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1),
		nodeOf('Texts', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: JSON.stringify({ texts: [{ text: 'Good morning' }, { text: 'Good morning' }] }),
			options: {},
		}),
		nodeOf('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'texts', options: {} }),
	];

	const goodMorning = () =>
		`POST /conversations/${mira()}/messages {"type":"text","text":{"content":"Good morning"}}`;

	it.each(callers)(
		'sends a message once when its answer is lost, and again when the tool is called again: %s',
		async (_name, call) => {
			house.sandbox.faults.add({ kind: 'drop-after', path: '/conversations/*/messages', times: 1 });
			const tool = toolOf(house.credential, sending(givenByModel), retrying);
			const values = { text: 'Good morning' };
			const told = await call([
				{ tool, values },
				{ tool, values },
			]);
			expect(sent()).toEqual([goodMorning(), goodMorning()]);
			expect(JSON.parse(told[1])).toMatchObject([{ status: 'created' }]);
		},
	);

	it('a retry from the list of executions leaves out what was sent, and sends what was unclear', async () => {
		const faults = { kind: 'drop-after', path: '/conversations/*/messages', skip: 1, times: 1 } as const;
		house.sandbox.faults.add(faults);
		const credential = await house.rest.createCredential({
			name: 'One after the other',
			type: CREDENTIAL_TYPE,
			data: {
				tenantDomain: house.sandbox.url,
				accessToken: house.sandbox.token,
				advanced: { settings: { maximumInFlight: 1 } },
			},
		});
		const step = stepOf(credential, sending(givenByItem), retrying);
		const { id } = await house.rest.createWorkflow(chain('Retried', [...twoItems, step]));
		const failed = await house.rest.runToEnd(id, 'Start');
		expect(errorOf(failed)?.message).toBe('It is unclear whether the message was sent');
		expect(sent()).toEqual([goodMorning(), goodMorning()]);
		const retried = await house.rest.retry(failed.id);
		expect(errorOf(retried)).toBeUndefined();
		expect(itemsOf(retried, step.name)).toHaveLength(2);
		expect(sent()).toEqual([goodMorning(), goodMorning(), goodMorning()]);
	});

	it('sends the same item again in the next round of a loop, and not what may have been sent', async () => {
		house.sandbox.faults.add({ kind: 'drop-after', path: '/conversations/*/messages', times: 1 });
		const settings = { ...retrying, onError: 'continueRegularOutput' as const };
		const step = stepOf(house.credential, sending(givenByItem), settings);
		const { nodes, connections, name } = chain('Loop', [
			...twoItems,
			nodeOf('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} }),
		]);
		const to = (node: string) => [{ node, type: NodeConnectionTypes.Main, index: 0 }];
		const round = { Loop: { main: [[], to(step.name)] }, [step.name]: { main: [to('Loop')] } };
		const { id } = await house.rest.createWorkflow({
			name,
			nodes: [...nodes, step],
			connections: { ...connections, ...round },
		});
		const execution = await house.rest.runToEnd(id, 'Start');
		expect(sent()).toEqual([goodMorning(), goodMorning()]);
		expect(itemsOf(execution, 'Loop').map(({ json }) => json)).toEqual([
			expect.objectContaining({ error: 'It is unclear whether the message was sent' }),
			expect.objectContaining({ status: 'created' }),
		]);
	});
});
