import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	fieldAt,
	fieldReader,
	LEFT_TO_N8N,
	plainParts,
} from '../../nodes/CustomerMessaging/runner/fieldExpression.ts';
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
		[['name', 'length'], undefined],
		[['none', 'at', 'all'], undefined],
		[['deep', 'missing', 'est'], undefined],
		[['constructor'], undefined],
		[['deep', 'toString'], undefined],
	])('%j', (path, expected) => {
		expect(fieldAt(fields, path)).toEqual(expected);
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
	const leaf = fc.oneof(
		{ weight: 6, arbitrary: fc.string({ unit: 'binary' }) },
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
