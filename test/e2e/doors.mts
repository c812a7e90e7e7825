import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IConnections, IDataObject, INode, INodeParameters, NodeConnectionType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { generation } from '../n8n/generation.mts';
import { errorOf, type Execution, itemsOf } from '../n8n/rest.mts';
import type { WorkflowDefinition } from '../n8n/workflow.mts';
import { type ChatModel, type ChatRequest, type ChatTurn, startChatModel } from './examplesChatModel.mts';
import { CREDENTIAL_TYPE, NODE_TYPE, startTenantAndN8n, type TenantAndN8n } from './tenantAndN8n.mts';

/** Writes a parameter that takes a value of the caller: of the item, or of the model. */
export type Given = (name: string) => string;

/** What an operation is run with. */
export interface Call {
	/** The node's parameters. */
	parameters: (given: Given) => INodeParameters;
	/** What the item holds, or what the model gives to the tool. */
	values: IDataObject;
	/** Settings of the node, such as `retryOnFail`. */
	settings?: Partial<INode>;
}

/** What came of it. */
export interface Outcome {
	/** What n8n keeps of each run of the node: its items, or the message of its error. */
	runs: Array<IDataObject[] | string>;
	/** Why the execution failed, if it did. */
	error?: string;
	/** What the model or the MCP client was told, of each call. */
	told?: unknown[];
}

/** A way by which n8n runs a node. */
export interface Door {
	name: string;
	given: Given;
	run(house: House, call: Call): Promise<Outcome>;
}

/** A real n8n, a tenant, and a chat model. */
export interface House extends TenantAndN8n {
	model: ChatModel & { credential: { id: string; name: string } };
	/** The model calls the tools one after the other with these values, and then ends. */
	plan(calls: Array<{ tool: string; values: IDataObject }>): void;
	/** A data table of one row, for evaluations. */
	dataTableId: string;
}

/** Starts everything on free ports. */
export async function openHouse(): Promise<House> {
	let planned: Array<{ tool: string; values: IDataObject }> = [];
	const turn = ({ messages }: ChatRequest): ChatTurn => {
		const next = planned[messages.filter(({ role }) => role === 'tool').length];
		return next ? { tool: next.tool, arguments: next.values } : { text: 'Done' };
	};
	const model = await startChatModel(turn);
	const both = await startTenantAndN8n();
	const data = { apiKey: 'none', url: model.url };
	const credential = await both.rest.createCredential({ name: 'Chat model', type: 'openAiApi', data });
	return {
		...both,
		model: { ...model, credential },
		plan(calls) {
			planned = calls;
			model.requests.length = 0;
		},
		dataTableId: await both.rest.createDataTable('dataset', 'row', ['only']),
		async stop() {
			await both.stop();
			await model.close();
		},
	};
}

/** The name of the package's node, and of the tool. */
export const NODE = 'Node';

const START = 'Start';

const nodeOf = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
): INode => ({ id: name, name, type, typeVersion, position: [0, 0], parameters, ...more });

const manualStart = nodeOf(START, 'n8n-nodes-base.manualTrigger', 1);

/** Gives an item for each of these. */
const givenNode = (...items: IDataObject[]): INode[] => [
	nodeOf('Given', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ items }),
		options: {},
	}),
	nodeOf('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
];

/** The package's node, as a step of a workflow. */
const stepOf = ({ credential }: House, { parameters, settings }: Call): INode =>
	nodeOf(NODE, NODE_TYPE, 1, parameters(ofItem), {
		credentials: { [CREDENTIAL_TYPE]: credential },
		...settings,
	});

/** The package's node, as a tool. */
export const toolOf = (
	{ credential }: House,
	{ parameters, settings }: Call,
	name = NODE,
): INode =>
	nodeOf(
		name,
		`${NODE_TYPE}Tool`,
		1,
		{ descriptionType: 'manual', toolDescription: `Calls the tenant: ${name}`, ...parameters(ofModel) },
		{ credentials: { [CREDENTIAL_TYPE]: credential }, ...settings },
	);

