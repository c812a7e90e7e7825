import { createHmac, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import type { AxiosError } from 'axios';
import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeParameters,
	NodeConnectionTypes,
} from 'n8n-workflow';
import pLimit from 'p-limit';

import { seededRandom } from '../../../sandbox/random.mts';
import { leaksIn } from '../../engine/leaks.mts';
import { type Question, send } from '../../http.mts';
import { type Execution, itemsOf } from '../rest.mts';
import { waitFor } from '../waitFor.mts';
import {
	headerSecret,
	type TenantAndN8n,
	tenantAndN8nInThisFile,
	TRIGGER_TYPE,
	WEBHOOK_CREDENTIAL_TYPE,
	WEBHOOK_PATH,
} from './tenantAndN8n.mts';

let both: TenantAndN8n;

tenantAndN8nInThisFile((started) => (both = started));

/** A published workflow that the trigger starts. */
interface Listening {
	workflowId: string;
	url: string;
	testUrl: string;
}

interface ListeningOptions {
	/** What the trigger is set to, besides the credential. */
	parameters?: INodeParameters;
	/** Data of the trigger's credential; it takes anything without one. */
	credential?: ICredentialDataDecryptedObject;
	/** Nodes behind the trigger, one after another. */
	next?: Array<Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'disabled'>>;
}

const placed = (name: string): Pick<INode, 'id' | 'name' | 'position'> => ({
	id: name,
	name,
	position: [0, 0],
});

async function listen({ parameters, credential, next = [] }: ListeningOptions = {}): Promise<Listening> {
	const { rest, n8n } = both;
	const webhookId = randomUUID();
	const trigger: INode = {
		...placed('Trigger'),
		type: TRIGGER_TYPE,
		typeVersion: 1,
		webhookId,
		parameters: { authentication: credential ? 'credential' : 'none', ...parameters },
	};
	if (credential) {
		const definition = { name: 'Under test', type: WEBHOOK_CREDENTIAL_TYPE, data: credential };
		trigger.credentials = { [WEBHOOK_CREDENTIAL_TYPE]: await rest.createCredential(definition) };
	}
	const nodes = [trigger, ...next.map((node, index) => ({ ...node, ...placed(`Step ${index + 1}`) }))];
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index].name,
				{ main: [[{ node: name, type: NodeConnectionTypes.Main, index: 0 }]] },
			]),
	);
	const workflow = await rest.createWorkflow({ name: 'Listening', nodes, connections });
	await rest.publish(workflow);
	return {
		workflowId: workflow.id,
		url: `${n8n.url}/webhook/${webhookId}/${WEBHOOK_PATH}`,
		testUrl: `${n8n.url}/webhook-test/${webhookId}/${WEBHOOK_PATH}`,
	};
}

type AgentMessageEvent = IDataObject & { message: IDataObject };

let lastId = 0;

/** An event as the tenant reports it, never the same twice. */
const nextEvent = (change: IDataObject = {}): AgentMessageEvent => ({
	event: 'new-agent-message',
	occurred_at: '2026-03-01T12:00:00Z',
	message: {
		id: ++lastId,
		conversation_id: 3,
		from: 'agent',
		source: 'automation',
		status: 'created',
		...change,
	},
	customer: { id: 7, name: 'Mira Example' },
});

/** The item that the trigger makes of an event. */
const itemOf = ({ message, ...event }: AgentMessageEvent): IDataObject => ({ ...message, event });

interface Answer {
	status: number;
	body: string;
}

async function post(url: string, question: Question): Promise<Answer> {
	const { status, body } = await send(url, { method: 'POST', ...question });
	return { status, body };
}

const JSON_TYPE = { 'content-type': 'application/json' };

const deliver = async (url: string, payload: unknown, headers: Record<string, string> = {}) =>
	await post(url, { body: JSON.stringify(payload), headers: { ...JSON_TYPE, ...headers } });

/** The status says it all, whether the delivery starts the workflow or not. */
const bare = (status: number): Answer => ({ status, body: '' });

/** An error, whose response says what is wrong. */
const saysWhy = (status: number): Answer => ({
	status,
	body: expect.stringMatching(/^{"message":"The .+"}$/),
});

