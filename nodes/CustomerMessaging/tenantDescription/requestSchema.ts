import type { Endpoint } from '../contract/endpoints';
import { isObject, ownMember } from '../values/json';
import type { SchemaReader } from './schemaReader';

/** Where the fields of a request stand in a description. */
export interface RequestPlace {
	/** As the interface writes it; the names of its `{…}` places may be others in the description. */
	endpoint: Endpoint;
	/** Members that lead to the fields, through arrays too; none where they are the body's own. */
	within?: readonly string[];
}

/** The kinds of content a body is described for, the best first. */
const CONTENT_TYPES = [/^application\/json\b/, /json/, /^multipart\//, /./];

/** Paths of a description; the interface has some seventy. */
const MAX_PATHS = 10_000;

/** Matches a path of the interface behind any prefix. */
function patternOf(path: string): RegExp {
	return new RegExp(`^.*${path.replace(/\{\w+\}/g, '\\{[^/]+\\}')}/?$`);
}

function operationOf(reader: SchemaReader, { endpoint }: RequestPlace): unknown {
	const [method, path] = endpoint.split(' ');
	const paths = ownMember(reader.document, 'paths');
	const pattern = patternOf(path);
	const found = Object.keys(isObject(paths) ? paths : {})
		.slice(0, MAX_PATHS)
		.filter((candidate) => pattern.test(candidate))
		// The shortest prefix: the interface itself rather than something that repeats its paths.
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
 * The schemas that hold the fields of a request.
 *
 * Paths are found behind any prefix, since it is a description's choice what of the address it puts into `servers`.
 *
 * @returns an empty list where the description has no such request or says nothing about its body
 */
export function requestSchemas(reader: SchemaReader, place: RequestPlace): unknown[] {
	const body = reader.resolved(ownMember(operationOf(reader, place), 'requestBody'));
	const content = ownMember(body, 'content');
	const types = Object.keys(isObject(content) ? content : {});
	for (const pattern of CONTENT_TYPES) {
		const type = types.find((name) => pattern.test(name.toLowerCase()));
		if (type === undefined) continue;
		let schemas: unknown[] = [ownMember(ownMember(content, type), 'schema')];
		for (const name of place.within ?? []) {
			schemas = reader.shapeOf(schemas).properties.get(name) ?? [];
			const { items } = reader.shapeOf(schemas);
			if (items !== undefined) schemas = [items];
		}
		return schemas;
	}
	return [];
}
