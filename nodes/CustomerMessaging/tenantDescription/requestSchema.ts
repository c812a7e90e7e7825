import type { Endpoint } from '../contract/endpoints';
import { isObject, ownMember } from '../values/json';
import { TooLarge } from './descriptionProblem';
import type { SchemaReader } from './schemaReader';

/** The location of a request's fields in a description. */
export interface RequestPlace {
	/** The endpoint of the interface. The description may use other names for its `{…}` path parameters. */
	endpoint: Endpoint;
	/**
	 * Names of the members that lead to the fields, also through arrays. Without it, the fields are members of the body.
	 */
	within?: readonly string[];
}

/** Content types of a body, in order of preference. */
const CONTENT_TYPES = [/^application\/json\b/, /json/, /^multipart\//, /./];

/** Maximum number of paths that are searched. The interface has about seventy. */
const MAX_PATHS = 10_000;

/** Maximum length of a path that is searched. */
const MAX_PATH_LENGTH = 200;

/** Maximum number of content types of one body. */
const MAX_TYPES = 100;

/** Makes a pattern that matches a path of the interface after any prefix. */
function patternOf(path: string): RegExp {
	return new RegExp(`^.*${path.replace(/\{\w+\}/g, '\\{[^/]+\\}')}/?$`);
}

function operationOf(reader: SchemaReader, { endpoint }: RequestPlace): unknown {
	const [method, path] = endpoint.split(' ');
	const paths = ownMember(reader.document, 'paths');
	const pattern = patternOf(path);
	const named = Object.keys(isObject(paths) ? paths : {});
	if (named.length > MAX_PATHS) throw new TooLarge('has more than 10,000 paths');
	const found = named
		.filter((candidate) => candidate.length <= MAX_PATH_LENGTH && pattern.test(candidate))
		// The shortest prefix is the interface itself. A longer one may repeat its paths.
		.sort((a, b) => a.length - b.length);
	for (const candidate of found) {
		const operation = reader.resolved(
			ownMember(reader.resolved(ownMember(paths, candidate)), method.toLowerCase()),
		);
		if (isObject(operation)) return operation;
	}
	return undefined;
}

/**
 * Returns the schemas that hold the fields of a request.
 *
 * It accepts any path prefix, because a description may put any part of the address into `servers`.
 *
 * @returns an empty list if the description does not contain the request or its body
 */
export async function requestSchemas(reader: SchemaReader, place: RequestPlace): Promise<unknown[]> {
	const body = reader.resolved(ownMember(operationOf(reader, place), 'requestBody'));
	const content = ownMember(body, 'content');
	const types = Object.keys(isObject(content) ? content : {}).slice(0, MAX_TYPES);
	for (const pattern of CONTENT_TYPES) {
		const type = types.find((name) => pattern.test(name.toLowerCase()));
		if (type === undefined) continue;
		let schemas: unknown[] = [ownMember(ownMember(content, type), 'schema')];
		for (const name of place.within ?? []) {
			schemas = (await reader.shapeOf(schemas)).properties.get(name) ?? [];
			const { items } = await reader.shapeOf(schemas);
			if (items !== undefined) schemas = [items];
		}
		return schemas;
	}
	return [];
}
