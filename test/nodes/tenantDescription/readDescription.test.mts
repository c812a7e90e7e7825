import { readDescription } from '../../../nodes/CustomerMessaging/tenantDescription/readDescription.ts';
import type { DescribedFields } from '../../../nodes/CustomerMessaging/tenantDescription/requestFields.ts';
import type { RequestPlace } from '../../../nodes/CustomerMessaging/tenantDescription/requestSchema.ts';

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

/** The fields of each place. */
function read(text: string, ...places: RequestPlace[]): DescribedFields[] {
	const found = readDescription(text, places);
	return places.map(({ endpoint }) => found.get(endpoint) ?? { fields: [], more: -1 });
}

const tagFields = (text: string) => read(text, TAG)[0];
const fieldsOf = (schema: string, components?: string) => tagFields(describing(schema, components)).fields;
const namesOf = (schema: string, components?: string) => fieldsOf(schema, components).map(({ id }) => id);

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
	])('%s', (schema, expected) => {
		const [field] = fieldsOf(`{properties: {a: ${schema}}}`);
		expect({
			type: field.type,
			jsonType: field.jsonType,
			...(field.format && { format: field.format }),
		}).toEqual(expected);
	});

	it('allowed values are options, with titles where there are some', () => {
		expect(fieldsOf('{properties: {tier: {enum: [gold, 2, null, true, ""]}}}')[0].options).toEqual([
			{ name: 'gold', value: 'gold' },
			{ name: '2', value: 2 },
		]);
		expect(
			fieldsOf('{properties: {tier: {oneOf: [{const: g, title: Gold}, {const: s, description: Silver}]}}}')[0]
				.options,
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
	])('%s %s is shown as %s', (name, schema, label) => {
		expect(fieldsOf(`{properties: {${name}: ${schema}}}`)[0]).toMatchObject({ id: name, displayName: label });
	});

	it('required fields come first, fields that only the service writes are left out', () => {
		const fields = fieldsOf(
			'{required: [b, gone], properties: {id: {readOnly: true}, a: {type: string}, b: {type: string}}}',
		);
		expect(fields.map(({ id, required }) => [id, required])).toEqual([
			['b', true],
			['a', false],
		]);
	});

	it('follows references and puts together what a schema is composed of', () => {
		const components = [
			'components:',
			'  schemas:',
			'    Base: {required: [a], properties: {a: {$ref: "#/components/schemas/Colour"}}}',
			'    Colour: {type: string, enum: [red], description: The colour}',
			'    a/b~c: {properties: {pointer: {type: string}}}',
		].join('\n');
		const [a, ...others] = fieldsOf(
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
		['/third-party/v1/tags', 'post', 'application/json'],
		['/api/third-party/v1/tags/', 'post', 'application/json; charset=utf-8'],
		['/tags', 'post', 'application/merge-patch+json'],
		['/tags', 'post', 'multipart/form-data'],
		['/tags', 'post', '*/*'],
	])('%s %s %s is found', (path, method, type) => {
		const schema = { properties: { colour: { type: 'string' } } };
		const paths = {
			[`/admin/of/another${path}`]: { post: { requestBody: { content: {} } } },
			[path]: { [method]: { requestBody: { content: { [type]: { schema } } } } },
		};
		expect(tagFields(JSON.stringify({ paths })).fields.map(({ id }) => id)).toEqual(['colour']);
	});

	it('finds templated paths under any name, and bodies behind references', () => {
		const [groupUpdate, profileImport] = read(
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

	it('takes YAML as people write it', () => {
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
		const fields = tagFields(text).fields;
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
	it('never become an expression of n8n', () => {
		const fields = fieldsOf(
			'{properties: {"={{ 1 }}": {}, a: {title: "={{ $env }}", description: " =x", enum: ["={{ 2 }}", b]}, c: {oneOf: [{const: d, title: "={{ 3 }}"}]}}}',
		);
		expect(JSON.stringify(fields)).not.toMatch(/"\s*=/);
		expect(fields.map(({ id, options }) => [id, options])).toEqual([
			['a', [{ name: 'b', value: 'b' }]],
			['c', [{ name: '{{ 3 }}', value: 'd' }]],
		]);
	});

	it('names that JavaScript or the editor cannot keep apart are left out and counted', () => {
		const text = describing(
			`{properties: {__proto__: {}, constructor: {}, prototype: {}, 'a"]': {}, "${'n'.repeat(200)}": {}, toString: {type: integer}, hasOwnProperty: {}}}`,
		);
		const { fields, more } = tagFields(text);
		expect(fields.map(({ id, type }) => [id, type])).toEqual([
			['toString', 'number'],
			['hasOwnProperty', 'string'],
		]);
		expect(more).toBe(5);
		expect(({} as Record<string, unknown>).type).toBeUndefined();
	});

	it('members of all objects are not read as part of the description', () => {
		expect(fieldsOf('{$ref: "#/constructor"}')).toEqual([]);
		expect(fieldsOf('{$ref: "#/__proto__/toString"}')).toEqual([]);
		expect(fieldsOf('{properties: {a: {$ref: "#/%E0%A4%A"}}}')).toHaveLength(1);
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
		[
			'a composition nested 100,000 times, as JSON',
			`{"paths":{"/tags":{"post":{"requestBody":{"content":{"application/json":{"schema":${'{"allOf":['.repeat(1e5)}{}${']}'.repeat(1e5)}}}}}}}}`,
			[],
		],
		[
			'a million references to references',
			describing(
				'{$ref: "#/r0"}',
				repeated(100_000, (index) => `r${index}: {$ref: "#/r${index + 1}"}`, '\n'),
			),
			[],
		],
	])('%s', (_what, text, names) => {
		const startedAt = Date.now();
		expect(tagFields(text).fields.map(({ id }) => id)).toEqual(names);
		expect(Date.now() - startedAt).toBeLessThan(5000);
	});

	it('of 10,000 properties the first 200 are offered, required ones among them', () => {
		const text = describing(
			`{required: [p4000], properties: {${repeated(10_000, (index) => `p${index}: {type: string}`, ', ')}}}`,
		);
		const { fields, more } = tagFields(text);
		expect(fields).toHaveLength(200);
		expect(fields[0].id).toBe('p4000');
		expect(more).toBeGreaterThan(1000);
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
	])('%s are refused', (_what, text) => {
		const startedAt = Date.now();
		expect(() => readDescription(text, [TAG])).toThrow();
		expect(Date.now() - startedAt).toBeLessThan(5000);
	});
});

it('is silent about requests that are not described', () => {
	expect(namesOf('{}')).toEqual([]);
	expect(tagFields('{"paths":{"/tags":5}}')).toEqual({ fields: [], more: 0 });
});
