import { runInNewContext } from 'node:vm';

import fc from 'fast-check';

import {
	BrokenJson,
	excessOf,
	type JsonBudget,
	JsonReader,
	TooMuch,
	withExactNumbers,
} from '../../nodes/CustomerMessaging/values/jsonText.ts';

const BUDGET: JsonBudget = {
	...{ text: 1_000_000, undivided: 500_000 },
	...{ values: 100_000, members: 1000, levels: 100 },
};

interface Reading {
	budget?: Partial<JsonBudget>;
	/** Characters of a piece. */
	piece?: number;
	/** Characters of a part. */
	part?: number;
}

/** Reads a text in pieces. */
function read(text: string, { budget, piece = 7, part = 10 }: Reading = {}): unknown {
	const reader = new JsonReader({ ...BUDGET, ...budget }, part);
	for (let at = 0; at < text.length; at += piece) reader.write(text.slice(at, at + piece));
	return reader.end();
}

/** What JSON.parse makes of a text, as text, so that the order of members counts; undefined if it is not JSON. */
function parsed(text: string): string | undefined {
	try {
		return JSON.stringify(JSON.parse(text));
	} catch {
		return undefined;
	}
}

/** The same for the reader. Broken JSON is an error, or its own text. */
function found(text: string, reading: Reading): string | undefined {
	try {
		const value = read(text, reading);
		return value === text ? parsed(text) : JSON.stringify(value);
	} catch (error) {
		if (error instanceof BrokenJson) return undefined;
		throw error;
	}
}

const names = fc.oneof(
	fc.string(),
	fc.constantFrom('', '__proto__', 'constructor', '5', '[', '"', '\\', 'ß😀'),
);
const { value: anyJson } = fc.letrec((tie) => ({
	value: fc.oneof(
		{ depthSize: 'medium', withCrossShrink: true },
		fc.constantFrom<unknown>(null, true, 1.5e300, -0.25, '', '],[', '}"{', '\\"', '\u2028', 'größer 😀'),
		fc.array(tie('value'), { maxLength: 8 }),
		fc.dictionary(names, tie('value'), { maxKeys: 6, noNullPrototype: true }),
	),
}));
/** Beside the fixed one, under which a comma right behind a bracket was once taken for JSON, `FC_SEED` can name another. */
const seed = Number(process.env.FC_SEED ?? 1122477223);
const reading = fc.record({ piece: fc.integer({ min: 1, max: 40 }), part: fc.integer({ min: 1, max: 60 }) });

describe('JSON in pieces', () => {
	it('is what JSON.parse makes of it, however it is divided', () => {
		fc.assert(
			fc.property(anyJson, fc.constantFrom(0, 1, '\t'), reading, (value, indent, how) => {
				const text = JSON.stringify(value, null, indent);
				expect(found(text, how)).toBe(parsed(text));
			}),
			{ numRuns: 300, seed },
		);
	});

	it('is broken where JSON.parse says so', () => {
		let broken = 0;
		const mistake = fc.record({
			at: fc.double({ min: 0, max: 1, noNaN: true }),
			left: fc.integer({ min: 0, max: 2 }),
			more: fc.constantFrom('', '[', ']', '{', '}', ',', ':', '"', '1', ',,', '}{'),
		});
		fc.assert(
			fc.property(anyJson, mistake, reading, (value, { at, left, more }, how) => {
				const whole = JSON.stringify(value);
				const place = Math.floor(at * whole.length);
				const text = (whole.slice(0, place) + more + whole.slice(place + left)).toWellFormed();
				if (parsed(text) === undefined) broken++;
				expect(found(text, how)).toBe(parsed(text));
			}),
			{ numRuns: 600, seed },
		);
		expect(broken).toBeGreaterThan(150);
	});

	it.each(['{,"a":1}', '[,1]', '[{ ,"a":1}]', '[[1,2],[,3]]', '{"a":{,"b":1}}'])(
		'is broken by a comma right behind a bracket: %s',
		(text) => {
			for (const piece of [1, 7]) expect(() => read(text, { piece, part: 1 })).toThrow(BrokenJson);
		},
	);

	it.each([
		['blanks', ` \n${' '.repeat(8)}[1,2,3]`, [1, 2, 3]],
		['a name twice', '{"a":[1,2,3],"b":4,"a":[5,6,7,8]}', { a: [5, 6, 7, 8], b: 4 }],
		['a long text', JSON.stringify('x'.repeat(200)), 'x'.repeat(200)],
		['a text that is not JSON', 'openapi: Größe 😀\ninfo: {}\n', 'openapi: Größe 😀\ninfo: {}\n'],
		['nothing', '', ''],
	])('may have %s', (_what, text, value) => {
		for (const piece of [1, 3, 100]) expect(read(text, { piece })).toEqual(value);
	});

	it('changes no other object by its names', () => {
		const text = `[${'{"a":1,"__proto__":{"polluted":[1,2,3,4]},"constructor":1},'.repeat(5)}0]`;
		const [first] = read(text) as object[];
		expect(Object.keys(first)).toEqual(['a', '__proto__', 'constructor']);
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});
});