/**
 * The items of all executions of a workflow, one list per execution, after one more delivery has shown that nothing
 * else is to come.
 */
async function executed(listening: Listening, headers: Record<string, string> = {}, last = nextEvent()) {
	const { rest } = both;
	expect((await deliver(listening.url, last, headers)).status).toBeLessThan(300);
	const isLast = (items: IDataObject[]) =>
		items[0].id === last.message.id || items[0].message === last.message;
	return await waitFor('the execution of the last delivery', async () => {
		const ids = await rest.executionIdsOf(listening.workflowId);
		const executions = await Promise.all(ids.map(async (id) => await rest.finished(id)));
		const items = executions.map((execution) => itemsOf(execution, 'Trigger').map(({ json }) => json));
		return items.length > 0 && isLast(items[items.length - 1]) ? items.slice(0, -1) : undefined;
	});
}

const SECRET = 'a-secret-of-the-tests';
const sign = (text: string) => `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`;
const nowInSeconds = () => Math.floor(Date.now() / 1000);

const hmac = {
	method: 'hmac',
	signatureHeaderName: 'X-Signature',
	secret: SECRET,
	algorithm: 'sha256',
	encoding: 'hex',
	prefix: 'sha256=',
	timestampHeaderName: 'X-Timestamp',
	toleranceSeconds: 300,
};
const signedAt = (seconds: number) => (body: string) => ({
	'x-timestamp': String(seconds),
	'x-signature': sign(`${seconds}.${body}`),
});

type Proof = (body: string) => Record<string, string>;

it('a signature of timestamp and raw body lets in whom it belongs to, and nobody else', async () => {
	const listening = await listen({ credential: hmac });
	const right = signedAt(nowInSeconds());
	const wrong: Record<string, Proof> = {
		nothing: () => ({}),
		'the signature of another body': () => right('{}'),
		'no timestamp': (body) => ({ 'x-signature': sign(body) }),
		'an old timestamp': (body) => signedAt(nowInSeconds() - 301)(body),
		'another timestamp': (body) => ({ ...right(body), 'x-timestamp': String(nowInSeconds() - 9) }),
	};
	for (const [what, proof] of Object.entries(wrong)) {
		const event = nextEvent();
		const answer = await deliver(listening.url, event, proof(JSON.stringify(event)));
		expect([what, answer]).toEqual([what, saysWhy(401)]);
	}
	const event = nextEvent();
	expect(await deliver(listening.url, event, right(JSON.stringify(event)))).toEqual(bare(200));
	const last = nextEvent();
	expect(await executed(listening, right(JSON.stringify(last)), last)).toEqual([[itemOf(event)]]);
});

describe('what may come', () => {
	const form = () => {
		const data = new FormData();
		data.append('message', 'hello');
		data.append('file', new Blob(['{}'], { type: 'application/json' }), 'event.json');
		return data;
	};
	const large = (megabytes: number) =>
		JSON.stringify({ ...nextEvent(), text: 'x'.repeat(megabytes * 1_100_000) });
	const inChunks = (body: string): Question => ({
		body: Readable.from([Buffer.from(body)]),
		headers: JSON_TYPE,
	});

	it('is JSON of a moderate size: anything else starts nothing', async () => {
		const listening = await listen();
		const refused: Array<[string, Question, number]> = [
			['no JSON', { body: '{"id":', headers: JSON_TYPE }, 400],
			['nothing', { body: '', headers: JSON_TYPE }, 400],
			['a text in quotes', { body: '"hello"', headers: JSON_TYPE }, 400],
			['broken gzip', { body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }, 400],
			['plain text', { body: '{}', headers: { 'content-type': 'text/plain' } }, 415],
			['XML', { body: '<message/>', headers: { 'content-type': 'application/xml' } }, 415],
			['a form', { body: new URLSearchParams({ id: '1' }) }, 415],
			['a form with a file', { body: form() }, 415],
			['a broken form', { body: 'no boundary', headers: { 'content-type': 'multipart/form-data' } }, 415],
			['no type', { body: Buffer.from('{}') }, 415],
			['too much', { body: large(1), headers: JSON_TYPE }, 413],
			['too much without a length', inChunks(large(1)), 413],
		];
		for (const [what, init, status] of refused) {
			expect([what, await post(listening.url, init)]).toEqual([what, saysWhy(status)]);
		}
		expect(await executed(listening)).toEqual([]);
	});

	it('also compressed, and several events at once', async () => {
		const listening = await listen();
		const events = [nextEvent(), nextEvent()];
		const body = gzipSync(JSON.stringify(events));
		const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
		expect(await post(listening.url, { body, headers })).toEqual(bare(200));
		expect(await executed(listening)).toEqual([events.map(itemOf)]);
	});
});

