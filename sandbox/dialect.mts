import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Choices, OWN_CHOICES } from './choices.mts';
import type { Envelope } from './envelope.mts';
import { DELETED } from './resources/operation.mts';
import { isRecord } from './texts.mts';

/** Members that hold ids. These two are called so, and are text for every tenant. */
const holdsIds = (name: string) => /(^|_)ids?$/.test(name) && !/^(display|external)_id$/.test(name);

/** Changes the ids in a value, at every level. */
function changeIds(value: unknown, change: (id: unknown) => unknown, isId = false): unknown {
	if (Array.isArray(value)) return value.map((item) => changeIds(item, change, isId));
	if (!isRecord(value)) return isId ? change(value) : value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [name, changeIds(member, change, holdsIds(name))]),
	);
}

const toText = (id: unknown) => (typeof id === 'number' ? String(id) : id);
const toNumber = (id: unknown) => (typeof id === 'string' && /^[1-9]\d*$/.test(id) ? Number(id) : id);

/** Whether an operation creates something, which other tenants answer with 201. */
export const isCreation = (operationId: string): boolean => /^(create|upload)/.test(operationId);

/** The answer to a deletion. */
function deleted(reply: FastifyReply, choice: Choices['deleted']): unknown {
	if (choice === '204') void reply.code(204);
	if (choice === 'empty-body') void reply.type('text/html; charset=utf-8').serializer(() => '');
	return DELETED;
}

/** The answer as a tenant with these choices gives it, made from the one that the contract shows. */
function spoken(choices: Choices, request: FastifyRequest, reply: FastifyReply, answer: unknown): unknown {
	if (reply.statusCode >= 400) return answer;
	if (answer === DELETED) return deleted(reply, choices.deleted);
	const { operationId = '' } = (request.routeOptions.schema ?? {}) as { operationId?: string };
	if (choices.created === '201' && isCreation(operationId)) void reply.code(201);
	const page = answer as Envelope<unknown>;
	if (choices.envelope === 'headers' && isRecord(page.headers)) {
		void reply.headers(page.headers as Record<string, string>);
		answer = page.data;
	}
	return choices.ids === 'text' ? changeIds(answer, toText) : answer;
}

/**
 * Lets the interface answer as a tenant with these choices. Requests and answers are validated against the contract as
 * ever: ids are read before, and answers are put into their form after that.
 */
export function speakAs(api: FastifyInstance, choices: Choices): void {
	if (Object.entries(OWN_CHOICES).every(([name, own]) => choices[name as keyof Choices] === own)) return;
	if (choices.ids === 'text') {
		api.addHook('preValidation', async (request) => {
			request.body = changeIds(request.body, toNumber);
		});
	}
	api.addHook('onRoute', (route) => {
		route.preSerialization = [
			...[route.preSerialization ?? []].flat(),
			(request, reply, payload, done) => done(null, spoken(choices, request, reply, payload)),
		];
	});
}
