import { parse } from 'node:querystring';

import { readAnswer } from '../../nodes/CustomerMessaging/messages/question/answerWebhook.ts';
import type { Question } from '../../nodes/CustomerMessaging/messages/question/question.ts';
import { approval, freeText } from './questions.mts';

/** Bodies that no page of ours sends. */
const NO_FORMS = [undefined, null, '', 'answer=approve', 7, true, [], ['approve'], [['answer', 'approve']]];

const problemOf = (question: Question, body: unknown) => {
	const result = readAnswer(question, body);
	return 'data' in result ? undefined : result.problem;
};

describe('an approval', () => {
	it.each([
		['approve', true],
		['decline', false],
	])('reads %s', (answer, approved) => {
		expect(readAnswer(approval, { answer })).toEqual({ data: { approved } });
	});

	it.each([
		'',
		'Approve',
		' approve',
		'approve\0',
		'true',
		'Accept',
		'approve,decline',
		true,
		['approve', 'decline'],
		{ approve: '' },
		null,
	])('does not take %j for a decision', (answer) => {
		expect(problemOf(approval, { answer })).toBeDefined();
	});

	it('without a button to decline cannot be declined', () => {
		const question = { ...approval, declineLabel: undefined };
		expect(readAnswer(question, { answer: 'decline' })).toEqual({
			text: 'decline',
			problem: 'Choose an answer to "Do you accept the quote?".',
		});
		expect(readAnswer(question, { answer: 'approve' })).toEqual({ data: { approved: true } });
	});

	it('does not decide by what an object inherits', () => {
		expect(problemOf(approval, Object.create({ answer: 'approve' }))).toBeDefined();
	});
});

describe('a free text', () => {
	it('stays as it was written, with plain line breaks', () => {
		expect(readAnswer(freeText, { answer: '  Gut,\r\nund günstig!\rJa\n😀 ' })).toEqual({
			data: { text: '  Gut,\nund günstig!\nJa\n😀 ' },
		});
	});

	it.each(['', ' ', '\r\n\t\u00a0'])('is more than %j', (answer) => {
		expect(problemOf(freeText, { answer })).toBe('Fill in "How was your visit?".');
	});

	it.each([
		['letters', 'a', 'a'],
		['line breaks of browsers', '\r\n', '\n'],
		['line breaks of old systems', '\r', '\n'],
	])('has at most 10,000 characters of %s, and not one more', (_, sent, kept) => {
		const text = `a${kept.repeat(9_999)}`;
		const most = `a${sent.repeat(9_999)}`;
		expect(readAnswer(freeText, { answer: most })).toEqual({ data: { text } });
		const problem = '"How was your visit?" is too long. Use at most 10000 characters.';
		for (const more of ['b', '\r\n', 'b'.repeat(100_000)])
			expect(readAnswer(freeText, { answer: most + more })).toEqual({ text, problem });
	});

	it('is asked for by the usual words when the question has none', () => {
		expect(problemOf({ ...freeText, title: ' ' }, {})).toBe('Fill in "A Question for You".');
	});
});

describe('any body', () => {
	it.each(NO_FORMS.map((body) => [body]))('%j is a problem', (body) => {
		for (const question of [approval, freeText]) {
			const problem = `The answer to "${question.title}" did not arrive. Answer it again.`;
			expect(readAnswer(question, body)).toEqual({ text: '', problem });
		}
	});

	it('with the answer twice is a problem', () => {
		const problem = 'The answer to "How was your visit?" did not arrive. Answer it again.';
		expect(readAnswer(freeText, parse('answer=Anna&answer=Eve'))).toEqual({ text: '', problem });
	});

	it('has members that the page does not send, which are ignored', () => {
		expect(readAnswer(freeText, { answer: 'a', text: 'b', approved: 'c' })).toEqual({ data: { text: 'a' } });
	});
});

describe('an answer made to take long', () => {
	const LONG = 1_000_000;

	it.each([
		['spaces', ' '.repeat(LONG)],
		['carriage returns', '\r'.repeat(LONG)],
		['line breaks', '\r\n'.repeat(LONG / 2)],
	])('of %s is cut', (_name, answer) => {
		const result = readAnswer(freeText, { answer }) as { text: string };
		expect(result.text.length).toBe(10_000);
	});
});
