import { checkNumbers, variableName } from '../../nodes/CustomerMessaging/messages/template/variables.ts';
import { InvalidValue, orInvalid, type Parse } from '../../nodes/CustomerMessaging/values/parse.ts';
import { isoDate } from '../../nodes/CustomerMessaging/values/dates.ts';
import { idSet } from '../../nodes/CustomerMessaging/values/ids.ts';
import { anyJson, jsonArray, jsonObject } from '../../nodes/CustomerMessaging/values/json.ts';
import { phoneDigits } from '../../nodes/CustomerMessaging/values/phoneNumber.ts';

const LONG = 1_000_000;

const array = jsonArray('[1]');
const object = jsonObject('{"a": 1}');

const listOf = <Value,>(count: number, make: (index: number) => Value) =>
	Array.from({ length: count }, (_, index) => make(index));
const membersOf = (count: number) => Object.fromEntries(listOf(count, (index) => [`k${index}`, index]));
const numbersFrom = (first: number, last: number) =>
	listOf(last - first + 1, (index) => String(first + index));

function nested(depth: number): unknown[] {
	let value: unknown[] = [];
	for (let level = 0; level < depth; level++) value = [value];
	return value;
}

interface Case {
	name: string;
	make: () => unknown;
	convert: Parse<unknown>;
	/** What a user reads, if the value cannot be converted. */
	problem?: string;
}

const variables = (given: unknown) =>
	checkNumbers(new Map((given as string[]).map((name) => [`body_${name}`, 'x'])));

/** Values that somebody made to wear out their parser. */
const CASES: Case[] = [
	{
		name: 'a variable name of braces',
		make: () => '{{'.repeat(LONG),
		convert: variableName,
		problem: 'is not the name',
	},
	{
		name: '16,000 variables without the first',
		make: () => numbersFrom(2, 16_000),
		convert: variables,
		problem: 'but not {{1}}',
	},
	{ name: '30,000 IDs as text', make: () => numbersFrom(1, 30_000).join(), convert: idSet },
	{
		name: 'an ID of many digits',
		make: () => `${'9'.repeat(LONG)}x`,
		convert: idSet,
		problem: 'is not an ID',
	},
	{ name: 'JSON with 30,000 members', make: () => membersOf(30_000), convert: object },
	{ name: 'JSON text with a million lists', make: () => `[${'[],'.repeat(LONG)}1]`, convert: array },
	{
		name: 'JSON text of 10,000 levels',
		make: () => '['.repeat(10_000) + ']'.repeat(10_000),
		convert: array,
		problem: 'cannot be written as JSON',
	},
	{
		name: 'a list of 10,000 levels',
		make: () => nested(10_000),
		convert: array,
		problem: 'cannot be written as JSON',
	},
	{
		name: 'any JSON of 10,000 levels',
		make: () => nested(10_000),
		convert: anyJson,
		problem: 'cannot be written as JSON',
	},
	{ name: 'a long date', make: () => '1 1:'.repeat(LONG), convert: isoDate, problem: 'is not a date' },
	{
		name: 'a phone number of brackets',
		make: () => '(0)'.repeat(LONG / 3),
		convert: phoneDigits,
		problem: 'may be several phone numbers',
	},
];

describe('a value made to wear a parser out', () => {
	// A text of a million characters that is looked through for each of them would not come to an end.
	it.each(CASES)('$name', ({ make, convert, problem }) => {
		const result = orInvalid(() => convert(make()));
		if (problem === undefined) expect(result).not.toBeInstanceOf(InvalidValue);
		else expect((result as InvalidValue).message).toContain(problem);
	});
});
