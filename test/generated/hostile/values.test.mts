import {
	checkVariableNames,
	variableName,
} from '../../../nodes/CustomerMessaging/messages/template/variables.ts';
import { repeatedOf } from '../../../nodes/CustomerMessaging/values/columns.ts';
import { InvalidValue, orInvalid, type Parse } from '../../../nodes/CustomerMessaging/values/parse.ts';
import { isoDate } from '../../../nodes/CustomerMessaging/values/dates.ts';
import { idSet, titleList } from '../../../nodes/CustomerMessaging/values/ids.ts';
import { anyJson, jsonArray, jsonObject } from '../../../nodes/CustomerMessaging/values/json.ts';
import { phoneDigits } from '../../../nodes/CustomerMessaging/values/phoneNumber.ts';
import { text } from '../../../nodes/CustomerMessaging/values/text.ts';
import { CountedVisits } from './countedVisits.mts';

const LONG = 1_000_000;

/** At most so many members of a list or record are looked at: a few times each of the largest that is taken. */
const MAX_VISITS = 4 * 50_000;

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

const variables = (given: unknown) => checkVariableNames(given as string[]);

/** Values that somebody made to wear out their parser. */
const CASES: Case[] = [
	{
		name: 'a variable name of spaces',
		make: () => `{{${' '.repeat(LONG)}x${' '.repeat(LONG)}`,
		convert: variableName,
		problem: 'is not the name',
	},
	{
		name: 'a variable name of braces',
		make: () => '{{'.repeat(LONG),
		convert: variableName,
		problem: 'is not the name',
	},
	{
		name: 'a long variable name',
		make: () => 'a'.repeat(LONG),
		convert: variableName,
	},
	{ name: '16,000 variables', make: () => numbersFrom(1, 16_000), convert: variables },
	{
		name: '16,000 variables without the first',
		make: () => numbersFrom(2, 16_000),
		convert: variables,
		problem: 'but not {{1}}',
	},
	{
		name: '16,000 numbers and a name',
		make: () => [...numbersFrom(1, 16_000), 'a'],
		convert: variables,
		problem: 'mix numbers and names',
	},
	{
		name: '50,000 names',
		make: () => numbersFrom(1, 50_000),
		convert: (given) => repeatedOf(given as string[]),
	},
	{ name: '30,000 IDs', make: () => numbersFrom(1, 30_000), convert: idSet },
	{ name: '30,000 IDs as text', make: () => numbersFrom(1, 30_000).join(), convert: idSet },
	{
		name: 'an ID of many digits',
		make: () => `${'9'.repeat(LONG)}x`,
		convert: idSet,
		problem: 'is not an ID',
	},
	{
		name: 'titles of commas',
		make: () => listOf(1000, () => ','.repeat(1000)),
		convert: titleList,
		problem: 'several tags',
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
	{ name: 'a long text', make: () => 'x'.repeat(10 * LONG), convert: text },
	{ name: 'a long date', make: () => '1 1:'.repeat(LONG), convert: isoDate, problem: 'is not a date' },
	{
		name: 'a phone number of brackets',
		make: () => '(0)'.repeat(LONG / 3),
		convert: phoneDigits,
		problem: 'is not a phone number',
	},
];

describe('a value made to wear a parser out', () => {
	// A text of a million characters that is looked through for each of them would not come to an end.
	it.each(CASES)('$name', ({ make, convert, problem }) => {
		const visits = new CountedVisits();
		const result = orInvalid(() => convert(visits.view(make())));
		expect(visits.count).toBeLessThan(MAX_VISITS);
		if (problem === undefined) expect(result).not.toBeInstanceOf(InvalidValue);
		else expect((result as InvalidValue).message).toContain(problem);
	});
});
