import AjvCompiler from '@fastify/ajv-compiler';
import Ajv, { type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { FieldErrors } from './refusal.mts';
import { stringOf } from './texts.mts';

/** The contract has keywords of OpenAPI that are none of JSON Schema: not strict about them, strict about values. */
export const AJV_OPTIONS = {
	strict: false,
	removeAdditional: false,
	useDefaults: false,
	coerceTypes: false,
	allErrors: true,
	// Errors then have the schema that was broken.
	verbose: true,
} as const;

const build = AjvCompiler();
const compileJson = build({}, { customOptions: AJV_OPTIONS });
const compileText = build({}, { customOptions: { ...AJV_OPTIONS, coerceTypes: 'array' } });

interface Validator {
	(data: unknown): unknown;
	errors?: unknown;
}

/** Compiles a schema when it is first needed: a tenant has hundreds, of which a test or a person meets a few. */
function whenNeeded(compile: () => Validator): Validator {
	let compiled: Validator | undefined;
	const validator: Validator = (data) => {
		compiled ??= compile();
		const result = compiled(data);
		validator.errors = compiled.errors;
		return result;
	};
	return validator;
}

/** What answers are validated with. */
export function answerValidation(): Ajv {
	const ajv = new Ajv(AJV_OPTIONS);
	addFormats(ajv);
	const compile = ajv.compile.bind(ajv) as (schema: AnySchema) => Validator;
	ajv.compile = ((schema: AnySchema) => whenNeeded(() => compile(schema))) as typeof ajv.compile;
	return ajv;
}

/**
 * Compiles the schemas of requests. Paths and queries are text, so that their values are read as the type the
 * schema asks for; JSON bodies have types of their own and are taken as they are, and a misspelt member is refused,
 * rather than taken for a wish that was not made. A multipart form is no JSON: the upload checks it as it streams in.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = (route) => {
	const contentType = 'contentType' in route ? route.contentType : undefined;
	if (contentType === 'multipart/form-data') return () => true;
	const compile = route.httpPart === 'body' ? compileJson : compileText;
	return whenNeeded(() => compile(route) as Validator) as ReturnType<FastifySchemaCompiler<object>>;
};

/** Finds the first thing in a value that breaks a schema, as a sentence; undefined when nothing does. */
export function problemFinder(schema: () => object): (value: unknown) => string | undefined {
	const isValid = whenNeeded(() => addFormats(new Ajv(AJV_OPTIONS)).compile(schema()));
	return (value) => {
		if (isValid(value)) return undefined;
		const [text] = Object.values(fieldErrors(isValid.errors as FastifySchemaValidationError[])).flat();
		return text;
	};
}

interface BrokenRule extends FastifySchemaValidationError {
	parentSchema?: { title?: string };
}

/** More choices than these are no help in a sentence. */
const MOST_NAMED = 20;

const oneOf = (values: unknown[]) =>
	values.length > MOST_NAMED
		? 'is none of the known ones'
		: `must be one of ${values.map(stringOf).join(', ')}`;

const TYPES: Record<string, string> = {
	string: 'a text',
	integer: 'a whole number',
	number: 'a number',
	boolean: 'true or false',
	object: 'an object',
	array: 'a list',
	null: 'null',
};

/** What a value has to be. A pattern is no words: the title of its schema says what it stands for. */
function ruleOf({ keyword, params, message = 'is not valid', parentSchema }: BrokenRule): string {
	if (keyword === 'required') return 'is required';
	if (keyword === 'additionalProperties') return 'is not known';
	if (keyword === 'enum') return oneOf(params.allowedValues as unknown[]);
	if (keyword === 'type') {
		const types = [params.type as string | string[]].flat();
		return `must be ${types.map((type) => TYPES[type]).join(' or ')}`;
	}
	const title = ['pattern', 'format'].includes(keyword) ? parentSchema?.title : undefined;
	return title === undefined ? message : `must be ${title}`;
}

/** Rules of an object that name one of its members. A number is a name there, and no place in a list. */
const OF_MEMBERS = ['required', 'additionalProperties'];

/** What a value is called: the last part of its path, and in a list its place. */
function nameOf(path: string[], keyword: string): string {
	const [list, last = 'body'] = ['body', ...path].slice(-2);
	const isItem = /^\d+$/.test(last) && !OF_MEMBERS.includes(keyword);
	return isItem ? `Item ${Number(last) + 1} of ${list}` : `The ${last.replaceAll('_', ' ')}`;
}

/** Validation errors by field, nested fields with dots. */
export function fieldErrors(errors: FastifySchemaValidationError[]): FieldErrors {
	const fields: FieldErrors = {};
	for (const error of errors) {
		const { instancePath, keyword, params } = error;
		// What did not fit in their parts is said by errors of its own.
		if (['if', 'anyOf'].includes(keyword)) continue;
		const path = instancePath.split('/').slice(1);
		if (keyword === 'required') path.push(stringOf(params.missingProperty));
		if (keyword === 'additionalProperties') path.push(stringOf(params.additionalProperty));
		const field = path.join('.') || 'body';
		(fields[field] ??= []).push(`${nameOf(path, keyword)} ${ruleOf(error)}.`);
	}
	return fields;
}
