import {
	NodeConnectionTypes,
	type IDataObject,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

export class CustomerMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Customer Messaging Trigger',
		name: 'customerMessagingTrigger',
		icon: {
			light: 'file:../../icons/customerMessaging.svg',
			dark: 'file:../../icons/customerMessaging.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: 'New Agent Message',
		description: 'Starts the workflow when an agent message was sent by an automation',
		defaults: { name: 'Customer Messaging Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		triggerPanel: {
			header: 'Listen for a test event',
			executionsHelp: {
				inactive:
					'Copy the <strong>Test URL</strong> above into the webhook settings of your tenant, press <strong>Listen for test event</strong>, then send a message from an automation.<br><br>For everyday use, enter the <strong>Production URL</strong> there instead and publish this workflow.',
				active:
					'The workflow runs by itself for every event that arrives at the <strong>Production URL</strong>; see the Executions tab. To try a change first, enter the <strong>Test URL</strong> in the webhook settings of your tenant and press <strong>Listen for test event</strong>.',
			},
			activationHint:
				'Enter the Production URL in the webhook settings of your tenant, then publish this workflow.',
		},
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'webhook',
			},
		],
		properties: [
			{
				displayName:
					'Ask the administrator of your tenant to enter the Webhook URL above for the event New Agent Message. n8n cannot register it by itself.',
				name: 'setUpNotice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Event',
				name: 'event',
				type: 'options',
				options: [
					{
						name: 'New Agent Message',
						value: 'newAgentMessage',
						description: 'An agent message was sent with From Automation switched on',
					},
				],
				default: 'newAgentMessage',
				required: true,
				description: 'The event that starts the workflow',
			},
		],
	};

	// The interface shows no way to register a webhook, so there is nothing to create or delete at the tenant.
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return true;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const payload = this.getBodyData();
		const events = (Array.isArray(payload) ? payload : [payload]) as IDataObject[];
		return { workflowData: [this.helpers.returnJsonArray(events)] };
	}
}
