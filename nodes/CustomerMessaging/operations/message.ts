import { messageRows, resultTotals } from '../messages/messageRow';
import { placeholders } from '../messages/template/variableFields';
import { options } from '../core/field';
import { record } from '../core/outputs';
import { operationByChoice } from '../core/declare';
import { messageFields, sendConversationMessage } from '../messages/send';
import { questionFields, sendAs, sendQuestion } from '../messages/sendAndWait';
import { sendTemplate, sendTemplateFields, templateFields } from '../messages/sendTemplate';
import { languageFallback } from '../messages/template/templateChoice';
import { previewTemplate, previewTotals } from '../messages/template/templatePreview';
import { operation, resource } from './resource';

const inRows = { output: messageRows(record), countHint: resultTotals };

export const messageResource = resource(
	'message',
	{
		// Describes what Send Template would send. It never asks the endpoint.
		previewTemplate: operation(
			'POST /chatapp/send-template',
			'Show a template as the customer would read it, with missing values and consent. Nothing is sent.',
			{
				fields: [...templateFields, options(languageFallback, placeholders)],
				run: previewTemplate,
				collects: true,
				countHint: previewTotals,
			},
		),
		send: operation(
			'POST /conversations/{conversationId}/messages',
			'Send a message in an existing conversation. To start one, use Send Template.',
			{ ...inRows, fields: messageFields, run: sendConversationMessage },
		),
		sendAndWait: operationByChoice(
			sendAs,
			{ template: 'POST /chatapp/send-template', text: 'POST /conversations/{conversationId}/messages' },
			'Ask a person and continue with the answer: an approval, a choice or a text on a linked page',
			{
				name: 'Send and Wait for Response',
				action: 'Send message and wait for response',
				fields: questionFields,
				run: sendQuestion,
				waits: true,
			},
		),
		sendTemplate: operation(
			'POST /chatapp/send-template',
			'Send an approved template, also as the first message. To reply in a conversation, use Send.',
			{ ...inRows, fields: sendTemplateFields, run: sendTemplate },
		),
	},
	{ default: 'sendTemplate', first: ['sendTemplate', 'send', 'sendAndWait'] },
);
