import { ValueProblem } from '../../nodes/CustomerMessaging/values/conversion.ts';
import { jsonArray, jsonObject } from '../../nodes/CustomerMessaging/values/json.ts';
import { pinDigits } from '../../nodes/CustomerMessaging/resources/user.ts';

const problem = (result: unknown) => {
	expect(result).toBeInstanceOf(ValueProblem);
	return (result as ValueProblem).problem;
};

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
