import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { triggerPanel, triggerProperties } from './trigger/description';
import { DEFAULT_EVENT, EVENT_KINDS } from './trigger/events';
import { checkWebhookSecret } from './trigger/proofs';
import { receive } from './trigger/receive';
import { chosenAsSubtitle } from './values/choices';

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
		// n8n's rules for publishing ask for a literal, which the next line replaces.
		subtitle: '={{ $parameter["event"] }}',
		...chosenAsSubtitle('event', EVENT_KINDS),
		// n8n shows it for the action too, which it finds together with its trigger.
		description: `Send messages and templates, and manage customers. The trigger starts after ${DEFAULT_EVENT.cause}.`,
		defaults: { name: 'Customer Messaging Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'customerMessagingWebhookApi',
				required: true,
				testedBy: 'checkWebhookSecret',
				displayOptions: { show: { authentication: ['credential'] } },
			},
		],
		// A second net: `receive` leaves these headers and those of the credential out of the items.
		sensitiveOutputFields: ['headers.authorization', 'headers.cookie', 'headers.proxy-authorization'],
		eventTriggerDescription:
			'Send an agent message with From Automation switched on. Your account needs the Test URL, which this node shows under Webhook URLs.',
		triggerPanel,
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: '={{ $parameter["responseMode"] }}',
				responseData: '={{ $parameter["responseMode"] === "lastNode" ? "firstEntryJson" : "noData" }}',
				path: 'webhook',
			},
		],
		properties: triggerProperties,
	};

	methods = { credentialTest: { checkWebhookSecret } };

	// The interface has no endpoint to register a webhook, so there is nothing to create or delete at the tenant.
	webhookMethods = {
		default: {
			checkExists: async (): Promise<boolean> => true,
			create: async (): Promise<boolean> => true,
			delete: async (): Promise<boolean> => true,
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
