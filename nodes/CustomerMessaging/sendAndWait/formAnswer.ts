import type { IDataObject } from 'n8n-workflow';

import {
	ANSWER,
	controlName,
	DEFAULT_WORDS,
	type FormField,
	type GivenAnswer,
	MAX_TEXT,
	type Question,
} from './question';

class AnswerProblem extends Error {}

/** Browsers send line breaks as CR LF. Of a text that is too long, so much stays that it is still too long. */
const withPlainBreaks = (text: string) => text.slice(0, 2 * MAX_TEXT + 1).replace(/\r\n?/g, '\n');

/** A number as people write it. A comma or a point before exactly three digits can mean thousands, so it is a problem. */
function toNumber(text: string, label: string): number | AnswerProblem {
	const [, sign, whole, fraction = ''] = /^([+-]?)(\d+)(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
	if (whole === undefined) return new AnswerProblem(`"${label}" is not a number. Write it like 12 or 1.5.`);
	if (fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)) {
		return new AnswerProblem(
			`"${label}" can be read as two numbers. Write ${sign}${whole}${fraction} or ${sign}${whole}.${fraction}0.`,
		);
	}
	return whole.length + fraction.length > 15
		? new AnswerProblem(`"${label}" has too many digits. Use at most 15.`)
		: Number(`${sign}${whole}.${fraction}`);
}

function toDate(text: string, label: string): string | AnswerProblem {
	const day = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : Number.NaN);
	return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
		? text
		: new AnswerProblem(`"${label}" is not a date. Write it like 2030-12-31.`);
}

function toValue(field: FormField, text: string): string | number | null | AnswerProblem {
	const { type, choices, isRequired } = field;
	const label = field.label || field.name;
	if (text.length > MAX_TEXT) {
		return new AnswerProblem(`"${label}" is too long. Use at most ${MAX_TEXT} characters.`);
	}
	const isEmpty = text.trim() === '';
	if (isEmpty && !isRequired) return null;
	if (type === 'choice') {
		const chosen = choices.find((choice) => withPlainBreaks(choice) === text);
		return chosen ?? new AnswerProblem(`Choose an answer to "${label}".`);
	}
	if (isEmpty) return new AnswerProblem(`Fill in "${label}".`);
	if (type === 'number') return toNumber(text, label);
	return type === 'date' ? toDate(text, label) : text;
}

/** The question as a form: each type of answer is one. */
function fieldsOf({ responseType, title, declineLabel, fields }: Question): FormField[] {
	if (responseType === 'customForm') return fields;
	const field = { label: title.trim() || DEFAULT_WORDS.title, isRequired: true };
	if (responseType === 'freeText') return [{ ...field, name: 'text', type: 'text', choices: [] }];
	const choices = declineLabel ? ['approve', 'decline'] : ['approve'];
	return [{ ...field, name: 'approved', type: 'choice', choices }];
}

/**
 * Reads the body of a sent form, and ignores members that the page does not send: `{ approved: boolean }`, `{ text }`,
 * or a member for each field, null for an optional one without a value. Never throws.
 */
export function readAnswer(question: Question, body: unknown): { data: IDataObject } | GivenAnswer {
	const form = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined;
	const isApproval = question.responseType === 'approval';
	const data: Array<[string, IDataObject[string]]> = [];
	const values: Array<[string, string]> = [];
	const problems: Array<[string, string]> = [];
	for (const [index, field] of fieldsOf(question).entries()) {
		const name = question.responseType === 'customForm' ? controlName(index) : ANSWER;
		// The page does not send a choice that nobody made.
		const sent: unknown = form && (Object.hasOwn(form, name) ? Reflect.get(form, name) : '');
		const text = typeof sent === 'string' ? withPlainBreaks(sent) : undefined;
		if (text !== undefined) values.push([name, text.slice(0, MAX_TEXT)]);
		const value =
			text === undefined
				? new AnswerProblem(`The answer to "${field.label || field.name}" did not arrive. Answer it again.`)
				: toValue(field, text);
		if (value instanceof AnswerProblem) problems.push([name, value.message]);
		else data.push([field.name, isApproval ? value === 'approve' : value]);
	}
	return problems.length > 0
		? { values: Object.fromEntries(values), problems: Object.fromEntries(problems) }
		: { data: Object.fromEntries(data) };
}
