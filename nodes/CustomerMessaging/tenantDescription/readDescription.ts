import type { Endpoint } from '../contract/endpoints';
import { isObject, ownMember } from '../values/json';
import { MAX_WHOLE, PartsReader, TooLarge } from './partsReader';
import { type DescribedFields, fieldsIn, problem, type Problem } from './requestFields';
import { SchemaReader } from './schemaReader';

export interface RequestPlace {
	/** The endpoint of the interface. The description may use other names for its `{…}` path parameters. */
	endpoint: Endpoint;
	/** Names of the members that lead to the fields, also through arrays; by default, they are members of the body. */
	within?: readonly string[];
}

const CONTENT_TYPES = [/^application\/json\b/, /json/, /^multipart\//, /./];
const MAX_PATHS = 10_000;
const MAX_PATH_LENGTH = 200;
const MAX_TYPES = 100;

/** Returns a request in the description, below any prefix, since any part of the address may stand in `servers`. */
function operationOf(reader: SchemaReader, { endpoint }: RequestPlace): unknown {
	const [method, path] = endpoint.split(' ');
	const paths = ownMember(reader.document, 'paths');
	const pattern = new RegExp(`^.*${path.replace(/\{\w+\}/g, '\\{[^/]+\\}')}/?$`);
	const named = Object.keys(isObject(paths) ? paths : {});
	if (named.length > MAX_PATHS) throw new TooLarge('has more than 10,000 paths');
	const found = named
		.filter((candidate) => candidate.length <= MAX_PATH_LENGTH && pattern.test(candidate))
		// The shortest prefix is the interface itself. A longer one may repeat its paths.
		.sort((a, b) => a.length - b.length);
	for (const candidate of found) {
		const methods = reader.resolved(ownMember(paths, candidate));
		const operation = reader.resolved(ownMember(methods, method.toLowerCase()));
		if (isObject(operation)) return operation;
	}
	return undefined;
}

async function requestSchemas(reader: SchemaReader, place: RequestPlace): Promise<unknown[]> {
	const body = reader.resolved(ownMember(operationOf(reader, place), 'requestBody'));
	const content = ownMember(body, 'content');
	const types = Object.keys(isObject(content) ? content : {}).slice(0, MAX_TYPES);
	const [type] = CONTENT_TYPES.flatMap((pattern) => types.filter((name) => pattern.test(name.toLowerCase())));
	if (type === undefined) return [];
	let schemas: unknown[] = [ownMember(ownMember(content, type), 'schema')];
	for (const name of place.within ?? []) {
		schemas = (await reader.shapeOf(schemas)).properties.get(name) ?? [];
		const { items } = await reader.shapeOf(schemas);
		if (items !== undefined) schemas = [items];
	}
	return schemas;
}

/** Returns the fields that any parsed document names for a request. Fails with `TooLarge` if these have too many parts. */
export async function requestFields(document: unknown, place: RequestPlace): Promise<DescribedFields> {
	const reader = new SchemaReader(document);
	return await fieldsIn(reader, await requestSchemas(reader, place));
}

/** Maximum number of YAML aliases in one part. Some programs write them for what occurs twice. */
const MAX_ALIASES = 10_000;

const ALIASED = 'is longer than 128 kB, and has YAML aliases, which are read only in a shorter one';

async function parsed(text: string): Promise<unknown> {
	// Loaded only here, so that n8n does not load a parser at its start.
	const { CORE_SCHEMA, load, mergeTag, YAMLException } = await import('./yaml');
	// YAML 1.2, with the merge key `<<` of YAML 1.1, which many people still use. If a key occurs twice, the last value
	// wins, as in JSON.
	const options = { schema: CORE_SCHEMA.withTags(mergeTag), json: true, maxAliases: MAX_ALIASES };
	const parse = (part: string) => load(part, options);
	const reading = new PartsReader(text, parse).read();
	return await reading.catch(async (error: unknown) => {
		const isFarAlias = error instanceof YAMLException && error.reason.startsWith('unidentified alias');
		if (!isFarAlias) return await reading;
		// It can only be parsed as a whole.
		return text.length > MAX_WHOLE ? await Promise.reject(new TooLarge(ALIASED)) : parse(text);
	});
}

const problemOf = (error?: unknown) =>
	problem(error instanceof TooLarge ? error.message : 'is not OpenAPI in YAML or JSON');

/**
 * Reads a tenant's description: YAML in text, or an object of JSON.
 *
 * @returns the fields of each place or its problem; or one problem, if the text is not OpenAPI or exceeds a limit
 */
export async function readDescription(
	description: unknown,
	places: readonly RequestPlace[],
): Promise<Map<Endpoint, DescribedFields | Problem> | Problem> {
	try {
		const isText = typeof description === 'string';
		const document = isText ? await parsed(description.replace(/^\uFEFF/, '')) : description;
		if (!isObject(ownMember(document, 'paths'))) return problemOf();
		const found = new Map<Endpoint, DescribedFields | Problem>();
		for (const place of places) {
			const fields = await requestFields(document, place).catch(problemOf);
			found.set(place.endpoint, fields);
		}
		return found;
	} catch (error) {
		return problemOf(error);
	}
}
