import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { send } from '../../http.mts';
import { type Execution, itemsOf } from '../rest.mts';
import { waitFor } from '../waitFor.mts';
import {
	agentOf,
	chain,
	givenByModel,
	modelOf,
	nodeOf,
	type PlannedModel,
	startPlannedModel,
	stepOf,
	toolOf,
	withTools,
} from './agentWorkflows.mts';
import { type House, runAgent, withMcpClient } from './doors.mts';
import { NODE_TYPE, type TenantAndN8n, tenantAndN8nInThisFile } from './tenantAndN8n.mts';

let both: TenantAndN8n;
let model: PlannedModel;

afterAll(async () => await model?.close());

tenantAndN8nInThisFile(async (started) => {
	both = started;
	model = await startPlannedModel(both.rest);
});

beforeEach(async () => await both.sandbox.reset());

const byId = (value: number | string) => ({ __rl: true, mode: 'id', value });

const mira = () => both.sandbox.store.conversations.search('Mira').records[0].id;

/** The bodies of the messages that the tenant got, by their paths. */
const sent = () =>
	both.sandbox
		.requests()
		.filter(({ method }) => method === 'POST')
		.map(({ path, body }) => ({
			path: path.replace('/third-party/v1', ''),
			body: JSON.parse(Buffer.from(body, 'base64').toString()) as IDataObject,
		}));

const textOf = ({ body }: { body: IDataObject }) => String((body.text as IDataObject).content);

const linksIn = (text: string) => Array.from(text.matchAll(/https?:\/\/\S+/g), ([link]) => link);

const start = nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1);

const itemOf = (values: IDataObject): INode =>
	nodeOf('Item', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify(values), options: {} });

const item = itemOf({ order: 'A-1001' });
const after = nodeOf('After', 'n8n-nodes-base.noOp', 1);

const NODE_ID = '0a1b2c3d-0000-4000-8000-000000000001';

const question = (parameters: INodeParameters): INode => ({
	...stepOf(both.credential, { resource: 'message', operation: 'sendAndWait', ...parameters }),
	id: NODE_ID,
});

const asText = (parameters: INodeParameters = {}): INodeParameters => ({
	sendAs: 'text',
	conversationId: String(mira()),
	message: '=May we deliver {{ $json.order }} on Monday?',
	...parameters,
});

const waits = async (executionId: string) =>
	await waitFor(`execution ${executionId} to wait`, async () => {
		const { status, data } = await both.rest.execution(executionId);
		if (status === 'error') throw new Error(JSON.stringify(data.resultData.error));
		return status === 'waiting' ? executionId : undefined;
	});

/** Runs a question until it waits. */
async function ask(parameters: INodeParameters): Promise<string> {
	const { id } = await both.rest.createWorkflow(
		chain('Question', [start, item, question(parameters), after]),
	);
	return await waits(await both.rest.run(id, 'Start'));
}

const statusOf = async (executionId: string) => (await both.rest.execution(executionId)).status;

const answer = async (link: string, values: Record<string, string>) =>
	await send(link, { method: 'POST', body: new URLSearchParams(values) });

const given = (execution: Execution) => itemsOf(execution, 'After').map(({ json }) => json);

