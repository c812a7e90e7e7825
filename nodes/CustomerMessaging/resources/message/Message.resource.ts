import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { previewTemplate } from './previewTemplate.operation';
import { send } from './send.operation';
import { sendAndWait } from './sendAndWait.operation';
import { sendTemplate } from './sendTemplate.operation';

/** The operations by the name that workflows store. */
export const operations = { previewTemplate, send, sendAndWait, sendTemplate };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['message'] } },
		options: [
			{
				name: 'Preview Template',
				value: 'previewTemplate',
				action: 'Preview template message',
				description:
					'Show a template as the customer would read it, with what is missing, consent and price. Nothing is sent.',
				routing: previewTemplate.routing,
			},
			{
				name: 'Send',
				value: 'send',
				action: 'Send message',
				description: 'Send a message into an existing conversation. To write first, use Send Template.',
				routing: send.routing,
			},
			{
				name: 'Send and Wait for Response',
				value: 'sendAndWait',
				action: 'Send message and wait for response',
				description:
					'Ask a person, and go on with the answer: approval, a text or a small form on a page that a link opens',
				routing: sendAndWait.routing,
			},
			{
				name: 'Send Template',
				value: 'sendTemplate',
				action: 'Send template message',
				description:
					'Send an approved template to a phone number or a customer, also as the first message. To answer in a conversation, use Send.',
				routing: sendTemplate.routing,
			},
		],
		default: 'sendTemplate',
	},
	...shownFor('message', operations),
];
