import type { FieldType } from 'n8n-workflow';

import type { EditorContext } from '../api/client';
import { nodeErrorOf } from '../api/errors';
import type { Endpoint } from '../contract/endpoints';
import type { TenantField, ValueType } from '../fields/mapping';
import { ProcessMemory } from '../n8nInternals/processMemory';
import { isObject, ownMember } from '../values/json';
import { labelOf } from '../values/field';
import { stringOf } from '../values/text';

/** The combined content of a schema's parts. */
interface Shape {
	properties: Map<string, unknown[]>;
	/** JSON types. They include `null` if the value may be null. */
	types: Set<unknown>;
	items?: unknown;
	format?: unknown;
	isReadOnly: boolean;
}

/** Returns what a reference in a document means; undefined if it leads to nothing, or out of the document. */
function lookUp(document: unknown, reference: string): unknown {
	if (!reference.startsWith('#/')) return undefined;
	const names = reference.slice('#/'.length).split('/');
	return names
		.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
		.reduce<unknown>((at, name) => ownMember(at, name), document);
}

/** Follows the references of a value; undefined if they are broken or circular. */
function resolve(document: unknown, value: unknown, left = 10): unknown {
	const reference = ownMember(value, '$ref');
	if (typeof reference !== 'string') return value;
	return left > 0 ? resolve(document, lookUp(document, reference), left - 1) : undefined;
}

/** Combines the content of schemas, of their parts and of what they refer to. It reads each once, so a recursive one ends. */
function shapeOf(document: unknown, schemas: unknown[]): Shape {
	const shape: Shape = { properties: new Map(), types: new Set(), isReadOnly: false };
	const seen = new Set<unknown>();
	// The array grows during the loop: the parts of a schema are added at its end.
	const parts = [...schemas];
	for (const schema of parts) {
		if (!isObject(schema) || seen.has(schema)) continue;
		seen.add(schema);
		const {
			$ref: reference,
			allOf,
			oneOf,
			anyOf,
			properties,
			type,
			nullable,
			format,
			items,
			readOnly,
		} = schema;
		for (const [name, property] of Object.entries(isObject(properties) ? properties : {}))
			shape.properties.set(name, [...(shape.properties.get(name) ?? []), property]);
		for (const one of [type].flat()) shape.types.add(one);
		if (nullable === true) shape.types.add('null');
		shape.format ??= format;
		shape.items ??= items;
		shape.isReadOnly ||= readOnly === true;
		parts.push(lookUp(document, stringOf(reference)), ...[allOf, oneOf, anyOf].flat());
	}
	return shape;
}

/**
 * Returns a request in a document, below any prefix, since any part of the address may stand in `servers`, and with any names of the
 * `{…}` path parameters.
 */
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
			.map((methods) => ownMember(methods, method.toLowerCase()))
			.find(isObject)
	);
}

/**
 * Returns the fields that a parsed document names for a request.
 *
 * @param within names of the members that lead to the fields, also through arrays; by default, they are members of the body
 */
export function requestFields(document: unknown, endpoint: Endpoint, within: string[] = []): TenantField[] {
	const body = resolve(document, ownMember(operationOf(document, endpoint), 'requestBody'));
	const content = ownMember(body, 'content');
	const types = Object.keys(isObject(content) ? content : {});
	const type = types.find((name) => name.includes('json')) ?? types.at(0) ?? '';
	let schemas: unknown[] = [ownMember(ownMember(content, type), 'schema')];
	for (const name of within) {
		schemas = shapeOf(document, schemas).properties.get(name) ?? [];
		const { items } = shapeOf(document, schemas);
		if (items !== undefined) schemas = [items];
	}
	return fieldsIn(document, schemas);
}

async function parse(text: string): Promise<unknown> {
	// Loaded only here, so that n8n does not load a parser at its start. Only these parts of it come with the package.
	const { CORE_SCHEMA, load, mergeTag } = await import('js-yaml');
	// YAML 1.2, with the merge key `<<` of YAML 1.1. If a key occurs twice, the last value wins, as in JSON.
	return load(text, { schema: CORE_SCHEMA.withTags(mergeTag), json: true });
}

/** In characters. The parser of YAML holds up all that this process does. */
const LARGEST = 2 * 1024 * 1024;

/** Returns a tenant's description, which is YAML in text or an object of JSON, as an object; or why not. That continues "…, since ". */
export async function readDescription(description: unknown): Promise<object | string> {
	const isText = typeof description === 'string';
	if (isText && description.length > LARGEST) return 'its description is larger than 2 MB';
	const document = isText ? await parse(description).catch(() => undefined) : description;
	const isOpenApi = isObject(document) && isObject(document.paths);
	return isOpenApi ? document : 'its description is not OpenAPI in YAML or JSON';
}

/** Members of a field that a form shows and does not require, and that matches no records. */
export const SHOWN = { defaultMatch: false, canBeUsedToMatch: false, display: true, required: false };

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

/** Returns the fields that schemas name, without read-only ones. */
function fieldsIn(document: unknown, schemas: unknown[]): TenantField[] {
	return [...shapeOf(document, schemas).properties]
		.filter(([id]) => !UNUSABLE_NAME.test(id))
		.flatMap(([id, property]) => {
			const shape = shapeOf(document, property);
			if (shape.isReadOnly) return [];
			const valueType = valueTypeOf(shape);
			return {
				id,
				displayName: labelOf(id.replace(/[\s_\-.]+/g, '_')).trim() || id,
				type: editorTypeOf(valueType),
				...(valueType && { valueType, nullable: shape.types.has('null') }),
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

/** By tenant and token. */
const memory = new ProcessMemory<Promise<object | string>>(5 * 60_000);

const REQUEST = {
	url: '/support/openapi',
	headers: { Accept: 'text/yaml, application/yaml, application/json, */*;q=0.5' },
};

/** Returns the described fields of a request, see `requestFields`; or why there are none. That continues "…, since ". */
export async function describedFields(
	context: EditorContext,
	...place: [endpoint: Endpoint, within?: string[]]
): Promise<TenantField[] | string> {
	const { api } = context;
	const read = async () => await readDescription((await api.send(REQUEST)).content);
	try {
		const { tenantKey } = await api.settings;
		const reading = memory.get(tenantKey) ?? memory.set(tenantKey, read());
		reading.catch(() => memory.delete(tenantKey));
		const found = await reading;
		return typeof found === 'string' ? found : requestFields(found, ...place);
	} catch (error) {
		return `its description cannot be read: ${nodeErrorOf(context, error).message}`;
	}
}
