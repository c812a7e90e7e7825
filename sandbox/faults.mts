import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PREFIX } from './contract.mts';
import { allOperations } from './resources/index.mts';
import { seededRandom } from './random.mts';
import { problemFinder } from './validation.mts';

export const FAULT_KINDS = [
	'latency',
	'rate-limit',
	'server-error',
	'response',
	'drop-before',
	'drop-after',
	'drop-mid-answer',
	'html',
] as const;

/** A disturbance and when it happens. Without `operationId`, `method` and `path` it meets every request. */
export interface FaultRule {
	/**
	 * - `latency`: waits `ms` milliseconds, then goes on
	 * - `rate-limit`: 429 with `Retry-After`; with `perSecond` only for requests beyond this rate
	 * - `server-error`: `status`, default 500
	 * - `response`: `body`, a text or JSON, with `headers` and `status`, default 200
	 * - `drop-before`, `drop-after`: closes the connection without an answer, before or after processing
	 * - `drop-mid-answer`: processes, then closes the connection in the middle of the answer
	 * - `html`: an HTML page with `status`, default 200
	 */
	kind: (typeof FAULT_KINDS)[number];
	/** Only this operation of the contract. */
	operationId?: string;
	/** Only this HTTP method. */
	method?: string;
	/** Only paths below /third-party/v1 of this form; `*` stands for any characters. */
	path?: string;
	/** Only so many times; without it for ever. */
	times?: number;
	/** Lets the first ones pass. */
	skip?: number;
	/** From 0 to 1; default 1. */
	probability?: number;
	/** The same seed meets the same requests; default 1. */
	seed?: number;
	ms?: number;
	status?: number;
	/** For rate-limit: a bucket of so many requests, which fills up again at this rate. */
	perSecond?: number;
	/** Seconds; default 1. */
	retryAfter?: number;
	/** For response: by default its content type is that of JSON, or of plain text for a text. */
	headers?: Record<string, string>;
	/** For response: a text goes out as it is, anything else as JSON; nothing by default. */
	body?: unknown;
}

const text = { type: 'string', minLength: 1 };
/** Names and values that a header can have. */
export const headerName = {
	type: 'string',
	pattern: "^[\\w!#$%&'*+.^`|~-]+$",
	title: 'a name that a header can have',
};
export const headerValue = { type: 'string', pattern: '^[ -~]+$', title: 'a text that a header can hold' };

const positive = { type: 'integer', minimum: 0 };

/** The same as a schema, for rules that come over HTTP. */
export const FAULT_RULE = {
	type: 'object',
	required: ['kind'],
	additionalProperties: false,
	properties: {
		kind: { type: 'string', enum: FAULT_KINDS },
		operationId: { enum: Object.keys(allOperations) },
		method: text,
		path: {
			type: 'string',
			pattern: '^(/(?!third-party/)|\\*)',
			title: 'a path below /third-party/v1 that begins with / or *',
		},
		times: positive,
		skip: positive,
		probability: { type: 'number', minimum: 0, maximum: 1 },
		seed: positive,
		// Longer timers end at once.
		ms: { ...positive, maximum: 2 ** 31 - 1 },
		status: { type: 'integer', minimum: 200, maximum: 599 },
		perSecond: { type: 'number', minimum: 1 },
		retryAfter: { type: 'number', minimum: 0 },
		headers: { type: 'object', propertyNames: headerName, additionalProperties: headerValue },
		body: {},
	},
};

const findProblem = problemFinder(() => FAULT_RULE);

export interface ActiveFault extends FaultRule {
	id: number;
	/** How many requests it has met. */
	met: number;
}

/** A rate limit as services have it: a bucket of tokens that fills up at a rate. Each request takes one. */
class TokenBucket {
	private tokens: number;

	private filledAt = performance.now();

	constructor(private readonly perSecond: number) {
		this.tokens = perSecond;
	}

	/** Takes a token. @returns false if there is none */
	take(): boolean {
		const now = performance.now();
		this.tokens = Math.min(this.perSecond, this.tokens + ((now - this.filledAt) / 1000) * this.perSecond);
		this.filledAt = now;
		if (this.tokens < 1) return false;
		this.tokens--;
		return true;
	}
}

declare module 'fastify' {
	interface FastifyRequest {
		fault?: FaultRule;
	}
}

const HTML =
	'<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>';