describe('what starts the workflow, and with what', () => {
	it('the test event as often as somebody listens for it', async () => {
		const { workflowId, testUrl } = await listen();
		const event = nextEvent();
		for (const count of [1, 2]) {
			await both.rest.listenForTestEvent(workflowId, 'Trigger');
			expect(await deliver(testUrl, event)).toEqual(bare(200));
			const [execution] = (await both.rest.executionsOf(workflowId, count)).slice(-1);
			expect(execution.mode).toBe('manual');
			expect(itemsOf(execution, 'Trigger').map(({ json }) => json)).toEqual([itemOf(event)]);
		}
	});

	it.each<[string, number, string, RegExp, IDataObject, Record<string, string>]>([
		[
			'without the secret',
			401,
			'The secret, login or signature is wrong or missing',
			/no header "x-webhook-secret"/,
			{},
			{},
		],
		[
			'that the filters leave out',
			200,
			'No message of the webhook passes the Filters',
			/Status is created/,
			{ status: 'failed' },
			{ 'x-webhook-secret': SECRET },
		],
	])(
		'a test event %s ends with the reason, and runs no other node',
		async (_, status, reason, remedy, filters, headers) => {
			const { workflowId, testUrl } = await listen({
				parameters: { filters: filters as INodeParameters },
				credential: headerSecret.credential.data,
				next: [{ type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }],
			});
			await both.rest.listenForTestEvent(workflowId, 'Trigger');
			const answer = await deliver(testUrl, nextEvent(), headers);
			expect({ ...answer, body: JSON.parse(answer.body) as unknown }).toEqual({
				status,
				body: { message: reason },
			});
			const [execution] = await both.rest.executionsOf(workflowId);
			expect(execution).toMatchObject({ mode: 'manual', status: 'error' });
			expect(execution.data.resultData.error).toMatchObject({ message: reason });
			expect((execution.data.resultData.error as { description?: string }).description).toMatch(remedy);
			expect(Object.keys(execution.data.resultData.runData)).toEqual(['Trigger']);
			expect(leaksIn(execution.data, SECRET)).toEqual([]);
			// It listens again.
			await both.rest.listenForTestEvent(workflowId, 'Trigger');
		},
	);
});

describe('what the tenant hears', () => {
	const heard = '={ "heard": {{ $json.id }} }';
	const set = {
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: heard, options: {} },
	};
	const wait = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 0 } };
	const respond = {
		type: 'n8n-nodes-base.respondToWebhook',
		typeVersion: 1.5,
		parameters: { respondWith: 'json', responseBody: heard, options: { responseCode: 202 } },
	};

	it.each([
		['what the last node gave', 'lastNode', [set], 200],
		['what a Respond to Webhook node says', 'responseNode', [wait, respond], 202],
	])('%s', async (_, responseMode, next, expected) => {
		const listening = await listen({
			parameters: { responseMode },
			credential: headerSecret.credential.data,
			next,
		});
		const event = nextEvent();
		const headers = { 'x-webhook-secret': SECRET };
		expect(await deliver(listening.url, event)).toEqual(saysWhy(401));
		const { status, body } = await deliver(listening.url, event, headers);
		expect({ status, body }).toEqual({ status: expected, body: expect.stringContaining('"heard"') });
		expect(JSON.parse(body)).toEqual({ heard: event.message.id });
		expect(await deliver(listening.url, event, headers)).toEqual(bare(200));
		expect(await executed(listening, headers)).toEqual([[itemOf(event)]]);
	});
});

