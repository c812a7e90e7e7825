import { HookContext } from 'n8n-core';
import type * as n8n from 'n8n-workflow';
import type { INode, IWebhookData, Workflow } from 'n8n-workflow';

import { workbench } from '../engine/engine.mts';
import { TRIGGER_NODE } from '../engine/arrival.mts';

async function webhookOf(parameters: n8n.INodeParameters = {}) {
	const bench = await workbench({ type: TRIGGER_NODE, parameters });
	const [description] = bench.nodeType.description.webhooks ?? [];
	return { ...bench, description };
}

async function evaluated(workflow: Workflow, node: INode, text: unknown): Promise<unknown> {
	const { expression } = workflow as { expression: Partial<typeof workflow.expression> };
	await expression.acquireIsolate?.();
	return workflow.expression.getSimpleParameterValue(node, text as string, 'webhook', {});
}

it('n8n is content where a workflow is published or taken back, and nobody is asked', async () => {
	const asked = jest.spyOn(globalThis, 'fetch');
	for (const method of ['checkExists', 'create', 'delete'] as const) {
		const { nodeType, workflow, node, additionalData, description } = await webhookOf();
		const webhook = { webhookDescription: description } as IWebhookData;
		const context = new HookContext(workflow, node, additionalData, 'trigger', 'activate', webhook);
		const methods = nodeType.webhookMethods?.[description.name as 'default'];
		await expect(methods?.[method].call(context)).resolves.toBe(true);
	}
	expect(asked).not.toHaveBeenCalled();
	asked.mockRestore();
});

it.each([
	['onReceived', 'noData'],
	['responseNode', 'noData'],
	['lastNode', 'firstEntryJson'],
	[undefined, 'noData'],
])('with Respond set to %s, n8n answers what starts the workflow with %s', async (given, responseData) => {
	const { workflow, node, description } = await webhookOf(given === undefined ? {} : { responseMode: given });
	expect(await evaluated(workflow, node, description.responseMode)).toBe(given ?? 'onReceived');
	expect(await evaluated(workflow, node, description.responseData)).toBe(responseData);
});
