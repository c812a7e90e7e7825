import { readFileSync } from 'node:fs';
import path from 'node:path';

import { dump, load } from 'js-yaml';

import type { Endpoint } from '../../nodes/CustomerMessaging/contract/endpoints.ts';
import { readDescription, requestFields } from '../../nodes/CustomerMessaging/editor/describedFields.ts';
import type { TenantField } from '../../nodes/CustomerMessaging/fields/mapping.ts';

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

type Place = [endpoint: Endpoint, within?: string[]];

const TAG: Place = ['POST /tags'];
const GROUP: Place = ['PATCH /groups/{id}'];
const IMPORT: Place = ['POST /customers/bulk-import', ['customers', 'profile']];

/** A description as the client gives it: text, unless it is JSON. */
function contentOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** The fields of each place. */
async function read(text: string, ...places: Place[]): Promise<TenantField[][]> {
	const found = await readDescription(contentOf(text));
	if (typeof found === 'string') throw new Error(found);
	return places.map((place) => requestFields(found, ...place));
}

const tagFields = async (text: string) => (await read(text, TAG))[0];
const fieldsOf = async (schema: string, components?: string) =>
	await tagFields(describing(schema, components));
const namesOf = async (schema: string, components?: string) =>
	(await fieldsOf(schema, components)).map(({ id }) => id);

describe('the fields of a description', () => {
	it.each([
		['{type: string}', { type: 'string', valueType: 'string' }],
		['{type: integer}', { type: 'number', valueType: 'integer' }],
		['{type: [number, "null"]}', { type: 'number', valueType: 'number' }],
		['{type: boolean, nullable: true}', { type: 'boolean', valueType: 'boolean' }],
		['{type: string, format: date}', { type: 'dateTime', valueType: 'date' }],
		['{type: string, format: date-time}', { type: 'dateTime', valueType: 'date-time' }],
		['{type: array, items: {type: string}}', { type: 'array', valueType: 'array' }],
		['{items: {type: string}}', { type: 'array', valueType: 'array' }],
		['{type: object}', { type: 'object', valueType: 'object' }],
		['{properties: {a: {}}}', { type: 'object', valueType: 'object' }],
		['{type: [string, integer]}', { type: 'string', valueType: undefined }],
		['{}', { type: 'string', valueType: undefined }],
		['true', { type: 'string', valueType: undefined }],
		['{type: [integer, number]}', { type: 'number', valueType: 'number' }],
		['{anyOf: [{type: integer}, {type: "null"}]}', { type: 'number', valueType: 'integer' }],
		['{type: string, format: uuid}', { type: 'string', valueType: 'string' }],
		['{type: string, enum: [gold, silver]}', { type: 'string', valueType: 'string' }],
		['{enum: [1, 2]}', { type: 'string', valueType: undefined }],
	])('%s', async (schema, expected) => {
		const [field] = await fieldsOf(`{properties: {a: ${schema}}}`);
		expect({ type: field.type, valueType: field.valueType }).toEqual(expected);
	});

	it.each([
		['loyalty_tier', 'Loyalty Tier'],
		['loyaltyTier', 'Loyalty Tier'],
		['straße', 'Straße'],
		['a.b', 'A B'],
		['_', '_'],
	])('%s is shown as %s', async (name, label) => {
		expect((await fieldsOf(`{properties: {${name}: {title: T, description: D}}}`))[0]).toMatchObject({
			id: name,
			displayName: label,
		});
	});

	it('that only the service writes are left out, and none is required', async () => {
		const fields = await fieldsOf('{required: [a, gone], properties: {id: {readOnly: true}, a: {}, b: {}}}');
		expect(fields.map(({ id, required }) => [id, required])).toEqual([
			['a', false],
			['b', false],
		]);
	});

	it('follows references and puts together what a schema is composed of', async () => {
		const components = [
			'components:',
			'  schemas:',
			'    Base: {required: [a], properties: {a: {$ref: "#/components/schemas/Colour"}}}',
			'    Colour: {type: string}',
			'    a/b~c: {properties: {pointer: {type: string}}}',
		].join('\n');
		const [a, ...others] = await fieldsOf(
			'{allOf: [{$ref: "#/components/schemas/Base"}, {properties: {a: {nullable: true}, b: {type: string}}}], oneOf: [{required: [c], properties: {c: {type: integer}}}, {$ref: "#/components/schemas/a~1b~0c"}]}',
			components,
		);
		expect(a).toMatchObject({ id: 'a', valueType: 'string', nullable: true });
		expect(others.map(({ id }) => id)).toEqual(['b', 'c', 'pointer']);
	});

	it.each([
		['that lead out of the description', 'other.yaml#/components/schemas/Base'],
		['that begin otherwise', './components/schemas/Base'],
		['that name nothing', '#/components/schemas/None'],
	])('leaves out references %s', async (_what, reference) => {
		const schemas = { Base: { properties: { a: {} } } };
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
		expect((await tagFields(JSON.stringify({ paths }))).map(({ id }) => id)).toEqual(['colour']);
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
		expect(groupUpdate.map(({ id }) => id)).toEqual(['colour']);
		expect(profileImport.map(({ id }) => id)).toEqual(['shoe_size']);
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
			'                2026-01-01: {}',
		].join('\n');
		expect((await tagFields(text)).map(({ id, type }) => [id, type])).toEqual([
			['a', 'string'],
			['yes', 'number'],
			['2026-01-01', 'string'],
		]);
	});
});

