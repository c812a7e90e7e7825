import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { http } from '../../http.mts';
import { errorOf, type Execution } from '../rest.mts';
import {
	agentOf,
	chain,
	type Given,
	givenByItem,
	givenByModel,
	modelOf,
	nodeOf,
	type PlannedModel,
	startPlannedModel,
	stepOf,
	toolOf,
	webhookOf,
	withTools,
} from './agentWorkflows.mts';
import { startTenantAndN8n, type TenantAndN8n } from './tenantAndN8n.mts';

/** A real n8n, a tenant and a chat model. */
export interface House extends TenantAndN8n {
	model: PlannedModel;
	/** A data table of one row, for evaluations. */
	dataTableId: string;
}

/** Starts everything on free ports. */
export async function openHouse(): Promise<House> {
	const both = await startTenantAndN8n();
	try {
		const model = await startPlannedModel(both.rest);
		const dataTableId = await both.rest.createDataTable('dataset', 'row', ['the only one']);
		return {
			...both,
			model,
			dataTableId,
			async stop() {
				await model.close();
				await both.stop();
			},
		};
	} catch (error) {
		await both.stop();
		throw error;
	}
}

/** What an operation is run with. */
export interface Call {
	parameters: (given: Given) => INodeParameters;
	/** What the item holds, or what the model gives to the tool. */
	values: IDataObject;
	/** Settings of the node, such as `retryOnFail`. */
	settings?: Partial<INode>;
}

/** What an operation gives: its items, or the error with its description. */
export type Result = { items: IDataObject[] } | { error: string; description: string; isOfValue?: boolean };

/** What came of it in n8n. */
export interface Outcome {
	/** What n8n keeps of each run of the node: its items, or the message of its error. */
	runs: Array<IDataObject[] | string>;
	/** Why the execution failed, if it did. */
	error?: string;
	/** What the model or the MCP client was told, if there was one. */
	told?: unknown[];
}

/** A way by which n8n comes to run a node. */
export interface Door {
	name: string;
	run: (house: House, call: Call) => Promise<Outcome>;
	/** What n8n makes of an operation's result. */
	outcome: (result: Result) => Outcome;
}

const START = 'Start';

const manualStart = nodeOf(START, 'n8n-nodes-base.manualTrigger', 1);

/** Gives an item of these values. */
const itemOf = (values: IDataObject): INode =>
	nodeOf('Item', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify(values), options: {} });

function outcomeOf(execution: Execution, node: INode): Outcome {
	const runs = (execution.data.resultData.runData[node.name] ?? []).map(({ data, error }) => {
		if (error) return error.message;
		const [items] = data?.main ?? data?.ai_tool ?? [];
		return (items ?? []).map(({ json }) => json);
	});
	return { runs, error: errorOf(execution)?.message };
}

/** A step of a workflow gives the items, or fails the execution. */
const ofStep = (result: Result): Outcome =>
	'items' in result ? { runs: [result.items] } : { runs: [result.error], error: result.error };

/** The message of a tool's error. It has the description too, since models see nothing else. */
const messageForModel = ({ error, description, isOfValue }: Exclude<Result, { items: IDataObject[] }>) =>
	`${error}. ${description}${isOfValue ? ' Nothing was sent for this item.' : ''}`;

/** How n8n keeps the call of a tool, where it calls the node itself. */
const ofToolCall = (result: Result): Outcome['runs'] => [
	'items' in result ? [{ response: result.items }] : messageForModel(result),
];

/** Has an agent of this version call these tools with these values, one after the other. */
export async function runAgent(
	{ rest, model }: House,
	typeVersion: number,
	calls: Array<{ tool: INode; values: IDataObject }>,
): Promise<Execution> {
	const tools = [...new Set(calls.map(({ tool }) => tool))];
	model.plan(calls.map(({ tool, values }) => ({ tool: tool.name, values })));
	const workflow = chain(`Agent ${typeVersion}`, [manualStart, agentOf(typeVersion)]);
	const { id } = await rest.createWorkflow(withTools(workflow, tools, modelOf(model)));
	return await rest.runToEnd(id, START);
}

const agent = (typeVersion: number, outcome: Door['outcome']): Door => ({
	name: `AI Agent ${typeVersion}`,
	async run(house, { parameters, values, settings }) {
		const tool = toolOf(house.credential, parameters(givenByModel), settings);
		const execution = await runAgent(house, typeVersion, [{ tool, values }]);
		return { ...outcomeOf(execution, tool), told: house.model.told() };
	},
	outcome,
});

/** Agents before version 3 keep a tool's error from the model, also that of n8n's own nodes. */
const ofOldAgent = (result: Result): Outcome => ({
	runs: ofToolCall(result),
	told: ['items' in result ? JSON.stringify(result.items) : ''],
});

/** From version 3 on, an agent runs a tool as a step. It tells the model the message alone. */
function ofNewAgent(result: Result): Outcome {
	if ('items' in result) return { runs: [result.items], told: [JSON.stringify(result.items)] };
	const error = messageForModel(result);
	return { runs: [error], told: [JSON.stringify([{ error }])] };
}