describe('whole numbers of more digits than a number keeps', () => {
	it('become texts, and nothing else changes', () => {
		expect(
			withExactNumbers('{"id":9007199254740993,"a":[-9007199254740993, 1e999],"b":9007199254740991}'),
		).toBe('{"id":"9007199254740993","a":["-9007199254740993", 1e999],"b":9007199254740991}');
		for (const text of [
			'{"a":"9007199254740993"}',
			'{"a":"\\"9007199254740993"}',
			'{"a\\\\":"9007199254740993"}',
			'{"a":0.12345678901234567891,"b":1234567890123456e3}',
			'{"9007199254740993":1}',
			'{"a":"9007199254740993',
		])
			expect(withExactNumbers(text)).toBe(text);
	});

	it('keep their digits in a text of any length', () => {
		for (const part of [10, 10_000])
			expect(read('{"data":[{"id":9007199254740992},{"id":9007199254740993},{"id":7}]}', { part })).toEqual({
				data: [{ id: '9007199254740992' }, { id: '9007199254740993' }, { id: 7 }],
			});
	});

	it.each(['\\"', '"', '\\', '1,', '1', '"1"', ' 12345678901234567.'])(
		'are found in two million characters of %j without a stop',
		(unit) => {
			const text = `"1234567890123456${unit.repeat(2_000_000 / unit.length)}`;
			// Milliseconds, within which work that grows with the square of the length is far from its end.
			runInNewContext('withExactNumbers(text)', { withExactNumbers, text }, { timeout: 60_000 });
		},
	);
});

describe('a budget', () => {
	/** Texts that need just so much of it. */
	const NEEDS: Array<[keyof JsonBudget, (amount: number) => string]> = [
		['text', (bytes) => 'x'.repeat(bytes)],
		['values', (values) => `[${'1,'.repeat(values - 1)}1]`],
		['levels', (levels) => '['.repeat(levels) + ']'.repeat(levels)],
		['members', (members) => `[{${'"":0,'.repeat(members - 1)}"":0}]`],
		['members', (elements) => `[[${'null,'.repeat(elements - 1)}null]]`],
		['undivided', (bytes) => `["${'x'.repeat(bytes + 10 - '[""]'.length)}"]`],
	];

	it.each(NEEDS)('of %s is not exceeded by as much, and is by more', (excess, textOf) => {
		for (const amount of [20, 50, 90]) {
			for (const piece of [1, 11, 500]) {
				const budget = { [excess]: amount };
				expect(() => read(textOf(amount), { budget, piece })).not.toThrow();
				expect(() => read(`${textOf(amount + 2)} `, { budget, piece })).toThrow(new TooMuch(excess));
			}
		}
	});

	it('of levels holds for a short text too', () => {
		const nested = (levels: number) => '{"a":['.repeat(levels / 2) + ']}'.repeat(levels / 2);
		expect(() => read(nested(100), { part: 100_000 })).not.toThrow();
		expect(() => read(nested(102), { part: 100_000 })).toThrow(new TooMuch('levels'));
	});

	it.each([
		['[[1,2],[3]]', { levels: 2, values: 5 }, undefined],
		['[[1,2],[3]]', { levels: 1, values: 5 }, 'levels'],
		['[[1,2],[3]]', { levels: 2, values: 4 }, 'values'],
		['"[[[,,,"', { levels: 1, values: 1 }, undefined],
		['"\\"[[[,,,"', { levels: 1, values: 1 }, undefined],
		[']]]', { levels: 1, values: 1 }, undefined],
	])('counts in %s for %j what is not in texts', (json, budget, excess) => {
		expect(excessOf(json, budget)).toBe(excess);
	});
});

describe('while a long answer comes in', () => {
	const KILOBYTE = 1024;
	/** Bytes that the transport takes in one go. */
	const PIECE = 16 * KILOBYTE;

	it.each([
		['empty objects', '{},'],
		['numbers', '1,'],
		['records', '{"id":1,"name":"Person","tags":[1,2]},'],
		['long records', `{"text":"${'x'.repeat(5000)}","more":{"a":[{}]}},`],
		['escapes', `"${'\\u0041'.repeat(1000)}",`],
		['objects within each other', `${'{"a":['.repeat(50)}1${']}'.repeat(50)},`],
	])('it is parsed in parts, with turns of the event loop between: %s', (_what, unit) => {
		const parse = jest.spyOn(JSON, 'parse');
		const text = `{"data":[${unit.repeat((4000 * KILOBYTE) / unit.length)}0]}`;
		const budget = {
			values: Infinity,
			text: 0,
			members: Infinity,
			levels: 200,
			undivided: 16 * KILOBYTE,
		};
		const reader = new JsonReader(budget);
		let sinceTurn = { bytes: 0, parsed: 0 };
		for (let at = 0; at < text.length; at += PIECE) {
			parse.mockClear();
			reader.write(text.slice(at, at + PIECE));
			const lengths = parse.mock.calls.map(([part]) => part.length);
			// Besides the part under way, the reader holds nothing that it has not parsed.
			expect(Math.max(0, ...lengths)).toBeLessThan((256 + 16) * KILOBYTE);
			sinceTurn.bytes += PIECE;
			sinceTurn.parsed += lengths.reduce((sum, length) => sum + length, 0);
			expect(sinceTurn.bytes).toBeLessThanOrEqual(512 * KILOBYTE);
			expect(sinceTurn.parsed).toBeLessThanOrEqual((512 + 256) * KILOBYTE);
			if (reader.isTurnDue) sinceTurn = { bytes: 0, parsed: 0 };
		}
		parse.mockRestore();
		expect(reader.end()).toMatchObject({ data: { length: text.split(unit).length } });
	});

	it('a turn is due after 512 kB, of which each value is 64 characters, however short it is', () => {
		const reader = new JsonReader({
			...BUDGET,
			values: Infinity,
			members: Infinity,
			text: 0,
		});
		const piece = '{},'.repeat(2500);
		reader.write(`[${' '.repeat(256 * KILOBYTE)}`);
		const due = Array.from({ length: 8 }, () => {
			reader.write(piece);
			return reader.isTurnDue;
		});
		expect(due).toEqual([true, false, true, false, true, false, true, false]);
	});
});
