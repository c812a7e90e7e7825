import { randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import pLimit from 'p-limit';

import { http, send } from '../../http.mts';
import { type Execution, itemsOf } from '../rest.mts';
import { waitFor } from '../waitFor.mts';
import { chatAppAgentId, type Cluster, type Member, startCluster } from './cluster.mts';
import { type AgentMessageEvent, nextEvent, timesSent } from './events.mts';
import { json, Sender } from './sender.mts';
import { claimSteps, publishSteps, sendStep, tenantStep, trigger, webhook } from './workflows.mts';

/** How many executions a worker runs at once: what may break off when it dies. */
const CONCURRENCY = 10;

/** Milliseconds; n8n waits a minute before it takes a worker for dead. */
const DEAD_AFTER = 10_000;

/** The address under which people reach n8n, as if a proxy stood before the webhook processors. */
const PUBLIC_URL = 'https://n8n.example.com';

let cluster: Cluster;
let agentId: number;

beforeAll(async () => {
	cluster = await startCluster({
		env: {
			N8N_WEBHOOK_URL: `${PUBLIC_URL}/`,
			QUEUE_WORKER_LOCK_DURATION: String(DEAD_AFTER),
			QUEUE_WORKER_LOCK_RENEW_TIME: String(DEAD_AFTER / 5),
			QUEUE_WORKER_STALLED_INTERVAL: String(DEAD_AFTER / 2),
		},
	});
	agentId = await chatAppAgentId(cluster);
});

afterAll(async () => await cluster?.stop());

/**
 * The ids of a workflow's executions, or of those that match a condition, as n8n recorded them. They come from the database: n8n's
 * list is sorted by when they began, which in queue mode is not the order of the ids that its pages go by, so that it leaves some out.
 */
const idsOf = async (workflowId: string, condition = 'true'): Promise<string[]> =>
	await cluster.postgres.run(
		`SELECT id FROM execution_entity WHERE "workflowId" = '${workflowId}' AND ${condition} ORDER BY id`,
	);

const IS_OPEN = "status IN ('new', 'running', 'waiting')";

/** All executions of a workflow, or those of the ids, as they stand. */
async function executionsOf(workflowId: string, ids?: string[]): Promise<Execution[]> {
	const limit = pLimit(8);
	const wanted = ids ?? (await idsOf(workflowId));
	return await Promise.all(wanted.map((id) => limit(async () => await cluster.rest.execution(id))));
}

/** Waits until a workflow has nothing left to execute. @throws Error that names what is left */
async function allOver(workflowId: string): Promise<Execution[]> {
	let open: string[] = [];
	const probe = async () => {
		open = await idsOf(workflowId, IS_OPEN);
		return open.length === 0 || undefined;
	};
	await waitFor('all executions to be over', probe, { every: 250 }).catch(async (error: Error) => {
		const left = (await executionsOf(workflowId, open)).map(
			({ id, status, data }) => `${id} ${status} ${Object.keys(data.resultData.runData)}`,
		);
		throw new Error(`${error.message}, still there: ${left.join(', ')}`);
	});
	return await executionsOf(workflowId);
}

/** The message that an execution is about; undefined when n8n has kept nothing of it. */
const messageIdOf = (execution: Execution): unknown =>
	itemsOf(execution, 'Trigger')[0]?.json.id ??
	execution.data.executionData?.nodeExecutionStack[0]?.data.main[0]?.[0].json.id;

/** The ids of the messages of executions that ran to their end. */
const succeeded = (executions: Execution[]) =>
	executions
		.filter(({ status }) => status === 'success')
		.map((execution) => Number(itemsOf(execution, 'Trigger')[0]?.json.id));

/** Each of these events with what is known of it, for an assertion that says what went wrong. */
const told = (events: AgentMessageEvent[], executions: Execution[]) =>
	events.map(({ message }) => ({
		id: message.id,
		executions: executions
			.filter((execution) => messageIdOf(execution) === message.id)
			.map(({ id, status, mode }) => `${id} ${mode} ${status}`),
		withoutData: executions
			.filter((execution) => messageIdOf(execution) === undefined)
			.map(({ id, status }) => `${id} ${status}`),
	}));

/**
 * Presses "Retry" on the executions that broke off and still have their data. What n8n has recovered from a log stands in
 * for what the trigger gave, so the messages are read from what was to be executed next.
 *
 * @returns the ids of the messages that ran to their end now
 */
async function retryBrokenOff(executions: Execution[]): Promise<number[]> {
	const retried: number[] = [];
	for (const { id, status, data } of executions) {
		const next = data.executionData?.nodeExecutionStack[0]?.data.main[0]?.[0].json;
		if (status !== 'crashed' || next === undefined) continue;
		const again = await cluster.rest.retry(id);
		if (again.status === 'success') retried.push(Number(next.id));
	}
	return retried;
}

/** Kills a process, and starts it again as a container's restart policy would. */
async function crash(member: Member): Promise<void> {
	await member.kill();
	await member.restart();
}

/** The requests to a path since they were cleared. */
const requestsTo = (path: string) =>
	cluster.sandbox.requests().filter((request) => request.path.endsWith(path));

const bodyOf = ({ body }: { body: string }) =>
	JSON.parse(Buffer.from(body, 'base64').toString()) as IDataObject;

describe('redeliveries', () => {
	it.each([
		['n8n answers at once', 'onReceived', 20],
		// What was answered at the end is shared with the next delivery of the same processor.
		['n8n answers at the end', 'lastNode', 18],
	] as const)(
		'are recognised by every webhook processor, also by one that was killed, where %s',
		async (_, responseMode, shared) => {
			const { id, urls } = await publishSteps(cluster, 'Listen', [trigger(responseMode)]);
			const events = Array.from({ length: 20 }, nextEvent);
			const deliver = async (event: AgentMessageEvent, processor: number) =>
				await new Sender([urls[processor % urls.length]]).untilHeard(json(event));
			for (const [index, event] of events.entries()) await deliver(event, index);
			for (const [index, event] of events.slice(0, shared).entries()) await deliver(event, index + 1);
			await crash(cluster.webhooks[0]);
			for (const event of events.slice(0, shared)) await deliver(event, 0);
			expect(succeeded(await allOver(id)).sort((a, b) => a - b)).toEqual(
				events.map(({ message }) => message.id),
			);
		},
	);
});

describe('a key of Send Once that comes to both workers', () => {
	const KEYS = 80;

	it('is used once, also at the same instant, and nobody is left out', async () => {
		const step = tenantStep(cluster, 'Send', {
			resource: 'message',
			operation: 'sendTemplate',
			phoneNumber: '={{ $json.body.customer.display_id }}',
			agentId: { __rl: true, mode: 'id', value: agentId },
			templateName: { __rl: true, mode: 'id', value: 'opening_hours' },
			templateLanguage: 'en_US',
			options: { sendOnce: { values: { key: '={{ $json.body.message.id }}' } } },
		});
		const { id, urls } = await publishSteps(cluster, 'Once', [webhook(), step]);
		cluster.sandbox.clearRequests();
		const events = Array.from({ length: KEYS }, nextEvent);
		const began = Date.now();
		for (const event of events)
			await Promise.all(urls.map(async (url) => await new Sender([url]).untilHeard(json(event))));
		console.info(`A pair took ${Math.round((Date.now() - began) / KEYS)} ms.`);
		// What one worker has recorded is there for the other, and for those that come at once with others.
		await new Sender(urls).all(events, CONCURRENCY);
		await allOver(id);
		expect(timesSent(cluster, events)).toEqual(events.map(() => 1));
	});
});

describe('a file that arrives at a webhook processor', () => {
	it('is uploaded byte for byte by a worker', async () => {
		const { urls } = await publishSteps(cluster, 'Upload', [
			webhook(),
			tenantStep(cluster, 'Upload', {
				resource: 'file',
				operation: 'upload',
				binaryPropertyName: 'file',
				type: 'document',
				options: { public: true },
			}),
		]);
		const content = randomBytes(3_000_000);
		const form = new FormData();
		form.append('file', new Blob([content], { type: 'application/pdf' }), 'terms.pdf');
		const { body } = await new Sender(urls).untilHeard({ body: form });
		const file = JSON.parse(body) as IDataObject;
		expect(file).toMatchObject({ name: 'terms.pdf', mime_type: 'application/pdf', size: content.length });
		const stored = await http.get<Buffer>(String(file.url), { responseType: 'arraybuffer' });
		expect(stored.data.equals(content)).toBe(true);
	});
});

describe('a question that a worker asks', () => {
	it('is answered at any webhook processor, by the public address of n8n', async () => {
		const { sandbox, webhooks } = cluster;
		const start = webhook();
		const { id, urls } = await publishSteps(cluster, 'Question', [
			{ ...start, parameters: { ...start.parameters, responseMode: 'onReceived' } },
			tenantStep(cluster, 'Ask', {
				...{ resource: 'message', operation: 'sendAndWait', sendAs: 'text' },
				conversationId: String(sandbox.store.conversations.search('Mira').records[0].id),
				message: 'May we deliver on Monday?',
			}),
		]);
		sandbox.clearRequests();
		await http.post(urls[0], {});
		const isWaiting = async () => (await executionsOf(id)).every(({ status }) => status === 'waiting');
		const asked = () => requestsTo('/messages').at(0);
		const question = await waitFor('the execution to wait', async () =>
			(await isWaiting()) ? asked() : undefined,
		);
		const { text } = bodyOf(question) as { text: { content: string } };
		const [link] = /https:\S+/.exec(text.content) ?? [''];
		expect(link.startsWith(`${PUBLIC_URL}/webhook-waiting/`)).toBe(true);
		const at = ({ url }: Member) => link.replace(PUBLIC_URL, url);
		expect((await send(at(webhooks[1]))).body).toContain('May we deliver on Monday?');
		expect((await send(`${at(webhooks[1])}0`)).status).toBe(401);
		expect(await isWaiting()).toBe(true);
		const answer = { method: 'POST', body: new URLSearchParams({ answer: 'approve' }) };
		expect((await send(at(webhooks[0]), answer)).status).toBe(200);
		const [execution] = await allOver(id);
		expect(itemsOf(execution, 'Ask').map(({ json }) => json)).toEqual([
			{ data: { approved: true, respondedAt: expect.any(String) } },
		]);
	});
});

describe('a thousand deliveries, while processes die and Redis restarts', () => {
	it('are not lost, and no customer is messaged twice', async () => {
		const { sandbox, workers, webhooks, redis, main } = cluster;
		const once = [...(await claimSteps(cluster)), sendStep(cluster, agentId)];
		const atOnce = await publishSteps(cluster, 'Answer at once', [trigger('onReceived'), ...once]);
		const atEnd = await publishSteps(cluster, 'Answer at the end', [trigger('lastNode'), ...once]);
		const eventsAtOnce = Array.from({ length: 500 }, nextEvent);
		const eventsAtEnd = Array.from({ length: 500 }, nextEvent);
		sandbox.clearRequests();
		// Long enough that a worker is in the middle of some whenever it dies.
		sandbox.faults.add({ kind: 'latency', ms: 200, path: '/chatapp/send-template' });

		const disturbances: Array<Promise<void>> = [];
		let heard = 0;
		const onHeard = () => {
			heard++;
			if (heard === 250) disturbances.push(crash(workers[0]));
			if (heard === 500) disturbances.push(crash(webhooks[0]));
			if (heard === 750) disturbances.push(redis.restart());
		};
		await Promise.all([
			new Sender(atOnce.urls).all(eventsAtOnce, 10, onHeard),
			new Sender(atEnd.urls).all(eventsAtEnd, 10, onHeard),
		]);
		await Promise.all(disturbances);
		expect(disturbances).toHaveLength(3);

		// What a dying worker had taken but not begun is found when the main process starts.
		await waitFor(
			'the workers to have nothing left but that',
			async () => (await idsOf(atOnce.id, IS_OPEN)).length <= CONCURRENCY || undefined,
			{ every: 250 },
		);
		await crash(main);
		const retriedAtOnce = await retryBrokenOff(await allOver(atOnce.id));
		const retriedAtEnd = await retryBrokenOff(await allOver(atEnd.id));

		// Where the sender waits for the end, each event was executed to its end.
		const executionsAtEnd = await allOver(atEnd.id);
		const ended = new Set([...succeeded(executionsAtEnd), ...retriedAtEnd]);
		const lost = eventsAtEnd.filter(({ message }) => !ended.has(message.id));
		expect(told(lost, executionsAtEnd)).toEqual([]);

		// Where it does not, what broke off stands under Executions: no more of it than a worker has in hand.
		const executions = await allOver(atOnce.id);
		const ran = succeeded(executions);
		const done = [...ran, ...retriedAtOnce];
		const missing = eventsAtOnce.filter(({ message }) => !done.includes(message.id));
		const failed = executions.filter(({ status }) => status === 'error' || status === 'crashed');
		expect(missing.length).toBeLessThanOrEqual(Math.min(failed.length, CONCURRENCY));
		const twice = ran.filter((id, index) => ran.indexOf(id) !== index);

		// Whatever was delivered or executed twice, nobody was messaged twice.
		const times = timesSent(cluster, [...eventsAtOnce, ...eventsAtEnd]);
		expect(times.filter((count) => count > 1)).toEqual([]);
		expect(times.filter((count) => count === 0).length).toBeLessThanOrEqual(2 * CONCURRENCY);
		console.info(
			`Of 500 answered at once ${missing.length} broke off, ${twice.length} ran twice; ${times.filter((count) => count === 0).length} of 1,000 were claimed and not sent.`,
		);
	});

	it('are executed again when they broke off and the sender hears of it', async () => {
		const { sandbox, workers } = cluster;
		const { id, urls } = await publishSteps(cluster, 'Break off', [
			trigger('lastNode'),
			sendStep(cluster, agentId),
		]);
		const events = Array.from({ length: CONCURRENCY }, nextEvent);
		sandbox.clearRequests();
		sandbox.faults.add({
			kind: 'latency',
			ms: 3_000,
			path: '/chatapp/send-template',
			times: events.length,
		});
		const heard = new Sender(urls).all(events, events.length);
		const areSending = () => timesSent(cluster, events).every((count) => count === 1) || undefined;
		await waitFor('the workers to send', areSending, { every: 20 });
		await crash(workers[0]);
		await heard;
		const ended = succeeded(await allOver(id));
		expect(events.filter(({ message }) => !ended.includes(message.id))).toEqual([]);
		// Without a claim, what had been sent when the worker died is sent again.
		expect(timesSent(cluster, events)).toContain(2);
	});
});
