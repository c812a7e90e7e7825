import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type ResourceMapperFields,
} from 'n8n-workflow';
import { Api } from './api/client';

import { checkTenantAccess } from './editor/checkTenantAccess';
import { listSearch, loadOptions, withClient } from './editor/methods';
import { getImportColumns, getTenantFields, searchTenantFields } from './editor/resourceMapping';
import { getTemplateText, getTemplateVariables } from './editor/templateVariables';
import { answerQuestion } from './messages/question/question';
import { actionsAsSubtitle, operationsByResource, resources } from './operations/index';
import { customOperations, rethrow } from './core/engines';
import { refuse } from './core/errorItems';
import { stringOf } from './values/text';

/** A locator with an ID. */
const ID = (value: string) => `{ __rl: true, mode: 'id', value: '${value}' }`;

/** Makes an example for language models that build workflows. n8n writes it into the type of its operation. */
const example = (resource: string, operation: string, parameters: string) => ({
	content: `<pattern>{ resource: '${resource}', operation: '${operation}', ${parameters} }</pattern>`,
	displayOptions: { show: { resource: [resource], operation: [operation] } },
});

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
		...actionsAsSubtitle(),
		description: 'Manage customers, profiles, tags and consent, and send templates and messages',
		defaults: { name: 'Customer Messaging' },
		waitingNodeTooltip:
			'={{ $parameter.operation === "sendAndWait" ? "The workflow continues when the person has answered or the wait is over" : "" }}',
		usableAsTool: true,
		builderHint: {
			searchHint:
				'For messages to customers, e.g. by WhatsApp. message/sendTemplate can write first, message/send replies. customer/upsert saves one person, customer/bulkImport a list. A profile has the tags, groups and consent of a customer.',
			extraTypeDefContent: [
				example(
					'message',
					'sendTemplate',
					`phoneNumber: expr('{{ $json.phone }}'), agentId: ${ID('11')}, templateName: ${ID('order_shipped')}, templateLanguage: 'en_US', variables: { mappingMode: 'defineBelow', value: { body_1: expr('{{ $json.name }}') } }`,
				),
				example('customer', 'bulkImport', "columns: { mappingMode: 'autoMapInputData', value: null }"),
				example(
					'message',
					'sendAndWait',
					"conversationId: expr('{{ $json.conversation_id }}'), message: 'May we deliver on Monday?', responseType: 'approval'",
				),
			],
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
				const isKnown = Object.hasOwn(operationsByResource, stringOf(this.getNode().parameters.resource));
				const { context } = new Api(this);
				const refused = refuse(context, isKnown ? 'Operation' : 'Resource');
				return await refused.catch((error: unknown) => rethrow(context, error));
			},
		},
		// Both methods of a link to a question. n8n finds the waiting node by the path.
		webhooks: (['GET', 'POST'] as const).map((httpMethod) => ({
			name: 'default',
			httpMethod,
			responseMode: 'onReceived',
			responseData: '',
			path: '={{ $nodeId }}',
			restartWebhook: true,
			isFullPath: true,
		})),
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: resources.map(({ name, value }) => ({ name, value })),
				default: 'customer',
				// Makes n8n's routing engine pass every item to the operation and send no request of its own.
				routing: { send: { paginate: true } },
			},
			...resources.flatMap(({ properties }) => properties),
		],
	};

	methods = {
		credentialTest: { checkTenantAccess },
		listSearch: { ...listSearch, ...withClient({ searchTenantFields }, { results: [] }) },
		loadOptions,
		resourceMapping: withClient<[], ResourceMapperFields>(
			{ getImportColumns, getTemplateText, getTemplateVariables, getTenantFields },
			{ fields: [] },
		),
	};

	customOperations = customOperations(operationsByResource);

	/** Answers the links of questions, see *Message: Send and Wait for Response*. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await answerQuestion(this);
	}
}
