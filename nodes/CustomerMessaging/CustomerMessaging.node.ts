import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { searchAgents } from './methods/listSearch/searchAgents';
import { searchCustomers } from './methods/listSearch/searchCustomers';
import { searchProfiles } from './methods/listSearch/searchProfiles';
import { getTags } from './methods/loadOptions/getTags';
import { description as customer } from './resources/customer/Customer.resource';
import { description as file } from './resources/file/File.resource';
import { description as message } from './resources/message/Message.resource';
import { description as profile } from './resources/profile/Profile.resource';
import { send } from './transport/send';

export class CustomerMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Customer Messaging',
		name: 'customerMessaging',
		icon: {
			light: 'file:../../icons/customerMessaging.svg',
			dark: 'file:../../icons/customerMessaging.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Manage customers, profiles, tags and consent, and send templates and messages',
		defaults: { name: 'Customer Messaging' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'customerMessagingApi', required: true }],
		requestOperations: { pagination: send },
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Customer', value: 'customer' },
					{ name: 'File', value: 'file' },
					{ name: 'Message', value: 'message' },
					{ name: 'Profile', value: 'profile' },
				],
				default: 'customer',
				// Makes n8n's routing engine hand every request to `send` or to the operation's own flow.
				routing: { send: { paginate: true } },
			},
			...customer,
			...file,
			...message,
			...profile,
		],
	};

	methods = {
		listSearch: { searchAgents, searchCustomers, searchProfiles },
		loadOptions: { getTags },
	};
}
