import {
	groupSet,
	idSet,
	integerId,
	integerSegment,
	toList,
	recordId,
	textSegment,
	textSet,
	titleList,
} from '../../nodes/CustomerMessaging/values/ids.ts';
import { quote } from '../../nodes/CustomerMessaging/values/text.ts';
import { invalid } from './invalid.mts';

describe('what is listed', () => {
	it.each<[string, unknown, unknown[]]>([
		['nothing', undefined, []],
		['null', null, []],
		['empty text', '', []],
		['an empty list', [], []],
		['a list', [1, '2', null], [1, '2', null]],
		['text with commas', '1,2', ['1', '2']],
		['text without commas', 'VIP', ['VIP']],
		['a number', 0, [0]],
		['a boolean', false, [false]],
		['a record', { id: 1 }, [{ id: 1 }]],
	])('%s', (_what, value, elements) => {
		expect(toList(value)).toEqual(elements);
	});
});

describe('an ID', () => {
	it.each<[unknown, number]>([
		['42', 42],
		[' 42\n', 42],
		[42, 42],
		['0', 0],
		['007', 7],
	])('%j goes out as %i', (value, id) => {
		expect(integerId(value)).toBe(id);
	});

	it.each<unknown>(['9007199254740993', 2 ** 53])(
		'of more digits than a number keeps is refused: %j',
		(value) => {
			expect(invalid(() => integerId(value))[0]).toBe('has too many digits for a number');
		},
	);

	it.each<unknown>(['', ' ', null, []])('%j is empty', (value) => {
		expect(invalid(() => integerId(value))[0]).toBe('is empty');
	});

	it.each<unknown>(['4 2', '42x', 'x42', '4.2', '+42', '-42', '4e2', '0x2a', -42, 4.2, NaN, true, {}])(
		'is not %j',
		(value) => {
			expect(invalid(() => integerId(value))).toEqual([
				`"${quote(value)}" is not a whole number`,
				'Choose a record from the list or enter its numeric ID, e.g. 42.',
			]);
		},
	);
});

describe('a set of IDs', () => {
	it.each<[unknown, number[]]>([
		[[], []],
		['', []],
		['[]', []],
		[' [7, "8"] ', [7, 8]],
		['7,,8', [7, 8]],
		['7;8', [7, 8]],
		['7 | 8\n', [7, 8]],
		['7 ::: 8', [7, 8]],
		['"7","8"', [7, 8]],
		['{7,8}', [7, 8]],
		['{}', []],
		['{NULL}', []],
		["['7', '8']", [7, 8]],
		['{"id":7}', [7]],
		[' 7 , 7', [7]],
		[7, [7]],
		[{ id: '7', title: 'VIP' }, [7]],
		[
			[{ id: 7 }, '8', 7],
			[7, 8],
		],
	])('%j is %j', (given, ids) => {
		expect(idSet(given)).toEqual(ids);
		expect(groupSet(given)).toEqual(ids.map((id) => ({ id })));
	});

	it.each([
		['1,234', '1,234', 'Write one ID as 1234, and several as 1, 234.'],
		[' 12,345,678\n', '12,345,678', 'Write one ID as 12345678, and several as 12, 345, 678.'],
		['100,200', '100,200', 'Write one ID as 100200, and several as 100, 200.'],
		['1,234; 5,678', '1,234', 'Write one ID as 1234, and several as 1, 234.'],
		['7\n1,234', '1,234', 'Write one ID as 1234, and several as 1, 234.'],
		['1, 2,345', '2,345', 'Write one ID as 2345, and several as 2, 345.'],
	])('is not %j, which a sheet may have made of one ID', (given, grouped, remedy) => {
		const problem = [`contains "${grouped}", which may be one ID or several`, remedy];
		expect(invalid(() => idSet(given))).toEqual(problem);
		expect(invalid(() => groupSet(given))).toEqual(problem);
	});

	it.each<[unknown, number[]]>([
		['1, 234', [1, 234]],
		['1 ,234', [1, 234]],
		['1;234', [1, 234]],
		['1\n234', [1, 234]],
		['[1,234]', [1, 234]],
		[' [1,234]', [1, 234]],
		['1,2', [1, 2]],
		['1,2345', [1, 2345]],
		['1234,567', [1234, 567]],
		['1,234,5', [1, 234, 5]],
		['7,12,345', [7, 12, 345]],
		['0,123', [0, 123]],
		['100,200,300,400,500,600,700', [100, 200, 300, 400, 500, 600, 700]],
		[
			[1, 234],
			[1, 234],
		],
	])('is %j, which is a list: %j', (given, ids) => {
		expect(idSet(given)).toEqual(ids);
	});

	it.each<[unknown, string]>([
		['1.234', '1.234'],
		['1 234', '1 234'],
		["1'234", "1'234"],
		[1.234, '1.234'],
		[['1,234'], '1,234'],
	])('is not %j, which is no ID', (given, named) => {
		expect(invalid(() => idSet(given))[0]).toBe(`contains "${named}", which is not an ID`);
	});

	it.each<unknown>([undefined, null])('is not %j, which would empty it by accident', (given) => {
		expect(invalid(() => idSet(given))[0]).toBe('is empty');
		expect(invalid(() => groupSet(given))[0]).toBe('is empty');
	});

	it.each<[unknown, string]>([
		['[7', 'contains "[7", which is not an ID'],
		['{"title":"VIP"}', 'contains "{"title":"VIP"}", which is not an ID'],
		['{VIP}', 'contains "VIP", which is not an ID'],
		[[7, null], 'contains "null", which is not an ID'],
		[[[7]], 'contains "[7]", which is not an ID'],
		[[{ title: 'VIP' }], 'contains "{"title":"VIP"}", which is not an ID'],
		[['9007199254740993'], 'contains "9007199254740993", which has too many digits for a number'],
	])('is not %j', (given, problem) => {
		expect(invalid(() => idSet(given))[0]).toBe(problem);
	});
});

