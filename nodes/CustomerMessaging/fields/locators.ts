import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { findIn } from './byName';
import { customerByPhone, profileByPhone } from './byPhone';
import { PHONE } from '../core/displayedFields';
import type { FindByName, FindByPhone, PathParameter } from '../core/field';
import { InvalidValue, orUndefinedIfInvalid, type Parse } from '../values/parse';
import { conversationId, integerSegment, textSegment } from '../values/ids';
import { phoneDigits } from '../values/phoneNumber';

/** A mode in which the user types what tells the record. */
type Typed = Pick<INodePropertyMode, 'displayName' | 'placeholder'> & { name?: string };

const BY_ID: Typed = { displayName: 'By ID', placeholder: 'e.g. 42' };
const BY_PHONE: Typed = {
	displayName: 'By Phone Number',
	name: PHONE,
	placeholder: 'e.g. +49 171 1234567',
};

/** All pages of some lists are read. n8n shows this below one that loads for so many milliseconds. */
const SLOW = { message: 'A long list takes a while. You can also enter the value.', timeout: 3000 };

/**
 * Makes a parameter for a record. The user chooses it from a searchable list of the tenant, or enters it.
 *
 * A mode has no pattern in `validation`: n8n matches one under a deadline of 250 ms, which a busy machine misses. What is
 * entered is checked by the parser of the parameter.
 */
const locator = (
	displayName: string,
	name: string,
	searchListMethod: string,
	{ description, required = true }: Pick<INodeProperties, 'description' | 'required'> = {},
	typed = [BY_ID],
): INodeProperties => ({
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
			typeOptions: { searchListMethod, searchable: true, slowLoadNotice: SLOW },
		},
		...typed.map((mode): INodePropertyMode => ({ name: 'id', type: 'string', ...mode })),
	],
	description,
});

/** Makes the parameter of a record whose ID is a whole number. */
const byId = (
	displayName: string,
	name: string,
	searchListMethod: string,
	findByName?: FindByName,
): PathParameter => ({
	parameter: locator(displayName, name, searchListMethod),
	parse: integerSegment,
	findByName,
});

/** n8n takes a field that is dragged onto a locator for an ID. */
export const orByPhone =
	<Value>(parse: Parse<Value>): Parse<Value> =>
	(value, reading) => {
		const isPhone = () => orUndefinedIfInvalid((one) => phoneDigits(one, reading), value) !== undefined;
		if (orUndefinedIfInvalid(parse, value) === undefined && isPhone())
			throw new InvalidValue('is a phone number, not an ID', 'Choose "By Phone Number" in place of "By ID".');
		return parse(value);
	};

/** Makes the parameter of a record that people know by a phone number too. */
const byIdOrPhone = (
	displayName: string,
	name: string,
	searchListMethod: string,
	findByPhone: FindByPhone,
) => ({
	parameter: locator(displayName, name, searchListMethod, { description: 'ID or phone number' }, [
		BY_ID,
		BY_PHONE,
	]),
	parse: orByPhone(integerSegment),
	findByPhone,
});

export const activity = byId('Activity', 'activityId', 'searchActivities');
export const agent = byId('Agent', 'agentId', 'searchAgents', findIn('agents'));
export const customer = byIdOrPhone('Customer', 'customerId', 'searchCustomers', customerByPhone);
export const group = byId('Group', 'groupId', 'searchGroups', findIn('groups'));
export const mediaItem = byId('Media Item', 'mediaId', 'searchMedia');
export const profile = byIdOrPhone('Profile', 'profileId', 'searchProfiles', profileByPhone);
export const tag = byId('Tag', 'tagId', 'searchTags', findIn('tags'));
export const user = byId('User', 'userId', 'searchUsers', findIn('users'));

/** A notification of the token's own user. It is the only listed record with a text as its ID. */
export const notification: PathParameter = {
	parameter: locator(
		'Notification',
		'notificationUuid',
		'searchNotifications',
		{ description: 'The notification to mark as read' },
		[{ displayName: 'By ID', placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90' }],
	),
	parse: textSegment,
};

/** A conversation. The interface has no list of them. */
export const conversation: PathParameter = {
	parameter: {
		displayName: 'Conversation',
		name: 'conversationId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 42',
		description: 'The ID of the conversation to write into',
		hint: 'Send Template and the trigger return its ID as conversation_id',
	},
	parse: conversationId,
};

/** The agent that sends a template. Only agents of the chat app can send templates. */
export const chatAppAgent = locator('Sender (Agent)', 'agentId', 'searchChatAppAgents', {
	description: 'The agent that sends the message',
});

/** A template. A chosen one brings its language, see `templateValue`; otherwise its key is its name. */
export const template = locator(
	'Template',
	'templateName',
	'searchTemplates',
	{ description: 'The approved template to send' },
	[{ displayName: 'By Name', placeholder: 'e.g. order_shipped' }],
);

/** A message type. Its key is its name. */
export const messageType = locator(
	'Custom Type',
	'customType',
	'searchMessageTypes',
	{ description: 'The type of the message, as the service names it' },
	[{ displayName: 'By Name', placeholder: 'e.g. interactive' }],
);

/** A field of a record. Its key is its name, and the type that the tenant describes: see `fieldKey`. */
export const fieldName = locator('Name', 'name', 'searchTenantFields', { required: false }, [
	{ displayName: 'By Name', placeholder: 'e.g. description' },
]);

/** The file in the header of a template: one of the media library, or what gives another. All are texts. */
export const headerFileLocator = {
	...locator(
		'Header File',
		'headerFile',
		'searchHeaderFiles',
		{ description: 'The file in the header of the template', required: false },
		[
			{ displayName: 'By URL', name: 'url', placeholder: 'e.g. https://example.com/parcel.jpg' },
			{ displayName: 'From Binary Field', name: 'binary', placeholder: 'e.g. data' },
			{ displayName: 'By File UUID', placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90' },
		],
	),
	hint: 'A URL must be public',
};

// What profiles are filtered by.

export const groupFilter = locator('Group', 'group', 'searchGroups', {
	description: 'Only profiles in this group',
	required: false,
});

// The records that a conversation gets.

export const assignGroup = locator('Assign Group', 'assignGroupId', 'searchGroups', {
	description: 'The group to assign',
	required: false,
});
export const assignTag = locator('Assign Tag', 'assignTagId', 'searchTags', {
	description: 'The tag to attach to the profile',
	required: false,
});
export const assignUser = locator('Assign User', 'assignUserId', 'searchUsers', {
	description: 'The user to assign the conversation to',
	required: false,
});
