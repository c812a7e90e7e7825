import { readFileSync } from 'node:fs';
import path from 'node:path';

import { dump, load } from 'js-yaml';

import {
	readDescription,
	requestFields,
	type RequestPlace,
} from '../../nodes/CustomerMessaging/tenantDescription/readDescription.ts';
import type { DescribedFields } from '../../nodes/CustomerMessaging/tenantDescription/requestFields.ts';

/** A description whose body for creating a tag has this schema. */
function describing(schema: string, components = ''): string {
	return [
		'openapi: 3.1.0',
		'paths:',
		'  /tags:',
		'    post:',
		'      requestBody:',
		'        content:',
		'          application/json:',
		`            schema: ${schema}`,
		components,
	].join('\n');
}

const TAG = { endpoint: 'POST /tags' } as const;
const GROUP = { endpoint: 'PATCH /groups/{id}' } as const;
const IMPORT = { endpoint: 'POST /customers/bulk-import', within: ['customers', 'profile'] } as const;

/** A description as the client gives it: text, unless it is JSON. */
function contentOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** The fields of each place. */
async function read(text: string, ...places: RequestPlace[]): Promise<DescribedFields[]> {
	const found = await readDescription(contentOf(text), places);
	return places.map(({ endpoint }) => {
		const fields = 'problem' in found ? found : (found.get(endpoint) ?? { problem: 'it is missing' });
		if ('problem' in fields) throw new Error(fields.problem);
		return fields;
	});
}

const tagFields = async (text: string) => (await read(text, TAG))[0];
const fieldsOf = async (schema: string, components?: string) =>
	(await tagFields(describing(schema, components))).fields;
const namesOf = async (schema: string, components?: string) =>
	(await fieldsOf(schema, components)).map(({ id }) => id);

