import { options, pathField, setting, shownAs, shownWhile } from '../core/field';
import { conversation } from '../fields/locators';
import { allowLoop, consentGuard, fromAutomation, loopNotice } from './sendingOptions';
import { buttonPosition, MOST_BUTTONS, placeholders } from './template/variableFields';
import { answerFields, limitWaitTime, message, pageTexts } from './question/questionFields';
import { choice } from '../values/choices';
import { assignments, customerName, templateFields } from './templateFields';

export const sendAs = setting(
	'sendAs',
	...choice(
		{
			template: 'An approved template whose URL button opens the page, also as the first message',
			text: 'Your words with the links, in an existing conversation',
		},
		'text',
		{ noDataExpression: true, description: 'How to send the question' },
	),
);

export const linkVariable = setting('linkVariable', buttonPosition, {
	displayName: 'Button With the Link',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MOST_BUTTONS },
	default: 1,
	required: true,
	description:
		'The URL button that opens the page, counted from 1 over all buttons. The link wins over a value in the variables.',
});

export const questionMessageFields = [
	message,
	sendAs,
	shownAs(pathField('conversationId', conversation), { displayOptions: { show: { sendAs: ['text'] } } }),
	...shownWhile('sendAs', ['template'], [...templateFields, linkVariable]),
	...answerFields,
	options(
		allowLoop,
		...shownWhile('/sendAs', ['template'], [...assignments, customerName]),
		fromAutomation,
		...shownWhile('/sendAs', ['template'], [consentGuard]),
		limitWaitTime,
		...pageTexts,
		...shownWhile('/sendAs', ['template'], [placeholders]),
	),
	loopNotice,
] as const;
