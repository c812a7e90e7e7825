import { STATUS_CODES } from 'node:http';
import multipart from '@fastify/multipart';
import responseValidation from '@fastify/response-validation';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAX_JSON_BYTES, STATUS } from './choices.mts';
import { loadContract, PREFIX } from './contract.mts';
import { speakAs } from './dialect.mts';
import { allOperations } from './resources/index.mts';
import { Call, type Operation, type OperationId } from './resources/operation.mts';
import { invalid, notFound, Refusal } from './refusal.mts';
import type { Bearer } from './resources/user.mts';
import type { Tenant } from './tenant.mts';
import { answerValidation, fieldErrors } from './validation.mts';

declare module 'fastify' {
	interface FastifyRequest {
		bearer?: Bearer;
	}
}

/** @throws 401 without a known token. */
function authenticate(tenant: Tenant, { headers }: FastifyRequest): Bearer {
	const token = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
	const bearer = token === undefined ? undefined : tenant.store.users.byToken(token);
	if (!bearer) {
		throw new Refusal(
			STATUS.unauthorized,
			'Unauthenticated: the access token is missing or unknown.',
			undefined,
			{
				'www-authenticate': 'Bearer',
			},
		);
	}
	return bearer;
}

/** A path that does not fit finds nothing; everything else that does not fit is said field by field. */
function toRefusal(error: FastifyError | Refusal | Error): Refusal {
	if (error instanceof Refusal) return error;
	if ('validation' in error && error.validation) {
		if (error.code === 'FST_RESPONSE_VALIDATION_FAILED_VALIDATION') {
			return new Refusal(500, `The sandbox broke its own contract: ${error.message}`);
		}
		return error.validationContext === 'params' ? notFound('Record') : invalid(fieldErrors(error.validation));
	}
	if (error instanceof RangeError) return invalid({ body: ['The body is nested too deeply.'] });
	const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
	if (status === 413) return new Refusal(STATUS.fileTooLarge, 'The request body is too large.');
	if (status >= 400 && status < 500) return invalid({ body: [error.message] });
	return new Refusal(500, `${STATUS_CODES[500]}: ${error.message}`);
}

/** Sends a failure as `{ message, errors }`. */
export function sendRefusal(
	error: FastifyError | Error,
	_request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	const refusal = toRefusal(error);
	return reply
		.code(refusal.status)
		.headers(refusal.headers)
		.type('application/json; charset=utf-8')
		.send({ message: refusal.message, ...(refusal.errors && { errors: refusal.errors }) });
}

/** Bodies are read as JSON; an empty one is none, and what an operation without a body is sent is not looked at. */
function addBodyParsers(api: FastifyInstance): void {
	const parseJson = api.getDefaultJsonParser('error', 'error');
	api.removeAllContentTypeParsers();
	api.addContentTypeParser(
		'application/json',
		{ parseAs: 'string', bodyLimit: MAX_JSON_BYTES },
		(request, body, done) => {
			if (body === '' || !request.routeOptions.schema?.body) done(null, undefined);
			else parseJson(request, String(body), done);
		},
	);
	api.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_JSON_BYTES }, (_request, _body, done) =>
		done(null, undefined),
	);
}

/** @throws 422 when an operation gets its body in a form that the contract does not list, or not at all. */
function checkBodyForm(request: FastifyRequest): void {
	const schema = request.routeOptions.schema?.body as { content?: Record<string, unknown> } | undefined;
	if (!schema?.content) return;
	const forms = Object.keys(schema.content);
	const isForm = request.mediaType !== undefined && forms.includes(request.mediaType);
	const isThere = request.body !== undefined || request.mediaType === 'multipart/form-data';
	if (!isForm || !isThere) throw invalid({ body: [`The body must be ${forms.join(' or ')}.`] });
}

/**
 * The interface itself, under its prefix: routes, and what they take and answer, come from the contract. Answers are
 * validated too, and written by plain JSON.stringify, which would not hide a member that the contract lacks.
 */
export async function tenantApi(api: FastifyInstance, tenant: Tenant): Promise<void> {
	addBodyParsers(api);
	api.setSerializerCompiler(() => (data) => JSON.stringify(data));
	api.decorateRequest('bearer');
	api.addHook('onRequest', async (request, reply) => {
		void reply.header('date', new Date(tenant.store.clock.now()).toUTCString());
		request.bearer = authenticate(tenant, request);
	});
	api.addHook('preValidation', async (request) => checkBodyForm(request));
	await api.register(responseValidation, { ajv: answerValidation() });
	await api.register(multipart);
	speakAs(api, tenant.choices);

	const { fastifyOpenapiGlue } = await import('fastify-openapi-glue');
	await api.register(fastifyOpenapiGlue, {
		specification: loadContract(),
		prefix: PREFIX,
		operationResolver: (operationId: string) => {
			const operation = allOperations[operationId as OperationId] as Operation<OperationId>;
			return (request: FastifyRequest, reply: FastifyReply) => {
				if (!request.bearer) throw new Error('Not authenticated');
				return operation(new Call<OperationId>(tenant, request.bearer, request, reply));
			};
		},
	});
}
