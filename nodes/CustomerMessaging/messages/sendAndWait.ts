import { DateTime } from 'luxon';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { type Flat, type ItemContext, options, pathField, setting, shownAs, shownWhile } from '../core/field';
import type { Item } from '../core/item';
import { conversation } from '../fields/locators';
import { choice } from '../values/choices';
import { distinct, filled, oneRow, onlyRow, rowBy, rowsWith } from '../values/columns';
import { isoDateTime } from '../values/dates';
import { isObject, ownMember } from '../values/json';
import { numberFrom } from '../values/numbers';
import { InvalidValue, type Parse } from '../values/parse';
import { emptyValue, optionalText, quote, stringOf, text } from '../values/text';
import { type Question, wordsIn } from './question/answerPage';
import { openQuestion } from './question/question';
import { consentGuard } from './consentGuard';
import { allowLoop, fromAutomation, loopNotice } from './loopGuard';
import type { SettingOf } from './sendingOption';
import { BUTTON_NUMBER, buttonPosition, placeholders } from './template/variableFields';
import type { Body } from '../contract/endpoints';
import { sendMessage } from './sendMessage';
import { buttonVariable, type VariableEntry } from './template/variables';
import { chooseTemplate, findTemplate, type TemplateBody } from './template/templateChoice';
import { markForTimeOut, putToWait } from '../n8nInternals/waiting';
import { fieldError } from '../core/fieldError';
import type { Run } from '../core/operation';
import { completeTemplate, optionalMembers, templateFields } from './sendTemplate';

const message = setting('message', text, {
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. May we deliver on Monday?',
	description: 'The text above the links, and on the page',
});

export const sendAs = setting(
	'sendAs',
	...choice(
		{
			template: 'An approved template whose URL button opens the page. It can be the first message.',
			text: 'Your own text with the links, in an existing conversation',
		},
		'text',
		{ noDataExpression: true, description: 'How to send the question' },
	),
);

const linkVariable = setting('linkVariable', buttonPosition, {
	displayName: 'Button With the Link',
	...BUTTON_NUMBER,
	required: true,
	description: 'The URL button that opens the page, counted from 1 over all buttons',
});

const responseType = setting(
	'responseType',
	...choice(
		{ approval: 'Approve or decline', choice: 'Choose one of your answers', freeText: 'Write a text' },
		'approval',
		{ noDataExpression: true },
	),
);

/** A label stands on the line of its link. A line break would make another line of the message. */
const oneLine: Parse<string> = (value) => text(value).replace(/\s+/g, ' ').trim();

const approvalColumns = [
	setting(
		'approvalType',
		...choice({ double: ['Approve and Decline'], single: ['Approve Only'] }, 'double', {
			displayName: 'Type of Approval',
		}),
	),
	setting('approveLabel', filled(oneLine), { default: 'Approve' }),
	setting('disapproveLabel', filled(oneLine), {
		displayName: 'Decline Label',
		default: 'Decline',
		displayOptions: { show: { approvalType: ['double'] } },
	}),
] as const;

type Buttons = Question['buttons'];

const withLabels = (parse: Parse<Buttons>) => distinct(parse, ({ label }) => label);

const approvalButtons: Parse<Buttons> = (value) => {
	const { approvalType, approveLabel, disapproveLabel } = onlyRow(approvalColumns)(value);
	const buttons = [
		{ value: 'approve', label: approveLabel },
		{ value: 'decline', label: disapproveLabel },
	];
	return approvalType === 'single' ? buttons.slice(0, 1) : buttons;
};

const approvalOptions = setting('approvalOptions', withLabels(approvalButtons), {
	type: 'fixedCollection',
	placeholder: 'Add option',
	options: rowsWith('Values', 'values', approvalColumns),
	displayOptions: { show: { responseType: ['approval'] } },
});

/** Parses choices: lines, or the list of an expression. */
const choiceButtons: Parse<Buttons> = (value) => {
	const lines = [value].flat().flatMap((one) => text(one).split(/[\r\n]+/));
	const labels = lines.map((line) => oneLine(line)).filter(Boolean);
	if (labels.length === 0) throw emptyValue();
	return labels.map((label, place) => ({ value: String(place), label }));
};

const choices = setting('choices', withLabels(choiceButtons), {
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. On Monday',
	description: 'One per line. Each is a button on the page.',
	displayOptions: { show: { responseType: ['choice'] } },
});

