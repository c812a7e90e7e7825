import type { FieldType } from 'n8n-workflow';

import type { EditorContext } from '../api/client';
import { nodeErrorOf } from '../api/errors';
import type { Endpoint } from '../contract/endpoints';
import type { TenantField, ValueType } from '../fields/mapping';
import { ProcessMemory } from '../n8nInternals/processMemory';
import { isObject, ownMember } from '../values/json';
import { labelOf } from '../values/field';

/** The combined content of a schema's parts. */
interface Shape {
	properties: Map<string, unknown[]>;
	required: Set<unknown>;
	/** JSON types. They include `null` if the value may be null. */
	types: Set<unknown>;
	items?: unknown;
	format?: unknown;
	isReadOnly: boolean;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns what a reference in a document means; undefined if it leads to nothing, or out of the document. */
function lookUp(document: unknown, reference: string): unknown {
	if (!reference.startsWith('#/')) return undefined;
	const names = reference.slice('#/'.length).split('/');
	return names
		.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
		.reduce<unknown>((at, name) => ownMember(at, name), document);
}

/** Follows the references of a value; undefined if they are broken or circular. */
function resolve(document: unknown, value: unknown): unknown {
	const seen = new Set<unknown>();
	let at = value;
	for (;;) {
		const reference = ownMember(at, '$ref');
		if (typeof reference !== 'string') return at;
		at = seen.has(reference) ? undefined : lookUp(document, reference);
		seen.add(reference);
	}
}

/**
 * Combines the content of schemas, of their parts and of what they refer to. It reads each once, so a recursive one ends. The
 * properties of an alternative are never required.
 */
function shapeOf(document: unknown, schemas: unknown[]): Shape {
	const shape: Shape = { properties: new Map(), required: new Set(), types: new Set(), isReadOnly: false };
	const seen = new Set<unknown>();
	// The array grows during the loop: the parts of a schema are added at its end.
	const parts = schemas.map((schema) => ({ schema, isAlternative: false }));
	for (const { schema, isAlternative } of parts) {
		if (!isObject(schema) || seen.has(schema)) continue;
		seen.add(schema);
		const { $ref: reference, properties, required, type, nullable, format, items, readOnly } = schema;
		for (const [name, property] of Object.entries(isObject(properties) ? properties : {}))
			shape.properties.set(name, [...(shape.properties.get(name) ?? []), property]);
		if (!isAlternative) for (const name of listOf(required)) shape.required.add(name);
		for (const one of [type].flat()) shape.types.add(one);
		if (nullable === true) shape.types.add('null');
		shape.format ??= format;
		shape.items ??= items;
		shape.isReadOnly ||= readOnly === true;
		const same = typeof reference === 'string' ? [lookUp(document, reference)] : [];
		for (const part of [...same, ...listOf(schema.allOf)]) parts.push({ schema: part, isAlternative });
		for (const part of [...listOf(schema.oneOf), ...listOf(schema.anyOf)])
			parts.push({ schema: part, isAlternative: true });
	}
	return shape;
}

export interface RequestPlace {
	/** The endpoint of the interface. The description may use other names for its `{…}` path parameters. */
	endpoint: Endpoint;
	/** Names of the members that lead to the fields, also through arrays; by default, they are members of the body. */
	within?: readonly string[];
}

/** Returns a request in a document, below any prefix, since any part of the address may stand in `servers`. */
function operationOf(document: unknown, endpoint: Endpoint): unknown {
	const [method, path] = endpoint.split(' ');
	const paths = ownMember(document, 'paths');
	const pattern = new RegExp(`^.*${path.replace(/\{\w+\}/g, '\\{[^/]+\\}')}/?$`);
	return (
		Object.keys(isObject(paths) ? paths : {})
			.filter((candidate) => pattern.test(candidate))
			// The shortest prefix is the interface itself. A longer one may repeat its paths.
			.sort((a, b) => a.length - b.length)
			.map((candidate) => resolve(document, ownMember(paths, candidate)))
			.map((methods) => resolve(document, ownMember(methods, method.toLowerCase())))
			.find(isObject)
	);
}

function requestSchemas(document: unknown, { endpoint, within = [] }: RequestPlace): unknown[] {
	const body = resolve(document, ownMember(operationOf(document, endpoint), 'requestBody'));
	const content = ownMember(body, 'content');
	const types = Object.keys(isObject(content) ? content : {});
	const type = types.find((name) => name.includes('json')) ?? types.at(0);
	if (type === undefined) return [];
	let schemas: unknown[] = [ownMember(ownMember(content, type), 'schema')];
	for (const name of within) {
		schemas = shapeOf(document, schemas).properties.get(name) ?? [];
		const { items } = shapeOf(document, schemas);
		if (items !== undefined) schemas = [items];
	}
	return schemas;
}

/** Returns the fields that a parsed document names for a request. */
export const requestFields = (document: unknown, place: RequestPlace): TenantField[] =>
	fieldsIn(document, requestSchemas(document, place));

async function parse(text: string): Promise<unknown> {
	// Loaded only here, so that n8n does not load a parser at its start. Only these parts of it come with the package.
	const { CORE_SCHEMA, load, mergeTag } = await import('js-yaml');
	// YAML 1.2, with the merge key `<<` of YAML 1.1. If a key occurs twice, the last value wins, as in JSON.
	return load(text, { schema: CORE_SCHEMA.withTags(mergeTag), json: true });
}

/** The fields of each request, or why there are none. The text continues "…, since ". */
type Description = Map<Endpoint, TenantField[]> | string;

/** In characters. The parser of YAML holds up all that this process does. */
const LARGEST = 2 * 1024 * 1024;

/**
 * Reads a tenant's description: YAML in text, or an object of JSON.
 *
 * @returns the fields of each place; or why not, if the text is too large or not OpenAPI
 */
export async function readDescription(
	description: unknown,
	places: readonly RequestPlace[],
): Promise<Description> {
	const isText = typeof description === 'string';
	if ((isText ? description : JSON.stringify(description)).length > LARGEST)
		return 'its description is larger than 2 MB';
	const document = isText ? await parse(description).catch(() => undefined) : description;
	if (!isObject(ownMember(document, 'paths'))) return 'its description is not OpenAPI in YAML or JSON';
	return new Map(places.map((place) => [place.endpoint, requestFields(document, place)]));
}

/** Members of a field that a form shows and that matches no records. */
export const SHOWN = { defaultMatch: false, canBeUsedToMatch: false, display: true } as const;

/** Names that break n8n's path to a value, or that JavaScript treats specially. */
const UNUSABLE_NAME = /^$|^=|["'`\\[\]\p{Cc}]|^(__proto__|constructor|prototype)$/u;

const JSON_TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'] satisfies ValueType[];

function valueTypeOf({ types, properties, items, format }: Shape): ValueType | undefined {
	const named = JSON_TYPES.filter((type) => types.has(type) && !(type === 'integer' && types.has('number')));
	if (named.length > 1) return undefined;
	if (named[0] === 'string' && (format === 'date' || format === 'date-time')) return format;
	if (named.length > 0) return named[0];
	if (properties.size > 0) return 'object';
	return items === undefined ? undefined : 'array';
}

function editorTypeOf(valueType: ValueType | undefined): FieldType {
	if (valueType === 'date' || valueType === 'date-time') return 'dateTime';
	return valueType === 'integer' ? 'number' : (valueType ?? 'string');
}

/** Returns the fields that schemas name, required ones first, without read-only ones. */
function fieldsIn(document: unknown, schemas: unknown[]): TenantField[] {
	const { properties, required } = shapeOf(document, schemas);
	return [...properties]
		.filter(([id]) => !UNUSABLE_NAME.test(id))
		.sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)))
		.flatMap(([id, property]) => {
			const shape = shapeOf(document, property);
			if (shape.isReadOnly) return [];
			const valueType = valueTypeOf(shape);
			return {
				id,
				displayName: labelOf(id.replace(/[\s_\-.]+/g, '_')).trim() || id,
				type: editorTypeOf(valueType),
				...(valueType && { valueType, nullable: shape.types.has('null') }),
				required: required.has(id),
				...SHOWN,
			};
		});
}

