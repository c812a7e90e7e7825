import { phoneDigits } from '../../../nodes/CustomerMessaging/values/phoneNumber.ts';
import { ValueProblem } from '../../../nodes/CustomerMessaging/values/conversion.ts';

const FORMAT = 'Use the international format with country code, e.g. +49 171 1234567.';

describe('a phone number', () => {
	it.each<[unknown, string]>([
		['1234567', '1234567'],
		['123456789012345', '123456789012345'],
		[1234567, '1234567'],
		['+1234567', '1234567'],
		['001234567', '1234567'],
		['+123456789012345', '123456789012345'],
		['00123456789012345', '123456789012345'],
		['4900171123456', '4900171123456'],
		['49 00 171 123456', '4900171123456'],
		['+49(0)171/1234567', '491711234567'],
		['0049 (0) 171 1234567', '491711234567'],
		['(+49) 171 1234567', '491711234567'],
		['  +49 171 1234567\t\n', '491711234567'],
		['49\u2007171\u202f1234567\u00a0', '491711234567'],
		['49\u2010171\u2011123\u2012456\u2013789\u2014\u2015', '49171123456789'],
		['49-171.123/456(7)', '491711234567'],
	])('%j goes out as %s', (typed, digits) => {
		expect(phoneDigits(typed)).toBe(digits);
	});

	it.each<[string, unknown, string]>([
		['6 digits', '123456', '"123456" has 6 digits, a phone number has 7 to 15'],
		['6 digits behind a +', '+123456', '"+123456" has 6 digits, a phone number has 7 to 15'],
		['6 digits behind 00', '00123456', '"00123456" has 6 digits, a phone number has 7 to 15'],
		['16 digits', '1234567890123456', '"1234567890123456" has 16 digits, a phone number has 7 to 15'],
		['a small number', 123456, '"123456" has 6 digits, a phone number has 7 to 15'],
		['a letter in front', 'x491711234567', '"x491711234567" is not a phone number'],
		['a letter behind', '491711234567x', '"491711234567x" is not a phone number'],
		['a letter within', '49171x1234567', '"49171x1234567" is not a phone number'],
		['a + within', '49+1711234567', '"49+1711234567" is not a phone number'],
		['two + in front', '++491711234567', '"++491711234567" is not a phone number'],
		['an extension', '+49 171 1234567 ext. 5', '"+49 171 1234567 ext. 5" is not a phone number'],
		[
			'two numbers',
			'+49 171 1234567, +49 171 7654321',
			'"+49 171 1234567, +49 171 7654321" is not a phone number',
		],
		['a + alone', '+', '"+" is not a phone number'],
		['00 alone', '00', '"00" is not a phone number'],
		['separators alone', ' - ', '"-" is not a phone number'],
		['no text', '', '"" is not a phone number'],
		['a number that is none', NaN, '"NaN" is not a phone number'],
	])('is not %s', (_what, typed, problem) => {
		expect(phoneDigits(typed)).toEqual(new ValueProblem(problem, FORMAT));
	});

	it.each<[string, unknown]>([
		['a list', ['491711234567']],
		['an object', { phone: '491711234567' }],
		['something that could be printed as one', { toString: () => '491711234567' }],
		['true', true],
		['null', null],
		['nothing', undefined],
		['a large integer', 491711234567n],
	])('is not %s', (_what, value) => {
		expect(phoneDigits(value)).toEqual(new ValueProblem('is not a phone number', FORMAT));
	});

	it.each([
		[' 0171 1234567 ', '"0171 1234567" has no country code'],
		['+0171 1234567', '"+0171 1234567" has no country code'],
		['000171 1234567', '"000171 1234567" has no country code'],
		['0', '"0" has no country code'],
	])('%j is refused rather than guessed', (typed, problem) => {
		expect(phoneDigits(typed)).toEqual(
			new ValueProblem(problem, `A leading 0 is never replaced by a guess. ${FORMAT}`),
		);
	});
});