const { words: english } = wordsIn('en');

/** Makes an option for words of the page. Without them, they are the usual ones in its language. */
const pageText = <const Name extends string>(
	name: Name,
	displayName: string,
	usual: keyof typeof english,
	description: string,
) => {
	const look = { displayName, name, placeholder: `e.g. ${english[usual]}`, description };
	return setting(`options.${name}`, (value) => optionalText(value).trim(), look);
};

const title = pageText('responseFormTitle', 'Page Title', 'title', 'The heading of the page');
const send = pageText(
	'responseFormButtonLabel',
	'Page Button Label',
	'answer',
	'The button that sends the answer',
);
const thanks = pageText('responseFormThanks', 'Page Thanks', 'thanks', 'The text after the answer');
const beforeLink = pageText('wordsBeforeLink', 'Text Before Link', 'answer', 'Between message and link');

const languageCode: Parse<string> = (value) => {
	const code = optionalText(value).trim().replaceAll('_', '-') || 'en';
	try {
		return new Intl.Locale(code).toString();
	} catch {
		// Nothing tells otherwise whether it is one.
	}
	throw new InvalidValue(`"${quote(value)}" is not a language`, 'Use a code such as de or pt-BR.');
};

const language = setting('options.responseFormLanguage', languageCode, {
	displayName: 'Page Language',
	placeholder: 'e.g. de',
	description: 'The code of the language: ar, de, en, es, fr or pt',
});

/** The input of a tool in the words that n8n gives to the human review of tools. */
const TOOL_INPUT = /\{\{\s*\$tool\.parameters\s*\}\}/g;

/** Returns the words of a question. n8n would write the input of a tool as [object Object], which nobody can approve. */
function wordsOf(context: ItemContext, words: string): string {
	const { message: raw } = context.getNode().parameters;
	if (typeof raw !== 'string' || !raw.startsWith('=') || raw.search(TOOL_INPUT) < 0) return words;
	const readable = raw.slice(1).replace(TOOL_INPUT, '{{ JSON.stringify($$tool.parameters, null, 2) }}');
	return stringOf(context.evaluateExpression(readable, context.getItemIndex()));
}

const limitType = setting(
	'limitType',
	...choice(
		{ afterTimeInterval: ['After Time Interval'], atSpecifiedTime: ['At Specified Time'] },
		'afterTimeInterval',
		{},
	),
);

const LEAST_AMOUNT = 0.01;

const resumeAmount = setting('resumeAmount', filled(numberFrom(LEAST_AMOUNT)), {
	displayName: 'Amount',
	type: 'number',
	typeOptions: { minValue: LEAST_AMOUNT, numberPrecision: 2 },
	default: 1,
	displayOptions: { show: { limitType: ['afterTimeInterval'] } },
});

const resumeUnit = setting(
	'resumeUnit',
	...choice({ days: ['Days'], hours: ['Hours'], minutes: ['Minutes'] }, 'hours', {
		displayName: 'Unit',
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
	}),
);

/** A day alone is the beginning of it. */
const moment: Parse<string> = (value, reading) =>
	isoDateTime(
		typeof value === 'string' ? value.trim().replace(/^\d{4}-\d\d-\d\d$/, '$&T00:00') : value,
		reading,
	);

const maxDateAndTime = setting('maxDateAndTime', filled(moment), {
	type: 'dateTime',
	default: '',
	displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
});

const limitColumns = [limitType, resumeAmount, resumeUnit, maxDateAndTime] as const;

/** Parses to the end of the wait. */
const limit: Parse<Date> = (value, reading) => {
	const given = ownMember(value, 'values');
	if (!isObject(given)) return WAIT_INDEFINITELY;
	const row = rowBy(limitColumns, given, '', reading);
	const end =
		row.limitType === 'atSpecifiedTime'
			? DateTime.fromISO(row.maxDateAndTime, { setZone: true })
			: DateTime.utc().plus({ [row.resumeUnit]: row.resumeAmount });
	if (end > DateTime.utc()) return end.toJSDate();
	throw new InvalidValue(
		end.isValid ? `ends at ${quote(end.toISO())}, which is over` : 'is too long',
		'Enter a time that is still to come, e.g. {{ $now.plus({ days: 2 }) }}. Nothing was sent.',
	);
};

const limitWaitTime = setting('options.limitWaitTime', limit, {
	...oneRow(limitColumns),
	description: 'Whether to continue without an answer after some time. The item then has timedOut.',
});