function overRestarts(): void {
	/** Deliveries under way at the same time. */
	const AT_ONCE = 8;

	/** Executions that n8n has answered for and not begun in earnest when it stops. */
	const MAX_BROKEN_OFF = 2 * AT_ONCE;

	/** What n8n answers to everything, with status 200, until it knows its webhooks. A proxy keeps requests away till then. */
	const STARTING_UP = 'n8n is starting up. Please wait';

	/** The events in order, with redeliveries at random places behind their first delivery. */
	function withRedeliveries(events: AgentMessageEvent[], count: number): AgentMessageEvent[] {
		const random = seededRandom(6);
		const first = events.map((event, place) => ({ event, place }));
		const again = Array.from({ length: count }, () => {
			const { event, place } = first[Math.floor(random() * events.length)];
			return { event, place: place + random() * 100 };
		});
		return [...first, ...again].sort((a, b) => a.place - b.place).map(({ event }) => event);
	}

	const counted = (counts: Map<number, number>, id: number) => counts.set(id, (counts.get(id) ?? 0) + 1);

	/**
	 * Delivers as webhook senders do, each until it is heard, and restarts n8n after half of them.
	 *
	 * @returns `unclear`: for each message how many tries n8n neither took nor refused: it broke off, or failed by its own
	 * account; `heardLast`: the messages that n8n answered last before it stopped
	 */
	async function deliverOverRestart(
		url: string,
		deliveries: AgentMessageEvent[],
	): Promise<{ unclear: Map<number, number>; heardLast: Set<number> }> {
		const limit = pLimit(AT_ONCE);
		const unclear = new Map<number, number>();
		const heard: number[] = [];
		let heardLast = new Set<number>();
		let restart: Promise<void> | undefined;
		const untilHeard = async (event: AgentMessageEvent) => {
			const id = Number(event.message.id);
			const attempt = async () => {
				const answer = await deliver(url, event).catch((error: Error) => error);
				const isRefused = answer instanceof Error && (answer as AxiosError).code === 'ECONNREFUSED';
				if (isRefused) return undefined;
				if (answer instanceof Error || answer.status >= 500) {
					counted(unclear, id);
					return undefined;
				}
				if (answer.status !== 200 || answer.body === STARTING_UP) return undefined;
				return true;
			};
			await waitFor('a delivery to be heard', attempt, { every: 250 });
			heard.push(id);
			if (heard.length !== deliveries.length / 2) return;
			const before = heard.length - AT_ONCE;
			restart = both.restartN8n(() => {
				heardLast = new Set(heard.slice(before));
			});
		};
		await Promise.all(deliveries.map(async (event) => await limit(async () => await untilHeard(event))));
		expect(restart).toBeDefined();
		await restart;
		return { unclear, heardLast };
	}

	/** The message of an execution that has not got anywhere. */
	const messageIdOf = ({ data }: Execution) =>
		Number(data.executionData?.nodeExecutionStack[0].data.main[0]?.[0].json.id);

	/** Executions that have ended, which do not change any more. */
	const known = new Map<string, Execution>();

	async function endedExecution(id: string): Promise<Execution> {
		const execution = known.get(id) ?? (await both.rest.finished(id));
		known.set(id, execution);
		return execution;
	}

	/** The ids of the messages of a workflow's executions: those that ran to their end, and those that n8n broke off. */
	async function outcomes(workflowId: string) {
		const limit = pLimit(AT_ONCE);
		const ids = await both.rest.executionIdsOf(workflowId);
		const executions = await Promise.all(ids.map((id) => limit(async () => await endedExecution(id))));
		const ended = executions.filter(({ status }) => status === 'success');
		const brokenOff = executions.filter(({ status }) => status === 'crashed');
		expect(ended.length + brokenOff.length).toBe(executions.length);
		return {
			ended: ended.map((execution) => Number(itemsOf(execution, 'Trigger')[0].json.id)),
			brokenOff: new Map(brokenOff.map((execution) => [messageIdOf(execution), execution.id])),
		};
	}

	/**
	 * Each message was executed once. When n8n stops, it may fail to answer for an execution that it has recorded, and carries
	 * it out after the restart: then the sender's next try makes a second one. So much is excused and no more: one execution
	 * for each try without an answer, and for no more messages than were under way when n8n stopped.
	 *
	 * @param forgotten messages that n8n has answered and need not know after the restart
	 */
	function expectOnce(
		{ ended }: Awaited<ReturnType<typeof outcomes>>,
		events: AgentMessageEvent[],
		unclear: Map<number, number>,
		forgotten = new Set<number>(),
	): void {
		const times = new Map<number, number>();
		for (const id of ended) counted(times, id);
		const ids = events.map(({ message }) => Number(message.id));
		const lost = ids.filter((id) => !times.has(id));
		const twice = ids.filter((id) => (times.get(id) ?? 0) > 1);
		const excused = (id: number) => (unclear.get(id) ?? 0) + (forgotten.has(id) ? 1 : 0);
		const inexcusable = twice.filter((id) => (times.get(id) ?? 0) > 1 + excused(id));
		expect({ lost: lost.slice(0, 20), inexcusable: inexcusable.slice(0, 20) }).toEqual({
			lost: [],
			inexcusable: [],
		});
		expect(twice.length).toBeLessThanOrEqual(AT_ONCE);
		expect([...times.keys()].filter((id) => !ids.includes(id))).toEqual([]);
	}

	it('loses none of 1,000, executes none twice, and knows them afterwards', async () => {
		const { workflowId, url } = await listen();
		const events = Array.from({ length: 700 }, () => nextEvent());
		const { unclear } = await deliverOverRestart(url, withRedeliveries(events, 300));

		// n8n answers as soon as an execution is recorded, and breaks off those that it has only just begun when it stops.
		// It keeps them with their data, for Retry.
		const { ended, brokenOff } = await outcomes(workflowId);
		const toRetry = [...brokenOff].filter(([id]) => !ended.includes(id));
		expect(toRetry.length).toBeLessThanOrEqual(MAX_BROKEN_OFF);
		for (const [, executionId] of toRetry) await both.rest.retry(executionId);
		expectOnce(await outcomes(workflowId), events, unclear);

		const before = await both.rest.executionIdsOf(workflowId);
		for (const event of events.slice(0, 50)) expect(await deliver(url, event)).toEqual(bare(200));
		expect(await both.rest.executionIdsOf(workflowId)).toEqual(before);
	});

	it('leaves it to the sender to repeat what did not end, where it hears of the end', async () => {
		const { workflowId, url } = await listen({ parameters: { responseMode: 'lastNode' } });
		const events = Array.from({ length: 140 }, () => nextEvent());
		const { unclear, heardLast } = await deliverOverRestart(url, withRedeliveries(events, 60));
		// Here a delivery is stored together with the next one, so those after which none came are not known any more.
		expectOnce(await outcomes(workflowId), events, unclear, heardLast);
	});
}

