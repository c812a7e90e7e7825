import { assignGroup, assignTag, assignUser } from '../../fields/locators';
import { bodyField } from '../../runner/field';
import { integerId } from '../../values/ids';
import { text } from '../../values/text';

const assignBotId = bodyField('assign_bot_id', integerId, {
	displayName: 'Assign Bot ID',
	name: 'assignBotId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 42',
	description: 'The bot to assign to the conversation; a running bot is stopped',
});

const assignFolderId = bodyField('assign_folder_id', integerId, {
	displayName: 'Assign Folder ID',
	name: 'assignFolderId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 42',
	description: 'The folder to put the conversation into',
});

const customerName = bodyField('customer_name', text, {
	displayName: 'Customer Name',
	name: 'customerName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'The name to use when the customer is created',
});

/** The options that tell what becomes of the conversation and the customer. */
export const assignments = [
	assignBotId,
	assignFolderId,
	bodyField('assign_group_id', integerId, assignGroup),
	bodyField('assign_tag_id', integerId, assignTag),
	bodyField('assign_user_id', integerId, assignUser),
	customerName,
] as const;
