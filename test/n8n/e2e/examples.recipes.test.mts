import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type IDataObject, type INode, NodeConnectionTypes } from 'n8n-workflow';

import { http } from '../../http.mts';
import { itemsOf } from '../rest.mts';
import { nodeNamed, webhookUrl } from '../workflow.mts';
import { nodeOf } from './agentWorkflows.mts';
import {
	agentEvaluation,
	aiAgentTags,
	consentForm,
	crmTagSync,
	csvBulkImport,
	failedMessageTicket,
	MANUAL_START,
	orderShippedTemplate,
	undeliveredNextMorning,
} from './examples.mts';
import { asAdmin } from '../../sandbox/tenantClient.mts';
import { type ChatModel, type ChatRequest, startChatModel, taggingTurn } from './examplesChatModel.mts';
import { HEADER, jsonOf, type RecipeRuns, recipesInThisFile, withParameters } from './recipeRuns.mts';
import { headerSecret, type TenantAndN8n, WEBHOOK_CREDENTIAL_TYPE, WEBHOOK_PATH } from './tenantAndN8n.mts';

let both: TenantAndN8n;
let runs: RecipeRuns;

recipesInThisFile((started) => ({ both, runs } = started));

beforeEach(async () => await both.sandbox.reset());

describe('CSV to bulk import', () => {
	it('imports the file in one request, tells what was left out, and takes the mended rows as a file', async () => {
		const save = nodeOf('Save', 'n8n-nodes-base.convertToFile', 1.1, { operation: 'csv', options: {} });
		const toFile = {
			'Rows to Correct': { main: [[{ node: 'Save', type: NodeConnectionTypes.Main, index: 0 }]] },
		};
		const nodes = [...csvBulkImport.nodes, save];
		const connections = { ...csvBulkImport.connections, ...toFile };
		const id = await runs.publish({ ...csvBulkImport, nodes, connections });
		const csv = [
			'phone,name,email,date_of_birth,tags',
			'+49 170 0000101,Ida Import,ida@mail.example,17.05.1990,"Newsletter, Fair"',
			'0049 170 0000102,Ivo Import,no address,,',
			'0170 0000103,Iris Import,iris@mail.example,,',
		].join('\n');
		await runs.sendForm(csvBulkImport, 'Upload a CSV', [new Blob([csv], { type: 'text/csv' })]);

		const execution = await runs.succeeded(id);
		expect(jsonOf(execution, 'All Taken Over')).toMatchObject([
			{ row: 2, number: '491700000101', result: 'created or updated' },
		]);
		expect(jsonOf(execution, 'What Was Left Out')).toMatchObject([
			{
				row: 3,
				result: 'imported in part',
				reason: expect.stringMatching(/^Left out: Email "no address" is not an email address\. /) as string,
			},
		]);
		expect(jsonOf(execution, 'Rows to Correct')).toEqual([
			{
				...{ phone: '0170 0000103', name: 'Iris Import', email: 'iris@mail.example' },
				...{ date_of_birth: '', tags: '' },
				reason: expect.stringMatching(/^Phone Number "0170 0000103" has no country code\. /) as string,
			},
		]);
		expect(runs.sent('POST', /\/customers\/bulk-import$/)).toEqual([
			{
				duplicates: 'override',
				customers: [
					{
						channel: 'chatapp',
						display_id: '491700000101',
						name: 'Ida Import',
						profile: {
							email: 'ida@mail.example',
							date_of_birth: '1990-05-17',
							tags: 'Newsletter,Fair',
						},
					},
					{ channel: 'chatapp', display_id: '491700000102', name: 'Ivo Import', profile: {} },
				],
			},
		]);
		expect(await runs.profileOf('491700000101')).toMatchObject({
			name: 'Ida Import',
			date_of_birth: '1990-05-17',
		});
		expect(await runs.tagsOf('491700000101')).toEqual(['Fair', 'Newsletter']);

		const { id: file } = itemsOf(execution, 'Save')[0].binary!.data;
		const saved = await http.get<string>(`${both.n8n.url}/rest/binary-data`, {
			params: { id: file, action: 'download' },
			headers: { cookie: both.rest.cookie },
		});
		expect(saved.data).toMatch(
			/^\ufeff?phone,name,email,date_of_birth,tags,reason\n0170 0000103,Iris Import,iris@mail.example,,,"Phone Number /,
		);
		const mended = saved.data.replace('0170 0000103', '+49 170 0000103');
		await runs.sendForm(csvBulkImport, 'Upload a CSV', [new Blob([mended], { type: 'text/csv' })]);
		const again = await runs.succeeded(id, 2);
		expect(jsonOf(again, 'All Taken Over')).toMatchObject([{ row: 2, number: '491700000103', reason: '' }]);
		const [, { customers }] = runs.sent('POST', /\/customers\/bulk-import$/);
		expect(customers).toMatchObject([{ display_id: '491700000103', name: 'Iris Import' }]);
	});
});

