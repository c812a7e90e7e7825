import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../values/json';
import { ANSWER, DEFAULT_WORDS, type GivenAnswer, MAX_TEXT, type Question } from './question';

/** Browsers send line breaks as CR LF. Of a text that is too long, so much stays that it is still too long. */
const withPlainBreaks = (text: string) => text.slice(0, 2 * MAX_TEXT + 1).replace(/\r\n?/g, '\n');

function problemOf({ responseType, title, declineLabel }: Question, text: string): string | undefined {
	const asked = `"${title.trim() || DEFAULT_WORDS.title}"`;
	if (responseType === 'approval') {
		const isChoice = text === 'approve' || (declineLabel !== undefined && text === 'decline');
		return isChoice ? undefined : `Choose an answer to ${asked}.`;
	}
	if (text.length > MAX_TEXT) return `${asked} is too long. Use at most ${MAX_TEXT} characters.`;
	return text.trim() === '' ? `Fill in ${asked}.` : undefined;
}

/**
 * Reads the body of a sent form, and ignores members that the page does not send: `{ approved: boolean }` or `{ text }`.
 * Never throws for a body without getters.
 */
export function readAnswer(question: Question, body: unknown): { data: IDataObject } | GivenAnswer {
	// The page does not send a choice that nobody made.
	const sent: unknown = isObject(body) && (Object.hasOwn(body, ANSWER) ? body[ANSWER] : '');
	if (typeof sent !== 'string') {
		const title = question.title.trim() || DEFAULT_WORDS.title;
		return { text: '', problem: `The answer to "${title}" did not arrive. Answer it again.` };
	}
	const text = withPlainBreaks(sent);
	const problem = problemOf(question, text);
	if (problem !== undefined) return { text: text.slice(0, MAX_TEXT), problem };
	return { data: question.responseType === 'approval' ? { approved: text === 'approve' } : { text } };
}
