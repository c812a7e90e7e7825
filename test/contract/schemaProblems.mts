import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import Ajv, { type AnySchema, type ValidateFunction } from 'ajv';

import { nodeDescription } from '../description/nodeDescription.mts';
import type { SentRequest } from '../engine/tenant.mts';
import { endpointOf, resolved, type Schema } from './contract.mts';
import type { Reached } from './runCase.mts';

const PROJECT = path.resolve(import.meta.dirname, '../..');

interface OutputSchema {
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

interface CompiledSchema {
	schema: OutputSchema;
	/** From the root of the project. */
	file: string;
	isValid: ValidateFunction;
}

const ajv = new Ajv({ allErrors: true, strict: false });
const compiled = new Map<string, CompiledSchema>();

/**
 * The schema that the editor is given for an operation, out of the compiled package.
 *
 * @throws Error that names the file, when there is none
 */
function schemaOf(resource: string, operation: string): CompiledSchema {
	const file = `dist/nodes/CustomerMessaging/__schema__/v1.0.0/${resource}/${operation}.json`;
	const known = compiled.get(file);
	if (known) return known;
	const absolute = path.join(PROJECT, file);
	if (!existsSync(absolute)) throw new Error(`${file} is missing; run npm run generate and npm run build`);
	const schema = JSON.parse(readFileSync(absolute, 'utf8')) as OutputSchema;
	const made = { schema, file, isValid: ajv.compile(schema as AnySchema) };
	compiled.set(file, made);
	return made;
}

/** Members of a value that a schema does not name. What it says nothing about inside may be anything. */
function unnamed(value: unknown, schema: OutputSchema, prefix = ''): string[] {
	if (Array.isArray(value)) {
		const { items } = schema;
		return items ? value.flatMap((element) => unnamed(element, items, `${prefix}[]`)) : [];
	}
	if (typeof value !== 'object' || value === null || !schema.properties) return [];
	const { properties } = schema;
	return Object.entries(value).flatMap(([name, member]) => {
		const field = prefix ? `${prefix}.${name}` : name;
		return name in properties ? unnamed(member, properties[name], field) : [field];
	});
}

/** Members of a value whose type is another than the schema says; null is a type. */
function mistyped(value: unknown, isValid: ValidateFunction): string[] {
	if (isValid(value)) return [];
	return (isValid.errors ?? []).map(({ instancePath, message }) => {
		const names = instancePath.split('/').slice(1);
		const given = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], value);
		const field = names.map((name) => (/^\d+$/.test(name) ? '[]' : `.${name}`)).join('');
		return `${field.replace(/^\./, '')} ${String(message)}${given === null ? ', and is null' : ''}`;
	});
}

/** Names of all members that a schema of the contract shows, at every level. */
function namesIn(schema: Schema): string[] {
	const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = resolved(schema);
	const parts = [...Object.values(properties), ...(items ? [items] : []), ...allOf, ...anyOf, ...oneOf];
	return [...Object.keys(properties), ...parts.flatMap(namesIn)];
}

/** Names of all members that the interface shows for the answers to these requests. */
const shownFor = (requests: SentRequest[]) =>
	new Set(
		requests.flatMap(({ method, path: requestPath }) => {
			const { answer } = endpointOf(method, requestPath) ?? {};
			return answer ? namesIn(answer) : [];
		}),
	);

/** Whether the node itself says which members an operation keeps. */
export async function hasSimplified(resource: string, operation: string): Promise<boolean> {
	return (await nodeDescription()).properties.some(
		({ name, displayOptions: { show } = {} }) =>
			name === 'simple' && show?.resource?.includes(resource) && show.operation?.includes(operation),
	);
}

/**
 * What is wrong with the items of a case.
 *
 * @param isSimplified whether the node itself has chosen which members they have
 */
export function schemaProblems({ case: one, output, requests }: Reached, isSimplified: boolean): string[] {
	const { schema, file, isValid } = schemaOf(one.resource, one.operation);
	const shown = shownFor(requests);
	// Records may have members that the interface does not show: only what the node or the interface names is missed.
	const isNamed = (field: string) => isSimplified || shown.has(field.split('.').at(-1) ?? field);
	const problems = output.flatMap(({ json }) => [
		...mistyped(json, isValid),
		...unnamed(json, schema)
			.filter(isNamed)
			.map((field) => `${field} is not in the schema`),
	]);
	return [...new Set(problems)].map((problem) => `${file}: ${problem}`);
}