/** `*` stands for any characters. */
const toPattern = (path: string): RegExp =>
	new RegExp(`^${path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);

/** What is known of a request before it is processed. */
interface Asked {
	operationId?: string;
	method: string;
	path: string;
}

/** A disturbance that has been asked for. */
class Armed {
	readonly fault: ActiveFault;
	private readonly random: () => number;
	private readonly pattern: RegExp | undefined;
	private readonly bucket: TokenBucket | undefined;
	private passed = 0;

	constructor(rule: FaultRule, id: number) {
		this.fault = { ...rule, id, met: 0 };
		this.random = seededRandom(rule.seed ?? 1);
		this.pattern = rule.path === undefined ? undefined : toPattern(rule.path);
		this.bucket = rule.perSecond === undefined ? undefined : new TokenBucket(rule.perSecond);
	}

	/** Whether it meets a request. */
	meets({ operationId, method, path }: Asked): boolean {
		const { fault, bucket } = this;
		if ((fault.operationId ?? operationId) !== operationId) return false;
		if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
		if (this.pattern?.test(path) === false || fault.met >= (fault.times ?? Infinity)) return false;
		if (this.passed++ < (fault.skip ?? 0) || this.random() >= (fault.probability ?? 1)) return false;
		return !(bucket?.take() ?? false);
	}
}

/** Disturbances that have been asked for. */
export class Faults {
	private armed: Armed[] = [];

	private lastId = 0;

	/** @throws in one sentence, when it is no rule */
	add(rule: FaultRule): ActiveFault {
		const problem = findProblem(rule);
		if (problem !== undefined) throw new Error(problem);
		const armed = new Armed(rule, ++this.lastId);
		this.armed.push(armed);
		return armed.fault;
	}

	list(): ActiveFault[] {
		return this.armed.map(({ fault }) => ({ ...fault }));
	}

	/** @returns false if there is no such fault. */
	delete(id: number): boolean {
		const before = this.armed.length;
		this.armed = this.armed.filter(({ fault }) => fault.id !== id);
		return this.armed.length < before;
	}

	clear(): void {
		this.armed = [];
	}

	/**
	 * The faults that meet a request, counted as met: any latency, and the first that takes the place of the answer. Further
	 * ones wait for another request.
	 */
	meet(asked: Asked): FaultRule[] {
		const met: FaultRule[] = [];
		for (const armed of this.armed) {
			const { fault } = armed;
			if (!armed.meets(asked) || (takesAnswer(fault) && met.some(takesAnswer))) continue;
			fault.met++;
			met.push(fault);
		}
		return met;
	}
}

/** Whether it takes the place of the real answer, as only one fault can. */
const takesAnswer = ({ kind }: FaultRule) => kind !== 'latency';

const JSON_TYPE = 'application/json; charset=utf-8';

interface Replacement {
	status: number;
	type: string;
	body: string;
	headers?: Record<string, string>;
}

/** What is answered in place of the real answer, by the kind of the fault. */
const REPLACEMENTS: Partial<Record<FaultRule['kind'], (fault: FaultRule) => Replacement>> = {
	'rate-limit': ({ retryAfter = 1 }) => ({
		status: 429,
		type: JSON_TYPE,
		body: '{"message":"Too many requests."}',
		headers: { 'retry-after': String(retryAfter) },
	}),
	'server-error': () => ({ status: 500, type: JSON_TYPE, body: '{"message":"Server error."}' }),
	response: ({ body = '', headers }) =>
		typeof body === 'string'
			? { status: 200, type: 'text/plain; charset=utf-8', body, headers }
			: { status: 200, type: JSON_TYPE, body: JSON.stringify(body), headers },
	html: () => ({ status: 200, type: 'text/html; charset=utf-8', body: HTML }),
};

/** Sends the first half, then closes the connection although more was announced. */
function halfAnswer(text: string): Readable {
	const half = text.slice(0, Math.floor(text.length / 2));
	return Readable.from(
		(async function* parts() {
			yield half;
			await delay(5);
			throw new Error('Dropped by a fault');
		})(),
	);
}

/** Lets faults happen to requests of the interface. */
export function addFaults(server: FastifyInstance, faults: Faults): void {
	server.decorateRequest('fault');

	server.addHook('onRequest', async (request) => {
		if (!request.url.startsWith(PREFIX)) return;
		const schema = request.routeOptions.schema as { operationId?: string } | undefined;
		const asked = {
			operationId: schema?.operationId,
			method: request.method,
			path: request.url.split('?')[0].slice(PREFIX.length),
		};
		const met = faults.meet(asked);
		request.fault = met.find(takesAnswer);
		for (const fault of met) if (!takesAnswer(fault)) await delay(fault.ms ?? 100);
	});

	server.addHook('preHandler', async (request, reply) => {
		const { fault } = request;
		if (!fault) return;
		if (fault.kind === 'drop-before') {
			reply.hijack();
			request.raw.socket.destroy();
			return;
		}
		const replacement = REPLACEMENTS[fault.kind]?.(fault);
		if (!replacement) return;
		request.fault = undefined;
		const { status, type, headers = {}, body } = replacement;
		void reply.code(fault.status ?? status).headers({ 'content-type': type, ...headers });
		return await reply.send(body);
	});

	server.addHook('onSend', async (request, reply: FastifyReply, payload) => {
		const { fault } = request;
		if (!fault) return payload;
		if (fault.kind === 'drop-after') {
			request.raw.socket.destroy();
			return payload;
		}
		if (typeof payload === 'string' && fault.kind === 'drop-mid-answer') {
			reply.removeHeader('content-length');
			reply.header('content-length', Buffer.byteLength(payload));
			return halfAnswer(payload);
		}
		return payload;
	});
}
