import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { agentLocator, customerLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';
import { phoneDigits } from '../../shared/phoneNumber';
import { type Conversion, convertBody, jsonOf, ValueProblem } from '../../shared/values';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/chatapp/send-template' },
	output: { postReceive: [recordPostReceive] },
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
				preSend: [convertBody('customer_id', 'Customer', Number)],
			},
		},
	},
	{
		...agentLocator,
		description: 'The agent of the chat app channel that sends the message',
		routing: {
			send: { type: 'body', property: 'agent_id', preSend: [convertBody('agent_id', 'Agent', Number)] },
		},
	},
	{
		displayName: 'Template Name',
		name: 'templateName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. order_shipped',
		description: 'The name of an approved template',
		routing: { send: { type: 'body', property: 'template_name' } },
	},
	{
		displayName: 'Template Language',
		name: 'templateLanguage',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. en_US',
		description: 'The language code of the template',
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
				displayName: 'Customer Name',
				name: 'customerName',
				type: 'string',
				default: '',
				placeholder: 'e.g. Nathan Smith',
				description: 'The name to use when the customer is created',
				routing: { send: { type: 'body', property: 'customer_name' } },
			},
			{
				displayName: 'From Automation',
				name: 'fromAutomation',
				type: 'boolean',
				default: false,
				description:
					'Whether to mark the message as sent by an automation, which also fires the New Agent Message webhook. A workflow that starts from that webhook and sends this way would never end.',
				routing: { send: { type: 'body', property: 'from_automation' } },
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['message'], operation: ['sendTemplate'] } },
	properties,
);
