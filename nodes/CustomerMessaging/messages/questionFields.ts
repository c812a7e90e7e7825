import { DateTime } from 'luxon';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import type { Flat, ItemContext } from '../core/field';
import { options, pathField, setting, shownAs, shownWhile } from '../core/field';
import type { Item } from '../core/item';
import { conversation } from '../fields/locators';
import { choice } from '../values/choices';
import { column, filled, oneRow, onlyRow, repeatedOf, rowBy, rowsWith } from '../values/columns';
import { isoDateTime } from '../values/dates';
import { isObject, ownMember } from '../values/json';
import { numberFrom } from '../values/numbers';
import { type Parse, InvalidValue } from '../values/parse';
import { emptyValue, optionalText, quote, stringOf, text } from '../values/text';
import { wordsIn } from './question/pageWords';
import type { Question } from './question/question';
import { consentGuard } from './consentGuard';
import { allowLoop, fromAutomation, loopNotice } from './loopGuard';
import type { SettingOf } from './sendingOption';
import { buttonPosition, MOST_BUTTONS, placeholders } from './template/variableFields';
import { assignments, customerName, templateFields } from './templateFields';

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

export const linkVariable = setting('linkVariable', buttonPosition, {
	displayName: 'Button With the Link',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MOST_BUTTONS },
	default: 1,
	required: true,
	description: 'The URL button that opens the page, counted from 1 over all buttons',
});

const responseType = setting(
	'responseType',
	...choice(
		{ approval: 'Approve or decline', choice: 'Choose one of your answers', freeText: 'Write an answer' },
		'approval',
		{ noDataExpression: true },
	),
);

/** A label stands on the line of its link. A line break would make another line of the message. */
const oneLine: Parse<string> = (value) => text(value).replace(/\s+/g, ' ').trim();

function withDistinctLabels(buttons: Question['buttons']): Question['buttons'] {
	const repeated = repeatedOf(buttons.map(({ label }) => label));
	if (repeated === undefined) return buttons;
	throw new InvalidValue(`has "${quote(repeated)}" twice`, 'Give each button a label of its own.');
}

const approvalColumns = [
	column(
		...choice({ double: ['Approve and Decline'], single: ['Approve Only'] }, 'double', {
			displayName: 'Type of Approval',
			name: 'approvalType',
		}),
	),
	column(filled(oneLine), { name: 'approveLabel', default: 'Approve' }),
	column(filled(oneLine), {
		displayName: 'Decline Label',
		name: 'disapproveLabel',
		default: 'Decline',
		displayOptions: { show: { approvalType: ['double'] } },
	}),
] as const;

const approvalButtons: Parse<Question['buttons']> = (value) => {
	const { approvalType, approveLabel, disapproveLabel } = onlyRow(approvalColumns)(value);
	const approve = { value: 'approve', label: approveLabel };
	if (approvalType === 'single') return [approve];
	return withDistinctLabels([approve, { value: 'decline', label: disapproveLabel }]);
};

const approvalOptions = setting('approvalOptions', approvalButtons, {
	type: 'fixedCollection',
	placeholder: 'Add option',
	options: rowsWith('Values', 'values', approvalColumns),
	displayOptions: { show: { responseType: ['approval'] } },
});

/** Parses choices: lines, or the list of an expression. */
const choiceButtons: Parse<Question['buttons']> = (value) => {
	const lines = [value].flat().flatMap((one) => text(one).split(/[\r\n]+/));
	const labels = lines.map((line) => oneLine(line)).filter(Boolean);
	if (labels.length === 0) throw emptyValue();
	return withDistinctLabels(labels.map((label, place) => ({ value: String(place), label })));
};

