import { ValueProblem } from '../../nodes/CustomerMessaging/values/conversion.ts';
import { phoneDigits, phoneNumber, searchText } from '../../nodes/CustomerMessaging/values/phoneNumber.ts';

const FORMAT = 'Use the international format with country code, e.g. +49 171 1234567.';

describe('a phone number', () => {
	it.each<[unknown, string]>([
		['+49 171 1234567', '491711234567'],
		['0049 171 1234567', '491711234567'],
		['49-171-123-4567', '491711234567'],
		['+1 (415) 555-0100', '14155550100'],
		['+49 (0) 171 / 1234567', '491711234567'],
		['+49(0)171/1234567', '491711234567'],
		['0049 (0) 171 1234567', '491711234567'],
		// Where the 0 belongs to the number, parentheses do not take it away.
		['+39 (0)6 1234 5678', '390612345678'],
		['0039 (0)6 1234 5678', '390612345678'],
		['+378 (0)549 123456', '3780549123456'],
		['+225 (0)7 12345678', '2250712345678'],
		['(+49) 171 1234567', '491711234567'],
		['(0049) 171 1234567', '491711234567'],
		['+49 (171) 1234567', '491711234567'],
		['+33 1/23/45/67/89', '33123456789'],
		['+49.171.1234567', '491711234567'],
		['+49 171123.45 67', '491711234567'],
		['49-171.123/4567', '491711234567'],
		// A slash behind the area code, or within a number, divides nothing.
		['+49 171 / 1234567', '491711234567'],
		['+49 171 /1234567', '491711234567'],
		['+49 33056 / 12345', '493305612345'],
		['+4933056 / 12345', '493305612345'],
		['0049 (171) / 123 45 67', '491711234567'],
		['(+49) 171 / 1234567', '491711234567'],
		['+49 / 171 / 1234567', '491711234567'],
		['+39 (0)6 / 1234 5678', '390612345678'],
		['+32 475/12.34.56', '32475123456'],
		['+33/1/23/45/67/89', '33123456789'],
		['+49 30 12345 - 67', '49301234567'],
		['+49 (1711234567)', '491711234567'],
		['  +49 171 1234567\t\n', '491711234567'],
		['+49\u00a0171\u20111234567', '491711234567'],
		['49\u2007171\u202f1234567\u00a0', '491711234567'],
		['49\u2010171\u2011123\u2012456\u2013789\u2014\u2015', '49171123456789'],
		['\u202a+49 171 1234567\u202c', '491711234567'],
		['\ufeff+49\u200b1711234567', '491711234567'],
		['tel:+491711234567', '491711234567'],
		['TEL:00491711234567', '491711234567'],
		["'+491711234567", '491711234567'],
		['+33.1.23.45.67.89', '33123456789'],
		['+33.1.23.45.67.00', '33123456700'],
		['+49 171 12345.00.00', '49171123450000'],
		[491711234567, '491711234567'],
		['491711234567.0', '491711234567'],
		['491711234567.000', '491711234567'],
		['1234567', '1234567'],
		[1234567, '1234567'],
		['+1234567', '1234567'],
		['001234567', '1234567'],
		['123456789012345', '123456789012345'],
		['+123456789012345', '123456789012345'],
		['00123456789012345', '123456789012345'],
	])('%j goes out as %s', (typed, digits) => {
		expect(phoneDigits(typed)).toBe(digits);
		expect(phoneNumber(typed)).toBe(Number(digits));
	});

	it.each<[unknown, string]>([
		['123456', '"123456" has 6 digits, a phone number has 7 to 15'],
		['+123456', '"+123456" has 6 digits, a phone number has 7 to 15'],
		['00123456', '"00123456" has 6 digits, a phone number has 7 to 15'],
		[123456, '"123456" has 6 digits, a phone number has 7 to 15'],
		['1234567890123456', '"1234567890123456" has 16 digits, a phone number has 7 to 15'],
		['call me', '"call me" is not a phone number'],
		['x491711234567', '"x491711234567" is not a phone number'],
		['491711234567x', '"491711234567x" is not a phone number'],
		['49171x1234567', '"49171x1234567" is not a phone number'],
		['49+1711234567', '"49+1711234567" is not a phone number'],
		['++491711234567', '"++491711234567" is not a phone number'],
		['+49 171 1234567 ext. 5', '"+49 171 1234567 ext. 5" is not a phone number'],
		...[
			'+49 171 1234567, +49 171 7654321',
			'+49 171 1234567; +49 171 7654321',
			'0171 1234567 / 0171 7654321',
			'491711234567/491717654321',
			'491711234567\n491717654321',
			'+49 171 1234567 +49 171 7654321',
			'0171 1234567 | 0171 7654321',
			'0171 1234567 & 0171 7654321',
			'+49 171 1234567, call 0171 7654321',
		].map((typed): [string, string] => [
			typed,
			`"${typed}" has several phone numbers; split it, so that each item has one`,
		]),
		...[
			'+49 30 12345 / 67890',
			'+4930 12345 / 67890',
			'0049 30 12345 /67890',
			'49 30 12345/ 67890',
			'+49 171 1234567 / 8',
			'+49 171 1234567/8',
			'+49 171 1234567/89',
			'+49 171 / 1234567 / 8',
			'+491711234567 / 8',
			'+49 (0) 171 1234567 / 8',
			'+49 171 1234567 (2)',
			'+49 171 1234567(2)',
			'+49 30 12345 (67890)',
			'+49 30 12345\n67890',
			'+41 44 123 45 67/68',
			'+41 44 123 45 67/8',
			'+41 44 123 45 67/77 88',
			'+33 1 23 45 67 89/90',
			'+33.1.23.45.67.89/90',
			'+45 12 34 56 78/79',
			'+32 2 123 45 67/68',
			'+49 30 12345\u202867890',
		].map((typed): [string, string] => [
			typed,
			`"${typed}" may be several phone numbers; split it, so that each item has one`,
		]),
		['490000000000', '"490000000000" is not a phone number'],
		['+', '"+" is not a phone number'],
		['00', '"00" is not a phone number'],
		[' - ', '"-" is not a phone number'],
		['', '"" is not a phone number'],
		['4.917E+11', '"4.917E+11" is not a phone number'],
		['491711234567.5', '"491711234567.5" is not a phone number'],
		['491711234567.50', '"491711234567.50" is not a phone number'],
		['491711234567.05', '"491711234567.05" is not a phone number'],
		['4917112.34567', '"4917112.34567" is not a phone number'],
		['+4917112345.0', '"+4917112345.0" is not a phone number'],
		['+49 171 123456.0', '"+49 171 123456.0" is not a phone number'],
		['(0)171 1234567', '"(0)171 1234567" is not a phone number'],
		['+49 (171) 1234567 (0)', '"+49 (171) 1234567 (0)" is not a phone number'],
		['+49 30 (0) 123456', '"+49 30 (0) 123456" is not a phone number'],
		[491711234567.5, '"491711234567.5" is not a phone number'],
		[-491711234567, '"-491711234567" is not a phone number'],
		[0, '"0" is not a phone number'],
		[NaN, '"NaN" is not a phone number'],
		[2 ** 53, '"9007199254740992" is not a phone number'],
		[['491711234567'], 'is not a phone number'],
		[{ toString: () => '491711234567' }, 'is not a phone number'],
		[true, 'is not a phone number'],
		[null, 'is not a phone number'],
		[undefined, 'is not a phone number'],
	])('is not %j', (typed, problem) => {
		expect(phoneDigits(typed)).toEqual(new ValueProblem(problem, FORMAT));
		expect(phoneNumber(typed)).toEqual(new ValueProblem(problem, FORMAT));
	});

	it.each([
		[' 0171 1234567 ', '"0171 1234567" has no country code'],
		['+0171 1234567', '"+0171 1234567" has no country code'],
		['0000171 1234567', '"0000171 1234567" has no country code'],
		['0', '"0" has no country code'],
		['(0171) 1234567', '"(0171) 1234567" has no country code'],
		['(49) 99123-4567', '"(49) 99123-4567" has no country code'],
		['(555) 123-4567', '"(555) 123-4567" has no country code'],
		['8 (912) 345-67-89', '"8 (912) 345-67-89" has no country code'],
		['89123456789', '"89123456789" has no country code'],
	])('%j is refused rather than guessed', (typed, problem) => {
		expect(phoneDigits(typed)).toEqual(
			new ValueProblem(problem, `A country code is never guessed. ${FORMAT}`),
		);
	});

	it.each([
		['+49 0170 1234567', '49', '491701234567'],
		['+490170/1234567', '49', '491701234567'],
		['0049 0170 1234567', '49', '491701234567'],
		['490170 1234567', '49', '491701234567'],
		['49 00 171 123456', '49', '49171123456'],
		['+44 07700 900123', '44', '447700900123'],
		['+33 06 12 34 56 78', '33', '33612345678'],
		['+1 0415 555 0100', '1', '14155550100'],
		['+7 0912 345 67 89', '7', '79123456789'],
		['+971 050 123 4567', '971', '971501234567'],
		['+380 067 123 4567', '380', '380671234567'],
		['+36 06 20 123 4567', '36', '36201234567'],
		['+43 0660 1234567', '43', '436601234567'],
		['+41 079 123 45 67', '41', '41791234567'],
	])('%j is refused, because the 0 behind %s is not dialled from abroad', (typed, code, meant) => {
		expect(phoneDigits(typed)).toEqual(
			new ValueProblem(
				`"${typed}" has a 0 behind the country code ${code}; probably +${meant} is meant`,
				'Leave out the 0, which is only dialled within the country.',
			),
		);
		expect(phoneDigits(`+${meant}`)).toBe(meant);
	});

	it.each([
		['+39 06 6982 1234', '390669821234'],
		['0039 02 1234567', '39021234567'],
		['+378 0549 882914', '3780549882914'],
		['+225 07 01 02 03 04', '2250701020304'],
		['+226 05 12 34 56', '22605123456'],
		['+229 01 97 12 34 56', '2290197123456'],
		['+241 06 03 12 34', '24106031234'],
		['+242 06 612 3456', '242066123456'],
		['+992 00 123 4567', '992001234567'],
		['+380 67 123 4567', '380671234567'],
		['+20 100 123 4567', '201001234567'],
		['+90 501 234 56 78', '905012345678'],
	])('%j keeps the 0 that belongs to it', (typed, digits) => {
		expect(phoneDigits(typed)).toBe(digits);
	});

	it('is looked for in 200,000 characters', () => {
		expect(phoneDigits('1'.repeat(200_000))).toMatchObject({
			problem: expect.stringContaining('200000 digits'),
		});
		expect(phoneDigits('1'.repeat(200_001))).toMatchObject({
			problem: expect.stringContaining('is not a phone number'),
		});
	});
});

describe('a text to search for', () => {
	it.each([
		['+49 171 1234567', '491711234567'],
		['+4917112', '4917112'],
		['004917112', '4917112'],
		['tel:4917112', '4917112'],
		['1234567890', '1234567890'],
		['49 171-1234567', '491711234567'],
		['123456789', '123456789'],
		['49-171-112', '49-171-112'],
		['17.05.1990', '17.05.1990'],
		['0171 1234567', '0171 1234567'],
		['Nathan Smith', 'Nathan Smith'],
		[`+49 171 1234567${' '.repeat(85)}`, '491711234567'],
		[`+49 171 1234567${' '.repeat(86)}`, `+49 171 1234567${' '.repeat(86)}`],
	])('%j goes out as %j', (typed, sent) => {
		expect(searchText(typed)).toBe(sent);
	});

	it('is no object', () => {
		expect(searchText({})).toMatchObject({ problem: '"{}" is not text' });
	});
});
