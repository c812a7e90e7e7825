import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { findIn } from './byName';
import { customerByPhone, profileByPhone } from './byPhone';
import { PHONE } from '../core/displayedFields';
import type { Finders, PathParameter } from '../core/field';
import { InvalidValue, orUndefinedIfInvalid, type Parse } from '../values/parse';
import { integerSegment, textSegment } from '../values/ids';
import { phoneDigits } from '../values/phoneNumber';

/** A mode in which the user types what tells the record. */
type Typed = Pick<INodePropertyMode, 'displayName' | 'placeholder'> & { name?: string };

const BY_ID: Typed = { displayName: 'By ID', placeholder: 'e.g. 42' };
const BY_PHONE: Typed = { displayName: 'By Phone Number', name: PHONE, placeholder: 'e.g. +49 171 1234567' };

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

/** n8n takes a field that is dragged onto a locator for an ID. */
export const orByPhone =
	<Value>(parse: Parse<Value>): Parse<Value> =>
	(value, reading) => {
		const isPhone = () => orUndefinedIfInvalid((one) => phoneDigits(one, reading), value) !== undefined;
		if (orUndefinedIfInvalid(parse, value) === undefined && isPhone())
			throw new InvalidValue('is a phone number, not an ID', 'Choose "By Phone Number" in place of "By ID".');
		return parse(value);
	};

/** Makes the parameter of a record whose ID is a whole number, also by name, or by a phone number. */
const byId = <Find extends Finders>(
	displayName: string,
	name: string,
	searchListMethod: string,
	find = {} as Find,
) => ({
	parameter: locator(displayName, name, searchListMethod, {}, find.findByPhone ? [BY_ID, BY_PHONE] : [BY_ID]),
	parse: find.findByPhone ? orByPhone(integerSegment) : integerSegment,
	...find,
});

export const customer = byId('Customer', 'customerId', 'searchCustomers', {
	findByPhone: customerByPhone,
});
export const group = byId('Group', 'groupId', 'searchGroups', { findByName: findIn('groups') });
export const tag = byId('Tag', 'tagId', 'searchTags', { findByName: findIn('tags') });
const user = byId('User', 'userId', 'searchUsers', { findByName: findIn('users') });

/** A notification of the token's own user. It is the only listed record with a text as its ID. */
const notification: PathParameter = {
	parameter: locator('Notification', 'notificationUuid', 'searchNotifications', {}, [
		{ displayName: 'By ID', placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90' },
	]),
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
		hint: 'Send Template and the trigger return it as conversation_id',
	},
	parse: textSegment,
};

/** The records in the paths of endpoints, by their collections. One path of the interface has `user` for `users`. */
export const records = {
	activities: byId('Activity', 'activityId', 'searchActivities'),
	agents: byId('Agent', 'agentId', 'searchAgents', { findByName: findIn('agents') }),
	conversations: conversation,
	customers: customer,
	groups: group,
	media: byId('Media Item', 'mediaId', 'searchMedia'),
	notifications: notification,
	profiles: byId('Profile', 'profileId', 'searchProfiles', { findByPhone: profileByPhone }),
	tags: tag,
	user,
	users: user,
};

/** The agent that sends a template. Only agents of the chat app can send templates. */
export const chatAppAgent = locator('Sender (Agent)', 'agentId', 'searchChatAppAgents');

/** A template. A chosen one brings its language, see `templateValue`; otherwise its key is its name. */
export const template = locator('Template', 'templateName', 'searchTemplates', {}, [
	{ displayName: 'By Name', placeholder: 'e.g. order_shipped' },
]);

/** A message type. Its key is its name. */
export const customType = locator(
	'Custom Type',
	'customType',
	'searchMessageTypes',
	{ description: 'As the service names it' },
	[{ displayName: 'By Name', placeholder: 'e.g. interactive' }],
);

/** A field of a record. Its key is its name, and the type that the tenant describes: see `fieldKey`. */
export const tenantFieldName = locator('Name', 'name', 'searchTenantFields', { required: false }, [
	{ displayName: 'By Name', placeholder: 'e.g. description' },
]);

/** The file in the header of a template: one of the media library, or what gives another. All are texts. */
export const headerFileLocator = {
	...locator('Header File', 'headerFile', 'searchHeaderFiles', { required: false }, [
		{ displayName: 'By URL', name: 'url', placeholder: 'e.g. https://example.com/parcel.jpg' },
		{ displayName: 'From Binary Field', name: 'binary', placeholder: 'e.g. data' },
		{ displayName: 'By File UUID', placeholder: 'e.g. 6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90' },
	]),
	hint: 'A URL must be public',
};

const optional = (displayName: string, name: string, searchListMethod: string, description?: string) =>
	locator(displayName, name, searchListMethod, { description, required: false });

/** What profiles are filtered by. */
export const groupFilter = optional('Group', 'group', 'searchGroups', 'Only profiles in this group');

/** The records that a conversation gets. */
export const assigned = {
	group: optional('Assign Group', 'assignGroupId', 'searchGroups'),
	tag: optional('Assign Tag', 'assignTagId', 'searchTags', 'To attach to the profile'),
	user: optional('Assign User', 'assignUserId', 'searchUsers'),
};
