import {
	phoneDigits,
	phoneNumber,
	searchText,
	storedDigits,
	spellingsOf,
} from '../../nodes/CustomerMessaging/values/phoneNumber.ts';
import { invalid } from './invalid.mts';

const FORMAT = 'Use the international format with country code, e.g. +49 171 1234567.';

describe('a phone number', () => {
	it.each<[unknown, string]>([
		['+49 171 1234567', '491711234567'],
		['0049 171 1234567', '491711234567'],
		['+49-171-123-4567', '491711234567'],
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
		['(+49) (0)171 1234567', '491711234567'],
		['+ 49 (0)171 1234567', '491711234567'],
		['+81 3 1234 5678', '81312345678'],
		['84912345678', '84912345678'],
		['+49.171.1234567', '491711234567'],
		['+49 171123.45 67', '491711234567'],
		// A slash behind the area code, or within a number, divides nothing.
		['+49 171 / 1234567', '491711234567'],
		['+49 171 /1234567', '491711234567'],
		['+49 33056 / 12345', '493305612345'],
		['+4933056 / 12345', '493305612345'],
		['0049 (171) / 123 45 67', '491711234567'],
		['(+49) 171 / 1234567', '491711234567'],
		['+39 (0)6 / 1234 5678', '390612345678'],
		['+32 475/12.34.56', '32475123456'],
		['+49 30 12345 - 67', '49301234567'],
		['+49 (1711234567)', '491711234567'],
		['  +49 171 1234567\t\n', '491711234567'],
		['+49\u00a0171\u20111234567', '491711234567'],
		['+49\u2007171\u202f1234567\u00a0', '491711234567'],
		['+49\u2010171\u2011123\u2012456\u2013789\u2014\u2015', '49171123456789'],
		['\u202a+49 171 1234567\u202c', '491711234567'],
		['\ufeff+49\u200b1711234567', '491711234567'],
		['tel:+491711234567', '491711234567'],
		['TEL:00491711234567', '491711234567'],
		["'+491711234567", '491711234567'],
		["'491711234567", '491711234567'],
		['\u202a491711234567\u202c\u00a0', '491711234567'],
		['tel:49 171 1234567', '491711234567'],
		["'491711234567.0", '491711234567'],
		['+33.1.23.45.67.89', '33123456789'],
		['+33.1.23.45.67.00', '33123456700'],
		['+49 171 12345.00.00', '49171123450000'],
		[491711234567, '491711234567'],
		['491711234567.0', '491711234567'],
		['+491711234567.0', '491711234567'],
		['491711234567.000', '491711234567'],
		['2712345', '2712345'],
		[2712345, '2712345'],
		['+2712345', '2712345'],
		['002712345', '2712345'],
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
		['491711234567/491717654321', '"491711234567/491717654321" has 24 digits, a phone number has 7 to 15'],
		['491711234567\n491717654321', '"491711234567\n491717654321" has 24 digits, a phone number has 7 to 15'],
		...[
			'+49 171 1234567, +49 171 7654321',
			'+49 171 1234567; +49 171 7654321',
			'+49 171 1234567 +49 171 7654321',
			'0171 1234567 | 0171 7654321',
			'+49 171 1234567, call 0171 7654321',
			'+49 30 12345 / 67890',
			'+4930 12345 / 67890',
			'0049 30 12345 /67890',
			'49 30 12345/ 67890',
			'171 1234567/68',
			'+49 171 1234567 / 8',
			'+49 171 1234567/8',
			'+49 171 1234567/89',
			'+49 171 / 1234567 / 8',
			'+33 1/23/45/67/89',
			'+49 / 171 / 1234567',
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
			'+49 30 12345/67890',
			'+49 30 12345/890',
			'+376 123456/123457',
			'+43 1 23456/23457',
			'+39 06 12345/67890',
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
		['(0)171 1234567', '"(0)171 1234567" is not a phone number'],
		['+49 (171) 1234567 (0)', '"+49 (171) 1234567 (0)" is not a phone number'],
		['+49 30 (0) 123456', '"+49 30 (0) 123456" is not a phone number'],
		[491711234567.5, '"491711234567.5" is not a phone number'],
		[-491711234567, '"-491711234567" is not a phone number'],
		[0, '"0" is not a phone number'],
		[NaN, '"NaN" is not a phone number'],
		[2 ** 53, '"9007199254740992" is not a phone number'],
		[['491711234567'], '"["491711234567"]" is not a phone number'],
		[{ toString: () => '491711234567' }, '"{}" is not a phone number'],
		[true, '"true" is not a phone number'],
		[null, '"null" is not a phone number'],
		[undefined, '"undefined" is not a phone number'],
	])('is not %j', (typed, problem) => {
		expect(invalid(() => phoneDigits(typed))).toEqual([problem, FORMAT]);
		expect(invalid(() => phoneNumber(typed))).toEqual([problem, FORMAT]);
	});

	it.each([
		[' 0171 1234567 ', '"0171 1234567" has no country code'],
		['+0171 1234567', '"+0171 1234567" has no country code'],
		['0000171 1234567', '"0000171 1234567" has no country code'],
		['0', '"0" has no country code'],
		['(0171) 1234567', '"(0171) 1234567" has no country code'],
		['8 (912) 345-67-89', '"8 (912) 345-67-89" has no country code'],
		['89123456789', '"89123456789" has no country code'],
	])('%j is refused rather than guessed', (typed, problem) => {
		expect(invalid(() => phoneDigits(typed))).toEqual([
			problem,
			`A country code is never guessed. ${FORMAT} For numbers of one country, set its code in Advanced of the credential.`,
		]);
	});

	it.each([
		'555-123-4567',
		'415 555 2671',
		'98765 43210',
		'49 171 1234567',
		'49-171-123-4567',
		'49\u00a01711234567',
		'49.1711234567',
		'491711234567.5',
		'491711234567.05',
		'4917112.34567',
		'12.05.2024',
		'(49) 99123-4567',
		'(49)991234567',
		'(555) 123-4567',
		'8 (499) 123-45-67',
		'8-499-123-45-67',
		'8(029)1234567',
		"'415 555 2671",
		'490170 1234567',
		'49 00 171 123456',
	])('%j is refused, because only plain digits are international without a sign of it', (typed) => {
		const shown = typed.replace(/^'/, '');
		expect(invalid(() => phoneDigits(typed))).toEqual([
			`"${shown}" has no + before the country code`,
			'Write + before the country code, e.g. +49 171 1234567, and add the code if it is missing. It is never guessed.',
		]);
	});

	it.each(['+1 711234567', '1711234567', 1711234567, '+7 912 345 67', '0017112345'])(
		'%j has a country code whose numbers have 11 digits, and is refused, as where Excel has dropped a 0',
		(typed) => {
			const [message, hint] = invalid(() => phoneDigits(typed));
			expect(message).toMatch(/ has (8|9|10) digits, a number with the country code [17] has 11$/);
			expect(hint).toContain('Excel may have dropped a 0');
		},
	);

	it.each([
		['+49 0170 1234567', '49', '491701234567'],
		['+490170/1234567', '49', '491701234567'],
		['0049 0170 1234567', '49', '491701234567'],
		['4901701234567', '49', '491701234567'],
		['+54 9 (011) 2345-6789', '54', '5491123456789'],
		['+54 9 011 2345 6789', '54', '5491123456789'],
		['+54 (011) 15-2345-6789', '54', '541123456789'],
		['+52 0442 123 4567', '52', '524421234567'],
		['+52 1 0 55 1234', '52', '521551234'],
		['+375 (029) 123-45-67', '375', '375291234567'],
		['+44 07700 900123', '44', '447700900123'],
		['+33 06 12 34 56 78', '33', '33612345678'],
		['+1 0415 555 0100', '1', '14155550100'],
		['+7 0912 345 67 89', '7', '79123456789'],
		['+971 050 123 4567', '971', '971501234567'],
		['+380 067 123 4567', '380', '380671234567'],
		['+43 0660 1234567', '43', '436601234567'],
		['+41 079 123 45 67', '41', '41791234567'],
	])('%j is refused, because the 0 behind %s is not dialled from abroad', (typed, code, meant) => {
		expect(invalid(() => phoneDigits(typed))).toEqual([
			`"${typed}" has a 0 behind the country code ${code}; probably +${meant} is meant`,
			'Leave out the 0, which is only dialled within the country.',
		]);
		expect(phoneDigits(`+${meant}`)).toBe(meant);
	});

	it.each([
		['+7 (8) 912 345-67-89', 'an 8', '7', '79123456789'],
		['+7 8 (727) 258-12-34', 'an 8', '7', '77272581234'],
		['789123456789', 'an 8', '7', '79123456789'],
		[789123456789, 'an 8', '7', '79123456789'],
		['+370 (8) 612 34567', 'an 8', '370', '37061234567'],
		['+370 8 612 34567', 'an 8', '370', '37061234567'],
		['+375 (8 029) 123-45-67', 'an 80', '375', '375291234567'],
		['+375 8 29 123 45 67', 'an 8', '375', '375291234567'],
		['+992 8 90 123 4567', 'an 8', '992', '992901234567'],
		['+993 8 65 123456', 'an 8', '993', '99365123456'],
		['+998 8 90 123 4567', 'an 8', '998', '998901234567'],
		['+1 (1) 415 555 0100', 'a 1', '1', '14155550100'],
		['+49 00 171 123456', 'a 00', '49', '49171123456'],
		['+52 1 (01 55) 1234 5678', 'a 01', '52', '5215512345678'],
		['+52 01 55 1234 5678', 'a 01', '52', '525512345678'],
		['+52 (044) 55 1234 5678', 'a 044', '52', '525512345678'],
		['+36 06 20 123 4567', 'a 06', '36', '36201234567'],
		['+54 351 15 1234567', 'a 15', '54', '543511234567'],
		['+54 11 15-2345-6789', 'a 15', '54', '541123456789'],
		['+54 9 2944 15-423456', 'a 15', '54', '5492944423456'],
	])('%j is refused, because %s behind %s is not dialled from abroad', (typed, prefix, code, meant) => {
		expect(invalid(() => phoneDigits(typed))).toEqual([
			`"${typed}" has ${prefix} behind the country code ${code}; probably +${meant} is meant`,
			`Leave out the ${prefix.replace(/^an? /, '')}, which is only dialled within the country.`,
		]);
		expect(phoneDigits(`+${meant}`)).toBe(meant);
	});

	it.each([
		['+7 812 345-67-89', '78123456789'],
		['+7 (800) 200-00-00', '78002000000'],
		['+370 800 12345', '37080012345'],
		['+375 29 123-45-67', '375291234567'],
		['+54 9 11 1523-4567', '5491115234567'],
		['+54 11 1523-4567', '541115234567'],
		['+52 1 55 0123 4567', '5215501234567'],
		['+52 442 123 4567', '524421234567'],
		['+1 800 555 0100', '18005550100'],
	])('%j has digits that only look like such a prefix', (typed, digits) => {
		expect(phoneDigits(typed)).toBe(digits);
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
});

describe('a stored phone number', () => {
	it.each([
		['491711234567', '491711234567'],
		['49 171-123 4567', '491711234567'],
		['+49 (0)171 1234567', '491711234567'],
		['4901711234567', '491711234567'],
		[491711234567, '491711234567'],
		['+54 9 (011) 2345-6789', '5491123456789'],
		['0171 1234567', undefined],
		['none', undefined],
	])('%j is read as %s', (stored, digits) => {
		expect(storedDigits(stored)).toBe(digits);
	});
});

describe('one person', () => {
	it.each([
		['Brazil', '551187654321', '5511987654321'],
		['Argentina', '541123456789', '5491123456789'],
		['Mexico', '525512345678', '5215512345678'],
	])('in %s has two writings, the given one first', (_country, short, long) => {
		expect(spellingsOf(short)).toEqual([short, long]);
		expect(spellingsOf(long)).toEqual([long, short]);
	});

	it.each([
		'551131234567',
		'5511931234567',
		'491711234567',
		'14155550100',
		'55118765432',
		'55118876543210',
		'5511887654321',
		'54112345678',
		'5481123456789',
		'52551234567',
		'5225512345678',
		'351912345678',
	])('has one writing elsewhere, or with other digits: %s', (digits) => {
		expect(spellingsOf(digits)).toEqual([digits]);
	});
});

describe('a phone number where the credential has the country code 49', () => {
	const reading = { countryCode: '49' };

	it.each([
		['0171 5550008', '491715550008'],
		['01715550008', '491715550008'],
		['(0171) 5550008', '491715550008'],
		['0171/5550008', '491715550008'],
		['171 5550008', '491715550008'],
		['1715550008', '491715550008'],
		['030 1234567', '49301234567'],
		// What is international stays so, however it is written.
		['+1 415 555 0100', '14155550100'],
		['001 415 555 0100', '14155550100'],
		['491715550008', '491715550008'],
		['4917155500', '4917155500'],
		['33123456789', '33123456789'],
		['tel:+33123456789', '33123456789'],
	])('%s is %s', (typed, digits) => {
		expect(phoneDigits(typed, reading)).toBe(digits);
		expect(phoneNumber(typed, reading)).toBe(Number(digits));
	});

	it.each([
		['39', '06 1234 5678', '390612345678'],
		['1', '(415) 555-0100', '14155550100'],
		['1', '4155550100', '14155550100'],
		['36', '06 30 123 4567', '36301234567'],
		['7', '8 912 345-67-89', '79123456789'],
	])('with %s, %s is %s', (countryCode, typed, digits) => {
		expect(phoneDigits(typed, { countryCode })).toBe(digits);
	});

	it('is not guessed where its own code may be meant', () => {
		expect(invalid(() => phoneDigits('49 171 5550008', reading))[0]).toMatch(
			'has no + before the country code',
		);
	});

	it('is searched for by its digits', () => {
		expect(searchText('0171 5550008', reading)).toBe('491715550008');
		expect(searchText('171 5550008', reading)).toBe('171 5550008');
		expect(searchText('Nathan Smith', reading)).toBe('Nathan Smith');
	});
});

it.each(['4,91715E+11', '4.917E+11', '5E+11'])('the number %s was shortened by Excel', (typed) => {
	expect(invalid(() => phoneDigits(typed))[0]).toBe(
		`"${typed}" was shortened by Excel, so its digits are lost`,
	);
});

describe('a text to search for', () => {
	it.each([
		['+49 171 1234567', '491711234567'],
		['+4917112', '4917112'],
		['004917112', '4917112'],
		['tel:4917112', '4917112'],
		['1234567890', '1234567890'],
		['49 171-1234567', '49 171-1234567'],
		['123456789', '123456789'],
		['49-171-112', '49-171-112'],
		['17.05.1990', '17.05.1990'],
		['0171 1234567', '0171 1234567'],
		['Nathan Smith', 'Nathan Smith'],
	])('%j goes out as %j', (typed, sent) => {
		expect(searchText(typed)).toBe(sent);
	});

	it('is no object', () => {
		expect(invalid(() => searchText({}))[0]).toBe('"{}" is not text');
	});
});
