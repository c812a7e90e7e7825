import { DateTime } from 'luxon';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { type ItemContext, setting } from '../../core/field';
import { fieldError } from '../../core/fieldError';
import type { Item } from '../../core/item';
import { choice } from '../../values/choices';
import { column, filled, oneRow, onlyRow, rowBy, rowsWith } from '../../values/columns';
import { type Parse, InvalidValue } from '../../values/parse';
import { isObject, ownMember } from '../../values/json';
import { numberFrom } from '../../values/numbers';
import { optionalText, quote, text, stringOf } from '../../values/text';
import { DEFAULT_WORDS, type Question } from './question';

export const message = setting('message', text, {
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. May we deliver on Monday?',
	description: 'The question: the text above the links, and on the page that a link opens',
});

const responseType = setting(
	'responseType',
	...choice(
		{
			approval: 'Approve or decline with a button',
			freeText: 'Write a text',
		},
		'approval',
		{ noDataExpression: true, description: 'How the person answers on the page' },
	),
);

/** A label stands on the line of its link. A line break would make another line of the message. */
const oneLine: Parse<string> = (value) => text(value).replace(/\s+/g, ' ').trim();

const approvalColumns = [
	column(
		...choice({ double: ['Approve and Decline'], single: ['Approve Only'] }, 'double', {
			displayName: 'Type of Approval',
			name: 'approvalType',
		}),
	),
	column(filled(oneLine), {
		name: 'approveLabel',
		default: 'Approve',
	}),
	column(filled(oneLine), {
		displayName: 'Decline Label',
		name: 'disapproveLabel',
		default: 'Decline',
		displayOptions: { show: { approvalType: ['double'] } },
	}),
] as const;

const approvalRow: Parse<Pick<Question, 'approveLabel' | 'declineLabel'>> = (value) => {
	const { approvalType, approveLabel, disapproveLabel } = onlyRow(approvalColumns)(value);
	if (approvalType === 'single') return { approveLabel };
	if (approveLabel !== disapproveLabel) return { approveLabel, declineLabel: disapproveLabel };
	throw new InvalidValue(`has "${quote(approveLabel)}" twice`, 'Give each button a label of its own.');
};

const approvalOptions = setting('approvalOptions', approvalRow, {
	type: 'fixedCollection',
	placeholder: 'Add option',
	options: rowsWith('Values', 'values', approvalColumns),
	displayOptions: { show: { responseType: ['approval'] } },
});

/** A text of the page, or an empty one for the usual words. */
const pageText = <const Name extends string>(
	name: Name,
	displayName: string,
	example: string,
	description: string,
) =>
	setting(`options.${name}`, optionalText, {
		displayName,
		name,
		placeholder: `e.g. ${example}`,
		description,
	});

const title = pageText('responseFormTitle', 'Page Title', DEFAULT_WORDS.title, 'The heading of the page');

const submitLabel = pageText(
	'responseFormButtonLabel',
	'Page Button Label',
	DEFAULT_WORDS.submitLabel,
	'The label of the button that sends a text',
);

const thanks = pageText(
	'responseFormThanks',
	'Page Thanks',
	DEFAULT_WORDS.thanks,
	'The words that the page shows after the answer',
);

const language = pageText(
	'responseFormLanguage',
	'Page Language',
	'de',
	'The language of your words on the page, as a code, for screen readers and translation',
);

export const answerFields = [responseType, approvalOptions] as const;

export const pageTexts = [submitLabel, language, thanks, title] as const;

/** What a question is read from. */
export type QuestionSetting =
	| typeof approvalOptions
	| typeof language
	| typeof message
	| typeof responseType
	| typeof submitLabel
	| typeof thanks
	| typeof title;

/** The input of a tool in the words that n8n gives to the human review of tools. */
const TOOL_INPUT = /\{\{\s*\$tool\.parameters\s*\}\}/g;

/** Returns the words of a question. n8n would write the input of a tool as [object Object], which nobody can approve. */
function wordsOf(context: ItemContext, words: string): string {
	const { message: raw } = context.getNode().parameters;
	if (typeof raw !== 'string' || !raw.startsWith('=') || raw.search(TOOL_INPUT) < 0) return words;
	const readable = raw.slice(1).replace(TOOL_INPUT, '{{ JSON.stringify($$tool.parameters, null, 2) }}');
	return stringOf(context.evaluateExpression(readable, context.getItemIndex()));
}

export function questionOf(item: Item<QuestionSetting>): Question {
	const kind = item.get(responseType);
	const approval = { approveLabel: DEFAULT_WORDS.approveLabel };
	return {
		...(kind === 'approval' ? item.get(approvalOptions) : approval),
		message: wordsOf(item.context, item.get(message)),
		responseType: kind,
		title: item.get(title),
		submitLabel: item.get(submitLabel),
		thanks: item.get(thanks),
		language: item.get(language),
	};
}

const SECONDS = { minutes: 60, hours: 3600, days: 86_400 };

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
	description: 'How long to wait, e.g. 1.5',
	displayOptions: { show: { limitType: ['afterTimeInterval'] } },
});

const resumeUnit = column(
	...choice({ days: ['Days'], hours: ['Hours'], minutes: ['Minutes'] }, 'hours', {
		displayName: 'Unit',
		name: 'resumeUnit',
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
	}),
);

const maxDateAndTime = column(filled(optionalText), {
	name: 'maxDateAndTime',
	type: 'dateTime',
	default: '',
	description: 'Until when to wait',
	displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
});

type Limit = { seconds: number } | { at: string };

const limit: Parse<Limit | undefined> = (value) => {
	const row = ownMember(value, 'values');
	if (!isObject(row)) return undefined;
	if (rowBy([limitType], row).limitType === 'atSpecifiedTime')
		return { at: rowBy([maxDateAndTime], row).maxDateAndTime };
	const given = rowBy([resumeAmount, resumeUnit], row);
	return { seconds: given.resumeAmount * SECONDS[given.resumeUnit] };
};

export const limitWaitTime = setting('options.limitWaitTime', limit, {
	...oneRow([limitType, resumeAmount, resumeUnit, maxDateAndTime]),
	description: 'Whether to go on without an answer after some time; the item then has timedOut',
});

/**
 * Returns until when to wait. A time without a zone is in the time zone of the workflow.
 *
 * @throws NodeOperationError when that time is none, or is over
 */
export function endOfWait(context: ItemContext, given: Limit | undefined): Date {
	if (!given) return WAIT_INDEFINITELY;
	const now = DateTime.now();
	const end =
		'at' in given
			? DateTime.fromISO(given.at.trim().replace(' ', 'T'), { zone: context.getTimezone() })
			: now.plus({ seconds: given.seconds });
	if (end.isValid && end > now) return end.toJSDate();
	const written = 'at' in given ? given.at : given.seconds;
	throw fieldError(
		context,
		limitWaitTime.parameter.displayName,
		new InvalidValue(
			`is "${quote(written)}", which is ${end.isValid ? 'over' : 'not a time'}`,
			'Enter a time that is still to come, e.g. {{ $now.plus({ days: 2 }) }}. Nothing was sent.',
		),
	);
}
