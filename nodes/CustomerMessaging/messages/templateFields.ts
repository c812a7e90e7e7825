import { bodyField, options, setting } from '../core/field';
import { findIn } from '../fields/byName';
import { assigned, chatAppAgent, customer, orByPhone, template } from '../fields/locators';
import { loopNotice } from './loopGuard';
import { templateOptions } from './sendingOptions';
import { languageFallback } from './template/languageFallback';
import { withoutLanguage } from './template/templateChoice';
import { placeholders, templateVariableFields } from './template/variableFields';
import { simplify } from '../core/simplified';
import { choice } from '../values/choices';
import { integerId } from '../values/ids';
import { phoneNumber } from '../values/phoneNumber';
import { text, trimmedText } from '../values/text';

/** The kind of recipient. It decides which of the next two parameters counts. */
export const recipient = setting(
	'recipient',
	...choice(
		{
			customer: ['Existing Customer', 'A customer of your account, with or without a known phone number'],
			phoneNumber: 'A phone number. The customer and the conversation are created if they do not exist.',
		},
		'phoneNumber',
		{ displayName: 'To' },
	),
);

const recipientNumber = bodyField('phone_number', phoneNumber, {
	required: true,
	placeholder: 'e.g. +49 171 1234567',
	description: 'With country code',
	displayOptions: { show: { recipient: ['phoneNumber'] } },
});

const recipientCustomer = {
	...bodyField('customer_id', orByPhone(integerId), {
		...customer.parameter,
		displayOptions: { show: { recipient: ['customer'] } },
	}),
	findByPhone: customer.findByPhone,
};

const language = bodyField('template_language', trimmedText, {
	displayName: 'Template Language Name or ID',
	type: 'options',
	typeOptions: {
		loadOptionsMethod: 'getTemplateLanguages',
		loadOptionsDependsOn: ['templateName.value'],
	},
	default: '',
	required: true,
	displayOptions: withoutLanguage,
	description:
		'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
});

export const templateFields = [
	recipient,
	recipientNumber,
	recipientCustomer,
	{
		...bodyField('agent_id', integerId, chatAppAgent),
		findByName: findIn('agents', { qs: { channel: 'chatapp' } }),
	},
	bodyField('template_name', trimmedText, template),
	language,
	...templateVariableFields,
] as const;

const assignBotId = bodyField('assign_bot_id', integerId, {
	placeholder: 'e.g. 42',
	description: 'A running bot is stopped',
});

const assignFolderId = bodyField('assign_folder_id', integerId, {
	placeholder: 'e.g. 42',
});

export const customerName = bodyField('customer_name', text, {
	placeholder: 'e.g. Nathan Smith',
	description: 'The name of the customer, if one is created',
});

export const assignments = [
	assignBotId,
	assignFolderId,
	{ ...bodyField('assign_group_id', integerId, assigned.group), findByName: findIn('groups') },
	{ ...bodyField('assign_tag_id', integerId, assigned.tag), findByName: findIn('tags') },
	{ ...bodyField('assign_user_id', integerId, assigned.user), findByName: findIn('users') },
] as const;

/** The fields of a template message and of its sending. */
export const sendTemplateFields = [
	...templateFields,
	...simplify,
	options(...templateOptions, ...assignments, customerName, languageFallback, placeholders),
	loopNotice,
] as const;