describe('the fields of a description', () => {
	it.each([
		['{type: string}', { type: 'string', jsonType: 'string' }],
		['{type: integer}', { type: 'number', jsonType: 'integer' }],
		['{type: [number, "null"]}', { type: 'number', jsonType: 'number' }],
		['{type: boolean, nullable: true}', { type: 'boolean', jsonType: 'boolean' }],
		['{type: string, format: date}', { type: 'dateTime', jsonType: 'string', format: 'date' }],
		['{type: string, format: date-time}', { type: 'dateTime', jsonType: 'string', format: 'date-time' }],
		['{type: string, format: email}', { type: 'string', jsonType: 'string', format: 'email' }],
		['{type: array, items: {type: string}}', { type: 'array', jsonType: 'array' }],
		['{items: {type: string}}', { type: 'array', jsonType: 'array' }],
		['{type: object}', { type: 'object', jsonType: 'object' }],
		['{properties: {a: {}}}', { type: 'object', jsonType: 'object' }],
		['{type: [string, integer]}', { type: 'string', jsonType: undefined }],
		['{}', { type: 'string', jsonType: undefined }],
		['true', { type: 'string', jsonType: undefined }],
		['{type: [integer, number]}', { type: 'number', jsonType: 'number' }],
		['{anyOf: [{type: integer}, {type: "null"}]}', { type: 'number', jsonType: 'integer' }],
		['{type: string, enum: [gold, silver]}', { type: 'options', jsonType: 'string' }],
		['{enum: [1, 2]}', { type: 'options', jsonType: 'number' }],
		['{type: string, enum: [null]}', { type: 'string', jsonType: 'string' }],
	])('%s', async (schema, expected) => {
		const [field] = await fieldsOf(`{properties: {a: ${schema}}}`);
		expect({
			type: field.type,
			jsonType: field.jsonType,
			...(field.format && { format: field.format }),
		}).toEqual(expected);
	});

	it('allowed values are options, with titles where there are some', async () => {
		expect((await fieldsOf('{properties: {tier: {enum: [gold, 2, null, true, ""]}}}'))[0].options).toEqual([
			{ name: 'gold', value: 'gold' },
			{ name: '2', value: 2 },
		]);
		expect(
			(
				await fieldsOf(
					'{properties: {tier: {oneOf: [{const: g, title: Gold}, {const: s, description: Silver}]}}}',
				)
			)[0].options,
		).toEqual([
			{ name: 'Gold', value: 'g' },
			{ name: 'Silver', value: 's' },
		]);
	});

	it.each([
		['loyalty_tier', '{}', 'Loyalty Tier'],
		['loyaltyTier', '{title: Tier}', 'Tier'],
		['straße', '{description: "The street. And more.\\n\\nMuch more."}', 'Straße (The street)'],
		['old', '{deprecated: true, description: Do not use}', 'Old (deprecated: Do not use)'],
		['a.b', '{}', 'A B'],
		['blank', '{title: " ", description: "  "}', 'Blank'],
	])('%s %s is shown as %s', async (name, schema, label) => {
		expect((await fieldsOf(`{properties: {${name}: ${schema}}}`))[0]).toMatchObject({
			id: name,
			displayName: label,
		});
	});

	it('required fields come first, fields that only the service writes are left out', async () => {
		const fields = await fieldsOf(
			'{required: [b, gone], properties: {id: {readOnly: true}, a: {type: string}, b: {type: string}}}',
		);
		expect(fields.map(({ id, required }) => [id, required])).toEqual([
			['b', true],
			['a', false],
		]);
	});

	it('follows references and puts together what a schema is composed of', async () => {
		const components = [
			'components:',
			'  schemas:',
			'    Base: {required: [a], properties: {a: {$ref: "#/components/schemas/Colour"}}}',
			'    Colour: {type: string, enum: [red], description: The colour}',
			'    a/b~c: {properties: {pointer: {type: string}}}',
		].join('\n');
		const [a, ...others] = await fieldsOf(
			'{allOf: [{$ref: "#/components/schemas/Base"}, {properties: {a: {title: Shade}, b: {type: string}}}], oneOf: [{required: [c], properties: {c: {type: integer}}}, {$ref: "#/components/schemas/a~1b~0c"}]}',
			components,
		);
		expect(a).toMatchObject({
			id: 'a',
			displayName: 'Shade (The colour)',
			required: true,
			options: [{ name: 'red', value: 'red' }],
		});
		expect(others.map(({ id, required }) => [id, required])).toEqual([
			['b', false],
			['c', false],
			['pointer', false],
		]);
	});

	it.each([
		['that lead out of the description', 'other.yaml#/components/schemas/Base'],
		['that begin otherwise', './components/schemas/Base'],
		['that name nothing', '#/components/schemas/None'],
		['of more than 1,000 characters', `#/components/schemas/${'x'.repeat(1000)}`],
	])('leaves out references %s', async (_what, reference) => {
		const schemas = { Base: { properties: { a: {} } }, ['x'.repeat(1000)]: { properties: { a: {} } } };
		const components = `components: ${JSON.stringify({ schemas })}`;
		const schema = JSON.stringify({ allOf: [{ $ref: reference }, { properties: { b: {} } }] });
		expect(await namesOf(schema, components)).toEqual(['b']);
	});

	it.each([
		['/third-party/v1/tags', 'post', 'application/json'],
		['/api/third-party/v1/tags/', 'post', 'application/json; charset=utf-8'],
		['/tags', 'post', 'application/merge-patch+json'],
		['/tags', 'post', 'multipart/form-data'],
		['/tags', 'post', '*/*'],
	])('%s %s %s is found', async (path, method, type) => {
		const schema = { properties: { colour: { type: 'string' } } };
		const paths = {
			[`/admin/of/another${path}`]: { post: { requestBody: { content: {} } } },
			[path]: { [method]: { requestBody: { content: { [type]: { schema } } } } },
		};
		expect((await tagFields(JSON.stringify({ paths }))).fields.map(({ id }) => id)).toEqual(['colour']);
	});

	it('finds templated paths under any name, and bodies behind references', async () => {
		const [groupUpdate, profileImport] = await read(
			JSON.stringify({
				paths: {
					'/v2/groups/{group}': { $ref: '#/x/groups' },
					'/groups/mine': { patch: {} },
					'/customers/bulk-import': {
						post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/x/import' } } } } },
					},
				},
				x: {
					groups: { patch: { requestBody: { $ref: '#/x/body' } } },
					body: { content: { 'application/json': { schema: { properties: { colour: {} } } } } },
					import: { properties: { customers: { type: 'array', items: { $ref: '#/x/customer' } } } },
					customer: { allOf: [{ properties: { profile: { properties: { shoe_size: {} } } } }] },
				},
			}),
			GROUP,
			IMPORT,
		);
		expect(groupUpdate.fields.map(({ id }) => id)).toEqual(['colour']);
		expect(profileImport.fields.map(({ id }) => id)).toEqual(['shoe_size']);
	});

	it('takes YAML as people write it', async () => {
		const text = [
			'%YAML 1.2',
			'---',
			'base: &base {a: {type: string}}',
			describing(''),
			'              required: [ yes ]',
			'              properties:',
			'                <<: *base',
			'                yes:',
			'                  type: "integer"',
			'                  description: >-',
			'                    one',
			'                    line',
			'                "1": {enum: [0x1F, .5, -1e3, ~, .inf, 12:30:00, 2026-01-01]}',
		].join('\n');
		const { fields } = await tagFields(text);
		expect(fields.map(({ displayName }) => displayName)).toEqual(['Yes (one line)', '1', 'A']);
		expect(fields.find(({ id }) => id === '1')?.options?.map(({ value }) => value)).toEqual([
			31,
			0.5,
			-1000,
			'12:30:00',
			'2026-01-01',
		]);
	});
});

