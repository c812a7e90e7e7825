import fc from 'fast-check';

import {
	readDescription,
	requestFields,
	type RequestPlace,
} from '../../../nodes/CustomerMessaging/tenantDescription/readDescription.ts';
import { AMOUNT } from '../amount.mts';
import { CountedVisits } from './countedVisits.mts';
import { meetAll, names, sizes, textOf, type TextRecipe, texts } from './recipes.mts';

/** A description may be as long, in characters. */
const MAX_LENGTH = 5_000_000;

/** A visit of an element looks at a few members of it: 20 in a schema, and two in a list. */
const MAX_VISITS = 20 * 50_000;

const PLACES: RequestPlace[] = [
	{ endpoint: 'POST /tags' },
	{ endpoint: 'PATCH /groups/{id}' },
	{ endpoint: 'POST /customers/bulk-import', within: ['customers', 'profile'] },
];

type Schema = { [name: string]: unknown };

/** Makes a schema and what it refers to, with about so many elements. */
const SCHEMAS: {
	[kind: string]: (size: number, text: string, name: string) => { schema: unknown; all: Schema };
} = {
	'references that double': (size) => ({
		schema: { $ref: '#/all/s0' },
		all: numbered(size / 4, (index) => ({
			allOf: [ref(index + 1), ref(index + 1)],
			properties: { a: ref(index + 1), [`b${index}`]: ref(index + 1) },
		})),
	}),
	'references to one large schema': (size) => ({
		schema: { properties: numbered(200, () => ref(0), 'p') },
		all: { s0: { allOf: listOf(size, (index) => ({ properties: { [`p${index}`]: {} } })) } },
	}),
	circles: (size) => ({
		schema: ref(0),
		all: numbered(size, (index) => ({ oneOf: [ref((index + 1) % Math.ceil(size)), ref(0)], items: ref(0) })),
	}),
	'chains of compositions': (size) => ({ schema: nested(size, (inner) => ({ anyOf: [inner] })), all: {} }),
	'deep properties': (size) => ({ schema: nested(size, (inner) => ({ properties: { a: inner } })), all: {} }),
	'many properties': (size, text, name) => ({
		schema: {
			properties: { ...numbered(size, () => ({ description: text.slice(0, 50) }), 'p'), [name]: {} },
			required: listOf(size, (index) => `p${index}`),
		},
		all: {},
	}),
	'huge values': (size, text) => ({
		schema: { properties: numbered(50, () => ref(0), 'p') },
		all: { s0: { enum: listOf(size, (index) => `${text.slice(0, 20)}${index}`) } },
	}),
	'labelled values': (size, text) => ({
		schema: {
			properties: { a: { oneOf: listOf(size, (index) => ({ const: index, title: text.slice(0, 30) })) } },
		},
		all: {},
	}),
	'long texts': (_size, text, name) => ({
		schema: {
			title: text,
			properties: {
				a: { title: text, description: text, format: text, enum: [text] },
				[name]: { $ref: text },
			},
		},
		all: { [text]: text },
	}),
	'long references': (size, text) => ({
		schema: { properties: numbered(size / 10, () => ({ $ref: `#/${text.slice(0, 1000)}` }), 'p') },
		all: {},
	}),
	'many types': (size) => ({
		schema: { properties: { a: { type: listOf(size, () => 'string') } } },
		all: {},
	}),
};

const ref = (index: number) => ({ $ref: `#/all/s${index}` });
const listOf = <Value,>(count: number, make: (index: number) => Value) =>
	Array.from({ length: Math.ceil(count) }, (_, index) => make(index));
const numbered = (count: number, make: (index: number) => unknown, prefix = 's') =>
	Object.fromEntries(listOf(count, (index) => [`${prefix}${index}`, make(index)]));

function nested(depth: number, around: (inner: Schema) => Schema): Schema {
	let schema: Schema = {};
	// js-yaml writes no deeper ones.
	for (let level = 0; level < Math.min(depth, 400); level++) schema = around(schema);
	return schema;
}