/** Publishes an MCP Server Trigger with these tools, and connects a client to it. */
export async function withMcpClient<T>(
	{ rest, n8n }: Pick<House, 'rest'> & { n8n: { url: string } },
	tools: INode[],
	use: (client: Client, workflowId: string) => Promise<T>,
): Promise<T> {
	const path = randomUUID();
	const parameters = { path, authentication: 'none' };
	const trigger = nodeOf('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', 2, parameters, { webhookId: path });
	const workflow = await rest.createWorkflow(withTools(chain('MCP', [trigger]), tools));
	await rest.publish(workflow);
	const client = new Client({ name: 'client-of-the-tests', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${n8n.url}/mcp/${path}`)));
	try {
		return await use(client, workflow.id);
	} finally {
		await client.close();
	}
}

/** All of them. */
export const doors: Door[] = [
	{
		name: 'a workflow run by hand',
		async run({ rest, credential }, { parameters, values, settings }) {
			const step = stepOf(credential, parameters(givenByItem), settings);
			const { id } = await rest.createWorkflow(chain('By hand', [manualStart, itemOf(values), step]));
			return outcomeOf(await rest.runToEnd(id, START), step);
		},
		outcome: ofStep,
	},
	{
		name: 'a published workflow',
		async run({ rest, credential, n8n }, { parameters, values, settings }) {
			const path = randomUUID();
			const step = stepOf(credential, parameters(givenByItem), settings);
			const workflow = chain('Published', [webhookOf(path), itemOf(values), step]);
			const created = await rest.createWorkflow(workflow);
			await rest.publish(created);
			await http.get(`${n8n.url}/webhook/${path}`);
			const [execution] = await rest.executionsOf(created.id);
			return outcomeOf(execution, step);
		},
		outcome: ofStep,
	},
	{
		name: 'a sub-workflow',
		async run({ rest, credential }, { parameters, values, settings }) {
			const called = nodeOf('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
				inputSource: 'passthrough',
			});
			const step = stepOf(credential, parameters(givenByItem), settings);
			const sub = await rest.createWorkflow(chain('Sub-workflow', [called, step]));
			await rest.publish(sub);
			const caller = nodeOf('Caller', 'n8n-nodes-base.executeWorkflow', 1.2, {
				workflowId: { __rl: true, mode: 'id', value: sub.id },
				workflowInputs: { mappingMode: 'defineBelow', value: {} },
				options: {},
			});
			const { id } = await rest.createWorkflow(chain('Calling', [manualStart, itemOf(values), caller]));
			return outcomeOf(await rest.runToEnd(id, START), caller);
		},
		outcome: ofStep,
	},
	{
		name: 'a single step in the editor',
		async run({ rest, credential }, { parameters, values, settings }) {
			const item = itemOf(values);
			const step = stepOf(credential, parameters(givenByItem), settings);
			const { id } = await rest.createWorkflow(chain('Step', [manualStart, item, step]));
			const before = await rest.runStep(id, item.name);
			return outcomeOf(await rest.runStep(id, step.name, before.data.resultData.runData), step);
		},
		outcome: ofStep,
	},
	{
		name: 'an evaluation',
		async run({ rest, credential, dataTableId }, { parameters, values, settings }) {
			const trigger = nodeOf('Dataset', 'n8n-nodes-base.evaluationTrigger', 4.7, {
				source: 'dataTable',
				dataTableId: { __rl: true, mode: 'id', value: dataTableId },
			});
			const step = stepOf(credential, parameters(givenByItem), settings);
			const metrics = nodeOf('Metrics', 'n8n-nodes-base.evaluation', 4.7, {
				operation: 'setMetrics',
				metric: 'customMetrics',
				metrics: { assignments: [{ id: 'ran', name: 'ran', value: 1, type: 'number' }] },
			});
			const workflow = chain('Evaluation', [trigger, itemOf(values), step, metrics]);
			const { id } = await rest.createWorkflow(workflow);
			const [execution] = await rest.evaluate(id);
			return outcomeOf(execution, step);
		},
		outcome: ofStep,
	},
	{
		name: 'a single tool in the editor',
		async run({ rest, credential, model }, { parameters, values, settings }) {
			const tool = toolOf(credential, parameters(givenByModel), settings);
			const steps = chain('Tool', [manualStart, agentOf(3)]);
			const { id } = await rest.createWorkflow(withTools(steps, [tool], modelOf(model)));
			return outcomeOf(await rest.runTool(id, tool.name, values), tool);
		},
		outcome(result) {
			const runs = ofToolCall(result);
			return 'items' in result ? { runs } : { runs, error: `Error executing tool: ${String(runs[0])}` };
		},
	},
	agent(1.7, ofOldAgent),
	agent(2.2, ofOldAgent),
	agent(3, ofNewAgent),
	{
		name: 'the MCP Server Trigger',
		async run(house, { parameters, values, settings }) {
			const tool = toolOf(house.credential, parameters(givenByModel), settings);
			return await withMcpClient(house, [tool], async (client, workflowId) => {
				const told = await client.callTool({ name: tool.name, arguments: values });
				const [execution] = await house.rest.executionsOf(workflowId);
				return { ...outcomeOf(execution, tool), told: [told] };
			});
		},
		outcome(result) {
			const runs = ofToolCall(result);
			const told = (text: string, more = {}) => [{ content: [{ type: 'text', text }], ...more }];
			if ('items' in result) return { runs, told: told(JSON.stringify(result.items)) };
			return { runs, told: told(`NodeOperationError: ${String(runs[0])}`, { isError: true }) };
		},
	},
];
