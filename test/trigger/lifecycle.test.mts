import { HookContext } from 'n8n-core';
import type * as n8n from 'n8n-workflow';
import type { INode, IWebhookData, Workflow } from 'n8n-workflow';

import { workbench } from '../engine/engine.mts';
import { TRIGGER_NODE } from './arrival.mts';

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

describe('when a workflow is published or taken back', () => {
	it.each(['checkExists', 'create', 'delete'] as const)(
		'n8n is content with %s, and nobody is asked',
		async (method) => {
			const { nodeType, workflow, node, additionalData, description } = await webhookOf();
			const asked = jest.spyOn(globalThis, 'fetch');
			const webhook = { webhookDescription: description } as IWebhookData;
			const context = new HookContext(workflow, node, additionalData, 'trigger', 'activate', webhook);
			const methods = nodeType.webhookMethods?.[description.name as 'default'];
			await expect(methods?.[method].call(context)).resolves.toBe(true);
			expect(asked).not.toHaveBeenCalled();
			asked.mockRestore();
		},
	);
});

describe('what n8n answers a delivery that starts the workflow', () => {
	it.each([
		['onReceived', 'noData'],
		['responseNode', 'noData'],
		['lastNode', 'firstEntryJson'],
	])('with Respond set to %s: %s', async (responseMode, responseData) => {
		const { workflow, node, description } = await webhookOf({ responseMode });
		for (const [field, value] of Object.entries({ responseMode, responseData })) {
			const template = description[field as 'responseMode'];
			expect({ field, value: await evaluated(workflow, node, template) }).toEqual({ field, value });
		}
	});

	it('at once, where Respond was never changed', async () => {
		const { workflow, node, description } = await webhookOf();
		expect(await evaluated(workflow, node, description.responseMode)).toBe('onReceived');
	});
});

describe('how the trigger appears', () => {
	it('while nothing has arrived it says which URL to enter where', async () => {
		const { nodeType } = await webhookOf();
		const { executionsHelp } = nodeType.description.triggerPanel as n8n.TriggerPanelDefinition;
		const { inactive, active } = executionsHelp as { inactive: string; active: string };
		for (const help of [inactive, active])
			for (const words of ['Test URL', 'Production URL', 'settings of your account'])
				expect(help).toContain(words);
	});

	it('its credential can be tested', async () => {
		const { nodeType } = await webhookOf();
		const { testedBy } = nodeType.description.credentials?.[0] ?? {};
		expect(nodeType.methods?.credentialTest).toHaveProperty(String(testedBy));
	});
});