/** Returns the members of a record as fields with the types of their values. */
export function recordFields(record: object): TenantField[] {
	const properties = Object.entries(record).map(([name, value]: [string, unknown]) => {
		// `null` may stand for a value of any type.
		const type = Array.isArray(value) ? 'array' : typeof value;
		return [name, value === null ? {} : { type: [type, 'null'] }];
	});
	return fieldsIn(undefined, [{ properties: Object.fromEntries(properties) as object }]);
}

const KEPT_MS = 5 * 60_000;

/** Time for which a failed reading is kept. It is long enough for all requests that one opened node makes. */
const PROBLEM_KEPT_MS = 10_000;

const memory = new ProcessMemory<Promise<Description>>('descriptions', KEPT_MS);

/** Returns the described fields of a request, or why there are none. Of the description, the fields of all places are kept. */
export async function describedFields(
	context: EditorContext,
	endpoint: Endpoint,
	places: readonly RequestPlace[],
): Promise<TenantField[] | string> {
	const unreadable = (error: Error) =>
		`its description cannot be read: ${nodeErrorOf(context, error).message}`;
	const read = async () => {
		const headers = { Accept: 'text/yaml, application/yaml, application/json, */*;q=0.5' };
		const { content } = await context.api.send({ url: '/support/openapi', headers });
		return await readDescription(content, places);
	};
	const reading = async () => {
		const { tenantKey } = await context.api.settings;
		const known = memory.get(tenantKey);
		if (known) return await known;
		const kept = memory.set(tenantKey, read().catch(unreadable));
		const found = await kept;
		if (typeof found === 'string') memory.set(tenantKey, kept, PROBLEM_KEPT_MS);
		return found;
	};
	const found = await reading().catch(unreadable);
	return typeof found === 'string' ? found : (found.get(endpoint) ?? []);
}
