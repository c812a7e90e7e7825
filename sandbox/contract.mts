import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

/** Where the contract lies; the sandbox answers GET /support/openapi with this file. */
export const CONTRACT_FILE = join(import.meta.dirname, 'openapi.yaml');

/** The path that every operation is under. */
export const PREFIX = '/third-party/v1';

/** The contract as an object; a fresh one each time, since readers of it change it. */
export const loadContract = (): object => load(readFileSync(CONTRACT_FILE, 'utf8')) as object;

/** A JSON schema, as far as the contract uses it. */
export interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	required?: string[];
	additionalProperties?: boolean | Schema;
	items?: Schema;
	enum?: unknown[];
	format?: string;
	pattern?: string;
	minimum?: number;
	maximum?: number;
	maxItems?: number;
	examples?: unknown[];
	allOf?: Schema[];
	anyOf?: Schema[];
}

export interface Parameter {
	name: string;
	in: 'path' | 'query';
	required?: boolean;
	schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

/** One operation of the contract, references followed. */
export interface ContractOperation {
	operationId: string;
	/** Its resource. */
	tags: string[];
	method: string;
	path: string;
	parameters: Parameter[];
	requestBody?: { content: Content };
	responses: Record<string, { content?: Content }>;
}

/** Replaces every reference of the contract by what it means. The contract has no cycles. */
function dereference(value: unknown, root: Record<string, unknown>): unknown {
	if (Array.isArray(value)) return value.map((item) => dereference(item, root));
	if (typeof value !== 'object' || value === null) return value;
	const { $ref, ...rest } = value as Record<string, unknown>;
	const own = Object.fromEntries(
		Object.entries(rest).map(([name, member]) => [name, dereference(member, root)]),
	);
	if (typeof $ref !== 'string') return own;
	const target = $ref
		.split('/')
		.slice(1)
		.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], root);
	return { ...(dereference(target, root) as object), ...own };
}

interface Contract {
	paths: Record<string, Record<string, Omit<ContractOperation, 'method' | 'path'>>>;
	components: { schemas: Record<string, Schema> };
}

let contract: Contract | undefined;

/** The contract, references followed. */
function read(): Contract {
	if (contract) return contract;
	const root = loadContract() as Record<string, unknown>;
	return (contract = dereference(root, root) as Contract);
}

/** The schemas that the contract names, references followed. */
export const componentSchemas = (): Record<string, Schema> => read().components.schemas;

/** All operations of the contract. */
export const operations = (): ContractOperation[] =>
	Object.entries(read().paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => {
			const { parameters = [] } = operation as Partial<ContractOperation>;
			return { ...operation, parameters, method: method.toUpperCase(), path };
		}),
	);
