import type { Body } from '../../contract/endpoints';
import { assignGroup, assignTag, assignUser } from '../../fields/locators';
import { consentGuard, withoutConsent } from '../../messaging/consentGuard';
import { allowLoop, fromAutomation, loopNotice, skipSent } from '../../messaging/messageOptions';
import { placeholders, placeholdersJson, placeholderValues } from '../../messaging/placeholders';
import { sendingSettings, sendMessage } from '../../messaging/sendMessage';
import { templateVariableSettings } from '../../messaging/templateVariableFields';
import { templateComponents } from '../../messaging/templateVariables';
import { record } from '../../outputs/outputs';
import { simpleMessageFields, simplified, simplify } from '../../outputs/simplified';
import { operation } from '../../runner/declare';
import { bodyField, collection } from '../../runner/field';
import { flow } from '../../runner/operation';
import { integerId } from '../../values/ids';
import { text } from '../../values/text';
import { recipient, templateFields } from './templateFields';

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

const settings = [
	recipient,
	...sendingSettings,
	...templateVariableSettings,
	placeholders,
	placeholdersJson,
	consentGuard,
] as const;

type Template = Body<'POST /chatapp/send-template'>;

/** Sends the template. It first checks and uploads a file for the header. */
const sendOne = flow<(typeof settings)[number], Template>(settings, async (item) => {
	const { context, request, read } = item;
	return await sendMessage(item, {
		async skipped() {
			return await withoutConsent(context, request.body, read(consentGuard));
		},
		async complete(body) {
			const values = placeholderValues(read);
			return {
				...body,
				template_components: await templateComponents(context, read),
				...(values && { placeholders: values }),
			};
		},
	});
});

export const sendTemplate = operation('POST /chatapp/send-template', {
	fields: [
		...templateFields,
		...simplify,
		collection(
			{ displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {} },
			[
				allowLoop,
				assignBotId,
				assignFolderId,
				bodyField('assign_group_id', integerId, assignGroup),
				bodyField('assign_tag_id', integerId, assignTag),
				bodyField('assign_user_id', integerId, assignUser),
				customerName,
				fromAutomation,
				placeholders,
				placeholdersJson,
				skipSent,
				consentGuard,
			],
		),
		loopNotice,
	],
	flow: sendOne,
	output: simplified(record, simpleMessageFields),
});
