import type { INodeProperties } from 'n8n-workflow';

/** A record chosen from a searchable list of the tenant, or by its ID. */
function locator(
	displayName: string,
	name: string,
	searchListMethod: string,
	description: string,
	required = true,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 42',
				validation: [
					{
						type: 'regex',
						properties: { regex: '^\\s*[0-9]+\\s*$', errorMessage: 'The ID is a whole number' },
					},
				],
			},
		],
		description,
	};
}

export const activityLocator = locator(
	'Activity',
	'activityId',
	'searchActivities',
	'The activity of the profile',
);

export const agentLocator = locator('Agent', 'agentId', 'searchAgents', 'The agent to work on');

export const chatAppAgentLocator = locator(
	'Agent',
	'agentId',
	'searchChatAppAgents',
	'The agent of the chat app channel that sends the message',
);

export const customerLocator = locator(
	'Customer',
	'customerId',
	'searchCustomers',
	'The customer to work on',
);

export const groupLocator = locator('Group', 'groupId', 'searchGroups', 'The group to work on');

export const mediaLocator = locator('Media Item', 'mediaId', 'searchMedia', 'The item of the media library');

export const profileLocator = locator('Profile', 'profileId', 'searchProfiles', 'The profile to work on');

export const tagLocator = locator('Tag', 'tagId', 'searchTags', 'The tag to work on');

export const userLocator = locator('User', 'userId', 'searchUsers', 'The user to work on');

/** A notification of the token's own user; the only record that is known by a text. */
export const notificationLocator: INodeProperties = {
	displayName: 'Notification',
	name: 'notificationUuid',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchNotifications', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90',
		},
	],
	description: 'The notification to mark as read',
};

/** A template, known by its name. */
export const templateLocator: INodeProperties = {
	displayName: 'Template',
	name: 'templateName',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchTemplates', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. order_shipped',
		},
	],
	description: 'The approved template to send',
};

/** A type of message, known by its name. */
export const messageTypeLocator: INodeProperties = {
	displayName: 'Custom Type',
	name: 'customType',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchMessageTypes', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. interactive',
		},
	],
	description: 'The type of the message, as your tenant names it',
};

export const assignGroupLocator = locator(
	'Assign Group',
	'assignGroupId',
	'searchGroups',
	'The group for the assignment',
	false,
);

export const assignTagLocator = locator(
	'Assign Tag',
	'assignTagId',
	'searchTags',
	'The tag to attach to the profile',
	false,
);

export const assignUserLocator = locator(
	'Assign User',
	'assignUserId',
	'searchUsers',
	'The user to assign the conversation to',
	false,
);
