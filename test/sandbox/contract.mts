import AjvCompiler from '@fastify/ajv-compiler';
import { componentSchemas, type ContractOperation, type Schema } from '../../sandbox/contract.mts';
import { AJV_OPTIONS } from '../../sandbox/validation.mts';
import type { Answer } from './tenantClient.mts';

export { type ContractOperation, operations, type Parameter, type Schema } from '../../sandbox/contract.mts';

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
export function wrongExamples(at: unknown = componentSchemas(), way = 'schemas'): string[] {
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
