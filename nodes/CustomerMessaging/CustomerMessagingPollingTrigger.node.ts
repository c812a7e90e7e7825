import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { credentialTest, listSearch, loadOptions } from './editor/lazyMethods';
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
			'={{ { consentChanged: "Marketing Consent Changed", joinedGroup: "Joined a Group", leftGroup: "Left a Group", newCustomer: "New Customer", newNotification: "New Notification", profileChanged: "Profile Changed", tagAdded: "Tag Added", tagRemoved: "Tag Removed", templateStatus: "Template Approved or Rejected" }[$parameter["event"]] }}',
		description:
			'Starts the workflow for new customers and notifications, and changes of profiles, consent, groups, tags and templates',
		defaults: { name: 'Customer Messaging Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'customerMessagingApi', required: true, testedBy: 'checkTenantAccess' }],
		properties: pollingProperties,
	};

	methods = { credentialTest, listSearch, loadOptions };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
