import AjvCompiler from '@fastify/ajv-compiler';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { FieldErrors } from './refusal';

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

/**
 * Compiles the schemas of requests. Paths and queries are text, so that their values are read as the type the
 * contract asks for; JSON bodies have types of their own and are taken as they are. A multipart form is no JSON: the
 * upload checks it as it streams in.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = (route) => {
	const contentType = 'contentType' in route ? route.contentType : undefined;
	if (contentType === 'multipart/form-data') return () => true;
	return (route.httpPart === 'body' ? compileJson : compileText)(route);
};

/** Validation errors by field, nested fields with dots. */
export function fieldErrors(errors: FastifySchemaValidationError[]): FieldErrors {
	const fields: FieldErrors = {};
	for (const { instancePath, keyword, params, message = 'is not valid' } of errors) {
		if (keyword === 'if') continue;
		const path = instancePath.split('/').slice(1);
		if (keyword === 'required') path.push(String(params.missingProperty));
		const field = path.join('.') || 'body';
		const name = (path.at(-1) ?? 'body').replaceAll('_', ' ');
		const text = keyword === 'required' ? `The ${name} is required.` : `The ${name} ${message}.`;
		(fields[field] ??= []).push(text);
	}
	return fields;
}
