import { anyJson, jsonArray, jsonObject } from '../../nodes/CustomerMessaging/values/json.ts';
import { integer, number } from '../../nodes/CustomerMessaging/values/numbers.ts';
import { text } from '../../nodes/CustomerMessaging/values/text.ts';
import { pinDigits } from '../../nodes/CustomerMessaging/operations/user.ts';
import { invalid } from './invalid.mts';

describe('pinDigits', () => {
	test.each<[unknown, unknown]>([
		['123456', 123456],
		[' 123456 ', 123456],
		[123456, 123456],
		['012345', '012345'],
		['000000', '000000'],
		[12345, '012345'],
		[0, '000000'],
	])('%j goes out as %j', (value, expected) => {
		expect(pinDigits(value)).toBe(expected);
	});

	test.each<unknown>(['12345', '1234567', 'secret', 1234567, 12345.5, -12345])('%j is refused', (value) => {
		expect(invalid(() => pinDigits(value))[0]).toContain('exactly six digits');
		// A PIN is a secret: the error does not repeat it.
		expect(invalid(() => pinDigits(value))[0]).not.toContain(String(value));
	});
});

describe('text', () => {
	it.each([1e20, -(2 ** 53), 1e21])('of %d would be another number, and is refused', (given) => {
		expect(invalid(() => text(given))[0]).toBe(`"${given}" has too many digits for a number`);
		expect(invalid(() => anyJson(given))[0]).toContain('too many digits');
	});

	it.each([
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
		[0.1 + 0.2, '0.30000000000000004'],
		[-5, '-5'],
	])('of %d is %s', (given, expected) => expect(text(given)).toBe(expected));
});

describe('a number', () => {
	test.each<[unknown, number]>([
		['16', 16],
		[' -2.50 ', -2.5],
		['+7', 7],
		['.5', 0.5],
		['5.', 5],
		['007', 7],
		['1e3', 1000],
		[0x10, 16],
	])('%j is %d', (value, expected) => {
		expect(number(value)).toBe(expected);
	});

	test.each<unknown>([
		...['0x10', '0X10', '0o20', '0b10000', 'Infinity', '-Infinity', 'NaN', '1_000', '1,5', '1 000', '', ' '],
		...[Infinity, NaN, '1e999', true, null],
	])('%j is refused', (value) => {
		for (const parse of [number, integer]) {
			const [message, hint] = invalid(() => parse(value));
			expect(message).toContain('is not a number');
			expect(hint).toBe('Enter a number in decimal notation, e.g. 5 or 2.5.');
		}
	});
});

describe('JSON', () => {
	it('of a value that holds itself is refused', () => {
		const circle: Record<string, unknown> = { a: 1 };
		circle.self = [circle];
		expect(invalid(() => jsonObject('{}')(circle))[0]).toMatch(
			/^cannot be written as JSON: Converting circular structure/,
		);
	});

	it('with a moment that does not exist is refused', () => {
		expect(invalid(() => jsonObject('{}')({ a: new Date(NaN) }))[0]).toContain(
			'is a date that does not exist',
		);
	});

	it.each(['Invalid Date', 'Invalid DateTime'])(
		'with %j somewhere in it is refused, as in a field',
		(given) => {
			expect(invalid(() => jsonObject('{}')({ a: [{ b: given }] }))[0]).toContain(
				'is a date that does not exist',
			);
			expect(jsonObject('{}')({ a: [{ b: `${given}!` }] })).toEqual({ a: [{ b: `${given}!` }] });
		},
	);

	it.each<unknown>(['{ "a": [12345678901234567890] }', { a: [12345678901234567000] }])(
		'with a number that has lost digits is refused: %j',
		(given) => {
			expect(invalid(() => jsonObject('{}')(given))[0]).toBe(
				'contains a number with too many digits, about 12345678901234567000',
			);
			expect(jsonObject('{}')({ a: 1e10 / 3, b: Number.MAX_SAFE_INTEGER })).toMatchObject({
				b: 9007199254740991,
			});
		},
	);

	it('takes text, and values that an expression gave', () => {
		expect(jsonObject('{}')('{ "a": 1 }')).toEqual({ a: 1 });
		expect(jsonArray('[]')([1])).toEqual([1]);
	});

	test.each([
		['object', jsonObject, '[]', 'is not a JSON object'],
		['object', jsonObject, 'null', 'is not a JSON object'],
		['array', jsonArray, '{}', 'is not a JSON array'],
		['array', jsonArray, '[1', 'is not valid JSON'],
	] as const)('%s refuses %s', (_kind, conversion, value, words) => {
		expect(invalid(() => conversion('…')(value))[0]).toContain(words);
	});
});
