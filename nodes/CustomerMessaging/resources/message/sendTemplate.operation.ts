import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { integerId } from '../../shared/ids';
import { consentGuard, withoutConsent } from '../../shared/consentGuard';
import {
	chatAppAgentLocator,
	customerLocator,
	assignGroupLocator,
	assignTagLocator,
	templateLocator,
	assignUserLocator,
} from '../../shared/locators';
import { recordPostReceive, simpleMessagePostReceive, simplify } from '../../shared/outputs';
import { phoneDigits } from '../../shared/phoneNumber';
import { placeholders, placeholdersJson, placeholderValues } from '../../shared/placeholders';
import { allowLoop, fromAutomation, loopNotice, sendMessage, skipSent } from '../../shared/sending';
import { templateComponents, templateVariableParameters } from '../../shared/templateVariables';
import { type Conversion, convertBody, ValueProblem } from '../../shared/values';
import { sendWith } from '../../transport/send';

const phoneNumber: Conversion = (value) => {
	const digits = phoneDigits(value);
	return digits instanceof ValueProblem ? digits : Number(digits);
};

/** Sends the template; a file for its header is checked and uploaded first. */
const send = sendWith(async function (options, requestData) {
	const skipped = await withoutConsent(this, options.body as IDataObject);
	if (skipped) return [{ json: skipped }];
	return await sendMessage(this, requestData, options, async (body) => {
		const values = placeholderValues(this);
		return {
			...body,
			template_components: await templateComponents(this),
			...(values && { placeholders: values }),
		};
	});
});

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/chatapp/send-template' },
	output: { postReceive: [recordPostReceive, simpleMessagePostReceive] },
	operations: { pagination: send },
};

const properties: INodeProperties[] = [
	{
		displayName: 'To',
		name: 'recipient',
		type: 'options',
		options: [
			{
				name: 'Existing Customer',
				value: 'customer',
				description: 'A customer that the tenant knows, also one without a shared phone number',
			},
			{
				name: 'Phone Number',
				value: 'phoneNumber',
				description: 'A number; the customer and the conversation are created if they do not exist',
			},
		],
		default: 'phoneNumber',
		description: 'Who receives the message',
	},
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +49 171 1234567',
		description:
			'The phone number in international format, with country code; spaces, dashes and a leading + or 00 are fine',
		displayOptions: { show: { recipient: ['phoneNumber'] } },
		routing: {
			send: {
				type: 'body',
				property: 'phone_number',
				preSend: [convertBody('phone_number', 'Phone Number', phoneNumber)],
			},
		},
	},
	{
		...customerLocator,
		description: 'The customer who receives the message',
		displayOptions: { show: { recipient: ['customer'] } },
		routing: {
			send: {
				type: 'body',
				property: 'customer_id',
				preSend: [convertBody('customer_id', 'Customer', integerId)],
			},
		},
	},
	{
		...chatAppAgentLocator,
		routing: {
			send: { type: 'body', property: 'agent_id', preSend: [convertBody('agent_id', 'Agent', integerId)] },
		},
	},
	{ ...templateLocator, routing: { send: { type: 'body', property: 'template_name' } } },
	{
		displayName: 'Template Language Name or ID',
		name: 'templateLanguage',
		type: 'options',
		typeOptions: {
			loadOptionsMethod: 'getTemplateLanguages',
			loadOptionsDependsOn: ['templateName.value'],
		},
		default: '',
		required: true,
		description:
			'The language of the template. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		routing: { send: { type: 'body', property: 'template_language' } },
	},
	...templateVariableParameters,
	simplify,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			allowLoop,
			{
				displayName: 'Assign Bot ID',
				name: 'assignBotId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 42',
				description: 'The bot to assign to the conversation; a running bot is stopped',
				routing: {
					send: {
						type: 'body',
						property: 'assign_bot_id',
						preSend: [convertBody('assign_bot_id', 'Assign Bot ID', integerId)],
					},
				},
			},
			{
				displayName: 'Assign Folder ID',
				name: 'assignFolderId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 42',
				description: 'The folder to put the conversation into',
				routing: {
					send: {
						type: 'body',
						property: 'assign_folder_id',
						preSend: [convertBody('assign_folder_id', 'Assign Folder ID', integerId)],
					},
				},
			},
			{
				...assignGroupLocator,
				routing: {
					send: {
						type: 'body',
						property: 'assign_group_id',
						preSend: [convertBody('assign_group_id', 'Assign Group', integerId)],
					},
				},
			},
			{
				...assignTagLocator,
				routing: {
					send: {
						type: 'body',
						property: 'assign_tag_id',
						preSend: [convertBody('assign_tag_id', 'Assign Tag', integerId)],
					},
				},
			},
			{
				...assignUserLocator,
				routing: {
					send: {
						type: 'body',
						property: 'assign_user_id',
						preSend: [convertBody('assign_user_id', 'Assign User', integerId)],
					},
				},
			},
			{
				displayName: 'Customer Name',
				name: 'customerName',
				type: 'string',
				default: '',
				placeholder: 'e.g. Nathan Smith',
				description: 'The name to use when the customer is created',
				routing: { send: { type: 'body', property: 'customer_name' } },
			},
			fromAutomation,
			placeholders,
			placeholdersJson,
			skipSent,
			consentGuard,
		],
	},
	loopNotice,
];

export const description = updateDisplayOptions(
	{ show: { resource: ['message'], operation: ['sendTemplate'] } },
	properties,
);
