import { createHmac, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeParameters,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { leaksIn } from '../../engine/leaks.mts';
import { type Question, send } from '../../http.mts';
import { itemsOf } from '../rest.mts';
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

	it('a test event without the secret ends with the reason, and runs no other node', async () => {
		const { workflowId, testUrl } = await listen({
			credential: headerSecret.credential.data,
			next: [{ type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }],
		});
		await both.rest.listenForTestEvent(workflowId, 'Trigger');
		const message = 'The secret, login or signature is wrong or missing';
		const { status, body } = await deliver(testUrl, nextEvent());
		expect([status, JSON.parse(body)]).toEqual([401, { message }]);
		const [execution] = await both.rest.executionsOf(workflowId);
		expect(execution).toMatchObject({ mode: 'manual', status: 'error' });
		const description = expect.stringContaining('no header "x-webhook-secret"') as string;
		expect(execution.data.resultData.error).toMatchObject({ message, description });
		expect(Object.keys(execution.data.resultData.runData)).toEqual(['Trigger']);
		expect(leaksIn(execution.data, SECRET)).toEqual([]);
		// It listens again.
		await both.rest.listenForTestEvent(workflowId, 'Trigger');
	});
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

it('knows over a restart of n8n what has started the workflow', async () => {
	const listening = await listen();
	const events = Array.from({ length: 20 }, () => nextEvent());
	for (const event of events) expect(await deliver(listening.url, event)).toEqual(bare(200));
	const before = await executed(listening);
	expect(before).toEqual(events.map((event) => [itemOf(event)]));
	await both.restartN8n();
	for (const event of events) expect(await deliver(listening.url, event)).toEqual(bare(200));
	expect((await executed(listening)).slice(0, events.length)).toEqual(before);
	expect(await both.rest.executionIdsOf(listening.workflowId)).toHaveLength(events.length + 2);
});

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
