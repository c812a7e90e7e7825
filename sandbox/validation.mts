import AjvCompiler from '@fastify/ajv-compiler';
import Ajv, { type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { FieldErrors } from './refusal.mts';

/** The contract has keywords of OpenAPI that are none of JSON Schema: not strict about them, strict about values. */
export const AJV_OPTIONS = {
	strict: false,
	removeAdditional: false,
	useDefaults: false,
	coerceTypes: false,
	allErrors: true,
} as const;

const build = AjvCompiler();
const compileJson = build({}, { customOptions: AJV_OPTIONS });
const compileText = build({}, { customOptions: { ...AJV_OPTIONS, coerceTypes: true } });

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
 * contract asks for; JSON bodies have types of their own and are taken as they are. A multipart form is no JSON: the
 * upload checks it as it streams in.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = (route) => {
	const contentType = 'contentType' in route ? route.contentType : undefined;
	if (contentType === 'multipart/form-data') return () => true;
	const compile = route.httpPart === 'body' ? compileJson : compileText;
	return whenNeeded(() => compile(route) as Validator) as ReturnType<FastifySchemaCompiler<object>>;
};

/** Finds the first thing in a value that breaks a schema, as a sentence; undefined when nothing does. */
export function problemFinder(schema: () => object): (value: unknown) => string | undefined {
	const isValid = whenNeeded(() => new Ajv(AJV_OPTIONS).compile(schema()));
	return (value) => {
		if (isValid(value)) return undefined;
		const [text] = Object.values(fieldErrors(isValid.errors as FastifySchemaValidationError[])).flat();
		return text;
	};
}

/** Validation errors by field, nested fields with dots. */
export function fieldErrors(errors: FastifySchemaValidationError[]): FieldErrors {
	const fields: FieldErrors = {};
	for (const { instancePath, keyword, params, message = 'is not valid' } of errors) {
		if (keyword === 'if') continue;
		const path = instancePath.split('/').slice(1);
		if (keyword === 'required') path.push(String(params.missingProperty));
		if (keyword === 'additionalProperties') path.push(String(params.additionalProperty));
		const field = path.join('.') || 'body';
		const name = (path.at(-1) ?? 'body').replaceAll('_', ' ');
		const rule = { required: 'is required', additionalProperties: 'is not known' }[keyword] ?? message;
		const text = `The ${name} ${rule}.`;
		(fields[field] ??= []).push(text);
	}
	return fields;
}
