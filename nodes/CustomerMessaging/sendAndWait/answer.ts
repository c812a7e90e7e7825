import type { IDataObject } from 'n8n-workflow';

import { ANSWER, controlName, type FormField, type GivenAnswer, MAX_TEXT, type Question } from './question';

/** A sentence for the person who answers. */
class Problem {
	constructor(readonly sentence: string) {}
}

/** Browsers send line breaks as CR LF. */
const withPlainBreaks = (text: string) => text.replace(/\r\n?/g, '\n');

/** The text that a body holds under a name, or a problem. Nothing is the empty text. */
function textIn(body: unknown, name: string, label: string): string | Problem {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) {
		return new Problem(`The answer to "${label}" did not arrive. Send it again.`);
	}
	const value: unknown = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : '';
	if (typeof value !== 'string') return new Problem(`"${label}" was not sent as one text. Answer it again.`);
	const text = withPlainBreaks(value);
	return text.length > MAX_TEXT
		? new Problem(`"${label}" is too long. Use at most ${MAX_TEXT} characters.`)
		: text;
}

/** A number as people write it. A comma or a point before exactly three digits can mean thousands, so it is a problem. */
function toNumber(text: string, label: string): number | Problem {
	const [, sign, whole, fraction = ''] = /^([+-]?)(\d+)(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
	if (whole === undefined) return new Problem(`"${label}" is not a number. Write it like 12 or 1.5.`);
	if (fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)) {
		return new Problem(
			`"${label}" can be read as two numbers. Write ${sign}${whole}${fraction} or ${sign}${whole}.${fraction}0.`,
		);
	}
	return whole.length + fraction.length > 15
		? new Problem(`"${label}" has too many digits. Use at most 15.`)
		: Number(`${sign}${whole}.${fraction}`);
}

/** A day of the calendar, as browsers send it. */
function toDate(text: string, label: string): string | Problem {
	const day = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : Number.NaN);
	return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
		? text
		: new Problem(`"${label}" is not a date. Write it like 2030-12-31.`);
}

/** The value of a form's field. An optional field without a value is null. */
function toValue(field: FormField, label: string, text: string): string | number | null | Problem {
	if (text.trim() === '') {
		if (!field.isRequired) return null;
		return new Problem(field.type === 'choice' ? `Choose an answer to "${label}".` : `Fill in "${label}".`);
	}
	switch (field.type) {
		case 'text':
			return text;
		case 'number':
			return toNumber(text, label);
		case 'date':
			return toDate(text, label);
		case 'choice':
			return (
				field.choices.find((choice) => withPlainBreaks(choice) === text) ??
				new Problem(`Choose one of the answers to "${label}".`)
			);
	}
}

/** One control: its name, its label, and what its text means. */
interface Control {
	name: string;
	label: string;
	member: string;
	read(text: string): IDataObject[string] | Problem;
}

function controlsOf(question: Question): Control[] {
	const { title, approveLabel, declineLabel } = question;
	switch (question.responseType) {
		case 'approval': {
			const choices = declineLabel ? `"${approveLabel}" or "${declineLabel}"` : `"${approveLabel}"`;
			const read = (text: string) =>
				text === 'approve' || (declineLabel !== undefined && text === 'decline')
					? text === 'approve'
					: new Problem(`Choose ${choices}.`);
			return [{ name: ANSWER, label: title, member: 'approved', read }];
		}
		case 'freeText': {
			const read = (text: string) =>
				text.trim() === '' ? new Problem(`Write an answer to "${title}".`) : text;
			return [{ name: ANSWER, label: title, member: 'text', read }];
		}
		case 'customForm':
			return question.fields.map((field, index) => {
				const label = field.label || field.name;
				const read = (text: string) => toValue(field, label, text);
				return { name: controlName(index), label, member: field.name, read };
			});
	}
}

/**
 * Reads the body of a sent form. Never throws, whatever the body is, and ignores members that the page did not ask for.
 *
 * - approval: `{ approved: boolean }`
 * - freeText: `{ text }`, as it was written, with plain line breaks
 * - customForm: a member for each field, under the name of the field. A number is a number, written with a point or a
 *   comma; a date is `YYYY-MM-DD`; a choice is one of the choices. An optional field without a value is null, so that
 *   all answers have the same members.
 */
export function readAnswer(question: Question, body: unknown): { data: IDataObject } | GivenAnswer {
	const data: Array<[string, IDataObject[string]]> = [];
	const values: Array<[string, string]> = [];
	const problems: Array<[string, string]> = [];
	for (const { name, label, member, read } of controlsOf(question)) {
		const text = textIn(body, name, label);
		const value = text instanceof Problem ? text : read(text);
		if (!(text instanceof Problem)) values.push([name, text]);
		if (value instanceof Problem) problems.push([name, value.sentence]);
		else data.push([member, value]);
	}
	return problems.length > 0
		? { values: Object.fromEntries(values), problems: Object.fromEntries(problems) }
		: { data: Object.fromEntries(data) };
}
