import { bodyField, options, setting } from '../core/field';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { simplify } from '../core/simplified';
import { findIn } from '../fields/byName';
import { choiceParameter } from '../fields/list';
import { assigned, chatAppAgent, customer, orByPhone, template } from '../fields/locators';
import { choice } from '../values/choices';
import { integerId } from '../values/ids';
import { phoneNumber } from '../values/phoneNumber';
import { text, trimmedText } from '../values/text';
import { loopNotice } from './loopGuard';
import { sendMessage, type TemplateOption, templateOptions } from './sendMessage';
import {
	chooseTemplate,
	languageFallback,
	type TemplateBody,
	withoutLanguage,
} from './template/templateChoice';
import {
	headerFilesOf,
	placeholders,
	readVariables,
	templateVariableFields,
	type VariableSetting,
} from './template/variableFields';
import { componentsOf, type VariableEntry } from './template/variables';

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

export const templateFields = [
	recipient,
	bodyField('phone_number', phoneNumber, {
		required: true,
		placeholder: 'e.g. +49 171 1234567',
		description: 'With country code',
		displayOptions: { show: { recipient: ['phoneNumber'] } },
	}),
	{
		...bodyField('customer_id', orByPhone(integerId), {
			...customer.parameter,
			displayOptions: { show: { recipient: ['customer'] } },
		}),
		findByPhone: customer.findByPhone,
	},
	{
		...bodyField('agent_id', integerId, chatAppAgent),
		findByName: findIn('agents', { qs: { channel: 'chatapp' } }),
	},
	bodyField('template_name', trimmedText, template),
	bodyField('template_language', trimmedText, {
		...choiceParameter('Template Language Name or ID', 'getLanguages'),
		required: true,
		displayOptions: withoutLanguage,
	}),
	...templateVariableFields,
] as const;

export const optionalMembers = [
	bodyField('customer_name', text, {
		placeholder: 'e.g. Nathan Smith',
		description: 'If the customer is created',
	}),
	bodyField('assign_bot_id', integerId, {
		placeholder: 'e.g. 42',
		description: 'A running bot is stopped',
	}),
	bodyField('assign_folder_id', integerId, { placeholder: 'e.g. 42' }),
	{ ...bodyField('assign_group_id', integerId, assigned.group), findByName: findIn('groups') },
	{ ...bodyField('assign_tag_id', integerId, assigned.tag), findByName: findIn('tags') },
	{ ...bodyField('assign_user_id', integerId, assigned.user), findByName: findIn('users') },
] as const;

export const sendTemplateFields = [
	...templateFields,
	...simplify,
	options(...templateOptions, ...optionalMembers, languageFallback, placeholders),
	loopNotice,
] as const;

/** What the content of a template message is read from, and who gets it. */
export type ContentSetting = typeof placeholders | typeof recipient | VariableSetting;

/**
 * Completes the body of a template message. It first checks and uploads a file for the header.
 *
 * @param own value of a button that the operation gives by itself, which wins over that of the user
 * @throws NodeOperationError that names the variable or the file
 */
export async function completeTemplate(
	item: Item<ContentSetting, TemplateBody>,
	own?: VariableEntry,
): Promise<Partial<TemplateBody>> {
	const replacements = item.shows(placeholders) ? item.get(placeholders) : undefined;
	const { variables, components, problems } = readVariables(item, own);
	item.problems.push(...problems.map(({ error }) => error));
	if (item.problems.length > 0) throw item.problems[0];
	return {
		...item.request.body,
		template_components: components ?? (await componentsOf(variables, headerFilesOf(item))),
		...(replacements && { placeholders: replacements }),
	};
}

export const sendTemplate: Run<
	ContentSetting | TemplateOption | typeof languageFallback,
	TemplateBody
> = async (item) => {
	await chooseTemplate(item);
	return (await sendMessage(item, completeTemplate)).items;
};
