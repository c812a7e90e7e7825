import type { Body } from '../../contract/endpoints';
import { options } from '../../fields/collections';
import { sendMessage } from '../../messaging/delivery/sendMessage';
import { undeliveredError } from '../../messaging/delivery/undelivered';
import { consentGuard, withoutConsent } from '../../messaging/guards/consentGuard';
import { allowLoop, fromAutomation, loopNotice } from '../../messaging/guards/loopGuard';
import { placeholders } from '../../messaging/template/placeholders';
import { ofTemplate, type TemplateBody } from '../../messaging/template/templateChoice';
import { markForTimeOut, putToWait } from '../../n8nInternals/waiting';
import { pathField, setting, shownAs, shownWhile } from '../../runner/field';
import { flow } from '../../runner/operation';
import { type LinkTo, openQuestion, type Question } from '../../sendAndWait/question';
import {
	approvalOptions,
	endOfWait,
	formFields,
	language,
	limitWaitTime,
	message,
	questionOf,
	questionSettings,
	responseType,
	submitLabel,
	thanks,
	title,
} from '../../sendAndWait/questionFields';
import { oneOf } from '../../values/choices';
import { conversation } from './messageFields';
import { assignments, recipient, templateFields } from './templateFields';
import { linkAsVariable, linkVariable } from './templateLink';
import { completeTemplate, contentSettings } from './templateSending';

export const sendAs = setting('sendAs', oneOf('template', 'text'), {
	displayName: 'Send As',
	name: 'sendAs',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Template',
			value: 'template',
			description: 'An approved template whose URL button opens the page, also as the first message',
		},
		{ name: 'Text', value: 'text', description: 'Your words with the links, in an existing conversation' },
	],
	default: 'text',
	description: 'How to send the question',
});

const settings = [
	sendAs,
	recipient,
	linkVariable,
	limitWaitTime,
	allowLoop,
	...contentSettings,
	...questionSettings,
] as const;

type TextBody = Body<'POST /conversations/{conversationId}/messages'>;

/** The text of a question: its words, and a link for each decision or one for the page. */
function textOf(
	{ message: words, responseType: kind, approveLabel, declineLabel }: Question,
	linkTo: LinkTo,
) {
	if (kind !== 'approval') return `${words}\n\n${linkTo()}`;
	const decline = declineLabel === undefined ? [] : [`${declineLabel}: ${linkTo('decline')}`];
	return [`${words}\n`, `${approveLabel}: ${linkTo('approve')}`, ...decline].join('\n');
}

const NOBODY_ASKED =
	'Nobody was asked, so the workflow does not wait. Check the recipient. After the session of a conversation has ended, only a template reaches the customer (Send As: Template).';

/** Sends the question once, then has n8n wait. */
export const sendQuestion = flow<(typeof settings)[number], TemplateBody & TextBody>(
	settings,
	async (given) => {
		const item = ofTemplate(given);
		const { context, request, read, shows } = item;
		const question = questionOf(context, read);
		const until = endOfWait(context, shows(limitWaitTime) ? read(limitWaitTime) : undefined);
		const isTemplate = read(sendAs) === 'template';
		let isSkipped = false;
		const items = await sendMessage(item, {
			async skipped() {
				const mode = isTemplate && shows(consentGuard) ? read(consentGuard) : undefined;
				const skipped = await withoutConsent(context, request.body, mode);
				isSkipped = skipped !== undefined;
				return skipped;
			},
			async complete(body) {
				const linkTo = openQuestion(context, question);
				if (!isTemplate) return { ...body, type: 'text', text: { content: textOf(question, linkTo) } };
				const own = await linkAsVariable(context, body, read(linkVariable), linkTo());
				return { ...body, ...(await completeTemplate(item, body, own)) };
			},
			async answered({ items: sent, undelivered }) {
				if (undelivered) throw await undeliveredError(context, undelivered, NOBODY_ASKED);
				return sent;
			},
		});
		if (isSkipped) return items;
		const input = context.getInputData();
		const output = [{ ...input }];
		markForTimeOut([input], { timedOut: true });
		await putToWait(context, until);
		return output;
	},
);

/** The fields of a question: what is asked, how it is sent, and how it is answered. */
export const questionMessageFields = [
	message,
	sendAs,
	shownAs(pathField('conversationId', conversation), { displayOptions: { show: { sendAs: ['text'] } } }),
	...shownWhile('sendAs', ['template'], [...templateFields, linkVariable]),
	responseType,
	approvalOptions,
	formFields,
	options(
		allowLoop,
		...shownWhile('/sendAs', ['template'], assignments),
		fromAutomation,
		...shownWhile('/sendAs', ['template'], [consentGuard]),
		limitWaitTime,
		submitLabel,
		language,
		thanks,
		title,
		...shownWhile('/sendAs', ['template'], [placeholders]),
	),
	loopNotice,
] as const;
