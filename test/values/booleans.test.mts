import { boolean, oneOrZero } from '../../nodes/CustomerMessaging/values/choices.ts';
import { invalid } from './invalid.mts';

const YES: unknown[] = [true, 'true', 1, '1', 'yes', 'Y', 'on', 'Ja', 'WAHR', ' true '];
const NO: unknown[] = [false, 'false', 0, '0', 'no', 'N', 'off', 'NEIN', 'falsch', ' False\n'];

it.each([...YES.map((word) => [word, true]), ...NO.map((word) => [word, false])])(
	'%j is %s',
	(word, meaning) => {
		expect(boolean(word)).toBe(meaning);
		expect(oneOrZero(word)).toBe(meaning ? 1 : 0);
	},
);

it.each<[unknown, string]>([
	['maybe', 'maybe'],
	['truee', 'truee'],
	['undefined', 'undefined'],
	['', ''],
	[' ', ' '],
	[2, '2'],
	[-1, '-1'],
	[NaN, 'NaN'],
	[null, 'null'],
	[undefined, 'undefined'],
	[[], '[]'],
	[[false], '[false]'],
	[{}, '{}'],
])('%j is neither', (value, shown) => {
	for (const parse of [boolean, oneOrZero])
		expect(invalid(() => parse(value))[0]).toBe(`"${shown}" is neither true nor false`);
});
