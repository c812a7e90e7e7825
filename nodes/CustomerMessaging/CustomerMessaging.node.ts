import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { searchActivities } from './methods/listSearch/searchActivities';
import { searchAgents } from './methods/listSearch/searchAgents';
import { searchChatAppAgents } from './methods/listSearch/searchChatAppAgents';
import { searchCustomers } from './methods/listSearch/searchCustomers';
import { searchGroups } from './methods/listSearch/searchGroups';
import { searchMedia } from './methods/listSearch/searchMedia';
import { searchMessageTypes } from './methods/listSearch/searchMessageTypes';
import { searchNotifications } from './methods/listSearch/searchNotifications';
import { searchProfiles } from './methods/listSearch/searchProfiles';
import { searchTemplates } from './methods/listSearch/searchTemplates';
import { searchTags } from './methods/listSearch/searchTags';
import { searchUsers } from './methods/listSearch/searchUsers';
import { getActivityTypes } from './methods/loadOptions/getActivityTypes';
import { getChannels } from './methods/loadOptions/getChannels';
import { getCustomers } from './methods/loadOptions/getCustomers';
import { getGroups } from './methods/loadOptions/getGroups';
import { getTags } from './methods/loadOptions/getTags';
import { getTemplateLanguages } from './methods/loadOptions/getTemplateLanguages';
import { getUsers } from './methods/loadOptions/getUsers';
import { getTemplateVariables } from './methods/resourceMapping/getTemplateVariables';
import { getImportColumns } from './methods/resourceMapping/getImportColumns';
import { getTenantFields } from './methods/resourceMapping/getTenantFields';
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
import { batchOperations } from './operations/declarativeOperation';
import { execute as bulkDelete } from './resources/customer/bulkDelete.operation';
import { execute as bulkImport } from './resources/customer/bulkImport.operation';
import { requestLimits } from './shared/requestLimits';
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
				// Makes n8n's routing engine hand every request to `send` or to the operation's own flow.
				routing: { send: { paginate: true } },
			},
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
			requestLimits,
		],
	};

	methods = {
		listSearch: {
			searchActivities,
			searchAgents,
			searchChatAppAgents,
			searchCustomers,
			searchGroups,
			searchMedia,
			searchMessageTypes,
			searchNotifications,
			searchProfiles,
			searchTags,
			searchTemplates,
			searchUsers,
		},
		loadOptions: {
			getActivityTypes,
			getChannels,
			getCustomers,
			getGroups,
			getTags,
			getTemplateLanguages,
			getUsers,
		},
		resourceMapping: { getImportColumns, getTemplateVariables, getTenantFields },
	};

	customOperations = batchOperations(this.description, { customer: { bulkDelete, bulkImport } });
}
