import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { integerId } from '../../shared/ids';
import { agentLocator, customerLocator, templateLocator } from '../../shared/locators';
import { recordPostReceive, simpleMessagePostReceive, simplify } from '../../shared/outputs';
import { phoneDigits } from '../../shared/phoneNumber';
import { fromAutomation } from './fromAutomation';
import { type Conversion, convertBody, jsonOf, ValueProblem } from '../../shared/values';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/chatapp/send-template' },
	output: { postReceive: [recordPostReceive, simpleMessagePostReceive] },
};

const components = jsonOf('array', '[{ "type": "body", "parameters": [{ "type": "text", "text": "Jo" }] }]');

const phoneNumber: Conversion = (value) => {
	const digits = phoneDigits(value);
	return digits instanceof ValueProblem ? digits : Number(digits);
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
		...agentLocator,
		description: 'The agent of the chat app channel that sends the message',
		routing: {
			send: { type: 'body', property: 'agent_id', preSend: [convertBody('agent_id', 'Agent', integerId)] },
		},
	},
	{ ...templateLocator, routing: { send: { type: 'body', property: 'template_name' } } },
	{
		displayName: 'Template Language Name or ID',
		name: 'templateLanguage',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getTemplateLanguages' },
		default: '',
		required: true,
		description:
			'The language of the template. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		routing: { send: { type: 'body', property: 'template_language' } },
	},
	{
		displayName: 'Template Components',
		name: 'templateComponents',
		type: 'json',
		default: '[]',
		description:
			"How to fill the template's variables, in the chat app provider's component format; an empty list when it has none",
		routing: {
			send: {
				type: 'body',
				property: 'template_components',
				preSend: [convertBody('template_components', 'Template Components', components)],
			},
		},
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
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
				displayName: 'Assign Group ID',
				name: 'assignGroupId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 42',
				description: 'The group for the assignment',
				routing: {
					send: {
						type: 'body',
						property: 'assign_group_id',
						preSend: [convertBody('assign_group_id', 'Assign Group ID', integerId)],
					},
				},
			},
			{
				displayName: 'Assign Tag ID',
				name: 'assignTagId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 42',
				description: 'The tag to attach to the profile',
				routing: {
					send: {
						type: 'body',
						property: 'assign_tag_id',
						preSend: [convertBody('assign_tag_id', 'Assign Tag ID', integerId)],
					},
				},
			},
			{
				displayName: 'Assign User ID',
				name: 'assignUserId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 42',
				description: 'The user to assign the conversation to',
				routing: {
					send: {
						type: 'body',
						property: 'assign_user_id',
						preSend: [convertBody('assign_user_id', 'Assign User ID', integerId)],
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
			{
				displayName: 'Placeholders (JSON)',
				name: 'placeholders',
				type: 'json',
				default: '{}',
				description:
					'Values for custom placeholders inside the components: each key is replaced, as it is written, by its value',
				routing: {
					send: {
						type: 'body',
						property: 'placeholders',
						preSend: [convertBody('placeholders', 'Placeholders', jsonOf('object', '{ "%name%": "Jo" }'))],
					},
				},
			},
		],
	},
	simplify,
];

export const description = updateDisplayOptions(
	{ show: { resource: ['message'], operation: ['sendTemplate'] } },
	properties,
);
