import type { FastifyReply } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { type AgentRun, agentTool } from './agentTool.mts';
import { chance } from './chance.mts';
import { editorOf, type NodeRun, type NodeRunOptions, runNode } from './engine.mts';
import { OddTenant } from './oddTenant.mts';

/** So many items run at once. Their answers come in an order of chance, within some milliseconds. */
const IN_FLIGHT = 40;
const ANSWERED_WITHIN_MS = 3;

/** The part of the runs that begin with a refused attempt. */
const REFUSED_PART = 0.5;
const RETRIED = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

const BASE_PATH = '/third-party/v1';

/** A request as it arrived: method and path, query included, and the body as it was sent. */
export interface Arrived {
	request: string;
	body: unknown;
}

type Answer = (arrived: Arrived, reply: FastifyReply) => unknown;

/** What one endpoint, such as `GET /tags`, answers. */
export type Answers = Record<string, Answer>;

/** A tenant that answers only what a test writes down, and keeps what it was asked. */
export class ScriptedTenant {
	/** The requests of this test, in their order. */
	readonly arrived: Arrived[] = [];

	/** What is answered now. */
	answers: Answers = {};

	/** Whether an attempt is under way that is refused, of which a test is told nothing. */
	private isRefusing = false;

	/** What was read since the last write of a run, and what of it was read again, as nothing needs to be. */
	private readonly read = { once: new Set<string>(), again: [] as string[] };

	/** Whether runs of this test may begin with a refused attempt. */
	startsRefused = true;

	private constructor(private readonly odd: OddTenant) {}

	/** Takes the place of all answers before. */
	answer(answers: Answers): void {
		this.answers = answers;
	}

	/** Method and path of the requests. */
	get requests(): string[] {
		return this.arrived.map(({ request }) => request);
	}

	/** The bodies of the requests to one endpoint. */
	bodies(endpoint: string): IDataObject[] {
		return this.arrived.filter(({ request }) => request === endpoint).map(({ body }) => body as IDataObject);
	}

	/**
	 * Runs the compiled node with this tenant's credential, each request tried once, all items at once. By chance, n8n
	 * first makes an attempt at it that is refused, and retries: nothing shall be different after that. Nothing is read twice.
	 */
	async run(
		parameters: NodeRunOptions['parameters'],
		options: Partial<NodeRunOptions> = {},
	): Promise<NodeRun> {
		const { onError, onStart, settings, byRoutingEngine } = options;
		const isRetried =
			!onError && !onStart && !settings && !byRoutingEngine && this.startsRefused && chance() < REFUSED_PART;
		let attempts = 0;
		this.forgetReads();
		const run = await runNode({
			credentials: this.odd.credentials,
			...(isRetried && { settings: RETRIED, onAttempt: () => (this.isRefusing = attempts++ === 0) }),
			...options,
			parameters: { advanced: { maximumTries: 1, maximumInFlight: IN_FLIGHT }, ...parameters },
		});
		// Each item has a list of its own, each message asks for consent, and each attempt for everything.
		const readsAgain =
			parameters.operation === 'getAll' ||
			settings?.retryOnFail === true ||
			this.requests.some((request) => request.endsWith('/marketing-opt-in'));
		if (!readsAgain) expect({ readAgain: this.read.again }).toEqual({ readAgain: [] });
		return run;
	}

	private forgetReads(): void {
		this.read.once.clear();
		this.read.again.splice(0);
	}

	/** Notes what a request costs. @returns tells that it failed */
	private noteCost(request: string): () => void {
		const { once, again } = this.read;
		if (!request.startsWith('GET ')) once.clear();
		else if (once.has(request)) again.push(request);
		else once.add(request);
		return () => once.delete(request);
	}

	/** What the editor asks the compiled node for, with this tenant's credential. */
	async editor(parameters: NodeRunOptions['parameters']): ReturnType<typeof editorOf> {
		return await editorOf({ credentials: this.odd.credentials, parameters });
	}

	/** Makes a tool of the compiled node, with this tenant's credential and each request tried once. */
	async tool(
		parameters: NodeRunOptions['parameters'],
		settings: NodeRunOptions['settings'],
		run?: AgentRun,
	): ReturnType<typeof agentTool> {
		const { credentials } = this.odd;
		return await agentTool(
			{ credentials, settings, parameters: { advanced: { maximumTries: 1 }, ...parameters } },
			run,
		);
	}

	static inEachTest(): ScriptedTenant {
		const odd = OddTenant.inEachTest({ delay: async () => await sleep(chance() * ANSWERED_WITHIN_MS) });
		const tenant = new ScriptedTenant(odd);
		beforeEach(() => {
			tenant.arrived.splice(0);
			tenant.answers = {};
			tenant.isRefusing = false;
			tenant.startsRefused = true;
			odd.answer(async ({ method, url, body }, reply) => {
				const arrived = { request: `${method} ${url.slice(BASE_PATH.length)}`, body };
				if (tenant.isRefusing) return await reply.code(401).send({ message: 'The first attempt is refused' });
				tenant.arrived.push(arrived);
				const endpoint = arrived.request.split('?')[0];
				const answer = tenant.answers[endpoint] as Answer | undefined;
				const hasFailed = tenant.noteCost(arrived.request);
				reply.raw.once('close', () => reply.statusCode < 300 || hasFailed());
				if (answer) return await answer(arrived, reply);
				return await reply.code(404).send({ message: `Nobody answers ${endpoint}` });
			});
		});
		return tenant;
	}
}

/** An answer with a status that says no. */
export const refusal =
	(status: number, message = 'Refused'): Answer =>
	async (_arrived, reply) =>
		await reply.code(status).send({ message });

/** An answer that breaks off, so that nobody knows what became of the request. */
export const brokenOff: Answer = (_arrived, reply) => {
	reply.hijack();
	reply.raw.destroy();
};

/** Answers one after another; the last one stays. */
export function inOrder(...answers: Answer[]): Answer {
	let next = 0;
	return async (arrived, reply) => {
		const answer = answers[Math.min(next++, answers.length - 1)];
		return await answer(arrived, reply);
	};
}

/** Answers with a sent message, each with an ID of its own, counted from 1. */
export function sentMessages(): Answer {
	let id = 0;
	return () => ({ data: { id: ++id, conversation_id: 7, status: 'created' } });
}
