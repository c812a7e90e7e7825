import { readFileSync } from 'node:fs';
import path from 'node:path';

import { load } from 'js-yaml';

/** A schema of the contract, as far as the tests read it. */
export interface Schema {
	$ref?: string;
	type?: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	allOf?: Schema[];
	anyOf?: Schema[];
	oneOf?: Schema[];
	[keyword: string]: unknown;
}

interface Parameter {
	$ref?: string;
	name: string;
	in: string;
	schema: Schema;
}

interface ContractOperation {
	operationId: string;
	tags: string[];
	parameters?: Parameter[];
	requestBody?: { $ref?: string; content: Record<string, { schema: Schema }> };
	responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
}

interface Contract {
	paths: Record<string, Record<string, ContractOperation>>;
	components: Record<string, Record<string, unknown>>;
}

const contract = load(
	readFileSync(path.resolve(import.meta.dirname, '../../sandbox/openapi.yaml'), 'utf8'),
) as Contract;

/** What a local reference points at, or the thing itself. */
export function resolved<T extends { $ref?: string }>(thing: T): T {
	if (thing.$ref === undefined) return thing;
	const [, , section, name] = thing.$ref.split('/');
	return resolved(contract.components[section][name] as T);
}

/** Every member that a schema shows, as "customers[].profile.email". */
function fieldsOf(schema: Schema, prefix = ''): string[] {
	const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = resolved(schema);
	const own = Object.entries(properties).flatMap(([name, member]) => {
		const field = prefix ? `${prefix}.${name}` : name;
		const inner = fieldsOf(member, field);
		return inner.length > 0 ? inner : [field];
	});
	const elements = items ? fieldsOf(items, `${prefix}[]`) : [];
	return [...own, ...elements, ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => fieldsOf(part, prefix))];
}

/** Every member that a value has, at every level, in the same notation. */
export function fieldsIn(value: unknown, prefix = ''): string[] {
	const own = prefix ? [prefix] : [];
	if (Array.isArray(value)) return [...own, ...value.flatMap((element) => fieldsIn(element, `${prefix}[]`))];
	if (typeof value !== 'object' || value === null) return own;
	const members = Object.entries(value);
	return [
		...own,
		...members.flatMap(([name, member]) => fieldsIn(member, prefix ? `${prefix}.${name}` : name)),
	];
}

/** One endpoint of the contract. */
export interface Endpoint {
	operationId: string;
	resource: string;
	method: string;
	path: string;
	pattern: RegExp;
	/** Schemas of the query parameters, by their names. */
	query: Record<string, Schema>;
	/** Query parameters and body members that a client can send. */
	fields: string[];
	/** Schema of the answer with status 200, if it is JSON. */
	answer: Schema | undefined;
	/** What the answer wraps in `data`; undefined if it is bare. */
	data: Schema | undefined;
	/** Whether the answer is a list, and one that comes page by page. */
	list: 'paged' | 'whole' | undefined;
}

function dataOf(answer: Schema): Schema | undefined {
	const { properties, allOf = [] } = resolved(answer);
	const data = properties?.data ?? allOf.map(dataOf).find((one) => one !== undefined);
	return data && resolved(data);
}

function listOf(answer: Schema): Endpoint['list'] {
	const { type, maxItems } = dataOf(answer) ?? {};
	if (type !== 'array' || maxItems === 0) return undefined;
	return resolved(answer).allOf?.some(({ $ref }) => $ref?.endsWith('/PaginatedEnvelope')) ? 'paged' : 'whole';
}

/** All endpoints; those with a fixed path come before those with parameters. */
export const endpoints: Endpoint[] = Object.entries(contract.paths)
	.flatMap(([template, operations]) =>
		Object.entries(operations)
			.filter(([method]) => ['get', 'post', 'patch', 'put', 'delete'].includes(method))
			.map(([method, { operationId, tags, parameters = [], requestBody, responses }]) => {
				const query = parameters.map(resolved).filter((parameter) => parameter.in === 'query');
				const answer = resolved(responses['200']).content?.['application/json']?.schema;
				const bodies = requestBody ? Object.values(resolved(requestBody).content) : [];
				return {
					operationId,
					resource: tags[0],
					method: method.toUpperCase(),
					path: template,
					pattern: new RegExp(`^/third-party/v1${template.replace(/\{\w+\}/g, '[^/]+')}$`),
					query: Object.fromEntries(query.map(({ name, schema }) => [name, resolved(schema)])),
					fields: [
						...query.map(({ name }) => `?${name}`),
						...new Set(bodies.flatMap(({ schema }) => fieldsOf(schema))),
					],
					answer,
					data: answer && dataOf(answer),
					list: answer && listOf(answer),
				};
			}),
	)
	.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

/** The endpoint that a request went to. */
export function endpointOf(method: string, requestPath: string): Endpoint | undefined {
	return endpoints.find((endpoint) => endpoint.method === method && endpoint.pattern.test(requestPath));
}
