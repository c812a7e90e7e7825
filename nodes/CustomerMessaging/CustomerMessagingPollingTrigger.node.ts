import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { checkTenantAccess } from './editor/checkTenantAccess';
import { listSearch, loadOptions } from './editor/methods';
import { poll } from './polling/poll';
import { event, pollingProperties } from './polling/settings';
import { chosenAsSubtitle } from './values/choices';

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
		// n8n's rules for publishing ask for a literal, which the next line replaces.
		subtitle: '={{ $parameter["event"] }}',
		...chosenAsSubtitle('event', event.options),
		description:
			'Starts the workflow for new customers and notifications, and for changes to profiles, consent, groups, tags and templates',
		defaults: { name: 'Customer Messaging Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'customerMessagingApi', required: true, testedBy: 'checkTenantAccess' }],
		properties: pollingProperties,
	};

	methods = { credentialTest: { checkTenantAccess }, listSearch, loadOptions };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