describe('names and texts that would do harm', () => {
	it('are left out where they would be an expression, or JavaScript or the editor cannot keep them apart', async () => {
		const fields = await fieldsOf(
			`{properties: {"={{ 1 }}": {}, __proto__: {}, constructor: {}, prototype: {}, 'a"]': {}, toString: {type: integer}, hasOwnProperty: {}, a: {type: string, format: "={{ 2 }}"}}}`,
		);
		expect(fields.map(({ id, type, valueType }) => [id, type, valueType])).toEqual([
			['toString', 'number', 'integer'],
			['hasOwnProperty', 'string', undefined],
			['a', 'string', 'string'],
		]);
		expect(({} as Record<string, unknown>).type).toBeUndefined();
	});

	it('members of all objects are not read as part of the description', async () => {
		expect(await fieldsOf('{$ref: "#/constructor"}')).toEqual([]);
		expect(await fieldsOf('{$ref: "#/__proto__/toString"}')).toEqual([]);
	});
});

it.each([
	['a reference to itself', '{$ref: "#/s"}', 's: {$ref: "#/s"}', []],
	[
		'a schema composed of itself',
		'{$ref: "#/s"}',
		's: &s {properties: {a: {$ref: "#/s"}}, allOf: [*s, {$ref: "#/s"}]}',
		['a'],
	],
])('%s ends', async (_what, schema, components, names) => {
	expect(await namesOf(schema, components)).toEqual(names);
});

it('a body behind a reference to itself has no fields', async () => {
	const paths = { '/tags': { post: { requestBody: { $ref: '#/x' } } } };
	expect(await tagFields(JSON.stringify({ paths, x: { $ref: '#/x' } }))).toEqual([]);
});

it.each([
	['HTML', '<!doctype html><html><body>Log in</body></html>'],
	['text', 'Welcome'],
	['nothing', ''],
	['bytes', '\u0000\u0001\u0002'],
	['other YAML', 'a: [1, 2]'],
	['a list of paths', 'paths: [1]'],
	['broken JSON', '{"paths":'],
	['two documents', 'paths: {}\n---\npaths: {}'],
])('%s is refused', async (_what, text) => {
	expect(await readDescription(contentOf(text))).toBe('its description is not OpenAPI in YAML or JSON');
});

describe('the description of the sandbox', () => {
	const sandbox = readFileSync(path.join(import.meta.dirname, '../../sandbox/openapi.yaml'), 'utf8');
	const places: Place[] = [
		...[TAG, GROUP, IMPORT],
		['PATCH /profiles/{id}'],
		['POST /conversations/{conversationId}/messages'],
	];
	const document = load(sandbox);

	it.each([
		['YAML', sandbox],
		['YAML after other text', `\uFEFF# A tenant\n%YAML 1.2\n--- # here\n\n${sandbox}`],
		['YAML with Windows line ends', sandbox.replaceAll('\n', '\r\n')],
		['YAML as a deep flow', dump(document, { flowLevel: 4 })],
		['YAML without an indentation of lists', dump(document, { seqNoIndent: true })],
		['JSON', JSON.stringify(document)],
		['JSON with line breaks', `\n${JSON.stringify(document, null, '\t')}\n`],
	])('in %s names the same fields', async (_what, text) => {
		const expected = places.map((place) => requestFields(document, ...place));
		expect(expected.map(({ length }) => length)).toEqual([1, 0, 10, 10, 11]);
		expect(await read(text, ...places)).toEqual(expected);
	});
});

it('is silent about requests that are not described', async () => {
	expect(await namesOf('{}')).toEqual([]);
	expect(await tagFields('{"paths":{"/tags":5}}')).toEqual([]);
});
