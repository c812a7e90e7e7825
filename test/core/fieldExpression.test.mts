import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import {
	fieldAt,
	fieldReader,
	LEFT_TO_N8N,
	plainParts,
} from '../../nodes/CustomerMessaging/core/itemContext.ts';
import { workbench } from '../engine/engine.mts';

describe('an expression that only names a field', () => {
	it.each([
		['={{ $json.name }}', ['name']],
		['={{$json.name}}', ['name']],
		['={{\t$json.name\n}}', ['name']],
		['={{ $json.person.first_name }}', ['person', 'first_name']],
		['={{ $json.$id }}', ['$id']],
		['={{ $json._2nd }}', ['_2nd']],
		['={{ $json.a1 }}', ['a1']],
		['={{ $json["first name"] }}', ['first name']],
		["={{ $json['first name'] }}", ['first name']],
		['={{ $json["it\'s"] }}', ["it's"]],
		['={{ $json["a"]["b"].c }}', ['a', 'b', 'c']],
		['={{ $json.a["b-c"].d }}', ['a', 'b-c', 'd']],
		['={{ $json[""] }}', ['']],
	])('is read from the item itself: %s', (expression, path) => {
		expect(plainParts(expression)).toEqual([path]);
	});

	it.each([
		'={{ $json.a-b }}',
		'={{ $json.a + 1 }}',
		'={{ $json["a"] + $json["b"] }}',
		'={{ $json }}',
		'={{ $json.a() }}',
		'={{ $json.a?.b }}',
		'={{ $json.a.b.length > 2 }}',
		'={{ $json[0] }}',
		'={{ $json[name] }}',
		'={{ $json["a\\"b"] }}',
		"={{ $json['a\\'b'] }}",
		'={{ $json.1a }}',
		' ={{ $json.a }}',
		'=text',
		'={{ $json.a }} \\ {{ $json.b }}',
		'={{ $json.a }} { {{ $json.b }}',
		'=\\{{ $json.a }}',
		'={{{ $json.a }}}',
		'={{ $json.a }} {{ $json.b.trim() }}',
		'={{ $jsonx.a }}',
		'={{ $json .a }}',
		'={{ json.a }}',
		'={{ $input.item.json.a }}',
		'{{ $json.a }}',
		'={{ $json. a }}',
		'={{ $json.a; }}',
		'',
	])('is not taken for one: %s', (expression) => {
		expect(plainParts(expression)).toBeUndefined();
		if (expression.startsWith('=')) expect(fieldReader(expression)({ a: 1 })).toBe(LEFT_TO_N8N);
	});
});

describe('what stands at a path', () => {
	const fields = { name: 'Jo', none: null, zero: 0, deep: { er: { est: [1] } } };

	it.each<[string[], unknown]>([
		[['name'], 'Jo'],
		[['none'], null],
		[['zero'], 0],
		[['deep', 'er', 'est'], [1]],
		[['missing'], undefined],
		[['deep', 'missing'], undefined],
		[['name', 'length'], LEFT_TO_N8N],
		[['none', 'at', 'all'], LEFT_TO_N8N],
		[['deep', 'missing', 'est'], LEFT_TO_N8N],
		[['deep', 'er', 'est', 'length'], LEFT_TO_N8N],
		[['constructor'], LEFT_TO_N8N],
		[['deep', 'toString'], LEFT_TO_N8N],
	])('%j', (path, expected) => {
		expect(fieldAt(fields, path)).toEqual(expected);
	});
});

it('a record from another realm is read too, such as one that a test or a sandbox has made', () => {
	const json = runInNewContext('({ person: { name: "Jo" }, list: [1] })') as IDataObject;
	expect(fieldReader('={{ $json.person.name }}')(json)).toBe('Jo');
	expect(fieldReader('={{ $json.nothing }}')(json)).toBeUndefined();
	expect(fieldReader('={{ $json.list.length }}')(json)).toBe(LEFT_TO_N8N);
	expect(fieldReader('={{ $json.person.name.length }}')(json)).toBe(LEFT_TO_N8N);
});