const ofItem: Given = (name) => `={{ $json.${name} }}`;
const ofModel: Given = (name) => `={{ $fromAI('${name}', 'The ${name}', 'string') }}`;

const to = (node: string, type: NodeConnectionType = NodeConnectionTypes.Main) => ({
	[type]: [[{ node, type, index: 0 }]],
});

/** A workflow of these nodes, one behind the other. */
export function chain(name: string, ...nodes: INode[]): WorkflowDefinition {
	const connections: IConnections = Object.fromEntries(
		nodes.slice(1).map((node, index) => [nodes[index].name, to(node.name)]),
	);
	return { name, nodes, connections };
}

/** The same with these tools, and a chat model where one is given, at the last node. */
export function withTools(workflow: WorkflowDefinition, tools: INode[], model?: INode): WorkflowDefinition {
	const { name: last } = workflow.nodes[workflow.nodes.length - 1];
	const connections = { ...workflow.connections };
	for (const tool of tools) connections[tool.name] = to(last, NodeConnectionTypes.AiTool);
	if (model) connections[model.name] = to(last, NodeConnectionTypes.AiLanguageModel);
	return { ...workflow, nodes: [...workflow.nodes, ...tools, ...(model ? [model] : [])], connections };
}

export const agentOf = (typeVersion: number): INode =>
	nodeOf('Agent', '@n8n/n8n-nodes-langchain.agent', typeVersion, {
		...(typeVersion < 2 && { agent: 'toolsAgent' }),
		promptType: 'define',
		text: 'Do it',
		options: {},
	});

export const modelOf = ({ model }: House): INode =>
	nodeOf(
		'Model',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		1.2,
		{ model: { __rl: true, value: 'gpt-4.1-mini', mode: 'list' }, options: {} },
		{ credentials: { openAiApi: model.credential } },
	);

/** What n8n keeps of the runs of a node, in a workflow or as a tool. */
function runsOf({ data }: Execution, node: string): Outcome['runs'] {
	return (data.resultData.runData[node] ?? []).map(({ data: given, error }) => {
		if (error) return error.message;
		const items = given?.main?.[0] ?? given?.ai_tool?.[0] ?? [];
		return items.map(({ json }) => json);
	});
}

function outcomeOf(execution: Execution): Outcome {
	return { runs: runsOf(execution, NODE), error: errorOf(execution)?.message };
}

/** Tool messages of the model's last request. */
function toldTo({ model }: House): string[] {
	const { messages } = model.requests.at(-1) ?? { messages: [] };
	return messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
}

/** By an agent of this version. */
const agent = (typeVersion: number): Door => ({
	name: `AI Agent ${typeVersion}`,
	given: ofModel,
	async run(house, call) {
		house.plan([{ tool: NODE, values: call.values }]);
		const workflow = withTools(
			chain('Agent', manualStart, agentOf(typeVersion)),
			[toolOf(house, call)],
			modelOf(house),
		);
		const { id } = await house.rest.createWorkflow(workflow);
		const execution = await house.rest.runToEnd(id, START);
		return { ...outcomeOf(execution), told: toldTo(house) };
	},
});

/** Connects an MCP client to the MCP Server Trigger of a workflow with these tools. */
export async function withMcpClient<T>(
	{ rest, n8n }: House,
	tools: INode[],
	use: (client: Client, workflowId: string) => Promise<T>,
): Promise<T> {
	const path = randomUUID();
	const trigger = nodeOf(
		'MCP',
		'@n8n/n8n-nodes-langchain.mcpTrigger',
		2,
		{ path, authentication: 'none' },
		{ webhookId: path },
	);
	const workflow = await rest.createWorkflow(withTools(chain('MCP', trigger), tools));
	await rest.publish(workflow);
	const client = new Client({ name: 'client-of-the-tests', version: '1.0.0' });
	const transport = new StreamableHTTPClientTransport(new URL(`${n8n.url}/mcp/${path}`));
	await client.connect(transport);
	try {
		return await use(client, workflow.id);
	} finally {
		await client.close();
		await rest.unpublish(workflow.id);
	}
}

