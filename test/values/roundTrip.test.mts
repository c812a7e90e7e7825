import fc from 'fast-check';

import { boolean } from '../../nodes/CustomerMessaging/values/choices.ts';
import { InvalidValue, orInvalid, type Parse } from '../../nodes/CustomerMessaging/values/parse.ts';
import { isoDate, isoDateTime } from '../../nodes/CustomerMessaging/values/dates.ts';
import { idSet, integerId, integerSegment, textSet } from '../../nodes/CustomerMessaging/values/ids.ts';
import { jsonObject } from '../../nodes/CustomerMessaging/values/json.ts';
import { integer, latitudeDegrees, number } from '../../nodes/CustomerMessaging/values/numbers.ts';
import { phoneDigits } from '../../nodes/CustomerMessaging/values/phoneNumber.ts';
import { text } from '../../nodes/CustomerMessaging/values/text.ts';

interface Parser<Value> {
	parse: Parse<Value>;
	values: fc.Arbitrary<Value>;
	/** The ways in which a person, a sheet or another node may write a value. */
	writings: Array<(value: Value) => unknown>;
	/** Whether something is a value. */
	accepts: (value: unknown) => boolean;
}

const parser = <Value,>(of: Parser<Value>) => of as Parser<unknown>;

const id = fc.maxSafeNat().map((value) => value + 1 - (value === Number.MAX_SAFE_INTEGER ? 1 : 0));
const days = fc
	.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
	.map((date) => date.toISOString().slice(0, 'YYYY-MM-DD'.length));
const part = (from: number, to?: number) => (value: string) => value.slice(from, to);
const [year, month, day] = [part(0, 4), part(5, 7), part(8)];
const plain = (digits: number) => (value: number) => String(Number(value.toFixed(digits)));
const isWhole = (value: unknown) => Number.isSafeInteger(value);
const isText = (value: unknown) => typeof value === 'string';

const PARSERS: Record<string, Parser<unknown>> = {
	'an ID': parser({
		parse: integerId,
		values: id,
		writings: [Number, String, (value) => ` ${value} `, (value) => `00${value}`],
		accepts: isWhole,
	}),
	'an ID in a path': parser({
		parse: integerSegment,
		values: id.map(String),
		writings: [String, Number, (value) => `0${value}`],
		accepts: (value) => /^\d+$/.test(String(value)),
	}),
	'a set of IDs': parser({
		parse: idSet,
		values: fc.uniqueArray(id, { minLength: 1, maxLength: 5 }),
		writings: [
			(ids) => ids,
			(ids) => ids.map(String),
			(ids) => ids.map((one) => ({ id: one, title: 'VIP' })),
			(ids) => ids.join(', '),
			(ids) => ids.join('\n'),
			(ids) => JSON.stringify(ids),
			(ids) => [...ids, ids[0]],
		],
		accepts: (value) => Array.isArray(value) && value.every(isWhole),
	}),
	'a set of names': parser({
		parse: textSet,
		values: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8})?$/), { minLength: 2, maxLength: 5 }),
		writings: [(names) => names, (names) => names.join(', '), (names) => JSON.stringify(names)],
		accepts: (value) => Array.isArray(value) && value.every(isText),
	}),
	'a number': parser({
		parse: number,
		values: fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => Number(plain(6)(value)) + 0),
		writings: [Number, String, (value) => ` ${value} `],
		accepts: Number.isFinite,
	}),
	'a whole number': parser({
		parse: integer,
		values: fc.integer(),
		writings: [Number, String, (value) => `${value}.0`],
		accepts: isWhole,
	}),
	'a latitude': parser({
		parse: latitudeDegrees,
		values: fc.double({ min: -90, max: 90, noNaN: true }).map(plain(6)),
		writings: [String, Number, (value) => ` ${value}\n`],
		accepts: (value) => Math.abs(Number(value)) <= 90,
	}),
	'a switch': parser({
		parse: boolean,
		values: fc.boolean(),
		writings: [
			Boolean,
			Number,
			String,
			(value) => (value ? 'Yes' : 'No'),
			(value) => (value ? 'ja' : 'nein'),
		],
		accepts: (value) => typeof value === 'boolean',
	}),
	'a day': parser({
		parse: isoDate,
		values: days,
		writings: [
			String,
			(value) => `${day(value)}.${month(value)}.${year(value)}`,
			(value) => value.replaceAll('-', '/'),
			(value) => `${value}T23:59:59`,
			(value) => new Date(`${value}T00:00:00Z`),
		],
		accepts: (value) => /^([+-]\d\d)?\d{4}-\d{2}-\d{2}$/.test(String(value)),
	}),
	'a point in time': parser({
		parse: isoDateTime,
		values: days.map((value) => `${value}T14:30:00.000Z`),
		writings: [String, (value) => value.replace('Z', ''), (value) => new Date(value)],
		accepts: (value) => !Number.isNaN(Date.parse(String(value))),
	}),
	'a phone number': parser({
		parse: phoneDigits,
		values: fc.stringMatching(/^49(15|16|17)\d{8,9}$/),
		writings: [
			(value) => `+${value}`,
			(value) => `00${value}`,
			Number,
			(value) => `+${value.slice(0, 2)} (${value.slice(2, 5)}) ${value.slice(5, 8)}-${value.slice(8)}`,
			(value) => `tel:+${value}`,
		],
		accepts: (value) => /^\d{7,15}$/.test(String(value)),
	}),
	'a text': parser({
		parse: text,
		values: fc.string({ unit: 'grapheme', minLength: 1 }),
		writings: [String],
		accepts: isText,
	}),
	'a JSON object': parser({
		parse: jsonObject('{}'),
		values: fc.dictionary(
			fc.stringMatching(/^[a-z]{1,6}$/),
			fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.record({ text: fc.string() }))),
			{ noNullPrototype: true },
		) as fc.Arbitrary<never>,
		writings: [(value) => value, (value) => JSON.stringify(value), (value) => ` ${JSON.stringify(value)}\n`],
		accepts: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	}),
};

const seed = process.env.FC_SEED === undefined ? {} : { seed: Number(process.env.FC_SEED) };

describe.each(Object.entries(PARSERS))('%s', (_name, { parse, values, writings, accepts }) => {
	it('is the same in all ways to write it, and written as it was parsed', () => {
		fc.assert(
			fc.property(values, (value) => {
				for (const write of writings) expect(parse(write(value))).toEqual(parse(value));
				expect(parse(value)).toEqual(value);
			}),
			seed,
		);
	});

	it('is what it has to be, or a problem with a way out, whatever is given', () => {
		const given = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });
		fc.assert(
			fc.property(fc.oneof(given, values.map(String), fc.string()), (value) => {
				const parsed = orInvalid(() => parse(value));
				if (parsed instanceof InvalidValue) {
					expect(parsed.message).not.toBe('');
					expect(parsed.hint).toMatch(/\w/);
				} else expect([value, accepts(parsed)]).toEqual([value, true]);
			}),
			seed,
		);
	});
});