describe('the ID of a record in a response', () => {
	it.each<[unknown, number | string | undefined]>([
		[7, 7],
		['7', 7],
		[' 7 ', 7],
		['9007199254740993', '9007199254740993'],
		[' c0ffee ', 'c0ffee'],
		['', undefined],
		['  ', undefined],
		[2 ** 53, undefined],
		[1.5, undefined],
		[null, undefined],
		[{}, undefined],
	])('%j is %j', (given, id) => {
		expect(recordId(given)).toBe(id);
	});
});

describe('an ID in a path', () => {
	it.each<[unknown, string]>([
		['7e00', '7e00'],
		[' a-b ', 'a-b'],
		[42, '42'],
	])('%j stays', (given, id) => {
		expect(textSegment(given)).toBe(id);
	});

	it.each<unknown>([true, {}, [7], { id: 7 }])('%p is no ID, and not told as empty', (given) => {
		expect(invalid(() => textSegment(given))[0]).toContain('is not an ID');
		expect(invalid(() => integerSegment(given))[0]).toBe(`"${quote(given)}" is not a whole number`);
	});

	it.each<unknown>([
		'.',
		'..',
		'..a',
		'a b',
		'1.5',
		'%2e',
		'a?b',
		'\ud83d',
		'2024-03-05T12:07:08.000Z',
		'2024-03-05T12:07',
		1.5,
		NaN,
	])('%j is none', (given) => {
		expect(invalid(() => textSegment(given))[0]).toBe(`"${quote(given)}" is not an ID`);
		expect(invalid(() => integerSegment(given))[0]).toBe(`"${quote(given)}" is not a whole number`);
	});

	it.each<unknown>([2 ** 53, '9007199254740993'])(
		'that is more than a number can hold is refused: %j',
		(given) => {
			expect(invalid(() => integerSegment(given))[0]).toBe('has too many digits for a number');
		},
	);

	it.each<[unknown, string]>([
		['007', '7'],
		['0', '0'],
		['000', '0'],
		['100', '100'],
	])('the number %j is %j', (given, id) => {
		expect(integerSegment(given)).toBe(id);
	});

	it.each(['7x', '-1', '7,8', 'a7'])('the number is not %j', (given) => {
		expect(invalid(() => integerSegment(given))[0]).toBe(`"${quote(given)}" is not a whole number`);
	});
});

