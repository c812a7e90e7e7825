import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { checkTenantAccess } from './editor/checkTenantAccess';
import { listSearch } from './editor/listSearch';
import { loadOptions } from './editor/loadOptions';
import { getTemplateVariables } from './editor/templateVariables';
import { getImportColumns, getTenantFields } from './editor/resourceMapping';
import { description as account } from './resources/account/Account.resource';
import { description as agent } from './resources/agent/Agent.resource';
import { description as customer } from './resources/customer/Customer.resource';
import { description as file } from './resources/file/File.resource';
import { description as group } from './resources/group/Group.resource';
import { description as media } from './resources/media/Media.resource';
import { description as message } from './resources/message/Message.resource';
import { description as notification } from './resources/notification/Notification.resource';
import { description as profile } from './resources/profile/Profile.resource';
import { description as settings } from './resources/settings/Settings.resource';
import { description as support } from './resources/support/Support.resource';
import { description as tag } from './resources/tag/Tag.resource';
import { description as template } from './resources/template/Template.resource';
import { description as user } from './resources/user/User.resource';
import { operationsByResource } from './resources/operations';
import { actionsAsSubtitle } from './resources/subtitle';
import { refuse } from './runner/carryOut';
import { customOperations } from './runner/runOperation';
import { answerQuestion, answerWebhooks } from './sendAndWait/answerWebhook';

/** The operations of each resource, and their fields. */
const ofResources = [
	...account,
	...agent,
	...customer,
	...file,
	...group,
	...media,
	...message,
	...notification,
	...profile,
	...settings,
	...support,
	...tag,
	...template,
	...user,
];

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
		// n8n's rules for publishing ask for a literal, which the next line replaces.
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		...actionsAsSubtitle(ofResources),
		description: 'Manage customers, profiles, tags and consent, and send templates and messages',
		defaults: { name: 'Customer Messaging' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'For messages to customers, e.g. by WhatsApp. message/sendTemplate also writes first, message/send answers in a conversation. customer/upsert saves one person, customer/bulkImport all rows of a list. A profile holds the tags, groups and marketing consent of a customer.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-customer-messaging.customerMessagingTrigger',
					relationHint: 'Starts a workflow when an automation has sent a message',
				},
				{
					nodeType: 'n8n-nodes-customer-messaging.customerMessagingPollingTrigger',
					relationHint: 'Starts a workflow for new customers, and for changes of profiles and consent',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'customerMessagingApi', required: true, testedBy: 'checkTenantAccess' }],
		// The interface shows PINs only in requests. A tenant may still answer with the whole record.
		sensitiveOutputFields: ['pin', 'users[*].pin'],
		// Without defaults, n8n gives a node with methods no way to be run as a tool. Each operation has its own request.
		requestDefaults: {},
		requestOperations: {
			// For what no operation takes over.
			async pagination() {
				const isKnown = Object.hasOwn(operationsByResource, String(this.getNode().parameters.resource));
				return await refuse(this, isKnown ? 'Operation' : 'Resource');
			},
		},
		webhooks: answerWebhooks,
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Account', value: 'account' },
					{ name: 'Agent', value: 'agent' },
					{ name: 'Customer', value: 'customer' },
					{ name: 'File', value: 'file' },
					{ name: 'Group', value: 'group' },
					{ name: 'Media', value: 'media' },
					{ name: 'Message', value: 'message' },
					{ name: 'Notification', value: 'notification' },
					{ name: 'Profile', value: 'profile' },
					{ name: 'Setting', value: 'settings' },
					{ name: 'Support', value: 'support' },
					{ name: 'Tag', value: 'tag' },
					{ name: 'Template', value: 'template' },
					{ name: 'User', value: 'user' },
				],
				default: 'customer',
				// Makes n8n's routing engine pass every item to the operation and send no request of its own.
				routing: { send: { paginate: true } },
			},
			...ofResources,
		],
	};

	methods = {
		credentialTest: { checkTenantAccess },
		listSearch,
		loadOptions,
		resourceMapping: { getImportColumns, getTemplateVariables, getTenantFields },
	};

	customOperations = customOperations(operationsByResource);

	/** Answers the links of questions, see *Message: Send and Wait for Response*. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await answerQuestion(this);
	}
}
