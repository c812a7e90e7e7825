import { SupplyDataContext } from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import type { IDataObject, IExecuteData, IRunExecutionData } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { type NodeRunOptions, workbench } from './engine.mts';

/** The run of an agent. All its tools share these objects. */
export interface AgentRun {
	data: IRunExecutionData;
	execution: IExecuteData;
}

/** Begins the run of an agent. */
export function agentRun(): AgentRun {
	const data = {
		resultData: { runData: {} },
		executionData: { contextData: {}, nodeExecutionStack: [], metadata: {}, waitingExecution: {} },
	} as unknown as IRunExecutionData;
	const agent = {
		id: 'agent',
		name: 'Agent',
		type: 'test.agent',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	return { data, execution: { data: { main: [[]] }, node: agent, source: null } as unknown as IExecuteData };
}

/** Makes a tool of the node. It is called with the arguments of a model, and returns what the model reads. */
export async function agentTool(
	options: NodeRunOptions & { name?: string },
	{ data, execution }: AgentRun = agentRun(),
): Promise<(args: IDataObject) => Promise<unknown>> {
	const { nodeType, source, node: stored, workflow, additionalData } = await workbench(options);
	const node = { ...stored, name: options.name ?? stored.name };
	workflow.setNodes([source, stored, node]);
	const contextOf = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			node,
			additionalData,
			'manual',
			data,
			runIndex,
			[],
			{},
			NodeConnectionTypes.AiTool,
			execution,
			[],
		);
	const invoke = makeHandleToolInvocation(contextOf, node, nodeType, data);
	return async (args) => {
		const response: unknown = await invoke(args);
		return typeof response === 'string' ? (JSON.parse(response) as unknown) : response;
	};
}
