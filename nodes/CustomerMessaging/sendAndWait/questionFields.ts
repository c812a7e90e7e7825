import { DateTime } from 'luxon';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { type ItemContext, setting } from '../runner/field';
import { fieldError } from '../runner/fieldError';
import type { Read } from '../runner/operation';
import { boolean, choice } from '../values/choices';
import {
	column,
	filled,
	manyRows,
	oneRow,
	onlyRow,
	repeatedOf,
	rowBy,
	rowsBy,
	rowsWith,
	whenConverted,
} from '../values/columns';
import { type Conversion, ValueProblem } from '../values/conversion';
import { isObject, nameProblem, ownMember } from '../values/json';
import { numberFrom } from '../values/numbers';
import { optionalText, shown, text, stringOf } from '../values/text';
import { DEFAULT_WORDS, type FormField, type Question } from './question';

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
			customForm: 'Fill in a small form',
			freeText: 'Write a text',
		},
		'approval',
		{ noDataExpression: true, description: 'How the person answers on the page' },
	),
);

/** A label stands on the line of its link. A line break would make another line of the message. */
const oneLine: Conversion<string> = (value) =>
	whenConverted(text(value), (label) => label.replace(/\s+/g, ' ').trim());

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

const approvalRow: Conversion<Pick<Question, 'approveLabel' | 'declineLabel'>> = (value) =>
	whenConverted(
		onlyRow(approvalColumns)(value),
		({ approvalType, approveLabel, disapproveLabel: declineLabel }) => {
			if (approvalType === 'single') return { approveLabel };
			return approveLabel === declineLabel
				? new ValueProblem(`has "${shown(approveLabel)}" twice`, 'Give each button a label of its own.')
				: { approveLabel, declineLabel };
		},
	);

const approvalOptions = setting('approvalOptions', approvalRow, {
	type: 'fixedCollection',
	placeholder: 'Add option',
	options: rowsWith('Values', 'values', approvalColumns),
	displayOptions: { show: { responseType: ['approval'] } },
});

/** Splits a text into its lines. By expression, the choices can also be a list. */
const lines: Conversion<string[]> = (value) => {
	const list: unknown[] = Array.isArray(value) ? value : [value];
	const choices: string[] = [];
	for (const one of list) {
		const words = optionalText(one);
		if (words instanceof ValueProblem) return words;
		const parts = Array.isArray(value) ? [words] : words.split('\n');
		choices.push(...parts.map((part) => part.trim()).filter((part) => part !== ''));
	}
	const repeated = repeatedOf(choices);
	return repeated === undefined
		? choices
		: new ValueProblem(`has "${shown(repeated)}" twice`, 'Write each choice once.');
};

const formColumns = [
	column(filled(text), {
		name: 'fieldLabel',
		placeholder: 'e.g. Day of delivery',
		description: 'The label of the field on the page',
	}),
	column(optionalText, {
		name: 'fieldName',
		placeholder: 'e.g. day',
		description: 'The name of the field in the output; its label if empty',
	}),
	column(
		...choice({ choice: ['Choice'], date: ['Date'], number: ['Number'], text: ['Text'] }, 'text', {
			name: 'fieldType',
		}),
	),
	column(lines, {
		displayName: 'Choices',
		name: 'fieldOptions',
		typeOptions: { rows: 3 },
		description: 'The choices, one on each line',
		displayOptions: { show: { fieldType: ['choice'] } },
	}),
	column(optionalText, {
		name: 'placeholder',
	}),
	column(boolean, {
		name: 'requiredField',
		type: 'boolean',
		default: false,
		description: 'Whether the person has to fill in the field',
	}),
] as const;

const formRows = rowsBy('values', formColumns);

const MOST_FIELDS = 50;

const formFieldList: Conversion<FormField[]> = (value) =>
	whenConverted(formRows(value), (rows) => {
		const fields = rows.map(
			({ fieldLabel, fieldName, fieldType, fieldOptions, placeholder, requiredField }): FormField => ({
				name: fieldName.trim() || fieldLabel.trim(),
				label: fieldLabel,
				type: fieldType,
				choices: fieldOptions,
				isRequired: requiredField,
				...(placeholder && { placeholder }),
			}),
		);
		if (fields.length === 0) return new ValueProblem('have no field', 'Add a field to the form.');
		if (fields.length > MOST_FIELDS)
			return new ValueProblem(`are more than ${MOST_FIELDS}`, 'Ask for less on one page.');
		const names = fields.map(({ name }) => name);
		const repeated = repeatedOf(names);
		if (repeated !== undefined)
			return new ValueProblem(`have "${shown(repeated)}" twice`, 'Give each field a name of its own.');
		const empty = fields.find(({ type, choices }) => type === 'choice' && choices.length === 0);
		if (empty)
			return new ValueProblem(`have no choices for "${shown(empty.label)}"`, 'Write one on each line.');
		return names.map(nameProblem).find((problem) => problem !== undefined) ?? fields;
	});

const formFields = setting('formFields', formFieldList, {
	...manyRows('Field', 'values', formColumns, true),
	description: 'The fields of the form',
	displayOptions: { show: { responseType: ['customForm'] } },
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
	'The label of the button that sends a text or a form',
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

export const answerFields = [responseType, approvalOptions, formFields] as const;

export const pageTexts = [submitLabel, language, thanks, title] as const;

type QuestionSetting = (typeof answerFields)[number] | (typeof pageTexts)[number] | typeof message;

/** The input of a tool in the words that n8n gives to the human review of tools. */
const TOOL_INPUT = /\{\{\s*\$tool\.parameters\s*\}\}/g;

/** Returns the words of a question. n8n would write the input of a tool as [object Object], which nobody can approve. */
function wordsOf(context: ItemContext, words: string): string {
	const { message: raw } = context.getNode().parameters;
	if (typeof raw !== 'string' || !raw.startsWith('=') || raw.search(TOOL_INPUT) < 0) return words;
	const readable = raw.slice(1).replace(TOOL_INPUT, '{{ JSON.stringify($$tool.parameters, null, 2) }}');
	return stringOf(context.evaluateExpression(readable, context.getItemIndex()));
}

export function questionOf(context: ItemContext, read: Read<QuestionSetting>): Question {
	const kind = read(responseType);
	const approval = { approveLabel: DEFAULT_WORDS.approveLabel };
	return {
		...(kind === 'approval' ? read(approvalOptions) : approval),
		message: wordsOf(context, read(message)),
		responseType: kind,
		title: read(title),
		submitLabel: read(submitLabel),
		thanks: read(thanks),
		language: read(language),
		fields: kind === 'customForm' ? read(formFields) : [],
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

const limit: Conversion<Limit | undefined> = (value) => {
	const row = ownMember(value, 'values');
	if (!isObject(row)) return undefined;
	return whenConverted(rowBy([limitType], row), (one): Limit | ValueProblem =>
		one.limitType === 'atSpecifiedTime'
			? whenConverted(rowBy([maxDateAndTime], row), ({ maxDateAndTime: at }) => ({ at }))
			: whenConverted(rowBy([resumeAmount, resumeUnit], row), (given) => ({
					seconds: given.resumeAmount * SECONDS[given.resumeUnit],
				})),
	);
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
		new ValueProblem(
			`is "${shown(written)}", which is ${end.isValid ? 'over' : 'not a time'}`,
			'Enter a time that is still to come, e.g. {{ $now.plus({ days: 2 }) }}. Nothing was sent.',
		),
	);
}
