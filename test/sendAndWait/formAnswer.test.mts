import { parse } from 'node:querystring';

import { readAnswer } from '../../nodes/CustomerMessaging/sendAndWait/formAnswer.ts';
import type { Question } from '../../nodes/CustomerMessaging/sendAndWait/question.ts';
import { approval, field, form, formOf, freeText } from './questions.mts';

/** Bodies that no page of ours sends. */
const NO_FORMS = [undefined, null, '', 'answer=approve', 7, true, [], ['approve'], [['answer', 'approve']]];

const dataOf = (question: Question, body: unknown) => {
	const result = readAnswer(question, body);
	return 'data' in result ? result.data : result;
};
const problemOf = (question: Question, body: unknown) => {
	const result = readAnswer(question, body);
	return 'data' in result ? undefined : Object.values(result.problems)[0];
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
		expect(Object.keys((readAnswer(approval, { answer }) as { problems: object }).problems)).toEqual([
			'answer',
		]);
	});

	it('without a button to decline cannot be declined', () => {
		const question = { ...approval, declineLabel: undefined };
		expect(readAnswer(question, { answer: 'decline' })).toEqual({
			values: { answer: 'decline' },
			problems: { answer: 'Choose an answer to "Do you accept the quote?".' },
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
		const answer = '"How was your visit?" is too long. Use at most 10000 characters.';
		for (const more of ['b', '\r\n', 'b'.repeat(100_000)])
			expect(readAnswer(freeText, { answer: most + more })).toEqual({
				...{ values: { answer: text }, problems: { answer } },
			});
	});

	it('is asked for by the usual words when the question has none', () => {
		expect(problemOf({ ...freeText, title: ' ' }, {})).toBe('Fill in "A Question for You".');
	});
});

describe('a number', () => {
	const number = formOf(field('amount', { label: 'Amount', type: 'number' }));

	it.each([
		['0', 0],
		['12', 12],
		['1.5', 1.5],
		['1,5', 1.5],
		[' -0,25 ', -0.25],
		['+3', 3],
		['007', 7],
		['0,125', 0.125],
		['1234.567', 1234.567],
		['1500', 1500],
		['1.5000', 1.5],
		['123456789012345', 123456789012345],
	])('%j is %d', (written, amount) => {
		expect(readAnswer(number, { 'field-0': written })).toEqual({ data: { amount } });
	});

	it.each([
		['1.500', '"Amount" can be read as two numbers. Write 1500 or 1.5000.'],
		['-12,345', '"Amount" can be read as two numbers. Write -12345 or -12.3450.'],
		['1.500,25', '"Amount" is not a number. Write it like 12 or 1.5.'],
		['1,500,000', '"Amount" is not a number. Write it like 12 or 1.5.'],
		['1 500', '"Amount" is not a number. Write it like 12 or 1.5.'],
		['.5', '"Amount" is not a number. Write it like 12 or 1.5.'],
		['5.', '"Amount" is not a number. Write it like 12 or 1.5.'],
		['1e3', '"Amount" is not a number. Write it like 12 or 1.5.'],
		['0x10', '"Amount" is not a number. Write it like 12 or 1.5.'],
		['Infinity', '"Amount" is not a number. Write it like 12 or 1.5.'],
		['NaN', '"Amount" is not a number. Write it like 12 or 1.5.'],
		['two', '"Amount" is not a number. Write it like 12 or 1.5.'],
		['1234567890123456', '"Amount" has too many digits. Use at most 15.'],
		['123456789012345.6', '"Amount" has too many digits. Use at most 15.'],
	])('%j is a problem', (written, problem) => {
		expect(readAnswer(number, { 'field-0': written })).toEqual({
			values: { 'field-0': written },
			problems: { 'field-0': problem },
		});
	});

	it('reads what the problem proposes as the two numbers', () => {
		const written = ['1500', '1.5000'];
		expect(written.map((text) => dataOf(number, { 'field-0': text }))).toEqual([
			{ amount: 1500 },
			{ amount: 1.5 },
		]);
	});
});

describe('a date', () => {
	const date = formOf(field('day', { label: 'Day', type: 'date' }));

	it.each(['2028-02-29', '2000-02-29', '1899-12-31', '9999-12-31', '0001-01-01'])('%s is one', (day) => {
		expect(readAnswer(date, { 'field-0': day })).toEqual({ data: { day } });
	});

	it.each([
		'2027-02-29',
		'1900-02-29',
		'2027-02-30',
		'2027-04-31',
		'2027-13-01',
		'2027-00-10',
		'2027-01-00',
		'2027-1-1',
		'31.12.2027',
		'2027-12-31T10:00',
		' 2027-12-31',
		'+012027-12-31',
		'tomorrow',
	])('%s is none', (day) => {
		expect(problemOf(date, { 'field-0': day })).toBe('"Day" is not a date. Write it like 2030-12-31.');
	});
});