describe('CRM tag sync', () => {
	it('gives each contact exactly the tags of the CRM, and lets nobody else call', async () => {
		const id = await runs.publish(crmTagSync, { httpHeaderAuth: HEADER });
		const contacts = [
			{ phone: '+49 170 0000201', name: 'Cleo Contact', tags: ['VIP', 'Loyal'] },
			{ phone: '+49 170 0000202', name: 'Carl Contact', tags: [] },
		];
		expect((await runs.callWebhook('crm-contacts', { contacts }, {})).status).toBe(403);
		expect((await runs.callWebhook('crm-contacts', { contacts })).status).toBe(200);
		await runs.succeeded(id);
		expect(await runs.tagsOf('491700000201')).toEqual(['Loyal', 'VIP']);
		expect(await runs.tagsOf('491700000202')).toEqual([]);

		const changed = [{ phone: '491700000201', name: 'Cleo Changed', tags: ['Loyal'] }];
		await runs.callWebhook('crm-contacts', { contacts: changed });
		await runs.succeeded(id, 2);
		expect(await runs.tagsOf('491700000201')).toEqual(['Loyal']);
		expect(runs.customerOf('491700000201')).toMatchObject({ name: 'Cleo Changed' });
		expect(runs.sent('POST', /\/profiles\/\d+\/tags$/)).toHaveLength(3);
	});
});