describe('names and texts that would do harm', () => {
	it('never become an expression of n8n', async () => {
		const fields = await fieldsOf(
			'{properties: {"={{ 1 }}": {}, a: {title: "={{ $env }}", description: " =x", enum: ["={{ 2 }}", b]}, c: {oneOf: [{const: d, title: "={{ 3 }}"}]}}}',
		);
		expect(JSON.stringify(fields)).not.toMatch(/"\s*=/);
		expect(fields.map(({ id, options }) => [id, options])).toEqual([
			['a', [{ name: 'b', value: 'b' }]],
			['c', [{ name: '{{ 3 }}', value: 'd' }]],
		]);
	});

	it('names that JavaScript or the editor cannot keep apart are left out and counted', async () => {
		const text = describing(
			`{properties: {__proto__: {}, constructor: {}, prototype: {}, 'a"]': {}, "${'n'.repeat(200)}": {}, toString: {type: integer}, hasOwnProperty: {}}}`,
		);
		const { fields, more } = await tagFields(text);
		expect(fields.map(({ id, type }) => [id, type])).toEqual([
			['toString', 'number'],
			['hasOwnProperty', 'string'],
		]);
		expect(more).toBe(5);
		expect(({} as Record<string, unknown>).type).toBeUndefined();
	});

	it('members of all objects are not read as part of the description', async () => {
		expect(await fieldsOf('{$ref: "#/constructor"}')).toEqual([]);
		expect(await fieldsOf('{$ref: "#/__proto__/toString"}')).toEqual([]);
		expect(await fieldsOf('{properties: {a: {$ref: "#/%E0%A4%A"}}}')).toHaveLength(1);
	});
});

const repeated = (count: number, text: (index: number) => string, separator = '') =>
	Array.from({ length: count }, (_, index) => text(index)).join(separator);

/** Lists of lists: the last stands for ten to the power of forty. */
const laughs = (first: string, list: (names: string) => string) =>
	repeated(
		41,
		(index) =>
			`l${index}: &l${index} ${index === 0 ? first : list(repeated(10, () => `*l${index - 1}`, ','))}`,
		'\n',
	);

describe('descriptions made to wear a parser out', () => {
	it.each([
		[
			'aliases of aliases',
			describing(
				'{$ref: "#/l40"}',
				laughs('[x]', (names) => `[${names}]`),
			),
			[],
		],
		[
			'schemas composed of aliases',
			describing(
				'{$ref: "#/l40"}',
				laughs('{properties: {a: {}}}', (names) => `{allOf: [${names}]}`),
			),
			['a'],
		],
		['a reference to itself', describing('{$ref: "#/s"}', 's: {$ref: "#/s"}'), []],
		[
			'a schema composed of itself',
			describing('{$ref: "#/s"}', 's: &s {properties: {a: {$ref: "#/s"}}, allOf: [*s, {$ref: "#/s"}]}'),
			['a'],
		],
	])('%s', async (_what, text, names) => {
		expect((await tagFields(text)).fields.map(({ id }) => id)).toEqual(names);
	});

	it('of 10,000 values the first 200 are offered, and the label says so', async () => {
		const [field] = await fieldsOf(
			`{properties: {tier: {enum: [${repeated(10_000, (index) => `v${index}`, ', ')}]}}}`,
		);
		expect(field.options).toHaveLength(200);
		expect(field.displayName).toBe('Tier (9800 more values by expression)');
	});

	it('of 5,000 properties the first 200 are offered, required ones among them', async () => {
		const text = describing(
			`{required: [p4000], properties: {${repeated(5000, (index) => `p${index}: {type: string}`, ', ')}}}`,
		);
		const { fields, more } = await tagFields(text);
		expect(fields).toHaveLength(200);
		expect(fields[0].id).toBe('p4000');
		expect(fields[199].displayName).toBe('P198 (4800 more fields are not listed: use Other Fields)');
		expect(more).toBeGreaterThan(1000);
	});

	it.each([
		[
			'a composition nested 100,000 times',
			describing(`${'{"allOf":['.repeat(1e5)}{}${']}'.repeat(1e5)}`),
			'has a part of more than 32 kB that cannot be divided: schema',
		],
		[
			'a million references to references',
			describing(
				'{$ref: "#/r0"}',
				repeated(100_000, (index) => `r${index}: {$ref: "#/r${index + 1}"}`, '\n'),
			),
			'has a list of more than 50,000 entries',
		],
		[
			'references that double at each of 3,000 levels',
			describing(
				'{$ref: "#/s0"}',
				repeated(
					3000,
					(index) =>
						`s${index}: {allOf: [{$ref: "#/s${index + 1}"}, {$ref: "#/s${index + 1}"}], properties: {a${index}: {$ref: "#/s${index + 1}"}}}`,
					'\n',
				),
			),
			'names more than 50,000 parts for one request',
		],
		[
			'60,000 parts of a schema behind each property',
			describing(
				'{properties: {a: {$ref: "#/s"}, b: {$ref: "#/s"}}}',
				`s:\n  allOf:\n${repeated(20_000, (index) => `  - {properties: {p${index}: {}}}\n`)}`,
			),
			'names more than 50,000 parts for one request',
		],
		[
			'too many paths',
			`paths:\n${repeated(10_001, (index) => `  /a${index}: {}\n`)}`,
			'has more than 10,000 paths',
		],
		[
			'an anchor far from its alias',
			describing('*base', `base: &base {properties: {a: {}}}\nfar:\n${'  - 12345\n'.repeat(20_000)}`),
			'is longer than 128 kB, and has YAML aliases',
		],
	])('%s are refused with the limit that was met', async (_what, text, limit) => {
		await expect(tagFields(text)).rejects.toThrow(`its description ${limit}`);
	});

	it('one request that names too much leaves the others as they are', async () => {
		const description = {
			paths: {
				'/tags': {
					post: {
						requestBody: {
							content: { 'application/json': { schema: { enum: Array.from({ length: 50_000 }, String) } } },
						},
					},
				},
				'/groups/{id}': {
					patch: {
						requestBody: {
							content: { 'application/json': { schema: { properties: { colour: {} } } } },
						},
					},
				},
			},
		};
		expect(await readDescription(description, [TAG, GROUP])).toEqual(
			new Map<string, unknown>([
				[TAG.endpoint, { problem: expect.stringContaining('names more than 50,000 parts') }],
				[GROUP.endpoint, { fields: [expect.objectContaining({ id: 'colour' })], more: 0 }],
			]),
		);
	});

	it.each([
		['lists nested 100,000 times', describing('[]', `s: ${'['.repeat(100_000)}`)],
		['keys of keys', '? '.repeat(100_000)],
		[
			'a long text as key, many times',
			`s: &s "${'x'.repeat(1e6)}"\n? [${repeated(600, () => '*s', ',')}]\n: 1`,
		],
		['a million aliases', `s: &s x\nt: [${repeated(1e6, () => '*s', ',')}]`],
		[
			'keys merged without end',
			`m: &m {${repeated(9000, (index) => `k${index}: 1`, ', ')}}\ns: [${repeated(5000, () => '{<<: *m}', ', ')}]`,
		],
		['HTML', '<!doctype html><html><body>Log in</body></html>'],
		['text', 'Welcome'],
		['nothing', ''],
		['bytes', '\u0000\u0001\u0002'],
		['other YAML', 'a: [1, 2]'],
		['a list of paths', 'paths: [1]'],
		['broken JSON', '{"paths":'],
		['many documents', '---\n'.repeat(100_000)],
	])('%s are refused', async (_what, text) => {
		expect(await readDescription(contentOf(text), [TAG])).toHaveProperty('problem');
	});
});

describe('a long description', () => {
	const sandbox = readFileSync(path.join(import.meta.dirname, '../../sandbox/openapi.yaml'), 'utf8');
	const [beginning, paths, end] = sandbox.split(/(?<=\npaths:\n)|(?=\ncomponents:\n)/);
	const others = repeated(40, (index) => paths.replace(/^ {2}(?=\/)/gm, `  /other${index}`), '\n');
	const long = `${beginning}${others}\n${paths}${end}`;
	const places: RequestPlace[] = [
		TAG,
		GROUP,
		IMPORT,
		{ endpoint: 'PATCH /profiles/{id}' },
		{ endpoint: 'POST /conversations/{conversationId}/messages' },
	];
	const document = load(long);
	const whole = load(sandbox);

	it.each([
		['YAML', long],
		['YAML after other text', `\uFEFF# A tenant\n%YAML 1.2\n--- # here\n\n${long}`],
		['YAML with Windows line ends', long.replaceAll('\n', '\r\n')],
		['YAML as a deep flow', dump(document, { flowLevel: 4 })],
		['YAML without an indentation of lists', dump(document, { seqNoIndent: true })],
		['JSON', JSON.stringify(document)],
		['JSON with line breaks', `\n${JSON.stringify(document, null, '\t')}\n`],
	])('in %s gives the same fields as the short one', async (_what, text) => {
		expect(text.length).toBeGreaterThan(1_500_000);
		const expected = await Promise.all(places.map(async (place) => await requestFields(whole, place)));
		expect(expected.map(({ fields }) => fields.length)).toEqual([1, 0, 10, 10, 11]);
		expect(await read(text, ...places)).toEqual(expected);
	});

	it.each([
		['"a: b"', "'it''s'"],
		['/x{y}', '"\\u0041\\""'],
		["'a''b'", '__proto__'],
	])('keeps the keys %s and %s', async (first, second) => {
		const filler = `x: "${'\\" }] ,'.repeat(12_000)}"`;
		const keys = {
			[first]: `{${filler}, properties: {a: {}}}`,
			[second]: `{properties: {b: {}}, ${filler}}`,
		};
		const name = (key: string) => String(load(key)).replaceAll('~', '~0').replaceAll('/', '~1');
		const text = describing(
			`{allOf: [{$ref: '#/all/${name(first).replaceAll("'", "''")}'}, {$ref: '#/all/${name(second).replaceAll("'", "''")}'}]}`,
			['all:', ...Object.entries(keys).map(([key, value]) => `  ${key}:\n    ${value}`)].join('\n'),
		);
		expect((await tagFields(text)).fields.map(({ id }) => id)).toEqual(['a', 'b']);
	});

	it('of up to 128 kB may have an anchor far from its alias', async () => {
		const text = describing('*base', `far:\n${'  - 12345\n'.repeat(9000)}`);
		const fields = (await tagFields(`base: &base {properties: {a: {}}}\n${text}`)).fields;
		expect(fields.map(({ id }) => id)).toEqual(['a']);
	});

	it('a long text that nothing refers to is left unread', async () => {
		const text = describing(
			'{properties: {a: {}}}',
			`info:\n  description: |\n${'    Read - this: {first}\n\n'.repeat(10_000)}  title: x`,
		);
		expect((await tagFields(text)).fields).toHaveLength(1);
	});

	it.each([
		['a second document', `${long}\n---\npaths: {}`],
		['a list among the keys', long.replace('\ncomponents:', '\n- a\ncomponents:')],
		['a key that is less indented', long.replace(/\n {2}\/customers:/, '\n /customers:')],
		['a bracket that is not closed', JSON.stringify(whole).slice(0, -1)],
		['quotes that are not closed', JSON.stringify(whole).replace('"}', '}')],
	])('with %s is refused', async (_what, text) => {
		expect(await readDescription(text, [TAG])).toEqual({
			problem: 'its description is not OpenAPI in YAML or JSON',
		});
	});
});

it('is silent about requests that are not described', async () => {
	expect(await namesOf('{}')).toEqual([]);
	expect(await tagFields('{"paths":{"/tags":5}}')).toEqual({ fields: [], more: 0 });
});