/** What comes out with an answer. */
const answered = (data: IDataObject) => ({
	data: { ...data, respondedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
});

/** The query of a link, without what is different each time. */
const unsigned = (text: string) =>
	text.replace(/question=[\w-]{22}/g, 'question=…').replace(/signature=[0-9a-f]{64}/g, 'signature=…');

describe('as text', () => {
	it('asks for approval with a link for each decision, and goes on with the decision', async () => {
		const labels = { approvalType: 'double', approveLabel: 'Yes, please', disapproveLabel: 'No' };
		const id = await ask(asText({ approvalOptions: { values: labels } }));
		const [message, ...others] = sent();
		expect(others).toEqual([]);
		expect(message.path).toBe(`/conversations/${mira()}/messages`);
		expect(Object.keys(message.body)).toEqual(['type', 'text']);
		const link = `${both.n8n.url}/webhook-waiting/${id}/${NODE_ID}?question=…`;
		expect(unsigned(textOf(message))).toBe(
			[
				'May we deliver A-1001 on Monday?',
				'',
				`Yes, please: ${link}&choice=approve&signature=…`,
				`No: ${link}&choice=decline&signature=…`,
			].join('\n'),
		);
		const [approve, decline] = linksIn(textOf(message));
		const buttons = ({ body }: { body: string }) =>
			[...body.matchAll(/<button[^>]*value="(\w+)"[^>]*>([^<]*)/g)].map(([, value, label]) => [value, label]);
		expect(buttons(await send(approve))).toEqual([
			['approve', 'Yes, please'],
			['decline', 'No'],
		]);
		expect(buttons(await send(decline))).toEqual([
			['decline', 'No'],
			['approve', 'Yes, please'],
		]);
		// The link is for a button, and the button decides.
		const thanks = await answer(approve, { answer: 'decline' });
		expect(thanks.status).toBe(200);
		expect(thanks.body).toContain('Thank you. We have received your answer.');
		expect(given(await both.rest.finished(id))).toEqual([answered({ approved: false })]);
	});

	it.each([
		[
			'a text',
			{ responseType: 'freeText' },
			'<textarea',
			'After 6 pm,\r\nplease <b>',
			{ text: 'After 6 pm,\nplease <b>' },
		],
		[
			'a choice',
			{ responseType: 'choice', choices: 'On Monday\nOn Tuesday' },
			'>On Tuesday<',
			'1',
			{ choice: 'On Tuesday' },
		],
	])('asks for %s, in the language of the page', async (_name, parameters, control, right, data) => {
		const options = { responseFormTitle: 'Ihr Wunsch', responseFormLanguage: 'de' };
		const id = await ask(asText({ ...parameters, options }));
		const text = textOf(sent()[0]);
		expect(text).toMatch(/^May we deliver A-1001 on Monday\?\n\nAntworten: http:\S+$/);
		const [link] = linksIn(text);
		const page = await send(link);
		expect(page.body).toContain(control);
		expect(page.body).toContain('>Ihr Wunsch<');
		const empty = await answer(link, { answer: ' ' });
		expect(empty.status).toBe(422);
		expect(empty.body).toContain('>Bitte antworten Sie mit höchstens 10.000 Zeichen.<');
		expect(await statusOf(id)).toBe('waiting');
		expect((await answer(link, { answer: right })).body).toContain(
			'>Vielen Dank. Wir haben Ihre Antwort erhalten.<',
		);
		expect(given(await both.rest.finished(id))).toEqual([answered(data)]);
	});
});

it('as a template, sends the end of the link as the variable of a button, as a chat app opens it', async () => {
	const beginning = `${both.n8n.url}/webhook-waiting/`;
	const buttons = [
		{ type: 'QUICK_REPLY', text: 'Stop' },
		{ type: 'URL', text: 'Answer', url: `${beginning}{{1}}` },
	];
	const components = [
		{ type: 'BODY', text: 'Hello {{1}}, we have a question.' },
		{ type: 'BUTTONS', buttons },
	];
	both.sandbox.store.templates.create('asked', 'en_US', { components });
	const id = await ask({
		sendAs: 'template',
		message: 'May we deliver on Monday?',
		phoneNumber: '+49 170 0000077',
		agentId: byId(both.sandbox.store.agents.list('chatapp').records[0].id),
		templateName: byId('asked'),
		templateLanguage: 'en_US',
		variables: { mappingMode: 'defineBelow', value: { body_1: 'Nora' } },
		linkVariable: 2,
	});
	const [{ path, body }] = sent();
	expect(path).toBe('/chatapp/send-template');
	const text = expect.any(String);
	const [, button] = body.template_components as Array<{ parameters: Array<{ text: string }> }>;
	expect(button).toEqual({
		...{ type: 'button', sub_type: 'url', index: '1' },
		parameters: [{ type: 'text', text }],
	});
	const link = `${beginning}${button.parameters[0].text}`;
	expect(unsigned(link)).toBe(`${beginning}${id}/${NODE_ID}?question=…&signature=…`);
	await answer(link, { answer: 'approve' });
	expect(given(await both.rest.finished(id))).toEqual([answered({ approved: true })]);
});

describe('the link', () => {
	it('decides nothing by being opened, however often and by whatever program', async () => {
		const id = await ask(asText());
		const [approve, decline] = linksIn(textOf(sent()[0]));
		for (const method of ['GET', 'HEAD', 'GET', 'OPTIONS', 'PUT', 'DELETE'])
			for (const link of [approve, decline, `${approve}&answer=approve`]) await send(link, { method });
		expect(await statusOf(id)).toBe('waiting');
		await answer(decline, { answer: 'decline' });
		expect(given(await both.rest.finished(id))).toEqual([answered({ approved: false })]);
	});

	it('is refused when it is tampered with', async () => {
		const id = await ask(asText());
		const [approve] = linksIn(textOf(sent()[0]));
		const bare = approve.split('?')[0];
		const tampered = [
			bare,
			approve.replace(/&signature=.*/, ''),
			approve.replace('choice=approve', 'choice=decline'),
			approve.replace(/question=[\w-]+/, 'question=AAAAAAAAAAAAAAAAAAAAAA'),
			approve.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
			`${approve}&more=1`,
		];
		for (const link of tampered) {
			const statuses = [(await send(link)).status, (await answer(link, { answer: 'approve' })).status];
			expect([link, ...statuses]).toEqual([link, 401, 401]);
		}
		// The link of another execution.
		const other = await answer(approve.replace(`/${id}/`, `/${Number(id) - 1}/`), { answer: 'approve' });
		expect(other.status).toBe(401);
		expect(await statusOf(id)).toBe('waiting');
	});

	it('serves a page that runs and keeps nothing, and does not hold the access token', async () => {
		const id = await ask(asText());
		const [approve] = linksIn(textOf(sent()[0]));
		const asked = await send(approve);
		const thanks = await answer(approve, { answer: 'approve' });
		for (const { headers, body } of [asked, thanks]) {
			expect(headers['cache-control']).toBe('no-store');
			expect(headers['x-content-type-options']).toBe('nosniff');
			expect(headers['referrer-policy']).toBe('no-referrer');
			expect(body).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; `);
			expect(body).not.toMatch(/<script|javascript:/i);
			expect(body).not.toContain(both.sandbox.token);
		}
		expect(asked.headers['content-security-policy']).toContain("default-src 'none'");
		await both.rest.finished(id);
	});

	it('that is used by several at the same instant decides once', async () => {
		const id = await ask(asText());
		const links = linksIn(textOf(sent()[0]));
		const answers = await Promise.all(
			Array.from({ length: 6 }, async (_, index) => {
				const decision = index % 2 === 0 ? 'approve' : 'decline';
				return await answer(links[index % 2], { answer: decision });
			}),
		);
		const execution = await both.rest.finished(id);
		expect(execution.data.resultData.runData.Step).toHaveLength(1);
		expect(given(execution)).toEqual([answered({ approved: expect.any(Boolean) })]);
		const told = answers.map(({ body }) => /<h1[^>]*>([^<]*)/.exec(body)?.[1] ?? body);
		expect(told.toSorted()).toEqual([
			'Thank you. We have received your answer.',
			...Array.from({ length: 5 }, () => 'You have already answered, or the time is over.'),
		]);
	});
});

it('waits over a restart of n8n, and goes on with timedOut when the time is over', async () => {
	const unlimited = await ask(asText());
	const [link] = linksIn(textOf(sent()[0]));
	const at = { limitType: 'atSpecifiedTime', maxDateAndTime: '={{ $now.plus({ seconds: 5 }).toISO() }}' };
	const limited = await ask(asText({ options: { limitWaitTime: { values: at } } }));
	const [tooLate] = linksIn(textOf(sent()[1]));
	await both.restartN8n();
	const late = await both.rest.finished(limited);
	expect(given(late)).toEqual([{ order: 'A-1001', timedOut: true }]);
	expect((await answer(tooLate, { answer: 'approve' })).body).not.toMatch(/thank/i);
	// What the node before gave stays as it was.
	expect(itemsOf(late, 'Item').map(({ json }) => json)).toEqual([{ order: 'A-1001' }]);
	expect((await send(link)).body).toContain('May we deliver A-1001 on Monday?');
	await answer(link, { answer: 'approve' });
	expect(given(await both.rest.finished(unlimited))).toEqual([answered({ approved: true })]);
});

function humanReview() {
	/** Has a model call a tool that people review, and waits for the question. */
	async function reviewed(
		title: string,
		options: INodeParameters = {},
	): Promise<{ id: string; links: string[]; message: string }> {
		const creates = { resource: 'tag', operation: 'create', title: givenByModel('title') };
		const tool = { ...toolOf(both.credential, creates), id: 'Tool' };
		const review: INode = {
			...nodeOf('Review', `${NODE_TYPE}HitlTool`, 1, {
				conversationId: String(mira()),
				approvalOptions: { values: { approveLabel: 'Do it', disapproveLabel: 'Leave it' } },
				options,
			}),
			id: NODE_ID,
			credentials: { customerMessagingApi: both.credential },
		};
		const agent = withTools(chain('Reviewed', [start, agentOf(3)]), [review], modelOf(model));
		const toReview: IConnections = {
			Tool: {
				[NodeConnectionTypes.AiTool]: [[{ node: 'Review', type: NodeConnectionTypes.AiTool, index: 0 }]],
			},
		};
		model.plan([{ tool: 'Tool', values: { toolParameters: { title }, hitlParameters: {} } }]);
		const { id: workflow } = await both.rest.createWorkflow({
			...agent,
			nodes: [...agent.nodes, tool],
			connections: { ...agent.connections, ...toReview },
		});
		const id = await waits(await both.rest.run(workflow, 'Start'));
		const message = textOf(sent()[0]);
		return { id, links: linksIn(message), message };
	}

	const tags = () => sent().flatMap(({ path, body }) => (path === '/tags' ? [body.title] : []));

	it('runs the tool when a person approves, who reads what the tool gets', async () => {
		const { id, links, message } = await reviewed('Approved');
		expect(message).toContain('The agent wants to run this tool: Tool');
		expect(message).toContain('{\n  "title": "Approved"\n}');
		expect(message).toContain(`Do it: ${links[0]}\nLeave it: ${links[1]}`);
		expect(tags()).toEqual([]);
		await answer(links[0], { answer: 'approve' });
		expect((await both.rest.finished(id)).status).toBe('success');
		expect(tags()).toEqual(['Approved']);
		expect(model.told()).toEqual([expect.stringContaining('"title":"Approved"')]);
	});

	it('does not run the tool when a person declines', async () => {
		const { id, links } = await reviewed('Declined');
		await answer(links[1], { answer: 'decline' });
		expect((await both.rest.finished(id)).status).toBe('success');
		expect(tags()).toEqual([]);
		expect(model.told()).toEqual([expect.stringContaining('User rejected the tool call')]);
	});
}

describe('the human review of a tool', humanReview);

describe('as a tool', () => {
	const toolToAsk = () =>
		toolOf(both.credential, {
			resource: 'message',
			operation: 'sendAndWait',
			...asText({ message: givenByModel('message') }),
		});

	const house = (): House => ({ ...both, model, dataTableId: '' });

	const values = { message: 'May we deliver on Monday?' };

	it('asks for an agent of version 3, which goes on with the answer', async () => {
		const workflow = withTools(chain('Asking', [start, agentOf(3)]), [toolToAsk()], modelOf(model));
		const { id: workflowId } = await both.rest.createWorkflow(workflow);
		model.plan([{ tool: 'Tool', values }]);
		const id = await waits(await both.rest.run(workflowId, 'Start'));
		await answer(linksIn(textOf(sent()[0]))[0], { answer: 'approve' });
		expect((await both.rest.finished(id)).status).toBe('success');
		expect(model.told()).toEqual([
			expect.stringMatching(/^\[{"data":{"approved":true,"respondedAt":"[^"]+"}}\]$/),
		]);
	});

	it('is refused with a sentence where n8n cannot wait: agents before version 3, MCP', async () => {
		const cannot = 'This operation cannot wait for an answer here';
		const { data } = await runAgent(house(), 2.2, [{ tool: toolToAsk(), values }]);
		expect(data.resultData.runData.Tool[0].error?.message).toContain(cannot);
		const tool = toolToAsk();
		const told = await withMcpClient(
			house(),
			[tool],
			async (client) => await client.callTool({ name: tool.name, arguments: values }),
		);
		expect(JSON.stringify(told)).toContain(cannot);
		expect(sent()).toEqual([]);
	});
});
