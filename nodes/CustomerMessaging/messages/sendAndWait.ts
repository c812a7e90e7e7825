import { WAIT_INDEFINITELY } from 'n8n-workflow';

import type { Body } from '../contract/endpoints';
import { sendMessage } from './sendMessage';
import { consentGuard } from './consentGuard';
import { allowLoop } from './loopGuard';
import { findTemplate } from './template/templateRecord';
import { buttonVariable, type VariableEntry } from './template/variables';
import { type NamedTemplate, type TemplateBody, useChosenTemplate } from './template/templateChoice';
import { markForTimeOut, putToWait } from '../n8nInternals/waiting';
import type { ItemContext } from '../core/field';
import { fieldError } from '../core/fieldError';
import type { Run } from '../core/operation';
import { type LinkTo, openQuestion, type Question } from './question/question';
import { InvalidValue } from '../values/parse';
import { limitWaitTime, linkVariable, questionOf, type QuestionSetting, sendAs } from './questionFields';
import { completeTemplate } from './sendTemplate';

/** The part of a link behind the address of n8n's waiting webhooks: execution, node, query. */
const pathAfterWebhooks = (link: string) => /[^/]+\/[^/]+$/.exec(link)?.[0] ?? link;

/**
 * Returns the part of a link that the variable of a URL button takes. The beginning of the address is in the template.
 *
 * @throws NodeOperationError when the tenant shows that the button does not lead to this n8n
 */
async function linkAsVariable(
	context: ItemContext,
	{ template_name: name = '', template_language: language = '' }: NamedTemplate,
	position: number,
	link: string,
): Promise<VariableEntry> {
	const variable = buttonVariable(position - 1, 'url');
	const end = pathAfterWebhooks(link);
	const found = await findTemplate(context.api, name, language);
	const parts = found.parts ?? found.partsElsewhere;
	if (!parts) return [variable, end];
	const urls = parts.map((part) =>
		part.part === 'button' && part.type === 'url' && part.index === position - 1 ? part.url : '',
	);
	const url = urls.find((one) => /\{\{[^{}]*\}\}/.test(one)) ?? '';
	const [beginning, rest] = url.split(/\{\{[^{}]*\}\}/);
	if (rest === '' && link.startsWith(beginning)) return [variable, link.slice(beginning.length)];
	const problem = new InvalidValue(
		url === ''
			? `is ${position}, but the template has no URL button with a variable there`
			: `is ${position}, but that button leads to ${url}`,
		`Nothing was sent. In the template, the address of the button has to be ${link.slice(0, -end.length)}{{1}}.`,
	);
	throw fieldError(context, linkVariable.parameter.displayName, problem);
}

type TextBody = Body<'POST /conversations/{conversationId}/messages'>;

/** The text of a question: its words, and a link for each decision or one for the page. */
function textOf({ message, beforeLink, responseType, buttons }: Question, linkTo: LinkTo): string {
	if (responseType !== 'approval') return `${message}\n\n${beforeLink} ${linkTo()}`;
	return [`${message}\n`, ...buttons.map(({ value, label }) => `${label}: ${linkTo(value)}`)].join('\n');
}

const NOBODY_ASKED =
	'Nobody was asked, so the workflow does not wait. Check the recipient. After the session of a conversation has ended, only a template reaches the customer (Send As: Template).';

export const sendQuestion: Run<QuestionSetting, TemplateBody & TextBody> = async (item) => {
	useChosenTemplate(item);
	const { context } = item;
	const question = questionOf(item);
	const until = item.shows(limitWaitTime) ? item.get(limitWaitTime) : WAIT_INDEFINITELY;
	const complete = async () => {
		const linkTo = openQuestion(context, question);
		const { body } = item.request;
		if (item.get(sendAs) === 'text')
			return { ...body, type: 'text', text: { content: textOf(question, linkTo) } };
		return await completeTemplate(
			item,
			await linkAsVariable(context, body, item.get(linkVariable), linkTo()),
		);
	};
	const { items, isSkipped } = await sendMessage(item, [consentGuard, allowLoop], complete, NOBODY_ASKED);
	if (isSkipped) return items;
	const input = context.getInputData();
	const output = [{ ...input }];
	markForTimeOut([input], { timedOut: true });
	await putToWait(context, until);
	return output;
};
