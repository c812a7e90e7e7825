import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { customerByPhone, profileByPhone } from '../people/byPhone';
import { PHONE } from '../runner/displayedFields';
import type { FindByPhone, PathParameter } from '../runner/field';
import { integerSegment, textSegment } from '../values/ids';

/** The properties of a parameter for a record. */
interface Chosen {
	displayName: string;
	name: string;
	description?: string;
	required?: boolean;
}

/**
 * Makes a parameter for a record. The user chooses it from a searchable list of the tenant, or enters it.
 *
 * A mode has no pattern in `validation`: n8n matches one under a deadline of 250 ms, which a busy machine misses. What is
 * entered is checked by the conversion of the parameter.
 */
function locator(
	{ displayName, name, description, required = true }: Chosen,
	searchListMethod: string,
	...typed: Array<Pick<INodePropertyMode, 'displayName' | 'placeholder'> & { name?: string }>
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		...(required && { required }),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			...typed.map((mode): INodePropertyMode => ({ name: 'id', type: 'string', ...mode })),
		],
		description,
	};
}

const BY_ID = { displayName: 'By ID', placeholder: 'e.g. 42' };

/** Makes the parameter of a record whose ID is a whole number. */
const byId = (chosen: Chosen, searchListMethod: string): PathParameter => ({
	parameter: locator(chosen, searchListMethod, BY_ID),
	convert: integerSegment,
});

/** Makes the parameter of a record that people know by a phone number too. */
const byIdOrPhone = (
	chosen: Chosen,
	searchListMethod: string,
	findByPhone: FindByPhone,
): PathParameter & { findByPhone: FindByPhone } => ({
	parameter: locator(chosen, searchListMethod, BY_ID, {
		displayName: 'By Phone Number',
		name: PHONE,
		placeholder: 'e.g. +49 171 1234567',
	}),
	convert: integerSegment,
	findByPhone,
});

export const activity = byId({ displayName: 'Activity', name: 'activityId' }, 'searchActivities');

export const agent = byId({ displayName: 'Agent', name: 'agentId' }, 'searchAgents');

export const customer = byIdOrPhone(
	{ displayName: 'Customer', name: 'customerId' },
	'searchCustomers',
	customerByPhone,
);

export const group = byId({ displayName: 'Group', name: 'groupId' }, 'searchGroups');

export const mediaItem = byId({ displayName: 'Media Item', name: 'mediaId' }, 'searchMedia');

export const profile = byIdOrPhone(
	{ displayName: 'Profile', name: 'profileId' },
	'searchProfiles',
	profileByPhone,
);

export const tag = byId({ displayName: 'Tag', name: 'tagId' }, 'searchTags');

export const user = byId({ displayName: 'User', name: 'userId' }, 'searchUsers');

/** A notification of the token's own user. It is the only listed record with a text as its ID. */
export const notification: PathParameter = {
	parameter: locator(
		{
			displayName: 'Notification',
			name: 'notificationUuid',
			description: 'The notification to mark as read',
		},
		'searchNotifications',
		{ displayName: 'By ID', placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90' },
	),
	convert: textSegment,
};

/** The agent that sends a template. Only agents of the chat app can send templates. */
export const chatAppAgent = byId(
	{
		displayName: 'Agent',
		name: 'agentId',
		description: 'The agent of the chat app channel that sends the message',
	},
	'searchChatAppAgents',
).parameter;

/** A template. A chosen one brings its language, see `templateValue`; otherwise its key is its name. */
export const template = locator(
	{ displayName: 'Template', name: 'templateName', description: 'The approved template to send' },
	'searchTemplates',
	{ displayName: 'By Name', placeholder: 'e.g. order_shipped' },
);

/** A message type. Its key is its name. */
export const messageType = locator(
	{
		displayName: 'Custom Type',
		name: 'customType',
		description: 'The type of the message, as your tenant names it',
	},
	'searchMessageTypes',
	{ displayName: 'By Name', placeholder: 'e.g. interactive' },
);

/** Makes the parameter of a record that a conversation gets. */
const assigned = (displayName: string, name: string, description: string, searchListMethod: string) =>
	byId({ displayName, name, description, required: false }, searchListMethod).parameter;

export const assignGroup = assigned(
	'Assign Group',
	'assignGroupId',
	'The group for the assignment',
	'searchGroups',
);

export const assignTag = assigned(
	'Assign Tag',
	'assignTagId',
	'The tag to attach to the profile',
	'searchTags',
);

export const assignUser = assigned(
	'Assign User',
	'assignUserId',
	'The user to assign the conversation to',
	'searchUsers',
);