/** Texts that are no description of schemas, but work for a parser. */
const RAW: { [kind: string]: (size: number, text: string) => string } = {
	brackets: (size) => `a: ${'['.repeat(size)}`,
	'empty lists': (size) => `{"paths": [${'[],'.repeat(size / 3)}1]}`,
	'deep JSON': (size) => '{"a":'.repeat(size / 5),
	keys: (size) => listOf(size / 10, (index) => `k${index}: {}`).join('\n'),
	'list items': (size) => `paths:\n${'- a\n'.repeat(size / 4)}`,
	anchors: (size) => listOf(size / 20, (index) => `k${index}: &a${index} x`).join('\n'),
	laughs: (size) =>
		`l0: &l0 {properties: {a: {}}}\n${listOf(Math.min(40, size), (index) => `l${index + 1}: &l${index + 1} {allOf: [${listOf(10, () => `*l${index}`).join()}]}`).join('\n')}\npaths: {/tags: {post: {requestBody: {content: {a/json: {schema: *l${Math.min(40, size)}}}}}}}`,
	merges: (size) =>
		`m: &m {${listOf(size / 40, (index) => `k${index}: 1`).join()}}\ns: [${listOf(size / 40, () => '{<<: *m}').join()}]`,
	'a text': (_size, text) => text,
	'a folded text': (size, text) =>
		`a: >\n${`  ${text.slice(0, 60).replaceAll('\n', ' ')}\n`.repeat(size / 60)}`,
	'a quoted text': (size, text) => `a: "${text.slice(0, 20)}${'\\"'.repeat(size / 2)}"`,
	paths: (size) =>
		`paths:\n${listOf(size / 200, (index) => `  ${'/groups/x'.repeat(20)}${index}: {}`).join('\n')}`,
	comments: (size) => `${'# c\n'.repeat(size / 4)}paths: {}`,
	'keys of keys': (size) => '? '.repeat(size / 2),
};

interface DescriptionRecipe {
	kind: string;
	size: number;
	text: TextRecipe;
	name: string;
	form: 'block' | 'flow' | 'json' | 'lines';
}

const descriptions: fc.Arbitrary<DescriptionRecipe> = fc.record({
	kind: fc.constantFrom(...Object.keys(SCHEMAS), ...Object.keys(RAW)),
	size: fc.oneof(
		{ weight: 49, arbitrary: sizes(200_000) },
		{ weight: 1, arbitrary: fc.constant(MAX_LENGTH) },
	),
	text: texts(100_000),
	name: names,
	form: fc.constantFrom('block', 'flow', 'json', 'lines'),
});

function documentOf({ kind, size, text, name }: DescriptionRecipe): Schema | undefined {
	const { schema, all } = SCHEMAS[kind]?.(Math.min(size / 20, 60_000), textOf(text), name) ?? {};
	if (schema === undefined) return undefined;
	const body = (inner: unknown) => ({ requestBody: { content: { 'application/json': { schema: inner } } } });
	const customers = { properties: { customers: { items: { properties: { profile: schema } } } } };
	return {
		openapi: '3.1.0',
		paths: {
			'/tags': { post: body(schema) },
			'/groups/{id}': { patch: body(schema) },
			'/customers/bulk-import': { post: body(customers) },
		},
		all,
	};
}

/** Writes YAML in block style, down to a level from which on it is JSON. */
function block(value: unknown, level: number, deepest: number): string {
	if (typeof value !== 'object' || value === null || level === deepest) return ` ${JSON.stringify(value)}`;
	const entries = Object.entries(value);
	if (entries.length === 0) return Array.isArray(value) ? ' []' : ' {}';
	const indent = '\n' + ' '.repeat(level);
	const beginning = (key: string) => (Array.isArray(value) ? '-' : `${JSON.stringify(key)}:`);
	return entries
		.map(([key, member]) => `${indent}${beginning(key)}${block(member, level + 1, deepest)}`)
		.join('');
}

function written(document: Schema, form: DescriptionRecipe['form']): string {
	if (form === 'json') return JSON.stringify(document);
	if (form === 'lines') return JSON.stringify(document, null, 2);
	return block(document, 0, form === 'flow' ? 3 : Infinity);
}

/** A description as the client gives it: text, unless it is JSON. */
function contentOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

it(`${AMOUNT} descriptions made to wear the editor out are read with few looks at their members`, async () => {
	const outcomes = new Map<string, number>();
	await meetAll(descriptions, AMOUNT, async (recipe) => {
		const { kind, size, form, text } = recipe;
		const document = documentOf(recipe);
		const whole = document ? written(document, form) : RAW[kind](size, textOf(text));
		const found = await readDescription(contentOf(whole.slice(0, MAX_LENGTH)), PLACES);
		const readings = 'problem' in found ? [found] : [...found.values()];
		for (const reading of readings) {
			const outcome = 'problem' in reading ? 'problem' : reading.fields.length > 0 ? 'fields' : 'nothing';
			outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
			if ('problem' in reading) {
				expect(reading.problem).toMatch(/^its description (has|is|names) /);
				expect(reading.problem.length).toBeLessThan(200);
				continue;
			}
			expect(reading.fields.length).toBeLessThanOrEqual(200);
			for (const { id, displayName, options = [] } of reading.fields) {
				expect(id.length + displayName.length).toBeLessThan(400);
				expect(options.length).toBeLessThanOrEqual(200);
			}
		}
		if (!document) return;
		const visits = new CountedVisits();
		await requestFields(visits.view(document), PLACES[0]).catch(() => undefined);
		expect(visits.count).toBeLessThan(MAX_VISITS);
	});
	// Otherwise the cases would show nothing.
	for (const outcome of ['problem', 'fields', 'nothing'])
		expect(outcomes.get(outcome)).toBeGreaterThan(AMOUNT / 10);
});