describe('a restart of n8n while deliveries come in', overRestarts);

describe('its credential', () => {
	it('is green when it is tested with all of a header', async () => {
		const definition = headerSecret.credential;
		const created = await both.rest.createCredential(definition);
		expect(await both.rest.testCredential({ ...definition, ...created })).toEqual({
			status: 'OK',
			message: expect.stringContaining('Complete'),
		});
	});

	it('is given to no HTTP Request node', async () => {
		const { rest, sandbox } = both;
		const credential = await rest.createCredential(headerSecret.credential);
		const workflowOf = (nodeCredentialType: string) => ({
			name: 'Reading the secret',
			nodes: [
				{ ...placed('Start'), type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
				{
					...placed('Request'),
					...{ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
					parameters: { url: sandbox.url, authentication: 'predefinedCredentialType', nodeCredentialType },
					credentials: { [WEBHOOK_CREDENTIAL_TYPE]: credential },
				},
			],
			connections: { Start: { main: [[{ node: 'Request', type: NodeConnectionTypes.Main, index: 0 }]] } },
		});
		await expect(rest.createWorkflow(workflowOf(WEBHOOK_CREDENTIAL_TYPE))).rejects.toThrow(
			`cannot use credential type \\"${WEBHOOK_CREDENTIAL_TYPE}`,
		);
		// n8n does not compute the type of a credential, so an expression cannot hide it.
		const { id } = await rest.createWorkflow(workflowOf(`={{ "${WEBHOOK_CREDENTIAL_TYPE}" }}`));
		expect((await rest.runToEnd(id, 'Start')).status).toBe('error');
	});
});
