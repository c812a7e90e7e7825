import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { checkTenantAccess } from './editor/checkTenantAccess';
import { loadOptions } from './editor/loadOptions';
import { pollingProperties } from './polling/description';
import { poll } from './polling/poll';

export class CustomerMessagingPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Customer Messaging Polling Trigger',
		name: 'customerMessagingPollingTrigger',
		icon: {
			light: 'file:../../icons/customerMessaging.svg',
			dark: 'file:../../icons/customerMessaging.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ { newCustomer: "New Customer", profileChanged: "Profile Changed", consentChanged: "Marketing Consent Changed", newNotification: "New Notification" }[$parameter["event"]] }}',
		description:
			'Starts the workflow for new customers, changed profiles, changed marketing consent and new notifications',
		defaults: { name: 'Customer Messaging Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'customerMessagingApi', required: true, testedBy: 'checkTenantAccess' }],
		properties: pollingProperties,
	};

	methods = { credentialTest: { checkTenantAccess }, loadOptions };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
