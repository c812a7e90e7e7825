import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { recordPostReceive } from '../../shared/outputs';
import { phoneDigits } from '../../shared/phoneNumber';
import { convertBody } from '../../shared/values';

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/customers' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	{
		displayName: 'Channel',
		name: 'channel',
		type: 'options',
		options: [{ name: 'Chat App', value: 'chatapp' }],
		default: 'chatapp',
		required: true,
		description: 'The channel the customer is reached on; customers can only be created for the chat app',
		routing: { send: { type: 'body', property: 'channel' } },
	},
	{
		displayName: 'Phone Number',
		name: 'displayId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +49 171 1234567',
		description:
			'The phone number in international format, with country code; spaces, dashes and a leading + or 00 are fine',
		routing: {
			send: {
				type: 'body',
				property: 'display_id',
				preSend: [convertBody('display_id', 'Phone Number', phoneDigits)],
			},
		},
	},
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Nathan Smith',
		description: 'The name of the customer and of its profile',
		routing: { send: { type: 'body', property: 'name' } },
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['create'] } },
	properties,
);