describe('order shipped', () => {
	const order = {
		name: 'Olga Order',
		phone: '+49 170 0000301',
		order: 'A-301',
		arrival: 'Friday',
		picture: 'https://shop.example/parcel.jpg',
	};

	it('sends the template with its variables and the picture', async () => {
		const id = await runs.publish(orderShippedTemplate, { httpHeaderAuth: HEADER });
		await runs.callWebhook('order-shipped', order);
		const execution = await runs.succeeded(id);
		const [{ message_id, conversation_id }] = jsonOf(execution, 'Sent');
		expect(jsonOf(execution, 'Not Sent')).toEqual([]);
		expect(runs.sent('POST', /\/send-template$/)).toEqual([
			{
				phone_number: 491700000301,
				agent_id: 11,
				template_name: 'order_shipped',
				template_language: 'en_US',
				customer_name: 'Olga Order',
				template_components: [
					{ type: 'header', parameters: [{ type: 'image', image: { link: order.picture } }] },
					{
						type: 'body',
						parameters: ['Olga Order', 'A-301', 'Friday'].map((text) => ({ type: 'text', text })),
					},
					{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-301' }] },
				],
			},
		]);
		expect(both.sandbox.store.conversations.messages(Number(conversation_id))).toMatchObject([
			{ id: message_id, status: 'created' },
		]);

		await runs.callWebhook('order-shipped', { ...order, phone: '0170 0000302' });
		const failed = await runs.succeeded(id, 2);
		expect(jsonOf(failed, 'Not Sent')).toEqual([
			{
				order: 'A-301',
				problem: expect.stringContaining('has no country code'),
				what_to_do: expect.stringContaining('+49 171 1234567'),
			},
		]);
		expect(runs.sent('POST', /\/send-template$/)).toHaveLength(1);
	});
});

describe('marketing consent with proof', () => {
	it('records the consent and keeps what proves it; the other answer withdraws it', async () => {
		const id = await runs.publish(consentForm);
		const answers = ['Cora Consent', '+49 170 0000401'];
		await runs.sendForm(consentForm, 'Consent Form', [...answers, 'I agree']);
		const [proof] = jsonOf(await runs.succeeded(id), 'Proof');
		expect(proof).toMatchObject({
			phone: '491700000401',
			name: 'Cora Consent',
			answer: 'I agree',
			wording: nodeNamed(consentForm, 'Consent Form').parameters.formDescription,
			is_opted_in: true,
			opted_out_at: '',
		});
		const { id: profileId, marketing_opt_in } = await runs.profileOf('491700000401');
		expect(proof.profile_id).toBe(profileId);
		expect(marketing_opt_in).toBe(1);
		for (const time of [proof.form_sent_at, proof.opted_in_at]) {
			expect(Math.abs(Date.parse(String(time)) - Date.now())).toBeLessThan(60_000);
		}

		await runs.sendForm(consentForm, 'Consent Form', [...answers, 'I do not agree']);
		expect(jsonOf(await runs.succeeded(id, 2), 'Proof')).toMatchObject([
			{ answer: 'I do not agree', is_opted_in: false, opted_in_at: proof.opted_in_at },
		]);
		expect(runs.sent('POST', /\/marketing-opt-in$/)).toEqual([{ opt_in: true }, { opt_in: false }]);
	});
});

describe('failed message to ticket', () => {
	let helpDesk: Server;
	const tickets: IDataObject[] = [];

	beforeAll(async () => {
		helpDesk = createServer((request, response) => {
			void json(request).then((ticket) => {
				tickets.push(ticket as IDataObject);
				response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
			});
		});
		await new Promise<void>((resolve) => helpDesk.listen(0, '127.0.0.1', resolve));
	});

	afterAll(async () => {
		helpDesk.closeAllConnections();
		await new Promise((resolve) => helpDesk.close(resolve));
	});

	it('opens a ticket for the message that failed, and none for the one that arrived', async () => {
		const { port } = helpDesk.address() as AddressInfo;
		const helpDeskUrl = `http://127.0.0.1:${port}/api/tickets`;
		const id = await runs.publish(
			withParameters(failedMessageTicket, { 'Open Ticket': { url: helpDeskUrl } }),
			{ [WEBHOOK_CREDENTIAL_TYPE]: headerSecret.credential.data },
		);
		const url = webhookUrl(
			both.n8n.url,
			nodeNamed(failedMessageTicket, 'Failed Agent Message'),
			WEBHOOK_PATH,
		);
		both.sandbox.registerWebhook({ url, ...headerSecret.registration });

		const [conversation] = both.sandbox.store.conversations.search('Mira').records;
		const say = async (content: string) => {
			const { data } = await asAdmin(both.sandbox).post<{ data: { id: number } }>(
				`/conversations/${conversation.id}/messages`,
				{ type: 'text', text: { content }, from_automation: true },
			);
			return data.data.id;
		};
		await say('In time');
		both.sandbox.store.clock.advance(1000 * 60 * 60 * 1000);
		const failed = await say('Too late');
		await both.sandbox.deliveriesSettled();
		expect(both.sandbox.deliveries().map(({ status }) => status)).toEqual([200, 200]);

		await runs.succeeded(id);
		expect(await both.rest.executionIdsOf(id)).toHaveLength(1);
		const { latest_error } = both.sandbox.store.conversations.findMessage(failed) ?? {};
		expect(tickets).toEqual([
			{
				subject: `Message ${failed} to Mira Example was not delivered`,
				body: expect.stringContaining(String(latest_error?.user_friendly_message)),
				reference: `message-${failed}`,
			},
		]);
	});
});

describe('the AI agent for tags', () => {
	let model: ChatModel;

	beforeAll(async () => {
		model = await startChatModel(taggingTurn);
	});

	afterAll(async () => await model?.close());

	it('reaches the tenant through both tools, with what the model gave them', async () => {
		const id = await runs.publish(aiAgentTags, { openAiApi: { apiKey: 'none', url: model.url } });
		const { webhookId } = nodeNamed(aiAgentTags, 'Chat');
		const chat = async (headers: Record<string, string>) =>
			await http.post<unknown>(
				`${both.n8n.url}/webhook/${webhookId}/chat`,
				{
					action: 'sendMessage',
					sessionId: 'of-the-tests',
					chatInput: 'Tag Mira Example as Speaks Danish',
				},
				{ headers },
			);
		expect((await chat({})).status).toBe(401);
		const answer = await chat({ cookie: both.rest.cookie });
		expect(answer.data).toEqual({ output: 'Mira Example is tagged now.' });

		const execution = await runs.succeeded(id);
		expect(model.requests[0].tools).toHaveLength(2);
		expect(jsonOf(execution, 'AI Agent')).toEqual([{ output: 'Mira Example is tagged now.' }]);
		const [mira] = both.sandbox.store.conversations.search('Mira').records;
		const customer = both.sandbox.store.customers.find(mira.customer_id);
		expect(await runs.tagsOf(String(customer?.display_id))).toContain('Speaks Danish');
		expect(
			both.sandbox
				.requests()
				.filter(({ path, query }) => path.endsWith('/profiles') && query.search === 'Mira'),
		).toHaveLength(1);
	});
});

function undeliveredMessages() {
	const templates = () => runs.sent('POST', /\/send-template$/);

	/** Has an automation write into the conversation. Outside the session, the message is not delivered. */
	async function say(content: string): Promise<number> {
		const { data } = await asAdmin(both.sandbox).post<{ data: { id: number } }>(
			'/conversations/2001/messages',
			{ type: 'text', text: { content }, from_automation: true },
		);
		await both.sandbox.deliveriesSettled();
		return data.data.id;
	}

	it('keeps the message that failed, and sends it the next morning, once', async () => {
		const id = await runs.publish(undeliveredNextMorning, {
			[WEBHOOK_CREDENTIAL_TYPE]: headerSecret.credential.data,
		});
		const trigger: INode = nodeNamed(undeliveredNextMorning, 'Undelivered Message');
		const url = webhookUrl(both.n8n.url, trigger, WEBHOOK_PATH);
		both.sandbox.registerWebhook({ url, ...headerSecret.registration });
		// An account without the template: the step creates it, as a person does before publishing.
		await both.rest.runToEnd(id, MANUAL_START);
		await say('In time');
		// What may not be tried again now, or of which nobody knows, is only kept.
		for (const why of ['(#131026) Not reachable', '(#131049) The limit of a person', 'Not in use']) {
			const reason = { type: 'failed', original_message: why, user_friendly_message: why };
			both.sandbox.tenant.setStatus(await say(why), 'failed', reason);
			await both.sandbox.deliveriesSettled();
		}
		both.sandbox.store.clock.advance(1000 * 60 * 60 * 1000);
		const failed = await say('Your parcel is\nat the shop');
		const kept = await runs.succeeded(id, 5);
		expect(jsonOf(kept, 'Keep the Message')).toMatchObject([
			{
				...{ message_id: String(failed), customer_id: 101, text: 'Your parcel is\nat the shop' },
				...{ reason: expect.stringContaining('Send a template'), sent_again: null, result: null },
				...{ try_again: 'with a template', send_after: expect.stringMatching(/^\d{4}-.*Z$/) },
			},
		]);
		expect(templates()).toEqual([]);

		// Two mornings at the same instant both find the message.
		const mornings = await Promise.all([1, 2].map(() => both.rest.runToEnd(id, 'Every Morning')));
		expect(mornings.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(templates()).toMatchObject([
			{
				...{ customer_id: 101, template_name: 'message_again' },
				template_components: [
					{ type: 'body', parameters: [{ type: 'text', text: 'Your parcel is at the shop' }] },
				],
			},
		]);
		const noted = mornings.flatMap((morning) => jsonOf(morning, 'Note What Was Sent'));
		expect(noted).toContainEqual(expect.objectContaining({ message_id: String(failed), result: 'sent' }));

		const next = await both.rest.runToEnd(id, 'Every Morning');
		expect(jsonOf(next, 'Get What Is Kept')).toEqual([]);
		expect(templates()).toHaveLength(1);
	});
}

function evaluation() {
	it('measures each question of the data set', async () => {
		// It does as it is told, but tags the wrong person for one of the questions, without looking them up.
		const careless = (request: ChatRequest) => {
			const wish = request.messages.find(({ role }) => role === 'user')?.content;
			if (!wish?.startsWith('Tag Jonas')) return taggingTurn(request);
			if (request.messages.some(({ role }) => role === 'tool')) return { text: 'Done' };
			return { tool: 'Add_Tag', arguments: { profile_id: 104, tag: 'Newsletter' } };
		};
		const model = await startChatModel(careless);
		try {
			const openAiApi = { apiKey: 'none', url: model.url };
			const first = await runs.create(agentEvaluation, { openAiApi });
			const filled = await both.rest.runToEnd(first.id, MANUAL_START);
			const again = await both.rest.runToEnd(first.id, MANUAL_START);
			expect(jsonOf(again, 'Keep the Row')).toHaveLength(jsonOf(filled, 'Keep the Row').length);
			const [{ id: value }] = jsonOf(filled, 'Create the Table');
			expect(jsonOf(again, 'Create the Table')).toMatchObject([{ id: value }]);

			const dataTableId = { __rl: true, mode: 'list', value };
			const chosen = withParameters(agentEvaluation, { 'Data Set': { dataTableId } });
			const { id } = await runs.create(chosen, { openAiApi });
			const cases = await both.rest.evaluate(id);
			const metrics = cases.map((one) => {
				const [{ question }] = jsonOf(one, 'Data Set');
				return { question, ...jsonOf(one, 'Tools Used')[0], ...jsonOf(one, 'Right Profile')[0] };
			});
			expect(metrics).toHaveLength(3);
			expect(metrics).toEqual(
				expect.arrayContaining([
					{ question: 'Tag Mira Example as VIP', 'Tools Used': 1, 'Right Profile': 1 },
					{ question: 'Tag Jonas Sample as Newsletter', 'Tools Used': 0.5, 'Right Profile': 0 },
					{ question: 'Tag Nora Nowhere as VIP', 'Tools Used': 1, 'Right Profile': 1 },
				]),
			);
			expect(await runs.tagsOf('491700000001')).toContain('VIP');
		} finally {
			await model.close();
		}
	});
}

describe('undelivered messages the next morning', undeliveredMessages);
describe('the evaluation of an agent', evaluation);
