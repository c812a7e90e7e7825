import { integerId, listed } from '../../../nodes/CustomerMessaging/values/ids.ts';
import { union, without } from '../../../nodes/CustomerMessaging/fields/changeSet.ts';
import { ValueProblem } from '../../../nodes/CustomerMessaging/values/conversion.ts';

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
		expect(listed(value)).toEqual(elements);
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

	it.each<unknown>([
		'',
		' ',
		'4 2',
		'42x',
		'x42',
		'4.2',
		'+42',
		'-42',
		'4e2',
		'0x2a',
		-42,
		4.2,
		NaN,
		null,
		true,
		{},
		[],
	])('is not %j', (value) => {
		expect(integerId(value)).toEqual(
			new ValueProblem(
				'is not a whole number',
				'Choose a record from the list or enter its numeric ID, e.g. 42.',
			),
		);
	});
});

describe('sets of IDs', () => {
	it.each([
		[[], [], []],
		[[1, 2], [], [1, 2]],
		[[], [2, 1], [2, 1]],
		[
			[3, 1],
			[2, 1, 3],
			[3, 1, 2],
		],
		[
			[1, 1],
			[2, 2],
			[1, 2],
		],
	])('%j together with %j is %j', (attached, given, expected) => {
		expect(union(attached, given)).toEqual(expected);
	});

	it.each([
		[[], [1], []],
		[[3, 1, 2], [], [3, 1, 2]],
		[[3, 1, 2], [1], [3, 2]],
		[[3, 1, 2], [2, 3, 9], [1]],
		[[1], [1], []],
	])('%j without %j is %j', (attached, given, expected) => {
		expect(without(attached, given)).toEqual(expected);
	});
});
