import type { Body } from '../contract/endpoints';
import { sendMessage } from './sendMessage';
import type { allowLoop, consentGuard } from './sendingOptions';
import { withoutConsent } from './consentGuard';
import { findTemplate } from './template/templateRecord';
import { buttonVariable, type VariableEntry } from './template/variables';
import { type NamedTemplate, type TemplateBody, useChosenTemplate } from './template/templateChoice';
import { markForTimeOut, putToWait } from '../n8nInternals/waiting';
import type { ItemContext } from '../core/field';
import { fieldError } from '../core/fieldError';
import type { Run } from '../core/operation';
import { type LinkTo, openQuestion, type Question } from './question/question';
import { endOfWait, limitWaitTime, questionOf, type QuestionSetting } from './question/questionFields';
import { InvalidValue } from '../values/parse';
import { linkVariable, sendAs } from './questionMessageFields';
import { completeTemplate, type ContentSetting } from './sendTemplate';

/** The part of a link behind the address of n8n's waiting webhooks: execution, node, query. */
const behindWebhooks = (link: string) => /[^/]+\/[^/]+$/.exec(link)?.[0] ?? link;

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
	const end = behindWebhooks(link);
	const found = await findTemplate(context.api, name, language);
	const parts = found.parts ?? found.partsElsewhere;
	if (!parts) return [variable, end];
	const addresses = parts.map((part) =>
		part.part === 'button' && part.type === 'url' && part.index === position - 1 ? part.url : '',
	);
	const [address, beginning, rest] =
		/^(.*?)\{\{[^{}]*\}\}(.*)$/.exec(addresses.find((one) => one !== '') ?? '') ?? [];
	if (beginning !== undefined && rest === '' && link.startsWith(beginning))
		return [variable, link.slice(beginning.length)];
	const needed = `${link.slice(0, -end.length)}{{1}}`;
	const problem = new InvalidValue(
		address === undefined
			? `is ${position}, but the template has no URL button with a variable there`
			: `is ${position}, but that button leads to ${address}`,
		`Nothing was sent. In the template, the address of the button has to be ${needed}.`,
	);
	throw fieldError(context, linkVariable.parameter.displayName, problem);
}

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

export const sendQuestion: Run<
	| ContentSetting
	| QuestionSetting
	| typeof allowLoop
	| typeof consentGuard
	| typeof limitWaitTime
	| typeof linkVariable
	| typeof sendAs,
	TemplateBody & TextBody
> = async (item) => {
	useChosenTemplate(item);
	const { context } = item;
	const question = questionOf(item);
	const until = endOfWait(context, item.shows(limitWaitTime) ? item.get(limitWaitTime) : undefined);
	const isTemplate = item.get(sendAs) === 'template';
	let isSkipped = false;
	const items = await sendMessage(item, {
		async skipped() {
			const skipped = isTemplate ? await withoutConsent(item) : undefined;
			isSkipped = skipped !== undefined;
			return skipped;
		},
		async complete(body) {
			const linkTo = openQuestion(context, question);
			if (!isTemplate) return { ...body, type: 'text', text: { content: textOf(question, linkTo) } };
			const own = await linkAsVariable(context, body, item.get(linkVariable), linkTo());
			return { ...body, ...(await completeTemplate(item, body, own)) };
		},
		undeliveredRemedy: NOBODY_ASKED,
	});
	if (isSkipped) return items;
	const input = context.getInputData();
	const output = [{ ...input }];
	markForTimeOut([input], { timedOut: true });
	await putToWait(context, until);
	return output;
};