const choices = setting('choices', choiceButtons, {
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

function localeOf(code: string): Intl.Locale | undefined {
	try {
		return new Intl.Locale(code);
	} catch {
		return undefined;
	}
}

const languageCode: Parse<string> = (value) => {
	const locale = localeOf(optionalText(value).trim().replaceAll('_', '-') || 'en');
	if (locale) return locale.toString();
	throw new InvalidValue(`"${quote(value)}" is not a language`, 'Use a code such as de or pt-BR.');
};

const language = setting('options.responseFormLanguage', languageCode, {
	displayName: 'Page Language',
	placeholder: 'e.g. de',
	description:
		'The code of the language. The texts of the page are in Arabic, English, French, German, Portuguese and Spanish.',
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

const limitType = column(
	...choice(
		{ afterTimeInterval: ['After Time Interval'], atSpecifiedTime: ['At Specified Time'] },
		'afterTimeInterval',
		{ name: 'limitType' },
	),
);

const LEAST_AMOUNT = 0.01;

const resumeAmount = column(filled(numberFrom(LEAST_AMOUNT)), {
	displayName: 'Amount',
	name: 'resumeAmount',
	type: 'number',
	typeOptions: { minValue: LEAST_AMOUNT, numberPrecision: 2 },
	default: 1,
	displayOptions: { show: { limitType: ['afterTimeInterval'] } },
});

const resumeUnit = column(
	...choice({ days: ['Days'], hours: ['Hours'], minutes: ['Minutes'] }, 'hours', {
		displayName: 'Unit',
		name: 'resumeUnit',
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
	}),
);

/** A day alone is the beginning of it. */
const moment: Parse<string> = (value, reading) =>
	isoDateTime(
		typeof value === 'string' ? value.trim().replace(/^\d{4}-\d\d-\d\d$/, '$&T00:00') : value,
		reading,
	);

const maxDateAndTime = column(filled(moment), {
	name: 'maxDateAndTime',
	type: 'dateTime',
	default: '',
	displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
});

/** Parses to the end of the wait. */
const limit: Parse<Date> = (value, reading) => {
	const row = ownMember(value, 'values');
	if (!isObject(row)) return WAIT_INDEFINITELY;
	let end: DateTime = DateTime.utc();
	if (rowBy([limitType], row).limitType === 'atSpecifiedTime') {
		const { maxDateAndTime: time } = rowBy([maxDateAndTime], row, '', reading);
		end = DateTime.fromISO(time, { setZone: true });
	} else {
		const { resumeAmount: amount, resumeUnit: unit } = rowBy([resumeAmount, resumeUnit], row);
		end = end.plus({ [unit]: amount });
	}
	if (end > DateTime.utc()) return end.toJSDate();
	throw new InvalidValue(
		end.isValid ? `ends at ${quote(end.toISO())}, which is over` : 'is too long',
		'Enter a time that is still to come, e.g. {{ $now.plus({ days: 2 }) }}. Nothing was sent.',
	);
};

export const limitWaitTime = setting('options.limitWaitTime', limit, {
	...oneRow([limitType, resumeAmount, resumeUnit, maxDateAndTime]),
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
		...shownWhile('/sendAs', ['template'], [...assignments, customerName]),
		fromAutomation,
		...shownWhile('/sendAs', ['template'], [consentGuard]),
		limitWaitTime,
		send,
		language,
		thanks,
		title,
		...shownWhile('/sendAs', ['template'], [placeholders]),
		...shownWhile('/sendAs', ['text'], shownWhile('/responseType', ['choice', 'freeText'], [beforeLink])),
	),
	loopNotice,
] as const;

export type QuestionSetting = SettingOf<Flat<(typeof questionFields)[number]>>;

export function questionOf(item: Item<QuestionSetting>): Question {
	const kind = item.get(responseType);
	const buttons = { approval: approvalOptions, choice: choices, freeText: undefined }[kind];
	const { words } = wordsIn(item.get(language));
	return {
		message: wordsOf(item.context, item.get(message)),
		beforeLink: item.get(beforeLink) || `${words.answer}:`,
		responseType: kind,
		buttons: buttons ? item.get(buttons) : [],
		title: item.get(title) || words.title,
		submitLabel: item.get(send) || words.answer,
		thanks: item.get(thanks) || words.thanks,
		language: item.get(language),
	};
}
