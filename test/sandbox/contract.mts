import AjvCompiler from '@fastify/ajv-compiler';
import { loadContract } from '../../sandbox/contract.mts';
import { AJV_OPTIONS } from '../../sandbox/validation.mts';
import type { Answer } from './tenantClient.mts';

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

let loaded: Contract | undefined;

/** The contract, references followed. */
function contract(): Contract {
	const root = loadContract() as Record<string, unknown>;
	return (loaded ??= dereference(root, root) as Contract);
}

let known: ContractOperation[] | undefined;

/** All operations of the contract. */
export function operations(): ContractOperation[] {
	if (known) return known;
	known = Object.entries(contract().paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({
			...operation,
			parameters: operation.parameters ?? [],
			method: method.toUpperCase(),
			path,
		})),
	);
	return known;
}

const compile = AjvCompiler()({}, { customOptions: AJV_OPTIONS });
const validators = new WeakMap<Schema, ReturnType<typeof compile>>();

function validatorOf(schema: Schema): ReturnType<typeof compile> {
	const known = validators.get(schema);
	if (known) return known;
	const validate = compile({ schema, method: '', url: '', httpPart: 'body' });
	validators.set(schema, validate);
	return validate;
}

/** What is wrong with the examples of a schema and of all that is in it, with the way to them. */
export function wrongExamples(at: unknown = contract().components.schemas, way = 'schemas'): string[] {
	if (typeof at !== 'object' || at === null) return [];
	const { examples = [] } = at as Schema;
	// A member may be called so too.
	const validate = Array.isArray(examples) && examples.length > 0 ? validatorOf(at) : undefined;
	const wrong = validate ? examples.filter((example) => validate(example) !== true) : [];
	return [
		...wrong.map((example) => `${way}: ${JSON.stringify(example)}`),
		...Object.entries(at).flatMap(([name, part]) => wrongExamples(part, `${way}.${name}`)),
	];
}

/** What is wrong with an answer according to the contract; undefined when nothing is. */
export function contractBreach(operation: ContractOperation, answer: Answer): string | undefined {
	const response = operation.responses[String(answer.status)];
	if (!response) return `status ${answer.status} is not in the contract`;
	const type = answer.headers['content-type']?.split(';')[0] ?? '';
	const content = response.content?.[type];
	if (!content) return `content type ${type} is not in the contract for status ${answer.status}`;
	if (type !== 'application/json') return undefined;
	const validate = validatorOf(content.schema);
	return validate(answer.body) === true ? undefined : JSON.stringify(validate.errors);
}
