import type { FieldType } from 'n8n-workflow';

import type { EditorContext } from '../api/client';
import { nodeErrorOf } from '../api/errors';
import type { Endpoint } from '../contract/endpoints';
import { isFormat, type JsonType, type TenantField } from '../fields/mapping';
import { ProcessMemory } from '../n8nInternals/processMemory';
import { isObject, ownMember } from '../values/json';

/** The combined content of a schema's parts. */
class Shape {
	readonly properties = new Map<string, unknown[]>();
	readonly required = new Set<unknown>();
	/** JSON types. They include `null` if the value may be null. */
	readonly types = new Set<unknown>();
	items: unknown;
	format: unknown;
	isReadOnly = false;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads the JSON Schemas of one OpenAPI description, with their references and compositions. */
class SchemaReader {
	constructor(readonly document: unknown) {}

	/** Follows the references of a value; undefined if they are broken, circular or point outside the document. */
	resolved(value: unknown): unknown {
		const seen = new Set<string>();
		let at = value;
		for (;;) {
			const reference = ownMember(at, '$ref');
			if (typeof reference !== 'string') return at;
			at = seen.has(reference) ? undefined : this.referred(reference);
			seen.add(reference);
		}
	}

	/** Returns the combined content of schemas. It reads each once, so a recursive one ends. */
	shapeOf(schemas: unknown[]): Shape {
		const shape = new Shape();
		const seen = new Set<unknown>();
		// The array grows during the loop: the parts of a schema are added at its end.
		const parts = schemas.map((schema) => ({ schema, isAlternative: false }));
		for (const { schema, isAlternative } of parts) {
			if (!isObject(schema) || seen.has(schema)) continue;
			seen.add(schema);
			this.add(shape, schema, isAlternative);
			const reference = ownMember(schema, '$ref');
			if (typeof reference === 'string') parts.push({ schema: this.referred(reference), isAlternative });
			for (const part of listOf(ownMember(schema, 'allOf'))) parts.push({ schema: part, isAlternative });
			for (const name of ['oneOf', 'anyOf'])
				for (const part of listOf(ownMember(schema, name))) parts.push({ schema: part, isAlternative: true });
		}
		return shape;
	}

	/** Adds the content of one part. The properties of an alternative are never required. */
	private add(shape: Shape, schema: object, isAlternative: boolean): void {
		const properties = ownMember(schema, 'properties');
		for (const [name, property] of Object.entries(isObject(properties) ? properties : {}))
			shape.properties.set(name, [...(shape.properties.get(name) ?? []), property]);
		if (!isAlternative) for (const name of listOf(ownMember(schema, 'required'))) shape.required.add(name);
		for (const type of [ownMember(schema, 'type')].flat()) shape.types.add(type);
		if (ownMember(schema, 'nullable') === true) shape.types.add('null');
		shape.format ??= ownMember(schema, 'format');
		shape.items ??= ownMember(schema, 'items');
		shape.isReadOnly ||= ownMember(schema, 'readOnly') === true;
	}

	private referred(reference: string): unknown {
		if (!reference.startsWith('#/')) return undefined;
		const names = reference.slice('#/'.length).split('/');
		return names
			.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
			.reduce<unknown>((at, name) => ownMember(at, name), this.document);
	}
}

export interface RequestPlace {
	/** The endpoint of the interface. The description may use other names for its `{…}` path parameters. */
	endpoint: Endpoint;
	/** Names of the members that lead to the fields, also through arrays; by default, they are members of the body. */
	within?: readonly string[];
}

/** Returns a request in the description, below any prefix, since any part of the address may stand in `servers`. */
function operationOf(reader: SchemaReader, { endpoint }: RequestPlace): unknown {
	const [method, path] = endpoint.split(' ');
	const paths = ownMember(reader.document, 'paths');
	const pattern = new RegExp(`^.*${path.replace(/\{\w+\}/g, '\\{[^/]+\\}')}/?$`);
	const found = Object.keys(isObject(paths) ? paths : {})
		.filter((candidate) => pattern.test(candidate))
		// The shortest prefix is the interface itself. A longer one may repeat its paths.
		.sort((a, b) => a.length - b.length);
	return found
		.map((candidate) => reader.resolved(ownMember(paths, candidate)))
		.map((methods) => reader.resolved(ownMember(methods, method.toLowerCase())))
		.find(isObject);
}

function requestSchemas(reader: SchemaReader, place: RequestPlace): unknown[] {
	const body = reader.resolved(ownMember(operationOf(reader, place), 'requestBody'));
	const content = ownMember(body, 'content');
	const types = Object.keys(isObject(content) ? content : {});
	const type = types.find((name) => name.includes('json')) ?? types.at(0);
	if (type === undefined) return [];
	let schemas: unknown[] = [ownMember(ownMember(content, type), 'schema')];
	for (const name of place.within ?? []) {
		schemas = reader.shapeOf(schemas).properties.get(name) ?? [];
		const { items } = reader.shapeOf(schemas);
		if (items !== undefined) schemas = [items];
	}
	return schemas;
}

/** Returns the fields that a parsed document names for a request. */
export function requestFields(document: unknown, place: RequestPlace): TenantField[] {
	const reader = new SchemaReader(document);
	return fieldsIn(reader, requestSchemas(reader, place));
}

async function parsed(text: string): Promise<unknown> {
	// Loaded only here, so that n8n does not load a parser at its start.
	const { CORE_SCHEMA, load, mergeTag } = await import('./yaml');
	// YAML 1.2, with the merge key `<<` of YAML 1.1. If a key occurs twice, the last value wins, as in JSON.
	return load(text, { schema: CORE_SCHEMA.withTags(mergeTag), json: true });
}

/**
 * Reads a tenant's description: YAML in text, or an object of JSON.
 *
 * @returns the fields of each place; or a problem, if the text is not OpenAPI
 */
export async function readDescription(
	description: unknown,
	places: readonly RequestPlace[],
): Promise<Map<Endpoint, TenantField[]> | Problem> {
	const isText = typeof description === 'string';
	const document = isText ? await parsed(description).catch(() => undefined) : description;
	if (!isObject(ownMember(document, 'paths'))) return problem('is not OpenAPI in YAML or JSON');
	return new Map(places.map((place) => [place.endpoint, requestFields(document, place)]));
}

/** The reason why the tenant's fields are missing. The text continues "…, since ". */
export interface Problem {
	problem: string;
}

export const problem = (words: string): Problem => ({ problem: `its description ${words}` });

/** Members of a field that a form shows and that matches no records. */
export const SHOWN = { defaultMatch: false, canBeUsedToMatch: false, display: true } as const;

/** Names that break n8n's path to a value, or that JavaScript treats specially. */
const UNUSABLE_NAME = /^$|^=|["'`\\[\]\p{Cc}]|^(__proto__|constructor|prototype)$/u;

/** Turns `loyalty_tier` and `loyaltyTier` into "Loyalty Tier". */
const readable = (name: string) =>
	name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/[_\-.]+/g, ' ')
		.trim()
		.replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase());