/** All doors. */
export const doors: Door[] = [
	{
		name: 'a workflow',
		given: ofItem,
		async run(house, call) {
			const workflow = chain('Workflow', manualStart, ...givenNode(call.values), stepOf(house, call));
			const { id } = await house.rest.createWorkflow(workflow);
			return outcomeOf(await house.rest.runToEnd(id, START));
		},
	},
	{
		name: 'a published workflow',
		given: ofItem,
		async run({ rest, n8n, ...house }, call) {
			const path = randomUUID();
			const hook = nodeOf(
				'Webhook',
				'n8n-nodes-base.webhook',
				2,
				{ path, responseMode: 'lastNode', options: {} },
				{ webhookId: path },
			);
			const workflow = chain('Published', hook, ...givenNode(call.values), stepOf({ rest, n8n, ...house }, call));
			const created = await rest.createWorkflow(workflow);
			await rest.publish(created);
			await fetch(`${n8n.url}/webhook/${path}`);
			const [execution] = await rest.executionsOf(created.id);
			await rest.unpublish(created.id);
			return outcomeOf(execution);
		},
	},
	{
		name: 'a sub-workflow',
		given: ofItem,
		async run(house, call) {
			const { rest } = house;
			const called = nodeOf('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
				inputSource: 'passthrough',
			});
			const sub = await rest.createWorkflow(chain('Sub-workflow', called, stepOf(house, call)));
			if (generation === 2) await rest.publish(sub);
			const caller = nodeOf(NODE, 'n8n-nodes-base.executeWorkflow', 1.2, {
				workflowId: { __rl: true, mode: 'id', value: sub.id },
				workflowInputs: { mappingMode: 'defineBelow', value: {} },
				options: {},
			});
			const workflow = chain('Calling', manualStart, ...givenNode(call.values), caller);
			const { id } = await rest.createWorkflow(workflow);
			return outcomeOf(await rest.runToEnd(id, START));
		},
	},
	{
		name: 'a step in the editor',
		given: ofItem,
		async run(house, call) {
			const { rest } = house;
			const workflow = chain('Step', manualStart, ...givenNode(call.values), stepOf(house, call));
			const { id } = await rest.createWorkflow(workflow);
			const before = await rest.runStep(id, 'Items');
			return outcomeOf(await rest.runStep(id, NODE, before.data.resultData.runData));
		},
	},
	{
		name: 'an evaluation',
		given: ofItem,
		async run(house, call) {
			const { rest, dataTableId } = house;
			const trigger = nodeOf('Dataset', 'n8n-nodes-base.evaluationTrigger', 4.7, {
				source: 'dataTable',
				dataTableId: { __rl: true, mode: 'id', value: dataTableId },
			});
			const metric = { id: 'ran', name: 'ran', value: 1, type: 'number' };
			const metrics = nodeOf('Metrics', 'n8n-nodes-base.evaluation', 4.7, {
				operation: 'setMetrics',
				metric: 'customMetrics',
				metrics: { assignments: [metric] },
			});
			const workflow = chain('Evaluation', trigger, ...givenNode(call.values), stepOf(house, call), metrics);
			const { id } = await rest.createWorkflow(workflow);
			const [execution] = await rest.evaluate(id);
			return outcomeOf(execution);
		},
	},
	agent(1.7),
	agent(2.2),
	agent(3),
	{
		name: 'the MCP Server Trigger',
		given: ofModel,
		async run(house, call) {
			return await withMcpClient(house, [toolOf(house, call)], async (client, workflowId) => {
				const [{ name }] = (await client.listTools()).tools;
				const result = await client.callTool({ name, arguments: call.values });
				const [execution] = await house.rest.executionsOf(workflowId);
				return { ...outcomeOf(execution), told: [result] };
			});
		},
	},
];