describe('a value is the same, whether it is read from the item or n8n evaluates the expression', () => {
	const json = {
		...{ note: 'Grüße', empty: '', zero: 0, below: -0, half: 0.5, huge: 1e21, yes: true, none: null },
		...{ missing: undefined, nan: NaN, list: ['a', { id: 7 }], person: { name: 'Jo', tags: [], none: null } },
		...{ at: new Date('1990-05-16T22:00:00Z'), when: DateTime.fromISO('2026-03-01T12:00:00Z') },
		...{ failed: new Date('no date'), byte: new Uint8Array([1, 2]), known: new Map([['a', 1]]) },
		...{ length: 4, 'first name': 'Ann', $: 5, binding: 6, toString: 8, text: '={{ 1 }}', '': 'nameless' },
		odd: JSON.parse('{ "__proto__": 1, "constructor": 2, "prototype": 3, "hasOwnProperty": 4 }') as object,
		bare: Object.assign(Object.create(null) as object, { name: 'Jo' }),
	} as unknown as IDataObject;
	const PLACES = [
		...Object.keys(json).map((name) => `["${name}"]`),
		...['.note.length', '.note["0"]', '.note.size', '.zero.toFixed', '.yes.no', '.none.at', '.missing.at'],
		...['.nothing', '.nothing.at', '.list.length', '.list["0"]', '.list["1"].id', '.person.name'],
		...['.person["name"].length', '.person.tags.length', '.person.none', '.person.none.at', '.person.x.y'],
		...['.at.getTime', '.at.length', '.when.year', '.when.ts', '.when.zone', '.byte.length', '.known.size'],
		...['.length', '.constructor', '.toString', '.valueOf', '.__proto__', '.person.hasOwnProperty'],
		...['.odd.__proto__', '.odd.constructor', '.odd["prototype"]', '.odd.hasOwnProperty', '.bare.name'],
	];

	it.each(PLACES)('$json%s', async (place) => {
		const { workflow, node } = await workbench({ parameters: {} });
		const outcome = (evaluate: () => unknown) => {
			try {
				return { value: evaluate() };
			} catch (error) {
				return { error };
			}
		};
		for (const raw of [`={{ $json${place} }}`, `=Hi {{ $json${place} }}!`]) {
			const ours = fieldReader(raw)(json);
			const { expression } = workflow;
			const theirs = outcome(() =>
				expression.getParameterValue(raw, null, 0, 0, node.name, [{ json }], 'manual', {}),
			);
			expect({ raw, value: ours }).toEqual({ raw, ...(ours === LEFT_TO_N8N ? { value: ours } : theirs) });
		}
	});
});

describe('an expression of text and fields', () => {
	it.each<[string, unknown[]]>([
		['={{ $json.a }} ', [['a'], ' ']],
		['= {{ $json.a }}', [' ', ['a']]],
		['=Dear {{ $json.a }},\nyours', ['Dear ', ['a'], ',\nyours']],
		['={{ $json.a }}{{ $json["b c"].d }}', [['a'], ['b c', 'd']]],
	])('%j', (expression, parts) => {
		expect(plainParts(expression)).toEqual(parts);
	});

	it.each<unknown>([true, false, null, undefined, [], {}, NaN, Infinity])(
		'is left to n8n where a field is %j',
		(a) => {
			expect(fieldReader('={{ $json.a }} {{ $json.b }}')({ a, b: 'x' } as IDataObject)).toBe(LEFT_TO_N8N);
		},
	);
});

describe('the value', () => {
	const NAMES = ['a', 'b', 'first name', 'ä', '$id', 'it"s', "it's"];
	const names = fc.constantFrom(...NAMES);
	const place = fc
		.tuple(
			fc.oneof({ weight: 6, arbitrary: fc.tuple(names) }, { weight: 1, arbitrary: fc.tuple(names, names) }),
			fc.constantFrom('', ' ', '\n\t'),
		)
		.map(([path, space]) => {
			const at = path.map((name) =>
				/^[\w$]+$/.test(name) ? `.${name}` : name.includes('"') ? `['${name}']` : `["${name}"]`,
			);
			return `{{${space}$json${at.join('')}${space}}}`;
		});
	const nasty = fc.constantFrom('=', '}}', '{', '\\', '{{', '{{ 1 }}');
	const words = fc.oneof(
		{ weight: 8, arbitrary: fc.string({ unit: fc.constantFrom(...'aB 1.,$`\'"\n-ä€😀') }) },
		{ weight: 2, arbitrary: fc.constantFrom('', ' ', '$json.a', '${a}', "{'a'}") },
		{ weight: 1, arbitrary: fc.oneof(fc.string(), nasty) },
	);
	const expression = fc
		.array(fc.oneof(place, words), { minLength: 1, maxLength: 5 })
		.map((parts) => `=${parts.join('')}`);
	const odd = fc.oneof(
		fc.double(),
		fc.boolean(),
		fc.constantFrom(null, undefined, '', 0, -0, '{{ 1 }}', '=1'),
	);
	// With the unit 'binary', fast-check makes a list of all characters first.
	const leaf = fc.oneof(
		{ weight: 6, arbitrary: fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }) },
		{ weight: 3, arbitrary: fc.integer() },
		{ weight: 1, arbitrary: odd },
	);
	const value = fc.oneof(
		{ weight: 5, arbitrary: leaf },
		{ weight: 1, arbitrary: fc.dictionary(names, leaf, { maxKeys: 3 }) },
	);
	const fields = fc.record(Object.fromEntries(NAMES.map((name) => [name, value])));

	it('is exactly the one that n8n gives, for 500 templates and records', async () => {
		const { workflow, node } = await workbench({ parameters: {} });
		let read = 0;
		fc.assert(
			fc.property(expression, fields, (raw, json) => {
				const value = fieldReader(raw)(json as IDataObject);
				if (value === LEFT_TO_N8N) return;
				read++;
				const given: unknown = workflow.expression.getParameterValue(
					raw,
					null,
					0,
					0,
					node.name,
					[{ json: json as IDataObject }],
					'manual',
					{},
				);
				expect(value).toEqual(given);
			}),
			{ numRuns: 500, seed: 1 },
		);
		expect(read).toBeGreaterThan(150);
	});
});
