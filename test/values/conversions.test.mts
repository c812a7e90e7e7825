import { DateTime } from 'luxon';

import { ValueProblem } from '../../nodes/CustomerMessaging/values/conversion.ts';
import { isoDate } from '../../nodes/CustomerMessaging/values/dates.ts';
import { jsonArray, jsonObject } from '../../nodes/CustomerMessaging/values/json.ts';
import { pinDigits } from '../../nodes/CustomerMessaging/resources/user.ts';

const problem = (result: unknown) => {
	expect(result).toBeInstanceOf(ValueProblem);
	return (result as ValueProblem).problem;
};

describe('isoDate', () => {
	test.each<[unknown, string]>([
		['1990-05-17', '1990-05-17'],
		['1990-05-17T23:59:00.000+02:00', '1990-05-17'],
		['1990-05-17 08:00', '1990-05-17'],
		['17.05.1990', '1990-05-17'],
		[' 7.5.1990 ', '1990-05-07'],
		['17.05.1990 8:05', '1990-05-17'],
		['17.05.1990 08:05:30', '1990-05-17'],
		['1990-05-17 23:30:00-08:00', '1990-05-17'],
		['1990-05-17 00:30:00+14:00', '1990-05-17'],
		['1990-05-17 23:30:00 America/New_York', '1990-05-17'],
		['1990-05-17T00:30:00+14:00', '1990-05-17'],
		['29.02.2024', '2024-02-29'],
		[DateTime.fromISO('1990-05-17T23:30:00', { zone: 'America/New_York' }), '1990-05-17'],
		[new Date('1990-05-17T00:00:00Z'), '1990-05-17'],
	])('%s goes out as %s', (value, expected) => {
		expect(isoDate(value)).toBe(expected);
	});

	test.each<unknown>([
		'29.02.2023',
		'1990-13-01',
		'31.04.1990',
		'05/17/1990',
		'yesterday',
		19900517,
		'',
		DateTime.invalid('no date'),
		new Date('no date'),
	])('%s is refused', (value) => {
		expect(problem(isoDate(value))).toContain('is not a date');
	});
});

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
		expect(problem(pinDigits(value))).toContain('exactly six digits');
		// A PIN is a secret: the error does not repeat it.
		expect(problem(pinDigits(value))).not.toContain(String(value));
	});
});

describe('JSON', () => {
	it('ends for a value that holds itself', () => {
		const circle: Record<string, unknown> = { a: 1 };
		circle.self = [circle];
		expect(jsonObject('{}')(circle)).toBe(circle);
	});

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
		expect(problem(conversion('…')(value))).toContain(words);
	});
});