describe('a list in text', () => {
	it.each<[string, string[]]>([
		// Mailchimp
		['"VIP","Newsletter"', ['VIP', 'Newsletter']],
		[' "VIP" , "Newsletter" ', ['VIP', 'Newsletter']],
		['"VIP"', ['VIP']],
		['"Smith, John"', ['Smith, John']],
		['"Smith, John";VIP', ['Smith, John', 'VIP']],
		['"5"" screen","a|b"', ['5" screen', 'a|b']],
		['"","VIP",""', ['VIP']],
		// Postgres
		['{VIP,"Big spender"}', ['VIP', 'Big spender']],
		['{VIP}', ['VIP']],
		['{"a, b","say \\"hi\\"","back\\\\slash",c;d}', ['a, b', 'say "hi"', 'back\\slash', 'c;d']],
		['{VIP,NULL,"NULL"}', ['VIP', 'NULL']],
		['{}', []],
		['{NULL}', []],
		// Python
		["['VIP', 'Newsletter']", ['VIP', 'Newsletter']],
		["['VIP']", ['VIP']],
		["[\"O'Brien\", 'VIP']", ["O'Brien", 'VIP']],
		["['a, b', 'it\\'s', 'c [d]', nan]", ['a, b', "it's", 'c [d]']],
		["{'VIP', 'Newsletter'}", ['VIP', 'Newsletter']],
		// Java
		['[VIP, Big spender]', ['VIP', 'Big spender']],
		// Google Contacts
		['VIP ::: Newsletter', ['VIP', 'Newsletter']],
		['VIP ::: Newsletter ::: Big spender', ['VIP', 'Newsletter', 'Big spender']],
		// What people type
		['VIP', ['VIP']],
		['5" screens, 6" screens', ['5" screens', '6" screens']],
		['"Best" customers, VIP', ['"Best" customers', 'VIP']],
		['"Best customers, VIP', ['"Best customers', 'VIP']],
		["'90s fans, rock'n'roll", ["'90s fans", "rock'n'roll"]],
		['[VIP]', ['[VIP]']],
		['[Lead] Hot, Cold [new]', ['[Lead] Hot', 'Cold [new]']],
		['{{VIP}}', ['{{VIP}}']],
		['a::b, 10:30', ['a::b', '10:30']],
		['VIP, NULL, nan', ['VIP', 'NULL', 'nan']],
		['Null, Nan', ['Null', 'Nan']],
	])('%j is %j', (given, elements) => {
		expect(toList(given)).toEqual(elements);
		expect(textSet(given)).toEqual(elements);
		if (elements.some((one) => one.includes(',')))
			expect(invalid(() => titleList(given))[1]).toContain('use titles without commas');
		else expect(titleList(given)).toBe(elements.join(','));
	});

	it.each<[string, string, string[]]>([
		['/', '"A / B" / C', ['A / B', 'C']],
		['|', 'A|B', ['A', 'B']],
		['.*', 'A.*B', ['A', 'B']],
		['\\d', 'A1B', ['A1B']],
		[' - ', 'well-known -  - VIP', ['well-known', 'VIP']],
		['/', '{VIP,Big}', ['{VIP,Big}']],
		['/', "['VIP']", ["['VIP']"]],
	])('with the separator %j, %j is %j', (separator, given, elements) => {
		expect(textSet(given, { separator })).toEqual(elements);
	});

	it.each([' , ', '""'])('%j is no set, which would be empty by accident', (given) => {
		expect(invalid(() => textSet(given))[0]).toBe('is empty');
	});
});

describe('a set of names', () => {
	it.each<[unknown, string[]]>([
		[' Alpha , Beta', ['Alpha', 'Beta']],
		[
			['Alpha ', 7],
			['Alpha', '7'],
		],
		['["Alpha, Beta"]', ['Alpha, Beta']],
		[[], []],
	])('%j is %j', (given, names) => {
		expect(textSet(given)).toEqual(names);
	});

	it.each<[unknown, string]>([
		[undefined, 'is empty'],
		[['Alpha', ' '], 'contains " ", which is not a name'],
		[[{ type: 'Alpha' }], 'contains "{"type":"Alpha"}", which is not a name'],
	])('is not %j', (given, problem) => {
		expect(invalid(() => textSet(given))[0]).toBe(problem);
	});
});
