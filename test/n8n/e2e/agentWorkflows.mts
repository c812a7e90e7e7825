import type { IConnections, IDataObject, INode, INodeParameters, NodeConnectionType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { N8nRest } from '../rest.mts';
import type { WorkflowDefinition } from '../workflow.mts';
import { type ChatMessage, type ChatModel, type ChatRequest, startChatModel } from './examplesChatModel.mts';
import { CREDENTIAL_TYPE, NODE_TYPE } from './tenantAndN8n.mts';

/** The id and the name of a credential in n8n. */
export interface StoredCredential {
	id: string;
	name: string;
}

/** Writes a parameter that takes a value of the item, or of the model. */
export type Given = (name: string) => string;

export const givenByItem: Given = (name) => `={{ $json.${name} }}`;
export const givenByModel: Given = (name) => `={{ $fromAI('${name}', 'The ${name}', 'string') }}`;

/** The call of a tool that a model is to make. */
export interface PlannedCall {
	/** Name of the tool's node, of one word. */
	tool: string;
	values: IDataObject;
}

/** A chat model that calls tools as planned, one after the other, and then ends. */
export interface PlannedModel extends Pick<ChatModel, 'close'> {
	credential: StoredCredential;
	plan(calls: PlannedCall[]): void;
	/** What the tools answered since it was planned, as the model was told. */
	told(): string[];
}

/** Starts such a model, and creates its credential in n8n. */
export async function startPlannedModel(rest: N8nRest): Promise<PlannedModel> {
	let planned: PlannedCall[] = [];
	const answersIn = (messages: ChatMessage[]) => messages.filter(({ role }) => role === 'tool');
	const model = await startChatModel(({ messages }: ChatRequest) => {
		const next = planned.at(answersIn(messages).length);
		return next ? { tool: next.tool, arguments: next.values } : { text: 'Done' };
	});
	const data = { apiKey: 'none', url: model.url };
	return {
		credential: await rest.createCredential({ name: 'Chat model', type: 'openAiApi', data }),
		close: model.close,
		plan(calls) {
			planned = calls;
			model.requests.length = 0;
		},
		told: () => answersIn(model.requests.at(-1)?.messages ?? []).map(({ content }) => content ?? ''),
	};
}

/** A node of a workflow. */
export const nodeOf = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
): INode => ({ id: name, name, type, typeVersion, position: [0, 0], parameters, ...more });

/** n8n's webhook node, which answers with what the last node gives. */
export const webhookOf = (path: string): INode =>
	nodeOf(
		'Webhook',
		'n8n-nodes-base.webhook',
		2,
		{ path, responseMode: 'lastNode', options: {} },
		{ webhookId: path },
	);

/** The package's node as a step, which takes its values from the item. */
export const stepOf = (
	credential: StoredCredential,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): INode =>
	nodeOf('Step', NODE_TYPE, 1, parameters, { credentials: { [CREDENTIAL_TYPE]: credential }, ...settings });

/** The package's node as a tool, which takes its values from the model. */
export const toolOf = (
	credential: StoredCredential,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): INode =>
	nodeOf(
		'Tool',
		`${NODE_TYPE}Tool`,
		1,
		{ descriptionType: 'manual', toolDescription: 'Asks the tenant', ...parameters },
		{ credentials: { [CREDENTIAL_TYPE]: credential }, ...settings },
	);

/** An agent that is told to begin. */
export const agentOf = (typeVersion: number): INode =>
	nodeOf('Agent', '@n8n/n8n-nodes-langchain.agent', typeVersion, {
		// Agents before version 2 have a choice.
		...(typeVersion < 2 && { agent: 'toolsAgent' }),
		promptType: 'define',
		text: 'Begin',
		options: {},
	});

/** The node of a chat model. */
export const modelOf = ({ credential }: Pick<PlannedModel, 'credential'>): INode =>
	nodeOf(
		'Model',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		1.2,
		{ model: { __rl: true, value: 'gpt-4.1-mini', mode: 'list' }, options: {} },
		{ credentials: { openAiApi: credential } },
	);

/** The connection from the first output of a node to another one. */
const to = (node: string, type: NodeConnectionType = NodeConnectionTypes.Main) => ({
	[type]: [[{ node, type, index: 0 }]],
});

/** A workflow of these nodes, one behind the other. */
export function chain(name: string, nodes: INode[]): WorkflowDefinition {
	const connections: IConnections = Object.fromEntries(
		nodes.slice(1).map((node, index) => [nodes[index].name, to(node.name)]),
	);
	return { name, nodes, connections };
}

/** The same with these tools at its last node, and a chat model if there is one. */
export function withTools(
	workflow: WorkflowDefinition,
	tools: INode[],
	...models: INode[]
): WorkflowDefinition {
	const { name: last } = workflow.nodes[workflow.nodes.length - 1];
	const connectionsOf = (nodes: INode[], type: NodeConnectionType) =>
		Object.fromEntries(nodes.map(({ name }) => [name, to(last, type)]));
	return {
		...workflow,
		nodes: [...workflow.nodes, ...tools, ...models],
		connections: {
			...workflow.connections,
			...connectionsOf(tools, NodeConnectionTypes.AiTool),
			...connectionsOf(models, NodeConnectionTypes.AiLanguageModel),
		},
	};
}
