import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
	'truncate',
	'html',
	'redirect',
] as const;

/** A disturbance and when it happens. Without `operationId`, `method` and `path` it meets every request. */
export interface FaultRule {
	/**
	 * - `latency`: waits `ms` milliseconds, then goes on
	 * - `rate-limit`: 429 with `Retry-After`; with `perSecond` only for requests beyond this rate
	 * - `server-error`: `status` from 400 on, default 500
	 * - `response`: `body`, a text or JSON, with `headers` and `status`, default 200
	 * - `drop-before`, `drop-after`: closes the connection without an answer, before or after processing
	 * - `drop-mid-answer`: processes, then closes the connection in the middle of the answer
	 * - `truncate`: processes, then answers 200 with the first half of the JSON
	 * - `html`: an HTML page with `status`, default 200
	 * - `redirect`: `status`, default 302, to `location`; without one to the same path at the other name of this
	 *   machine (localhost or 127.0.0.1)
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
	/** For rate-limit with `perSecond`: every answer has `X-RateLimit-Limit`, `-Remaining` and `-Reset`; default false. */
	quotaHeaders?: boolean;
	/** Seconds, or `{ "date": true, "seconds": n }` for an HTTP date; default 1. */
	retryAfter?: number | { date: boolean; seconds: number };
	location?: string;
	/** For response: by default its content type is that of JSON, or of plain text for a text. */
	headers?: Record<string, string>;
	/** For response: a text goes out as it is, anything else as JSON; nothing by default. */
	body?: unknown;
	/** For rate-limit, server-error, response, html, redirect: process the request nevertheless; default false. */
	processed?: boolean;
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

/** Longer ones end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
		ms: { ...positive, maximum: LONGEST_TIMER_MS },
		status: { type: 'integer', minimum: 200, maximum: 599 },
		perSecond: { type: 'number', minimum: 1 },
		quotaHeaders: { type: 'boolean' },
		retryAfter: {
			anyOf: [
				{ type: 'number', minimum: 0 },
				{
					type: 'object',
					required: ['date', 'seconds'],
					properties: { date: { type: 'boolean' }, seconds: { type: 'number' } },
				},
			],
		},
		location: headerValue,
		headers: { type: 'object', propertyNames: headerName, additionalProperties: headerValue },
		body: {},
		processed: { type: 'boolean' },
	},
	// A success is no error: `response` answers with one.
	if: { properties: { kind: { const: 'server-error' } } },
	then: { properties: { status: { minimum: 400 } } },
};

const findProblem = problemFinder(() => FAULT_RULE);

export interface ActiveFault extends FaultRule {
	id: number;
	/** How many requests it has met. */
	met: number;
}

interface Armed {
	fault: ActiveFault;
	random: () => number;
	pattern?: RegExp;
	passed: number;
	bucket?: TokenBucket;
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