describe('a choice', () => {
	const choice = formOf(
		field('colour', { type: 'choice', choices: ['Red', ' green ', 'two\r\nlines', 'constructor'] }),
	);

	it.each([
		['Red', 'Red'],
		[' green ', ' green '],
		['two\r\nlines', 'two\r\nlines'],
		['constructor', 'constructor'],
	])('%j is one of them', (sent, colour) => {
		expect(readAnswer(choice, { 'field-0': sent })).toEqual({ data: { colour } });
	});

	it.each(['red', 'Red ', 'green', 'toString', '0', 'Blue'])('%j is not among them', (sent) => {
		expect(problemOf(choice, { 'field-0': sent })).toBe('Choose an answer to "The colour".');
	});
});

describe('a custom form', () => {
	const answers = {
		'field-0': 'Anna',
		'field-1': '3',
		'field-2': '2030-05-17',
		'field-3': 'In the morning',
		'field-4': 'First',
		'field-5': 'District 7',
	};
	const data = {
		person: 'Anna',
		rooms: 3,
		day: '2030-05-17',
		time: 'In the morning',
		floor: 'First',
		district: 'District 7',
	};

	it('has a member for each field', () => {
		expect(readAnswer(form, answers)).toEqual({ data });
	});

	it('has null for an optional field without a value, sent or not', () => {
		const required = Object.fromEntries(
			Object.entries(answers).filter(([name]) => name !== 'field-2' && name !== 'field-4'),
		);
		const expected = { data: { ...data, day: null, floor: null } };
		expect(readAnswer(form, required)).toEqual(expected);
		expect(readAnswer(form, { ...required, 'field-2': '', 'field-4': ' ' })).toEqual(expected);
	});

	it('names each field that has a problem, and keeps what was written', () => {
		expect(
			readAnswer(form, { ...answers, 'field-0': ' ', 'field-1': '1.500', 'field-3': undefined }),
		).toEqual({
			values: {
				'field-0': ' ',
				'field-1': '1.500',
				'field-2': '2030-05-17',
				'field-4': 'First',
				'field-5': 'District 7',
			},
			problems: {
				'field-0': 'Fill in "Your name".',
				'field-1': '"Number of rooms" can be read as two numbers. Write 1500 or 1.5000.',
				'field-3': 'The answer to "Time" did not arrive. Answer it again.',
			},
		});
	});

	it('names a field without a label by its name', () => {
		expect(problemOf(formOf(field('size', { label: '', isRequired: true })), {})).toBe('Fill in "size".');
	});

	it('does not take a field that was sent twice', () => {
		const body = parse('field-0=Anna&field-0=Eve');
		expect(problemOf(formOf(field('person')), body)).toBe(
			'The answer to "The person" did not arrive. Answer it again.',
		);
	});

	it('ignores members that the page does not send', () => {
		expect(
			dataOf(formOf(field('person')), { 'field-0': 'a', 'field-1': 'b', person: 'c', approved: 'd' }),
		).toEqual({
			person: 'a',
		});
	});

	it.each(['__proto__', 'constructor', 'hasOwnProperty', 'a[b]', 'a.b', '', '\0'])(
		'takes %j for the name of a field',
		(name) => {
			const read = dataOf(formOf(field(name)), parse('field-0=x'));
			expect(Object.entries(read)).toEqual([[name, 'x']]);
			expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
		},
	);
});

describe('any body', () => {
	it.each(NO_FORMS.map((body) => [body]))('%j is a problem of each field', (body) => {
		for (const question of [approval, freeText, form, formOf(field('optional'))]) {
			const result = readAnswer(question, body) as { problems: object; values: object };
			expect(Object.keys(result.problems)).toHaveLength(Math.max(question.fields.length, 1));
			expect(result.values).toEqual({});
		}
	});
});

describe('an answer made to take long', () => {
	const LONG = 1_000_000;

	it.each([
		['digits', '9'.repeat(LONG)],
		['digits with a fraction', `1.${'0'.repeat(9990)}`],
		['signs', '+'.repeat(LONG)],
		['spaces', ' '.repeat(LONG)],
		['spaces around', `${' '.repeat(4999)}x${' '.repeat(4999)}`],
		['carriage returns', '\r'.repeat(LONG)],
		['line breaks', '\r\n'.repeat(LONG / 2)],
		['a date that goes on', `2030-12-31${'0'.repeat(LONG)}`],
	])('of %s is cut', (_name, text) => {
		const body = Object.fromEntries(form.fields.map((_, index) => [`field-${index}`, text]));
		const result = readAnswer(form, body);
		const values = Object.values((result as { values: Record<string, string> }).values);
		expect(values).toHaveLength(form.fields.length);
		expect(Math.max(...values.map(({ length }) => length))).toBeLessThanOrEqual(10_000);
	});
});