const JSON_TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'] satisfies JsonType[];

function jsonTypeOf({ types, properties, items }: Shape): JsonType | undefined {
	const named = new Set<JsonType>(JSON_TYPES.filter((type) => types.has(type)));
	if (named.size === 0) {
		if (properties.size > 0) return 'object';
		return items === undefined ? undefined : 'array';
	}
	if (named.has('number')) named.delete('integer');
	return named.size === 1 ? [...named][0] : undefined;
}

function editorTypeOf(jsonType: JsonType | undefined, format: unknown): FieldType {
	if (jsonType === 'string' && (format === 'date' || format === 'date-time')) return 'dateTime';
	return jsonType === 'integer' ? 'number' : (jsonType ?? 'string');
}

function fieldOf(reader: SchemaReader, id: string, shape: Shape, required: boolean): TenantField {
	const { format, types, items } = shape;
	const jsonType = jsonTypeOf(shape);
	const itemType = jsonType === 'array' ? jsonTypeOf(reader.shapeOf([items])) : undefined;
	return {
		id,
		displayName: readable(id) || id,
		type: editorTypeOf(jsonType, format),
		...(jsonType && { jsonType, nullable: types.has('null') }),
		...(itemType && { itemType }),
		...(jsonType === 'string' && isFormat(format) && { format }),
		required,
		...SHOWN,
	};
}

/** Returns the fields that schemas name, required ones first, without read-only ones. */
export function fieldsIn(reader: SchemaReader, schemas: unknown[]): TenantField[] {
	const { properties, required } = reader.shapeOf(schemas);
	return [...properties]
		.filter(([name]) => !UNUSABLE_NAME.test(name))
		.sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)))
		.flatMap(([name, property]) => {
			const shape = reader.shapeOf(property);
			return shape.isReadOnly ? [] : fieldOf(reader, name, shape, required.has(name));
		});
}

/** Returns the members of a record as fields with the types of their values. */
export function recordFields(record: object): TenantField[] {
	const properties = Object.entries(record).map(([name, value]: [string, unknown]) => {
		// `null` may stand for a value of any type.
		const type = Array.isArray(value) ? 'array' : typeof value;
		return [name, value === null ? {} : { type: [type, 'null'] }];
	});
	const schema = { properties: Object.fromEntries(properties) as object };
	return fieldsIn(new SchemaReader(schema), [schema]);
}

type Reading = Map<Endpoint, TenantField[]> | Problem;

const KEPT_MS = 5 * 60_000;

/** Time for which a failed reading is kept. It is long enough for all requests that one opened node makes. */
const PROBLEM_KEPT_MS = 10_000;

const memory = new ProcessMemory<Promise<Reading>>('descriptions', KEPT_MS);

async function read(context: EditorContext, places: readonly RequestPlace[]): Promise<Reading> {
	try {
		const headers = { Accept: 'text/yaml, application/yaml, application/json, */*;q=0.5' };
		const found = await context.api.send({ url: '/support/openapi', headers });
		return await readDescription(found, places);
	} catch (error) {
		return problem(`cannot be read: ${nodeErrorOf(context, error).message}`);
	}
}

/** Reads the description once in five minutes, or sooner after a problem. */
async function reading(context: EditorContext, places: readonly RequestPlace[]): Promise<Reading> {
	const { tenantKey } = await context.api.settings();
	const known = memory.get(tenantKey);
	if (known) return await known;
	const kept = memory.set(tenantKey, read(context, places));
	const found = await kept;
	if ('problem' in found) memory.set(tenantKey, kept, PROBLEM_KEPT_MS);
	return found;
}

/** Returns the described fields of a request, or why it cannot. Only the fields of all these places are kept. */
export async function describedFields(
	context: EditorContext,
	endpoint: Endpoint,
	places: readonly RequestPlace[],
): Promise<TenantField[] | Problem> {
	const found = await reading(context, places).catch((error: Error) =>
		problem(`cannot be read: ${error.message}`),
	);
	return 'problem' in found ? found : (found.get(endpoint) ?? []);
}