	/** What is left, and the seconds until there is a token again. */
	get headers(): Record<string, string> {
		const missing = Math.max(0, 1 - this.tokens);
		return {
			'x-ratelimit-limit': String(this.perSecond),
			'x-ratelimit-remaining': String(Math.floor(this.tokens)),
			'x-ratelimit-reset': String(Math.ceil(missing / this.perSecond)),
		};
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
	new RegExp(
		`^${path
			.split('*')
			.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
			.join('.*')}$`,
	);

/** Whether it takes the place of the real answer, as only one fault can. */
const takesAnswer = ({ kind }: FaultRule) => kind !== 'latency';

/** Disturbances that have been asked for. */
export class Faults {
	private armed: Armed[] = [];

	private lastId = 0;

	/** @throws in one sentence, when it is no rule */
	add(rule: FaultRule): ActiveFault {
		const problem = findProblem(rule);
		if (problem !== undefined) throw new Error(problem);
		const fault: ActiveFault = { ...rule, id: ++this.lastId, met: 0 };
		this.armed.push({
			fault,
			random: seededRandom(rule.seed ?? 1),
			pattern: rule.path === undefined ? undefined : toPattern(rule.path),
			passed: 0,
			bucket: rule.perSecond === undefined ? undefined : new TokenBucket(rule.perSecond),
		});
		return fault;
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

	/** Begins anew, also with the IDs, by which a session is compared with its replay. */
	clear(): void {
		this.armed = [];
		this.lastId = 0;
	}

	/**
	 * The faults that meet a request, counted as met. One of them at most takes the place of its answer: further ones
	 * wait for another request.
	 *
	 * @param isAnswered whether another fault takes the place of the answer already
	 * @param quota gets the headers of a rate limit that tells its quota
	 */
	meet(
		request: { operationId?: string; method: string; path: string },
		isAnswered: boolean,
		quota: (headers: Record<string, string>) => void,
	): FaultRule[] {
		let isTaken = isAnswered;
		return this.armed
			.filter((armed) => {
				const { fault, pattern } = armed;
				if (fault.operationId !== undefined && fault.operationId !== request.operationId) return false;
				if (fault.method !== undefined && fault.method.toUpperCase() !== request.method) return false;
				if (pattern && !pattern.test(request.path)) return false;
				if (fault.times !== undefined && fault.met >= fault.times) return false;
				if (armed.passed < (fault.skip ?? 0)) {
					armed.passed++;
					return false;
				}
				if (armed.random() >= (fault.probability ?? 1)) return false;
				const isWithinRate = armed.bucket?.take() ?? false;
				if (armed.bucket && fault.quotaHeaders) quota(armed.bucket.headers);
				if (isWithinRate) return false;
				if (takesAnswer(fault)) {
					if (isTaken) return false;
					isTaken = true;
				}
				fault.met++;
				return true;
			})
			.map(({ fault }) => fault);
	}
}

/** What is answered in place of the real answer; undefined for faults that are not about the answer. */
function replacement(fault: FaultRule, request: FastifyRequest) {
	const json = { 'content-type': 'application/json; charset=utf-8' };
	switch (fault.kind) {
		case 'rate-limit': {
			const { retryAfter = 1 } = fault;
			const value =
				typeof retryAfter === 'number'
					? String(retryAfter)
					: retryAfter.date
						? new Date(Date.now() + retryAfter.seconds * 1000).toUTCString()
						: String(retryAfter.seconds);
			return {
				status: fault.status ?? 429,
				headers: { ...json, 'retry-after': value },
				body: JSON.stringify({ message: 'Too many requests.' }),
			};
		}
		case 'server-error':
			return {
				status: fault.status ?? 500,
				headers: json,
				body: JSON.stringify({ message: 'Server error.' }),
			};
		case 'response': {
			const { body, headers } = fault;
			const isText = typeof body === 'string';
			return {
				status: fault.status ?? 200,
				headers: { ...(isText ? { 'content-type': 'text/plain; charset=utf-8' } : json), ...headers },
				body: isText ? body : body === undefined ? '' : JSON.stringify(body),
			};
		}
		case 'html':
			return {
				status: fault.status ?? 200,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				body: HTML,
			};
		case 'redirect': {
			const other = request.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
			const location = fault.location ?? `http://${other}:${request.port ?? 80}${request.url}`;
			return { status: fault.status ?? 302, headers: { ...json, location }, body: '' };
		}
		default:
			return undefined;
	}
}

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

/**
 * Lets faults happen to requests of the interface.
 * @param ownOf the fault that a request brings along for itself
 */
export function addFaults(
	server: FastifyInstance,
	faults: Faults,
	ownOf: (request: FastifyRequest) => FaultRule | undefined,
): void {
	server.decorateRequest('fault');

	server.addHook('onRequest', async (request, reply) => {
		if (!request.url.startsWith(PREFIX)) return;
		const schema = request.routeOptions.schema as { operationId?: string } | undefined;
		const asked = {
			operationId: schema?.operationId,
			method: request.method,
			path: request.url.split('?')[0].slice(PREFIX.length),
		};
		const addQuota = (headers: Record<string, string>) => void reply.headers(headers);
		const own = new Faults();
		const rule = ownOf(request);
		if (rule) own.add(rule);
		const brought = own.meet(asked, false, addQuota);
		const met = [...brought, ...faults.meet(asked, brought.some(takesAnswer), addQuota)];
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
		const answer = fault.processed ? undefined : replacement(fault, request);
		if (!answer) return;
		request.fault = undefined;
		return await reply.code(answer.status).headers(answer.headers).send(answer.body);
	});

	server.addHook('onSend', async (request, reply: FastifyReply, payload) => {
		const { fault } = request;
		if (!fault) return payload;
		if (fault.kind === 'drop-after') {
			request.raw.socket.destroy();
			return payload;
		}
		if (typeof payload === 'string' && (fault.kind === 'truncate' || fault.kind === 'drop-mid-answer')) {
			reply.removeHeader('content-length');
			if (fault.kind === 'truncate') return payload.slice(0, Math.floor(payload.length / 2));
			reply.header('content-length', Buffer.byteLength(payload));
			return halfAnswer(payload);
		}
		const answer = fault.processed ? replacement(fault, request) : undefined;
		if (!answer) return payload;
		reply.removeHeader('content-length');
		reply.code(answer.status).headers(answer.headers);
		return answer.body;
	});
}
