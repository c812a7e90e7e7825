import type { Endpoint } from '../contract/endpoints';
import type { TenantField } from '../fields/mapping';
import { isObject, ownMember } from '../values/json';
import { fieldsIn, problem, type Problem } from './requestFields';
import { SchemaReader } from './schemaReader';

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
