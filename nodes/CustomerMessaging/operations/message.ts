import { messageRows, resultTotals } from '../messages/messageRow';
import { placeholders } from '../messages/template/variableFields';
import { options } from '../core/field';
import { record } from '../core/outputs';
import { operation, operationByChoice } from '../core/declare';
import { messageFields, sendConversationMessage } from '../messages/send';
import { questionFields, sendAs, sendQuestion } from '../messages/sendAndWait';
import { sendTemplate, sendTemplateFields, templateFields } from '../messages/sendTemplate';
import { languageFallback } from '../messages/template/templateChoice';
import { previewTemplate, previewTotals } from '../messages/template/templatePreview';
import { resource } from './resource';

export const messageResource = resource(
	'message',
	{ name: 'Message', default: 'sendTemplate', first: ['sendTemplate', 'send', 'sendAndWait'] },
	{
		// Describes what Send Template would send. It never asks the endpoint.
		previewTemplate: operation('POST /chatapp/send-template', {
			description:
				'Show a template as the customer would read it, with missing values and consent. Nothing is sent.',
			fields: [...templateFields, options(languageFallback, placeholders)],
			run: previewTemplate,
			collects: true,
			countHint: previewTotals,
		}),
		send: operation('POST /conversations/{conversationId}/messages', {
			description: 'Send a message in an existing conversation. To start one, use Send Template.',
			fields: messageFields,
			run: sendConversationMessage,
			output: messageRows(record),
			countHint: resultTotals,
		}),
		sendAndWait: operationByChoice(
			sendAs,
			{ template: 'POST /chatapp/send-template', text: 'POST /conversations/{conversationId}/messages' },
			{
				name: 'Send and Wait for Response',
				action: 'Send message and wait for response',
				description:
					'Ask a person and continue with the answer: an approval, a choice or a text on a page that a link opens',
				fields: questionFields,
				run: sendQuestion,
				waits: true,
			},
		),
		sendTemplate: operation('POST /chatapp/send-template', {
			description:
				'Send an approved template, also as the first message. To reply in a conversation, use Send.',
			fields: sendTemplateFields,
			run: sendTemplate,
			output: messageRows(record),
			countHint: resultTotals,
		}),
	},
);
