import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { integerId } from '../../shared/ids';
import { agentLocator } from '../../shared/locators';
import { recordPostReceive } from '../../shared/outputs';
import { convertBody } from '../../shared/values';

export const routing: INodePropertyRouting = {
	request: { method: 'PATCH', url: '/agents/{agentId}' },
	output: { postReceive: [recordPostReceive] },
};

const properties: INodeProperties[] = [
	agentLocator,
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			{
				displayName: 'Bot ID',
				name: 'botId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 42',
				description:
					'The ID of the bot that handles new conversations; an expression that gives null removes it',
				routing: {
					send: { type: 'body', property: 'bot_id', preSend: [convertBody('bot_id', 'Bot ID', integerId)] },
				},
			},
			{
				displayName: 'Proxy Email',
				name: 'proxyEmail',
				type: 'string',
				default: '',
				placeholder: 'e.g. name@email.com',
				description: 'The proxy email address; an expression that gives null removes it',
				routing: { send: { type: 'body', property: 'proxy_email' } },
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['agent'], operation: ['update'] } },
	properties,
);
