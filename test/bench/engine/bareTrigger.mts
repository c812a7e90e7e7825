import type { INodeType, IWebhookFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

/** The least that a trigger outside n8n's own package can be: it shows what n8n itself takes for a delivery. */
export class BareTrigger implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Passes on what it is sent',
		defaults: { name: 'Bare Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
		properties: [],
	};

	webhookMethods = {
		default: { checkExists: async () => true, create: async () => true, delete: async () => true },
	};

	async webhook(this: IWebhookFunctions) {
		return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
	}
}