export const questionFields = [
	message,
	sendAs,
	shownAs(pathField('conversationId', conversation), { displayOptions: { show: { sendAs: ['text'] } } }),
	...shownWhile('sendAs', ['template'], [...templateFields, linkVariable]),
	responseType,
	approvalOptions,
	choices,
	options(
		allowLoop,
		...shownWhile('/sendAs', ['template'], [...optionalMembers, consentGuard, placeholders]),
		fromAutomation,
		limitWaitTime,
		send,
		language,
		thanks,
		title,
		...shownWhile('/sendAs', ['text'], shownWhile('/responseType', ['choice', 'freeText'], [beforeLink])),
	),
	loopNotice,
] as const;

type QuestionSetting = SettingOf<Flat<(typeof questionFields)[number]>>;

function questionOf(item: Item<QuestionSetting>): Question {
	const kind = item.get(responseType);
	const buttons = { approval: approvalOptions, choice: choices, freeText: undefined }[kind];
	const { words } = wordsIn(item.get(language));
	return {
		message: wordsOf(item.context, item.get(message)),
		responseType: kind,
		buttons: buttons ? item.get(buttons) : [],
		title: item.get(title) || words.title,
		submitLabel: item.get(send) || words.answer,
		thanks: item.get(thanks) || words.thanks,
		language: item.get(language),
	};
}

/**
 * Returns the part of a link that the variable of a URL button takes. The beginning of the address is in the template.
 *
 * @throws NodeOperationError when the tenant shows that the button does not lead to this n8n
 */
async function linkAsVariable(
	item: Item<typeof linkVariable, TemplateBody>,
	link: string,
): Promise<VariableEntry> {
	const { template_name: name = '', template_language: language = '' } = item.request.body;
	const position = item.get(linkVariable);
	const variable = buttonVariable(position - 1, 'url');
	// Behind the address of n8n's waiting webhooks: execution, node, query.
	const [end = link] = /[^/]+\/[^/]+$/.exec(link) ?? [];
	const { parts } = await findTemplate(item.api, name, language);
	if (!parts) return [variable, end];
	const { url = '' } = parts.find(({ index }) => index === position - 1) ?? {};
	const [beginning, rest] = url.split(/\{\{[^{}]*\}\}/);
	if (rest === '' && link.startsWith(beginning)) return [variable, link.slice(beginning.length)];
	const problem = new InvalidValue(
		`is ${position}, but that button leads to ${url || 'nothing'}`,
		`Nothing was sent. In the template, the address of the button has to be ${link.slice(0, -end.length)}{{1}}.`,
	);
	throw fieldError(item.context, linkVariable.parameter.displayName, problem);
}

/** The text of a question: its words, and a link for each decision or one for the page. */
function textOf(
	item: Item<QuestionSetting>,
	{ message, responseType, buttons, language: code }: Question,
	linkTo: ReturnType<typeof openQuestion>,
): string {
	if (responseType === 'approval')
		return [`${message}\n`, ...buttons.map(({ value, label }) => `${label}: ${linkTo(value)}`)].join('\n');
	return `${message}\n\n${item.get(beforeLink) || `${wordsIn(code).words.answer}:`} ${linkTo()}`;
}

const NOBODY_ASKED =
	'Nobody was asked, so the workflow does not wait. Check the recipient. After the session of a conversation has ended, only a template reaches the customer (Send As: Template).';

export const sendQuestion: Run<
	QuestionSetting,
	TemplateBody & Body<'POST /conversations/{conversationId}/messages'>
> = async (item) => {
	await chooseTemplate(item);
	const { context } = item;
	const question = questionOf(item);
	const until = item.shows(limitWaitTime) ? item.get(limitWaitTime) : WAIT_INDEFINITELY;
	const complete = async () => {
		const linkTo = openQuestion(context, question);
		if (item.get(sendAs) === 'template')
			return await completeTemplate(item, await linkAsVariable(item, linkTo()));
		return { ...item.request.body, type: 'text', text: { content: textOf(item, question, linkTo) } };
	};
	const { items, isSkipped } = await sendMessage(item, complete, NOBODY_ASKED);
	if (isSkipped) return items;
	const input = context.getInputData();
	const output = [{ ...input }];
	markForTimeOut([input], { timedOut: true });
	await putToWait(context, until);
	return output;
};
